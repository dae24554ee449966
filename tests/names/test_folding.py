"""Folding and near spellings, as tables."""

import pytest

from qlc.base.words.folding import fold, stem
from qlc.base.words.spelling import edits, edits_allowed
from tests.tables import rows

SAME = rows(__file__, "SAME")
DIFFERENT = rows(__file__, "DIFFERENT")
NOTHING = ["", "   ", "???", "&", "---", "+", "+++", "...", "’", "_", "\u200b", "/ >"]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_name_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_names_do_not(one: str, other: str) -> None:
    assert fold(one) != fold(other)
    assert fold(one)
    assert fold(other)


@pytest.mark.parametrize("text", NOTHING)
def test_punctuation_alone_folds_to_nothing(text: str) -> None:
    assert fold(text) == ""


@pytest.mark.parametrize("text", [text for pair in SAME + DIFFERENT for text in pair])
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize("text", [text for pair in SAME for text in pair if text.isascii()])
def test_plain_and_other_texts_fold_alike(text: str) -> None:
    """A character beyond ASCII switches to the long way, which must agree with the short one."""
    assert fold(text + " 日") == fold(text) + " 日"


@pytest.mark.parametrize(("name", "without"), rows(__file__, "test_stem"))
def test_stem(name: str, without: str | None) -> None:
    assert stem(name) == without


TYPOS = rows(__file__, "TYPOS")
OTHERS = rows(__file__, "OTHERS")


@pytest.mark.parametrize(("asked", "name", "distance"), TYPOS)
def test_typos(asked: str, name: str, distance: int) -> None:
    assert edits(fold(asked), fold(name)) == distance


@pytest.mark.parametrize(("asked", "name"), OTHERS)
def test_other_names(asked: str, name: str) -> None:
    assert edits(fold(asked), fold(name)) is None


def test_edits_allowed_as_elasticsearch_allows_them() -> None:
    assert [edits_allowed(length) for length in range(8)] == [0, 0, 0, 1, 1, 1, 2, 2]
