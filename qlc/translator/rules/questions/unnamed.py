"""Name the fields that an answer rests on and the question does not: `the oldest lease` -> by which date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import repeat

from qlc.base.currencies import SCALE
from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Statement, walked
from qlc.language.field_words import ALTERING, is_booked_before, is_usual_date
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity
from qlc.translator.rules.conditions import date_fields, numbers_of, of_money
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.deed_dates import spoken
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, spaced, stem, undenied
from qlc.translator.rules.words.tokens import name_key

_DIMENSIONS = {
    **english.MOST_ADJECTIVES,
    **{word: dimension for word, (dimension, _) in english.SUPERLATIVES.items()},
    **english.MORE_ADJECTIVES, **english.LESS_ADJECTIVES,
}  # fmt: skip


def unnamed(p: Parse, statement: Statement, before: Statement | None = None) -> Iterator[str]:
    """Yield notes for assumed dates and numbers, and for names that say more than asked: `estimated delivery`."""
    known = frozenset(walked(before)) if before is not None else frozenset()
    lookups: list[tuple[str, set[tree.Node]]] = []
    waiting: list[tuple[tree.Node, set[tree.Node]]] = [(statement, set())]
    numbers, dates = set(), set[str]()
    while waiting:  # one walk: each statement has the nodes that are in no other one inside it
        node, own = waiting.pop()
        if isinstance(node, tree.Find | tree.Aggregate):
            own = set()
            if isinstance(node.entity, tree.Name):
                lookups.append((node.entity.text, own))
        elif isinstance(node, tree.Member) and isinstance(node.base, tree.EntityLookup):
            lookups.append((node.base.entity.text, {tree.Path((tree.Segment(name),)) for name in node.names}))
        elif isinstance(node, tree.Number):
            numbers.add(float(node.value))
        elif isinstance(node, tree.DateLiteral):
            dates.add(node.text[:7])
        own.add(node)
        waiting += zip(reversed([*tree.children(node)]), repeat(own), strict=False)
    for token in p.tokens:
        if _DOTTED.fullmatch(token.text) and float(token.text) in numbers:
            yield f"Read '{token.text}' as {float(token.text):g}. If thousands are meant, leave out the point."
    of_before = {one.text[:4] for one in known if isinstance(one, tree.DateLiteral)}
    yield from _years_added(p, {one for one in dates if one[:4] not in {*of_before, str(p.now.year)}})
    for name, nodes in lookups:
        entity = find_entity(p.schema, name)
        for ref in FieldRef.own(entity) if entity is not None else ():
            if entity is not None and ref.left in nodes and ref.left not in known:
                yield from filter(None, (_note(p, entity, ref, nodes), *_of_the_label(p, ref, nodes)))


def _years_added(p: Parse, months: set[str]) -> Iterator[str]:
    """Yield a note for each of these months and quarters whose year the question does not say."""
    said = {token.text for token in p.tokens}
    for token in p.tokens if "year" not in said else ():
        for one in sorted(months):
            year, _, which = one.partition("-")
            if which in (f"{english.MONTHS.get(token.text, 0):02}", token.text.upper()) and year not in said:
                yield f"Took '{token.raw}' for {one}: no year was named."


_DOTTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_SCALES = re.compile(rf"[(\[][^()\[\]]*\b(?:[kmb]n?|1,?000)\b|{SCALE.pattern}", re.IGNORECASE)
_MADE = frozenset(stem(one) for one in ("created", "made", "written", "author", "owned", "sold"))


def _of_the_label(p: Parse, ref: FieldRef, nodes: set[tree.Node]) -> Iterator[str]:
    """Yield notes for percent, for a scale in a label (`thousands`), and for an unsaid deed: `accepted by`."""
    bounds = (one for one in nodes if isinstance(one, tree.Comparison | tree.Between) and one.left == ref.left)
    if ref.is_number and ref.field.unit in ("%", "percent"):
        numbers = (float(part.value) for one in bounds for part in walked(one) if isinstance(part, tree.Number))
        if small := next((one for one in numbers if 0 < one < 1), None):
            label = ref.field.label or ref.field.name
            yield f"'{label}' is in percent: {small:g} is {small:g} %. Or say {100 * small:g} %."
    elif ref.is_number and ref.field.unit is None and _SCALES.search(ref.field.label) and any(bounds):
        yield f"'{ref.field.label}' is compared as the table writes it."
    deed, *by = spaced(ref.field.name).split()
    if by == ["by"] and stem(deed) not in _MADE | {stem(token.text) for token in p.tokens}:
        yield f"Uses '{deed} by': the question does not say '{deed}'."


def _note(p: Parse, entity: Entity, ref: FieldRef, nodes: set[tree.Node]) -> str:
    """Return the note for a field of a statement with these nodes; empty if the question names the field."""
    name = spaced(ref.field.name)
    if ref.kind is not FieldKind.DATE and not ref.is_number and ALTERING.isdisjoint(name.split()):
        return ""
    said = {stem(one) for token in p.tokens for one in (token.text, undenied(token.text))}
    if ref.kind is FieldKind.DATE or ref.is_number:
        words = (one.payload for row in p.lexemes for one in row if isinstance(one.payload, FieldWord))
        named = any(one.ref.path == ref.path for one in words) or bool(
            spoken(ref) & said - {stem(ref.field.unit or "")})  # fmt: skip
        if ref.kind is FieldKind.DATE and _is_before_another(entity, name):
            named = any(token.text in name.split() for token in p.tokens)  # "bookings in May" does not say "booked"
        if not named and ref.kind is FieldKind.DATE and _is_assumed(entity, ref, nodes):
            return f"Uses the date '{name}': no other was named."
        if not named and ref.is_number and _is_compared(p, entity, ref, nodes):
            return f"Uses the number '{name}': no other was named."
    without = [[one for one in phrase if one in ALTERING and stem(one) not in said] for phrase in ref.phrases]
    if all(without) and not name.endswith("name"):  # what the catalog calls it as well may do without
        return f"Uses '{name}': the question does not say '{without[0][0]}'."
    return ""


def _is_assumed(entity: Entity, ref: FieldRef, nodes: set[tree.Node]) -> bool:
    """Return whether an unnamed date is not the usual one, or a sum or a done flag (`passed exams`) rests on it."""
    flags = (one for one in FieldRef.own(entity) if one.kind is FieldKind.BOOLEAN and one.left in nodes)
    is_open = any(isinstance(one, tree.Measure) and one.path is not None for one in nodes)
    is_open = is_open or any(is_participle(part) for one in flags for part in one.parts)
    name, kind = spaced(ref.field.name), name_key(spaced(f"{entity.name} {entity.plural}"))
    usual = is_usual_date(name.split(), kind) and not _is_before_another(entity, name)
    return not usual or (is_open and len(date_fields(entity)) > 1)


def _is_before_another(entity: Entity, name: str) -> bool:
    """Return whether the date called `name` is when something was booked and another one may be when it takes place."""
    others = [one for ref in date_fields(entity) if (one := spaced(ref.field.name)) != name]
    return is_booked_before(name.split(), [one.split() for one in others])


def _is_compared(p: Parse, entity: Entity, ref: FieldRef, nodes: set[tree.Node]) -> bool:
    """Return whether a number is compared or ordered by, and neither an adjective nor a unit tells which."""
    bounds = [one for one in nodes if isinstance(one, tree.Comparison | tree.Between) and one.left == ref.left]
    sorted_by = any(isinstance(one, tree.SortKey) and one.key == ref.left for one in nodes)
    numbers, unit = numbers_of(entity), find_unit(ref.field.unit or "")
    if len(numbers) == 1 or not (bounds or sorted_by):
        return False
    dimensions = {_DIMENSIONS[token.text] for token in p.tokens if token.text in _DIMENSIONS} - {"number"}
    if "size" in dimensions:  # the `largest` is that of the largest size, but it may be the number of anything
        dimensions -= set() if "size" in ref.parts else {"size"}
    by_word = any(({one} | set(english.NOUNS_OF_DEGREE.get(one, ()))) & ref.parts for one in dimensions)
    if of_money(ref) and any(token.text in english.CURRENCIES for token in p.tokens):
        return len([one for one in numbers if of_money(one)]) > 1
    with_unit = any(isinstance(one, tree.Number) and one.unit for bound in bounds for one in walked(bound))
    alike = [one for one in numbers if (other := find_unit(one.field.unit or "")) and unit
             and other.dimension == unit.dimension]  # fmt: skip
    return not by_word and not (unit and unit.dimension in dimensions) and not (with_unit and len(alike) == 1)
