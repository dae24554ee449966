"""Rows of outcomes as Python values and data frames: types are right, also where values are missing."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import polars
import pyarrow
import pytest

import qlc
from qlc import frames
from qlc.outcome import AggregateOut, Answer, AnswerRow, Cell, Citation, Claim, Clarify, Count, Hit, Hits, RowOut

LIST = Hits(
    total=2,
    columns=["name", "due", "created", "owner", "amount", "signed", "tags", "note"],
    hits=[
        Hit(id="a", values={"name": "A", "due": "2024-05-19T00:00:00Z", "created": "2024-05-19T10:30:00.250Z",
                            "owner": {"id": "7", "name": "Ann"}, "amount": 3, "signed": True, "tags": ["x"],
                            "note": 12}),
        Hit(id="b", values={"name": "B", "created": "2024-05-20T00:00:00Z", "amount": 2.5, "note": "twelve"}),
    ],
)  # fmt: skip
GROUPS = AggregateOut(
    groups=["type", "owner"], measures=["count", "max"],
    rows=[RowOut(key={"type": "Invoice", "owner": {"id": "7", "name": "Ann"}}, value={"count": 2, "max": None})],
)  # fmt: skip
CITED = Citation(document="d", file="a.pdf", page=2, quote="ends")


def test_values_have_the_types_that_they_have_in_the_index() -> None:
    first, second = LIST.to_dicts()
    assert first == {
        "id": "a", "name": "A", "due": date(2024, 5, 19),
        "created": datetime(2024, 5, 19, 10, 30, 0, 250_000, UTC),
        "owner": "Ann", "owner.id": "7", "amount": 3.0, "signed": True, "tags": ["x"], "note": "12",
    }  # fmt: skip
    assert (second["due"], second["owner"], second["owner.id"], second["signed"]) == (None, None, None, None)
    assert second["created"] == datetime(2024, 5, 20, tzinfo=UTC)


def test_pandas_keeps_whole_numbers_whole_where_some_are_missing() -> None:
    frame = LIST.model_copy(update={"hits": [*LIST.hits, Hit(id="c", values={"amount": 1})], "total": 3}).to_pandas()
    types = {name: str(kind) for name, kind in frame.dtypes.items()}
    assert types == {
        "id": "string", "name": "string", "due": "datetime64[s]", "created": "datetime64[us, UTC]",
        "owner": "string", "owner.id": "string", "amount": "Float64", "signed": "boolean", "tags": "object",
        "note": "string",
    }  # fmt: skip
    grouped = GROUPS.to_pandas()
    assert str(grouped["count"].dtype) == "Int64"
    assert grouped["count"].sum() == 2
    whole = Hits(total=2, columns=["pages"], hits=[Hit(id="a", values={"pages": 2**53 + 1}), Hit(id="b")]).to_pandas()
    assert whole["pages"][0] == 2**53 + 1  # as a float it would be another number


def test_polars_and_arrow() -> None:
    schema = LIST.to_polars().schema
    assert (schema["due"], schema["created"]) == (polars.Date(), polars.Datetime("us", "UTC"))
    assert schema["tags"] == polars.List(polars.String)
    table = LIST.to_arrow()
    assert table.schema.field("due").type == pyarrow.date32()
    assert table.schema.field("created").type == pyarrow.timestamp("us", "UTC")
    assert table.to_pylist() == LIST.to_polars().to_dicts() == LIST.to_dicts()


@pytest.mark.parametrize(
    ("outcome", "rows"),
    [
        (Count(value=4), [{"count": 4}]),
        (GROUPS, [{"type": "Invoice", "owner": "Ann", "owner.id": "7", "count": 2, "max": None}]),
        (Hits(total=0, columns=["name"]), []),
        (Answer(claims=[Claim(text="It ends.", citations=[CITED])]),
         [{"statement": "It ends.", "file": "a.pdf", "page": 2, "quote": "ends"}]),
        (Answer(columns=["fee"], rows=[AnswerRow(document="d", name="A", file="a.pdf",
                                                 cells={"fee": Cell(value=5.0, unit="EUR")})]),
         [{"document": "d", "name": "A", "file": "a.pdf", "fee": 5, "fee_unit": "EUR", "fee_page": None,
           "fee_quote": None}]),
    ],
)  # fmt: skip
def test_every_outcome_with_rows(outcome: Any, rows: list[dict[str, Any]]) -> None:
    assert outcome.to_dicts() == rows
    assert outcome.to_polars().to_dicts() == rows
    assert outcome.to_pandas().shape[0] == outcome.to_arrow().num_rows == len(rows)


def test_an_outcome_without_rows_is_no_empty_table() -> None:
    with pytest.raises(qlc.UsageError, match=r"no rows: Which do you mean\?"):
        Clarify(message="Which do you mean?").to_dicts()


def test_a_page_that_is_not_all_warns() -> None:
    with pytest.warns(frames.PartialPage, match="2 of 1,500 rows"):
        LIST.model_copy(update={"total": 1500}).to_dicts()


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(qlc.UsageError, match="pip install pandas"):
        LIST.to_pandas()
