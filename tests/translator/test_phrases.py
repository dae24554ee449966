"""The notation of tables of phrases."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import qlc.conversation
import qlc.translator
from qlc.translator.rules.words.phrases import Phrases, phrases


def said(table: str) -> set[str]:
    return {" ".join(phrase) for phrase in phrases(table)}


def test_alternatives_are_between_bars() -> None:
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
        said(table)


def _tables(value: object) -> Iterator[Phrases]:
    if isinstance(value, Phrases):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ():
        yield from _tables(one)


def test_every_table_of_the_product_can_be_read() -> None:
    """Tables are read when they are first used: a wrong bracket is found here, and not by a user."""
    modules = [import_module(found.name) for found in walk_packages(qlc.translator.__path__, "qlc.translator.")]
    modules += [import_module(found.name) for found in walk_packages(qlc.conversation.__path__, "qlc.conversation.")]
    own = [one for module in modules for name, one in vars(module).items() if name != "__builtins__"]
    tables = [table for one in own for table in _tables(one)]
    assert len(tables) > 100
    assert all(table.sequences for table in tables)


def test_the_longest_phrase_is_found_first() -> None:
    assert phrases("show | show [me] them").beginning("show") == (("show", "me", "them"), ("show", "them"), ("show",))
