"""The page in a real browser (Debian's Chromium): what people do with it by mouse and keyboard, and what it loads."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import PIL.Image
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route, expect, sync_playwright

from qlc.grammar import parse
from qlc.service.catalog import outlined
from tests.service.test_serving import serving
from tests.service.test_ui import files, mixed
from tests.tables import table

__all__ = ["files", "mixed"]  # fixtures

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is not installed: make browser-setup")
        pytest.skip("Chromium is not installed: make browser-setup")
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("--demo") as (_, address):
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with opened(browser, address) as page:
        yield page


@contextmanager
def opened(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """A page of its own session. It loads nothing from elsewhere, and nothing breaks on it."""
    problems: list[str] = []

    def loaded(one: Request) -> None:
        if not one.url.startswith((address, "blob:", "data:")):
            problems.append(one.url)

    def logged(one: ConsoleMessage) -> None:
        if "Content Security Policy" in one.text:
            problems.append(one.text)

    context = browser.new_context(base_url=address, **options)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.on("request", loaded)
    page.on("console", logged)
    yield page
    context.close()
    assert problems == []


def say(page: Page, text: str) -> Any:
    """The turn that a message makes, when it is answered."""
    count = page.locator(".turn").count()
    page.get_by_label("Your question").fill(text)
    page.keyboard.press("Enter")
    turn = page.locator(".turn").nth(count)
    expect(turn.locator(".outcome, .problem").first).to_be_visible()
    return turn


def query(page: Page, program: str) -> None:
    page.goto(f"/#/query?q={quote(program)}")
    expect(page.get_by_label("Query", exact=True)).to_have_value(program)


# --- asking ----------------------------------------------------------------------------------------------------------


def test_a_conversation_with_rows_a_chart_and_a_question_back(page: Page) -> None:
    page.goto("/")
    turn = say(page, "documents per month in 2025")
    expect(turn.locator("tbody tr")).to_have_count(12)
    expect(turn.get_by_role("img", name="count by month").locator("circle")).to_have_count(12)
    turn = say(page, "files for Contoso")
    turn.get_by_role("button", name="vendor is 'Contoso'").click()
    chosen = page.locator(".turn").nth(2)
    expect(chosen.locator(".said")).to_have_text("vendor is 'Contoso'")
    expect(chosen.locator("tbody tr")).to_have_count(9)
    narrowed = say(page, "only those from 2020")
    rows = narrowed.locator("tbody tr")
    expect(rows.first).to_contain_text("2020")
    count = rows.count()
    assert 0 < count < 9
    page.reload()
    expect(page.locator(".turn .said")).to_have_text(
        ["documents per month in 2025", "files for Contoso", "vendor is 'Contoso'", "only those from 2020"])
    expect(page.locator(".turn tbody tr")).to_have_count(count)


def test_rows_are_sorted_and_saved_and_read_on(page: Page) -> None:
    page.goto("/")
    turn = say(page, 'find documents where type = "Invoice" sort size desc')
    expect(turn.locator("tbody tr")).to_have_count(10)
    turn.get_by_role("button", name="size", exact=True).click()
    expect(turn.locator("th[aria-sort=ascending]")).to_have_text("size")
    sizes = turn.locator("tbody td.number").all_inner_texts()
    assert sizes == sorted(sizes, key=lambda one: float(one.split()[0]) * {"kB": 1, "MB": 1_000}[one.split()[1]])
    expect(turn.get_by_role("status")).to_have_text(
        "Only the 10 rows shown are sorted. To sort all 1,007, ask: sort by size")  # fmt: skip
    with page.expect_download() as download:
        turn.get_by_role("button", name="Save as CSV").click()
    assert len(Path(download.value.path()).read_text("utf-8").splitlines()) == 1_008
    turn.get_by_role("button", name="Show more").click()
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator(".turn").nth(1).locator("tbody tr")).to_have_count(10)


def test_a_link_asks_and_texts_are_never_read_as_html(page: Page) -> None:
    page.goto(f"/#/ask?q={quote(EVIL)}")
    expect(page.locator(".turn .outcome")).to_be_visible()
    say(page, f'find documents where name = "{EVIL}"')
    assert page.locator("main img").count() == 0
    expect(page.locator(".said").first).to_have_text(EVIL)


def test_what_was_typed_is_not_lost_when_the_service_is_gone(browser: Browser) -> None:
    with serving("--demo") as (process, address), opened(browser, address) as page:
        page.goto("/")
        expect(page.locator(".welcome")).to_be_visible()
        process.kill()
        process.wait()
        turn = say(page, "how many W2s are there?")
        expect(turn.get_by_role("alert")).to_contain_text("does not answer")
        expect(page.get_by_label("Your question")).to_have_value("how many W2s are there?")


def test_an_answer_is_in_view_and_what_belongs_to_earlier_ones_is_off(page: Page) -> None:
    page.goto("/")
    say(page, "files for Contoso")
    turn = say(page, "documents per type")
    expect(turn.locator(".said")).to_be_in_viewport()
    expect(turn.locator(".message")).to_be_in_viewport()
    expect(page.get_by_label("Your question")).to_be_focused()
    expect(page.get_by_role("button", name="vendor is 'Contoso'")).to_be_disabled()
    expect(page.locator("p[role=status]")).to_have_text(turn.locator(".message").inner_text())


def test_the_conversation_is_still_there_after_another_view(page: Page) -> None:
    page.goto("/")
    say(page, "how many W2s are there?")
    say(page, "documents per type")
    page.get_by_role("link", name="Catalog").click()
    expect(page.locator(".kind").first).to_be_visible()
    page.go_back()
    expect(page.locator(".turn .said")).to_have_text(["how many W2s are there?", "documents per type"])
    page.reload()
    expect(page.locator(".turn .said")).to_have_text(["how many W2s are there?", "documents per type"])
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".welcome")).to_be_visible()
    expect(page.locator(".turn")).to_have_count(0)


def test_while_it_works_it_says_so_and_a_late_answer_changes_no_other_view(page: Page) -> None:
    page.goto("/")
    waiting: list[Route] = []
    page.route("**/turns", lambda one: waiting.append(one))
    field = page.get_by_label("Your question")
    field.fill("how many W2s are there?")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".turn")).to_have_count(0)
    expect(field).to_have_value("how many W2s are there?\n")
    page.keyboard.press("Enter")
    expect(page.locator(".turn .working")).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_hidden()
    page.get_by_role("link", name="Catalog").click()
    expect(page.locator(".kind").first).to_be_visible()
    with page.expect_response("**/turns"):
        waiting[0].continue_()
    expect(page).to_have_url(re.compile("#/catalog$"))
    page.get_by_role("link", name="Ask").click()
    expect(page.locator(".turn .message")).to_have_text("143 documents.")

    waiting.clear()
    field.fill("documents per type")
    page.keyboard.press("Enter")
    expect(page.locator(".turn .working")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("alert")).to_have_text("Stopped. Nothing was answered.")
    expect(field).to_have_value("documents per type")


def test_rows_of_a_choice_are_saved(page: Page) -> None:
    page.goto("/")
    say(page, "documents in Tax").locator(".options button").nth(1).click()
    chosen = page.locator(".turn").nth(1)
    expect(chosen.locator("tbody tr")).to_have_count(5)
    for _ in range(2):  # as the last answer, and as an earlier one
        with page.expect_download() as download:
            chosen.get_by_role("button", name="Save as CSV").click()
        assert len(Path(download.value.path()).read_text("utf-8").splitlines()) == 6
        say(page, "documents per type")


def test_the_skip_link_stays_in_its_view(page: Page) -> None:
    page.goto("/#/catalog")
    expect(page.locator(".kind").first).to_be_visible()
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    expect(page).to_have_url(re.compile("#/catalog$"))


# --- queries ---------------------------------------------------------------------------------------------------------


def test_a_finding_is_marked_in_its_place_and_fixed(page: Page) -> None:
    query(page, 'count documents where type = "Invoice" and file_sise > 5 MB')
    expect(page.locator(".marks .error")).to_have_text("file_sise")
    page.locator("form").get_by_role("button", name="Use it").click()
    expect(page.get_by_label("Query", exact=True)).to_have_value(
        'count documents where type = "Invoice" and size > 5 MB'
    )
    expect(page.locator(".marks .error")).to_have_count(0)
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".outcome.count")).to_be_visible()


def test_an_answer_is_marked_while_the_query_is_another_one(page: Page) -> None:
    query(page, "count documents where starred")
    expect(page.locator(".outcome.count")).to_be_visible()
    field, earlier = page.get_by_label("Query", exact=True), page.get_by_text("The query has changed since")
    expect(earlier).to_be_hidden()
    field.press("End")
    field.press_sequentially(" and legal_hold")
    expect(earlier).to_be_visible()
    expect(page.locator(".result.outdated .outcome.count")).to_be_visible()
    field.fill("count documents where starred")
    expect(earlier).to_be_hidden()
    field.fill("count documents where not starred")
    page.keyboard.press("Control+Enter")
    expect(earlier).to_be_hidden()
    expect(page.locator(".result:not(.outdated) .outcome.count")).to_be_visible()


def test_completion_by_keyboard(page: Page) -> None:
    page.goto("/#/query")
    field = page.get_by_label("Query", exact=True)
    field.press_sequentially("count documents where lega")
    option = page.get_by_role("option", name="legal_hold")
    expect(option).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(field).to_have_value("count documents where legal_hold")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".outcome.count .message")).to_contain_text("documents.")


@pytest.mark.parametrize("width", [1200, 390])
def test_completions_cover_no_finding(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/#/query")
    field = page.get_by_label("Query", exact=True)
    field.fill('find documents where statu = "x" and lega')
    finding = page.locator(".findings .diagnostic").first
    expect(finding).to_be_visible()
    page.keyboard.press("Control+ ")
    expect(page.get_by_role("option", name="legal_hold")).to_be_visible()
    boxes = [finding.bounding_box(), page.get_by_role("listbox").bounding_box()]
    assert all(boxes)
    text, options = (one for one in boxes if one is not None)
    assert text["x"] + text["width"] <= options["x"] or text["y"] >= options["y"] + options["height"]


def test_a_list_is_saved_with_the_fields_that_are_shown_or_all(page: Page) -> None:
    query(page, 'find documents where type = "W2" limit 3 show name')
    heads = []
    for _ in range(2):
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as CSV").click()
        heads.append(Path(saved.value.path()).read_text().splitlines()[0])
        page.get_by_label("with all fields").check()
    assert heads[0] == "id,name"
    assert heads[1].count(",") > 50


def test_conditions_as_rows_follow_the_text_and_the_text_follows_them(page: Page) -> None:
    query(page, 'find documents where type = "Invoice" and size > 200 kB and not starred sort amount desc')
    field = page.get_by_label("Query", exact=True)
    rows = page.locator(".builder .row")
    expect(rows).to_have_count(3)
    expect(rows.nth(2)).to_contain_text("not starred")
    rows.nth(0).get_by_label("Value").select_option("Receipt")
    expect(field).to_have_value(
        'find documents where type = "Receipt" and size > 200 kB and not starred sort amount desc'
    )
    rows.nth(1).get_by_label("Operator").select_option("<=")
    rows.nth(2).get_by_role("button", name="Remove condition 3").click()
    expect(field).to_have_value('find documents where type = "Receipt" and size <= 200 kB sort amount desc')
    page.get_by_role("button", name="Add a condition").click()
    rows.nth(2).get_by_label("Field").select_option("vendor")
    value = rows.nth(2).get_by_label("Value")
    value.fill('Contoso "Ltd"')
    value.blur()
    expect(field).to_have_value(
        'find documents where type = "Receipt" and size <= 200 kB and vendor = "Contoso \\"Ltd\\"" sort amount desc'
    )
    field.fill("count folders where created in last month by owner")
    expect(rows).to_have_count(1)
    expect(rows.nth(0).get_by_label("Operator")).to_have_value("in")
    expect(page.get_by_label("What to search")).to_have_value("folders")
    field.fill('get document("Q3 Report.pdf").owner')
    expect(page.locator(".builder [role=status]")).to_contain_text("Only a search")
    field.fill('find documents where tags has "tax"')
    rows.nth(0).get_by_label("Operator").select_option("has only")
    value = rows.nth(0).get_by_label("Value")
    value.fill("tax, 2024")
    value.blur()
    expect(field).to_have_value('find documents where tags has only ["tax", "2024"]')


PROGRAMS = table(__file__, "PROGRAMS")


def test_no_program_loses_anything_by_its_rows(page: Page) -> None:
    page.goto("/#/query")
    field = page.get_by_label("Query", exact=True)
    rows = page.locator(".builder .row")
    for program in PROGRAMS:
        field.fill(program)
        count = len(outlined(program).rows)
        expect(rows).to_have_count(count)
        page.wait_for_timeout(400)  # programs of as many rows look the same
        page.get_by_role("button", name="Add a condition").click()
        page.get_by_role("button", name=f"Remove condition {count + 1}").click()
        assert parse(field.input_value()) == parse(program)


def test_rows_never_write_over_what_they_cannot_show(page: Page) -> None:
    page.goto("/#/query")
    field = page.get_by_label("Query", exact=True)
    builder = page.get_by_role("group", name="Conditions")
    add = page.get_by_role("button", name="Add a condition")
    for text, said in (("find documents where (", "when the query can be read"), ("find documents -- all", "comments")):
        field.fill(text)
        expect(builder.get_by_role("status")).to_contain_text(said)
        expect(add).to_be_disabled()
    field.fill("count documents where colour = 1 and size > 3 kB by owner")
    expect(page.locator(".builder .row")).to_have_count(2)
    expect(builder.get_by_role("status")).to_contain_text("by owner")
    page.get_by_role("button", name="Remove condition 2").click()
    expect(field).to_have_value("count documents where colour = 1 by owner")
    page.get_by_label("What to search").select_option("folders")
    expect(field).to_have_value("count folders where colour = 1 by owner")
    field.fill("")
    expect(page.locator(".builder .row")).to_have_count(0)


def test_a_program_with_a_question_back_is_chosen_and_read_on(page: Page) -> None:
    query(page, 'find documents where folder = "Clients" or folder = "Tax"')
    page.get_by_role("button", name="Run").click()
    result = page.locator(".result")
    result.get_by_role("button", name="root/Personal/Tax").click()
    expect(result.get_by_role("button", name="Save as CSV")).to_be_visible()


def test_the_stages_of_an_explanation(page: Page) -> None:
    page.goto("/#/explain?q=unsigned%20contracts%20of%202025")
    stages = page.locator(".stage")
    expect(stages.filter(has_text="Requests")).to_have_count(1)
    stage = stages.filter(has_text="From the command line")
    stage.locator("summary").click()
    stage.get_by_role("button", name="Copy").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl http://127.0.0.1:")
    assert '{"text":"unsigned contracts of 2025","timezone":' in copied


def test_the_catalog_is_searched(page: Page) -> None:
    page.goto("/#/catalog")
    page.get_by_label("Search the fields").fill("virus")
    expect(page.get_by_role("status")).to_have_text("1 of 102 fields")
    expect(page.locator(".kind[open]").first).to_contain_text("virus_scan")


def test_a_chart_is_read_by_keyboard_and_saved(page: Page) -> None:
    page.goto("/")
    turn = say(page, "documents per month in 2025")
    chart = turn.get_by_role("img", name="count by month")
    chart.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(turn.locator(".chart output")).to_have_text("February 2025: 146")
    page.keyboard.press("End")
    expect(turn.locator(".chart output")).to_contain_text("December 2025")
    with page.expect_download() as download:
        turn.get_by_role("button", name="Save as SVG").click()
    assert download.value.suggested_filename == "count-by-month.svg"
    assert Path(download.value.path()).read_text("utf-8").startswith("<svg")
    with page.expect_download() as download:
        turn.get_by_role("button", name="Save as PNG").click()
    assert download.value.suggested_filename == "count-by-month.png"
    with PIL.Image.open(download.value.path()) as picture:
        assert picture.width > 600
        assert picture.convert("L").getextrema() == (pytest.approx(0, abs=120), 255)


def test_a_row_opens_its_whole_record(page: Page) -> None:
    page.goto("/")
    turn = say(page, "the five largest videos")
    opener = turn.get_by_role("button", name="Welcome tour.mp4")
    opener.click()
    record = turn.locator(".record")
    expect(record.locator("dt", has_text="virus scan")).to_be_visible()
    expect(record.locator("dd", has_text="12 min 18 s")).to_be_visible()
    opener.click()
    expect(record).to_have_count(0)


def test_charts_and_tables_fit_a_phone(browser: Browser, address: str) -> None:
    with opened(browser, address, viewport={"width": 360, "height": 740}) as page:
        page.goto("/#/ask?q=documents%20per%20type")
        label = page.locator(".chart text", has_text="Invoice").first
        expect(label).to_have_text("Invoice")
        box = label.bounding_box()
        assert box["height"] >= 12
        page.goto("/#/ask?q=documents%20per%20folder")  # more rows than a body may have keys
        expect(page.get_by_role("img", name="count by folder").locator("rect").first).to_be_visible()
        expect(page.locator("tbody")).to_contain_text("Receipts (root/Archive/Receipts)")
        program = "find documents show name, type, size, created, path, description limit 500"
        page.goto(f"/#/query?q={quote(program)}")
        expect(page.locator("tbody tr")).to_have_count(50)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
