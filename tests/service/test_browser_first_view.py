"""The page in a real browser: its first view, papers with their sources, a key, accessibility, waiting, its size."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

import qlc
from tests.corpora import written
from tests.docs.pages import ROOT
from tests.service.test_auth import hashed
from tests.service.test_browser import address as address
from tests.service.test_browser import browser as browser
from tests.service.test_browser import opened, say
from tests.service.test_browser import page as page
from tests.service.test_serving import serving
from tests.service.test_ui import LEASE, MINUTES, shown
from tests.service.test_ui import files as files
from tests.service.test_ui import mixed as mixed
from tests.tables import table

# --- documents -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("library") / "corpus"
    with qlc.Corpus.create(target, ROOT / "examples/library.yaml") as corpus:
        corpus.add(ROOT / "examples/library", processes=1)
    return target


def test_a_source_opens_the_page_with_its_quote_marked(browser: Browser, library: Path) -> None:
    files = str(ROOT / "examples/library")
    with serving("--corpus", str(library), "--files", files) as (_, address), opened(browser, address) as page:
        page.goto("/")
        turn = say(page, "What is the notice period in the ACME services agreement?")
        turn.get_by_role("button", name="Source 1").first.click()
        dialog = page.get_by_role("dialog", name="Source")
        expect(dialog.get_by_role("heading")).to_contain_text("acme_services.pdf, page ")
        expect(dialog).to_contain_text("The quote is marked.")
        expect(dialog.get_by_role("img")).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


def test_a_folder_of_files_is_asked(browser: Browser, tmp_path: Path) -> None:
    files = written(tmp_path / "files", {"lease.md": LEASE, "minutes.txt": MINUTES})
    with shown(tmp_path, str(files), "--no-browser") as (_, address), opened(browser, address) as page:
        page.goto("/")
        turn = say(page, "What is the notice period of the lease?")
        expect(turn).to_contain_text("3 months")
        turn.get_by_role("button", name="lease.md").first.click()
        dialog = page.get_by_role("dialog", name="Source")
        expect(dialog.get_by_role("heading")).to_contain_text("lease.md")
        expect(dialog).to_contain_text("The notice period of the lease is 3 months.")


def test_the_first_view_lists_what_was_found(browser: Browser, mixed: Path, tmp_path: Path) -> None:
    with shown(tmp_path, str(mixed), "--no-browser") as (_, address):
        for scheme, width in ("light", 1440), ("dark", 390):
            given: Any = {"color_scheme": scheme, "viewport": {"width": width, "height": 844}}
            with opened(browser, address, **given) as page:
                page.goto("/")
                first = page.locator(".welcome")
                expect(first.locator(".title")).to_have_text("files")
                expect(first).to_contain_text("3 tables, 3 papers, 1 file not read.")
                expect(first.locator(".found > li").first).to_contain_text("orders 30 rows orders.csv")
                expect(first).to_contain_text("No language model is connected")
                first.get_by_text("1 file not read, and why").click()
                expect(first.locator(".unread")).to_contain_text("broken.xlsx cannot be read")
                starters = first.locator(".starters button")
                expect(starters).to_have_count(6)
                found = Axe().run(page)
                assert found.violations_count == 0, found.generate_report()
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                text = starters.nth(1).inner_text()
                starters.nth(1).click()
                expect(page.locator(".turn .said")).to_have_text(text)
                expect(page.locator(".turn .outcome.count")).to_be_visible()
                expect(first).to_be_hidden()


# --- for everybody ---------------------------------------------------------------------------------------------------


def test_a_key_is_asked_for_where_one_is_needed(browser: Browser, tmp_path: Path) -> None:
    keys = tmp_path / "keys.yaml"
    keys.write_text(yaml.safe_dump([{"name": "ann", "sha256": hashed("secret")}]), "utf-8")
    with serving("--demo", "--api-keys", str(keys)) as (_, address), opened(browser, address) as page:
        page.goto("/")
        page.get_by_label("API key or token").fill("secret")
        page.get_by_role("button", name="Use it").click()
        expect(page.locator(".welcome")).to_be_visible()
        expect(say(page, "how many W2s are there?").locator(".message")).to_have_text("143 documents.")


@pytest.mark.parametrize(("scheme", "view"), [
    ("light", "ask?q=documents%20per%20type"), ("dark", "ask?q=documents%20per%20type"),
    ("light", "explain?q=invoices"), ("light", "catalog?q=amount"),
    ("dark", "query?q=count%20documents%20by%20starred"),
])  # fmt: skip
def test_accessibility_and_a_phones_width(browser: Browser, address: str, view: str, scheme: Any) -> None:
    with opened(browser, address, viewport={"width": 360, "height": 740}, color_scheme=scheme) as page:
        page.goto(f"/#/{view}")
        expect(page.locator(".outcome, .kind").first).to_be_visible()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_first_view_is_small(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        sizes: list[int] = []
        page.on("response", lambda one: sizes.append(int(one.headers.get("content-length", 0))))
        page.goto("/")
        expect(page.locator(".welcome")).to_be_visible()
        assert sum(sizes) <= 300_000
        assert len(sizes) <= 30, "each is a way to the server before anything is seen"
        expect(page.locator(".welcome .title")).to_have_text("The sample document store")
        expect(page.locator(".starters button")).to_have_count(6)
        figures = re.findall(r"[0-9.]+ %|[0-9]+(?= measured)", page.locator(".welcome details").text_content() or "")
        assert len(figures) == 3
        assert all(one in (ROOT / "docs/when_wrong.md").read_text("utf-8") for one in figures)


@pytest.mark.parametrize("view", ["catalog", "query", "explain?q=W2s"])
def test_a_view_that_waits_says_for_what_and_can_be_stopped(page: Page, view: str) -> None:
    waiting: list[Route] = []
    page.route(re.compile("/v1/(catalog|explain)$"), lambda one: waiting.append(one))
    page.goto(f"/#/{view}")
    expect(page.locator(".working")).to_contain_text("Reading the")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_have_text("Stopped.")
    expect(page.locator(".working")).to_have_count(0)


ASKED = table(__file__, "ASKED")


def test_the_path_of_a_newcomer(browser: Browser, mixed: Path, tmp_path: Path) -> None:
    """A folder, ten questions, a chart, an export."""
    with shown(tmp_path, str(mixed), "--no-browser") as (_, address), opened(browser, address) as page:
        page.goto("/")
        found = {question: say(page, question).inner_text() for question in ASKED}
        assert {one: text for one, text in found.items() if ASKED[one] not in text} == {}
        turn = page.locator(".turn").nth(list(ASKED).index("number of orders per month in 2025"))
        expect(turn.get_by_role("img", name="count by Placed (month)").locator("circle")).to_have_count(9)
        with page.expect_download() as download:
            turn.get_by_role("button", name="Save as CSV").click()
        rows = Path(download.value.path()).read_text("utf-8-sig").splitlines()
        assert len(rows) == 10
