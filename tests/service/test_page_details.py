"""Small things of the page that a reader stumbles over: what is out of sight, says nothing, or reads badly."""

from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.service.test_browser import address, browser, opened, page, query, say

__all__ = ["address", "browser", "page"]  # fixtures

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 480}}


def catalog_of(page: Page, *kinds: tuple[str, str]) -> None:
    known = {"kinds": [{"name": name, "plural": plural, "words": [], "conditions": {}, "description": "",
                        "measures": [], "is_counted": True} for name, plural in kinds],
             "fields": [{"name": "size", "type": "number", "kinds": [kinds[0][0]], "words": [], "description": "",
                         "unit": "", "refers_to": None, "values": None, "is_list": False}],
             "description": "", "examples": [], "truncated": False}  # fmt: skip
    page.route("**/v1/catalog", lambda route: route.fulfill(json=known))
    page.route("**/v1/starters", lambda route: route.fulfill(json={"questions": []}))


def test_on_a_phone_the_answer_of_a_query_comes_into_view(browser: Browser, address: str) -> None:
    with opened(browser, address, **PHONE) as page:
        query(page, "count documents by type")
        page.evaluate("scrollTo(0, 0)")
        page.keyboard.press("Control+Enter")
        expect(page.locator(".result .message")).to_be_in_viewport()


def test_on_a_phone_an_option_stands_beside_its_number(browser: Browser, address: str) -> None:
    with opened(browser, address, **PHONE) as page:
        page.goto("/")
        turn = say(page, 'documents in "Travel"')
        for option in turn.locator(".options li").all():
            text, item = option.locator("button").bounding_box(), option.bounding_box()
            assert text["height"] > 40  # it has several lines
            assert text["y"] - item["y"] < 4


def test_a_catalog_of_one_kind_shows_its_fields(page: Page) -> None:
    catalog_of(page, ("visit", "visits"))
    page.goto("/#/catalog")
    expect(page.locator("summary").first).to_have_text("visits 1 field")
    expect(page.get_by_text("size", exact=True)).to_be_visible()


def test_without_questions_that_have_answers_things_are_counted(page: Page) -> None:
    holdings = [{"name": "generic documents", "count": 3, "fields": ["size"]}, {"name": "invoices", "count": 12_345}]
    page.route("**/v1/starters", lambda route: route.fulfill(json={"questions": []}))
    page.route("**/v1/overview", lambda route: route.fulfill(json={"found": None, "holdings": [
        {"fields": [], **one} for one in holdings]}))  # fmt: skip
    page.goto("/#/ask")
    expect(page.locator(".welcome .found li").nth(1)).to_contain_text("invoices 12,345")
    expect(page.get_by_role("button", name="how many generic documents are there?")).to_be_visible()


def test_the_query_view_begins_with_the_query_of_the_last_answer(page: Page) -> None:
    page.goto("/#/query")
    expect(page.get_by_label("Query", exact=True)).to_have_value("find all documents limit 10")
    page.goto("/#/ask")
    say(page, "documents per type")
    page.get_by_role("link", name="Query", exact=True).click()
    expect(page.get_by_label("Query", exact=True)).to_have_value("count documents by type")


def test_a_text_that_the_browser_does_not_copy_is_said(page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto("/#/explain?q=count documents")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="The browser does not allow it")).to_be_visible()
