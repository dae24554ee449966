"""Requests put together at random, of all that can and cannot run: none raises, none gets past the checks, and none that
names something confidential is sent."""

import json
from random import Random
from typing import Any

import pytest

from qlc.pasted.entry import run_pasted
from qlc.pasted.recognise import recognise
from qlc.pipeline.compiler import Compiler
from tests.amounts import some
from tests.confidential.inputs import pasted
from tests.fuzz.changing import changed
from tests.pasted.conftest import NOW
from tests.pasted.test_hostile import CONTEXT, OTHERS, SECRETS
from tests.pipeline.wire import Wire, searches
from tests.tables import table

OPEN = tuple(table(__file__, "OPEN"))
CLOSED = ("pay.salary", "pay.grade", "pay_alias", "verdict", "reviews.mark", "shares.wage", "tenant", "pay", "reviews")
PATHS = (*OPEN * 2, *CLOSED, "nothing", "*", "pay.*", "_index")
WORDS = ("red", "azure", "Report", "draft", "a*", "now-1d/d", "2026-01-01", "x" * 40)
PARTS: tuple[Any, ...] = table(__file__, "PARTS")
KEYS = ("post_filter", "size", "from", "sort", "_source", "fields", "aggs", "highlight", "profile", "script_fields", "min_score",
        "filter", "must_not", "minimum_should_match", "script", "case_insensitive", "fuzziness", "operator")  # fmt: skip


@pytest.mark.parametrize("first", range(0, some(200, 2_000), 100))
@pytest.mark.parametrize("before", ["run ", "fix and run ", "GET /shared/_search\n", "explain "])
def test_no_request_gets_past_the_checks(wire: Wire, tenants: Compiler, first: int, before: str) -> None:
    for seed in range(first, first + 100):
        random = Random(seed)
        request = json.loads(pasted(random, PATHS, WORDS))
        for _ in range(random.choice([0, 1, 1, 2, 4])):
            request = changed(request, random, PARTS, KEYS)
        check(wire, tenants, before, before + json.dumps(request))


def check(wire: Wire, tenants: Compiler, before: str, text: str) -> None:
    if recognise(text) is None:
        return
    with wire.watched() as calls:
        outcomes = run_pasted(text, tenants, context=CONTEXT, now=NOW)
    sent = [body for _, body in searches(calls)]
    for found in outcomes:
        assert found.kind != "failed" or found.reason in ("too-large",), (text, found)
        if found.kind in ("rejected_query", "explain"):
            assert sent == [] or found.reason == "not_accepted", (text, found)
            continue
        told = found.model_dump_json(exclude={"query"}).casefold()
        assert not any(word in told for word in (*OTHERS, "grade", "wage", "secret verdict")), text
    for body in sent:
        written = json.dumps(body)
        assert '{"term": {"tenant": {"value": "red"}}}' in json.dumps(body["query"])
        assert not any(path in written for path in SECRETS), text
        assert not {"script_fields", "profile", "highlight", "min_score"} & body.keys()
        assert '"script"' not in written
        assert '"global"' not in written
    named = any(f'"{path}"' in text for path in CLOSED)
    if named and before != "explain " and '"excludes"' not in text:  # anything can be left out
        assert outcomes[0].kind == "rejected_query", text
