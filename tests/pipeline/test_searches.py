"""`Compiler.search` and `query`: programs as searches of `elasticsearch.dsl` that applications go on with."""

from typing import Any

import pytest
from elasticsearch.dsl import A, Search
from elasticsearch.dsl.query import Term

import qlc
from qlc.pipeline import searches
from tests import data_sets, engines
from tests.tables import rows, table

NOW = "2026-03-15T12:00:00Z"
GUARDED = table(__file__, "GUARDED")


@pytest.fixture(scope="module")
def drive() -> qlc.Compiler:
    return data_sets.drive()


@pytest.mark.parametrize("program", rows(__file__, "test_a_search_finds_what_a_run_of_the_program_finds"))
def test_a_search_finds_what_a_run_of_the_program_finds(drive: qlc.Compiler, program: str) -> None:
    ran = drive.run(program, now=NOW, size=20)
    assert isinstance(ran, qlc.outcome.Hits)
    found = drive.search(program, now=NOW)
    if "limit" not in program:
        found = found[:20]
    answer = found.execute()
    assert [hit.meta.id for hit in answer] == ran.ids
    if "limit" not in program:
        assert answer.hits.total.value == ran.total


def test_the_caller_goes_on_with_it(drive: qlc.Compiler) -> None:
    search = drive.search('find documents where folder = "Tax Documents"', now=NOW)
    narrowed = search.query(Term("commonAttributes.documentType.keyword", {"value": "W2"})).extra(size=0)
    narrowed.aggs["types"] = A("terms", field="commonAttributes.documentType.keyword")
    buckets = narrowed.execute().aggregations.types.buckets
    counted = drive.run('count documents where folder = "Tax Documents" and type = "W2"', now=NOW)
    assert [(bucket.key, bucket.doc_count) for bucket in buckets] == [("W2", counted.value)]


def test_the_query_alone_counts_the_same(drive: qlc.Compiler) -> None:
    query = drive.query('find documents where folder = "Tax Documents"', now=NOW)
    assert drive.client is not None
    assert Search(using=drive.client, index="entities-v4").query(query).count() == 47


def test_a_program_without_lookups_needs_no_client() -> None:
    from tests.compiler.world import drive as unconnected

    made = unconnected().compiler.search("find documents where size > 5 MB")
    assert isinstance(made, Search)
    assert {"range": {"commonAttributes.sizeInBytes": {"gt": 5_000_000}}} in made.to_dict()["query"]["bool"]["filter"]


@pytest.mark.parametrize(
    ("program", "raised"),
    [
        ("find documents where sise > 5", searches.InvalidProgram),
        ("find documents where", searches.InvalidProgram),
        ('find documents where folder = "Travel"', searches.ChoiceNeeded),
        ('find documents where folder = "No Such Folder At All"', searches.NameNotFound),
        ("count documents", searches.CannotSearch),
        ('get document("Dock Permit.pdf").folder', searches.CannotSearch),
    ],
)
def test_why_there_is_no_search_is_raised_with_its_outcome(
    drive: qlc.Compiler, program: str, raised: type[searches.NoSearch]
) -> None:
    with pytest.raises(raised) as problem:
        drive.search(program, now=NOW)
    assert problem.value.outcome.kind == next(kind for kind, one in raised.kinds.items() if one is raised)
    assert str(problem.value) == problem.value.outcome.message != ""


def test_a_choice_is_taken(drive: qlc.Compiler) -> None:
    with pytest.raises(searches.ChoiceNeeded) as asked:
        drive.search('find documents where folder = "Travel"')
    outcome = asked.value.outcome
    chosen = drive.search('find documents where folder = "Travel"', choices={outcome.token: outcome.options[0].id})
    assert chosen.count() == 27


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    client = engines.open_client()
    properties = {"title": {"type": "keyword"}, "team": {"type": "keyword"}, "size": {"type": "long"}}
    client.indices.create(index="notes", mappings={"properties": properties})
    for number in range(6):
        note = {"title": f"n{number}", "team": "red" if number % 2 else "blue", "size": number}
        client.index(index="notes", id=str(number), document=note)
    client.indices.refresh(index="notes")
    catalog = tmp_path_factory.mktemp("guarded") / "notes.yaml"
    catalog.write_text(GUARDED, "utf-8")
    return qlc.Compiler(client, catalog)


def test_the_access_rule_is_in_it_whatever_the_caller_adds(guarded: qlc.Compiler) -> None:
    found = guarded.search("find notes where size >= 0", context={"team": "red"})
    assert sorted(hit.title for hit in found) == ["n1", "n3", "n5"]
    assert [hit.title for hit in found.query(Term("team", {"value": "blue"}))] == []
    assert sorted(hit.title for hit in guarded.search("find all notes", context={"team": "blue"})) == ["n0", "n2", "n4"]


def test_without_the_context_of_the_rule_there_is_no_search(guarded: qlc.Compiler) -> None:
    with pytest.raises(searches.SearchFailed) as problem:
        guarded.search("find all notes")
    assert problem.value.outcome.kind == "failed"


def test_an_index_without_ids_is_searched_without_a_point_in_time(guarded: qlc.Compiler) -> None:
    body = guarded.search("find all notes sort size desc", context={"team": "red"}).to_dict()
    assert body["sort"] == [{"size": {"order": "desc", "missing": "_last"}}]


async def test_with_asyncio(tmp_path: Any) -> None:
    async with qlc.connect_async(":memory:") as client:
        await client.index(index="cities", id="1", document={"name": "Rome", "people": 2_750_000}, refresh=True)
        compiler = qlc.Compiler(client, index="cities")
        search = await compiler.search_async("find entries where people > 1000000")
        assert [hit.name async for hit in search] == ["Rome"]
