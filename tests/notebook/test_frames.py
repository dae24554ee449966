"""Rows of outcomes as Python values and data frames: types are right, also where values are missing."""

from datetime import UTC, date, datetime
from typing import Any

import polars
import pyarrow
import pytest

import qlc
from qlc.outcome import (
    AggregateOut,
    Answer,
    AnswerRow,
    Cell,
    Citation,
    Claim,
    Clarify,
    Count,
    Hit,
    Hits,
    RowOut,
    frames,
)

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


def test_a_reference_without_a_name_has_its_id_for_one() -> None:
    found = Hits(total=1, columns=["turbine"], hits=[Hit(id="v", values={"turbine": {"id": "WT-1"}})])
    assert found.to_pandas().to_dict("records") == [{"id": "v", "turbine": "WT-1", "turbine.id": "WT-1"}]


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


def test_lists_dates_and_large_numbers_of_an_index() -> None:
    """Some rows with several values, others with one; dates with an offset and with nanoseconds; unsigned numbers."""
    with qlc.connect(":memory:") as client:
        client.indices.create(index="things", mappings={"properties": {
            "big": {"type": "unsigned_long"}, "at": {"type": "date"}, "nano": {"type": "date_nanos"},
            "days": {"type": "date"}, "sizes": {"type": "double"}, "tags": {"type": "keyword"},
        }})  # fmt: skip
        documents = [
            {"big": 2**64 - 1, "at": "2024-03-31T01:30:00+02:00", "nano": "2024-01-01T00:00:00.123456789Z",
             "days": ["2024-01-01", "2024-02-01"], "sizes": [1, 2.5], "tags": ["a", 1]},
            {"big": 1, "at": "1815-12-10", "days": "2024-05-01", "sizes": 3},
            {},
        ]  # fmt: skip
        for number, document in enumerate(documents):
            client.index(index="things", id=str(number), document=document)
        client.indices.refresh(index="things")
        found = qlc.Compiler(client, index="things").run("find all entries show big, at, nano, days, sizes, tags")
    assert found.to_dicts() == [
        {"id": "0", "big": 2**64 - 1, "at": datetime(2024, 3, 30, 23, 30, tzinfo=UTC),
         "nano": datetime(2024, 1, 1, 0, 0, 0, 123_000, UTC), "days": [date(2024, 1, 1), date(2024, 2, 1)],
         "sizes": [1.0, 2.5], "tags": ["a", "1"]},
        {"id": "1", "big": 1, "at": datetime(1815, 12, 10, tzinfo=UTC), "nano": None, "days": [date(2024, 5, 1)],
         "sizes": [3.0], "tags": None},
        dict.fromkeys(("big", "at", "nano", "days", "sizes", "tags")) | {"id": "2"},
    ]  # fmt: skip
    assert found.to_pandas()["big"][0] == found.to_polars()["big"][0] == found.to_arrow()["big"][0].as_py() == 2**64 - 1
    assert found.to_polars().schema["days"] == polars.List(polars.Date())
    assert str(found.to_pandas()["big"].dtype) == "UInt64"


@pytest.mark.parametrize(
    ("values", "read"),
    [
        ([2**64, 1], [float(2**64), 1.0]),
        ([-1, 2**63], [-1.0, float(2**63)]),
        ([2**64 + 1, None], [str(2**64 + 1), None]),
    ],
)
def test_numbers_that_no_column_has_room_for(values: list[int | None], read: list[Any]) -> None:
    hits = [Hit(id=str(row), values={"n": value}) for row, value in enumerate(values)]
    found = Hits(total=2, columns=["n"], hits=hits)
    assert [row["n"] for row in found.to_dicts()] == read
    assert found.to_polars()["n"].to_list() == read
    assert found.to_arrow()["n"].to_pylist() == read


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
