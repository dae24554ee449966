"""Labels that mean the same are found together: by symbols that documents give, by abbreviations; what is near in
meaning is named."""

from collections.abc import Iterator, Sequence

import pytest

from qlc.corpus.corpus import Corpus
from qlc.resolver.key_words import abbreviates, symbols
from tests import engines
from tests.corpora import made
from tests.tables import rows

SHEETS = (
    "Collector-emitter voltage (Vceo): 60 V\n\nHeight (mm): 4",
    "Vceo: 80 V\n\nWidth (mm): 5",
    "Collector-emitter voltage: 100 V\n\nTotal power dissipation: 65 W",
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    sheets = {f"q{number}.md": f"# Q{number}\n\n{text}\n" for number, text in enumerate(SHEETS)}
    with made(tmp_path_factory.mktemp("labels"), sheets, name="labels", client=engines.open_client()) as corpus:
        yield corpus


@pytest.mark.parametrize("label", ["Vceo", "collector-emitter voltage", "Collector-Emitter Voltage (Vceo)"])
def test_symbols_that_documents_give_mean_the_same(corpus: Corpus, label: str) -> None:
    outcome = corpus.compiler().run(f'count documents where annotations["{label}"].number >= 60 V')
    assert outcome.model_dump()["value"] == 3
    assert "'vceo'" in outcome.notes[0]


def test_abbreviations_lead_where_words_do_not_and_are_told(corpus: Corpus) -> None:
    outcome = corpus.compiler().run('max(annotations["Ptot"].number) of documents')
    assert outcome.model_dump()["value"] == 65
    assert outcome.notes == ["'Ptot' was taken for the annotations called 'total power dissipation'."]


def test_a_unit_in_brackets_is_no_symbol(corpus: Corpus) -> None:
    outcome = corpus.compiler().run('max(annotations["height"].number) of documents')
    assert outcome.model_dump()["value"] == 0.004  # metres


def test_what_is_near_in_meaning_is_named_and_not_taken(corpus: Corpus) -> None:
    def embed(text: str) -> Sequence[float]:
        return (1.0, 0.2) if text in ("tallness", "height (mm)") else (0.0, 1.0)

    program = 'count documents where annotations["tallness"] exists'
    outcome = corpus.compiler(embedder=embed).run(program)
    assert outcome.model_dump()["value"] == 0
    told = "The nearest in meaning are 'height (mm)': name one of them if it is meant."
    assert outcome.notes == [f"No annotations called 'tallness' were found. {told}"]
    without = corpus.compiler(embedder=None).run(program)
    assert without.notes == ["No annotations called 'tallness' were found by their words."]


@pytest.mark.parametrize(("symbol", "name", "expected"), rows(__file__, "test_abbreviations"))
def test_abbreviations(symbol: str, name: str, expected: bool) -> None:
    assert abbreviates(symbol, name) == expected


def test_a_bracket_behind_several_names_is_no_symbol_of_one() -> None:
    stored = ["width (mm)", "height (mm)", "current (ic)", "junction temperature tj"]
    assert symbols(["width"], stored) == []
    assert symbols(["current"], stored) == ["ic"]
    assert symbols(["tj"], stored) == ["junction temperature"]
    assert symbols(["current"], stored, ["voltage"]) == []
