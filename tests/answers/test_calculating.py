"""Calculations over cells: scale, constants of units, powers, the periods of the operands, changes told without one."""

from decimal import Decimal

import pytest

from qlc.answers.calculating import calculated
from qlc.answers.grounding import counted, unfounded
from qlc.answers.placing import QuotedCells, Source, change_of, quoted_cells
from tests.tables import rows, table

PAGE = """Consolidated statement of income
(in millions)\t2019\t2018\t2016
Turnover\t$ 8,240\t$ 7,515\t$ 6,180
Cost of goods\t5,110\t4,702\t3,930
Trade payables\t630\t588\t512
Staff\t41\t40\t38"""
ASKED = "How did turnover, gross profit, cost of goods and trade payables of the company grow on average?"
LINES = PAGE.split("\n")[2:]
ALL = [" ".join(line.split()) for line in LINES]


def cells(*quotes: str) -> QuotedCells:
    return quoted_cells([Source(quote, PAGE) for quote in quotes or ALL])


RIGHT = table(__file__, "RIGHT")
WRONG = rows(__file__, "WRONG")


@pytest.mark.parametrize(("expression", "text"), RIGHT.items(), ids=RIGHT)
def test_a_calculation_over_cells(expression: str, text: str) -> None:
    result = calculated(expression, ALL, text, "", cells())
    assert unfounded(text, ALL, ("Annual report",), result, "", ASKED, cells()) == []


@pytest.mark.parametrize(("expression", "said"), WRONG.items(), ids=WRONG)
def test_a_calculation_that_does_not_give_what_is_said(expression: str, said: tuple[str, str]) -> None:
    text, why = said
    if why:
        with pytest.raises(ValueError, match=why):
            calculated(expression, ALL, text, "", cells())
        return
    result = calculated(expression, ALL, text, "", cells())
    assert unfounded(text, ALL, ("Annual report",), result, "", ASKED, cells())


@pytest.mark.parametrize(
    ("text", "holds"),
    rows(__file__, "test_a_change_that_is_told_without_a_calculation_is_computed"),
)
def test_a_change_that_is_told_without_a_calculation_is_computed(text: str, holds: bool) -> None:
    quoted = cells(ALL[0])
    expression = change_of(text, counted(text), quoted)
    assert expression
    result = calculated(expression, ALL[:1], text, "", quoted)
    assert (unfounded(text, ALL[:1], ("Annual report",), result, "", ASKED, quoted) == []) == holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Turnover rose from $7,515 million in 2018 to $8,240 million in 2019.", True),
        ("Turnover fell from $7,515 million in 2018 to $8,240 million in 2019.", False),
        ("Turnover of $8,240 million in 2019 was up on $7,515 million in 2018.", True),
        ("Turnover of $8,240 million in 2019 was down on $7,515 million in 2018.", False),
    ],
)
def test_a_direction_is_that_of_the_cells(text: str, holds: bool) -> None:
    assert (unfounded(text, ALL[:1], ("Annual report",), None, "", text, cells(ALL[0])) == []) == holds


def test_a_constant_of_the_question_may_be_used() -> None:
    asked = "What is the turnover of 2019 at 1.25 EUR for a dollar?"
    said = "That is EUR 10,300 million in 2019."
    assert calculated("8240 * 1.25", ALL, said, asked, cells()) == Decimal(10_300_000_000)


@pytest.mark.parametrize(
    ("expression", "text", "asked", "quote", "result"),
    [
        ("500 * 12", "The rent is EUR 6,000 a year.", "What is the annual rent?", "The monthly rent is EUR 500.", 6000),
        ("500 * 3", "For three months EUR 1,500.", "What is the rent of three months?", "Monthly rent: EUR 500", 1500),
        ('count("Ann Lee", "Bo Orr")', "Two people signed.", "How many signed?", "Signed by Ann Lee and Bo Orr", 2),
        ('count("Ann Lee", "Cy Orr")', "Two people signed.", "How many signed?", "Signed by Ann Lee and Bo Orr", None),
        ('count("Ann Lee", "ann lee")', "Two people signed.", "How many signed?", "Signed by Ann Lee", None),
        ('count("Ann Lee", 4)', "Two people signed.", "How many signed?", "Ann Lee signed all 4 pages", None),
        ('sum("Ann Lee", 4)', "Four people signed.", "How many signed?", "Ann Lee signed all 4 pages", None),
    ],
)
def test_numbers_of_the_question_times_and_counts_of_what_is_cited(
    expression: str, text: str, asked: str, quote: str, result: int | None
) -> None:
    if result is None:
        with pytest.raises(ValueError, match=r"it |is not in"):
            calculated(expression, [quote], text, asked)
    else:
        assert calculated(expression, [quote], text, asked) == result


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The power in March is 14 kW.", True), ("The power in March is 18.8 hp.", True),
        ("The power in March is 19 hp.", True), ("The power in March is 14 hp.", False),
        ("The power in March is 14 bar.", False), ("The pressure in March is 3 bar.", True),
        ("The pressure in March is 3 kW.", False), ("The power in January is 14 kW.", False),
    ],
)  # fmt: skip
def test_a_number_has_the_unit_of_its_row_across_empty_cells(text: str, holds: bool) -> None:
    page = "Item\tUnit\tJanuary\tFebruary\tMarch\nPower\tkW\t12\t\t14\nPressure\tbar\t\t\t3"
    quotes = page.split("\n")[1:]
    quoted = quoted_cells([Source(quote, page) for quote in quotes])
    question = "What are the power and the pressure in January and in March?"
    assert (unfounded(text, quotes, ("Boiler",), None, "", question, quoted) == []) == holds
