"""Describe the documents to a model: how many there are, ranges, examples, and fields without a value."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta

from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Entity, Field
from qlc.models.escaping import literal, plain
from qlc.tables.cells import is_missing
from qlc.translator.model.fields import Fields
from qlc.translator.rules.accounting import Said
from qlc.translator.rules.lexicon.vocabulary import Extent, IndexValues

LONGEST = 6_000  # characters of all contents: what finds no place is left out, the last entities and fields first
MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 40
MOST_RANGES = 2
FLAG = "0 or 1, a flag"
_BEGAN = datetime(1970, 1, 1, tzinfo=UTC)


def contents_text(fields: Fields, values: IndexValues, unnamed: Collection[str] = ()) -> str:
    """Return a paragraph for each entity that a model may see: `games: 56 documents. moves 17 to 88`."""
    shown = {(entity, one.name) for one in fields.offered if one.within is None for entity in one.entities}
    lines: list[str] = []
    for entity in fields.schema.entities.values():
        left = LONGEST - sum(map(len, lines))
        if left > 0 and entity.name in values.counted and not entity.kinds:
            names = {name for of, name in shown if of == entity.name}
            if entity.name in unnamed:
                names -= {one.name for one in entity.names}
            lines.append(_entity(entity, values, names, left))
    return "\n".join(lines)


def ranges_of(said: Said, values: IndexValues) -> tuple[str, ...]:
    """Return sentences on the range of a program's dates, for empty answers: `'played' is from 1987-01-10 ...`."""
    found = dict.fromkeys(
        f"'{one.title}' is from {_range(one, extent.low, extent.high).replace(' to ', ' until ')}."
        for entity in said.entities
        for name, one in entity.fields.items()
        if one.kind is FieldKind.DATE and name in said.names and not one.sensitive
        if (extent := values.extents.get((entity.name, name))) and extent.low is not None and extent.high is not None
    )
    return tuple(found)[:MOST_RANGES]


def _entity(entity: Entity, values: IndexValues, shown: Collection[str], longest: int) -> str:
    total = values.counted[entity.name]
    one_each = _key(entity, values, shown) if total else ""
    text = f"{entity.plural}: {total:,} document{'' if total == 1 else 's'}"
    text += f", one for each {plain(one_each)}" if one_each else ""
    mark = ". "
    for name, one in entity.fields.items():
        extent = values.extents.get((entity.name, name))
        told = ", ".join(_field(entity, one, extent, values)) if name in shown else ""
        if told and len(text) + len(told) < longest:
            text, mark = f"{text}{mark}{plain(name)} {told}", "; "
    return text


def _key(entity: Entity, values: IndexValues, shown: Collection[str]) -> str:
    """Return the name of the field that tells each document from the others: its id, its name, a number, a day."""
    if entity.id is not None and entity.id.name in shown:
        return entity.id.name
    own = [name for name, one in entity.fields.items()
           if name in shown and not one.mapped.is_added and _tells_apart(entity, one, values)]  # fmt: skip
    return entity.name if entity.name in own else next(iter(own), "")


_KEYS = (FieldKind.KEYWORD, FieldKind.WHOLE_NUMBER, FieldKind.DATE)


def _tells_apart(entity: Entity, one: Field, values: IndexValues) -> bool:
    total, extent = values.counted[entity.name], values.extents.get((entity.name, one.name))
    if total < 2 or extent is None or extent.filled != total or one.kind not in _KEYS:
        return False
    if one.kind is FieldKind.DATE and not one.whole_days:
        return False  # of moments hardly two are ever equal
    return (extent.different or len(_texts(entity, one, values))) == total


def _texts(entity: Entity, one: Field, values: IndexValues) -> tuple[str, ...]:
    """Return the values of a text that were read from the index, the most frequent first."""
    if one.values is not None:
        return tuple(one.values.display)
    if one in entity.names[:1]:
        return values.names.get(entity.name) or ()
    return values.values.get((one.name,), ())


def _field(entity: Entity, one: Field, extent: Extent | None, values: IndexValues) -> Iterator[str]:
    total = values.counted[entity.name]
    if extent is not None and not extent.filled and total:
        yield "missing in all"
        return
    if extent is not None and extent.low is not None and extent.high is not None:
        yield _range(one, extent.low, extent.high)
    texts = _texts(entity, one, values)
    if one.kind is FieldKind.KEYWORD and one.values is None and one.reference is None:
        examples = [text for text in texts if len(text) <= LONGEST_EXAMPLE and not is_missing(text)][:MOST_EXAMPLES]
        if examples and "such as" not in one.description.casefold():
            yield f"such as {', '.join(map(literal, examples))}"
    if nothing := [text for text in texts if is_missing(text)]:
        yield f"{' and '.join(map(literal, nothing[:MOST_EXAMPLES]))} {'is' if len(nothing) == 1 else 'are'} no value"
    if extent is not None and extent.filled < total:
        yield f"missing in {total - extent.filled:,}"


def _range(one: Field, low: float, high: float) -> str:
    if one.kind is FieldKind.DATE:
        first, last = _day(low), _day(high)
    else:
        assert one.kind in NUMERIC
        if (low, high) == (0, 1) and one.kind is FieldKind.WHOLE_NUMBER:
            return FLAG
        first, last = f"{low:.10g}", f"{high:.10g}"
    return first if first == last else f"{first} to {last}"


def _day(milliseconds: float) -> str:
    """Return a day; milliseconds of no day that Python has are those of the nearest one."""
    try:
        return f"{_BEGAN + timedelta(milliseconds=milliseconds):%Y-%m-%d}"
    except OverflowError:
        return "0001-01-01" if milliseconds < 0 else "9999-12-31"
