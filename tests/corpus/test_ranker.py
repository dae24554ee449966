"""Ranks passages beside the index: vectors made when they are needed, a re-ranker, a bound for each document."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from qlc.base.deadline import until
from qlc.base.errors import UsageError
from qlc.corpus.corpus import Corpus
from qlc.corpus.ranker import Vectors
from qlc.outcome import Hits
from tests import engines
from tests.corpora import made
from tests.corpus.test_search import FILES, SCHEMA, Concepts, hits, names


class Counting(Concepts):
    """Records the texts that it embeds."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.texts += texts
        return super().embed(texts)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """A corpus without vectors."""
    with made(tmp_path, FILES, SCHEMA, "library", client=engines.open_client(), embedder=Counting()) as corpus:
        yield corpus


MEANT = "lions washed price"
"""Cleaning has most of its words, and Supply is near it in meaning."""


def test_what_has_no_vector_is_compared_by_meaning_when_it_is_asked(corpus: Corpus) -> None:
    ranked = f'find contracts where about "{MEANT}"'
    assert names(corpus, f"{ranked} by words")[0] == "Cleaning"
    found = hits(corpus, ranked)
    assert found.hits[0].name == "Supply"
    assert found.total == hits(corpus, f"{ranked} by words").total
    assert any("qlc corpus embed" in note for note in found.notes)
    corpus.embed()
    found = hits(corpus, ranked)
    assert found.hits[0].name == "Supply"
    assert found.notes == []


def test_vectors_are_remembered(corpus: Corpus) -> None:
    embedder = corpus._embedder
    assert isinstance(embedder, Counting)
    first = corpus.search(MEANT)
    assert len(embedder.texts) > 1
    embedder.texts.clear()
    assert corpus.search(MEANT).model_dump(exclude={"stats"}) == first.model_dump(exclude={"stats"})
    assert set(embedder.texts) == {MEANT}


def test_what_was_added_later_is_compared_beside_what_has_vectors(corpus: Corpus, tmp_path: Path) -> None:
    corpus.embed()
    (tmp_path / "files/contracts/new.md").write_text("# Lease\n\nParty: New Ltd\n\nLions: an invoice, a fee, a price.")
    corpus.add(tmp_path / "files", processes=1)
    found = hits(corpus, f'find passages where about "{MEANT}" and document.party exists')
    assert found.hits[0].values["title"] == "Lease"
    assert found.notes[0].startswith("Not all passages have vectors: of those without, the best 1 by words")
    everyone = hits(corpus, 'find passages where about "lions" and document.party = "Bolt Ltd"')
    assert {hit.values["title"] for hit in everyone.hits} == {"Rental"}


def test_without_time_nothing_is_compared() -> None:
    embedder = Counting()
    with until(time.monotonic() - 1):
        assert Vectors(embedder).of(["a", "b"]) == {}
    assert embedder.texts == []


def test_words_alone_that_find_little_say_so(corpus: Corpus) -> None:
    alone = corpus.compiler(embedder=None)
    told = [alone.run(f'find contracts where about "{text}"').notes for text in ("goodbye", "lions", "party")]
    assert [len(notes) for notes in told] == [1, 1, 0]
    assert "qlc-search[semantic]" in told[0][0]
    (note,) = hits(corpus, 'find contracts where about "goodbye"').notes
    assert note.endswith("To search by meaning as well, run 'qlc corpus embed'.")
    assert alone.run('find contracts where about "goodbye" by words').notes == []


class Shortest:
    """A re-ranker that likes short texts."""

    name = "shortest"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        assert query == "lions"
        return [-float(len(text)) for text in texts]


@pytest.mark.parametrize("by", ["words", "meaning", "both"])
def test_a_re_ranker_puts_the_best_in_order(corpus: Corpus, by: str) -> None:
    corpus.embed()
    reranked = Corpus.open("library", client=corpus.client, embedder=Concepts(), reranker=Shortest())
    before = hits(corpus, f'find passages where about "lions" by {by}')
    after = hits(reranked, f'find passages where about "lions" by {by}')
    assert set(after.ids) == set(before.ids)
    assert after.total == before.total
    scores = [hit.score for hit in after.hits]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) < -10
    documents = hits(reranked, f'find contracts where about "lions" by {by}')
    assert documents.hits[0].passage is not None
    assert set(documents.ids) == set(hits(corpus, f'find contracts where about "lions" by {by}').ids)


def test_a_re_ranker_gives_a_number_for_each_text(corpus: Corpus) -> None:
    class Wrong(Shortest):
        def scores(self, query: str, texts: Sequence[str]) -> list[float]:
            return [1.0]

    reranked = Corpus.open("library", client=corpus.client, embedder=Concepts(), reranker=Wrong())
    with pytest.raises(UsageError, match="shortest must give a number"):
        reranked.search("lions")
    with pytest.raises(UsageError, match="re-ranker has a name"):
        Corpus.open("library", client=corpus.client, reranker=object())  # type: ignore[arg-type]


def test_no_document_has_more_than_its_share(tmp_path: Path) -> None:
    section = "The cats sleep. " * 40
    files = {"cats.md": "\n\n".join(f"# Part {n}\n\nCats, cats. {section}" for n in range(9)),
             "dogs.md": f"# Dogs\n\nDogs chase cats. {'They bark. ' * 60}"}  # fmt: skip
    corpus = made(tmp_path, files, name="animals", client=engines.open_client())

    def found(**options: object) -> tuple[list[str], Hits]:
        outcome = corpus.search("cats", by="words", **options)  # type: ignore[arg-type]
        return [hit.values["file"][0] for hit in outcome.hits], outcome

    every, _ = found(per_document=100, limit=100)
    files, outcome = found(limit=5)
    assert sorted(files) == ["cats.md"] * 3 + ["dogs.md"]
    assert outcome.total == len(every)
    assert f"{every.count('cats.md') - 3} passages" in outcome.notes[-1]
    assert found(per_document=1)[0] in (["cats.md", "dogs.md"], ["dogs.md", "cats.md"])
    of_one, outcome = found(where='file = "cats.md"', limit=6)
    assert of_one == ["cats.md"] * 6
    assert outcome.notes == []
    with pytest.raises(UsageError, match="per_document"):
        found(per_document=0)
