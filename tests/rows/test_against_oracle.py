"""Groups with measures over awkward documents give the rows that plain Python finds, however they are read."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from elasticsearch import Elasticsearch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rows import oracle
from tests.rows.world import Asker, ids, stored

DOCUMENTS = oracle.documents(seed=7, size=120)


@pytest.fixture(scope="module")
def asker(client: Elasticsearch) -> Iterator[Asker]:
    with stored(client, oracle.MAPPING, ids(DOCUMENTS), shards=5) as index:
        yield Asker.without_catalog(client, index, oracle.MAPPING)


def close(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, float) or isinstance(theirs, float):
        return mine is not None and theirs is not None and abs(mine - theirs) <= 1e-9 * max(1, abs(theirs))
    return bool(mine == theirs) and isinstance(mine, datetime) == isinstance(theirs, datetime)


def check(asker: Asker, groups: list[oracle.GroupBy], measures: list[oracle.MeasureOf], zone: str) -> None:
    asker.zone = zone
    by = f" by {', '.join(group.text for group in groups)}" if groups else ""
    program = f"{', '.join(measure.text for measure in measures)} of entries{by}"
    expected = oracle.rows(DOCUMENTS, groups, measures, ZoneInfo(zone))
    found = asker.run(program)
    theirs = {tuple(label for _, label in keys): amounts for keys, amounts in expected}
    mine = {tuple(key.label for key in row.keys): row.values for row in found.rows}
    assert mine.keys() == theirs.keys(), program
    wrong = [(keys, mine[keys], theirs[keys]) for keys in mine if not all(map(close, mine[keys], theirs[keys]))]
    assert not wrong, (program, wrong[:3])
    if not isinstance(expected[0][1][0] if expected else None, float):
        assert list(mine) == list(theirs), program


groups = st.lists(st.sampled_from(oracle.GROUPS), max_size=3, unique=True)
measures = st.lists(st.sampled_from(oracle.MEASURES), min_size=1, max_size=4, unique=True)
zones = st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu"])
relaxed = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)


@given(groups=groups, measures=measures, zone=zones)
@relaxed
def test_rows(asker: Asker, groups: Any, measures: Any, zone: str) -> None:
    check(asker, groups, measures, zone)


@given(groups=groups, measures=measures, zone=zones, page=st.integers(2, 9))
@relaxed
def test_rows_read_in_small_pieces(
    asker: Asker, monkeypatch: pytest.MonkeyPatch, groups: Any, measures: Any, zone: str, page: int
) -> None:
    """With a handful of buckets to a response every way of reading on is gone through."""
    with monkeypatch.context() as patched:
        patched.setattr("qlc.resolver.rows.cells.PAGE", page)
        patched.setattr("qlc.resolver.rows.cells.FEW", page // 2)
        patched.setattr("qlc.resolver.rows.reading.MAX_BUCKETS", 150 * page)
        check(asker, groups, measures, zone)
