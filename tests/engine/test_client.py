"""The official client over the engine, sync and async, and many threads at once."""

import threading
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from elasticsearch import BadRequestError, ConflictError, Elasticsearch, NotFoundError, dsl, helpers
from elasticsearch.exceptions import SerializationError
from elasticsearch.serializer import JsonSerializer

import qlc_engine
from qlc_engine import Engine, node_class
from qlc_engine.json_output import Handed
from qlc_engine.serializer import HandingSerializer
from tests import engines
from tests.engine.asked import Asked
from tests.handed import Watch

URL = "http://embedded:9200"


def test_the_client_works_as_with_a_server(asked: Asked) -> None:
    with Elasticsearch(URL, node_class=node_class(asked.engine)) as client:
        assert client.info()["version"]["number"].startswith("8.19")
        client.indices.create(index="i", mappings={"properties": {"a": {"type": "keyword"}}})
        assert client.indices.exists(index="i")
        actions = ({"_index": "i", "_id": str(at), "a": f"v{at}"} for at in range(1000))
        assert helpers.bulk(client, actions, refresh=True) == (1000, [])
        assert client.count(index="i")["count"] == 1000
        client.options(opaque_id="x").update(index="i", id="1", doc={"a": "changed"}, refresh="wait_for")
        found = client.search(index="i", query={"term": {"a": "changed"}}, filter_path="hits.hits._id")
        assert found.body == {"hits": {"hits": [{"_id": "1"}]}}
        with pytest.raises(NotFoundError):
            client.get(index="i", id="none")
        with pytest.raises(ConflictError):
            client.create(index="i", id="1", document={})
        with pytest.raises(BadRequestError, match="unknown query"):
            client.search(index="i", query={"nothing": {}})


def test_a_setting_that_is_null_is_as_it_was_by_itself(asked: Asked) -> None:
    with Elasticsearch(URL, node_class=node_class(asked.engine)) as client:
        client.index(index="i", id="1", document={"a": 1}, refresh=True)
        client.indices.put_settings(index="i", settings={"max_result_window": 5})
        with pytest.raises(BadRequestError, match="Result window is too large"):
            client.search(index="i", size=6)
        client.indices.put_settings(index="i", settings={"max_result_window": None})
        assert client.search(index="i", size=6)["hits"]["total"]["value"] == 1
        assert "max_result_window" not in client.indices.get_settings(index="i")["i"]["settings"]["index"]


def test_a_defect_is_a_500_and_is_in_the_log(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(asked.engine, "search", fails)
    status, answered = asked.ask("POST", "/_search")
    assert status == 500
    assert "ZeroDivisionError" in answered["error"]["reason"]
    assert "POST /_search failed" in caplog.text


def test_a_search_does_not_wait_for_a_writer() -> None:
    with Engine.open(None) as engine:
        asked = Asked(engine)
        asked.ok("PUT", "/i", {"settings": {"refresh_interval": "0"}})
        asked.put("i", {"1": {"a": 1}})
        answers: list[list[str]] = []
        with engine.writing():
            asked.ok("PUT", "/i/_doc/2", {"a": 2})
            searching = threading.Thread(target=lambda: answers.append(asked.ids("i", {"match_all": {}})))
            searching.start()
            searching.join(timeout=10)
        assert answers == [["1"]]
        asked.ok("PUT", "/i/_doc/3", {"a": 3})
        assert asked.ids("i", {"match_all": {}}) == ["1", "2", "3"]


def test_a_client_of_a_folder_is_handed_objects_and_one_with_serializers_of_its_own_reads_json(
    tmp_path: Path, answers_as_objects: Watch
) -> None:
    body = {"query": {"match_all": {}}, "aggs": {"most": {"max": {"field": "a"}}}}
    with qlc_engine.Elasticsearch(tmp_path) as client:
        client.index(index="i", id="1", document={"a": 1}, refresh=True)
        before = answers_as_objects.seen
        found = client.search(index="i", body=body).body
        several = client.msearch(searches=[{"index": "i"}, body]).body["responses"]
        assert answers_as_objects.seen == before + 2
        # what a client does with its answer changes no other
        found["hits"]["hits"][0]["_source"]["a"] = 2
        again = client.search(index="i", body=body).body
        assert again["hits"]["hits"][0]["_source"] == {"a": 1}
        assert several[0]["hits"] == again["hits"]
    with qlc_engine.Elasticsearch(tmp_path, serializer=JsonSerializer()) as client:
        before = answers_as_objects.seen
        read = client.search(index="i", body=body).body
        assert answers_as_objects.seen == before
    assert {**read, "took": 0} == {**again, "took": 0}


def test_documents_are_written_as_by_any_client() -> None:
    ours, theirs = HandingSerializer(), JsonSerializer()
    documents: list[Any] = [
        {"a": [1, 2.5, 1e300, None, True], "b": {"": {}, "c": []}, "d": 'é"\\\n\u2028\ud800', 5: "five"},
        {"day": date(2024, 2, 29), "at": datetime(2024, 2, 29, 1, 2, tzinfo=UTC), "price": Decimal("1.50")},
        {"id": UUID(int=7), "pair": (1, 2), "n": np.float32(0.5), "many": np.arange(3), "nan": float("nan")},
        [],
    ]
    for document in documents:
        assert ours.dumps(document) == theirs.dumps(document)
    circle: dict[str, Any] = {}
    circle["self"] = circle
    for wrong in ({"a": object()}, circle):
        with pytest.raises(SerializationError):
            theirs.dumps(wrong)
        with pytest.raises(SerializationError):
            ours.dumps(wrong)


def test_what_is_said_of_each_write_is_handed_over(tmp_path: Path, answers_as_objects: Watch) -> None:
    operations = [
        {"index": {"_id": "1"}}, {"a": 1}, {"update": {"_id": "1"}}, {"doc": {"b": [2]}},
        {"create": {"_id": "1"}}, {}, {"delete": {"_id": "2"}},
    ]  # fmt: skip
    reading = qlc_engine.Elasticsearch(tmp_path / "read", serializer=JsonSerializer())
    with qlc_engine.Elasticsearch(tmp_path / "handed") as client, reading as reader:
        before = answers_as_objects.seen
        handed = client.bulk(index="i", operations=operations).body
        assert answers_as_objects.seen == before + 1
        of_json = reader.bulk(index="i", operations=operations).body
        assert answers_as_objects.seen == before + 1
    items = [{**item, "error": item.get("error", {}).get("type")} for each in handed["items"] for item in each.values()]
    assert [item["error"] for item in items] == [None, None, "version_conflict_engine_exception", None]
    del handed["items"][2], of_json["items"][2]  # in the error is the uuid of the index
    assert {**of_json, "took": 0} == {**handed, "took": 0}


async def test_an_async_client_of_a_folder_is_handed_objects(tmp_path: Path, answers_as_objects: Watch) -> None:
    async with qlc_engine.AsyncElasticsearch(tmp_path) as client:
        await client.index(index="i", id="1", document={"a": 1}, refresh=True)
        before = answers_as_objects.seen
        found = await client.search(index="i", query={"term": {"a": 1}})
        assert found["hits"]["hits"][0]["_source"] == {"a": 1}
        assert answers_as_objects.seen == before + 1


def test_what_is_handed_over_is_looked_at(answers_as_objects: Watch) -> None:
    shared = {"a": [1]}
    Handed({"first": shared})
    for body in ({"second": shared}, {"a": (1, 2)}, {1: "a"}, {"a": np.float64(1)}, {"a": float("nan")}):
        with pytest.raises((AssertionError, ValueError)):
            Handed(body)


def test_a_closed_client_is_reported(tmp_path: Path) -> None:
    client = qlc_engine.Elasticsearch(tmp_path / "store")
    client.index(index="i", id="1", document={"a": 1}, refresh=True)
    client.close()
    for ask in (lambda: client.count(index="i"), lambda: client.index(index="i", document={"a": 2})):
        with pytest.raises(BadRequestError, match=r"already_closed_exception.*connect again"):
            ask()
    with qlc_engine.Elasticsearch(tmp_path / "store") as again:
        assert again.count(index="i")["count"] == 1


def test_a_defect_while_executing_stays_a_defect(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is read of a request is taken for malformed; an error of the engine at work is none of the caller's."""

    def broken(*_: Any, **__: Any) -> None:
        raise TypeError("a defect")

    asked.put("i", {"1": {"n": 5}})
    monkeypatch.setattr("qlc_engine.search.run.matching", broken)
    status, answered = asked.ask("POST", "/i/_search", {"query": {"term": {"n": 5}}, "sort": ["n"]})
    assert (status, "a defect" in str(answered)) == (500, True)


@pytest.fixture
def library() -> Elasticsearch:
    """An index `i` with three documents, on the engine under test: the tests below hold on a server too."""
    client = engines.open_client()
    client.indices.create(index="i", mappings={"properties": {"kind": {"type": "keyword"}}})
    actions = ({"_index": "i", "_id": str(at), "kind": kind, "n": at} for at, kind in enumerate("aab"))
    helpers.bulk(client, actions, refresh=True)
    return client


def test_several_documents_are_read_by_their_ids(library: Elasticsearch) -> None:
    first, gone = library.mget(index="i", ids=["0", "9"])["docs"]
    assert (first["_id"], first["found"], first["_source"]) == ("0", True, {"kind": "a", "n": 0})
    assert (gone["_id"], gone["found"]) == ("9", False)
    asked = [{"_id": "1", "_source": ["n"]}, {"_id": "2", "_source": False}]
    part, bare = library.mget(index="i", docs=asked)["docs"]
    (lost,) = library.mget(index="none", ids=["1"])["docs"]
    assert part["_source"] == {"n": 1}
    assert (bare["found"], "_source" in bare) == (True, False)
    assert lost["error"]["type"] == "index_not_found_exception"
    library.index(index="i", id="0", document={"n": 7})  # no refresh: it is read as it was last written
    assert library.mget(index="i", ids=["0"])["docs"][0]["_source"] == {"n": 7}
    with pytest.raises(BadRequestError, match="no documents to get"):
        library.mget(index="i", ids=[])


def test_what_a_query_finds_is_deleted(library: Elasticsearch) -> None:
    answer = library.delete_by_query(index="i", query={"term": {"kind": "a"}}, refresh=True)
    assert {key: answer[key] for key in ("total", "deleted", "version_conflicts", "failures")} == {
        "total": 2, "deleted": 2, "version_conflicts": 0, "failures": [],
    }  # fmt: skip
    assert [hit["_id"] for hit in library.search(index="i")["hits"]["hits"]] == ["2"]


def test_a_document_that_was_written_since_is_not_deleted_by_a_query(library: Elasticsearch) -> None:
    library.indices.put_settings(index="i", settings={"refresh_interval": "-1"})
    library.index(index="i", id="0", document={"kind": "b"})
    with pytest.raises(ConflictError) as refused:
        library.delete_by_query(index="i", query={"term": {"kind": "a"}})
    (failure,) = refused.value.info["failures"]
    assert (failure["id"], failure["cause"]["type"]) == ("0", "version_conflict_engine_exception")
    library.index(index="i", id="2", document={"kind": "c"})
    answer = library.delete_by_query(index="i", query={"term": {"kind": "b"}}, conflicts="proceed")
    assert {key: answer[key] for key in ("total", "deleted", "version_conflicts")} == {
        "total": 1, "deleted": 0, "version_conflicts": 1,
    }  # fmt: skip


def test_the_health_of_the_cluster_is_told(library: Elasticsearch) -> None:
    health = library.cluster.health(wait_for_status="yellow", timeout="5s")
    assert health["status"] in ("green", "yellow")
    assert health["active_primary_shards"] >= 1
    assert not health["timed_out"]


def test_a_scroll_reads_each_document_once_as_it_was_when_it_began(library: Elasticsearch) -> None:
    first = library.search(index="i", scroll="1m", size=2, sort=[{"n": "desc"}], aggs={"most": {"max": {"field": "n"}}})
    library.index(index="i", id="3", document={"kind": "b", "n": 3}, refresh=True)
    second = library.scroll(scroll_id=first["_scroll_id"], scroll="1m")
    pages = [[(hit["_id"], hit["sort"]) for hit in page["hits"]["hits"]] for page in (first, second)]
    assert pages == [[("2", [2]), ("1", [1])], [("0", [0])]]
    assert first["hits"]["total"] == second["hits"]["total"] == {"value": 3, "relation": "eq"}
    assert [("aggregations" in page, "pit_id" in page) for page in (first, second)] == [(True, False), (False, False)]
    assert library.clear_scroll(scroll_id=second["_scroll_id"])["num_freed"] == 1
    with pytest.raises(NotFoundError):
        library.scroll(scroll_id=second["_scroll_id"])
    for wrong in ({"from_": 1}, {"size": 0}, {"sort": ["n"], "search_after": [1]}, {"collapse": {"field": "kind"}}):
        with pytest.raises(BadRequestError, match="in a scroll context"):
            library.search(index="i", scroll="1m", **wrong)
    with pytest.raises(BadRequestError, match="Cannot parse scroll id"):
        library.scroll(scroll_id="none")
    assert sorted(hit["_id"] for hit in helpers.scan(library, index="i", size=2)) == ["0", "1", "2", "3"]


def test_documents_of_classes_are_saved_updated_and_searched(library: Elasticsearch) -> None:
    class Article(dsl.Document):
        title = dsl.Text()

        class Index:
            name = "articles"

    Article.init(using=library)
    Article(title="Moby", meta={"id": "1"}).save(using=library, refresh=True)
    Article.get("1", using=library).update(using=library, title="Moby Dick", refresh=True)
    found = Article.search(using=library).query("match", title="dick")
    assert [article.title for article in found.scan()] == ["Moby Dick"]
