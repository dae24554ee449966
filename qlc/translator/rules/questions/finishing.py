"""Adjust a statement by its whole sentence, and name what an answer assumes: by which date, by which number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import repeat

from qlc.base.currencies import SCALE
from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement, walked
from qlc.language.field_words import ALTERING, is_booked_before, is_usual_date
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field
from qlc.translator.rules.build import both, compare, name_of, parts, path, search_of, string
from qlc.translator.rules.conditions import date_fields, numbers_of, of_money
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, NameWord, ValueWord
from qlc.translator.rules.nouns.names import CLOSED_CLASS, like_a_file
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.questions.deed_dates import spoken
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, spaced, stem, undenied, words
from qlc.translator.rules.words.tokens import name_key

_JOINT = r"\s*(?:,|&|,?\s*\band\b)\s*"
_AFTER_IT = words(": , - – —")
_DENYING = words("no not without non")
_NONE = words("none nothing n/a")
SAME_WORD = 5  # letters that two forms of a word begin with alike: `rejected`, `rejection`


def of_either(p: Parse, statement: Statement) -> Statement:
    """Make adjacent names of one field alternatives: `a = x and a = y` -> `a in [x, y]`; not of a list."""
    search = search_of(statement, p.schema)
    if search is None:
        return statement
    statement, entity = search
    conditions = parts(statement.where)
    named = [_named(one, entity) for one in conditions]
    names: dict[tree.Path, list[tree.String]] = {}
    for left, text in filter(None, named):
        names.setdefault(left, []).append(text)
    either = {left: tree.ListValue(tuple(found)) for left, found in names.items() if _side_by_side(p, found)}
    if not either:
        return statement
    changed = (
        compare(name[0], "in", either[name[0]]) if name is not None and name[0] in either else one
        for one, name in zip(conditions, named, strict=True)
    )
    return replace(statement, where=both(*changed))


def _named(one: Condition, entity: Entity) -> tuple[tree.Path, tree.String] | None:
    """The field and the name of `driver = "Ann"`, where a thing has but one of it as far as anybody knows."""
    match one:
        case tree.Comparison(left=tree.Path(segments=(segment,)) as left, operator="=", right=tree.String() as text):
            field = entity.fields.get(segment.name.text)
            return (left, text) if field is not None and field.many is not True else None
        case _:
            return None


def _side_by_side(p: Parse, names: Sequence[tree.String]) -> bool:
    """Whether several names are one run of the question, in any order: `Ann, Bob and Eve`."""
    one = "|".join(re.escape(name.value) for name in names)
    run = rf"(?:{one})(?:{_JOINT}(?:{one})){{{len(names) - 1}}}"
    return len(names) > 1 and re.search(run, p.text, re.IGNORECASE) is not None


def of_those_that_have_one(p: Parse, statement: Statement) -> Statement:
    """`the most common reason for delay`, also `per carrier`: the first of those that are one."""
    if not isinstance(statement, tree.Aggregate):
        return statement
    entity = find_entity(p.schema, statement.entity.text)
    for one in statement.groups if entity is not None else ():
        name = name_of(one.path)
        field = entity.fields.get(name) if entity is not None and one.path == path(name) else None
        is_cut = statement.limit is not None or one.top is not None
        if field is None or not is_cut or one.function is not None or _is_said_of(statement.where, name):
            continue
        for value in _none_of(p, field):
            if value.casefold() not in p.text.casefold():
                without = compare(path(name), "!=", string(value))
                statement = replace(statement, where=both(statement.where, without))
    return statement


def _is_said_of(where: tree.Condition | None, name: str) -> bool:
    """Whether a field has a condition already."""
    items = where.items if isinstance(where, tree.And | tree.Or) else (where,)
    return any(getattr(one, "left", None) == path(name) for one in items)


def _none_of(p: Parse, field: Field) -> Iterator[str]:
    """The values of a field that deny what the field is called, or say no more than that there is none."""
    ref = FieldRef((field.name,), field)
    found = tuple(field.values.display) if field.values is not None else p.lexicon.values.values.get(ref.path, ())
    called = ref.stems
    for value in found if len(found) > 2 else ():
        first, *rest = name_key(value) or ("",)
        denied = first in _DENYING and any(_alike(stem(one), other) for one in rest for other in called)
        if denied or (value.casefold() in _NONE and not _has_a_name(field, value)):
            yield value


def _has_a_name(field: Field, value: str) -> bool:
    """Whether the catalog has words for a value that do not deny: whatever it looks like, it is something."""
    spellings = field.values.spellings.items() if field.values is not None else ()
    others = (name_key(said) for said, stored in spellings if stored == value and said not in _NONE)
    return any(one and one[0] not in _DENYING for one in others)


def _alike(one: str, other: str) -> bool:
    return one == other or (len(one) >= SAME_WORD and one[:SAME_WORD] == other[:SAME_WORD])


def left_out(p: Parse, program: str) -> tuple[str, ...]:
    """A sentence for each value that is left out so."""
    if " != " not in program:
        return ()
    fields = (one for e in p.things for one in e.fields.values() if f"{one.name} != " in program)
    found = {value for field in fields for value in _none_of(p, field) if f'{field.name} != "{value}"' in program}
    return tuple(f"Left out: '{one}'." for one in sorted(found) if one.casefold() not in p.text.casefold())


def nobody_said(p: Parse, statement: Statement) -> bool:
    """Whether a statement rests on something that no word of the question says."""
    return _splits_a_period(p, statement) or _leaves_an_object(p, statement) or any(
        _joins_its_kind(p, entity, ref) or _is_the_name_of_another(p, ref.field, one)
        for part in (statement, *(one.statement for one in walked(statement) if isinstance(one, tree.Subquery)))
        for entity, ref, one in _tests(p, part)
    )


def _splits_a_period(p: Parse, statement: Statement) -> bool:
    """Whether of two deeds with dates, `issued and paid in May`, only the second is in the period."""
    for at in range(1, p.end):
        joined = p.word(at) in english.AND | english.OR and is_participle(p.word(at - 1))
        deeds = [one.payload.ref for one in p.ending(at) if isinstance(one.payload, FieldWord)] if joined else []
        deeds = [ref for ref in deeds if ref.kind is FieldKind.DATE]
        for word, ref in p.fields(p.past(at + 1, english.COPULAS)) if deeds else ():
            dated = {(one.left, one.right) for one in walked(statement) if isinstance(one, tree.Comparison)}
            periods = [right for left, right in dated if left == ref.left and not isinstance(right, tree.Day)]
            if ref not in deeds and any(date_test(p, end) for end in (word.end, word.end + 1)):
                return any((deed.left, one) not in dated for one in periods for deed in deeds)
    return False


def _leaves_an_object(p: Parse, statement: Statement) -> bool:
    """Whether a state is a verb with an object: who `left Berlin` need not be in Berlin, and what they left is gone."""
    for at in range(1, p.end - 1):
        after = p.starting(at + 1, ValueWord) if is_participle(p.word(at)) else ()
        verbs = p.starting(at, ValueWord) if after else ()
        subject = p.word(at - 1) in english.RELATIVE_PRONOUNS | words("have has had")
        if verbs and (subject or any(isinstance(one.payload, EntityWord) for one in p.ending(at))):
            texts = {one.value for one in walked(statement) if isinstance(one, tree.String)}
            said = [[one.payload.text in texts for one in words_here] for words_here in (verbs, after)]
            if all(map(any, said)):
                return True
    return False


def _tests(p: Parse, statement: Statement) -> Iterator[tuple[Entity, FieldRef, tree.Comparison]]:
    """The comparisons of a statement with a field of the things themselves."""
    search = search_of(statement, p.schema)
    if search is None:
        return
    statement, entity = search
    for one in _comparisons(statement.where):
        ref = FieldRef.at(entity, one.left)
        if ref is not None and one.left == ref.left:
            yield entity, ref, one


def _comparisons(where: Condition | None) -> Iterator[tree.Comparison]:
    match where:
        case tree.And(items=items) | tree.Or(items=items):
            for one in items:
                yield from _comparisons(one)
        case tree.Not(item=item):
            yield from _comparisons(item)
        case tree.Comparison():
            yield where


def _joins_its_kind(p: Parse, entity: Entity, ref: FieldRef) -> bool:
    """Return whether an unnamed field leads to things of the same kind, which is a guess; not where things lie."""
    target = ref.target
    own = target in (entity.name, *entity.kinds) or (target and entity.name in p.entity(target).kinds)
    if not own or ref.path == (entity.parent,):
        return False
    if any(one.payload.ref.path[0] == ref.path[0] for at in range(p.end) for one in p.starting(at, FieldWord)):
        return False
    kinds = {stem(word) for e in p.schema.entities.values() for word in (e.name, e.plural, *e.words)}
    return not any(stem(p.word(at)) in ref.stems - kinds - CLOSED_CLASS for at in range(p.end))


def _is_the_name_of_another(p: Parse, field: Field, one: tree.Comparison) -> bool:
    """Return whether the known name of a file would be the value of a field that does not refer to files."""
    if not isinstance(one.right, tree.String) or one.operator not in ("=", "!=") or not like_a_file(one.right.value):
        return False
    text = one.right.value.casefold()
    if any(word.payload.ref.field == field and word.payload.text.casefold() == text for at in range(p.end)
           for word in p.starting(at, ValueWord)):
        return False
    names = (word.payload for at in range(p.end) for word in p.starting(at, NameWord) if word.payload.whole)
    called = {entity for name in names if name.text.casefold() == text for entity in name.entities}
    if not called:
        return False
    target = field.reference.entity if field.reference is not None else None
    covered = {target, *p.entity(target).kinds} if target is not None else set()
    named = any(field in p.entity(e).names or field == p.entity(e).id for e in called)
    return not named and not covered & called


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
