"""Requests that run, on the sample store: hits, counts, tables, pages, dates against the caller's clock."""

import json
from typing import Any

import pytest

from qlc import Compiler
from qlc.mapping.catalog import read_catalog
from qlc.outcome import AggregateOut, Explain, Failed, RejectedQuery
from qlc.pasted.entry import NotPasted, all_pages_pasted, run_pasted, run_pasted_async
from tests import engines
from tests.pasted.conftest import NOW, TYPE, C, S, hits, run
from tests.pasted.test_hostile import RUN
from tests.pipeline import world
from tests.pipeline.conftest import never_open
from tests.pipeline.wire import Reply, Wire, always
from tests.tables import rows, table


def test_pages_read_on_to_the_end(store: Compiler) -> None:
    request = {"query": {"term": {f"{C}.fileExtension": "mp4"}}, "sort": [{f"{C}.sizeInBytes": "desc"}], "size": 5}
    seen: list[str] = []
    cursor = None
    sizes = []
    while True:
        page = hits(store, request, cursor=cursor)
        seen += page.ids
        sizes.append(len(page.ids))
        assert page.total == 13
        cursor = page.cursor
        if cursor is None:
            break
    assert sizes == [5, 5, 3]
    assert len(set(seen)) == 13
    assert seen == hits(store, {**request, "size": 100}).ids


def test_from_skips(store: Compiler) -> None:
    request = {"query": {"term": {f"{C}.fileExtension": "mp4"}}, "sort": [{f"{C}.sizeInBytes": "desc"}]}
    whole = hits(store, {**request, "size": 20}).ids
    found = hits(store, {**request, "from": 3, "size": 4})
    assert found.ids == whole[3:7]
    assert hits(store, {**request, "from": 3, "size": 4}, cursor=found.cursor).ids == whole[7:11]


@pytest.mark.parametrize(("bounds", "condition"), rows(__file__, "test_dates_count_from_the_callers_clock"))
def test_dates_count_from_the_callers_clock(store: Compiler, bounds: dict[str, Any], condition: str) -> None:
    (found,) = run(store, {"size": 0, "query": {"range": {f"{S}.createDate": bounds}}})
    program = store.run(f"count entries where {condition}", now=NOW)
    assert found.value == program.value > 0


@pytest.mark.parametrize(("text", "same"), rows(__file__, "test_a_fixed_request_is_what_was_meant"))  # fmt: skip
def test_a_fixed_request_is_what_was_meant(store: Compiler, text: str, same: str) -> None:
    text, same = (one.replace("%s", TYPE) for one in (text, same))
    (found,) = run(store, f"fix and run {text}", size=50)
    (right,) = run(store, same, size=50)
    assert (found.total, sorted(found.ids)) == (right.total, sorted(right.ids))
    assert any(note.startswith("Fixed: ") for note in found.notes)


INSPECTED = table(__file__, "INSPECTED")


def test_what_consoles_write_runs(store: Compiler) -> None:
    found = hits(store, INSPECTED)
    program = store.run('count documents where type = "Receipt" and created in 2024-Q1', now=NOW)
    assert found.total == program.value
    assert "Passages are not marked here: 'highlight' is left out." in found.notes


def test_a_page_of_another_size_can_be_asked_for(store: Compiler) -> None:
    request = {"query": {"term": {f"{C}.fileExtension": "mp4"}}, "sort": [{f"{C}.sizeInBytes": "desc"}], "size": 4}
    first = hits(store, request)
    assert len(hits(store, request, cursor=first.cursor).ids) == 4
    assert len(hits(store, request, cursor=first.cursor, page=6).ids) == 6
    assert len(hits(store, request, page=2).ids) == 2


def test_an_index_without_a_catalog_is_paged_in_a_point_in_time() -> None:
    client = engines.open_client()
    client.indices.create(index="plain", mappings={"properties": {"n": {"type": "integer"}, "t": {"type": "keyword"}}})
    for number in range(23):
        client.index(index="plain", id=str(number), document={"n": number % 5, "t": f"t{number}"})
    client.indices.refresh(index="plain")
    compiler = Compiler(client, None, "plain")
    request = {"query": {"range": {"n": {"gte": 1}}}, "sort": [{"n": "desc"}], "size": 5}
    seen: list[str] = []
    cursor = None
    while True:
        page = hits(compiler, request, cursor=cursor)
        seen += page.ids
        assert page.total == 18
        cursor = page.cursor
        if cursor is None:
            break
    assert sorted(map(int, seen)) == [n for n in range(23) if n % 5 >= 1]
    assert [int(one) % 5 for one in seen] == sorted((int(one) % 5 for one in seen), reverse=True)
    assert page.query == "find entries where n >= 1 sort n desc"
    (found,) = run(compiler, "GET /plain/_doc/7")
    assert found.hits[0].values == {"n": 2, "t": "t7"}


def test_words_are_no_request(store: Compiler) -> None:
    with pytest.raises(NotPasted):
        run(store, "receipts from last year")


def test_the_old_name_of_the_module_still_works() -> None:
    from qlc.pasted import entry

    assert (entry.NotPasted, entry.run_pasted) == (NotPasted, run_pasted)


def test_what_is_wanted_can_be_said(store: Compiler) -> None:
    (found,) = run(store, '{"query": {"match_all": {}}}', want="explain")
    assert isinstance(found, Explain)


async def test_the_asynchronous_answer_is_the_same(wire: Wire, tenants: Compiler) -> None:
    context = {"tenant": "red", "level": 5}
    async with wire.async_client() as client:
        twin = Compiler(client, read_catalog(world.CATALOG), breaker=never_open())
        for text in (*RUN, '{"query": {"term": {"nope": 1}}}', "DELETE /shared", "explain " + RUN[0]):
            one = run_pasted(text, tenants, context=context, now=NOW)
            other = await run_pasted_async(text, twin, context=context, now=NOW)
            assert [found.model_dump(exclude={"stats", "cursor"}) for found in one] == [
                found.model_dump(exclude={"stats", "cursor"}) for found in other
            ]


def test_a_server_that_does_not_accept_a_request_is_reported_without_its_words(wire: Wire, tenants: Compiler) -> None:
    error = {"error": {"type": "illegal_argument_exception", "reason": "secret words"}, "status": 400}
    with wire.answering(always(Reply(400, error))):
        (found,) = run_pasted(RUN[0], tenants, context={"tenant": "red", "level": 5}, now=NOW)
    assert isinstance(found, RejectedQuery)
    assert found.reason == "not_accepted"
    assert "secret words" not in found.model_dump_json()


@pytest.fixture(scope="module")
def years() -> Compiler:
    client = engines.open_client()
    for year in (2024, 2025):
        client.indices.create(index=f"visits-{year}", mappings={"properties": {"page": {"type": "keyword"}}})
        client.index(index=f"visits-{year}", document={"page": f"/{year}"}, refresh=True)
    client.indices.create(index="other", mappings={"properties": {"page": {"type": "keyword"}}})
    catalog = "{version: 1, index: 'visits-*', entities: {visit: {}}, fields: {page: page}}"
    return Compiler(client, read_catalog(catalog), breaker=never_open())


@pytest.mark.parametrize(("index", "total"), [("visits-*", 2), ("visits-2024", 1), ("visits-2*", 2),
                                              ("visits-2024,visits-2025", 2)])  # fmt: skip
def test_some_of_the_indices_of_a_pattern_can_be_named(years: Compiler, index: str, total: int) -> None:
    assert hits(years, f'GET /{index}/_search\n{{"query": {{"match_all": {{}}}}}}').total == total


@pytest.mark.parametrize("index", ["*", "_all", "vis*", "other", "visits-2024,other", "visits-*,-visits-2024", "x:visits-*",
                                   "<visits-{now/d}>"])  # fmt: skip
def test_what_may_be_another_index_is_refused(years: Compiler, index: str) -> None:
    (found,) = run(years, f'GET /{index}/_search\n{{"query": {{"match_all": {{}}}}}}')
    assert isinstance(found, RejectedQuery)
    assert found.reason == "other_index"


def test_all_pages_of_a_request_are_one_list_or_what_ends_them() -> None:
    wire = Wire()
    request = {"query": {"match_all": {}}, "size": 2}
    with wire.client() as client:
        world.load(client)
        compiler = Compiler(client, read_catalog(world.CATALOG), breaker=never_open())
        options = {"context": {"tenant": "red", "level": 5}, "size": 2}
        (first,) = run_pasted(json.dumps(request), compiler, **options)
        (whole,) = all_pages_pasted(json.dumps(request), compiler, **options)
        assert first.has_more
        assert len(set(whole.ids)) == len(whole.hits) == whole.total == first.total > 4
        assert (whole.ids[:2], whole.cursor, whole.has_more) == (first.ids, None, False)
        searches = 0

        def third(call: Any) -> Reply | None:
            nonlocal searches
            searches += bool(call.searches)
            return Reply(403, {}) if searches > 2 else None

        with wire.answering(third):
            (ended,) = all_pages_pasted(json.dumps(request), compiler, **options)
    assert isinstance(ended, Failed)
    assert ended.reason == "forbidden"


def test_combinations_are_read_page_by_page(store: Compiler) -> None:
    year = {"date_histogram": {"field": f"{S}.createDate", "calendar_interval": "year"}}
    sources = [{"type": {"terms": {"field": TYPE}}}, {"year": year}]
    composite: dict[str, Any] = {"size": 500, "sources": sources}
    mean = {"mean": {"avg": {"field": f"{C}.sizeInBytes"}}}
    (whole,) = run(store, {"size": 0, "aggs": {"c": {"composite": composite, "aggs": mean}}})
    assert whole.groups == ["type", "year"]
    assert whole.measures == ["count", "mean"]
    (first,) = run(store, {"size": 0, "aggs": {"c": {"composite": {**composite, "size": 7}, "aggs": mean}}})
    assert isinstance(first, AggregateOut)
    assert first.rows == whole.rows[:7]
    (told,) = first.notes
    after = json.loads(told.partition('"after": ')[2].partition("}")[0] + "}")
    (second,) = run(store, {"size": 0, "aggs": {"c": {"composite": {**composite, "size": 7, "after": after},
                                                      "aggs": mean}}})  # fmt: skip
    assert isinstance(second, AggregateOut)
    assert second.rows == whole.rows[7:14]
    counted = store.run("count documents by type, year(created)", now=NOW)
    assert isinstance(counted, AggregateOut)
    assert len(counted.rows) == len(whole.rows)
