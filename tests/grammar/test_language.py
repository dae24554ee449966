"""The rules of the language about syntax, one test each. A canonical text is printed as it was written."""

from __future__ import annotations

import pytest

from qlc.grammar import parse, tree
from qlc.grammar.lark_parser import words
from qlc.grammar.tree import RESERVED
from tests.tables import each

from .reading import canonical, problem, value, where

CANONICAL = """
find documents where folder = "Tax Documents"
find documents where type = "W2" and folder under "Projects"
find folders where folder = root
find folders where id = document("Invoice_2024.pdf").folder
find documents where folder = document("Report.pdf").folder and id != document("Report.pdf")
find documents where created > document("Report.pdf").created
find folders where id = folder("Blueprints").folder.folder
find documents where folder.creator = "Ada Byron"
find documents where folder in (find folders where name = "Drafts")
find folders where id in (find documents where tags has "draft").folder
find documents where app = (find documents where folder = "Inbox" sort created desc limit 1).app
count flights where origin_city = (count flights by dest_city limit 1).dest_city
find documents
find documents where a sort b, c desc limit 10 offset 20 show d, e.f
count documents
count documents where a
sum(a), avg(a), min(a), max(a), median(a), percentile(a, 95), distinct(a), share(a = 1) of documents where b
count documents where a by b, month(c) having count >= 10 sort count desc limit 3
avg(a), count of documents by b
get document("Q3 Report.pdf").owner
get (find files sort size desc limit 1).owner, size
get $me.folder, $me.folder.name
count documents by year(a), quarter(a), month(a), week(a), day(a), hour(a), weekday(a), hour_of_day(a)
count documents by bins(a, 300, 600, 900), step(a, 100), bins(size, 1 MB, 10 MB)
count documents by shares[who = "Dana Ortiz"].role
count flights by carrier, origin_city top 1
count flights by month(created) top 2 sort month(created), avg(price) desc
count documents by folder.owner
find documents where a = 12 and b = 1.5 and c = 1e6 and d = -3
find documents where a = 5 MB and b = 10 minutes and c = 150 km and d = 60 %
find documents where a = true and b = false and c in ["a", "b"]
find documents where a = 2024 and b = 2024-Q2 and c = 2024-03 and d = 2024-W10 and e = 2024-03-05
find documents where a = 2024-03-05T15 and b = 2024-03-05T15:00 and c = 2024-03-05T15:00:30Z
find documents where a < 2024-03-05T15:00+02:00
find documents where a = today or a = yesterday or a = tomorrow or a < now
find documents where a = this week or a in last month or a in next quarter or a = last 30 days or a = next 2 weeks
find documents where a in [2024, 2024-Q2] and b between 2024-01 and 2024-03
find documents where created = month(document("x").created) or created in year(now)
find documents where folder = $folder and owner = $me.boss and name = document($x).name
find documents where price > (avg(price) of flights)
find documents where tags has any document("X").tags
find documents where origin_weather = dest_weather
find documents where a = 1 and (b = 2 or c = 3) and not (d = 4 and e = 5)
find documents where signed and not overdue and shares[role = "editor" and not who = "x"]
find documents where a < 1 and b <= 2 and c > 3 and d >= 4 and e != 5 and f not in [6]
find documents where tags has "a" and tags has all ["a", "b"] and tags has any ["c"]
find documents where a contains "x" and a starts with "x" and a ends with "x" and a like "Pay*_202?"
find documents where a matches "words here" and a mentions "a phrase" and mentions "phrase" and about "words"
find documents where a missing and b exists and list missing
find documents where a under "x" and a under in ["x", root] and a under in (find folders)
find documents where weekday(a) = "Sunday" and hour_of_day(a) between 2 and 3
find places where location within 40 km of (41.9, 12.5)
find documents where systemAttributes.checksum = "x" and `content-type` = "y" and @timestamp < now
find document("x")
find document("x") show owner
find entries where folder = "Legal"
find documents where not not a
let d = document("x") find documents where folder = d.folder and id != d
let old = (find folders where name = "Old") let n = 5 find documents where folder in old and size > n
let kinds = ["a", "b"] find documents where type in kinds
""".strip().splitlines()


@pytest.mark.parametrize("source", CANONICAL)
def test_canonical_text_is_printed_as_written(source: str) -> None:
    assert canonical(source) == source


# --- statements ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clause", ["having count > 1", "sort a", "limit 3"])
def test_rows_need_groups(clause: str) -> None:
    assert problem(f"count documents {clause}").code == "clause-needs-groups"


def test_keywords_are_lower_case_and_line_breaks_white_space() -> None:
    assert canonical("FIND documents\n\tWhere a\r\n  AND b") == "find documents where a and b"


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


def test_offset_is_after_limit() -> None:
    assert canonical("count a by b limit 5 offset 2") == "count a by b limit 5 offset 2"
    assert problem("find a offset 2").code == "lone-offset"


# --- values ----------------------------------------------------------------------------------------------------------


def test_escapes_of_strings() -> None:
    assert value(r'"\" \\ \n \t \u0041 \ud83d\ude00"') == tree.String('" \\ \n \t A 😀')
    assert problem(r'find a where b = "\d"').code == "unknown-escape"


def test_strings_are_never_normalised() -> None:
    assert value('"e\u0301"') == tree.String("e\u0301")
    assert value('"\u00e9"') == tree.String("\u00e9")


@pytest.mark.parametrize(
    ("text", "number", "printed"),
    [
        ("12", 12, "12"),
        ("1.5", 1.5, "1.5"),
        ("1.50", 1.5, "1.5"),
        ("5.0", 5, "5"),
        ("1E+06", 1e6, "1e6"),
        ("-3", -3, "-3"),
        ("-0", 0, "0"),
        ("0.25", 0.25, "0.25"),
    ],
)
def test_numbers(text: str, number: float, printed: str) -> None:
    assert value(text) == tree.Number(number, printed)
    assert type(value(text).value) is type(number)  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["٣", "²"])
def test_only_ascii_digits_are_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(f"find a limit {text}")


@pytest.mark.parametrize("text", ["5MB", "5 mb", "5 Megabytes", "5\tMB"])
def test_units_after_a_space_or_none_in_any_case(text: str) -> None:
    assert value(text) == tree.Number(5, "5", "MB")


def test_one_of_a_unit_is_singular() -> None:
    assert canonical("find a where b > 1 minutes") == "find a where b > 1 minute"
    assert canonical("find a where b in last 1 days") == "find a where b in last 1 day"


def test_min_is_a_measure_only_before_a_bracket() -> None:
    assert canonical("find a where duration > 5 min") == "find a where duration > 5 minutes"
    assert canonical("let x = 5 min(y) of a") == "let x = 5 min(y) of a"
    assert canonical("find a where min > 3 show min") == "find a where min > 3 show min"


@pytest.mark.parametrize(
    "text", ["2024-13", "2024-02-30", "2023-W53", "2024-01-01T25", "2024-Q5", "2024-2025", "0000-01"]
)
def test_dates_are_of_the_calendar(text: str) -> None:
    assert problem(f"find a where b = {text}").code == "invalid-date"


def test_dates_in_lower_case() -> None:
    assert canonical("find a where b = 2024-q2 and c = 2024-03-05t15:00z") == (
        "find a where b = 2024-Q2 and c = 2024-03-05T15:00Z"
    )


def test_this_takes_no_number() -> None:
    assert problem("find a where b in this 3 weeks").code == "unexpected"


def test_a_string_that_begins_like_a_date_is_a_string() -> None:
    assert value('"2024-13-99 report"') == tree.String("2024-13-99 report")


# --- conditions ------------------------------------------------------------------------------------------------------


def test_not_binds_tightest_then_and_then_or() -> None:
    assert where("not a and b or c") == where("((not a) and b) or c")
    assert where("a or b and not c") == where("a or (b and (not c))")


def test_brackets_that_say_nothing_are_not_kept() -> None:
    assert canonical("find a where ((b and (c and d))) or (e or f)") == "find a where b and c and d or e or f"


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


def test_names_in_scripts_whose_vowels_are_marks() -> None:
    assert canonical("find नाम where शीर्षक = 1") == "find नाम where शीर्षक = 1"


def test_a_byte_order_mark_is_skipped_and_spans_count_it() -> None:
    program = parse("\ufefffind a")
    assert program.statement.span == (1, 7)


def test_an_entity_named_like_a_period_needs_back_quotes() -> None:
    assert isinstance(value('month("x")'), tree.PeriodOf)
    assert isinstance(value('`month`("x")'), tree.EntityLookup)
    assert canonical('find a where b = `month`("x")') == 'find a where b = `month`("x")'
