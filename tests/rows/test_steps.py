"""having, top N, sort, limit: what is done with the rows once they are read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch
from syrupy.assertion import SnapshotAssertion

from qlc.compiler.request import CannotAnswer
from tests.pairs import check_beside, pairs, readable, report
from tests.rows.world import Asker, flat, ids, mapping_of, stored
from tests.tables import table

MAPPING = mapping_of(city="keyword", kind="keyword", price="long", t="date", ok="boolean")


SALES = table(__file__, "SALES")


@pytest.fixture(scope="module")
def sales(client: Elasticsearch) -> Iterator[Asker]:
    with stored(client, MAPPING, ids(SALES), shards=3) as index:
        yield Asker.without_catalog(client, index, MAPPING)


@pairs(Path(__file__).parent / "cases")
def test_rows_and_notes_are_written_beside_their_programs(
    sales: Asker, path: Path, snapshot: SnapshotAssertion
) -> None:
    check_beside(path, report(path, lambda case: rows_and_notes(sales, case.source)), snapshot)


def rows_and_notes(sales: Asker, program: str) -> str:
    found = sales.run(program)
    return "\n".join([*(readable(row) for row in flat(found)), *(f"note: {note}" for note in found.notes)]) or "no rows"


def test_measures_of_nothing(sales: Asker) -> None:
    found = sales.run(
        "count, sum(price), distinct(city), avg(price), min(t), share(ok = true), median(price) of entries "
        "where price > 1000"
    )
    assert flat(found) == [(0, None, 0, None, None, None, None)]
    assert found.approximate == ()


def test_hidden_measures_are_not_shown(sales: Asker) -> None:
    found = sales.run("count entries by city having sum(price) > 50 sort max(price)")
    assert (found.groups, found.measures) == (("city",), ("count",))
    assert flat(found) == [("Oslo", 3)]


def test_too_many_rows_are_refused(sales: Asker) -> None:
    with pytest.raises(CannotAnswer, match="more than 3 rows") as refused:
        sales.bounded(rows=3).run("count entries by city")
    assert refused.value.code == "too-many-rows"
    assert len(sales.bounded(rows=4).run("count entries by city").rows) == 4
