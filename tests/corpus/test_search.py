"""Search over passages and documents: by words, by meaning and by both, with the best passage of each document."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from qlc.base.errors import UsageError
from qlc.corpus.corpus import Corpus
from qlc.outcome import Hits
from qlc.pipeline.trace import Trace
from tests import engines
from tests.corpora import made
from tests.tables import rows, table

SCHEMA = table(__file__, "SCHEMA")
MEANINGS = ({"terminate", "end", "exit", "cancellation", "leave"}, {"pay", "invoice", "fee", "price"}, {"voltage"})


class Concepts:
    """An embedder that knows three things: words of one of them are near each other."""

    name = "concepts"
    dimensions = 4

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors = []
        for text in texts:
            words = [word.strip(".,:#").lower() for word in text.split()]
            counts = [float(sum(word in meaning for word in words)) for meaning in MEANINGS]
            vector = [*counts, 0.1]
            length = sum(value * value for value in vector) ** 0.5
            vectors.append([value / length for value in vector])
        return vectors


FILES = table(__file__, "FILES")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    options: dict[str, Any] = {"client": engines.open_client(), "embedder": Concepts()}
    corpus = made(tmp_path_factory.mktemp("search"), FILES, SCHEMA, "library", **options)
    corpus.embed()
    yield corpus
    corpus.close()


def hits(corpus: Corpus, program: str) -> Hits:
    outcome = corpus.compiler().run(program)
    assert isinstance(outcome, Hits), outcome
    return outcome


def names(corpus: Corpus, program: str) -> list[str | None]:
    return [hit.name for hit in hits(corpus, program).hits]


def test_by_words_finds_what_has_the_words(corpus: Corpus) -> None:
    assert names(corpus, 'find contracts where about "lions" by words') == ["Cleaning", "Rental"]
    assert names(corpus, 'find contracts where about "goodbye" by words') == []


def test_by_meaning_finds_what_has_none_of_the_words(corpus: Corpus) -> None:
    found = hits(corpus, 'find contracts where about "exit" by meaning')
    assert [hit.name for hit in found.hits][:2] == ["Rental", "Supply"]
    assert found.total == 3


def test_by_both_is_what_is_done_where_nothing_is_said(corpus: Corpus) -> None:
    both = hits(corpus, 'find contracts where about "exit" by both')
    assert [hit.name for hit in both.hits] == names(corpus, 'find contracts where about "exit"')
    assert both.hits[0].name == "Supply"  # it has the word, and means it


def test_a_document_comes_with_its_best_passage(corpus: Corpus) -> None:
    (hit,) = hits(corpus, 'find contracts where about "cancellation invoice" by words').hits
    assert hit.passage.values == {"title": "Supply", "page": 1}
    text = hit.passage.text
    assert {text[begin:end].lower() for begin, end in hit.passage.marks} <= {"cancellation", "invoice"}
    assert hit.passage.marks


@pytest.mark.parametrize("by", ["words", "meaning", "both"])
def test_other_conditions_come_first(corpus: Corpus, by: str) -> None:
    ranked = f'find contracts where about "lions end" by {by} and '
    assert names(corpus, f'{ranked} signed in 2024 and party != "Calm Inc"') == ["Rental"]
    assert names(corpus, f'{ranked} annotations[label = "notice period"] and signed >= 2024') == ["Rental"]


@pytest.mark.parametrize("by", ["words", "meaning", "both"])
def test_pages_are_those_of_one_list(corpus: Corpus, by: str) -> None:
    program = f'find passages where about "lions leave the contract" by {by}'
    whole = corpus.compiler().run(program, size=50)
    assert isinstance(whole, Hits)
    seen: list[str] = []
    page = corpus.compiler().run(program, size=2)
    assert isinstance(page, Hits)
    while True:
        seen += page.ids
        if page.cursor is None:
            break
        page = corpus.compiler().run(program, size=2, cursor=page.cursor)
        assert isinstance(page, Hits)
    assert seen == whole.ids
    assert len(seen) == whole.total


@pytest.mark.parametrize(("entity", "read"), [("passages", [2]), ("contracts", [2, 2])])
def test_of_candidates_that_are_not_shown_only_ids_are_read(corpus: Corpus, entity: str, read: list[int]) -> None:
    trace = Trace()
    found = corpus.compiler().run(f'find {entity} where about "lions end" by both', size=2, trace=trace)
    assert found.total is not None
    assert found.total > len(found.hits) == 2
    bodies = [sent.request.body for sent in trace.requests]
    assert len(bodies) > len(read)
    assert [body["size"] for body in bodies if body.get("_source") is not False] == read


def test_limit_and_offset_cut_the_ranked_list(corpus: Corpus) -> None:
    whole = names(corpus, 'find contracts where about "lions end"')
    assert names(corpus, 'find contracts where about "lions end" limit 1 offset 1') == whole[1:2]
    assert hits(corpus, 'find contracts where about "lions end" limit 2').total == 2


def test_a_sub_query_takes_the_best_by_their_passages(corpus: Corpus) -> None:
    best = hits(corpus, 'find contracts where about "exit" limit 1')
    found = hits(corpus, 'find passages where document in (find contracts where about "exit" limit 1)')
    assert {one.split("-")[0] for one in found.ids} == set(best.ids)
    every = hits(corpus, 'find passages where document in (find contracts where about "exit" by meaning)')
    assert {one.split("-")[0] for one in every.ids} >= set(best.ids)


def test_a_sorted_list_has_the_same_documents(corpus: Corpus) -> None:
    ranked = hits(corpus, 'find contracts where about "lions" by both')
    assert set(hits(corpus, 'find contracts where about "lions" by both sort signed').ids) == set(ranked.ids)


def test_passages_are_asked_by_what_their_documents_are(corpus: Corpus) -> None:
    found = hits(corpus, 'find passages where about "lions" by words and document.party = "Bolt Ltd"')
    assert found.total == 1


def test_mentions_looks_at_the_whole_text_of_documents(corpus: Corpus) -> None:
    assert corpus.compiler().run('count contracts where mentions "lions"').model_dump()["value"] == 2


def test_labels_are_found_by_their_words(corpus: Corpus) -> None:
    outcome = corpus.compiler().run('max(annotations["width"].number) of datasheets')
    assert outcome.model_dump()["value"] == pytest.approx(0.9)
    assert "'panel width (w)'" in outcome.notes[0]
    outcome = corpus.compiler().run('count datasheets where annotations["W"].number > 1 m')
    assert outcome.model_dump()["value"] == 1
    assert outcome.notes == ["'W' was taken for the annotations called 'panel width (w)'."]


def test_labels_that_the_schema_gives_one_field_mean_the_same(corpus: Corpus) -> None:
    assert corpus.compiler().run('count datasheets where annotations["Vceo"] exists').model_dump()["value"] == 2


def test_a_label_that_nothing_has_is_told(corpus: Corpus) -> None:
    outcome = corpus.compiler().run('count datasheets where annotations["weight"].number > 1')
    assert outcome.notes[0].startswith("No annotations called 'weight' were found.")


@pytest.mark.parametrize(
    ("condition", "count"),
    rows(__file__, "test_amounts_of_labels_are_converted_and_compared_with_their_measure_alone"),
)
def test_amounts_of_labels_are_converted_and_compared_with_their_measure_alone(
    corpus: Corpus, condition: str, count: int
) -> None:
    found = corpus.compiler().run(f'count datasheets where annotations["power"].number {condition}')
    assert found.model_dump()["value"] == count


def test_without_an_embedder_meaning_is_refused(corpus: Corpus) -> None:
    alone = corpus.compiler(embedder=None)
    outcome = alone.run('find contracts where about "exit" by meaning')
    assert outcome.kind == "unsupported"
    assert "embedder" in outcome.message
    words = alone.run('find contracts where about "lions"')
    assert words.total == 2


def test_vectors_of_another_embedder_are_refused(corpus: Corpus) -> None:
    class Other(Concepts):
        name = "other"

    with pytest.raises(UsageError, match="made by concepts"):
        Corpus.open("library", client=corpus.client, embedder=Other())


def test_a_corpus_without_a_schema_has_a_bucket_for_each_folder(tmp_path: Path) -> None:
    corpus = made(tmp_path, FILES, name="plain", client=engines.open_client())
    assert corpus.compiler().run('count datasheets where annotations["power"].number > 1 W').model_dump()["value"] == 1
    assert names(corpus, 'find contracts where about "lions"') == ["Cleaning", "Rental"]


def test_copies_of_a_documents_fields_need_no_lookup(corpus: Corpus) -> None:
    found = hits(corpus, 'find passages where document.party = "Bolt Ltd" and contract.notice > 60')
    assert (found.total, found.stats.round_trips) == (2, 1)
    others = 'document.annotations["signed"] exists and not document.party = "Bolt Ltd"'
    looked_up = hits(corpus, f"find passages where {others}")
    assert looked_up.stats.round_trips > 1
    assert {hit.values["title"] for hit in looked_up.hits} == {"Supply", "Cleaning"}


@pytest.mark.parametrize("by", ["words", "both"])
def test_passages_whose_document_is_not_yet_written_are_no_documents(tmp_path: Path, by: str) -> None:
    """A document is written after its passages: a search meanwhile finds passages of documents that are not there."""
    with made(tmp_path, FILES, SCHEMA, "library", client=engines.open_client(), embedder=Concepts()) as corpus:
        corpus.embed()
        found = corpus.client.search(index=corpus.index, query={"term": {"kind": "document"}}, size=100)
        for hit in found["hits"]["hits"]:
            corpus.client.delete(index=corpus.index, id=hit["_id"], refresh=True)
        assert names(corpus, f'find contracts where about "exit" by {by}') == []
