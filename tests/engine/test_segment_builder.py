"""Builds the parts of columns: dictionaries of terms, orders, positions in texts of several values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.segment_builder import (
    ParsedDocument,
    SegmentBuilder,
    TextIndexing,
    sorted_terms,
    stable_order,
)
from qlc_engine.terms import TermDictionary, encode_term

terms = st.lists(st.text(st.characters(codec=None), max_size=4), max_size=12, unique=True)


@given(terms)
def test_terms_are_ordered_by_their_bytes_whatever_they_hold(given_terms: list[str]) -> None:
    numbered = {term: number for number, term in enumerate(given_terms)}
    dictionary, rank = sorted_terms(numbered)
    encoded = [encode_term(term) for term in given_terms]
    order = sorted(range(len(encoded)), key=encoded.__getitem__)
    expected = TermDictionary.from_sorted([encoded[at] for at in order])
    assert bytes(dictionary.blob) == bytes(expected.blob)
    assert dictionary.offsets.tolist() == expected.offsets.tolist()
    assert [encoded[at] for at in np.argsort(rank).tolist()] == sorted(encoded)


@pytest.mark.parametrize("end", [1, 300, 2**16, 2**16 + 1, 2**20])
def test_an_order_keeps_equal_numbers_as_they_come(end: int) -> None:
    numbers = np.random.default_rng(end).integers(0, end, 5_000).astype(np.int32)
    numbers[0] = end - 1
    assert stable_order(numbers, end).tolist() == np.argsort(numbers, kind="stable").tolist()


@pytest.mark.parametrize("together", [True, False])
def test_positions_go_on_over_values_and_leave_out_stop_words(together: bool) -> None:
    analyzer = AnalysisRegistry().analyzer("english")
    assert analyzer is not None
    indexing = TextIndexing(analyzer, norms=True, freqs=True, gap=100)
    builder = SegmentBuilder()
    for number, values in enumerate([["the fox and a fox", "", "fox"], [""], ["red fox"]]):
        parsed = ParsedDocument()
        for value in values:
            parsed.texts += ("text", value, indexing)
        builder.add(str(number), number, 1, parsed)
        if not together:
            builder.settle()
    found = builder.build("s").space.postings["text"]
    assert list(found.terms) == ["fox", "red"]
    assert found.docs.tolist() == [0, 2, 2]
    assert found.freqs.tolist() == [3, 1, 1]
    assert found.positions.arrays()[1].tolist() == [1, 4, 205, 1, 0]
    assert found.norms.docs.tolist() == [0, 1, 2]
    assert found.norms.codes.tolist() == [3, 0, 2]
    assert found.doc_count == 2


@pytest.mark.parametrize("name", ["standard", "simple", "english"])
def test_texts_taken_together_are_indexed_as_each_by_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    analyzer = AnalysisRegistry().analyzer(name)
    assert analyzer is not None
    indexing = TextIndexing(analyzer, norms=True, freqs=True, gap=100)
    values = ["The fox_2.5 isn't", "", "b:1 b:c ___", "Straße", "x" * 300, "1,2;3", "the x" * 1_000, *["red Fox"] * 40]
    built = []
    for many in (1, 1_000_000):
        monkeypatch.setattr("qlc_engine.segment_builder._MANY_TEXTS", many)
        builder = SegmentBuilder()
        for number, value in enumerate(values):
            parsed = ParsedDocument()
            parsed.texts += ("text", value, indexing, "text", value.upper(), indexing)
            builder.add(str(number), number, 1, parsed)
        found = builder.build("s").space.postings["text"]
        assert found.freqs is not None
        arrays = (found.starts, found.docs, found.freqs, *found.positions.arrays(), found.norms.docs, found.norms.codes)
        built.append((list(found.terms), found.norms.total, *(array.tolist() for array in arrays)))
    assert built[0] == built[1]
