"""Changes of an earlier search that are said in few words: what each becomes, and what is not guessed."""

from collections.abc import Callable

import pytest

from qlc.translator.entry import Asker
from qlc.translator.protocol import Turn
from tests.tables import rows

from .dialogues import NOW
from .test_follow_ups import said

COSTCO = 'find documents where type = "Receipt" and vendor = "Costco" and created = 2025'
LEASES = 'find documents where type = "Lease"'
INVOICES = 'find documents where type = "Invoice" and vendor = "Globex" and created = 2025'
EXPIRING = 'find documents where type = "Lease" and expires = this year'


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("just the ones for Dana Ortiz", 'find documents where type = "Payslip"'),  # none has a vendor
        ("the longest first", 'find documents where type = "Handbook"'),  # none has a duration
        ("who's the counterparty?", LEASES),  # of which one?
        ("how many of each?", COSTCO),
    ],
)
def test_a_field_that_they_never_have_is_not_guessed(asker: Callable[[str], Asker], text: str, program: str) -> None:
    assert said(asker, text, program).kind == "declined"


def test_big_is_asked_about_where_only_what_is_cheap_was_wanted(asker: Callable[[str], Asker]) -> None:
    receipts = 'find documents where type = "Receipt" and amount {} 500'
    assert said(asker, "biggest first", receipts.format(">")).program.endswith("sort amount desc")
    asked = said(asker, "biggest first", receipts.format("<"))
    assert [option.id.rsplit("sort ")[-1] for option in asked.options] == ["amount desc", "size desc"]


@pytest.mark.parametrize("text", ["just the reports", "only the reports"])
def test_a_part_of_what_was_not_understood_is_not_known(asker: Callable[[str], Asker], text: str) -> None:
    unknown = {"text": "frobnicate the glimmer"}
    assert said(asker, text, COSTCO, unknown).kind == "declined"
    assert said(asker, "just show me the reports", COSTCO, unknown).program.endswith('type = "Report"')


def test_rows_are_narrowed_by_what_they_are_grouped_by(asker: Callable[[str], Asker]) -> None:
    before = asker("flights").compiler.run("avg(price) of flights by dest_country", now=NOW["flights"])
    turn = Turn("average price by destination country", before.query, before.model_dump(mode="json"), number=1)
    became = asker("flights").program_of("only Germany and Italy", history=[turn], now=NOW["flights"])
    assert became.program == 'avg(price) of flights where dest_country in ["DE", "IT"] by dest_country'


def test_the_list_is_gone_back_to_over_what_was_asked_of_it(asker: Callable[[str], Asker]) -> None:
    for text in ("back to the list", "show me that list again"):
        assert said(asker, text, COSTCO, 'avg(pages) of documents where type = "Receipt"').program == COSTCO


def test_the_last_of_a_list_of_which_a_part_was_shown(asker: Callable[[str], Asker]) -> None:
    outcome = said(asker, "who owns the last one?", LEASES)
    assert outcome.kind == "declined"
    assert outcome.notes[0].startswith("The list has 40, and 10 are shown. Say 'number 10'")
    told = {"text": "who owns the last one?", **outcome.model_dump(mode="json")}
    assert said(asker, "only the signed ones", LEASES, told).program == LEASES + " and signed = true"


MODIFIED, CREATED = "find documents where modified = last month", "find documents where created = last month"
PATH = 'find documents where folder = "Globex > Invoices"'
DELAYED = "find flights where delayed = true"


@pytest.mark.parametrize(
    ("before", "text", "end"),
    rows(__file__, "test_an_unnamed_field_is_that_of_the_earlier_search"),
)
def test_an_unnamed_field_is_that_of_the_earlier_search(
    asker: Callable[[str], Asker], before: str, text: str, end: str
) -> None:
    data = "flights" if before == DELAYED else "drive"
    assert said(asker, text, before, data=data).program.endswith(f"where {end}")


@pytest.mark.parametrize("text", ["and the ones Tom Baker owns", "and those Tom Baker owns"])
def test_further_ones_may_be_added(asker: Callable[[str], Asker], text: str) -> None:
    asked = said(asker, text, 'find folders where creator = "Grace Kim"')
    ends = [option.id.rsplit('"Grace Kim" ')[-1] for option in asked.options]
    assert ends == ['and owner = "Tom Baker"', 'or owner = "Tom Baker"']
