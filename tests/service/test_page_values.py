"""The page shows values in the forms of `qlc.outcome.tables`, and reads and shows times by the clock of the reader."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from qlc.base.currencies import CURRENCIES
from qlc.base.units import UNITS
from qlc.outcome.amounts import amount, cell
from tests.service.test_browser import address, browser, opened, query, say

__all__ = ["address", "browser"]  # fixtures

ZONE = "America/New_York"
NUMBERS = (0, 1, 7, -3, 59.5, 90, 1000, 1234567, 0.5, 2.345, 50.5, 0.004, 0.00004321, -0.0000007, -0.0, 999.96, 61,
           3599.6, 86399, 100000, 7.25, 2**40, 1.0834, 10 / 3, 0.05556, 0.1 + 0.2, 52.520008, 0.0001234567,
           1e-4)  # fmt: skip


@pytest.fixture(scope="module")
def abroad(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address, timezone_id=ZONE) as page:
        page.goto("/")
        yield page


def test_an_amount_is_shown_as_everywhere_else(abroad: Page) -> None:
    units = [None, "fraction", "widgets", "XQZ", *(unit.name for unit in UNITS), *sorted(CURRENCIES)]
    asked = [[value, unit] for unit in units for value in NUMBERS]
    shown = abroad.evaluate(
        "async (asked) => { const { amount } = await import('/static/format.js');"
        " return asked.map(([value, unit]) => amount(value, unit ?? undefined)); }", asked)  # fmt: skip
    right = [amount(value, unit) for value, unit in asked]  # type: ignore[arg-type]
    assert [(*one, text) for one, text in zip(asked, shown, strict=True)] == [
        (*one, text) for one, text in zip(asked, right, strict=True)]  # fmt: skip


def test_a_value_without_a_unit_is_shown_as_everywhere_else(abroad: Page) -> None:
    asked: list[list[Any]] = [[value, name] for name in ("count", "tax_year") for value in (*NUMBERS, 2024, True, None)]
    shown = abroad.evaluate(
        "async (asked) => { const { cell } = await import('/static/format.js');"
        " return asked.map(([value, name]) => cell(value, { name })); }", asked)  # fmt: skip
    assert shown == [cell(value, name) for value, name in asked]


def test_a_whole_number_of_any_length_keeps_its_digits(abroad: Page) -> None:
    digits = "9007199254740993"
    shown = abroad.evaluate(
        "async (digits) => { const { parsed } = await import('/static/api.js');"
        " return parsed(`{\"at\": ${digits}, \"one\": 1, \"part\": 1.5}`); }", digits)  # fmt: skip
    assert shown == {"at": digits, "one": 1, "part": 1.5}


DAY = "find documents where created = 2025-05-06"


def test_the_rows_that_are_saved_and_explained_are_those_that_are_shown(abroad: Page, address: str) -> None:
    """A day has other rows in another zone: in UTC this one has other files than in New York."""
    query(abroad, f"{DAY} show name, created")
    abroad.locator(".result tbody tr").first.wait_for()
    names = abroad.locator(".result tbody th").all_inner_texts()
    times = abroad.locator(".result tbody td").all_inner_texts()
    assert all(time.startswith("2025-05-06 ") for time in times)
    with abroad.expect_download() as saved:
        abroad.get_by_role("button", name="Save as CSV").click()
    assert len(saved.value.path().read_text("utf-8").splitlines()) == len(names) + 1

    abroad.goto(f"/#/explain?q={DAY} show name")
    explained = abroad.locator(".outcome tbody th")
    explained.first.wait_for()
    assert explained.all_inner_texts() == names[: explained.count()]
    assert ZONE in str(abroad.locator("details.stage").filter(has_text="From the command line").text_content())

    abroad.goto("/#/ask")
    turn = say(abroad, DAY)
    with abroad.expect_download() as saved:
        turn.get_by_role("button", name="Save as CSV").click()
    assert len(saved.value.path().read_text("utf-8").splitlines()) == len(names) + 1
