"""The rules of the language about syntax, one test each. A canonical text is printed as it was written."""

import pytest

from qlc.grammar import parse, tree
from qlc.grammar.lark_parser import words
from qlc.grammar.tree import RESERVED
from tests.tables import each, rows

from .reading import canonical, problem, value, where

# --- statements ------------------------------------------------------------------------------------------------------


def test_comments_begin_at_the_start_of_a_line_or_after_white_space() -> None:
    program = parse('-- one\nfind a -- two\nwhere b = "--no" -- three')
    assert [(comment.text, comment.alone) for comment in program.comments] == [
        ("-- one", True),
        ("-- two", False),
        ("-- three", False),
    ]
    assert problem("find a--b").code == "comment-form"


def test_a_measure_is_on_the_left_only_of_having() -> None:
    statement = parse("count a by b having avg(c) > 3 and count >= 10").statement
    assert isinstance(statement, tree.Aggregate)
    assert isinstance(statement.having, tree.And)
    average, count = statement.having.items
    assert isinstance(average, tree.Comparison)
    assert isinstance(average.left, tree.Measure)
    assert isinstance(count, tree.Comparison)
    assert isinstance(count.left, tree.Path)


# --- values ----------------------------------------------------------------------------------------------------------


def test_escapes_of_strings() -> None:
    assert value(r'"\" \\ \n \t \u0041 \ud83d\ude00"') == tree.String('" \\ \n \t A 😀')
    assert problem(r'find a where b = "\d"').code == "unknown-escape"


def test_strings_are_never_normalised() -> None:
    assert value('"e\u0301"') == tree.String("e\u0301")
    assert value('"\u00e9"') == tree.String("\u00e9")


@pytest.mark.parametrize(("text", "number", "printed"), rows(__file__, "test_numbers"))
def test_numbers(text: str, number: float, printed: str) -> None:
    assert value(text) == tree.Number(number, printed)
    assert type(value(text).value) is type(number)  # type: ignore[union-attr]


def test_a_string_that_begins_like_a_date_is_a_string() -> None:
    assert value('"2024-13-99 report"') == tree.String("2024-13-99 report")


# --- conditions ------------------------------------------------------------------------------------------------------


def test_not_binds_tightest_then_and_then_or() -> None:
    assert where("not a and b or c") == where("((not a) and b) or c")
    assert where("a or b and not c") == where("a or (b and (not c))")


def test_chains_of_and_and_or_are_flat_however_long() -> None:
    condition = where(" and ".join(["a = 1"] * 900))
    assert isinstance(condition, tree.And)
    assert len(condition.items) == 900


def test_under_in_takes_lists_and_sets() -> None:
    comparison = where("a under in (find folders)")
    assert isinstance(comparison, tree.Comparison)
    assert comparison.operator == "under in"


@pytest.mark.parametrize("word", ["mentions", "about"])
def test_mentions_and_about_are_keywords_only_before_a_text(word: str) -> None:
    assert isinstance(where(f'{word} "x"'), tree.EntityText)
    assert isinstance(where(f"not {word} $x"), tree.Not)
    assert isinstance(where(f'{word} = "x"'), tree.Comparison)
    assert isinstance(where(f'{word} mentions "x"'), tree.Comparison)
    assert isinstance(where(f"{word} and a"), tree.And)


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_need_back_quotes_at_the_head_only(word: str) -> None:
    source = f"find documents where `{word}` = 1 and a.{word} = 2"
    assert canonical(source) == source
    assert problem(f"find documents where {word} = 1")


def test_every_other_keyword_can_be_a_field() -> None:
    def check(word: str) -> None:
        source = (
            f"find {word} where {word} = 1 and {word}.{word} missing and {word} sort a, {word} desc "
            f"show {word}, a.{word}"
        )
        assert canonical(source) == source
        assert canonical(f"count documents by {word}, a sort {word} desc")

    each(sorted(words() - RESERVED), check)


def test_names_are_nfc() -> None:
    assert parse("find cafe\u0301 where caf\u00e9 = 1") == parse("find caf\u00e9 where cafe\u0301 = 1")


def test_a_byte_order_mark_is_skipped_and_spans_count_it() -> None:
    program = parse("\ufefffind a")
    assert program.statement.span == (1, 7)


def test_an_entity_named_like_a_period_needs_back_quotes() -> None:
    assert isinstance(value('month("x")'), tree.PeriodOf)
    assert isinstance(value('`month`("x")'), tree.EntityLookup)
    assert canonical('find a where b = `month`("x")') == 'find a where b = `month`("x")'
