"""Presents answers as outcomes: stored values in their JSON form, and a message in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Any

from qlc.base.deadline import checkpoint, timed
from qlc.base.diagnostics import NO_SPAN, Diagnostic, Span
from qlc.base.errors import RequestFailed
from qlc.base.texts import with_capital
from qlc.base.words.sentences import ended, listed
from qlc.compiler import typed
from qlc.compiler.periods import Clock
from qlc.compiler.titles import measure_phrase, noun, row_titles, titles
from qlc.grammar import print_value
from qlc.grammar.tree import String
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.outcome import AggregateOut, Count, Hit, Hits, Named, Note, Passage, RowOut, ValueOut, is_empty
from qlc.outcome.amounts import MIXED, are_years, cell, instant, is_instant
from qlc.pipeline import headlines
from qlc.resolver.hits import tie_note
from qlc.resolver.names import Candidate, entries
from qlc.resolver.ranking import marks, shown_of
from qlc.resolver.rows import Key, RowSet
from qlc.resolver.rows.labels import is_current
from qlc.resolver.rows.units import IN_THE_UNIT
from qlc.resolver.run import Answer, FoundEntity, HitsAnswer, RowsAnswer, ValuesAnswer, ids_and_names


def present(
    answer: Answer, cursor: str | None, common: Mapping[str, Any], clock: Clock, *, begins: bool = True
) -> Hits | Count | AggregateOut | ValueOut:
    """Return the outcome of an answer. `common` are the attributes of all outcomes; `clock` is for dates in messages,
    and for the period that is not over; `begins`: hits are from the first one on."""
    match answer:
        case HitsAnswer():
            return _hits(answer, cursor, common, clock.zone, begins)
        case RowsAnswer():
            return _rows(answer, common, clock)
        case ValuesAnswer():
            return _values(answer, common, clock.zone)


def with_near_values(
    outcome: Hits | Count | AggregateOut | ValueOut, source: str, near: Mapping[Span, Sequence[str]]
) -> Hits | Count | AggregateOut | ValueOut:
    """Add suggestions to an empty result with one absent value: the program with each similar value."""
    if not is_empty(outcome) or len(near) != 1:
        return outcome
    (span, values), = near.items()
    programs = [f"{source[: span.start]}{print_value(String(one))}{source[span.end :]}" for one in values]
    return outcome.model_copy(update={"suggestions": programs})


def found_names(found: Mapping[typed.Lookup, Candidate], query: str) -> list[Named]:
    """Return the meanings of names that the query has, each once, sorted by kind and id. Names in access rules are
    hidden."""
    texts = set(TEXTS.findall(query)) if found else ()
    said = [(lookup.entity.name, one) for lookup, one in found.items() if _says(query, texts, lookup.name)]
    named = (Named(entity=kind, id=str(plain(one.id)), name=one.name, path=one.path or None) for kind, one in said)
    once = {(one.entity, one.id): one for one in named}
    return [once[key] for key in sorted(once)]


TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"')


def _says(query: str, texts: Container[str], name: str | typed.Param) -> bool:
    return print_value(String(name)) in texts if isinstance(name, str) else f"${name.name}" in query


def note(diagnostic: Diagnostic) -> Note:
    span = None if diagnostic.span == NO_SPAN else (diagnostic.span.start, diagnostic.span.end)
    return Note(
        code=diagnostic.code,
        severity=diagnostic.severity,
        message=diagnostic.message,
        hint=diagnostic.hint,
        span=span,
        suggestions=list(diagnostic.suggestions),
        fixed=diagnostic.fixed,
    )


def plain(value: Any) -> Any:
    """Convert a value to JSON: dates to ISO 8601 in UTC, everything else as stored."""
    if type(value) is str:
        return value
    if isinstance(value, datetime):
        text = value.isoformat(timespec="milliseconds") if value.microsecond else value.isoformat(timespec="seconds")
        return text.replace("+00:00", "Z")
    if isinstance(value, FoundEntity):
        found = {"id": plain(value.id), "name": value.name, "path": value.path or None}
        return {name: part for name, part in found.items() if part is not None}
    if isinstance(value, entries.Flattened):
        return value.tree
    return value


# --- hits ------------------------------------------------------------------------------------------------------------


def _hits(
    answer: HitsAnswer, cursor: str | None, common: Mapping[str, Any], zone: tzinfo | None, begins: bool
) -> Hits:
    find, page = answer.find, answer.page
    entity, hits = find.entity, []
    columns = {field.name: _column(field, answer) for field in answer.fields}
    for number, (raw, (identity, name)) in enumerate(zip(page.hits, ids_and_names(entity, page.hits), strict=True)):
        checkpoint()
        shown = {title: column[number] for title, column in columns.items() if column[number] is not None}
        best = _passage(*raw["passage"]) if "passage" in raw else None
        hits.append(Hit(id=identity, name=name, score=raw.get("_score"), values=shown, passage=best))
    left_out = page.matching if page.matching > page.total + find.offset else None
    of_all = f" of {left_out:,}" if left_out is not None and page.total > 1 else ""
    message = f"{page.total:,}{of_all} {noun(entity, page.total)}."
    if page.total == 0:
        message = f"No {noun(entity, 0)} found."
    elif begins and (extent := headlines.of_sorted(find, hits, len(hits) == page.total, _shown_text(find, zone))):
        message = message.removesuffix(".") + extent
    elif begins and page.total == len(hits) == 1 and not find.offset:
        message = ended(f"1 {noun(entity, 1)}: {headlines.called(entity, hits[0], zone)}")
    if len(hits) < page.total:
        message += f" {len(hits):,} shown."
    ids = [hit.id for hit in hits]
    tie = [tie_note(find, page.tie)] if page.tie is not None else []
    common = {**common, "message": message, "notes": [*common.get("notes", []), *tie]}
    more = cursor is not None
    return Hits(**common, entity=entity.name, ids=ids, total=page.total, matching=left_out, hits=hits, cursor=cursor,
                has_more=more, columns=[field.name for field in answer.fields], labels=titles(answer.fields),
                units=_units_of_shown(answer.fields),
                unit_columns=_unit_columns(entity, answer.fields))


def _shown_text(find: typed.Find, zone: tzinfo | None) -> Callable[[Hit], str]:
    """Return a function for the value that sorts the list, as the table shows it."""
    field = find.sort[0].field if find.sort else None

    def text(hit: Hit) -> str:
        assert field is not None
        value, beside = hit.values.get(field.name), find.entity.unit_of(field)
        unit = hit.values.get(beside.name) if beside is not None else field.shown_unit
        return _words(value, field.name, unit if isinstance(unit, str) else None, zone)

    return text


def _units_of_shown(fields: Sequence[typed.Shown]) -> dict[str, str]:
    items = ((one.name, one.item if isinstance(one, typed.Chain) else one) for one in fields)
    return {name: item.shown_unit for name, item in items if isinstance(item, Field) and item.shown_unit is not None}


def _unit_columns(entity: Entity, fields: Sequence[typed.Shown]) -> dict[str, str]:
    found = ((one, entity.unit_of(one)) for one in fields if isinstance(one, Field))
    return {one.name: unit.name for one, unit in found if unit is not None and unit in fields}


def _column(field: typed.Shown, answer: HitsAnswer) -> list[Any]:
    """Return what each hit shows of a field, its own or one of the documents that its references lead to."""
    if isinstance(field, typed.ComputedField):
        return [plain(value) for value in answer.calculated[field]]
    if not isinstance(field, typed.Chain):
        column = shown_values(field, answer.page.hits)
        names = answer.names.get(field) if isinstance(field, Field) else None
        return [_with_names(one, names) for one in column] if names else column
    column = []
    for referred in answer.referred[field]:
        values = [value for value in shown_values(field.item, referred) if value is not None]
        column.append(values if len(values) > 1 else values[0] if values else None)
    return column


def _with_names(value: Any, names: Mapping[Any, str]) -> Any:
    """Return a reference, or each of a list, with the name of the document that it leads to."""
    match value:
        case list():
            return [_with_names(one, names) for one in value]
        case {"id": identity} if str(identity) in names:
            return {"id": identity, "name": names[str(identity)]}
    return value


def shown_values(field: Field | NestedList, hits: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return what each hit shows of a field or list; None where it has no value.

    All hits at once: what depends on the field alone is looked at once for all of them.
    """
    if isinstance(field, NestedList):
        return [_elements(field, raw.get("_source", {})) for raw in timed(hits)]
    reference, found, shown = field.reference, entries.values_by_hit(hits, field), list[Any]()
    name_at = reference.name_at if reference is not None else None
    beside = entries.stored_by_hit(hits, name_at) if name_at is not None else [()] * len(hits)
    constants = {value: name for name, value in reference.constants.items()} if reference is not None else {}
    for raw, stored, named in zip(hits, found, beside, strict=True):
        values = list(map(plain, stored))
        if values and reference is not None:
            names = {values[0]: named[0]} if len(values) == len(named) == 1 else _names_beside(field, raw)
            values = [constants.get(v) or ({"id": v, "name": names[v]} if v in names else {"id": v}) for v in values]
        shown.append((values if field.many or len(values) > 1 else values[0]) if values else None)
    return shown


def _names_beside(field: Field, raw: Mapping[str, Any]) -> Mapping[Any, Any]:
    """Return the names stored beside the ids of a reference, by id; empty if it is not known which belong together."""
    if field.reference is None or field.reference.name_at is None:
        return {}
    found: dict[Any, Any] = {}
    for ids, names in entries.stored_together(raw, field.mapped, field.reference.name_at):
        if len(ids) == len(names):
            found |= zip(map(plain, ids), names, strict=True)
    return found


def _elements(item: NestedList, source: Any) -> list[dict[str, Any]] | None:
    found = source
    for part in item.path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    if found is None:
        return None
    elements = found if isinstance(found, list) else [found]
    return [
        {
            name: values[0] if len(values) == 1 else list(values)
            for name, field in item.fields.items()
            if not field.sensitive and (values := _inside(element, item.path, field))
        }
        for element in elements
    ]


def _inside(element: Any, path: str, field: Field) -> tuple[Any, ...]:
    """Return the values of an element's field, with the element in place of its list."""
    wrapped: Any = element
    for part in reversed(path.split(".")):
        wrapped = {part: wrapped}
    return tuple(plain(value) for value in entries.field_values({"_source": wrapped}, field))


def _passage(entity: Entity, raw: Mapping[str, Any]) -> Passage:
    """Return the best passage of a hit, with matching words marked."""
    field = entity.text[0]
    pairs = ((one.name, *shown_values(one, [raw])) for one in shown_of(entity) if one is not field)
    values = {name: value for name, value in pairs if value is not None}
    (marked, *_) = raw.get("highlight", {}).get(field.mapped.analysed, ()) or map(str, entries.field_values(raw, field))
    text, found = marks(marked)
    return Passage(id=str(raw["_id"]), entity=entity.name, text=text, marks=found, values=values)


# --- rows ------------------------------------------------------------------------------------------------------------


def _rows(answer: RowsAnswer, common: Mapping[str, Any], clock: Clock) -> Count | AggregateOut | ValueOut:
    rows, aggregate, zone = answer.rows, answer.aggregate, clock.zone
    units = _units_of_measures(aggregate)
    if not rows.groups:
        units |= rows.rows[0].units
    common = {**common, "notes": [*common.get("notes", []), *rows.notes]}
    if not rows.groups:
        (row,) = rows.rows
        if aggregate.counted:
            count = int(row.values[0])  # type: ignore[arg-type]
            by = listed([row_titles(aggregate).get(one.name, one.name) for one in aggregate.groups])
            message = f"{count:,} {'group' if count == 1 else 'groups'} of {aggregate.entity.plural} by {by}."
            return Count(**{**common, "message": message}, value=count)
        if rows.measures == ("count",):
            count = int(row.values[0])  # type: ignore[arg-type]
            entity = aggregate.entity
            message = f"{count:,} {noun(entity, count)}."
            return Count(**{**common, "message": message}, value=count)
        value = _by_name(rows.measures, [plain(v) for v in row.values])
        message = _row_message(rows, units, zone, {measure.name: measure for measure in aggregate.measures})
        labels = row_titles(aggregate)
        if len(rows.measures) == 1:
            labels, units = _of_one(labels), _of_one(units)
        return ValueOut(**{**common, "message": message}, value=value, labels=labels, units=units)
    out = []
    for row in rows.rows:
        checkpoint()
        out.append(RowOut(
            key=_by_name(rows.groups, [_key(k, g) for k, g in zip(row.keys, aggregate.groups, strict=True)]),
            value=_by_name(rows.measures, [plain(v) for v in row.values]),
        ))
    found = AggregateOut(
        **common, groups=list(rows.groups), measures=list(rows.measures), rows=out, labels=row_titles(aggregate),
        units=units, row_units=_row_units(rows),
        unfinished=_unfinished(rows, aggregate, clock),
    )  # fmt: skip
    return found.model_copy(update={"message": headlines.of_rows(found, aggregate, rows.approximate, zone)})


def _row_units(rows: RowSet) -> list[dict[str, str]]:
    """Return the units of each row, if they are stored in another field."""
    found = [{**row.units, **dict.fromkeys(sorted(row.mixed), MIXED)} for row in rows.rows]
    return found if any(found) else []


def _unfinished(rows: RowSet, aggregate: typed.Aggregate, clock: Clock) -> dict[str, str]:
    """Return the last period of each calendar group, if it is not over."""
    found = {}
    for n, group in enumerate(aggregate.groups):
        labels = {value: row.keys[n].label for row in rows.rows if isinstance(value := row.keys[n].value, datetime)}
        if labels and is_current(group, last := max(labels), clock):
            found[group.name] = labels[last]
    return found


def _of_one(given: Mapping[str, str]) -> dict[str, str]:
    """Return the unit or the label of a single value."""
    return dict(zip([""], given.values(), strict=False))


def _units_of_measures(aggregate: typed.Aggregate) -> dict[str, str]:
    found = {}
    for measure in aggregate.measures:
        unit = measure.field.shown_unit if measure.field is not None and measure.function in IN_THE_UNIT else None
        unit = "fraction" if measure.function == "share" else unit
        if unit is not None and not measure.hidden:
            found[measure.name] = unit
    return found


def _row_message(
    rows: RowSet, units: Mapping[str, str], zone: tzinfo | None, asked: Mapping[str, typed.Measure]
) -> str:
    """Return the values of the only row: `Sum of Price: EUR 20.00.`; of amounts in several units, one for each."""
    parts = []
    for name, value in zip(rows.measures, rows.rows[0].values, strict=True):
        about = "about " if name in rows.approximate else ""
        split = [f"{_words(plain(one), name, unit or None, zone)}{'' if unit else ' without a unit'}"
                 for unit, one in rows.by_unit.get(name, ())]  # fmt: skip
        called = headlines.value_name(asked[name]) if name in asked else name
        text = _some_and_more(split) if split else _words(plain(value), called, units.get(name), zone)
        said = measure_phrase(asked[name]) if name in asked else name
        parts.append(f"{said}: {about}{text}" if value is not None else f"{said}: no value")
    return with_capital(", ".join(parts)) + "."


MOST_UNITS = 8
"""Units of a mixed amount that are named; of more, their number is."""


def _some_and_more(texts: Sequence[str]) -> str:
    more = len(texts) - MOST_UNITS
    return listed(texts) if more <= 0 else listed([*texts[:MOST_UNITS], f"{more} more"])


def _by_name(names: Sequence[str], values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else dict(zip(names, values, strict=True))


def _key(key: Key, group: typed.Group) -> Any:
    """Return a key for JSON: the label for dates and cut numbers, names for references and codes, else the stored
    value."""
    coded = group.field.values.labels.get(str(key.value)) if group.field.values is not None else None
    if coded is not None and group.function is None:
        return {"id": plain(key.value), "name": coded}
    if key.name is not None:
        return {"id": plain(key.value), "name": key.name}
    if isinstance(key.value, bool | str) or key.value is None:
        return key.label if key.value is None else key.value
    return key.label if isinstance(key.value, datetime) or not _is_number(key.label) else key.value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# --- values ----------------------------------------------------------------------------------------------------------


def _values(answer: ValuesAnswer, common: Mapping[str, Any], zone: tzinfo | None) -> ValueOut:
    names = _labels(answer.get)
    values = [_one_or_list(item, found) for item, found in zip(answer.get.items, answer.values, strict=True)]
    fields = [item.field for item in answer.get.items]
    shown_units = [unit or (field.shown_unit if field is not None else None)
                   for field, unit in zip(fields, answer.units, strict=True)]  # fmt: skip
    units = {name: unit for name, unit in zip(names, shown_units, strict=True) if unit is not None}
    called = ["year" if field is not None and not field.adds_up and are_years([value], name) else name
              for field, name, value in zip(fields, names, values, strict=True)]  # fmt: skip
    texts = [_words(value, said, units.get(name), zone)
             for said, name, value in zip(called, names, values, strict=True)]  # fmt: skip
    labels = titles(replace(item, name=name) for item, name in zip(answer.get.items, names, strict=True))
    said = [labels.get(name, name) for name in names]
    has_scale = "(" in said[0] and isinstance(values[0], int | float)  # "Viewers (in millions)"
    whole = len(values) > 1 or (has_scale and not units)
    message = ", ".join(map(": ".join, zip(said, texts, strict=True))) if whole else texts[0]
    if len(values) == 1:
        labels, units = _of_one(labels), _of_one(units)
    return ValueOut(**{**common, "message": ended(message)}, value=_by_name(names, values), labels=labels, units=units)


def _labels(get: typed.Get) -> list[str]:
    """Return a label for each item by its field, numbered if two share the name."""
    labels: dict[str, None] = {}
    numbers: dict[str, int] = {}
    for item in get.items:
        label, number = item.name, numbers.get(item.name, 2)
        while label in labels:
            label, number = f"{item.name} {number}", number + 1
        labels[label], numbers[item.name] = None, number
    return list(labels)


def _one_or_list(item: typed.Item, found: tuple[Any, ...]) -> Any:
    values = [plain(value) for value in found]
    many = item.field is not None and bool(item.field.many)
    return values if many or len(values) > 1 else values[0]


def _words(value: Any, name: str, unit: str | None, zone: tzinfo | None) -> str:
    """Return a value for a sentence."""
    match value:
        case list():
            return ", ".join(_words(item, name, unit, zone) for item in value)
        case Mapping():
            if not {"id"} <= value.keys() <= {"id", "name", "path"}:
                return entries.text_of_tree(value)
            found, path = str(value.get("name") or value.get("id")), value.get("path")
            return f"{found} ({path})" if path and path != found else found
        case bool() | int() | float():
            return cell(value, name, unit)
        case str() if is_instant(value):
            return instant(value, zone)
        case _:
            return str(value)


# --- failures ---------------------------------------------------------------------------------------------------------

_FAILURES = {
    "unreachable": "The search server cannot be reached. Try again in a moment.",
    "unavailable": "The search server could not answer. Try again in a moment.",
    "timeout": "The search took too long. Try again, or ask for less.",
    "overloaded": "The search server is too busy. Try again in a moment.",
    "circuit-open": "The search server failed several times in a row and is paused briefly. Try again in a moment.",
    "changed": "The index changed and no longer fits the catalog. The log has the details.",
    "unauthorized": "The search server does not accept the credentials.",
    "forbidden": "This account may not search here.",
    "no-index": "What should be searched does not exist. Check its name, and the server or folder.",
    "expired": "This page has expired. Ask for the first page again.",
    "too-large": "The search is too large for the server. Ask for less.",
    "client-version": "The search server does not take requests of this version of its client. Install one for "
    "servers 8 and 9: pip install 'elasticsearch>=8.19,<9'",
    "rejected": "The search server refused the request. The log has the details.",
    "partial": "Only a part of the data could be searched, so the answer would be incomplete. Try again in a moment.",
    "garbled": "The search server gave an answer that cannot be read. Try again in a moment.",
}


def failure_message(problem: RequestFailed) -> str:
    """Return the sentence for a failure: its own, or the one for its reason."""
    return problem.sentence or _FAILURES.get(problem.reason, _FAILURES["unavailable"])
