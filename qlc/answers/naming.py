"""Names in a question: runs of its words that are in the titles, names or file names of documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qlc.grammar.printer import print_string
from qlc.outcome import Hit, Hits

from .linking import Linked
from .searching import Reading, Searches
from .terms import VERBS, Term, country_stem, forms_of, is_run, terms

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
    """Ids of the examined documents that have the name."""
    made: str = ""
    """The condition, where it is on no field of names."""
    in_rows: bool = False
    """Whether one row of a list has it."""

    @property
    def is_loose(self) -> bool:
        """Whether it may be a common word: `tyres`, where a name is `Tyre & Auto`; `water`, where a title has it so."""
        is_whole = all(self.text in each.lower() and self.text not in each for each in self.values)
        return self.text.islower() and not is_whole and len(forms_of(self.text)) < 2

    @property
    def is_only_mentioned(self) -> bool:
        """Whether no field has it, but a text: that tells nothing of what the document is about."""
        return bool(self.made) and not self.in_rows

    @property
    def end(self) -> int:
        return max(self.used)

    def condition(self) -> str:
        """Return the condition in the query language; it holds if any of the fields has the name."""
        if self.made:
            return self.made
        words = self.text.split()
        if len(forms := forms_of(self.text)) > 1:
            parts = [f"{field} contains {print_string(one)}" for field in self.fields for one in forms]
        elif all(self.text.lower() in value.lower() for value in self.values):
            parts = [f"{field} contains {print_string(self.text)}" for field in self.fields]
        elif all(word.lower() in value.lower() for value in self.values for word in words):
            parts = [" and ".join(f"{field} contains {print_string(word)}" for word in words) for field in self.fields]
            parts = [f"({part})" for part in parts] if len(parts) > 1 else parts
        else:
            listed = ", ".join(print_string(value) for value in self.values)
            parts = [f"{field} in [{listed}]" for field in self.fields]
        return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def joined_names(names: Sequence[Name], text: str) -> list[str]:
    """Return the conditions of names: `or` between names that no document has together, or that the question joins by
    `or`.

    Other names must hold together: `Unit A and Unit B of Mill House`.
    """
    groups: list[list[Name]] = []
    for one in sorted(names, key=lambda name: min(name.used)):
        group = next((some for some in groups if all(are_alternatives(other, one, text) for other in some)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    texts = [[one.condition() for one in some] for some in groups]
    return [some[0] if len(some) == 1 else f"({' or '.join(some)})" for some in texts]


def are_alternatives(one: Name, other: Name, text: str) -> bool:
    between = re.sub(r"^[\w./&'’-]*\w", "", text[one.end : min(other.used)])  # without the last word of the first name
    if one.documents & other.documents or one.in_rows or other.in_rows:
        return re.fullmatch(r"(?i)\s*,?\s*or\s+(?:the\s+)?", between) is not None
    return bool(set(one.fields) & set(other.fields)) or (_is_listed(between) and not (one.made or other.made))


def _is_listed(between: str) -> bool:
    return re.search(r",|\b(?:and|or|versus|vs|against|than)\b", between, re.IGNORECASE) is not None


_LONGEST_TEXT = 90
"""Letters of a text that can name a document: `Door motor of the lift`."""


def name_fields(bucket: str, searches: Searches) -> tuple[str, ...]:
    """The fields whose values are names, with those of the file itself, most telling first."""
    fields = searches.schema.fields(bucket)
    named = [
        name for kind in ("name", "text") for name, part in fields.items() if part.type == kind and not part.sensitive
    ]
    return tuple(dict.fromkeys((*named, "title", "file")))


def names_in(
    linked: Linked, words: Sequence[Term], others: Sequence[Term], bucket: str, searches: Searches
) -> Reading[list[Name]]:
    """Find the names among some words of a question, longest first; no word is part of two.

    Words of a field or a bucket (`others`) can be part of a name too, together with a word that is not.
    """
    if not words:
        return []
    fields = name_fields(bucket, searches)
    asked = print_string(" ".join(form for one in words for form in forms_of(one.raw)))
    program = f"find {bucket} where about {asked} by words limit {_LOOKED_AT} show {', '.join(fields)}"
    outcome = yield "search_text", program, "documents that the names may be of"
    hits = outcome.hits if isinstance(outcome, Hits) else ()
    found: list[Name] = []
    taken: set[int] = set()
    free = {one.begin for one in words}
    together = sorted((*words, *others), key=lambda one: one.begin)
    runs = [run for run in _runs(together, linked.text) if any(one.begin in free for one in run)]
    made = [one for run in runs if (one := _named(run, fields, hits, linked)) is not None]
    spoken = {one.begin for one in others}

    def is_title(one: Name) -> bool:  # `ordered from Castellan` is no title where a field has `Castellan`
        inside = [other for other in made if other.used < one.used and not other.used & spoken]
        return bool(one.used & spoken) and {*one.fields} <= {"title", "file"} and any(
            other.fields[0] not in ("title", "file") for other in inside
        )  # fmt: skip

    for one in sorted(made, key=lambda one: (is_title(one), -len(one.used), len(one.documents))):
        if not one.used & taken and all(_go_together(one, other, linked.text) for other in found):
            taken |= one.used
            found.append(one)
    return sorted(found, key=lambda one: min(one.used))


def _go_together(one: Name, other: Name, text: str) -> bool:
    """Whether two names are of one document, or are listed side by side: `of Miremont, Faraday and Quillon`."""
    first, second = sorted((one, other), key=lambda name: min(name.used))
    between = text[first.end : min(second.used)]
    return bool(one.documents & other.documents) or _is_listed(between)


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
    wanted = pieces(" ".join(one.raw for one in run), linked.language)
    matched: dict[str, dict[str, set[str]]] = {}
    for hit in hits:
        for field in fields:
            value = hit.values.get(field)
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and _has(wanted, text, field == "file", linked.language):
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


def _has(wanted: tuple[str, ...], text: str, is_file: bool, language: str) -> bool:
    if is_file:  # `INV-77.pdf` is one, and `pdf` is none
        text = re.sub(r"^.*/", "", text)
        text = text if len(wanted) > 1 else re.sub(r"\.\w{1,5}$", "", text)
    return (len(text) <= _LONGEST_TEXT or is_file) and is_run(wanted, pieces(text, language))


def pieces(text: str, language: str) -> tuple[str, ...]:
    """Return the stems of a text without its small words. Codes are split at their marks: `CI/25/0119` equals
    `CI-25-0119`."""
    parts = re.sub(r"[-_./&]", " ", text)
    return tuple(country_stem(one.stem, language) for one in terms(f": {parts}", language, VERBS))
