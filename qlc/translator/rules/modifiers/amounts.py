"""Numbers, dates and years whose field follows from their unit, their noun, or by the catalog."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, parts
from qlc.translator.rules.conditions import (
    date_condition,
    date_fields,
    default_date,
    default_number,
    fields_for,
    has_been,
    past_unit,
    quantity_condition,
)
from qlc.translator.rules.lexicon.field_names import leading_words
from qlc.translator.rules.lexicon.lexemes import (
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    ListWord,
    NameWord,
    ValueWord,
)
from qlc.translator.rules.modifiers.elements import inside_an_element
from qlc.translator.rules.modifiers.events import upcoming
from qlc.translator.rules.modifiers.relative import EARLIER, LATER, against_document
from qlc.translator.rules.nouns.degrees import (
    degrees,
    fields_of_dimension,
    is_duration,
    is_rank,
    measures,
    numbers_of_dimension,
    to_be_done,
)
from qlc.translator.rules.nouns.references import anything, member_of
from qlc.translator.rules.parse import Found, Parse, begins, if_any, needs
from qlc.translator.rules.quantities.date_tests import (
    SAYS_AN_HOUR,
    DateTest,
    Relation,
    at_hours,
    date_test,
    on_weekday,
    within_days,
)
from qlc.translator.rules.quantities.dates import SAYS_WHEN
from qlc.translator.rules.quantities.numbers import (
    A_NUMBER,
    OR_MORE_OR_LESS,
    Amount,
    QuantityTest,
    amount,
    cardinal,
    quantity_test,
)
from qlc.translator.rules.quantities.years import (
    OF_A_RECORD,
    begun,
    born,
    came_in,
    dates_of_the_thing,
    is_of_years,
    of_age,
    own_years,
    year_number,
)
from qlc.translator.rules.questions.intents import FUNCTION_WORDS
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, is_same_deed
from qlc.translator.rules.words.phrases import Phrases, phrases, words

_MEASURING = words(
    "holding hold holds with of has have having that costing worth totaling totalling containing for is are it "
    "contain weighing weigh lasting lasts lasted taking at cost costs priced in took takes which run ran about "
    "spanning covering measuring travelling traveling numbering go goes going went spent doing making"
)
"""What may come before an amount that tells its field itself."""
_DIMENSIONS = words("long big large wide tall heavy away")
_COSTING = words("value costing worth cost costs priced valued totaling totalling")
_AGED = phrases(
    "[who | that] [is | are] aged | of age | (whose | with an) age (is | of) | [who | that] (is | are)"
)
_OLDER_THAN: tuple[tuple[Phrases, Relation], ...] = ((phrases("[who | that] [is | are] older than"), ">"),
                          (phrases("[who | that] [is | are] younger than"), "<"))  # fmt: skip
_OLDEST = 120


@needs(A_NUMBER)
def quantity(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """An amount whose unit or noun tells the field: `over 3 MB`, `with more than 50 pages`, `above $2,000`."""
    own = p.entity(entity)
    if inside_an_element(p, at, own):
        return
    begins = p.stops(at, _MEASURING)
    begins += [p.past(i + 1, ("of",)) for i in range(at, begins[-1] + 2) if p.word(i) == "value" and i not in p.inside]
    begins += [i + 1 for i in begins[-1:] if i > at and p.word(i) in ("a", "an") and p.word(i + 1)[:1].isdecimal()]
    for begin in begins:
        for test in quantity_test(p, begin):
            if begin > at and p.word(begin - 1) == "about" and not test.value.compared and test.value.until is None:
                continue  # how much more or less is not said
            end, wanted = test.end, test.value
            for ref, after, cost in _counted_by(p, p.past(end, ("different", "distinct", "of")), own):
                if (condition := quantity_condition(ref, wanted, own)) is not None:
                    yield Found(after, condition, test.cost + cost)
                    for table, relation in OR_MORE_OR_LESS:
                        for finish in p.phrases(after, table):
                            bound = quantity_condition(ref, QuantityTest(relation, wanted.amount), own)
                            if bound is not None and not wanted.compared:
                                yield Found(finish, bound, test.cost + cost)
            for ref in _in_such_units(p, end, own):
                if wanted.compared and (condition := quantity_condition(ref, wanted, own)) is not None:
                    yield Found(end + 1, condition, test.cost + 0.1)
            yield from _by_unit(p, end, own, wanted, test.cost)
            if p.word(begin - 1) in _COSTING and wanted.amount.unit is None and wanted.amount.money is None:
                in_money = replace(wanted, amount=replace(wanted.amount, money=""))
                yield from _by_unit(p, end, own, in_money, test.cost)
            elif wanted.compared and wanted.amount.unit is None and wanted.amount.money is None:
                age = _age_of_people(p, at, own)
                meant = _number_before(p, own) or default_number(own)
                usual = meant if _is_alone(p, end) and not _after_a_number(p, at) else None
                number = age or usual
                if number is not None and (condition := quantity_condition(number, wanted)) is not None:
                    sure = age is not None or _in_that_currency(p, number)
                    other = 0.2 if sure else _of_something_else(p, begin, own)
                    unsure = 0.0 if _after_another_bound(p, at) else other
                    yield Found(end, condition, test.cost + unsure)


@needs(A_NUMBER)
def so_many_times(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`shared more than 10 times`, where a number is called `times shared`."""
    verb = p.past(at, english.RELATIVE_PRONOUNS | english.COPULAS | words("have has had"))
    for ref in p.lexicon.called(("times", p.word(verb))) if is_participle(p.word(verb)) else ():
        for test in quantity_test(p, verb + 1) if ref.belongs_to(p.entity(entity)) else ():
            condition = quantity_condition(ref, test.value, p.entity(entity))
            often = p.word(test.end) in ("times", "time") or p.word(test.end - 1) in ("once", "twice")
            if condition is not None and often:
                yield Found(test.end + (p.word(test.end) in ("times", "time")), condition, test.cost + 0.05)


def _number_before(p: Parse, entity: Entity) -> FieldRef | None:
    """The one number that has a bound in the search before: `worth more than 100k`, then `and less than 200k`."""
    bounds = (one for one in parts(p.before) if getattr(one, "operator", "") in ("<", "<=", ">", ">="))
    lefts = {one.left for one in bounds if isinstance(one, tree.Comparison) and isinstance(one.right, tree.Number)}
    found = [ref for ref in FieldRef.own(entity) if ref.is_number and ref.left in lefts]
    return found[0] if len(found) == 1 == len(lefts) else None


def _of_something_else(p: Parse, at: int, entity: Entity) -> float:
    """What it costs that a number alone can be of another field: `bigger than 50` may be a size, and where the catalog
    does not say which number is meant, it is a guess."""
    sized = p.word(at) in english.MORE_ADJECTIVES or p.word(at) in english.LESS_ADJECTIVES
    return 0.3 if entity.default_number and not sized else 0.5


def _after_another_bound(p: Parse, at: int) -> bool:
    """`under 100 or over 19,000`: of the same number as the bound before it."""
    if not at or p.word(at - 1) not in english.OR | english.AND:
        return False
    tests = (one for i in range(max(0, at - 5), at - 1) for one in quantity_test(p, i))
    return any(one.end == at - 1 and one.value.compared for one in tests)


def _in_that_currency(p: Parse, ref: FieldRef) -> bool:
    """`euro invoices over 100`: whether the currency that an amount is in is said elsewhere."""
    values = (one.payload for row in p.lexemes for one in row if isinstance(one.payload, ValueWord))
    return ref.field.unit_field is not None and any(one.ref.path == (ref.field.unit_field,) for one in values)


def _by_unit(p: Parse, end: int, entity: Entity, test: QuantityTest, cost: float) -> Iterator[Found[Condition]]:
    """The fields that have the unit of an amount, or are of money: rather the one that the catalog prefers."""
    if test.amount.unit is None and test.amount.money is None:
        return
    fields = fields_for(entity, test.amount)
    preferred = any(ref.path == (entity.default_number,) for ref in fields)
    exact = 0.2 if test.relation == "=" else 0.0
    for ref in fields:
        if ref.field.unit is not None and test.amount.unit is not None and not _says_how_much(ref):
            continue
        chosen = ref.path == (entity.default_number,) or len(fields) == 1
        if (condition := quantity_condition(ref, test, entity)) is not None:
            unsure = 0.1 if chosen else 0.35 if preferred else 0.4
            unsure += 0.5 if _says_which(p, end) else 0.0
            after = end + (p.word(end) in _DIMENSIONS)
            yield Found(after, condition, cost + unsure + exact)
    for ref in (one for one in FieldRef.own(entity) if one.is_number):
        for after in _units_of(p, end, ref, test):
            yield from if_any(after, quantity_condition(ref, test, entity), cost)


def _says_which(p: Parse, at: int) -> bool:
    """Whether an adjective after an amount says what it is of: `5 hours late`, `3 days overdue`."""
    flags = (one.payload.ref.kind is FieldKind.BOOLEAN for one in p.starting(at, FieldWord))
    return any(flags) or bool(p.starting(at, ConditionWord))


def _says_how_much(ref: FieldRef) -> bool:
    """Whether an amount in its unit alone can mean a field: `over 2 hours` is how long something takes."""
    unit = find_unit(ref.field.unit or "")
    return unit is None or unit.dimension != "time" or is_duration(ref)


def _is_alone(p: Parse, at: int) -> bool:
    """Whether neither a noun follows an amount (`5 people`, `3 steps`) nor another one (`over 5 but under 9 pages`)."""
    word = p.word(at)
    unknown = word.isalpha() and not p.lexemes[at] and word not in FUNCTION_WORDS
    counted = (one.end for kind in (ListWord, ValueWord) for one in p.starting(at, kind))
    if unknown or bool(p.starting(at, EntityWord)) or any(p.plural(end) for end in counted):
        return False
    if any(one.payload.ref.field.many is True for one in p.starting(at, FieldWord)):
        return False  # `exactly one tag`
    if any(one.payload.ref.is_number and p.plural(one.end) for one in p.starting(at, FieldWord)):
        return False  # `3 rooms under 1500`: what there are three of
    return word not in english.AND or not any(test.value.compared for test in quantity_test(p, at + 1))


def _after_a_number(p: Parse, at: int) -> bool:
    """Whether the word for another number comes before an amount: `top speed over 25`, but not `3 rooms under 900`."""
    before = (one for one in p.ending(at) if isinstance(one.payload, FieldWord) and one.payload.ref.is_number)
    return any(not any(cardinal(p, one.start - 1)) for one in before)


def _counted_by(p: Parse, at: int, entity: Entity) -> Iterator[tuple[FieldRef, int, float]]:
    """The fields that count what a noun names: `pages`, and `documents` where a field is the `number of documents`."""
    for lexeme, ref in p.fields(at):
        if any(one.end > lexeme.end for one in p.starting(at, ListWord)):
            continue  # the rent increases are no rent
        relative = p.word(at) in ("level", "levels") and p.word(lexeme.end) in english.BELOW | words("deep down inside")
        if ref.is_number and ref.belongs_to(entity) and not relative:
            yield ref, lexeme.end, lexeme.cost
    if p.word(at).isalpha():
        for ref in p.lexicon.counting(p.word(at)):
            if ref.belongs_to(entity):
                yield ref, at + 1, 0.1


def _age_of_people(p: Parse, at: int, entity: Entity) -> FieldRef | None:
    """`women over 60`, `patients under 18`: of people who have an age, where nothing else is said."""
    ages = fields_of_dimension(entity, "age")
    nouns = (lexeme for back in range(max(0, at - 3), at) for lexeme in p.starting(back, FieldWord))
    said = any(one.end == at and one.payload.ref.kind is FieldKind.KEYWORD for one in nouns)
    return ages[0] if len(ages) == 1 and at and (said or p.word(at - 1) in english.PEOPLE) else None


def _in_such_units(p: Parse, at: int, entity: Entity) -> list[FieldRef]:
    """The field whose numbers are in the unit that is here, where it is the only one: `over 500 kg`."""
    numbers = [ref for ref in FieldRef.own(entity) if ref.is_number and not ref.field.unit]
    found = [ref for ref in numbers if past_unit(p, at, ref) > at]
    return found if len(found) == 1 else []


@needs(SAYS_WHEN, SAYS_AN_HOUR, LATER, EARLIER, words("between"))
def dated(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A date without a field: the entity's date is meant."""
    default = default_date(p.entity(entity))
    if default is None or inside_an_element(p, at, p.entity(entity), dated=True):
        return
    ref, cost = default
    several = len(date_fields(p.entity(entity))) > 1
    cost += 0.9 if several and _of_a_state(p, at) else 0.3 if _of_an_agent(p, at) else 0.0
    cost += 0.4 if _of_another_date(p, at, ref) else 0.0
    degree = english.LESS_ADJECTIVES.get(p.word(at)) or english.MORE_ADJECTIVES.get(p.word(at)) or "date"
    other = begun(p.entity(entity), degree)  # what is older than that may not be of that date
    taken = p.word(at) == "taken" and any(one.end == at for one in (p.starting(at - 1, ValueWord) if at else ()))
    at += came_in(p, at)
    for test in date_test(p, at + taken):  # `photos taken in 2023`
        ahead = p.word(at) == "for"  # `booked for Friday`
        tests = upcoming(p, ref, test.value, at) if ahead else [(test.value, 0.0)]
        of_years = own_years(p.entity(entity)) and is_of_years(test.value)
        cost += OF_A_RECORD if of_years and ref not in dates_of_the_thing(p.entity(entity)) else 0.0
        for meant, further in tests if not has_been(ref, test.value) and other in (ref, None) else ():
            yield Found(test.end, date_condition(ref, meant), test.cost + cost + further)
    for hours in at_hours(p, at, ref):
        yield Found(hours.end, hours.value, hours.cost + cost)
    for one in against_document(p, at, ref):
        yield Found(one.end, one.value, one.cost + cost)


def _of_a_state(p: Parse, at: int) -> bool:
    """Whether a date follows a participle that has none: what was signed or shared in May may be of April."""
    if at and p.word(at - 1) in english.KEPT:
        return True  # what lies somewhere since then may be older
    if not at or not (is_participle(p.word(at - 1)) or p.word(at - 1) in english.PARTICLES):
        return False
    ending = [one.payload for one in p.ending(at)]
    states = (ConditionWord, ListWord, ValueWord)
    flags = (one for one in ending if isinstance(one, FieldWord) and one.ref.kind is FieldKind.BOOLEAN)
    return any(isinstance(one, states) for one in ending) or any(True for _ in flags)


def _of_an_agent(p: Parse, at: int) -> bool:
    """Whether a date follows who did something: it is rather of that verb."""
    names = (one.start for one in p.ending(at, 4) if isinstance(one.payload, NameWord))
    return any(start and p.word(start - 1) == "by" for start in names)


def _of_another_date(p: Parse, at: int, usual: FieldRef) -> bool:
    """Whether a date follows the verb of another one: what Ann `changed this week`."""
    verbs = (one for one in (p.starting(at - 1, FieldWord) if at else ()) if one.end == at)
    dates = [one.payload.ref for one in verbs if one.payload.ref.kind is FieldKind.DATE]
    return bool(dates) and usual not in dates


@needs(words("than"))
def compared_by_degree(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`bigger than 2 MB`, `older than X.pdf`, `larger than X.pdf`; `took longer than 30 days to process`."""
    taking = p.past(at, english.RELATIVE_PRONOUNS)
    if p.word(taking) in english.TAKING and (longer := _degree_than(p, taking + 1)) and longer[0] == "time":
        for taken in compared_by_degree(p, taking + 1, entity):
            yield taken._replace(end=to_be_done(p, taken.end))
    degree = _degree_than(p, at)
    if degree is None:
        return
    dimension, up, end = degree
    own = p.entity(entity)
    yield from _than_a_level(p, end, ">" if up else "<", dimension, own)
    for one in amount(p, end):
        test = QuantityTest(">" if up else "<", one.value)
        yield from _than_of_a_unit(one, test, dimension, own)
        yield from _than_of_a_noun(p, one, test, dimension, own)
    fields = degrees(own, dimension, up)
    if dimension == "birth":
        # "older than 80": the earlier the date, the greater the age
        fields += [(ref, not up) for ref in fields_of_dimension(own, "age")]
    for ref, above in fields:
        for one in amount(p, end):
            condition = quantity_condition(ref, QuantityTest(">" if above else "<", one.value), own)
            if condition is not None and ref.is_number and (dimension != "number" or _is_alone(p, one.end)):
                bare = dimension == "size" and one.value.unit is None and ref.field.unit is not None
                unsure = 0.5 if dimension == "number" or bare else 0.1  # nobody counts bytes
                yield Found(past_unit(p, one.end, ref), condition, one.cost + unsure)
        for other in anything(p, end, ref.path[0]):
            if other.value.text and (found := member_of(other.value, ref)) is not None:
                yield Found(other.end, ref.compared(">" if above else "<", found), other.cost + 0.3)


@needs(words("in within"), A_NUMBER)
def done_in(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`processed in less than 10 days`: of the number that says how long that takes."""
    own, verb = p.entity(entity), p.past(at, english.RELATIVE_PRONOUNS | english.COPULAS)
    if not is_participle(p.word(verb)) or p.word(verb + 1) not in ("in", "within"):
        return
    for ref in numbers_of_dimension(own, "time"):
        if not any(is_same_deed(p.word(verb), one) for one in leading_words(ref.field)):
            continue
        for test in quantity_test(p, verb + 2):
            unit = find_unit(test.value.amount.unit or "")
            most = test.value if test.value.compared else QuantityTest("<=", test.value.amount)
            condition = quantity_condition(ref, most, own) if unit is not None and unit.dimension == "time" else None
            yield from if_any(test.end, condition, test.cost + 0.05)


def _degree_than(p: Parse, at: int) -> tuple[str, bool, int] | None:
    """The dimension of `larger than`, whether it is upwards, and where what it is compared with begins."""
    word, following = p.word(at), p.word(at + 1)
    if word == "more" and following in english.MOST_ADJECTIVES and p.word(at + 2) == "than":
        return english.MOST_ADJECTIVES[following], True, at + 3
    dimension = english.MORE_ADJECTIVES.get(word) or english.LESS_ADJECTIVES.get(word)
    if dimension is None or following != "than":
        return None
    return dimension, word in english.MORE_ADJECTIVES, at + 2


def _than_of_a_unit(one: Found[Amount], test: QuantityTest, dimension: str, own: Entity) -> Iterator[Found[Condition]]:
    """`bigger than 2 MB`: of the fields in such units."""
    if one.value.unit is not None and dimension not in english.OF_DATES | {"speed"}:
        for ref in fields_for(own, one.value):
            condition = quantity_condition(ref, test, own)
            if condition is not None and measures(ref, dimension):
                yield Found(one.end, condition, one.cost + 0.15)


def _than_of_a_noun(
    p: Parse, one: Found[Amount], test: QuantityTest, dimension: str, own: Entity
) -> Iterator[Found[Condition]]:
    """`longer than 20 pages`: of the number that the noun is the word for."""
    for noun, ref in p.numbers(one.end, own) if one.value.unit is None and dimension != "speed" else ():
        if not is_rank(ref):
            yield from if_any(noun.end, quantity_condition(ref, test, own), one.cost + noun.cost + 0.1)


def _than_a_level(
    p: Parse, at: int, relation: Literal["<", ">"], dimension: str, own: Entity
) -> Iterator[Found[Condition]]:
    """`deeper than level 4`: the number is after its word."""
    for noun, ref in p.fields(at):
        if not ref.is_number or not ref.belongs_to(own) or is_rank(ref) or not measures(ref, dimension):
            continue
        for one in amount(p, noun.end):
            condition = quantity_condition(ref, QuantityTest(relation, one.value), own)
            if condition is not None:
                yield Found(one.end, condition, one.cost + noun.cost + 0.1)


@begins(words("on at"))
def on_weekdays(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`on Sundays`, `on a Monday`, `at weekends`: of the entity's date."""
    default = default_date(p.entity(entity))
    if default is not None:
        yield from on_weekday(p, at, default[0])


def lately(p: Parse, at: int, ref: FieldRef, entity: Entity) -> Iterator[Found[DateTest]]:
    """`created within 30 days`: up to now, or from now on; not where the days may be how long it took."""
    if not _times_of(entity, ref):
        yield from within_days(p, at, future=ref.field.whole_days)


def _times_of(entity: Entity, date: FieldRef) -> list[FieldRef]:
    """The numbers that say how long it takes until something is done: `resolution time` beside `resolved on`."""
    done = leading_words(date.field)
    return [
        ref
        for ref in numbers_of_dimension(entity, "time")
        if any(is_same_deed(one, other) for one in done for other in leading_words(ref.field))
    ]


@needs(A_NUMBER)
def of_people_aged(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`patients over 60`, `women under 18`, `aged 65 or over`: of people, who have a date of birth and no age."""
    own = p.entity(entity)
    ref = born(own)
    start = next(p.phrases(at, _AGED), at)
    if ref is None or fields_of_dimension(own, "age") or (start == at and not _of_people(p, at)):
        return
    older = [(end, relation) for table, relation in _OLDER_THAN for end in p.phrases(at, table)]
    for begin, relation in older:
        for one in amount(p, begin):
            if (end := _years_of_age(p, one.end, one.value)) is not None:
                meant: Relation = "<" if relation == ">" else ">"
                yield Found(end, of_age(p, ref, meant, int(one.value.value)), one.cost + 0.1)
    for test in quantity_test(p, start):
        end, least, until = _years_of_age(p, test.end, test.value.amount), test.value.amount.value, test.value.until
        if end is None or not test.value.compared:
            continue
        if until is not None:  # between 30 and 40: those of 40 are not 41 yet
            most = of_age(p, ref, ">", int(until.value) + 1)
            yield Found(end, both(of_age(p, ref, "<", int(least)), most) or most, test.cost + 0.1)
            continue
        relation = "<" if test.value.relation in (">", ">=") else ">"
        yield Found(end, of_age(p, ref, relation, int(least)), test.cost + 0.1)


def _years_of_age(p: Parse, at: int, age: Amount) -> int | None:
    """After a number of years that somebody can be old."""
    said = age.unit in (None, "years") and age.money is None
    if not said or not float(age.value).is_integer() or not 0 < age.value <= _OLDEST:
        return None
    end = p.past(at, ("years", "year"))
    return p.past(end, ("old", "of", "age") if p.word(end) in ("old", "of") else ())


def _of_people(p: Parse, at: int) -> bool:
    """Whether the noun right before says who they are: `over 60` is then how old they are."""
    named = any(isinstance(one.payload, EntityWord) for one in p.ending(at))
    return named or (at > 0 and p.word(at - 1) in english.PEOPLE)


def _units_of(p: Parse, at: int, ref: FieldRef, test: QuantityTest) -> Iterator[int]:
    """After `late` of `5 hours late`, where a field is called `minutes late`."""
    unit = find_unit(test.amount.unit or "")
    for phrase in ref.field.words if unit is not None else ():
        first, *rest = phrase.casefold().split()
        said = find_unit(first) if rest else None
        same = said is not None and unit is not None and said.dimension == unit.dimension
        if same and (end := p.phrase(at, *rest)) is not None:
            yield end


RULES = (quantity, dated, done_in, so_many_times, compared_by_degree, year_number, of_people_aged, on_weekdays)
