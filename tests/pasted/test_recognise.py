"""Which texts are requests, what is wanted of them, and which are words or programs."""

from __future__ import annotations

import time

import pytest

from qlc.pasted.recognise import recognise

BODY = '{"query": {"match_all": {}}}'

REQUESTS = [
    (BODY, "run", "", ""),
    (f"GET /things/_search\n{BODY}", "run", "GET", "/things/_search"),
    (f"POST things/_search?size=5\n{BODY}", "run", "POST", "things/_search?size=5"),
    (f"get things/_search {BODY}", "run", "GET", "things/_search"),
    (f"POST http://localhost:9200/things/_search {BODY}", "run", "POST", "/things/_search"),
    ("GET /_cat/indices?v", "run", "GET", "/_cat/indices?v"),
    ("DELETE /things", "run", "DELETE", "/things"),
    ("GET things/_count", "run", "GET", "things/_count"),
    (f"```json\n{BODY}\n```", "run", "", ""),
    (f"```\nGET things/_search\n{BODY}\n```", "run", "GET", "things/_search"),
    (f"run this please {BODY}", "run", "", ""),
    (f"can you run this and tell me what it finds? {BODY}", "run", "", ""),
    (f"what does this do? {BODY}", "explain", "", ""),
    (f"what is looked for in this {BODY}", "explain", "", ""),
    (f"explain what is in {BODY}", "explain", "", ""),
    (f"what is in the query {BODY}", "explain", "", ""),
    (f"run what is in\n{BODY}", "run", "", ""),
    (f"{BODY} what does it mean?", "explain", "", ""),
    (f"explain\n\n{BODY}", "explain", "", ""),
    (f"Please explain this query: {BODY}", "explain", "", ""),
    (f"translate this into the query language {BODY}", "explain", "", ""),
    (f"don't run it, just tell me: {BODY}", "explain", "", ""),
    (f"is this valid? {BODY}", "explain", "", ""),
    (f"fix and run {BODY}", "fix", "", ""),
    (f"Fix and run this:\n{BODY}", "fix", "", ""),
    (f"please correct this {BODY}", "fix", "", ""),
    (f"what is wrong here, can you fix it? {BODY}", "explain", "", ""),
    ("{query: {match_all: {}}}", "run", "", ""),
    ("{'query': {'match_all': {}}}", "run", "", ""),
    ("{\u201cquery\u201d: {\u201cmatch_all\u201d: {}}}", "run", "", ""),
    ('{\n  // all\n  "query": {"match_all": {}}\n}', "run", "", ""),
    ('{"size": 0, "aggs": {"a": {"avg": {"field": "x"}}}}', "run", "", ""),
    ('{"term": {"a": "b"}}', "run", "", ""),
    ('please fix {"qurey": {"term": {"a": "b"}}, "sizee": 3}', "fix", "", ""),
    ('"query": {"match_all": {}}', "run", "", ""),
    ('run "query": {"match_all": {}}', "run", "", ""),
    ("query: {match_all: {}}", "run", "", ""),
    ('{"query": {"match_all": {}}', "run", "", ""),
    ('{"query": {"match": {"name": "x}"}}}}', "run", "", ""),
    (f"curl localhost:9200/things/_search -d '{BODY}'", "run", "POST", "/things/_search"),
    (f"curl -XGET 'http://localhost:9200/things/_search?pretty' -H 'Content-Type: application/json' -d '{BODY}'",
     "run", "GET", "/things/_search?pretty"),
    (f"please run curl -s -k -u me:secret https://es:9200/things/_search --data-raw '{BODY}'", "run", "POST",
     "/things/_search"),
    ("curl -X POST \\\n  \"http://localhost:9200/things/_search\" \\\n  -d \"{\\\"query\\\": {}}\"", "run", "POST",
     "/things/_search"),
    ("curl --request DELETE localhost:9200/things", "run", "DELETE", "/things"),
    (f'es.search(index="things", body={BODY})', "run", "POST", "/things/_search"),
    (f'client.count(body={BODY}, index="things")', "run", "POST", "/things/_count"),
    ("what does this curl do: curl -I localhost:9200/things/_search", "explain", "HEAD", "/things/_search"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "want", "method", "path"), REQUESTS)
def test_a_request_is_recognised(text: str, want: str, method: str, path: str) -> None:
    found = recognise(text)
    assert found is not None
    assert (found.want, found.method, found.path) == (want, method, path)


WORDS = [
    "",
    "receipts from last year",
    "what is {name}?",
    "documents called {draft}",
    'files named "{x: 1}"',
    "everything tagged {a, b}",
    'documents that mention "{"query": {"match_all": {}}}"',
    "find documents where name = \"{\\\"query\\\": {\\\"match_all\\\": {}}}\"",
    "find documents where tags has any [\"a\", \"b\"]",
    'count documents where mentions "GET /x/_search"',
    'find documents where name contains "curl http://x/_search"',
    "GET Everything in Legal",
    "get document(\"Report.pdf\").owner",
    "POST office receipts",
    "please delete the old folder",
    "DELETE old drafts",
    "who curls the most?",
    "curl the paper",
    "documents with size: 5",
    "query: the tax documents",
    "the query language: what is it?",
    "explain what you did",
    "fix and run it",
    "run my last query",
    'the key {"foo": 5} appears in which file?',
    "a set {1, 2, 3}",
    "documents with {a: 1, range: 2, ids: [3]}",
    'what is {"colour": {"shade": {"depth": 5}}} in the data?',
    "f(x) = {x: x > 0}",
    "sort: by size",
    "what are the brackets } for {",
    'documents in {"bool":{}}',
    'files in {"term":{}}?',
    'documents in the folder called {"exists":{}}',
    'what is in the folder {"query": 5}',
]  # fmt: skip


@pytest.mark.parametrize("text", WORDS)
def test_words_and_programs_are_left_alone(text: str) -> None:
    assert recognise(text) is None


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


def test_words_around_are_kept() -> None:
    found = recognise(f"could you run this {BODY} for me?")
    assert found is not None
    assert found.words == "could you run this for me?"


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("curl x:9200/i/_search -d '{\"a\": \"it'\\''s\"}'", '{"a": "it\'s"}'),
        ("curl x:9200/i/_search -d '{\"a\": \"it'\"'\"'s\"}'", '{"a": "it\'s"}'),
        ('curl x:9200/i/_search -d "{\\"a\\": \\"b\\"}"', '{"a": "b"}'),
        ("curl x:9200/i/_search -d$'{\"a\": \"it\\'s\"}'", '{"a": "it\'s"}'),
        ("curl x:9200/i/_search --data='{\"a\": 1}'", '{"a": 1}'),
        ("curl x:9200/i/_search --data-binary '{\"a\": 1}' -H 'X: y'", '{"a": 1}'),
        ("curl x:9200/i/_search --json '{\"a\": 1}' | jq .", '{"a": 1}'),
        ("curl x:9200/i/_search -d @- <<EOF\n{\"a\": 1}\nEOF", '{"a": 1}\n'),
        ("curl x:9200/i/_search -d '{\"query\": {\"match\": {\"n\": \"O'Brien\"}}}'",
         '{"query": {"match": {"n": "O\'Brien"}}}'),
    ],
)
def test_a_body_comes_out_of_its_quotes(text: str, body: str) -> None:
    found = recognise(text)
    assert found is not None
    assert found.body is not None
    assert found.body.text == body
    assert len(found.body.places) == len(body) + 1


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
    for text in ("{a" * 50_000, "{a: " * 50_000, '{"query": ' * 20_000, "GET " * 50_000, "curl " * 50_000,
                 '{"query": {"term": {"a": "' + "x" * 300_000, "{" * 100_000, "_a/" * 50_000):
        began = time.thread_time()
        recognise(text)
        assert time.thread_time() - began < 5, text[:20]
