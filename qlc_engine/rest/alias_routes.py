"""Aliases: put, and what there is."""

from __future__ import annotations

from typing import Any

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, illegal_argument, not_implemented, xcontent_error
from qlc_engine.index import Index
from qlc_engine.indices import options_of
from qlc_engine.mapping import matches_pattern
from qlc_engine.reading import reading
from qlc_engine.rest.request import Request, Response
from qlc_engine.search.run import make_query

ALIAS_PARAMETERS = frozenset({"timeout", "master_timeout"})

_SPEC_KEYS = ("filter", "is_write_index", "routing", "index_routing", "search_routing", "is_hidden")


@reading("[alias]", xcontent_error)
def checked_alias(name: str, spec: dict[str, Any], index: str = "") -> dict[str, Any]:
    """What is kept of an alias. Raises EngineError for what is none, or not implemented."""
    out: dict[str, Any] = {}
    for key, value in spec.items():
        if key in ("filter", "is_write_index"):
            if value is not None:
                out[key] = value
        elif key == "is_hidden" and value is False:
            continue
        elif key in _SPEC_KEYS:
            raise not_implemented(f"alias [{key}]")
        else:
            raise EngineError("x_content_parse_exception", f"[1:1] [alias] unknown field [{key}]")
    if name == index:
        raise illegal_argument(f"alias name [{name}] self-conflicts with index name")
    if not name or any(character in name for character in '\\/*?"<>| ,#'):
        raise EngineError("invalid_alias_name_exception", f"Invalid alias name [{name}]")
    return out


def _check_filter(engine: EngineCore, index: Index, name: str, spec: dict[str, Any]) -> None:
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


def put_alias(engine: EngineCore, request: Request) -> Response:
    """Gives it to all of the indices, or to none."""
    # the server reads what it knows of the body, and nothing else
    spec = {key: value for key, value in request.json_object().items() if key in _SPEC_KEYS}
    name = request.names["name"]
    changed: list[tuple[Index, dict[str, Any]]] = []
    for target in engine.indices.resolve(request.index, options_of(request.params)):
        target.index.effective.check_blocks(target.index.name, "change")
        _check_name_is_free(engine, name)
        _check_filter(engine, target.index, name, spec)
        changed.append((target.index, checked_alias(name, spec)))
    _check_write_index(engine, name, changed)
    for index, alias in changed:
        if index.record.aliases.get(name) != alias:
            index.record.aliases = {**index.record.aliases, name: alias}
            engine.change_record(index)
    return Response(200, {"acknowledged": True, "errors": False})


def _check_name_is_free(engine: EngineCore, name: str) -> None:
    taken = engine.indices.get(name)
    if taken is not None:
        raise EngineError(
            "invalid_alias_name_exception",
            f"Invalid alias name [{name}]: an index or data stream exists with the same name as the alias",
            details={"index_uuid": taken.record.uuid, "index": name},
        )


def _check_write_index(engine: EngineCore, name: str, changed: list[tuple[Index, dict[str, Any]]]) -> None:
    """Raises EngineError if more than one index would be written to under an alias."""
    of_alias = {index.name: index.record.aliases.get(name, {}) for index in engine.indices}
    of_alias.update({index.name: alias for index, alias in changed})
    writers = [index for index, alias in of_alias.items() if alias.get("is_write_index")]
    if len(writers) > 1:
        reason = f"alias [{name}] has more than one write index [{','.join(writers)}]"
        raise EngineError("illegal_state_exception", reason, status=500)


def get_alias(engine: EngineCore, request: Request) -> Response:
    name = request.names.get("name")
    body: dict[str, Any] = {}
    seen: set[str] = set()
    for index in _found(engine, request):
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


def _found(engine: EngineCore, request: Request) -> list[Index]:
    """Aliases of hidden indices are told."""
    options = options_of({"expand_wildcards": "all", **request.params})
    return [target.index for target in engine.indices.resolve(request.index, options)]
