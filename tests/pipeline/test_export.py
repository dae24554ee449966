"""Answers as CSV and NDJSON: every row once, the columns the same for all pages, broken ends told."""

import csv
import io
import json
import unicodedata
from typing import Any

import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.outcome import AggregateOut, Clarify, Count, Failed, Hit, Hits, RowOut, ValueOut
from qlc.outcome.export import ExportFailed, export, export_async

FIRST = Hits(ids=["1", "2"], total=3, cursor="next", columns=["name", "tags", "owner", "signed"], hits=[
    Hit(id="1", values={"name": 'A "plan",\nnew', "tags": ["x", "y"]}),
    Hit(id="2", values={"name": "Äpfel", "owner": {"id": "u1", "name": "Dana"}}),
])  # fmt: skip
LAST = Hits(ids=["3"], total=3, columns=FIRST.columns, hits=[Hit(id="3", values={"name": "c", "signed": False})])


def read(lines: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO("".join(lines), newline="")))


def test_every_page_has_the_columns_of_all() -> None:
    assert read(export(FIRST, "csv", {"next": LAST}.__getitem__)) == [
        ["id", "name", "tags", "owner", "signed"],
        ["1", 'A "plan",\nnew', "x; y", "", ""],
        ["2", "Äpfel", "", "Dana", ""],
        ["3", "c", "", "", "false"],
    ]
    lines = [json.loads(line) for line in export(FIRST, "ndjson", {"next": LAST}.__getitem__)]
    assert [one["id"] for one in lines] == ["1", "2", "3"]
    assert lines[1]["owner"] == {"id": "u1", "name": "Dana"}
    assert len(read(export(FIRST, "csv"))) == 3


def test_pages_are_read_only_when_they_are_wanted() -> None:
    asked: list[str] = []

    def more(cursor: str) -> Hits:
        asked.append(cursor)
        return LAST

    lines = export(FIRST, "ndjson", more)
    next(lines)
    assert asked == []
    assert len(list(lines)) == 2
    assert asked == ["next"]


@pytest.mark.parametrize(("outcome", "expected"), [
    (Count(value=12345), [["count"], ["12345"]]),
    (ValueOut(value={"id": "u1", "name": "Dana"}), [["value"], ["Dana"]]),
    (ValueOut(value={"owner": {"id": "u1"}, "size": 5}), [["owner", "size"], ["u1", "5"]]),
    (ValueOut(value=[1, 2]), [["value"], ["1; 2"]]),
    (AggregateOut(groups=["type"], measures=["count"], rows=[RowOut(key="W2", value=3), RowOut(key=None, value=1)]),
     [["type", "count"], ["W2", "3"], ["", "1"]]),
    (AggregateOut(groups=["a", "b"], measures=["sum", "max"],
                  rows=[RowOut(key={"a": {"id": "1", "name": "N"}, "b": "2024"}, value={"sum": 1.5, "max": None})]),
     [["a", "b", "sum", "max"], ["N", "2024", "1.5", ""]]),
    (Hits(columns=["name"]), [["id", "name"]]),
])  # fmt: skip
def test_any_answer_is_rows(outcome: Any, expected: list[list[str]]) -> None:
    assert read(export(outcome, "csv")) == expected
    assert len(list(export(outcome, "ndjson"))) == len(expected) - 1


@pytest.mark.parametrize(("shown", "columns"), [("no", ["no", "a"]), ("id", ["id", "a"]), ("a", ["id", "a"])])
def test_ids_are_one_column(shown: str, columns: list[str]) -> None:
    hits = [Hit(id=str(n), values={shown: str(n), "a": "x"}) for n in range(2)]
    found = Hits(ids=["0", "1"], total=2, columns=list(dict.fromkeys((shown, "a"))), hits=hits)
    assert read(export(found, "csv")) == [columns, ["0", "x"], ["1", "x"]]
    assert [json.loads(one)["id"] for one in export(found, "ndjson")] == ["0", "1"]


def test_what_has_nothing_in_it_is_no_file() -> None:
    with pytest.raises(UsageError, match="Which do you mean"):
        export(Clarify(message="Which do you mean?"), "csv")
    with pytest.raises(UsageError, match="csv or ndjson"):
        export(FIRST, "xlsx")  # type: ignore[arg-type]


def test_a_list_that_breaks_off_says_so() -> None:
    failed = Failed(message="The search server cannot be reached.", reason="unreachable")
    lines = export(FIRST, "csv", lambda _: failed)
    with pytest.raises(ExportFailed, match=r"read to its end.*cannot be reached"):
        list(lines)


async def test_every_page_of_an_asynchronous_client() -> None:
    client = qlc.connect_async(":memory:")
    for n in range(25):
        await client.index(index="notes", id=str(n), document={"pages": n})
    await client.indices.refresh(index="notes")
    compiler = qlc.Compiler(client, index="notes")
    first = await compiler.run_async("find entries where pages >= 0 sort pages", size=10)

    async def more(cursor: str) -> Any:
        return await compiler.run_async(first.query, size=10, cursor=cursor)

    lines = [json.loads(line) async for line in export_async(first, "ndjson", more)]
    assert [one["pages"] for one in lines] == list(range(25))
    talk = qlc.AsyncConversation(compiler, size=10)
    await talk.turn("find entries where pages >= 5 sort pages")
    assert len([line async for line in talk.export("csv")]) == 21
    await client.close()


FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\tx", "\r=1", "\n=1", "\uff1d1", "-", "+49 30 1234",
            '="a",b', "-5-5", "\0=1"]  # fmt: skip
HARMLESS = ["-5", "+5", "-1.5e3", "5", "a=b", "", "x-y", "'=1", "ä", "2024-01-01"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_for_a_spreadsheet_is_a_formula(text: str) -> None:
    hit = Hit(id=text, values={text: f"{text}x", "b": [text, "x"]})
    found = Hits(ids=[text], total=1, columns=[text, "b"], hits=[hit])
    head, row = read(export(found, "csv", for_spreadsheets=True))
    assert head[1] == f"'{text}"
    assert row == [f"'{text}", f"'{text}x", f"'{text}; x"]
    assert read(export(found, "csv"))[1][0] == text
    assert json.loads(next(export(found, "ndjson", for_spreadsheets=True)))["id"] == text


def _unseen() -> list[str]:
    """A character of each kind that shows nothing, and those that were found to be left out by spreadsheets."""
    by_category: dict[str, str] = {}
    for one in map(chr, range(1, 0x3000)):
        by_category.setdefault(unicodedata.category(one), one)
    kinds = [by_category[name] for name in ("Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Me")]
    return [*kinds, *"\u00a0\u200b\u200e\u2060\ufeff\u00ad\u3000\u3164\u2800\u115f\x1b\v\f\x7f\x85\ufe0f", "\U000e0020"]


@pytest.mark.parametrize("sign", "=+-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b")
@pytest.mark.parametrize("unseen", _unseen(), ids=ascii)
def test_a_formula_behind_what_is_not_seen_is_one(unseen: str, sign: str) -> None:
    for text in (f"{unseen}{sign}cmd|' /C calc'!A0", f" {unseen * 3} {sign}1+1"):
        found = Hits(ids=["1"], total=1, columns=["a"], hits=[Hit(id="1", values={"a": text})])
        assert read(export(found, "csv", for_spreadsheets=True))[1] == ["1", f"'{text}"]


@pytest.mark.parametrize("text", ["\u00a0x = 1", "\u200b", " ", "\ufeffname", "x\u200b=1", "\u0301a", "\u20ac -1"])
def test_what_is_not_seen_before_a_word_stays(text: str) -> None:
    found = Hits(ids=["1"], total=1, columns=["a"], hits=[Hit(id="1", values={"a": text})])
    assert read(export(found, "csv", for_spreadsheets=True))[1] == ["1", text]


@pytest.mark.parametrize("text", HARMLESS)
def test_numbers_and_what_is_no_formula_stay(text: str) -> None:
    found = Hits(ids=["1"], total=1, columns=["a"], hits=[Hit(id="1", values={"a": text})])
    assert read(export(found, "csv", for_spreadsheets=True))[1] == ["1", text]
    assert "".join(export(found, "csv", for_spreadsheets=True)) == "".join(export(found, "csv"))


def test_a_cell_does_not_become_two_where_a_semicolon_divides_them() -> None:
    found = Hits(ids=["1"], total=1, columns=["a", "n"], hits=[Hit(id="1", values={"a": "x;=1+1", "n": -5})])
    assert "".join(export(found, "csv", for_spreadsheets=True)) == 'id,a,n\n1,"x;=1+1",-5\n'


async def test_pages_for_a_spreadsheet_are_read_as_others() -> None:
    async def more(_: str) -> Hits:
        return LAST

    lines = [line async for line in export_async(FIRST, "csv", more, for_spreadsheets=True)]
    assert read(lines) == read(export(FIRST, "csv", {"next": LAST}.__getitem__))
