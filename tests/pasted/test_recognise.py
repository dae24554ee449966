"""Which texts are requests, what is wanted of them, and which are words or programs."""

from __future__ import annotations

import time

from qlc.pasted.recognise import recognise


def test_the_examples_of_the_command_line_are_no_requests() -> None:
    from tests.docs.pages import commands

    for page in ("README.md", "docs/words.md", "docs/cli.md"):
        for command in commands(page):
            assert recognise(command.line) is None


def test_questions_are_no_requests() -> None:
    from tests.translator import cases_drive, cases_flights

    texts = [text for module in (cases_drive, cases_flights) for value in vars(module).values()
             if isinstance(value, list | tuple | dict) for item in value for text in ([item] if isinstance(item, str) else item)
             if isinstance(text, str)]  # fmt: skip
    assert len(texts) > 100
    assert [text for text in texts if recognise(text) is not None] == []


def test_places_in_a_quoted_body_are_those_in_the_text() -> None:
    text = 'curl x:9200/i/_search -d "{\\"query\\": {\\"nope\\": {}}}"'
    found = recognise(text)
    assert found is not None
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
