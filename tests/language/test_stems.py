"""Stems of words."""

import pytest

from qlc.language.stems import stem


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("payments", "english", "payment"),
        ("Zürich", "english", "zurich"),
        ("AS-405", "english", "as 405"),
        ("Zahlungen", "german", "zahlung"),
        ("words", "klingon", "words"),
    ],
)
def test_the_search_stem_of_a_word(word: str, language: str, expected: str) -> None:
    assert stem(word, language) == expected
