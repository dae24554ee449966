"""The indices of an engine by name, alias and pattern, and the rules for names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, index_not_found
from qlc_engine.index import Index
from qlc_engine.mapping import matches_pattern

_FORBIDDEN = re.compile(r'[\\/*?"<>| ,#]')


@dataclass(frozen=True, slots=True)
class Target:
    """An index that a request names, with the filters of the aliases it was named by (None: without one)."""

    index: Index
    filter: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class IndicesOptions:
    """`ignore_unavailable`, `allow_no_indices`, `expand_wildcards` of a request."""

    ignore_unavailable: bool = False
    allow_no_indices: bool = True
    expand: bool = True
    #: whether patterns stand for hidden indices too
    hidden: bool = False


def options_of(url: dict[str, str], *, allow_no_indices: bool = True) -> IndicesOptions:
    def flag(key: str, default: bool) -> bool:
        given = url.get(key)
        if given is None:
            return default
        if given not in ("true", "false", ""):
            raise illegal_argument(f"Failed to parse value [{given}] as only [true] or [false] are allowed.")
        return given != "false"

    expand = url.get("expand_wildcards", "open")
    for part in expand.split(","):
        if part not in ("open", "closed", "hidden", "none", "all"):
            raise illegal_argument(f"No valid expand wildcard value [{part}]")
    return IndicesOptions(
        ignore_unavailable=flag("ignore_unavailable", False),
        allow_no_indices=flag("allow_no_indices", allow_no_indices),
        expand=expand != "none",
        hidden=not {"all", "hidden"}.isdisjoint(expand.split(",")),
    )


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
        out: dict[str, list[Index]] = {}
        for name in self.names():
            for alias in self._by_name[name].record.aliases:
                out.setdefault(alias, []).append(self._by_name[name])
        return out

    def resolve(self, expression: str, options: IndicesOptions) -> list[Target]:
        """The indices of a comma list of names, aliases and patterns, each once, patterns sorted by name."""
        expression = expression or "_all"
        found: dict[str, list[dict[str, Any] | None]] = {}
        aliases = self.aliases()
        wildcard_only = True
        for part in expression.split(","):
            if part in ("_all", "*", ""):
                part = "*"
            if part.startswith("-") and found is not None and len(part) > 1:
                for name in [name for name in found if matches_pattern(part[1:], name)]:
                    del found[name]
                continue
            if "*" in part:
                self._add_pattern(part, aliases, options, found)
                continue
            wildcard_only = False
            self._add_name(part, aliases, options, found)
        if not found and not options.allow_no_indices and wildcard_only:
            raise index_not_found(expression)
        return [Target(self._by_name[name], _any_filter(filters)) for name, filters in found.items()]

    def _add_pattern(
        self,
        pattern: str,
        aliases: dict[str, list[Index]],
        options: IndicesOptions,
        found: dict[str, list[dict[str, Any] | None]],
    ) -> None:
        if not options.expand:
            return
        fitting = [name for name in self.names() if matches_pattern(pattern, name) and self._is_shown(name, options)]
        for name in fitting:
            found.setdefault(name, []).append(None)
        for alias, indices in sorted(aliases.items()):
            if matches_pattern(pattern, alias):
                for index in indices:
                    if not self._is_shown(index.name, options):
                        continue
                    found.setdefault(index.name, []).append(index.record.aliases[alias].get("filter"))
        if not fitting and not options.allow_no_indices and not any(matches_pattern(pattern, a) for a in aliases):
            raise index_not_found(pattern)

    def _is_shown(self, name: str, options: IndicesOptions) -> bool:
        return options.hidden or not self._by_name[name].effective.flag("hidden")

    def _add_name(
        self,
        name: str,
        aliases: dict[str, list[Index]],
        options: IndicesOptions,
        found: dict[str, list[dict[str, Any] | None]],
    ) -> None:
        if name in self._by_name:
            found.setdefault(name, []).append(None)
        elif name in aliases:
            for index in aliases[name]:
                found.setdefault(index.name, []).append(index.record.aliases[name].get("filter"))
        elif not options.ignore_unavailable:
            if name.startswith("_"):
                raise EngineError(
                    "invalid_index_name_exception",
                    f"Invalid index name [{name}], must not start with '_'.",
                    details={"index_uuid": "_na_", "index": name},
                )
            raise index_not_found(name)

    def write_target(self, name: str) -> Index | None:
        """The index that a write to a name goes to: itself, or an alias's one write index."""
        if name in self._by_name:
            return self._by_name[name]
        behind = self.aliases().get(name)
        if behind is None:
            return None
        if len(behind) == 1 and behind[0].record.aliases[name].get("is_write_index") is not False:
            return behind[0]
        writable = [index for index in behind if index.record.aliases[name].get("is_write_index")]
        if len(writable) == 1:
            return writable[0]
        raise illegal_argument(
            f"no write index is defined for alias [{name}]. The write index may be explicitly disabled using "
            "is_write_index=false or the alias points to multiple indices without one being designated as a write index"
        )

    def single(self, name: str) -> Index:
        """The one index that a request for a document means."""
        if name in self._by_name:
            return self._by_name[name]
        behind = self.aliases().get(name)
        if behind is None:
            raise index_not_found(name)
        if len(behind) > 1:
            listed = ", ".join(index.name for index in behind)
            raise illegal_argument(
                f"alias [{name}] has more than one index associated with it [{listed}], can't execute a single index op"
            )
        return behind[0]


def _any_filter(filters: list[dict[str, Any] | None]) -> dict[str, Any] | None:
    """What an index named several times must match: nothing if it was named itself once."""
    if any(part is None for part in filters):
        return None
    if len(filters) == 1:
        return filters[0]
    return {"bool": {"should": filters}}
