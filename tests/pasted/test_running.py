"""Requests that run, on the sample store: hits, counts, tables, pages, dates against the caller's clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qlc import Compiler
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Count, Explain, Failed, Hits, RejectedQuery
from qlc.pasted.entry import NotPasted, all_pages_pasted, run_pasted, run_pasted_async
from tests import engines
from tests.pasted.conftest import NOW, TYPE, C, S, hits, run
from tests.pasted.test_hostile import RUN
from tests.pipeline import world
from tests.pipeline.conftest import never_open
from tests.pipeline.wire import Reply, Wire, always
from tests.tables import rows, table


def test_the_largest_videos(store: Compiler) -> None:
    found = hits(
        store,
        'run this please {"query":{"bool":{"filter":[{"term":{"commonAttributes.fileExtension":"mp4"}}]}},'
        '"sort":[{"commonAttributes.sizeInBytes":{"order":"desc"}}],"size":4}',
    )
    assert found.ids == ["797c56a3-46a1-4380-b6d4-4233c6fdd1fb", "fae59138-9493-4906-afe6-ef6fb00f0afc",
                         "8a06b2d9-02ef-4761-b3b1-f628cdd2c0c0", "77d9ea4e-173e-4513-bddc-9e6647b9e7e7"]  # fmt: skip
    assert (found.total, found.has_more) == (13, True)
    assert found.query == 'find entries where extension = "mp4" sort size desc'


@pytest.mark.parametrize("request_line", ["", "GET /entities-v4/_search\n", "POST entities-v4/_search?size=3\n",
                                          "curl localhost:9200/entities-v4/_search -d "])  # fmt: skip
def test_every_form_of_a_request_has_the_same_answer(store: Compiler, request_line: str) -> None:
    body = json.dumps({"query": {"term": {TYPE: "W2"}}, "sort": [{f"{S}.createDate": "desc"}], "size": 3})
    text = f"{request_line}'{body}'" if "curl" in request_line else request_line + body
    program = store.run('find documents where type = "W2" sort created desc limit 3', now=NOW)
    assert isinstance(program, Hits)
    assert hits(store, text).ids == program.ids


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


def test_a_request_without_a_size_has_the_callers_pages(store: Compiler) -> None:
    assert len(hits(store, {"query": {"term": {TYPE: "W2"}}}, size=7).ids) == 7
    assert len(hits(store, {"query": {"term": {TYPE: "W2"}}}).ids) == 10


def test_a_large_size_is_cut_and_reported(store: Compiler) -> None:
    found = hits(store, {"query": {"match_all": {}}, "size": 5000})
    assert len(found.ids) == 1000
    assert found.notes == ["The request asks for 5,000 hits; a page has at most 1,000."]
    assert len(hits(store, {"query": {"match_all": {}}, "size": 2000}, size=3000).ids) == 2000


def test_counts(store: Compiler) -> None:
    for request in (f'GET entities-v4/_count {{"query": {{"term": {{"{TYPE}": "Receipt"}}}}}}',
                    {"size": 0, "query": {"term": {TYPE: "Receipt"}}}):  # fmt: skip
        (found,) = run(store, request)
        assert isinstance(found, Count)
        assert found.value == 976


def test_how_many(store: Compiler) -> None:
    request = json.dumps({"query": {"term": {TYPE: "Receipt"}}, "size": 3})
    (found,) = run(store, f"how many does this find? {request}")
    assert isinstance(found, Count)
    assert found.value == 976


def test_one_document(store: Compiler) -> None:
    found = hits(store, "GET /entities-v4/_doc/797c56a3-46a1-4380-b6d4-4233c6fdd1fb")
    assert [one.name for one in found.hits] == ["Welcome tour.mp4"]


@pytest.mark.parametrize(("bounds", "condition"), rows(__file__, "test_dates_count_from_the_callers_clock"))
def test_dates_count_from_the_callers_clock(store: Compiler, bounds: dict[str, Any], condition: str) -> None:
    (found,) = run(store, {"size": 0, "query": {"range": {f"{S}.createDate": bounds}}})
    program = store.run(f"count entries where {condition}", now=NOW)
    assert isinstance(found, Count)
    assert isinstance(program, Count)
    assert found.value == program.value > 0


def test_the_shown_fields_are_those_asked_for(store: Compiler) -> None:
    found = hits(store, {"query": {"term": {f"{C}.fileExtension": "mp4"}}, "size": 1,
                         "sort": [{f"{C}.sizeInBytes": "desc"}], "_source": [f"{C}.name", f"{S}.owner.*"]})  # fmt: skip
    (hit,) = found.hits
    assert hit.values["name"] == "Welcome tour.mp4"
    assert hit.values["owner"]["name"] == "Mei-Ling Chen"
    nothing = hits(store, {"query": {"term": {f"{C}.fileExtension": "mp4"}}, "size": 1, "_source": False})
    assert nothing.hits[0].values == {}
    assert "size" not in hits(store, {"query": {"match_all": {}}, "_source": {"excludes": [f"{C}.*"]}}).hits[0].values


def test_each_hit_shows_what_its_kind_shows(store: Compiler) -> None:
    found = hits(store, {"query": {"term": {"entityType.keyword": "FOLDER"}}, "size": 1})
    assert "document_count" in found.hits[0].values
    found = hits(store, {"query": {"term": {"entityType.keyword": "DOCUMENT"}}, "size": 1})
    assert "size" in found.hits[0].values


def test_fixed_requests_run_and_say_what_was_fixed(store: Compiler) -> None:
    found = hits(store, "fix and run {query: {'term': {\"commonAttributes.documentType.keyword\": 'W2',}}, \"size\": 2")
    assert len(found.ids) == 2
    assert len([note for note in found.notes if note.startswith("Fixed: ")]) == 5
    assert found.notes[-1] == "Fixed: a closing } is missing (line 1, column 90); added it."


@pytest.mark.parametrize(("text", "same"), rows(__file__, "test_a_fixed_request_is_what_was_meant"))  # fmt: skip
def test_a_fixed_request_is_what_was_meant(store: Compiler, text: str, same: str) -> None:
    text, same = (one.replace("%s", TYPE) for one in (text, same))
    (found,) = run(store, f"fix and run {text}", size=50)
    (right,) = run(store, same, size=50)
    assert isinstance(found, Hits), found
    assert isinstance(right, Hits)
    assert (found.total, sorted(found.ids)) == (right.total, sorted(right.ids))
    assert any(note.startswith("Fixed: ") for note in found.notes)


INSPECTED = table(__file__, "INSPECTED")


def test_what_consoles_write_runs(store: Compiler) -> None:
    found = hits(store, INSPECTED)
    program = store.run('count documents where type = "Receipt" and created in 2024-Q1', now=NOW)
    assert isinstance(program, Count)
    assert found.total == program.value
    assert "Passages are not marked here: 'highlight' is left out." in found.notes


def test_what_clients_print_runs(store: Compiler) -> None:
    old = {
        "query": {
            "bool": {
                "filter": [
                    {"term": {TYPE: {"value": "W2", "boost": 1.0}}},
                    {
                        "range": {
                            f"{C}.sizeInBytes": {
                                "from": 100000,
                                "to": 500000,
                                "include_lower": True,
                                "include_upper": False,
                                "boost": 1.0,
                            }
                        }
                    },
                ],
                "adjust_pure_negative": True,
                "boost": 1.0,
            }
        },
        "size": 0,
    }
    (found,) = run(store, old)
    assert isinstance(found, Count)
    assert found.query == 'count entries where type = "W2" and size >= 100000 and size < 500000'
    assert found.value == store.run(found.query, now=NOW).value  # type: ignore[union-attr]
    open_ended = {
        "size": 0,
        "query": {"range": {f"{C}.sizeInBytes": {"from": 100000, "to": None, "include_lower": False}}},
    }
    assert run(store, open_ended)[0].query == "count entries where size > 100000"


def test_a_page_of_another_size_can_be_asked_for(store: Compiler) -> None:
    request = {"query": {"term": {f"{C}.fileExtension": "mp4"}}, "sort": [{f"{C}.sizeInBytes": "desc"}], "size": 4}
    first = hits(store, request)
    assert len(hits(store, request, cursor=first.cursor).ids) == 4
    assert len(hits(store, request, cursor=first.cursor, page=6).ids) == 6
    assert len(hits(store, request, page=2).ids) == 2


def test_a_request_without_mistakes_has_nothing_to_fix(store: Compiler) -> None:
    assert hits(store, 'fix and run {"query": {"match_all": {}}}').notes == ["There was nothing to fix."]


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
    assert isinstance(found, Hits)
    assert found.hits[0].values == {"n": 2, "t": "t7"}


def test_credentials_are_reported_to_be_of_no_use(store: Compiler) -> None:
    (found,) = run(store, "curl -u me:secret localhost:9200/entities-v4/_count")
    assert found.notes == ["The credentials in the command are not used, and should not be pasted."]


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


def test_the_text_of_a_query_string_is_run_field_by_field(store: Compiler) -> None:
    text = f"warranty AND {C}.fileExtension:pdf AND NOT _exists_:financialAttributes.dueDate"
    found = hits(store, {"query": {"query_string": {"query": text}}, "size": 3})
    same = hits(store, {"size": 3, "query": {"bool": {
        "must": [{"multi_match": {"query": "warranty"}}], "filter": [{"term": {f"{C}.fileExtension": "pdf"}}],
        "must_not": [{"exists": {"field": "financialAttributes.dueDate"}}]}}})  # fmt: skip
    assert found.total == same.total > 0


def test_a_simple_query_string_looks_at_its_fields(store: Compiler) -> None:
    fields = ["contentAttributes.extractedText", f"{C}.description^2"]
    asked = {"query": "repair roof", "fields": fields, "default_operator": "and"}
    both = {"query": "repair roof", "fields": fields, "operator": "and", "type": "cross_fields"}
    found = hits(store, {"query": {"simple_query_string": asked}})
    assert 0 < found.total <= hits(store, {"query": {"multi_match": both}}).total


def test_functions_change_the_order_and_not_what_is_found(store: Compiler) -> None:
    videos = {"term": {f"{C}.fileExtension": "mp4"}}
    factor = {"field": f"{C}.sizeInBytes", "modifier": "log1p"}
    scored = {"function_score": {"query": {"constant_score": {"filter": videos}}, "field_value_factor": factor}}
    found = hits(store, {"query": scored, "size": 20})
    largest = hits(store, {"query": videos, "sort": [{f"{C}.sizeInBytes": "desc"}], "size": 20})
    assert found.ids == largest.ids


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
        assert isinstance(first, Hits)
        assert isinstance(whole, Hits)
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


@pytest.mark.parametrize("body", [
    {"sort": [{"_script": {}}]}, {"size": 0, "aggs": {"a": {"scripted_metric": {}}}}, {"query": {"script_score": {}}},
])  # fmt: skip
def test_a_script_without_anything_in_it_is_a_script(store: Compiler, body: dict[str, Any]) -> None:
    (found,) = run(store, body)
    assert found.kind == "rejected_query"
