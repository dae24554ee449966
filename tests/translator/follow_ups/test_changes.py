"""Changes of an earlier search that are said in few words: what each becomes, and what is not guessed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qlc.translator.entry import Asker
from qlc.translator.protocol import Turn

from .dialogues import NOW
from .test_follow_ups import COSTCO, LEASES, said

INVOICES = 'find documents where type = "Invoice" and vendor = "Globex" and created = 2025'
EXPIRING = 'find documents where type = "Lease" and expires = this year'


@pytest.mark.parametrize(
    ("text", "program", "meant"),
    [
        # what it comes to
        ("how much is that in all?", INVOICES,
         'sum(amount) of documents where type = "Invoice" and vendor = "Globex" and created = 2025'),
        ("what do they come to?", EXPIRING,
         'sum(contract_value) of documents where type = "Lease" and expires = this year'),
        ("how big are they in total?", EXPIRING, 'sum(size) of documents where type = "Lease" and expires = this year'),
        ("which is the most valuable?", EXPIRING, EXPIRING + " sort contract_value desc limit 1"),
        # the order
        ("largest ones first", COSTCO, COSTCO + " sort size desc"),
        ("show the newest first", COSTCO, COSTCO + " sort created desc"),
        ("newest first", 'count documents where type = "NDA"', 'find documents where type = "NDA" sort created desc'),
        # bounds
        ("under 800 as well", 'find documents where type = "Medical Bill" and amount > 400',
         'find documents where type = "Medical Bill" and amount > 400 and amount < 800'),
        ("over 800 as well", 'find documents where type = "Medical Bill" and amount < 400',
         'find documents where type = "Medical Bill" and (amount < 400 or amount > 800)'),
        # the period beside it
        ("and the year before?", 'find documents where type = "Lease" and created = last year',
         'find documents where type = "Lease" and created = 2024'),
        ("the year before that", 'find documents where type = "W2" and tax_year = 2024',
         'find documents where type = "W2" and tax_year = 2023'),
        ("and the month before?", 'find documents where type = "Receipt" and created = 2025-01',
         'find documents where type = "Receipt" and created = 2024-12'),
        ("and the month before?", 'find documents where type = "Receipt" and created = last month',
         'find documents where type = "Receipt" and created = 2026-01'),
        ("the following quarter", 'find documents where type = "Invoice" and created = 2025-Q4',
         'find documents where type = "Invoice" and created = 2026-Q1'),
        ("and the day after?", 'find documents where type = "Receipt" and created = 2024-02-28',
         'find documents where type = "Receipt" and created = 2024-02-29'),
        # what things are in place of what they were said to be
        ("what about starred ones?", 'find documents where owner = "Grace Kim" and locked = true',
         'find documents where owner = "Grace Kim" and starred = true'),
        # a bound in the place of a bound, and a length in that of a length
        ("5 MB", 'find documents where type = "Design Asset" and size > 20 MB',
         'find documents where type = "Design Asset" and size > 5 MB'),
        ("and the next 30?", 'find documents where type = "Lease" and expires = next 90 days',
         'find documents where type = "Lease" and expires = next 30 days'),
        # of what things are found by
        ("only folders created since 2024", 'count documents where folder in (find folders where owner = "Tom Baker")',
         'find folders where owner = "Tom Baker" and created >= 2024'),
        ("list Hannah Fischer's", 'count documents where type = "Payslip" by owner',
         'find documents where type = "Payslip" and owner = "Hannah Fischer"'),
        ("drop the ones from Staples", 'find documents where vendor in ["Costco", "Staples"]',
         'find documents where vendor in ["Costco", "Staples"] and vendor != "Staples"'),
        ("show all policies again", 'find documents where type = "Insurance Policy" and expires = next 90 days',
         'find documents where type = "Insurance Policy"'),
        ("make that 2022 and 2023", 'find documents where type = "W2" and tax_year = 2024',
         'find documents where type = "W2" and (tax_year = 2022 or tax_year = 2023)'),
        ("including subfolders", 'count documents where folder = "Scans"',
         'count documents where folder under "Scans"'),
        # numbers and groups
        ("average", 'find documents where type = "Purchase Order"',
         'avg(amount) of documents where type = "Purchase Order"'),
        ("sum instead of count", 'count documents where type = "Medical Bill" by vendor',
         'sum(amount) of documents where type = "Medical Bill" by vendor'),
        ("and the dearest?", 'find documents where type = "Purchase Order" sort amount limit 1',
         'find documents where type = "Purchase Order" sort amount desc limit 1'),
        ("total by vendor", 'find documents where type = "Receipt" and created = 2024',
         'sum(amount) of documents where type = "Receipt" and created = 2024 by vendor'),
        ("how many?", 'count documents where type = "Receipt" by creator sort count desc limit 1',
         'count documents where type = "Receipt" by creator sort count desc limit 1'),
        ("which vendors?", 'count documents where type = "Receipt" and created = 2024',
         'count documents where type = "Receipt" and created = 2024 by vendor'),
        ("who are the vendors?", INVOICES.replace(' and vendor = "Globex"', ""),
         'count documents where type = "Invoice" and created = 2025 by vendor'),
        ("which owners are those?", LEASES, 'count documents where type = "Lease" by owner'),
        ("February", 'find documents where type = "Report" and created = 2025-01',
         'find documents where type = "Report" and created = 2025-02'),
        ("2026-01-05", 'find documents where type = "Receipt" and created = 2025-01',
         'find documents where type = "Receipt" and created = 2026-01-05'),
        ("what about yesterday?", 'find documents where type = "Receipt" and created = 2025-01',
         'find documents where type = "Receipt" and created = yesterday'),
        ("on Monday", 'find documents where type = "Receipt" and created = 2025-03',
         'find documents where type = "Receipt" and created = 2026-03-09'),
        # what need not be
        ("it doesn't have to be from Globex", INVOICES, 'find documents where type = "Invoice" and created = 2025'),
        ("no need for the year", INVOICES, 'find documents where type = "Invoice" and vendor = "Globex"'),
        ("try without the date", INVOICES, 'find documents where type = "Invoice" and vendor = "Globex"'),
        ("try without Globex", INVOICES, 'find documents where type = "Invoice" and created = 2025'),
        # groups of what was said
        ("how many of each?", 'find documents where type = "W2" and (tax_year = 2024 or tax_year = 2023)',
         'count documents where type = "W2" and (tax_year = 2024 or tax_year = 2023) by tax_year'),
        ("and how many of each one?", 'find documents where vendor in ["Costco", "Staples"]',
         'count documents where vendor in ["Costco", "Staples"] by vendor'),
    ],
)  # fmt: skip
def test_what_is_said_in_few_words(asker: Callable[[str], Asker], text: str, program: str, meant: str) -> None:
    assert said(asker, text, program).program == meant


def test_a_property_of_one_of_them_is_asked_for_by_how_large_it_is(asker: Callable[[str], Asker]) -> None:
    for text in ("how high is the contract value of the second one?", "what is the contract value of the second?"):
        assert said(asker, text, EXPIRING).program.endswith(".contract_value")
    assert said(asker, "who's the counterparty of the first one?", EXPIRING).program.endswith(".counterparty")


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
    unknown = Turn("frobnicate the glimmer", "", {"kind": "declined", "message": ""})
    assert said(asker, text, COSTCO, after=[unknown]).kind == "declined"
    assert said(asker, "just show me the reports", COSTCO, after=[unknown]).program.endswith('type = "Report"')


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
    told = Turn("who owns the last one?", "", outcome.model_dump(mode="json"))
    assert said(asker, "only the signed ones", LEASES, after=[told]).program == LEASES + " and signed = true"
