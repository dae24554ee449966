"""Words, lower case, stems and folding as Lucene has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.analysis.many_texts import lower_words
from qlc_engine.analysis.porter import stem
from qlc_engine.analysis.word_break import _WESTERN, _unicode_word, words
from tests.tables import rows


def terms(analyzer: str, text: str) -> list[str]:
    found = AnalysisRegistry().analyzer(analyzer)
    return found.terms(text)[0]


@pytest.mark.parametrize(("text", "words"), rows(__file__, "test_the_standard_analyzer_finds_unicode_words"))
def test_the_standard_analyzer_finds_unicode_words(text: str, words: list[str]) -> None:
    assert terms("standard", text) == words


def test_the_english_analyzer_stems_and_leaves_gaps_for_stop_words() -> None:
    analyzer = AnalysisRegistry().analyzer("english")
    assert analyzer.terms("The foxes' tails and Mary's houses") == (["fox", "tail", "mari", "hous"], [1, 2, 4, 5], 6)


@pytest.mark.parametrize(("word", "stemmed"), rows(__file__, "test_porter_stems"))
def test_porter_stems(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed


def test_normalizers_of_an_index() -> None:
    registry = AnalysisRegistry({"normalizer": {"folded": {"type": "custom", "filter": ["lowercase", "asciifolding"]}}})
    assert registry.normalize("folded", "ÉCOLE Straße ﬁne Ａ") == "ecole strasse fine a"
    assert registry.normalize("folded", "Й 𝐀") == "й 𝐀"


@given(st.lists(st.text("ab1Z2_.:,;' \n-\x1c", max_size=12), max_size=8))
def test_words_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    found = lower_words(texts, max_length=255)
    each = [words(text.lower()) for text in texts]
    assert found[0] == [word for one in each for word in one]
    assert found[1].tolist() == [len(one) for one in each]


def test_many_texts_are_left_alone_where_a_word_has_to_be_cut() -> None:
    assert lower_words(["a", "b" * 6], max_length=5) is None
    assert lower_words(["a", "b" * 5], max_length=5) is not None


def test_western_texts_have_the_words_of_the_whole_grammar() -> None:
    """The fast expression and the one of all of Unicode agree about every character that it takes."""
    western = [chr(code) for code in range(0x3000) if _WESTERN.fullmatch(chr(code))]
    forms = ("a{}b", "1{}2", "_{}1", "a{}", "{}", "a{}\u2019s", "é{}9")
    texts = [form.format(one) for one in western for form in forms]
    whole = [[one for one in _unicode_word().findall(text) if one.strip("_")] for text in texts]
    assert [words(text) for text in texts] == whole


def test_terms_do_not_depend_on_what_was_analysed_before() -> None:
    text = "The running of the Company’s plants"
    fresh = terms("english", text)
    assert fresh == terms("english", text) == ["run", "compani", "plant"]
