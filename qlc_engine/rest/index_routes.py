"""Indices: create, delete, mapping, settings, aliases, refresh."""

from __future__ import annotations

from typing import Any

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, not_implemented, parsing_error
from qlc_engine.index import Index
from qlc_engine.index_settings import checked_settings, flattened, printed_settings
from qlc_engine.indices import options_of
from qlc_engine.json_input import json_token
from qlc_engine.rest.alias_routes import checked_alias
from qlc_engine.rest.request import Request, Response

_TIMEOUTS = frozenset({"timeout", "master_timeout"})
_INDICES = frozenset({"ignore_unavailable", "allow_no_indices", "expand_wildcards"})
CREATE_PARAMETERS = _TIMEOUTS | {"wait_for_active_shards"}
GET_PARAMETERS = _TIMEOUTS | _INDICES | {"local", "flat_settings", "include_defaults", "features"}
PUT_MAPPING_PARAMETERS = _TIMEOUTS | _INDICES | {"write_index_only"}
PUT_SETTINGS_PARAMETERS = _TIMEOUTS | _INDICES | {"preserve_existing", "flat_settings", "reopen"}
FLUSH_PARAMETERS = _INDICES | {"force", "wait_if_ongoing"}
MERGE_PARAMETERS = _INDICES | {"max_num_segments", "only_expunge_deletes", "flush", "wait_for_completion"}

_ACKNOWLEDGED = {"acknowledged": True}


def indices_of(engine: EngineCore, request: Request, doing: str = "") -> list[Index]:
    """The indices of the request. Raises EngineError where a block forbids what is to be done with one."""
    found = [target.index for target in engine.indices.resolve(request.index, options_of(request.params))]
    for index in found if doing else ():
        index.effective.check_blocks(index.name, doing)
    return found


def create_index(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    given = body.get("aliases") or {}
    if not isinstance(given, dict):
        raise parsing_error(f"unknown key for create index: [aliases] of type [{json_token(given)}]")
    aliases = {name: checked_alias(name, spec or {}, request.index) for name, spec in given.items()}
    index = engine.create_index(request.index, {**body, "aliases": aliases} if aliases else body)
    return Response(200, {"acknowledged": True, "shards_acknowledged": True, "index": index.name})


def delete_index(engine: EngineCore, request: Request) -> Response:
    aliases = engine.indices.aliases()
    for name in request.index.split(","):
        if name in aliases:
            raise EngineError(
                "illegal_argument_exception",
                f"The provided expression [{name}] matches an alias, specify the corresponding concrete indices "
                "instead.",
            )
    for index in indices_of(engine, request):
        engine.delete_index(index)
    return Response(200, _ACKNOWLEDGED)


def index_exists(engine: EngineCore, request: Request) -> Response:
    options = options_of(request.params, allow_no_indices=False)
    try:
        return Response(200 if engine.indices.resolve(request.index, options) else 404, None)
    except EngineError as error:
        if error.status != 404:
            raise
        return Response(404, None)


def get_index(engine: EngineCore, request: Request) -> Response:
    body = {
        index.name: {
            "aliases": index.record.aliases,
            "mappings": index.mapping.source,
            "settings": {"index": _settings(index)},
        }
        for index in indices_of(engine, request, "look")
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
    found = indices_of(engine, request, "look")
    return Response(200, {index.name: {"mappings": index.mapping.source} for index in found})


def put_mapping(engine: EngineCore, request: Request) -> Response:
    if not request.body.strip():
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: mapping source is missing;")
    for index in indices_of(engine, request):
        engine.put_mapping(index, request.json_object())
    return Response(200, _ACKNOWLEDGED)


def get_settings(engine: EngineCore, request: Request) -> Response:
    _refuse_defaults(request)
    found = indices_of(engine, request, "look")
    settings: dict[str, Any] = {index.name: {"index": _settings(index)} for index in found}
    if request.flag("flat_settings"):
        settings = {name: flattened(tree) for name, tree in settings.items()}
    return Response(200, {name: {"settings": tree} for name, tree in settings.items()})


def _refuse_defaults(request: Request) -> None:
    if request.flag("include_defaults"):
        raise not_implemented("parameter [include_defaults]")


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
            raise EngineError(
                "illegal_argument_exception",
                f"Can't update non dynamic settings [[index.{name}]] for open indices [[{request.index}]]",
            )
    # a block is lifted by a request that does nothing else
    lifts = len(body) == 1 and next(iter(body)) in ("index.blocks.read_only", "index.blocks.metadata")
    for index in indices_of(engine, request, "" if lifts else "change"):
        settings = {**index.record.settings, **changed}
        # A null takes a setting back to what it is by itself.
        index.record.settings = {name: value for name, value in settings.items() if value is not None}
        engine.change_record(index)
    return Response(200, _ACKNOWLEDGED)


def refresh(engine: EngineCore, request: Request) -> Response:
    found = indices_of(engine, request)
    engine.refresh(found)
    return _broadcast(found)


def flush(engine: EngineCore, request: Request) -> Response:
    found = indices_of(engine, request)
    engine.flush(found)
    return _broadcast(found)


def force_merge(engine: EngineCore, request: Request) -> Response:
    found = indices_of(engine, request)
    engine.force_merge(found)
    return _broadcast(found)


def _broadcast(indices: list[Index]) -> Response:
    total = sum(index.n_shards * index.n_copies for index in indices)
    primaries = sum(index.n_shards for index in indices)
    return Response(200, {"_shards": {"total": total, "successful": primaries, "failed": 0}})
