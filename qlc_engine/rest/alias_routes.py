"""Aliases: given to indices, read, moved from one index to another."""

from __future__ import annotations

from typing import Any

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, illegal_argument, not_implemented
from qlc_engine.index import Index
from qlc_engine.mapping import matches_pattern
from qlc_engine.reading import reading
from qlc_engine.rest.request import Request, Response

_ACKNOWLEDGED = {"acknowledged": True}
_DONE = {"acknowledged": True, "errors": False}


@reading("[alias]")
def check_alias(name: str, spec: dict[str, Any]) -> None:
    for key in spec:
        raise not_implemented(f"alias [{key}]")
    if not name or any(character in name for character in '\\/*?"<>| ,#'):
        raise EngineError("invalid_alias_name_exception", f"Invalid alias name [{name}]")


def put_alias(engine: EngineCore, request: Request) -> Response:
    """Give an alias to all of the indices, or to none."""
    name = request.names["name"]
    check_alias(name, request.json_object())
    _check_free(engine, name, set())
    for index in _indices(engine, request):
        _change(engine, index, {name}, set())
    return Response(200, _ACKNOWLEDGED)


@reading("[aliases]")
def update_aliases(engine: EngineCore, request: Request) -> Response:
    """Add and remove aliases, and remove indices. An alias that is not there is reported beside what was done."""
    actions = [pair for action in request.json_object().get("actions", []) for pair in action.items()]
    if not actions:
        raise illegal_argument("No action specified")
    wanted: dict[str, set[str]] = {}
    removed: list[Index] = []
    results: list[dict[str, Any]] = []
    for kind, given in actions:
        if kind not in ("add", "remove", "remove_index"):
            raise not_implemented(f"[{kind}] in [_aliases]")
        left = dict(given)
        names = _listed(left, "aliases", "alias") if kind != "remove_index" else []
        must_exist, indices = left.pop("must_exist", False), _listed(left, "indices", "index")
        found, done = engine.indices.resolve(",".join(indices)), kind == "remove_index"
        removed += found if done else []
        for name in names:
            if kind == "add":
                check_alias(name, left)
            for index in found:
                changed = {name} if kind == "add" else _fitting(index, name)
                now = wanted.setdefault(index.name, set(index.record.aliases))
                wanted[index.name] = now | changed if kind == "add" else now - changed
                done = done or bool(changed)
        result = {"action": {"type": kind, "indices": indices, **({"aliases": names} if names else {})}, "status": 200}
        if not done:
            missing = _missing(names)
            result |= {"status": 404, "error": missing.to_dict()}
            if must_exist or len(actions) == 1:
                raise missing
        results.append(result)
    for name in {name for names in wanted.values() for name in names}:
        _check_free(engine, name, {index.name for index in removed})
    for index in removed:
        engine.delete_index(index)
        wanted.pop(index.name, None)
    for index in engine.indices:
        own = wanted.get(index.name, set(index.record.aliases))
        _change(engine, index, own, set(index.record.aliases) - own)
    errors = any(result["status"] == 404 for result in results)
    return Response(200, {**_DONE, "errors": errors, **({"action_results": results} if errors else {})})


def delete_alias(engine: EngineCore, request: Request) -> Response:
    name, found = request.names["name"], _indices(engine, request)
    if not any(_fitting(index, name) for index in found):
        raise _missing(name.split(","))
    for index in found:
        _change(engine, index, set(), _fitting(index, name))
    return Response(200, _DONE)


def get_alias(engine: EngineCore, request: Request) -> Response:
    """Return the aliases of indices; with a name only the indices that have it, or 404."""
    name = request.names.get("name")
    found = {index.name: _fitting(index, name or "*") for index in _indices(engine, request)}
    body: dict[str, Any] = {index: {"aliases": {one: {} for one in sorted(own)}} for index, own in found.items()
                            if own or name is None}  # fmt: skip
    every = set().union(*found.values())
    if lost := [one for one in (name or "*").split(",") if one != "_all" and "*" not in one and one not in every]:
        error = f"alias{'es' if len(lost) > 1 else ''} [{','.join(lost)}] missing"
        return Response(404, {**body, "error": error, "status": 404})
    return Response(200, body)


def _indices(engine: EngineCore, request: Request) -> list[Index]:
    return engine.indices.resolve(request.index, ignore_unavailable=request.flag("ignore_unavailable"))


def _fitting(index: Index, patterns: str) -> set[str]:
    """Return the aliases of an index that fit one of several patterns: `logs-*,live`."""
    listed = ["*" if one == "_all" else one for one in patterns.split(",")]
    return {alias for alias in index.record.aliases for one in listed if matches_pattern(one, alias)}


def _missing(names: list[str]) -> EngineError:
    said = ",".join(names)
    details = {"resource.type": "aliases", "resource.id": said}
    return EngineError("aliases_not_found_exception", f"aliases [{said}] missing", status=404, details=details)


def _listed(left: dict[str, Any], plural: str, singular: str) -> list[str]:
    """Take the names of an action out of it: a list, or one name."""
    given = left.pop(plural, left.pop(singular, None))
    if not given:
        raise illegal_argument(f"One of [{singular}] or [{plural}] is required")
    return [str(one) for one in (given if isinstance(given, list) else [given])]


def _check_free(engine: EngineCore, alias: str, removed: set[str]) -> None:
    taken = engine.indices.get(alias)
    if taken is not None and alias not in removed:
        raise EngineError(
            "invalid_alias_name_exception",
            f"Invalid alias name [{alias}]: an index or data stream exists with the same name as the alias",
            details={"index_uuid": taken.record.uuid, "index": alias},
        )


def _change(engine: EngineCore, index: Index, added: set[str], removed: set[str]) -> None:
    wanted = dict.fromkeys([*index.record.aliases, *sorted(added)])
    aliases: dict[str, dict[str, Any]] = {name: {} for name in wanted if name not in removed}
    if aliases != index.record.aliases:
        index.record.aliases = aliases
        engine.change_record(index)
