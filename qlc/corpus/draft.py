"""Drafts a `corpus.yaml` from files: their buckets, and the fields that most documents of a bucket have.

A bucket is a folder. A field is a label in many of its documents, with the type and the unit of most of its values.
Uncertain lines are marked with `# ?`, for a person to look at.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import yaml

from qlc.base.texts import one_line
from qlc.base.words.spelling import normal_form
from qlc.language.reporting_periods import reporting_periods
from qlc.language.units import WORKING_DAYS, unit_of

from .checking import ALWAYS, IN_ROWS
from .document import Annotation, Extracted
from .index import TITLE
from .schema import GENERIC, OF_ALL_DOCUMENTS, RESERVED, bucket_forms
from .values.boxes import options_in
from .values.labels import words
from .values.typed import LIMITS

_SHARE = 0.2
"""Least share of a bucket's documents that have a field; a bucket can contain several kinds of documents."""
_CLEAR = 0.8
"""Least share of values of a field's type; a field with fewer is marked."""
_MOST_FIELDS = 40
_MOST_LABELS = 8
_LONGEST_NAME = 100
"""Most characters of a label that names a field."""
_CHOICES = range(2, 9)
_UNITS_OF_TIME = {
    "s": "seconds", "min": "minutes", "h": "hours", "d": "days", "week": "weeks", "month": "months", "year": "years",
}  # fmt: skip
"""Plural names of units of time."""


@dataclass(slots=True)
class _Seen:
    """Occurrences of labels with the same meaning."""

    documents: set[str] = field(default_factory=set)
    labels: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    units: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    options: dict[str, None] = field(default_factory=dict)
    """Options that have boxes: `☐ Low ☒ High`."""
    merged: set[str] = field(default_factory=set)
    """Labels that may mean something else."""

    @property
    def kind(self) -> tuple[str, str]:
        return self.kinds.most_common(1)[0][0], self.units.most_common(1)[0][0] if self.units else ""

    def goes_with(self, other: _Seen) -> bool:
        one, two = ({*self.label.lower().split()}, {*other.label.lower().split()})
        return self.kind == other.kind and (one < two or two < one) and self.documents.isdisjoint(other.documents)

    @property
    def label(self) -> str:
        """The most frequent of the shortest labels."""
        return min(self.labels, key=lambda one: (len(one.split()), -self.labels[one]))

    def take(self, other: _Seen) -> None:
        self.merged |= {self.label, other.label, *self.merged, *other.merged}
        for name in ("documents", "labels", "kinds", "units", "texts", "options"):
            getattr(self, name).update(getattr(other, name))


def draft(documents: Iterable[tuple[str, str, Extracted]]) -> str:
    """Return a `corpus.yaml` for documents: (file, bucket, extraction)."""
    by_bucket: dict[str, list[tuple[str, Extracted]]] = defaultdict(list)
    for name, bucket, found in documents:
        by_bucket[bucket].append((name, found))
    lines = ["version: 1", "name: corpus", "buckets:" if by_bucket else "buckets: {}"]
    taken: set[str] = set()
    for bucket in sorted(by_bucket, key=lambda one: (one != GENERIC, one)):
        identifier = _identifier(bucket)
        while not (forms := bucket_forms(identifier)) or taken & forms:
            identifier += "_files" if not forms else "_2"
        taken |= forms
        lines += _bucket(identifier, bucket, by_bucket[bucket])
    return "\n".join(lines) + "\n"


def _bucket(identifier: str, folder: str, documents: Sequence[tuple[str, Extracted]]) -> Iterator[str]:
    """Return the lines of a bucket."""
    yield f"  {identifier}:"
    pattern = re.sub("[*?[]", r"[\g<0>]", folder) + "/**"
    yield f"    files: {_inline([pattern])}"
    columns = _columns(documents)
    fields = [*_fields(documents, columns), *_series(documents), *_rows(documents, columns)]
    taken = {normal_form(one) for one in OF_ALL_DOCUMENTS}
    if fields:
        yield "    fields:"
    for wanted, part, doubt in fields:
        name = _free(wanted, part, taken)
        yield f"      {name}: {_inline(_without_own(name, part))}{'  # ? ' + doubt if doubt else ''}"


def _free(wanted: str, part: Mapping[str, object], taken: set[str]) -> str:
    """Return a unique name that is not a word of the query language: `last` -> last_value.

    The currency of an amount is a field, too. `title` is reserved for the name of a document.
    """
    name = wanted
    if name in RESERVED | ALWAYS or (name == TITLE and part["type"] != "name"):
        name += "_value"
    while taken & (forms := {normal_form(one) for one in _names(name, part)}):
        name += "_2"
    taken |= forms
    return name


def _names(name: str, part: Mapping[str, object]) -> tuple[str, ...]:
    return (name, f"{name}_currency") if part["type"] == "money" else (name,)


def _without_own(name: str, part: dict[str, object]) -> dict[str, object]:
    """Return a field without its labels if they equal its name."""
    labels = part.get("labels", [])
    assert isinstance(labels, list)
    is_own = [one.lower() for one in labels] == [name.replace("_", " ")]
    return {key: value for key, value in part.items() if key != "labels" or not is_own}


# --- fields ----------------------------------------------------------------------------------------------------------

_Field = tuple[str, dict[str, object], str]


def _fields(documents: Sequence[tuple[str, Extracted]], columns: Sequence[str]) -> Iterator[_Field]:
    seen: dict[tuple[str, ...], _Seen] = defaultdict(_Seen)
    for name, found in documents:
        for one in found.annotations:
            label, row = one.labelled.label, one.labelled.row
            is_row = label in columns or label in found.series  # of items, or of a statement
            if row < 0 and not one.labelled.is_again and not is_row and _is_name(label):
                limit = next((limit for form, limit in _LIMITS if form.match(one.labelled.column)), "")
                _note(seen[(*_key(label), limit) if limit else _key(label)], name, one, limit)
    _merge(seen)
    most = max(2, len(documents) * _SHARE)
    common = [each for key, each in seen.items() if key and len(each.documents) >= most]
    common.sort(key=lambda each: -len(each.documents))
    yield from map(_field, common[:_MOST_FIELDS])


def _key(label: str) -> tuple[str, ...]:
    """Return a key that labels with the same meaning share. `no.` and `number` need another word to have a meaning."""
    found = words(label)
    if _DATE.search(label) and found != words("date"):
        return (*found, "date")  # the date of an invoice is not its number
    return found if len(found) > 1 or found != words("number") else (label.lower(),)


_DATE = re.compile(r"\bdat(?:e|um)\b", re.IGNORECASE)


def _merge(seen: dict[tuple[str, ...], _Seen]) -> None:
    """Merge labels that contain each other, if no document has both and their values are of one kind."""
    for key in sorted(seen, key=lambda one: -len(seen[one].documents)):
        for other in [*seen]:
            if key in seen and other != key and seen[key].goes_with(seen[other]):
                seen[key].take(seen.pop(other))


def _is_name(label: str) -> bool:
    """Whether a label can name a field, unlike a part of a sentence or the head of a table."""
    if len(label) > _LONGEST_NAME:
        return False
    is_symbol = re.match(r"[a-z]{0,2}[A-Z]|[a-z.]+$", label) is not None
    is_word = len(label.split()) <= 5 and not re.search(r"\d{3}|^(?:parameter|item)s?$", label, re.I)
    return is_word and (label[0].isupper() or is_symbol)


_TYPICAL = re.compile(r"typ\b|typical", re.IGNORECASE)
_LIMITS = ((LIMITS["upper"], "Maximum"), (LIMITS["lower"], "Minimum"), (_TYPICAL, "Typical"))


def _note(seen: _Seen, document: str, one: Annotation, limit: str) -> None:
    """Count a value; `limit` is that of its column: `Supply voltage | 5 | 18` below `Min | Max` is two fields."""
    seen.documents.add(document)
    label = re.sub(r"\s*\d[\d.,]*\s*%?$", "", one.labelled.label).strip() or one.labelled.label
    seen.labels[f"{limit} {label}" if limit else label] += 1
    amount = one.amount
    if amount is not None and re.fullmatch("[A-Z]{3}", one.labelled.unit):
        seen.kinds["money"] += 1  # the head of its column has the currency
    elif amount is None:
        seen.kinds["name"] += 1
        if boxes := options_in(one.labelled.value):
            seen.options.update(dict.fromkeys(option for option, _ in boxes))
        else:
            seen.texts[one.labelled.value] += 1
    else:
        unit = amount.unit or unit_of(one.labelled.unit) or ""
        unit = "d" if unit in WORKING_DAYS else unit
        kind = "duration" if amount.kind == "measure" and unit in _UNITS_OF_TIME else amount.kind
        seen.kinds["number" if kind == "measure" else kind] += 1
        if kind != "money":
            seen.units[unit] += 1


def _field(seen: _Seen) -> _Field:
    label = seen.label
    kind, count = max(seen.kinds.items(), key=lambda one: (one[1], one[0] != "name"))  # a name may be `pending`
    total = sum(seen.kinds.values())
    part: dict[str, object] = {"type": kind}
    doubts = []
    if count < total * _CLEAR:
        doubts.append(f"only {count} of {total} values are of this type")
    if kind == "number" and seen.kind[1] == "" and words("number")[0] in words(label):
        part = {"type": "name"}  # the number of a thing tells it from others, and can begin with 0
    if seen.merged:
        doubts.append("documents say either " + " or ".join(f"'{one}'" for one in sorted(seen.merged)))
    if kind in ("number", "duration") and (unit := seen.units.most_common(1)[0][0]):
        part["unit"] = _UNITS_OF_TIME.get(unit, unit)
    if kind == "name" and all(_YES_OR_NO.fullmatch(one.rstrip(".")) for one in (*seen.texts, *seen.options)):
        part = {"type": "boolean"}
    elif kind == "name" and len(seen.options) in _CHOICES and seen.texts.keys() <= seen.options.keys():
        part = {"type": "choice", "values": [*seen.options]}
    elif kind == "name" and _is_choice(seen):
        part = {"type": "choice", "values": sorted(seen.texts)}
        doubts.append("these values were seen; there may be others")
    elif kind == "name" and any(_SENTENCE.match(one) for one in seen.texts):
        part = {"type": "text"}
    labels = [one for one, _ in seen.labels.most_common(_MOST_LABELS)]
    part["labels"] = labels
    return _identifier(label), part, one_line("; ".join(doubts))


_YES_OR_NO = re.compile(r"yes|no|ja|nein|oui|non|true|false", re.IGNORECASE)


_SENTENCE = re.compile(r"(?:\S+\s+){2,}\S*[^\W\d_]{3}[.!?]$")


def _is_choice(seen: _Seen) -> bool:
    is_repeated = len(seen.texts) in _CHOICES and sum(seen.texts.values()) >= 4 * len(seen.texts)
    return is_repeated and max(map(len, seen.texts)) <= 30


# --- amounts of several periods --------------------------------------------------------------------------------------


def _series(documents: Sequence[tuple[str, Extracted]]) -> Iterator[_Field]:
    """Yield fields by period for the rows that statements of several documents have: `Net sales | 2022 | 2021`."""
    seen: dict[tuple[str, ...], _Seen] = defaultdict(_Seen)
    for name, found in documents:
        for label, kind in found.series.items():
            if (key := _key(label)) and _is_name(label):
                seen[key].documents.add(name)
                seen[key].labels[label] += 1
                seen[key].kinds[kind] += 1
    most = max(2, len(documents) * _SHARE)
    common = [each for each in seen.values() if len(each.documents) >= most]
    for each in sorted(common, key=lambda one: -len(one.documents))[:_MOST_SERIES]:
        labels = [one for one, _ in each.labels.most_common(_MOST_LABELS)]
        yield _identifier(each.label), {"type": each.kinds.most_common(1)[0][0], "by": "period", "labels": labels}, ""


_MOST_SERIES = 20


# --- rows ------------------------------------------------------------------------------------------------------------


def _columns(documents: Sequence[tuple[str, Extracted]]) -> tuple[str, ...]:
    """Return the column heads that tables of most documents have; empty if there are none."""
    heads: Counter[tuple[str, ...]] = Counter()
    for _, found in documents:
        rows: dict[int, list[str]] = defaultdict(list)
        for one in found.annotations:
            if one.labelled.row >= 0 and not one.labelled.is_again:  # rows of parameters are fields
                rows[one.labelled.row].append(one.labelled.label)
        heads.update({tuple(labels) for labels in rows.values() if not any(map(reporting_periods, labels))})
    columns, count = heads.most_common(1)[0] if heads else ((), 0)
    return columns if count >= max(2, len(documents) * _SHARE) else ()


def _rows(documents: Sequence[tuple[str, Extracted]], columns: Sequence[str]) -> Iterator[_Field]:
    """Return the field for tables with these columns."""
    kinds: dict[str, Counter[str]] = {column: Counter() for column in columns}
    for _, found in documents:
        for one in found.annotations:
            if one.labelled.row >= 0 and one.labelled.label in kinds:
                kinds[one.labelled.label][_kind_in_table(one)] += 1
    fields: dict[str, object] = {}
    taken = {*IN_ROWS}
    for column in columns:
        part: dict[str, object] = {"type": kinds[column].most_common(1)[0][0], "labels": [column]}
        name = _free(_identifier(column), part, taken)
        short = _without_own(name, part)
        fields[name] = short if "labels" in short else part["type"]
    if fields:
        yield "items", {"type": "rows", "fields": fields}, ""


_MONEY = re.compile(r"price|amount|total|cost|sum|net|preis|betrag|prix|montant", re.IGNORECASE)


def _kind_in_table(one: Annotation) -> str:
    if one.amount is None:
        return "text"
    if one.amount.date:
        return "date"
    return "money" if one.amount.kind == "money" or _MONEY.search(one.labelled.label) else "number"


# --- text ------------------------------------------------------------------------------------------------------------


def _identifier(text: str) -> str:
    """Return an identifier for a label: `Invoice no.` -> invoice_no."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss"))
    name = re.sub(r"[^a-z0-9]+", "_", re.sub(r"[\u0300-\u036f]", "", plain)).strip("_")[:40].strip("_")
    return name if re.match(r"[a-z]", name) else f"field_{name}".rstrip("_")


def _inline(value: object) -> str:
    return yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False).strip()
