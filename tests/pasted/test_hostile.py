"""Attempts to read what is confidential, closed or another tenant's, to run a script, or to write: none gets through."""

import json
from pathlib import Path
from typing import Any

import pytest

from qlc.outcome import Outcome
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from tests.pairs import read_cases
from tests.pasted.conftest import NOW
from tests.pipeline.wire import Wire, searches
from tests.tables import each

CONTEXT = {"tenant": "red", "level": 5}
SECRETS = ("pay.", "verdict", "reviews", "wage")
"""Parts of the paths of confidential fields."""
OTHERS = ("blue", "azure")
"""Words that stand in what belongs to the other tenant, and nowhere else."""


def query(text: str) -> str:
    return f'{{"query": {text}}}'


def aggs(text: str) -> str:
    return f'{{"size": 0, "aggs": {{"a": {text}}}}}'


FOLDER = Path(__file__).parent / "attempts"
ATTEMPTS = {
    name: [case.source for case in read_cases(FOLDER / f"{name}.request")]
    for name in ("script", "confidential", "not-allowed", "other-index", "unknown-field")
}
WRITES = [(case.source, case.title) for case in read_cases(FOLDER / "writes.request")]


def run(compiler: Compiler, text: str, **more: Any) -> Outcome:
    (found,) = run_pasted(text, compiler, context={**CONTEXT, **more}, now=NOW)
    return found


def reasons(found: Outcome) -> set[str]:
    return {one.code.removeprefix("pasted-") for one in found.diagnostics}


@pytest.mark.parametrize("reason", ATTEMPTS)
@pytest.mark.parametrize("before", ["", "fix and run "])
def test_an_attempt_is_rejected_and_nothing_is_asked(wire: Wire, tenants: Compiler, reason: str, before: str) -> None:
    def check(text: str) -> None:
        with wire.watched() as calls:
            found = run(tenants, before + text)
        assert (found.kind, searches(calls)) == ("rejected_query", [])
        assert reason in reasons(found), found.diagnostics
        assert not any(word in found.model_dump_json(exclude={"diagnostics", "message", "detail"}) for word in OTHERS)

    each(ATTEMPTS[reason], check)


@pytest.mark.parametrize(("text", "intent"), WRITES)
def test_a_write_is_refused_and_nothing_is_sent(wire: Wire, tenants: Compiler, text: str, intent: str) -> None:
    with wire.watched() as calls:
        found = run(tenants, text)
    assert (found.kind, found.intent, calls) == ("refuse", intent, [])  # type: ignore[union-attr]


def test_writes_that_are_to_be_explained_are_not_sent_either(wire: Wire, tenants: Compiler) -> None:
    with wire.watched() as calls:
        found = run(tenants, "what does this do? POST /shared/_delete_by_query " + query('{"match_all": {}}'))
    assert (found.kind, calls) == ("explain", [])
    assert "deletes every document" in found.message


def test_an_explanation_asks_nothing_and_tells_no_secret(wire: Wire, tenants: Compiler) -> None:
    def check(text: str) -> None:
        with wire.watched() as calls:
            found = run(tenants, "explain " + text)
        assert (found.kind, searches(calls)) == ("explain", [])
        assert "cannot be run here" in found.message

    each([text for reason in ATTEMPTS if reason != "other-index" for text in ATTEMPTS[reason]], check)


RUN = [case.source for case in read_cases(FOLDER / "runs.request")]


@pytest.mark.parametrize("text", RUN)
def test_what_runs_stays_among_what_the_caller_may_see(wire: Wire, tenants: Compiler, text: str) -> None:
    with wire.watched() as calls:
        outcomes = run_pasted(text, tenants, context=CONTEXT, now=NOW)
    sent = [body for _, body in searches(calls)]
    assert sent
    for body in sent:
        assert '{"term": {"tenant": {"value": "red"}}}' in json.dumps(body["query"])
        assert not any(path in json.dumps(body) for path in SECRETS)
        assert not {"script_fields", "profile", "explain", "suggest", "highlight", "version"} & body.keys()
    for found in outcomes:
        assert found.kind in ("hits", "count", "aggregate", "value"), found
        told = found.model_dump_json(exclude={"query"}).casefold()  # a program repeats what was asked
        assert not any(word in told for word in (*OTHERS, "grade", "wage", "verdict 1"))


def test_counts_are_those_of_one_tenant(tenants: Compiler) -> None:
    both = [
        run_pasted("GET /shared/_count", tenants, context={"tenant": one, "level": 5})[0] for one in ("red", "blue")
    ]
    assert [one.value for one in both] == [13, 13]  # type: ignore[union-attr]
    high = run_pasted("GET /shared/_count", tenants, context={"tenant": "red", "level": 9})[0]
    assert high.value == 14  # type: ignore[union-attr]


def test_without_the_context_nothing_is_asked(wire: Wire, tenants: Compiler) -> None:
    with wire.watched() as calls:
        (found,) = run_pasted(query('{"match_all": {}}'), tenants, now=NOW)
    assert (found.kind, found.reason) == ("failed", "context-missing")  # type: ignore[union-attr]
    assert searches(calls) == []


def test_paths_that_an_entity_closes_keep_the_request_to_the_others(tenants: Compiler) -> None:
    (found,) = run_pasted(query('{"term": {"secret_note": "red-note"}}'), tenants, context=CONTEXT, now=NOW)
    assert found.kind == "hits"
    assert found.total == 8  # type: ignore[union-attr]
    assert any("Only folders and documents are searched" in note for note in found.notes)


@pytest.mark.parametrize("text", ATTEMPTS["confidential"][:20])
def test_the_context_permits_what_is_confidential(tenants: Compiler, text: str) -> None:
    assert run(tenants, text, sensitive=True).kind == "hits"


def test_the_context_permits_by_name(tenants: Compiler) -> None:
    text = '{"query": {"range": {"pay.salary": {"gt": 7000}}}, "_source": ["pay.salary"]}'
    found = run(tenants, text, sensitive=["salary"])
    assert found.kind == "hits"
    assert [one.values for one in found.hits] == [{"salary": 8000}]  # type: ignore[union-attr]
    assert run(tenants, query('{"exists": {"field": "pay"}}'), sensitive=["salary"]).kind == "rejected_query"


def test_a_page_belongs_to_its_caller(tenants: Compiler) -> None:
    text = '{"query": {"match_all": {}}, "size": 2, "sort": ["name"]}'
    first = run(tenants, text)
    assert first.kind == "hits"
    (other,) = run_pasted(text, tenants, context={"tenant": "blue", "level": 5}, now=NOW, cursor=first.cursor)  # type: ignore[union-attr]
    assert other.kind == "invalid"


def _many(count: int, text: str) -> str:
    return ", ".join(text.replace("N", str(number)) for number in range(count))


LARGE = [
    f'{{"query": {{"match_all": {{}}}}, "_source": [{_many(5000, chr(34) + "unknownN" + chr(34))}]}}',
    f'{{"query": {{"match_all": {{}}}}, "_source": [{_many(3000, chr(34) + "*a*e*i*N*" + chr(34))}]}}',
    f'{{"query": {{"match_all": {{}}}}, "_source": ["{"*a" * 5000}"]}}',
    f'{{"query": {{"bool": {{"filter": [{_many(2000, """{"term": {"unknownN": 1}}""")}]}}}}}}',
    f'{{"query": {{"bool": {{"filter": [{_many(2000, """{"term": {"name": "N"}}""")}]}}}}}}',
    f'{{"query": {{"terms": {{"name": [{_many(12000, chr(34) + "N" + chr(34))}]}}}}}}',
    f'{{"query": {{"multi_match": {{"query": "a", "fields": [{_many(4000, chr(34) + "fN" + chr(34))}]}}}}}}',
    f'{{"aggs": {{{_many(1500, """"aN": {"max": {"field": "unknownN"}}""")}}}}}',
    f'{{"sort": [{_many(5000, chr(34) + "unknownN" + chr(34))}]}}',
    f'{{"query": {{"regexp": {{"name": "{"(a|b)" * 500}"}}}}}}',
    f'{{"query": {"[" * 30_000}',
    f'{{"query": {{"bool": {{"must": {"{" + chr(34) + "bool" + chr(34) + ": {" + chr(34) + "must" + chr(34) + ": "}',
    f'{{"query": {{{_many(5000, "aN: 1")}',
    f'{{"highlight": {{"fields": {{{_many(4000, chr(34) + "unknownN" + chr(34) + ": {}")}}}}}}}',
    '{"query": ' + '{"bool": {"must": ' * 200 + "1" + "}}" * 200 + "}",
]  # fmt: skip


@pytest.mark.parametrize("text", LARGE, ids=range(len(LARGE)))
@pytest.mark.parametrize("before", ["", "fix and run ", "explain "])
def test_a_large_request_is_refused_in_time(tenants: Compiler, text: str, before: str) -> None:
    import time

    started = time.thread_time()
    found = run(tenants, before + text)
    assert found.kind == ("explain" if before == "explain " else "rejected_query")
    assert len(found.diagnostics) <= 60
    assert len(found.message) < 20_000
    assert time.thread_time() - started < 15
