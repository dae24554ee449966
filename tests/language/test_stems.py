"""Stems of words."""

import pytest

from qlc.language.stems import stem
from tests.tables import rows


@pytest.mark.parametrize(("word", "language", "expected"), rows(__file__, "test_the_search_stem_of_a_word"))
def test_the_search_stem_of_a_word(word: str, language: str, expected: str) -> None:
    assert stem(word, language) == expected
