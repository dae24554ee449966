"""Notes on the fields of an answer: values that the index left out, numbers that are stored as texts, rounded sums.

They are read once per field, caller and version of the catalog, in the round trip of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from typing import Any

from elasticsearch.dsl.aggs import Filters, Nested, Stats, Terms, ValueCount
from elasticsearch.dsl.query import Exists, MatchAll, Term

from qlc.base.words.sentences import listed
from qlc.compiler import typed
from qlc.compiler.caseless import fold_case
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Agg, Aggs, Clause, Reading, SearchRequest, on
from qlc.compiler.walk import SOURCES, typed_parts
from qlc.mapping.fields import FieldKind, MappedField
from qlc.mapping.schema import Entity, Field
from qlc.resolver.kept import Kept
from qlc.resolver.rows import filtered_body

SAMPLE = 100
"""Most frequent values of a field that are read, to see whether all of them are numbers."""
PURPOSE = "what the index has of the fields"
"""Purpose of these searches, by which `explain` and tests distinguish them from those of the answer."""
MOST_FIELDS = 50
"""Most fields of one query that are examined."""


@dataclass(frozen=True, slots=True)
class Use:
    """A use of the field at `path`. `by_order`: its values are compared by order, or sorted; `is_added`: they are
    summed, averaged, or reduced to an extreme; `is_counted`: the rows of a table that have one are counted. `amount`:
    the field holds the units of these amounts, which are compared by order. `beside`: another field of the same object
    in the rows; the elements of a list of objects that is not nested are merged. `is_split`: the
    field is grouped by, or its different texts are counted."""

    name: str
    path: str
    mapped: MappedField
    by_order: bool = False
    is_added: bool = False
    is_counted: bool = False
    amount: str = ""
    beside: Field | None = None
    is_split: bool = False


@dataclass(frozen=True, slots=True)
class Uses:
    """The used fields of documents that pass the filters; `one` and `several` are the names of these documents."""

    index: str
    filters: Sequence[Clause]
    one: str
    several: str
    key: Hashable
    fields: Sequence[Use]


def closed_note(parts: Iterable[Any]) -> Iterator[str]:
    """Yield a note on the closed indices that a pattern leaves out of a search. `parts` are entities, or nodes of a
    program that have one: `Closed, and so not searched: logs-2026-01 and 2 more.`"""
    entities = (part if isinstance(part, Entity) else getattr(part, "entity", None) for part in parts)
    closed = list(dict.fromkeys(name for one in entities if isinstance(one, Entity) for name in one.mapping.closed))
    if closed:
        more = f" and {len(closed) - 3:,} more" if len(closed) > 3 else ""
        yield f"Closed, and so not searched: {', '.join(closed[:3])}{more}."


# --- the fields of a program -----------------------------------------------------------------------------------------

_BY_VALUE = (typed.InPeriod, typed.CompareDate, typed.Outside, typed.Pattern, typed.Under,
             typed.Spatial, typed.RangeTest, typed.OnCycle, typed.Group)  # fmt: skip


FieldUses = tuple[tuple[Entity, tuple[Use, ...]], ...]


def uses_of(statement: typed.Statement, parts: Sequence[Any] = ()) -> FieldUses:
    """Return the fields of a program that can need a note, by entity. `parts` are all nodes of the statement, if
    known."""
    found: dict[str, tuple[Entity, dict[Hashable, Use]]] = {}
    for one in parts or typed_parts(statement):
        if isinstance(one, typed.Find | typed.Aggregate):
            entity, used = one.entity, _own_uses(one)
            rows = next((field for field in entity.fields.values() if field.mapped.counts_rows), None)
            if rows is not None:
                stored = [not use.amount and use.mapped.es_type != "computed" for use in used]
                used = [replace(use, is_counted=is_stored) for use, is_stored in zip(used, stored, strict=True)]
                used.append(_use(rows))
        elif isinstance(one, typed.Pairs):
            entity, used = one.entity, [_use(one.left), _use(one.right)]
        else:
            continue
        if entity.virtual:
            continue
        kept = found.setdefault(entity.name, (entity, {}))[1]
        kept.update({(use.path, use.by_order, use.is_added, use.amount, use.beside and use.beside.name,
                      use.is_split): use
                     for use in used if _is_doubtful(use)})  # fmt: skip
    return tuple((entity, tuple(kept.values())) for entity, kept in found.values() if kept)


def _own_uses(statement: typed.Find | typed.Aggregate) -> list[Use]:
    found: list[Use] = []
    fixed: set[Hashable] = set()
    groups = {one.name: one for one in statement.groups} if isinstance(statement, typed.Aggregate) else {}
    by_default = isinstance(statement, typed.Find) and is_default_order(statement.sort, statement.entity)
    for part in typed_parts(statement, closed=SOURCES):
        if isinstance(part, typed.Compare) or (isinstance(part, typed.Sort) and not by_default):
            found.append(_use(part.field, by_order=True))
            unit = statement.entity.unit_of(part.field) if isinstance(part.field, Field) else None
            found += [Use(unit.title, unit.mapped.term_path, unit.mapped, amount=part.field.title)] if unit else []
        elif isinstance(part, typed.Exists):
            if part.field.mapped.nested or part.field.mapped.es_type == "flattened":
                # Of others what was left out exists too, as the document says.
                found.append(Use(part.field.title, part.field.mapped.path, part.field.mapped))
        elif isinstance(part, typed.RowSort) and part.name in groups and groups[part.name].function is None:
            found.append(_use(groups[part.name].field, by_order=True))
        elif isinstance(part, typed.Measure) and part.field is not None:
            is_stored = part.field.mapped.es_type != "computed"
            used = _use(part.field, is_added=is_stored and part.function in ("sum", "avg", "min", "max"))
            found.append(replace(used, is_split=part.function == "distinct" and _has_spellings(part.field)))
        elif isinstance(part, typed.Equals | typed.HasAll):
            fixed.add(part.field.mapped.term_path)
            given = [one.value if isinstance(one, typed.Literal) else None for one in part.values]
            is_id = part.field.is_id or part.field.reference is not None
            if not is_id and not are_short(part.field.mapped, given):
                found.append(_use(part.field))
        elif isinstance(part, _BY_VALUE):
            is_split = isinstance(part, typed.Group) and not part.through and _has_spellings(part.field)
            found.append(replace(_use(part.field), is_split=is_split))
    if isinstance(statement, typed.Aggregate):
        found += _merged(statement)
    return [one for one in found if not one.amount or one.path not in fixed]


def _has_spellings(field: Field) -> bool:
    """Whether texts of a field that differ by case are stored apart, and mean the same unless the catalog says no."""
    mapped = field.mapped
    is_text = mapped.kind is FieldKind.KEYWORD and mapped.doc_values and mapped.normalizer is None
    return is_text and not (field.is_id or field.reference is not None or field.exact_case)


def _merged(statement: typed.Aggregate) -> Iterator[Use]:
    """Yield the groups whose object has another field in the rows."""
    grouped = [one.field for one in statement.groups if not one.through and isinstance(one.field, Field)]
    measured = [one.field for one in statement.measures if isinstance(one.field, Field) and not one.total]
    for field, other in (*combinations(grouped, 2), *product(grouped, measured)):
        own, its = field.mapped, other.mapped
        shared = _objects(own) & _objects(its)
        if shared and own.path != its.path and "flattened" not in (own.es_type, its.es_type):
            yield replace(_use(field), beside=other)


def _objects(mapped: MappedField) -> set[str]:
    """Return the paths of the objects around a field, up to the innermost nested list."""
    names = mapped.path.split(".")[:-1]
    least = 1 + (len(mapped.nested_path.split(".")) if mapped.nested_path is not None else 0)
    return {".".join(names[:end]) for end in range(least, len(names) + 1)}


def is_default_order(sort: Sequence[typed.Sort], entity: Entity) -> bool:
    """Whether the order is the catalog's default, rather than one that was asked for."""
    given = [key.split()[0] for key in (entity.default_sort or "").split(",") if key.strip()]
    return [one.name for one in sort] == given


def too_long_names(parts: Sequence[Any]) -> list[str]:
    """Return notes on looked-up names that are longer than the index keeps."""
    found: dict[str, None] = {}
    for one in parts:
        names = one.entity.names[:1] if isinstance(one, typed.Lookup) and isinstance(one.name, str) else ()
        for name in names:
            limit = name.mapped.ignore_above
            if limit is not None and name.mapped.may_ignore and not are_short(name.mapped, (one.name,)):
                found[f"The index has no value of '{name.title}' longer than {limit:,} characters: "
                      "longer ones cannot be found by their whole text."] = None  # fmt: skip
    return list(found)


def are_short(mapped: MappedField, values: Sequence[object]) -> bool:
    """Whether all of these values are shorter than those that the index left out as too long, so that none can be
    equal."""
    longest = mapped.ignore_above
    return mapped.kind is FieldKind.KEYWORD and longest is not None and all(
        isinstance(one, str) and len(one.encode("utf-16-le", "surrogatepass")) <= 2 * longest for one in values)


def _use(one: Field, *, by_order: bool = False, is_added: bool = False) -> Use:
    return Use(one.title, one.mapped.term_path, one.mapped, by_order, is_added)


def _is_doubtful(use: Use) -> bool:
    is_told = use.is_counted or bool(use.amount) or (use.mapped.counts_rows and bool(use.mapped.note))
    return _may_lack(use) or _may_mislead(use) or _may_round(use) or is_told or bool(use.beside) or _hides_lack(use)


def _hides_lack(use: Use) -> bool:
    """Whether the index can have left out used values without listing them."""
    return use.mapped.es_type == "flattened" and use.mapped.ignore_above is not None


def _may_lack(use: Use) -> bool:
    """Whether the index can have left out used values; a text field beside its keyword has all of them."""
    return use.mapped.may_ignore and use.path == use.mapped.term_path


def _may_mislead(use: Use) -> bool:
    mapped = use.mapped
    return use.by_order and mapped.kind is FieldKind.KEYWORD and mapped.doc_values and mapped.es_type not in _OWN_ORDER


def _may_round(use: Use) -> bool:
    """Whether servers round results for the field: in aggregations all numbers are doubles."""
    return use.is_added and use.mapped.doc_values and use.mapped.es_type in ("long", "unsigned_long")


_EXACT = 2**53
"""Whole numbers below this are exact in a double."""
_OWN_ORDER = ("version", "constant_keyword")


# --- notes -----------------------------------------------------------------------------------------------------------


def read_entity_notes(
    entity: Entity, fields: Sequence[Use], env: Bindings, access: Hashable, known: Kept[Hashable, str]
) -> Reading[list[str]]:
    """Return the notes on fields of one entity in a program that the caller may see."""
    key = (entity.index, env.schema.version, access, entity.name)
    given = Uses(entity.index, env.scope(entity), entity.name, entity.plural, key, fields)
    return (yield from read_field_notes(given, known))


def read_field_notes(uses: Uses, known: Kept[Hashable, str]) -> Reading[list[str]]:
    """Return a note for each field with values left out, and for each with texts that are ordered differently as
    numbers."""
    asked = [one for one in uses.fields if _is_doubtful(one)][:MOST_FIELDS]
    fresh = [one for one in asked if known.get(_key(uses, one)) is None]
    if fresh:
        filters: dict[str, Clause] = {
            str(n): on(Term, "_ignored", one.path) for n, one in enumerate(fresh) if _may_lack(one)
        }
        counted = {str(n): on(Exists, "field", one.path) for n, one in enumerate(fresh) if one.is_counted}
        aggs: Aggs = {"ignored": Filters(filters=filters)} if filters else {}
        aggs |= {"known": Filters(filters={**counted, "": MatchAll()})} if counted else {}
        aggs |= {f"values{n}": _inside(one, Terms(field=one.path, size=SAMPLE))
                 for n, one in enumerate(fresh) if _may_mislead(one) or one.amount or _is_spelled(one)}  # fmt: skip
        aggs |= {f"extent{n}": _inside(one, Stats(field=one.path))
                 for n, one in enumerate(fresh) if _may_round(one)}  # fmt: skip
        aggs |= {f"merged{n}": _inside(one, _several(one.path, one.beside))
                 for n, one in enumerate(fresh) if one.beside}  # fmt: skip
        found: Mapping[str, Any] = {}
        if aggs:
            response = yield SearchRequest(uses.index, filtered_body(uses.filters, aggs), PURPOSE)
            found = response["aggregations"]
        for n, one in enumerate(fresh):
            count = found["ignored"]["buckets"][str(n)]["doc_count"] if str(n) in filters else 0
            notes = [_left_out(one, count, uses)] if count else []
            if one.is_counted:
                known_in, rows = (found["known"]["buckets"][key]["doc_count"] for key in (str(n), ""))
                notes += _known(one, known_in, rows, uses)
            elif one.mapped.counts_rows and one.mapped.note:
                notes.append(f"{one.mapped.note[0].upper()}{one.mapped.note[1:]}.")
            if _is_spelled(one) and (alike := _alike(_texts(found[f"values{n}"]))):
                apart = listed([f"'{text}'" for text in alike], "and")
                notes.append(f"'{one.name}' has {apart}, which are counted apart: they differ by case only.")
            if one.amount and len(units := sorted(_texts(found[f"values{n}"]))) > 1:
                several = f"{', '.join(units[:8])}{' and more' if len(units) > 8 else ''}"
                notes.append(f"'{one.amount}' is compared without its {one.name}: {several}.")
            if _may_mislead(one):
                notes += _order_of_texts(one, _texts(found[f"values{n}"]))
            if _may_round(one):
                notes += _rounding(one, found[f"extent{n}"])
            if one.beside and _have_several(found[f"merged{n}"]):
                notes.append(f"The index does not keep which '{one.beside.title}' belongs to which '{one.name}': "
                             f"{uses.several} with several of both have each with each in the rows.")
            if _hides_lack(one):
                notes.append(f"The index leaves out values of '{one.name}' longer than {one.mapped.ignore_above:,} "
                             f"characters, and does not tell of which {uses.several}.")
            known.put(_key(uses, one), "\n".join(notes))
    kept = (known.get(_key(uses, one)) for one in asked)
    return list(dict.fromkeys(note for text in kept if text for note in text.split("\n")))


def _key(uses: Uses, one: Use) -> Hashable:
    beside = one.beside and one.beside.mapped.path
    return uses.key, one.name, one.path, one.by_order, one.is_added, one.is_counted, one.amount, beside, one.is_split


def _several(path: str, other: Field) -> Agg:
    """Return the numbers of documents with a value of each of two fields, and of their values."""
    paths = (path, other.mapped.term_path)
    return Filters(filters={one: Exists(field=one) for one in paths},
                   aggs={one: ValueCount(field=one) for one in paths})  # fmt: skip


def _have_several(found: Mapping[str, Any]) -> bool:
    """Whether documents have several values of each of the two fields."""
    buckets = found.get("inner", found)["buckets"]
    return all(one[path]["value"] > one["doc_count"] for path, one in buckets.items())


def _inside(one: Use, aggregation: Agg) -> Agg:
    """Wrap an aggregation in the nested list of the field, if it is in one."""
    path = one.mapped.nested_path
    return aggregation if path is None else Nested(path=path, aggs={"inner": aggregation})


def _texts(found: Mapping[str, Any]) -> list[str]:
    return [str(bucket["key"]) for bucket in found.get("inner", found)["buckets"]]


def _is_spelled(one: Use) -> bool:
    """Whether the spellings of a column of a table are compared: its rows are read for a note anyway."""
    return one.is_split and one.is_counted


def _alike(texts: Sequence[str]) -> list[str]:
    """Return the first texts that differ by case only: `['A', 'B', 'a']` -> `['A', 'a']`."""
    by_fold: dict[str, list[str]] = {}
    for text in texts:
        by_fold.setdefault(fold_case(text), []).append(text)
    return next((alike for alike in by_fold.values() if len(alike) > 1), [])


def _known(one: Use, count: int, rows: int, uses: Uses) -> list[str]:
    """Return the note on a column of a table: in how many rows it has a value, and what was doubted at the load."""
    said = [f"known in {count:,} of {rows:,} {uses.several.replace('_', ' ')}"] if count < rows else []
    said += [one.mapped.note] if one.mapped.note else []
    return [f"'{one.name}': {'; '.join(said)}."] if said else []


def _left_out(one: Use, count: int, uses: Uses) -> str:
    limit, is_text = one.mapped.ignore_above, one.mapped.kind is FieldKind.KEYWORD
    why = f" (longer than {limit:,} characters)" if limit is not None and is_text else ""
    who = f"{count:,} {uses.one if count == 1 else uses.several} {'has' if count == 1 else 'have'}"
    return (f"{who} a value of '{one.name}' {_LEFT_OUT}{why}: conditions, groups, order and numbers of '{one.name}' do "
            "not see it.")  # fmt: skip


_LEFT_OUT = "that the index left out"


def tell_of_left_out(notes: Sequence[str]) -> bool:
    """Whether one of the notes is about values that the index left out."""
    return any(_LEFT_OUT in note for note in notes)


def _rounding(one: Use, found: Mapping[str, Any]) -> list[str]:
    """Return a note if a value or a sum can be in the range where doubles skip whole numbers."""
    stats = found.get("inner", found)
    if not stats["count"]:
        return []
    low, high = float(stats["min"]), float(stats["max"])
    of_one_sign = low >= 0 or high <= 0
    largest = abs(float(stats["sum"])) if of_one_sign else stats["count"] * max(-low, high)
    if max(largest, -low, high) < _EXACT:
        return []
    return [f"'{one.name}' has numbers so large that its sums, means and extremes are approximate in the last digits."]


_NUMBER = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
_DIGITS = re.compile(r"\d+")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(rf"\d{{1,2}}([./-])\d{{1,2}}\1\d{{2,4}}|\d{{1,2}}\.?[ -]{_MONTH}[ -]\d{{2,4}}|"
                   rf"{_MONTH} \d{{1,2}},? \d{{4}}", re.IGNORECASE)  # fmt: skip


_KEPT_AS_TEXTS = "The {} of '{}' are kept as texts: they are compared and sorted letter by letter, not by {}."


def _order_of_texts(one: Use, texts: Sequence[str]) -> list[str]:
    """Return a note if texts are numbers or dates in another order."""
    given = [text.strip() for text in texts if text.strip()]
    if not given:
        return []
    if all(_DATE.fullmatch(text) for text in given):
        return [_KEPT_AS_TEXTS.format("dates", one.name, "time")]
    if not all(_NUMBER.fullmatch(text) for text in given):
        return []
    if all(_DIGITS.fullmatch(text) for text in given) and len({len(text) for text in given}) == 1 and len(given) > 1:
        return []
    by_number = sorted(given, key=lambda text: float(text.replace(",", "")))
    pairs = ((low, high) for low, high in pairwise(by_number) if high < low)
    example = next((f": '{high}' comes before '{low}'" for low, high in pairs), "")
    return [_KEPT_AS_TEXTS.format("numbers", one.name, f"size{example}")]
