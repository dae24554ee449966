"""Damaged requests, and texts that never were requests, have an outcome, in time."""

import time
from collections.abc import Callable

import pytest

from qlc.outcome import RejectedQuery
from qlc.pasted.entry import run_pasted
from qlc.pasted.recognise import LONGEST, recognise
from qlc.pipeline.compiler import Compiler
from tests.amounts import some
from tests.pasted.conftest import NOW
from tests.pasted.mangling import asked, mangled
from tests.tables import rows


@pytest.mark.parametrize("first", range(0, some(200, 4_000), 20))
def test_a_mangled_request_has_an_outcome(tenants: Compiler, first: int) -> None:
    for seed in range(first, first + 20):
        asked(mangled(seed), tenants)


ADDRESSES = ["http://[::1", "http://[/shared/_search", "http://]:9200/x", "http://[v1.:]/", "http://[::1]:port/shared/_search", "http://a:99999999999/",
             "http://\u2100.com/shared", "//[", "http://%zz%/%ff", "[", "http:// [x]", "http://user:p@[ss@h/", "http://\ud800/\udfff/_search", "::"]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_is_none_is_read_all_the_same(tenants: Compiler, address: str) -> None:
    asked(f"curl '{address}'", tenants)
    asked(f'curl -XPOST "{address}" -d \'{{"query": {{"match_all": {{}}}}}}\'', tenants)


@pytest.mark.parametrize(("address", "path"), rows(__file__, "test_what_is_asked_of_a_server_follows_its_name"))
def test_what_is_asked_of_a_server_follows_its_name(address: str, path: str) -> None:
    pasted = recognise(f"curl '{address}'")
    assert pasted is None or pasted.path == path
    pasted = recognise(f"curl -d '{{}}' '{address}'")
    assert pasted.path == path
    assert pasted.text[pasted.path_span.start :].startswith(path)


def test_a_typo_in_the_address_fixes_nothing_in_the_body(tenants: Compiler) -> None:
    """The parameter's place is in no body: to fix it there put its name into another place of the request."""
    for body in ("", '\n{"query": {"match_all": {}}}'):
        for want in ("run", "explain", "fix"):
            (found,) = run_pasted(f"GET shared/_search?_source=naem{body}", tenants, want=want, now=NOW,  # type: ignore[arg-type]
                                  context={"tenant": "red", "level": 5})  # fmt: skip
            assert found.kind in ("rejected_query", "explain")
            assert all(one.fixed is None for one in found.diagnostics)


@pytest.mark.parametrize("text", [
    '{"query": {"term": {"name": "a\ud800"}}}', '{"query": {"term": {"na\udfffme": "a"}}}', 'POST /shared/_search\n{"query": {"match": {"body": """x\ud800"""}}}',
    "GET /shared/_doc/red-\ud800", "curl 'http://x/shared/_doc/\udfff'",
])  # fmt: skip
def test_half_a_character_is_refused_and_the_answer_can_be_written_down(tenants: Compiler, text: str) -> None:
    (found,) = run_pasted(text, tenants, now=NOW, context={"tenant": "red", "level": 5})
    assert isinstance(found, RejectedQuery)
    assert found.reason == "syntax"
    assert found.message.startswith("The request is not run: this is an unpaired surrogate")
    assert found.model_dump_json()


def test_a_number_out_of_range_is_reported_and_not_sent(tenants: Compiler) -> None:
    for number in ("1e999", "-1e400"):
        (found,) = run_pasted(
            f'{{"query": {{"range": {{"size": {{"gte": {number}}}}}}}}}',
            tenants,
            now=NOW,
            context={"tenant": "red", "level": 5},
        )
        assert isinstance(found, RejectedQuery)
        assert (found.reason, found.diagnostics[0].message) == ("syntax", "this number is out of range")


# --- time ------------------------------------------------------------------------------------------------------------

SHAPES: dict[str, Callable[[int], str]] = {
    "options in a row": lambda n: f"curl http://x/shared/_search -{'s' * n}",
    "options": lambda n: "curl http://x/shared/_search " + "-H 'x: y' " * (n // 10),
    "here-documents": lambda n: "curl http://x/ " + "<<A x" * (n // 6),
    "commands": lambda n: "curl http://x/ " * (n // 15),
    "parameters": lambda n: "GET /shared/_search?" + "a=b&" * (n // 4),
    "request lines": lambda n: "GET /a/_search " * (n // 15),
    "a path": lambda n: f"get {'a:/' * (n // 3)}b",
    "brackets": lambda n: '{"query": ' + "[" * n,
    "members": lambda n: "{" + ", ".join(f'"a{i}": 1' for i in range(n // 10)) + "}",
    "mistakes": lambda n: "{" + ", ".join(f"a{i}: 'x'" for i in range(n // 10)) + "}",
    "conditions": lambda n: '{"query": {"bool": {"should": [' + ",".join(['{"term": {"name": "x"}}'] * (n // 24)),
    "comments": lambda n: "{" + "/*" * (n // 2) + "}",
    "fences": lambda n: "```" * (n // 3) + '{"query": {}}',
    "words": lambda n: "please " * (n // 7) + '{"query": {"match_all": {}}}',
    "date math": lambda n: '{"query": {"range": {"created": {"gte": "now' + "+1d" * (n // 3) + '"}}}}',
    "wildcards": lambda n: '{"query": {"wildcard": {"name": "' + "*a" * (n // 2) + '"}}}',
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_long_takes_no_square_of_its_length(tenants: Compiler, shape: str) -> None:
    for length in (90_000, 1_000_000):
        text = SHAPES[shape](length)
        began = time.thread_time()
        pasted = recognise(text)
        if pasted is not None:
            run_pasted(pasted, tenants, now=NOW, context={"tenant": "red", "level": 5})
        assert time.thread_time() - began < 30


def test_a_text_has_a_bound_and_a_message_for_it(tenants: Compiler) -> None:
    for text in ('{"query": {"match_all": {}}} ' + "please " * LONGEST, "GET /shared/_search\n" + " " * LONGEST):
        (found,) = run_pasted(text, tenants, now=NOW, context={"tenant": "red", "level": 5})
        assert isinstance(found, RejectedQuery)
        assert found.reason == "too_large"
        assert "longer than 200,000 characters" in found.message
