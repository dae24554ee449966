"""Indices: create, delete, mapping, settings, refresh."""

from __future__ import annotations

from typing import Any

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, illegal_argument, parsing_error
from qlc_engine.index import Index
from qlc_engine.index_settings import checked_settings, printed_settings
from qlc_engine.indices import INDICES_OPTIONS
from qlc_engine.json_input import json_token
from qlc_engine.rest.alias_routes import check_alias
from qlc_engine.rest.request import Request, Response

HEALTH_PARAMETERS = INDICES_OPTIONS | {"wait_for_status", "wait_for_no_relocating_shards", "timeout", "master_timeout"}
_ACKNOWLEDGED = {"acknowledged": True}


def _indices(engine: EngineCore, request: Request) -> list[Index]:
    return engine.indices.resolve(request.index, ignore_unavailable=request.flag("ignore_unavailable"))


def health(engine: EngineCore, request: Request) -> Response:
    """Return the health of a cluster of one node, which is always green."""
    shards = sum(index.n_shards for index in _indices(engine, request))
    none = dict.fromkeys(
        ["relocating_shards", "initializing_shards", "unassigned_shards", "unassigned_primary_shards",
         "delayed_unassigned_shards", "number_of_pending_tasks", "number_of_in_flight_fetch",
         "task_max_waiting_in_queue_millis"], 0
    )  # fmt: skip
    nodes = {"number_of_nodes": 1, "number_of_data_nodes": 1, "active_primary_shards": shards, "active_shards": shards}
    said = {"cluster_name": "embedded", "status": "green", "timed_out": False}
    return Response(200, {**said, **nodes, **none, "active_shards_percent_as_number": 100.0})


def create_index(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    given = body.get("aliases") or {}
    if not isinstance(given, dict):
        raise parsing_error(f"unknown key for create index: [aliases] of type [{json_token(given)}]")
    for name, spec in given.items():
        check_alias(name, spec or {})
        if name == request.index:
            raise illegal_argument(f"alias name [{name}] self-conflicts with index name")
    index = engine.create_index(request.index, {**body, "aliases": {name: {} for name in given}})
    return Response(200, {"acknowledged": True, "shards_acknowledged": True, "index": index.name})


def delete_index(engine: EngineCore, request: Request) -> Response:
    aliases = engine.indices.aliases()
    for name in request.index.split(","):
        if name in aliases:
            raise illegal_argument(
                f"The provided expression [{name}] matches an alias, specify the corresponding concrete indices "
                "instead.",
            )
    for index in _indices(engine, request):
        engine.delete_index(index)
    return Response(200, _ACKNOWLEDGED)


def index_exists(engine: EngineCore, request: Request) -> Response:
    return Response(200 if engine.indices.resolve(request.index, ignore_unavailable=True) else 404, None)


def get_index(engine: EngineCore, request: Request) -> Response:
    body = {
        index.name: {
            "aliases": index.record.aliases,
            "mappings": index.mapping.source,
            "settings": {"index": _settings(index)},
        }
        for index in _indices(engine, request)
    }
    return Response(200, body)


def _settings(index: Index) -> dict[str, Any]:
    return {
        "routing": {"allocation": {"include": {"_tier_preference": "data_content"}}},
        "number_of_shards": str(index.n_shards),
        "number_of_replicas": str(index.n_copies - 1),
        **printed_settings(index.record.settings),
        "provided_name": index.name,
        "creation_date": str(index.record.created_ms),
        "uuid": index.record.uuid,
        "version": {"created": "8536000"},
    }


def get_mapping(engine: EngineCore, request: Request) -> Response:
    return Response(200, {index.name: {"mappings": index.mapping.source} for index in _indices(engine, request)})


def put_mapping(engine: EngineCore, request: Request) -> Response:
    if not request.body.strip():
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: mapping source is missing;")
    for index in _indices(engine, request):
        engine.put_mapping(index, request.json_object())
    return Response(200, _ACKNOWLEDGED)


def get_settings(engine: EngineCore, request: Request) -> Response:
    found = _indices(engine, request)
    return Response(200, {index.name: {"settings": {"index": _settings(index)}} for index in found})


#: settings that an index is made with, and keeps
_FINAL = frozenset(
    {
        "number_of_shards", "analysis", "codec", "mapping.coerce", "mapping.ignore_malformed", "mapping.ignore_above",
        "number_of_routing_shards", "soft_deletes.enabled", "load_fixed_bitset_filters_eagerly",
    }
)  # fmt: skip


def put_settings(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    changed = checked_settings(body.get("settings", body))
    for name in changed:
        if name in _FINAL or name.startswith("sort."):
            raise illegal_argument(
                f"Can't update non dynamic settings [[index.{name}]] for open indices [[{request.index}]]",
            )
    for index in _indices(engine, request):
        settings = {**index.record.settings, **changed}
        # A null takes a setting back to what it is by itself.
        index.record.settings = {name: value for name, value in settings.items() if value is not None}
        engine.change_record(index)
    return Response(200, _ACKNOWLEDGED)


def refresh(engine: EngineCore, request: Request) -> Response:
    found = _indices(engine, request)
    engine.refresh(found)
    return _broadcast(found)


def flush(engine: EngineCore, request: Request) -> Response:
    found = _indices(engine, request)
    engine.flush(found)
    return _broadcast(found)


def force_merge(engine: EngineCore, request: Request) -> Response:
    found = _indices(engine, request)
    engine.force_merge(found)
    return _broadcast(found)


def _broadcast(indices: list[Index]) -> Response:
    total = sum(index.n_shards * index.n_copies for index in indices)
    primaries = sum(index.n_shards for index in indices)
    return Response(200, {"_shards": {"total": total, "successful": primaries, "failed": 0}})
