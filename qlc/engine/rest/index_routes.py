"""Indices: create, delete, mapping, settings, aliases, refresh."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qlc.engine.errors import EngineError, illegal_argument, index_not_found, not_implemented, xcontent_error
from qlc.engine.index import Index
from qlc.engine.index_settings import checked_settings, flattened, printed_settings
from qlc.engine.indices import options_of
from qlc.engine.mapping import matches_any, matches_pattern
from qlc.engine.rest.request import Request, Response
from qlc.engine.search.run import make_query

if TYPE_CHECKING:
    from qlc.engine.engine import Engine

_TIMEOUTS = frozenset({"timeout", "master_timeout"})
_INDICES = frozenset({"ignore_unavailable", "allow_no_indices", "expand_wildcards"})
CREATE_PARAMETERS = _TIMEOUTS | {"wait_for_active_shards"}
GET_PARAMETERS = _TIMEOUTS | _INDICES | {"local", "flat_settings", "include_defaults", "features"}
PUT_MAPPING_PARAMETERS = _TIMEOUTS | _INDICES | {"write_index_only"}
PUT_SETTINGS_PARAMETERS = _TIMEOUTS | _INDICES | {"preserve_existing", "flat_settings", "reopen"}
ALIAS_PARAMETERS = _TIMEOUTS
FLUSH_PARAMETERS = _INDICES | {"force", "wait_if_ongoing"}
MERGE_PARAMETERS = _INDICES | {"max_num_segments", "only_expunge_deletes", "flush", "wait_for_completion"}

_ACKNOWLEDGED = {"acknowledged": True}


def _indices(engine: Engine, request: Request) -> list[Index]:
    return [target.index for target in engine.indices.resolve(request.index, options_of(request.params))]


def create_index(engine: Engine, request: Request) -> Response:
    index = engine.create_index(request.index, request.json_object())
    for name, alias in list(index.record.aliases.items()):
        index.record.aliases[name] = _alias(name, alias or {})
    engine.change_record(index)
    return Response(200, {"acknowledged": True, "shards_acknowledged": True, "index": index.name})


def delete_index(engine: Engine, request: Request) -> Response:
    aliases = engine.indices.aliases()
    for name in request.index.split(","):
        if name in aliases:
            raise EngineError(
                "illegal_argument_exception",
                f"The provided expression [{name}] matches an alias, specify the corresponding concrete indices "
                "instead.",
            )
    for index in _indices(engine, request):
        engine.delete_index(index)
    return Response(200, _ACKNOWLEDGED)


def index_exists(engine: Engine, request: Request) -> Response:
    options = options_of(request.params, allow_no_indices=False)
    try:
        return Response(200 if engine.indices.resolve(request.index, options) else 404, None)
    except EngineError as error:
        if error.status != 404:
            raise
        return Response(404, None)


def get_index(engine: Engine, request: Request) -> Response:
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


def get_mapping(engine: Engine, request: Request) -> Response:
    return Response(200, {index.name: {"mappings": index.mapping.source} for index in _indices(engine, request)})


def get_field_mapping(engine: Engine, request: Request) -> Response:
    _refuse_defaults(request)
    patterns = request.names["fields"].split(",")
    body: dict[str, Any] = {}
    for index in _indices(engine, request):
        found: dict[str, Any] = {}
        for name in index.mapping.names():
            if matches_any(patterns, name):
                found[name] = {"full_name": name, "mapping": {name.rpartition(".")[2]: _definition(index, name)}}
        body[index.name] = {"mappings": found}
    return Response(200, body)


def _definition(index: Index, name: str) -> dict[str, Any]:
    """The part of the mapping that defines a field or multi-field."""
    spec = index.mapping.source
    for part in name.split("."):
        spec = {**spec.get("properties", {}), **spec.get("fields", {})}[part]
    return spec


def put_mapping(engine: Engine, request: Request) -> Response:
    if not request.body.strip():
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: mapping source is missing;")
    for index in _indices(engine, request):
        engine.put_mapping(index, request.json_object())
    return Response(200, _ACKNOWLEDGED)


def get_settings(engine: Engine, request: Request) -> Response:
    _refuse_defaults(request)
    settings: dict[str, Any] = {index.name: {"index": _settings(index)} for index in _indices(engine, request)}
    if request.flag("flat_settings"):
        settings = {name: flattened(tree) for name, tree in settings.items()}
    return Response(200, {name: {"settings": tree} for name, tree in settings.items()})


def _refuse_defaults(request: Request) -> None:
    if request.flag("include_defaults"):
        raise not_implemented("parameter [include_defaults]")


def put_settings(engine: Engine, request: Request) -> Response:
    body = request.json_object()
    changed = checked_settings(body.get("settings", body))
    for name in changed:
        if name in ("number_of_shards", "analysis", "codec"):
            raise EngineError(
                "illegal_argument_exception",
                f"Can't update non dynamic settings [[index.{name}]] for open indices [[{request.index}]]",
            )
    for index in _indices(engine, request):
        settings = {**index.record.settings, **changed}
        # A null takes a setting back to what it is by itself.
        index.record.settings = {name: value for name, value in settings.items() if value is not None}
        engine.change_record(index)
    return Response(200, _ACKNOWLEDGED)


def _alias(name: str, spec: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in spec.items():
        if key in ("filter", "is_write_index"):
            out[key] = value
        elif key == "is_hidden" and value is False:
            continue
        elif key in ("routing", "index_routing", "search_routing", "is_hidden"):
            raise not_implemented(f"alias [{key}]")
        else:
            raise EngineError("x_content_parse_exception", f"[1:1] [alias] unknown field [{key}]")
    if not name or any(character in name for character in '\\/*?"<>| ,#'):
        raise EngineError("invalid_alias_name_exception", f"Invalid alias name [{name}]")
    return out


_ALIASED = {"acknowledged": True, "errors": False}


def put_alias(engine: Engine, request: Request) -> Response:
    alias = _alias(request.names["name"], request.json_object())
    for index in _indices(engine, request):
        _check_alias_name(engine, request.names["name"])
        _check_alias_filter(engine, index, request.names["name"], alias)
        index.record.aliases = {**index.record.aliases, request.names["name"]: alias}
        engine.change_record(index)
    return Response(200, _ALIASED)


def _check_alias_filter(engine: Engine, index: Index, name: str, spec: dict[str, Any]) -> None:
    """Raises EngineError for a filter that is no query; whether it fits the mapping is seen when it is used."""
    if spec.get("filter") is None:
        return
    (shard,) = engine.shards_of(index.name, options_of({}))
    try:
        make_query(spec["filter"], shard.context)
    except EngineError as error:
        if error.on_shard:
            return
        cause = xcontent_error(error.reason or "")
        raise illegal_argument(f"failed to parse filter for alias [{name}]", caused_by=cause) from None


def _check_alias_name(engine: Engine, name: str) -> None:
    if engine.indices.get(name) is not None:
        raise EngineError(
            "invalid_alias_name_exception",
            f"Invalid alias name [{name}]: an index or data stream exists with the same name as the alias",
            details={"index_uuid": engine.indices.single(name).record.uuid, "index": name},
        )


def delete_alias(engine: Engine, request: Request) -> Response:
    _remove_alias(engine, request.index, request.names["name"].split(","), request)
    return Response(200, _ALIASED)


def _remove_alias(engine: Engine, expression: str, names: list[str], request: Request) -> None:
    removed = False
    for target in engine.indices.resolve(expression, options_of(request.params)):
        index = target.index
        kept = {
            alias: spec
            for alias, spec in index.record.aliases.items()
            if not any(matches_pattern(name, alias) or name == "_all" for name in names)
        }
        if len(kept) < len(index.record.aliases):
            removed = True
            index.record.aliases = kept
            engine.change_record(index)
    if not removed:
        raise EngineError(
            "aliases_not_found_exception",
            f"aliases [{','.join(names)}] missing",
            status=404,
            details={"resource.type": "aliases", "resource.id": ",".join(names)},
        )


def update_aliases(engine: Engine, request: Request) -> Response:
    body = request.json_object()
    actions = body.pop("actions", [])
    for key in body:
        raise EngineError("x_content_parse_exception", f"[1:1] [aliases] unknown field [{key}]")
    if not actions:
        raise illegal_argument("No action specified")
    results: list[dict[str, Any]] = []
    missing: EngineError | None = None
    for action in actions:
        (kind, spec), *_ = action.items()
        left = dict(spec)
        expression = _listed(left.pop("index", None), left.pop("indices", None))
        names = _listed(left.pop("alias", None), left.pop("aliases", None))
        must_exist = left.pop("must_exist", None)
        if kind == "remove_index":
            for target in engine.indices.resolve(",".join(expression), options_of({})):
                engine.delete_index(target.index)
        elif kind == "remove":
            told: dict[str, Any] = {"action": {"type": kind, "indices": expression, "aliases": names}, "status": 200}
            try:
                _remove_alias(engine, ",".join(expression), names, request)
            except EngineError as error:
                if error.type != "aliases_not_found_exception":
                    raise
                if must_exist is not False:
                    told = {**told, "status": error.status, "error": error.to_dict()}
                    missing = error
            results.append(told)
            continue
        elif kind == "add":
            targets = engine.indices.resolve(",".join(expression), options_of({}))
            if not targets:
                raise index_not_found(",".join(expression))
            for target in targets:
                for name in names:
                    _check_alias_name(engine, name)
                    _check_alias_filter(engine, target.index, name, left)
                    target.index.record.aliases = {**target.index.record.aliases, name: _alias(name, left)}
                engine.change_record(target.index)
        else:
            raise EngineError("x_content_parse_exception", f"[1:1] [alias_action] unknown field [{kind}]")
        told = {"action": {"type": kind, "indices": expression, "aliases": names}, "status": 200}
        results.append(told)
    if missing is None:
        return Response(200, _ALIASED)
    if all("error" in result for result in results):
        # only where something was done the answer tells what was not
        raise missing
    return Response(200, {"acknowledged": True, "errors": True, "action_results": results})


def _listed(*given: Any) -> list[str]:
    out: list[str] = []
    for value in given:
        if value is not None:
            out.extend(value if isinstance(value, list) else [value])
    return out


def get_alias(engine: Engine, request: Request) -> Response:
    name = request.names.get("name")
    body: dict[str, Any] = {}
    seen: set[str] = set()
    for index in _indices(engine, request):
        aliases = index.record.aliases
        if name is not None:
            wanted = name.split(",")
            aliases = {
                alias: spec
                for alias, spec in aliases.items()
                if any(matches_pattern(part, alias) or part == "_all" for part in wanted)
            }
            seen.update(aliases)
        if aliases or name is None:
            body[index.name] = {"aliases": aliases}
    missing = [] if name is None else [part for part in name.split(",") if "*" not in part and part not in seen]
    if missing and missing != ["_all"]:
        return Response(404, {"error": f"alias [{','.join(missing)}] missing", "status": 404, **body})
    return Response(200, body)


def refresh(engine: Engine, request: Request) -> Response:
    found = _indices(engine, request)
    engine.refresh(found)
    return _broadcast(found)


def flush(engine: Engine, request: Request) -> Response:
    found = _indices(engine, request)
    engine.flush(found)
    return _broadcast(found)


def force_merge(engine: Engine, request: Request) -> Response:
    found = _indices(engine, request)
    engine.force_merge(found)
    return _broadcast(found)


def _broadcast(indices: list[Index]) -> Response:
    total = sum(index.n_shards * index.n_copies for index in indices)
    primaries = sum(index.n_shards for index in indices)
    return Response(200, {"_shards": {"total": total, "successful": primaries, "failed": 0}})
