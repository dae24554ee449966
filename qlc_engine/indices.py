"""The indices of an engine by name, alias and pattern, and the rules for names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from qlc_engine.errors import EngineError, illegal_argument, index_not_found, not_implemented
from qlc_engine.index import Index
from qlc_engine.mapping import matches_pattern

#: URL parameters of requests for several indices
INDICES_OPTIONS = frozenset({"ignore_unavailable"})

_FORBIDDEN = re.compile(r'[\\/*?"<>| ,#]')


def check_index_name(name: str, existing: Iterable[str]) -> None:
    """Raises `invalid_index_name_exception` for what Elasticsearch would not take."""
    reason = None
    if not name:
        reason = "must not be empty"
    elif _FORBIDDEN.search(name):
        reason = "must not contain the following characters ['\\','/','*','?','\"','<','>','|',' ',',']"
        if "#" in name:
            reason = "must not contain '#'"
    elif name[0] in "_-+":
        reason = "must not start with '_', '-', or '+'"
    elif name in (".", ".."):
        reason = "must not be '.' or '..'"
    elif name != name.lower():
        reason = "must be lowercase"
    elif ":" in name:
        reason = "must not contain ':'"
    elif (length := len(name.encode("utf-8", "replace"))) > 255:
        reason = f"index name is too long, ({length} > 255)"
    elif any("\ud800" <= character <= "\udfff" for character in name):
        reason = "must be text"
    if reason is not None:
        raise EngineError(
            "invalid_index_name_exception",
            f"Invalid index name [{name}], {reason}",
            details={"index_uuid": "_na_", "index": name},
        )
    if name in existing:
        raise EngineError(
            "resource_already_exists_exception",
            f"index [{name}/embedded] already exists",
            details={"index_uuid": "embedded", "index": name},
        )


class Indices:
    """Changes come under the engine's write lock."""

    def __init__(self) -> None:
        self._by_name: dict[str, Index] = {}

    def __iter__(self) -> Iterator[Index]:
        return iter([self._by_name[name] for name in sorted(self._by_name)])

    def get(self, name: str) -> Index | None:
        return self._by_name.get(name)

    def add(self, index: Index) -> None:
        self._by_name = {**self._by_name, index.name: index}

    def remove(self, name: str) -> None:
        self._by_name = {key: index for key, index in self._by_name.items() if key != name}

    def names(self) -> list[str]:
        return sorted(self._by_name)

    def aliases(self) -> dict[str, list[Index]]:
        """Raises EngineError for one that an earlier release made with more to it than its name."""
        out: dict[str, list[Index]] = {}
        for index in self:
            for alias, spec in index.record.aliases.items():
                for key in spec:
                    raise not_implemented(f"alias [{key}]")
                out.setdefault(alias, []).append(index)
        return out

    def resolve(self, expression: str, *, ignore_unavailable: bool = False) -> list[Index]:
        """The indices of a comma list of names, aliases and patterns, each once, patterns sorted by name."""
        found: dict[str, Index] = {}
        aliases = self.aliases()
        for part in (expression or "_all").split(","):
            if part.startswith("-") and len(part) > 1:
                found = {name: index for name, index in found.items() if not matches_pattern(part[1:], name)}
            elif "*" in part or part in ("_all", ""):
                found.update(self._fitting("*" if part in ("_all", "") else part, aliases))
            elif part in self._by_name:
                found[part] = self._by_name[part]
            elif part in aliases:
                found.update((index.name, index) for index in aliases[part])
            elif not ignore_unavailable:
                raise index_not_found(part)
        return list(found.values())

    def _fitting(self, pattern: str, aliases: dict[str, list[Index]]) -> Iterator[tuple[str, Index]]:
        for index in self:
            if matches_pattern(pattern, index.name):
                yield index.name, index
        for alias, indices in sorted(aliases.items()):
            if matches_pattern(pattern, alias):
                yield from ((index.name, index) for index in indices)

    def aliased(self, name: str) -> Index | None:
        """The one index of a name or alias, which documents are written to and read from."""
        if name in self._by_name:
            return self._by_name[name]
        targets = self.aliases().get(name, [])
        if len(targets) > 1:
            listed = ", ".join(index.name for index in targets)
            raise illegal_argument(
                f"alias [{name}] has more than one index associated with it [{listed}], can't execute a single index op"
            )
        return targets[0] if targets else None
