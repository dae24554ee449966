"""Translation: a program that is said to ask the same gives the same answer; what cannot be said is named."""

import json
from typing import Any

import pytest

from qlc import Compiler
from qlc.outcome import AggregateOut, Count, Hits, ValueOut
from qlc.pasted.entry import run_pasted
from tests.pairs import Case, read_cases
from tests.pasted.conftest import NOW
from tests.pasted.test_cases import CASES, pasted, translated

C = "commonAttributes"
TYPE = f"{C}.documentType.keyword"
DOCUMENT = {"term": {"entityType.keyword": "DOCUMENT"}}


def query(*filters: Any, **more: Any) -> dict[str, Any]:
    return {"query": {"bool": {"filter": [DOCUMENT, *filters]}}, **more}


SAME = ("A request is said as a program with the same answer", "Days are those of the caller")
SAID = [case for case in read_cases(CASES / "translated.request") if case.title in SAME]


@pytest.mark.parametrize("case", SAID, ids=range(len(SAID)))
def test_a_request_is_said_as_a_program_with_the_same_answer(store: Compiler, case: Case) -> None:
    zone = str(case.options.get("zone", "UTC"))
    found = translated(store, pasted(case.source), zone)
    assert found.exact
    same_answer(store, case.source, found.program, timezone=zone)


def same_answer(compiler: Compiler, request: Any, program: str, **options: Any) -> None:
    """The answers to both, all pages of them."""
    text = request if isinstance(request, str) else json.dumps(request)
    options = {"now": NOW, "size": 10_000, **options}
    (pasted,) = run_pasted(text, compiler, **options)
    run = compiler.run(program, **options)
    paged = program
    if isinstance(pasted, Hits):
        paged = program.partition(" limit ")[0] if " where " in program else ""
    assert pasted.query == paged
    match pasted, run:
        case Hits(), Hits():
            given = json.loads(text[text.index("{") :])
            if "sort" in given:
                assert pasted.ids == run.ids
            elif "size" in given or " limit " in program:
                assert run.total == len(run.ids) <= pasted.total
            else:
                assert sorted(pasted.ids) == sorted(run.ids)
        case Count(), Count():
            assert pasted.value == run.value
        case AggregateOut(), AggregateOut():
            assert len(pasted.rows) == len(run.rows)
            for one, other in zip(pasted.rows, run.rows, strict=True):
                assert one.key == other.key
                assert numbers(one.value) == pytest.approx(numbers(other.value))
        case ValueOut(), ValueOut():
            assert [plain_date(v) for v in numbers(pasted.value)] == [plain_date(v) for v in numbers(run.value)]
        case _ if run.kind == "not_found":
            assert pasted.total == 0
        case _:
            raise AssertionError((pasted, run))


def numbers(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else [value]


def plain_date(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(".000Z", "Z")
    return pytest.approx(value) if isinstance(value, float) else value


def test_a_program_that_finds_no_more_is_one_for_the_request(store: Compiler) -> None:
    """Case matters to some queries, but not for the values in this store."""
    for request, program in (
        (
            {"query": {"term": {"systemAttributes.owner.ownerName.keyword": "Dana Whitfield"}}},
            'find entries where systemAttributes.owner.ownerName.keyword = exactly "Dana Whitfield"',
        ),
        (
            {"query": {"wildcard": {f"{C}.name.keyword": "*Contoso*"}}, "size": 0},
            'count entries where name contains "Contoso"',
        ),
        (
            {"query": {"match": {"contentAttributes.extractedText": "roof"}}},
            'find entries where content matches "roof"',
        ),
    ):
        (found,) = run_pasted(json.dumps(request), store, now=NOW)
        assert found.query == program
    months = {"date_histogram": {"field": "systemAttributes.createDate", "calendar_interval": "month"}}
    (found,) = run_pasted(json.dumps(query(size=0, aggs={"m": months})), store, now=NOW)
    assert found.query == "count documents by month(created)"
    rare = query({"term": {TYPE: "Tax Return"}}, size=0, aggs={"m": months})
    (found,) = run_pasted(json.dumps(rare), store, now=NOW)
    assert isinstance(found, AggregateOut)
    assert 0 in [row.value for row in found.rows]
    assert found.query == ""
    (found,) = run_pasted(json.dumps({"query": {"wildcard": {f"{C}.name.keyword": "*invoice*"}}}), store, now=NOW)
    assert found.query == ""
    more = store.run('count entries where name contains "invoice"', now=NOW)
    assert more.value > found.total


def test_several_kinds_at_once_cannot_be_said(tenants: Compiler) -> None:
    found = translated(tenants, pasted('{"query": {"term": {"type": "memo"}}}'))
    assert found.differences == (
        "a search over folders and documents and projects at once: a program is about one kind",
    )
