"""Names in a question: runs of its words that are in the titles, names or file names of documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qlc.grammar.printer import print_string
from qlc.outcome import Hit

from .linking import Linked
from .searching import Searches
from .terms import Term, terms

_LOOKED_AT = 50
"""Documents that are compared with the words of a question: the best by words."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name that a question says, and the condition that documents have it."""

    text: str
    used: frozenset[int]
    fields: tuple[str, ...]
    values: tuple[str, ...]
    documents: frozenset[str]
    """Those that were looked at and have it."""

    def condition(self) -> str:
        """In the query language; any of the fields may have it."""
        if all(self.text.lower() in value.lower() for value in self.values):
            parts = [f"{field} contains {print_string(self.text)}" for field in self.fields]
        else:
            listed = ", ".join(print_string(value) for value in self.values)
            parts = [f"{field} in [{listed}]" for field in self.fields]
        return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def name_fields(bucket: str, searches: Searches) -> tuple[str, ...]:
    """The fields whose values are names, with those of the file itself, most telling first."""
    declared = searches.schema.file.buckets.get(bucket)
    fields = declared.fields if declared is not None else {}
    named = [name for name, part in fields.items() if part.type == "name" and not part.sensitive]
    return tuple(dict.fromkeys((*named, "title", "file")))


def names_in(linked: Linked, words: Sequence[Term], bucket: str, searches: Searches) -> list[Name]:
    """The names among some words of a question, longest first; no word is part of two."""
    if not words:
        return []
    fields = name_fields(bucket, searches)
    asked = print_string(" ".join(one.raw for one in words))
    program = f"find {bucket} where about {asked} by words limit {_LOOKED_AT} show {', '.join(fields)}"
    _, hits = searches.hits("search_text", program, "documents that the names may be of")
    found: list[Name] = []
    taken: set[int] = set()
    made = [one for run in _runs(words, linked.text) if (one := _named(run, fields, hits, linked)) is not None]
    for one in sorted(made, key=lambda one: (-len(one.used), len(one.documents))):
        if not one.used & taken and all(_go_together(one, other, linked.text) for other in found):
            taken |= one.used
            found.append(one)
    return sorted(found, key=lambda one: min(one.used))


def _go_together(one: Name, other: Name, text: str) -> bool:
    """Whether two names are of one document, or are listed side by side: `of Miremont, Faraday and Quillon`."""
    first, second = sorted((one, other), key=lambda name: min(name.used))
    between = text[max(first.used) : min(second.used)]
    return bool(one.documents & other.documents) or re.search(r",|\b(?:and|or|versus|vs)\b", between) is not None


def _runs(words: Sequence[Term], text: str) -> Iterator[Sequence[Term]]:
    """Runs of words with nothing but white space and small words between them, longest first."""
    for length in range(min(len(words), 8), 0, -1):
        for at in range(len(words) - length + 1):
            run = words[at : at + length]
            between = text[run[0].begin : run[-1].end]
            is_small = all(one.raw.isdecimal() and len(one.raw) < 4 for one in run)
            if not is_small and not any(mark in between for mark in ",;:?!"):
                yield run


def _named(run: Sequence[Term], fields: Sequence[str], hits: Sequence[Hit], linked: Linked) -> Name | None:
    wanted = tuple(one.stem for one in run)
    matched: dict[str, dict[str, set[str]]] = {}
    for hit in hits:
        for field in fields:
            value = hit.values.get(field)
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and _has(wanted, text, linked.language):
                    matched.setdefault(field, {}).setdefault(text, set()).add(hit.id)
    if not matched:
        return None
    best = [name for name in fields if name in matched]
    chosen = best if best[0] not in ("title", "file") else best[:1]
    chosen = [name for name in chosen if name != "file"] or chosen
    values = dict.fromkeys(value for name in chosen for value in matched[name])
    text = linked.text[run[0].begin : run[-1].end]
    having = frozenset(one for name in chosen for some in matched[name].values() for one in some)
    return Name(text, frozenset(one.begin for one in run), tuple(chosen), tuple(values), having)


def _has(wanted: tuple[str, ...], text: str, language: str) -> bool:
    had = tuple(one.stem for one in terms(text.replace("_", " ").replace("/", " "), language))
    parts = tuple(one.stem for one in terms(text.replace("-", " ").replace("_", " ").replace("/", " "), language))
    return any(
        stems[at : at + len(wanted)] == wanted for stems in (had, parts) for at in range(len(stems) - len(wanted) + 1)
    )
