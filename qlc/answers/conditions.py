"""Amounts of a question as conditions in the query language, each on the field that it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from qlc.base.units import find_unit
from qlc.corpus.schema import CorpusSchema, FieldPart
from qlc.corpus.values.synonyms import END
from qlc.grammar.printer import print_string
from qlc.language.comparisons import Comparison, is_year
from qlc.language.quantities import named_currency
from qlc.language.reporting_periods import reporting_periods
from qlc.language.stems import stem
from qlc.language.units import convert, unit_of
from qlc.outcome.amounts import spelled_unit

from .decomposition import Constraint, Operator
from .linking import Linked
from .terms import noun_stem, stems
from .vocabulary import LEAST, LinkedField, is_plain, phrases


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in the query language, the field it is on, and the part of the question that says so.

    `others` are further fields, where one of several conditions is enough: `(ends < today or state = "void")`.
    """

    field: str
    text: str
    raw: str
    constraint: Constraint | None = None
    others: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field, *self.others)


@dataclass(frozen=True, slots=True)
class Open:
    """An amount that no condition is made of, and the fields that it could be about."""

    text: str
    fields: tuple[str, ...]
    bound: Comparison


def bounded(
    bound: Comparison, bucket: str, fields: list[LinkedField], question: Linked, schema: CorpusSchema
) -> Condition | Open:
    """Return the condition for an amount, or the amount as `Open` if its field is unclear.

    The field is the nearest one that the question names, else the only field that the amount fits, else one with a
    general name: the `date`, the `total`.
    """
    fitting = {name: part for name, part in declared_fields(bucket, schema).items() if can_be(bound, part)}
    if (year := _of_year(bound, bucket, question, schema)) is not None:
        return year
    said = named_currency(bound.text) if not fitting and bound.quantity.kind == "measure" else None
    if said is not None:  # pounds of money, where nothing has a weight
        bound = replace(bound, quantity=replace(bound.quantity, kind="money", unit=said[0]))
        fitting = {name: part for name, part in declared_fields(bucket, schema).items() if can_be(bound, part)}
    linked = [one for one in fields if one.name in fitting and one.used]
    language = question.language
    said_words = re.findall(r"[^\W\d_]+", bound.text)  # those of its unit tell no field: `under 60 days`
    spoken = {noun for word in said_words if (noun := noun_stem(word, language)) != stem(word, language)}
    by_adjective = [name for name, part in fitting.items()
                    if any(spoken & stems(phrase, language) for phrase in phrases(name, part))]  # fmt: skip
    if len(by_adjective) == 1:  # `narrower than 1 m`
        name = by_adjective[0]
    elif linked:
        name = min(linked, key=lambda one: (min(abs(at - bound.start) for at in one.used), -one.score)).name
    elif len(fitting) == 1 and _is_telling(bound, next(iter(fitting.values())), question):
        name = next(iter(fitting))
    elif len(plain := [one for one in fitting if is_plain(one, bucket, schema, question.language)]) == 1:
        name = plain[0]
    else:
        return Open(bound.text, tuple(fitting), bound)
    return condition_of(name, fitting[name], bound)


def _is_telling(bound: Comparison, part: FieldPart, question: Linked) -> bool:
    """Return whether an amount can be about no other field than the only one that it fits.

    It has a unit, is a day or a year, or follows the noun for documents with one sum: `invoices over 20,000`.
    """
    if bound.quantity.unit or bound.quantity.kind == "date" or is_year(bound.quantity, bound.text):
        return True
    before = re.search(r"(\w+)\s+$", question.text[: max(question.text.find(bound.text), 0)])
    return part.type == "money" and before is not None and before.start(1) in question.bucket_words


def _of_year(bound: Comparison, bucket: str, question: Linked, schema: CorpusSchema) -> Condition | Open | None:
    """Return the condition of a reporting year on the only field that is called so: `FY 2022` -> `fiscal_year = 2022`.

    A fiscal year is no calendar year, so it is open where no field or several are called so. None for other amounts.
    """
    periods = reporting_periods(bound.text)
    if not periods or not periods[0].year or periods[0].months != 12:
        return None
    wanted = {stem("fiscal", question.language), stem("year", question.language)}
    named = {
        name: part for name, part in declared_fields(bucket, schema).items()
        if part.type in ("number", "name", "text")
        and any(stems(phrase, question.language) in ({*wanted}, wanted - {stem("fiscal", question.language)})
                for phrase in phrases(name, part))
    }  # fmt: skip
    if len(named) != 1:
        return Open(bound.text, tuple(named), bound) if periods[0].is_fiscal else None
    (name, part), year = next(iter(named.items())), periods[0].year
    text = f"{name} = {year}" if part.type == "number" else f"{name} contains {print_string(str(year))}"
    operator: Operator = "=" if part.type == "number" else "contains"
    return Condition(name, text, bound.text, Constraint(field=name, operator=operator, value=year, raw_text=bound.text))


def condition_of(name: str, part: FieldPart, bound: Comparison) -> Condition:
    text, value = compared(name, part, bound)
    operator: Operator = "in" if bound.period and bound.operator == "=" else bound.operator
    return Condition(
        name, text, bound.text, Constraint(field=name, operator=operator, value=value, raw_text=bound.text)
    )


def declared_fields(bucket: str, schema: CorpusSchema) -> dict[str, FieldPart]:
    """The fields of a bucket that everyone may see."""
    return {name: one for name, one in schema.fields(bucket).items() if not one.sensitive}


def can_be(bound: Comparison, part: FieldPart) -> bool:
    """Whether a field can have an amount: it is of its kind, and of its dimension."""
    amount = bound.quantity
    match amount.kind:
        case "date":
            return part.type == "date"
        case "money":
            return part.type == "money"
        case "measure":
            if part.type == "money":
                return amount.unit in _CURRENCIES_OF_UNITS
            target = unit_of(part.unit or ("days" if part.type == "duration" else ""))
            if part.type not in ("number", "duration") or target is None:
                return False
            return convert(amount.number, amount.unit, target) is not None
        case _:
            return part.type == "date" if is_year(bound.quantity, bound.text) else part.type in ("number", "money")


_CURRENCIES_OF_UNITS = {"lb": "GBP"}
"""Words for currencies that are words for units, too: pounds."""


def compared(name: str, part: FieldPart, bound: Comparison) -> tuple[str, object]:
    """An amount as a condition on a field, and as the value of a constraint."""
    amount, sign = bound.quantity, bound.operator
    if bound.period:
        return f"{name} {'in' if sign == '=' else sign} {bound.period}", bound.period
    if amount.kind == "date":
        assert amount.date is not None
        return f"{name} {sign} {amount.date.isoformat()}", amount.date.isoformat()
    if part.type == "date":
        return f"{name} {'in' if sign == '=' else sign} {int(amount.number)}", int(amount.number)
    number = f"{amount.number.normalize():f}"
    if part.type == "money" and amount.unit:
        code = _CURRENCIES_OF_UNITS.get(amount.unit, amount.unit)
        return f"{name} {sign} {number} and {name}_currency = {print_string(code)}", f"{number} {code}"
    unit = spelled_unit(amount.unit)
    if unit and find_unit(unit) is None and (target := unit_of(part.unit)):  # the language does not know it
        converted = convert(amount.number, amount.unit, target)
        number, unit = f"{converted:f}" if converted is not None else number, ""
    return f"{name} {sign} {number} {unit}".rstrip(), f"{number} {unit}".rstrip()


_PAST = re.compile(
    r"\b(?:(?:ha(?:s|ve) |is |are )?(?:already )?(?:expired|lapsed|overdue|run out|ran out|out of date)"
    r"(?: by now| already)?"
    r"|(?:no longer|not) (?:valid|in force)(?: any ?more| any longer)?)\b", re.IGNORECASE
)  # fmt: skip
_LASTS = frozenset(stem(one) for one in ("expiry", "expires", "valid", "until"))


def lapsed(linked: Linked, fields: list[LinkedField], bucket: str, schema: CorpusSchema
           ) -> tuple[Condition | None, range]:  # fmt: skip
    """Return the condition `date < today` for documents that "have expired", and where the question says so.

    The date is the one that the question names, else the only one that is called the end of something. None if there
    are several.
    """
    said = _PAST.search(linked.text)
    if said is None or linked.intent not in ("list", "compute"):
        return None, range(0)
    named = [one.name for one in fields if one.part.type == "date" and one.used & {*range(*said.span())}]
    if "overdue" in said[0].lower():
        named = named or [one.name for one in fields if one.part.type == "date" and one.score >= LEAST]
        ends = [name for name, part in declared_fields(bucket, schema).items() if part.type == "date"
                and END.search(" ".join((*phrases(name, part), part.description)))]  # fmt: skip
        named = [name for name in named if name in ends] or ends
    else:
        dates = {name: part for name, part in declared_fields(bucket, schema).items() if part.type == "date"}
        named = named or [
            name for name, part in dates.items()
            if _LASTS & stems(" ".join((name.replace("_", " "), *part.labels, *part.words)), linked.language)
        ]  # fmt: skip
    if len(named) != 1:
        return None, range(0)
    constraint = Constraint(field=named[0], operator="<", value="today", raw_text=said[0])
    return Condition(named[0], f"{named[0]} < today", said[0], constraint), range(*said.span())
