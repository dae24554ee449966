"""Aliases: put, delete, several changes of one request, and what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qlc_engine.errors import EngineError, illegal_argument, index_not_found, not_implemented, xcontent_error
from qlc_engine.index import Index
from qlc_engine.indices import options_of
from qlc_engine.mapping import matches_pattern
from qlc_engine.reading import reading
from qlc_engine.rest.request import Request, Response
from qlc_engine.search.run import make_query

if TYPE_CHECKING:
    from qlc_engine.engine import Engine

ALIAS_PARAMETERS = frozenset({"timeout", "master_timeout"})

_ALIASED = {"acknowledged": True, "errors": False}
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


class _Change:
    """Aliases of indices as a request would leave them; nothing is done before all of it is found good."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._aliases: dict[str, dict[str, Any]] = {}
        self._removed: list[Index] = []

    def _of(self, index: Index) -> dict[str, Any]:
        return self._aliases.setdefault(index.name, dict(index.record.aliases))

    def add(self, index: Index, name: str, spec: dict[str, Any]) -> None:
        index.effective.check_blocks(index.name, "change")
        taken = self.engine.indices.get(name)
        if taken is not None and taken not in self._removed:
            raise EngineError(
                "invalid_alias_name_exception",
                f"Invalid alias name [{name}]: an index or data stream exists with the same name as the alias",
                details={"index_uuid": taken.record.uuid, "index": name},
            )
        _check_filter(self.engine, index, name, spec)
        self._of(index)[name] = checked_alias(name, spec)

    def remove(self, indices: list[Index], patterns: list[str], *, must_exist: bool | None) -> None:
        """Raises EngineError where none of the indices had, before the request, what was to be removed."""
        found = False
        for index in indices:
            index.effective.check_blocks(index.name, "change")
            for alias in index.record.aliases:
                if any(matches_pattern(pattern, alias) or pattern == "_all" for pattern in patterns):
                    found = True
                    self._of(index).pop(alias, None)
        plain = [pattern for pattern in patterns if "*" not in pattern and pattern != "_all"]
        if not found and must_exist is not False and (plain or must_exist):
            raise EngineError(
                "aliases_not_found_exception",
                f"aliases [{','.join(patterns)}] missing",
                status=404,
                details={"resource.type": "aliases", "resource.id": ",".join(patterns)},
            )

    def remove_index(self, index: Index) -> None:
        self._removed.append(index)

    def do(self) -> None:
        self._check_write_indices()
        for index in self._removed:
            self.engine.delete_index(index)
        for name, aliases in self._aliases.items():
            changed = self.engine.indices.get(name)
            if changed is not None and changed.record.aliases != aliases:
                changed.record.aliases = aliases
                self.engine.change_record(changed)

    def _check_write_indices(self) -> None:
        writers: dict[str, list[str]] = {}
        for index in self.engine.indices:
            if index in self._removed:
                continue
            for alias, spec in self._aliases.get(index.name, index.record.aliases).items():
                if spec.get("is_write_index"):
                    writers.setdefault(alias, []).append(index.name)
        for alias, names in writers.items():
            if len(names) > 1:
                reason = f"alias [{alias}] has more than one write index [{','.join(names)}]"
                raise EngineError("illegal_state_exception", reason, status=500)


def _check_filter(engine: Engine, index: Index, name: str, spec: dict[str, Any]) -> None:
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


def put_alias(engine: Engine, request: Request) -> Response:
    # the server reads what it knows of the body, and nothing else
    spec = {key: value for key, value in request.json_object().items() if key in _SPEC_KEYS}
    change = _Change(engine)
    for target in engine.indices.resolve(request.index, options_of(request.params)):
        change.add(target.index, request.names["name"], spec)
    change.do()
    return Response(200, _ALIASED)


def delete_alias(engine: Engine, request: Request) -> Response:
    indices = [target.index for target in engine.indices.resolve(request.index, options_of(request.params))]
    change = _Change(engine)
    change.remove(indices, request.names["name"].split(","), must_exist=None)
    change.do()
    return Response(200, _ALIASED)


def update_aliases(engine: Engine, request: Request) -> Response:
    """Several changes: all are made or none is, but for what was to be removed and is not there."""
    body = request.json_object()
    actions = body.pop("actions", [])
    for key in body:
        raise EngineError("x_content_parse_exception", f"[1:1] [aliases] unknown field [{key}]")
    if not actions:
        raise illegal_argument("No action specified")
    results: list[dict[str, Any]] = []
    missing: EngineError | None = None
    change = _Change(engine)
    # an alias may take the name of an index that the same request removes
    for kind, left in sorted(_actions(actions), key=lambda each: each[0] != "remove_index"):
        expression = _listed("index", left.pop("index", None), left.pop("indices", None))
        names = _listed("alias", left.pop("alias", None), left.pop("aliases", None))
        must_exist = left.pop("must_exist", None)
        told: dict[str, Any] = {"action": {"type": kind, "indices": expression, "aliases": names}, "status": 200}
        targets = [target.index for target in engine.indices.resolve(",".join(expression), options_of({}))]
        if kind == "remove_index":
            for index in targets:
                change.remove_index(index)
            continue
        if kind == "remove":
            try:
                change.remove(targets, names, must_exist=must_exist)
            except EngineError as error:
                if error.type != "aliases_not_found_exception":
                    raise
                told = {**told, "status": error.status, "error": error.to_dict()}
                missing = error
        else:
            if not targets:
                raise index_not_found(",".join(expression))
            for index in targets:
                for name in names:
                    change.add(index, name, left)
        results.append(told)
    if missing is not None and all("error" in result for result in results):
        # only where something was done the answer tells what was not
        raise missing
    change.do()
    if missing is None:
        return Response(200, _ALIASED)
    return Response(200, {"acknowledged": True, "errors": True, "action_results": results})


@reading("[actions]", xcontent_error)
def _actions(given: Any) -> list[tuple[str, dict[str, Any]]]:
    return [_action(action) for action in given]


def _action(given: Any) -> tuple[str, dict[str, Any]]:
    (kind, spec), *_ = given.items()
    if kind not in ("add", "remove", "remove_index"):
        raise EngineError("x_content_parse_exception", f"[1:1] [alias_action] unknown field [{kind}]")
    if not any(spec.get(key) for key in ("index", "indices")):
        cause = illegal_argument("One of [index] or [indices] is required")
        raise xcontent_error("[1:1] [aliases] failed to parse field [actions]", caused_by=cause)
    return kind, dict(spec)


def _listed(key: str, *given: Any) -> list[str]:
    out: list[str] = []
    for value in given:
        if value is not None:
            out.extend(value if isinstance(value, list) else [value])
    if not all(isinstance(name, str) for name in out):
        raise xcontent_error(f"[1:1] [alias_action] failed to parse field [{key}]")
    return out


def get_alias(engine: Engine, request: Request) -> Response:
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


def _found(engine: Engine, request: Request) -> list[Index]:
    """Aliases of hidden indices are told."""
    options = options_of({"expand_wildcards": "all", **request.params})
    return [target.index for target in engine.indices.resolve(request.index, options)]
