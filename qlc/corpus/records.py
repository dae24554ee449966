"""Records of a file in the index: one of the document, and one of each passage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from qlc.base.units import base_of, converted, find_unit
from qlc.language.units import unit_of

from .document import Annotation, Extracted
from .errors import Unreadable
from .index import CONTEXT, NAMES, PAGE_HEAD, PASSAGE, TITLE, Placed
from .passages import LONGEST_PAGE_HEAD, Passage
from .schema import FieldPart
from .values.fields import Value

_LONGEST_KEYWORD = 8_000

Record = dict[str, Any]


def failed(record: Record, problem: Unreadable, title: str) -> Record:
    """Return the record of an unreadable file."""
    state = "no_text" if problem.reason == "no_text" else "failed"
    told = {"reason": problem.reason, "message": problem.message}
    return {**record, "title": title, "state": state, "passages": 0, **told}


def ready(record: Record, found: Extracted, fields: Mapping[str, Placed]) -> Record:
    """Return the record of a file that was read; `fields` are those of its bucket."""
    titles = [str(value.value) for value in found.values if value.field == TITLE and not value.is_disputed]
    return {
        **record,
        "title": titles[0] if titles else found.titles[0],
        "titles": list(found.titles),
        "media_type": found.media_type,
        "state": "ready",
        "pages": found.pages,
        "passages": len(found.passages),
        "body": _body(found.passages),
        **{key: text for key in ("created", "modified") if (text := getattr(found.about, key))},
        "values": _values(found.values, fields),
        "places": _places(found, fields),
        "disputed": sorted({value.field for value in found.values if value.is_disputed}),
        "annotations": [_annotation(one) for one in found.annotations],
    }


def _body(passages: tuple[Passage, ...]) -> list[str]:
    """Return the text of a document from its passages, without repetitions, and rejoined hyphenated words."""
    parts: list[str] = []
    page = end = 0
    for one in passages:
        again = end - one.begin if one.page_from == page and one.begin < end else 0
        parts.append(one.text[again:])
        page, end = one.page_to, one.end
    return [*parts, *(_unhyphenated(one.text) for one in passages if _HYPHENATED.search(one.text))]


_HYPHENATED = re.compile(r"(?<!\w)(\w+)-\n(\w+)")
"""A word divided at a line end. It is searched for from beginnings of words, since trying every letter of a long word
would take quadratic time, in a process without a time limit."""


def _unhyphenated(text: str) -> str:
    return " ".join(first + second for first, second in _HYPHENATED.findall(text))


def passage_records(document: Record, found: Extracted, rows: frozenset[str]) -> Iterator[tuple[str, Record]]:
    """Yield each passage with its `_id`. `rows` are keys of values that are not copied to passages."""
    copied = {key: document[key] for key in ("document", "bucket", "files", "title")}
    copied[NAMES] = names_of(document["titles"], document["files"])
    copied["values"] = {key: value for key, value in document["values"].items() if key not in rows}
    for passage in found.passages:
        identity = f"{document['id']}-{passage.ordinal:05d}"
        yield identity, {**copied, "kind": PASSAGE, "id": identity, **_passage(passage, found.pages)}


def names_of(titles: Sequence[str], files: Sequence[str]) -> list[str]:
    """Return what a document is called, for searches: `filings/3M_2018Q2.pdf` -> `filings 3M 2018Q2`, `2018 Q 2`."""
    paths = [" ".join(re.split(r"[\W_]+", str(PurePosixPath(name).with_suffix("")))) for name in files]
    called = dict.fromkeys((*titles, *paths))
    parts = dict.fromkeys(part for name in called for part in _MIXED.findall(name))
    return [*called, *filter(None, [" ".join(" ".join(re.findall(r"\d+|[^\W\d_]+", part)) for part in parts)])]


_MIXED = re.compile(r"(?<!\w)(?=\w*\d)(?=\w*[^\W\d_])\w+")
"""A word of letters and digits; its parts are searched too."""


def passage_ids(identity: str, count: int) -> list[str]:
    return [f"{identity}-{ordinal:05d}" for ordinal in range(count)]


def _passage(passage: Passage, pages: int) -> Record:
    record: Record = {
        "ordinal": passage.ordinal, "page": passage.page_from, "page_to": passage.page_to, "begin": passage.begin,
        "end": passage.end, "section": list(passage.section), "text": passage.text,
    }  # fmt: skip
    if passage.head:
        record["head"] = passage.head
    if pages > 1:
        record[PAGE_HEAD] = f"{passage.page_head}\n{passage.text}"[:LONGEST_PAGE_HEAD].strip()
    elif passage.page_head:  # of a document with one page it tells no passages apart
        record[CONTEXT] = passage.page_head
    if _HYPHENATED.search(passage.text):
        record["unhyphenated"] = _unhyphenated(passage.text)
    return record


# --- values ----------------------------------------------------------------------------------------------------------


def _values(values: tuple[Value, ...], fields: Mapping[str, Placed]) -> Record:
    """Return the values that conditions compare: a disputed one, or one read by the meaning of a sentence, decides
    nothing, and is only in its place."""
    found: Record = {}
    rows: dict[tuple[str, int], Record] = {}
    for value in values:
        if value.is_disputed or value.by == "meaning":
            continue
        name, _, column = value.field.partition(".")
        key = fields[name].path.removeprefix("values.")
        part = fields[name].part
        stored = _stored(value, part.fields[column] if column else part)
        if column:
            rows.setdefault((key, value.row), {"page": value.page})[column] = stored
        elif key in found:
            found[key] = [*(found[key] if isinstance(found[key], list) else [found[key]]), stored]
        else:
            found[key] = stored
    for (key, _), row in rows.items():
        found.setdefault(key, []).append(row)
    return found


def _stored(value: Value, part: FieldPart) -> Any:
    given = value.value
    if part.type == "money":
        return {"amount": float(given), **({"currency": value.unit} if value.unit else {})}  # type: ignore[arg-type]
    if isinstance(given, date):
        return given.isoformat()
    return float(given) if isinstance(given, Decimal) else given


def _places(found: Extracted, fields: Mapping[str, Placed]) -> Record:
    """Return the place of each value by field, in the order of its values."""
    places: Record = {}
    for value, quote in zip(found.values, found.quotes, strict=True):
        place: Record = {"by": "given"}
        if value.page:
            begin, end = value.span
            place = {"by": value.by, "page": value.page, "begin": begin, "end": end, "quote": quote}
            place["trust"] = round(value.trust, 3)
        if value.by == "meaning" and not value.is_disputed:
            place["value"] = _stored(value, fields[value.field].part)
        if value.is_disputed:
            place["disputed"] = str(value.value)
            place["why"] = value.why or "another place says otherwise"
        places.setdefault(value.field, []).append(place)
    return places


def _annotation(one: Annotation) -> Record:
    labelled, amount = one.labelled, one.amount
    record: Record = {
        "label": f"{labelled.label} {labelled.column}".strip()[:300],
        "text": labelled.value[:_LONGEST_KEYWORD],
        "page": labelled.page,
        **labelled.span._asdict(),
    }
    if amount is None:
        return record
    if amount.date is not None:
        return {**record, "date": amount.date.isoformat()}
    unit = amount.unit or unit_of(labelled.unit) or labelled.unit
    number, unit = _in_base_unit(amount.number, unit)
    return {**record, "number": float(number), **({"unit": unit} if unit else {})}


def _in_base_unit(number: Decimal, unit: str) -> tuple[Decimal | Fraction, str]:
    """Convert an amount to the base unit of its dimension, so that amounts in different units can be compared and
    added."""
    known = find_unit(_QUERY_UNITS.get(unit, unit)) if unit else None
    if known is None:
        return number, unit
    base = base_of(known.name)
    return converted(Fraction(number), known.name, base) or Fraction(0), base


_QUERY_UNITS = {"in": "inches", "week": "weeks"}
"""Names of units in queries, if these differ."""
