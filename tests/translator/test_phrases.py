"""The notation of tables of phrases."""

from __future__ import annotations

import pytest

from qlc.translator.rules.words.phrases import phrases


def said(table: str) -> set[str]:
    return {" ".join(phrase) for phrase in phrases(table)}


def test_alternatives_stand_between_bars() -> None:
    assert said("newest first | latest first") == {"newest first", "latest first"}


def test_round_brackets_hold_alternatives_of_a_part() -> None:
    assert said("(show | list) (them | those)") == {"show them", "show those", "list them", "list those"}


def test_square_brackets_hold_what_may_be_left_out() -> None:
    assert said("[the] rest") == {"the rest", "rest"}
    assert said("count [them | those [there]]") == {"count", "count them", "count those", "count those there"}


def test_what_may_be_left_out_whole_is_no_phrase() -> None:
    assert said("[please]") == {"please"}


@pytest.mark.parametrize("table", ["(show | list", "show | list)", "[show | list)", "show]"])
def test_unbalanced_brackets_are_an_error(table: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        phrases(table)


def test_the_longest_phrase_is_found_first() -> None:
    assert phrases("show | show [me] them").beginning("show") == (("show", "me", "them"), ("show", "them"), ("show",))
