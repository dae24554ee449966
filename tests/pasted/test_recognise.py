"""Texts that are requests, and their options; words beside a request; places in words."""

import json
import time
from typing import Any

import pytest

from qlc import Compiler
from qlc.outcome import Explain
from qlc.pasted.entry import run_pasted
from qlc.pasted.recognise import recognise
from tests.pasted.conftest import NOW


def test_the_examples_of_the_command_line_are_no_requests() -> None:
    from tests.docs.pages import commands

    for page in ("README.md", "docs/words.md", "docs/cli.md"):
        for command in commands(page):
            assert recognise(command.line) is None


def test_questions_are_no_requests() -> None:
    from tests.translator.test_asked import rows_of

    texts = [row.values[2] for world in ("drive", "flights") for row in rows_of(world)]
    assert len(texts) > 100
    assert [text for text in texts if recognise(text) is not None] == []


def test_places_in_a_quoted_body_are_those_in_the_text() -> None:
    text = 'curl x:9200/i/_search -d "{\\"query\\": {\\"nope\\": {}}}"'
    found = recognise(text)
    assert found.body is not None
    from qlc.base.diagnostics import Span

    at = found.body.text.index("nope")
    span = found.body.span(Span(at, at + 4))
    assert text[span.start : span.end] == "nope"


def test_a_long_text_is_looked_at_in_time() -> None:
    for text in (
        "{a" * 50_000, "{a: " * 50_000, '{"query": ' * 20_000, "GET " * 50_000, "curl " * 50_000,
        '{"query": {"term": {"a": "' + "x" * 300_000, "{" * 100_000, "_a/" * 50_000,
    ):
        began = time.thread_time()
        recognise(text)
        assert time.thread_time() - began < 5, text[:20]


ALL = '{"query": {"match_all": {}}}'
UNREAD = "Only the request is read"


@pytest.mark.parametrize("words", ["how many are invoices? {}", "{} and the unpaid ones", "show me the NDAs\n{}"])
def test_words_that_ask_for_something_stored_are_named(store: Compiler, words: str) -> None:
    (found,) = run_pasted(words.replace("{}", ALL), store, now=NOW)
    assert found.notes[0].startswith(UNREAD)


@pytest.mark.parametrize("words", ["how many does this find? {}", "run this please {}", "{} thanks!"])
def test_words_about_the_request_need_no_note(store: Compiler, words: str) -> None:
    (found,) = run_pasted(words.replace("{}", ALL), store, now=NOW)
    assert not any(one.startswith(UNREAD) for one in found.notes)


def explained(compiler: Compiler, request: Any, words: str = "explain") -> Explain:
    (found,) = run_pasted(f"{words} {json.dumps(request)}", compiler, now=NOW)
    assert isinstance(found, Explain)
    return found


def test_places_in_words() -> None:
    from qlc import catalogs
    from qlc.mapping.index_mapping import load_mapping

    flights = Compiler(
        None, catalogs.path("flights"), mapping=load_mapping(catalogs.mapping_path("flights"), "flights")
    )
    for query, phrase in (
        (
            {"geo_distance": {"distance": "40km", "OriginLocation": {"lat": 41.9, "lon": 12.5}}},
            "lies within 40km of 41.9, 12.5",
        ),
        (
            {
                "geo_bounding_box": {
                    "OriginLocation": {"top_left": {"lat": 42, "lon": 12}, "bottom_right": {"lat": 41, "lon": 13}}
                }
            },
            "is in the box",
        ),
        (
            {"geo_shape": {"OriginLocation": {"shape": {"type": "envelope", "coordinates": [[12, 42], [13, 41]]}}}},
            "has a point in the box",
        ),
    ):
        assert phrase in explained(flights, {"query": query}).message
    near = explained(flights, {"query": {"geo_distance": {"distance": "40km", "OriginLocation": [12.5, 41.9]}}})
    assert near.query == "find flights where origin_location within 40 km of (41.9, 12.5)"
