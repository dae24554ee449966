"""Translation: a program that is said to ask the same gives the same answer; what cannot be said is named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qlc import Compiler
from qlc.base.options import moment, zone_of
from qlc.compiler.periods import Clock
from qlc.outcome import AggregateOut, Count, Explain, Hits, ValueOut
from qlc.pasted.checking import check
from qlc.pasted.entry import run_pasted
from qlc.pasted.recognise import recognise
from qlc.pasted.translate import Translation, translate
from tests.pasted.conftest import NOW

C = "commonAttributes"
TYPE = f"{C}.documentType.keyword"
DOCUMENT = {"term": {"entityType.keyword": "DOCUMENT"}}


def translated(compiler: Compiler, request: Any, zone: str = "UTC") -> Translation:
    text = request if isinstance(request, str) else json.dumps(request)
    pasted = recognise(text)
    assert pasted is not None
    clock = Clock(moment(NOW), zone_of(zone), compiler.schema.week_start)
    found = check(pasted, compiler.schema, clock, frozenset(), 10)
    assert found.problems == (), found.problems
    return translate(found, compiler.schema, clock)


def query(*filters: Any, **more: Any) -> dict[str, Any]:
    return {"query": {"bool": {"filter": [DOCUMENT, *filters]}}, **more}


def dates(**bounds: Any) -> dict[str, Any]:
    return query({"range": {"systemAttributes.createDate": bounds}})


SAID = [
    (query({"term": {TYPE: "W2"}}), 'find documents where type = "W2"'),
    (query({"terms": {TYPE: ["W2", "NDA"]}}), 'find documents where type in ["W2", "NDA"]'),
    (query({"range": {f"{C}.sizeInBytes": {"gt": 5000000}}}), "find documents where size > 5000000"),
    (query({"range": {f"{C}.sizeInBytes": {"gte": 10, "lte": 2000}}}), "find documents where size between 10 and 2000"),
    (query({"range": {f"{C}.sizeInBytes": {"gte": 10, "lt": 2000}}}), "find documents where size >= 10 and size < 2000"),
    (query({"exists": {"field": f"{C}.tags"}}), "find documents where tags exists"),
    (query({"bool": {"must_not": [{"exists": {"field": f"{C}.tags"}}]}}), "find documents where not tags exists"),
    (query({"bool": {"must_not": [{"term": {TYPE: "W2"}}]}}), 'find documents where not type = "W2"'),
    (query({"bool": {"should": [{"term": {TYPE: "W2"}}, {"term": {f"{C}.isStarred": True}}]}}),
     'find documents where type = "W2" or starred = true'),
    (query({"bool": {"should": [{"term": {TYPE: "W2"}}, {"term": {f"{C}.isStarred": True}}, {"exists": {"field":
     f"{C}.tags"}}], "minimum_should_match": 2}}), ('find documents where type = "W2" and starred = true or type = '
     '"W2" and tags exists or starred = true and tags exists')),
    (query({"bool": {"should": [{"term": {TYPE: "W2"}}, {"exists": {"field": f"{C}.tags"}}],
     "minimum_should_match": "100%"}}), 'find documents where type = "W2" and tags exists'),
    (query({"nested": {"path": "sharing.permissions", "query": {"bool": {"must": [
        {"term": {"sharing.permissions.role": "editor"}},
        {"term": {"sharing.permissions.principalType": "group"}}]}}}}),
     'find documents where shares[role = "editor" and who_type = "group"]'),
    (query({"nested": {"path": "comments", "query": {"match_all": {}}}}), "find documents where comments exists"),
    (query({"nested": {"path": "comments", "query": {"bool": {"must_not": {"term": {"comments.resolved": True}}}}}}),
     "find documents where comments[not resolved = true]"),
    (query({"match_phrase": {"contentAttributes.extractedText": "roof repair"}}),
     'find documents where content mentions "roof repair"'),
    (query({"match": {"contentAttributes.extractedText": {"query": "roof repair", "operator": "and"}}}),
     'find documents where content matches "roof repair"'),
    (query({"match": {"contentAttributes.extractedText": "roof"}}), 'find documents where content matches "roof"'),
    (query({"term": {f"{C}.name.keyword": {"value": "report.pdf", "case_insensitive": True}}}),
     'find documents where name = "report.pdf"'),
    (query({"wildcard": {f"{C}.name.keyword": {"value": "*tax*", "case_insensitive": True}}}),
     'find documents where name contains "tax"'),
    (query({"prefix": {f"{C}.name.keyword": {"value": "2024", "case_insensitive": False}}}),
     'find documents where name starts with "2024"'),
    (query({"wildcard": {f"{C}.name.keyword": {"value": "a*b?c", "case_insensitive": True}}}),
     'find documents where name like "a*b?c"'),
    (query({"regexp": {f"{C}.name.keyword": "[Rr][Éé][Ss]2.*"}}), 'find documents where name starts with "RÉS2"'),
    (query({"regexp": {f"{C}.name.keyword": ".*2024.*"}}), 'find documents where name contains "2024"'),
    (query({"range": {f"{C}.fileExtension": {"gte": "docx", "lte": "pdf"}}}),
     'find documents where extension between "docx" and "pdf"'),
    (query({"term": {"systemAttributes.parentId.keyword": "root"}}), "find documents where folder = root"),
    ({"query": {"bool": {"filter": [DOCUMENT], "must_not": [{"exists": {"field": f"{C}.tags"}}]}}},
     "find documents where not tags exists"),
    (query({"constant_score": {"filter": {"term": {TYPE: "W2"}}}}), 'find documents where type = "W2"'),
    (query(size=4, **{"from": 2}), "find documents limit 4 offset 2"),
    (query(sort=[{f"{C}.sizeInBytes": {"order": "desc"}}, f"{C}.name.keyword"], size=3),
     "find documents sort size desc, name limit 3"),
    ({"query": {"term": {TYPE: "W2"}}}, 'find entries where type = "W2"'),
    ({"query": {"term": {"entityType.keyword": "FOLDER"}}, "size": 5}, "find folders limit 5"),
    ({"query": {"match_all": {}}}, "find entries limit 10"),
    ({"size": 0, "query": {"term": {TYPE: "W2"}}}, 'count entries where type = "W2"'),
    (dates(gte="2024-01-01", lt="2025-01-01"), "find documents where created in 2024"),
    (dates(gte="2024-04-01", lt="2024-07-01"), "find documents where created in 2024-Q2"),
    (dates(gte="2024-03-01", lte="2024-03-31"), "find documents where created in 2024-03"),
    (dates(gte="2024-03-05", lte="2024-03-05"), "find documents where created in 2024-03-05"),
    (dates(gte="2024-03-05"), "find documents where created >= 2024-03-05"),
    (dates(gt="2024-03-05"), "find documents where created >= 2024-03-06"),
    (dates(lte="2024-03-05T10"), "find documents where created < 2024-03-05T11:00:00Z"),
    (dates(lt="2024-03-05T10:00:00.250Z"), "find documents where created < 2024-03-05T10:00:00.250Z"),
    (dates(gte="now-7d/d", lt="now/d"), "find documents where created between 2026-03-08 and 2026-03-14"),
    (query({"range": {"financialAttributes.dueDate": {"gte": "2026-03-15", "lte": "2026-03-20"}}}),
     "find documents where due between 2026-03-15 and 2026-03-20"),
    (query({"bool": {"should": [{"term": {"organizationAttributes.folderPathIds.keyword": "0b3a4f3e-0000-4000-8000-000000000000"}},
     {"term": {"systemAttributes.parentId.keyword": "0b3a4f3e-0000-4000-8000-000000000000"}}]}}),
     'find documents where folder under "0b3a4f3e-0000-4000-8000-000000000000"'),
    (query({"multi_match": {"query": "roof repair", "type": "phrase", "fields": ["contentAttributes.extractedText",
     f"{C}.description", f"{C}.name"]}}), 'find documents where mentions "roof repair"'),
    (query(size=0, aggs={"t": {"terms": {"field": TYPE, "size": 5}}}), "count documents by type limit 5"),
    (query(size=0, aggs={"t": {"terms": {"field": TYPE}, "aggs": {"s": {"sum": {"field": f"{C}.sizeInBytes"}}}}}),
     "count, sum(size) of documents by type limit 10"),
    (query(size=0, aggs={"t": {"terms": {"field": TYPE, "order": {"_key": "asc"}}}}),
     "count documents by type sort type limit 10"),
    (query(size=0, aggs={"t": {"terms": {"field": TYPE, "order": {"s": "desc"}}, "aggs": {"s": {"sum": {"field":
     f"{C}.sizeInBytes"}}}}}), "count, sum(size) of documents by type sort sum(size) desc limit 10"),
    (query(size=0, aggs={"t": {"terms": {"field": TYPE, "min_doc_count": 20}}}),
     "count documents by type having count >= 20 limit 10"),
    (query(size=0, aggs={"m": {"date_histogram": {"field": "systemAttributes.createDate", "calendar_interval": "month",
     "min_doc_count": 1}}}), "count documents by month(created)"),
    (query(size=0, aggs={"a": {"avg": {"field": f"{C}.sizeInBytes"}}, "b": {"max": {"field": "systemAttributes.createDate"}}}),
     "avg(size), max(created) of documents"),
    (query(size=0, aggs={"d": {"cardinality": {"field": TYPE}}}), "distinct(type) of documents"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "program"), SAID)
def test_a_request_is_said_as_a_program_with_the_same_answer(store: Compiler, request_: Any, program: str) -> None:
    found = translated(store, request_)
    assert (found.program, found.differences) == (program, ())
    same_answer(store, request_, program)


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
            assert isinstance(pasted, Hits)
            assert pasted.total == 0
        case _:
            raise AssertionError((pasted, run))


def numbers(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else [value]


def plain_date(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(".000Z", "Z")
    return pytest.approx(value) if isinstance(value, float) else value


NEARLY = [
    (query({"term": {f"{C}.name.keyword": "Report.pdf"}}), "upper and lower case in 'Report.pdf'"),
    (query({"prefix": {f"{C}.name.keyword": "Report"}}), "upper and lower case in 'Report'"),
    ({"query": {"match": {"contentAttributes.extractedText": "roof"}}}, "the order by how well each one matches"),
    (query({"bool": {"must": [{"term": {TYPE: "W2"}}], "should": [{"exists": {"field": f"{C}.tags"}}]}}),
     "'should' without 'minimum_should_match'"),
    (query({"term": {"systemAttributes.parentId.keyword": "Tax"}}), "which is looked up as a name too"),
    ({"query": {"ids": {"values": ["797c56a3-46a1-4380-b6d4-4233c6fdd1fb"]}}}, "'_id', for which 'id' is taken"),
    (query(size=0, aggs={"m": {"date_histogram": {"field": "systemAttributes.createDate",
     "calendar_interval": "month"}}}), "intervals of time that nothing falls into"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "difference"), NEARLY)
def test_what_differs_is_named(store: Compiler, request_: Any, difference: str) -> None:
    found = translated(store, request_)
    assert found.program
    assert not found.exact
    assert any(difference in one for one in found.differences), found.differences


def test_a_program_that_finds_no_more_is_one_for_the_request(store: Compiler) -> None:
    """Case makes a difference to some, and none to what is there."""
    for request, program in (
        ({"query": {"term": {"systemAttributes.owner.ownerName.keyword": "Dana Whitfield"}}},
         'find entries where systemAttributes.owner.ownerName.keyword = "Dana Whitfield"'),
        ({"query": {"wildcard": {f"{C}.name.keyword": "*Contoso*"}}, "size": 0}, 'count entries where name contains "Contoso"'),
        ({"query": {"match": {"contentAttributes.extractedText": "roof"}}}, 'find entries where content matches "roof"'),
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
    assert isinstance(found, Hits)
    assert found.query == ""
    more = store.run('count entries where name contains "invoice"', now=NOW)
    assert isinstance(more, Count)
    assert more.value > found.total


UNSAID = [
    (query({"regexp": {f"{C}.name.keyword": "a(b|c)"}}), "the pattern 'a(b|c)'"),
    (query({"fuzzy": {f"{C}.name.keyword": "a"}}), "the query 'fuzzy'"),
    (query({"match": {"contentAttributes.extractedText": "roof repair"}}), "any of the words 'roof repair'"),
    (query({"term": {f"{C}.documentType": "w2"}}), "on the words of"),
    (query({"match_none": {}}), "nothing can meet"),
    (query({"term": {TYPE: "w2"}}), "does not have by the catalog"),
    (query({"range": {"financialAttributes.dueDate": {"gte": "2026-03-15T10:00:00Z"}}}), "holds whole days"),
    (query(sort=[{f"{C}.sizeInBytes": {"order": "desc", "missing": "_first"}}]), "without a value first"),
    (query(size=0, aggs={"a": {"terms": {"field": TYPE}}, "b": {"terms": {"field": TYPE}}}), "side by side"),
    (query(size=0, aggs={"a": {"terms": {"field": TYPE}, "aggs": {"b": {"terms": {"field": TYPE}}}}}), "inside groups"),
    (query(size=0, aggs={"a": {"nested": {"path": "comments"}}}), "the aggregation 'nested'"),
]


@pytest.mark.parametrize(("request_", "part"), UNSAID)
def test_what_cannot_be_said_is_named(store: Compiler, request_: Any, part: str) -> None:
    found = translated(store, request_)
    assert not found.program
    assert part in found.differences[0]
    (told,) = run_pasted("explain " + json.dumps(request_), store, now=NOW)
    assert isinstance(told, Explain)
    assert told.notes[-1] == f"The query language cannot say {found.differences[0]}."


def test_several_kinds_at_once_cannot_be_said(tenants: Compiler) -> None:
    found = translated(tenants, '{"query": {"term": {"type": "memo"}}}')
    assert found.differences == ("a search over folders and documents and projects at once: a program is about one kind",)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_days_are_those_of_the_caller(store: Compiler, zone: str) -> None:
    found = translated(store, dates(gte="2024-01-01", lt="2025-01-01"), zone)
    assert found.program == "find documents where created >= 2024-01-01T00:00:00Z and created < 2025-01-01T00:00:00Z"
    local = translated(store, dates(gte="2024-01-01", lt="2025-01-01", time_zone=zone), zone)
    assert local.program == "find documents where created in 2024"
    same_answer(store, dates(gte="2024-01-01", lt="2025-01-01", time_zone=zone), local.program, timezone=zone)
