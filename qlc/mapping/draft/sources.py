"""Sources of a draft: indices, with those that differ only by a number or a date as one source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from qlc.language.nouns import index_words
from qlc.mapping.draft.kinds import Kinds, find_kinds
from qlc.mapping.draft.naming import names_beside_others, numbered
from qlc.mapping.fields import IndexMapping
from qlc.mapping.index_mapping import fetch_mapping

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


@dataclass(frozen=True, slots=True)
class Source:
    """The mapping of an index name, and the kinds of documents in it."""

    mapping: IndexMapping
    kinds: Kinds


Tell: TypeAlias = Callable[[str], None]
"""Called with what is done next: `reading 12 fields of orders (2 of 3)`."""


def untold(step: str) -> None:
    pass


def find_sources(client: Elasticsearch, index: str, tell: Tell = untold) -> tuple[Source, ...]:
    """Return the sources of an index, an alias, a pattern, or a comma-separated list of them.

    Raises MappingError if nothing has such a name, and what the client raises if it cannot be asked.
    """
    names = _apart(client, index)
    is_one = len(names) == 1
    called = [None] if is_one else names_beside_others(list(names))
    mappings = [fetch_mapping(client, name) for name in ([index] if is_one else names.values())]
    found: list[Kinds] = []
    for number, (mapping, own) in enumerate(zip(mappings, called, strict=True), 1):
        tell(f"reading {len(mapping.fields):,} fields of {mapping.index} ({number} of {len(mappings)})")
        found.append(find_kinds(client, mapping, own))
    kinds_of_each = found if is_one else _named_apart(found)
    return tuple(Source(mapping, kinds) for mapping, kinds in zip(mappings, kinds_of_each, strict=True))


def _apart(client: Elasticsearch, index: str) -> dict[tuple[str, ...], str]:
    """Return the name of each source by its words. An alias is one source, however different its indices."""
    found: dict[tuple[str, ...], list[str]] = {}
    for part in index.split(","):
        matching = fetch_mapping(client, part).indices if "*" in part else (part,)
        indices = [one for one in matching if not one.startswith(".") or part.startswith(".")]
        same = len({index_words(one) for one in indices}) == 1
        for one in (part,) if same else indices:
            found.setdefault(index_words(indices[0] if same else one), []).append(one)
    return {words: ",".join(names) for words, names in found.items()} or {(): index}


def _named_apart(found: Sequence[Kinds]) -> list[Kinds]:
    """Rename kinds so that all kinds of a catalog have different names."""
    places = [(at, number) for at, kinds in enumerate(found) for number in range(len(kinds.kinds))]
    names = numbered({f"{at} {number}": found[at].kinds[number].name for at, number in places})
    return [
        replace(
            kinds,
            kinds=tuple(replace(kind, name=names[f"{at} {number}"]) for number, kind in enumerate(kinds.kinds)),
        )
        for at, kinds in enumerate(found)
    ]
