"""Two values beside each other: by how much they differ, or how many times the one is the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from qlc.base.words.sentences import listed
from qlc.corpus.values.units import convert, unit_of
from qlc.outcome import Answer, Cell, Claim, Declined, Outcome
from qlc.outcome.tables import cell_text

from .cells import found_documents, in_unit, plain_number, read_as, shown
from .naming import are_alternatives
from .planning import Plan
from .searching import Searches
from .structured import value


def compared(plan: Plan, searches: Searches) -> Outcome | None:
    """The difference or the ratio of two values: of a field of two documents, or of two fields of one."""
    if plan.topic or plan.linked.unit == "%":
        return None
    sides = _sides(plan)
    if len(sides) != 2:
        return None
    answers: list[Answer] = []
    for side in sides:
        _, documents = found_documents(side, searches)
        found = value(side, documents, searches)
        if not isinstance(found, Answer) or len(found.values) != 1:
            return found if not isinstance(found, Answer) else None
        answers.append(found)
    first, second = answers
    is_one_place = first.values[0].citations == second.values[0].citations
    apart = _apart(plan, first.values[0], second.values[0]) if not is_one_place else None
    if apart is None:
        known = listed([one.message.rstrip(".") for one in answers])
        return Declined(message=f"{known}: these cannot be compared.", query=shown(plan))
    claims = [*first.claims, *second.claims]
    cited = [one for claim in claims for one in claim.citations]
    text = _said(plan, apart, first, second)
    values = [apart.model_copy(update={"citations": cited})]
    return Answer(
        message=" ".join([text, *(one.text for one in claims)]), query=shown(plan),
        claims=[Claim(text=text, citations=cited), *claims], values=values, computed=True,
        covered=list(dict.fromkeys((*first.covered, *second.covered))), notes=read_as(plan),
    )  # fmt: skip


def _sides(plan: Plan) -> list[Plan]:
    """What is compared, each as a plan of its own."""
    linked = replace(plan.linked, intent="qa", measure="")
    if len(plan.asked) == 2:
        return [replace(plan, linked=linked, asked=(one,)) for one in plan.asked]
    if len(plan.asked) != 1:
        return []
    names = sorted(plan.names, key=lambda one: min(one.used))
    cuts = [at for at in range(1, len(names)) if are_alternatives(names[at - 1], names[at], plan.linked.text)]
    if len(cuts) != 1:
        return []
    return [replace(plan, linked=linked, names=tuple(part)) for part in (names[: cuts[0]], names[cuts[0] :])]


def _apart(plan: Plan, one: Cell, other: Cell) -> Cell | None:
    """The difference or the ratio of two values; None where they have none."""
    first, second = one.value, other.value
    if isinstance(first, str) and isinstance(second, str):
        if plan.linked.measure == "ratio" or not (_is_day(first) and _is_day(second)):
            return None
        days = abs((date.fromisoformat(first) - date.fromisoformat(second)).days)
        return in_unit(Cell(value=days, unit="days"), plan.linked)
    if not isinstance(first, int | float) or not isinstance(second, int | float) or isinstance(first, bool):
        return None
    number = Decimal(str(second))
    if one.unit != other.unit:
        converted = convert(number, unit_of(other.unit) or other.unit, unit_of(one.unit) or one.unit)
        if converted is None:
            return None
        number = converted
    if plan.linked.measure == "ratio":
        return Cell(value=plain_number(Decimal(str(first)) / number)) if number else None
    return Cell(value=plain_number(abs(Decimal(str(first)) - number)), unit=one.unit)


def _is_day(text: str) -> bool:
    return len(text) == 10 and text[4] == "-"


def _said(plan: Plan, apart: Cell, first: Answer, second: Answer) -> str:
    """The result in words: which of both is more, too, where they are of two documents."""
    called = listed([one.called for one in plan.asked])
    if plan.linked.measure == "ratio":
        return f"Ratio of {called}: {cell_text(apart)}."
    more = ""
    if len(plan.asked) == 1 and apart.value:
        names = [" ".join(name.text for name in side.names) for side in _sides(plan)]
        one, other = first.values[0].value, second.values[0].value
        more = f"; {names[0] if one > other else names[1]} has {'the later one' if isinstance(one, str) else 'more'}"
    return f"Difference of {called}: {cell_text(apart)}{more}."
