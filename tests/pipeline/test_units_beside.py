"""An amount whose unit is in another field (a currency) is shown with it, whatever is asked for."""

from collections.abc import Callable
from typing import Any

import pytest

import qlc
from qlc.cli.render import Style, hits_table, rows_table
from qlc.mapping.catalog import read_catalog
from tests.tables import table

CATALOG = table(__file__, "CATALOG")
SALES: list[dict[str, Any]] = table(__file__, "SALES")
Sales = Callable[[str], qlc.Compiler]


@pytest.fixture(scope="module")
def sales() -> Sales:
    client = qlc.connect()
    fields = {name: {"type": "keyword"} for name in ("id", "shop", "currency")}
    client.indices.create(index="sales", mappings={"properties": {**fields, "price": {"type": "double"}}})
    for one in SALES:
        client.index(index="sales", id=one["id"], document=one, refresh=True)
    return lambda of_the_currency: qlc.Compiler(client, read_catalog(CATALOG % of_the_currency))


def test_a_list_has_the_unit_of_each_amount(sales: Sales) -> None:
    found = sales("").run("find sales sort id limit 10 show price")
    assert [hit.values.get("currency") for hit in found.hits] == ["EUR", "GBP", None, "EUR", "EUR"]
    assert found.unit_columns == {"price": "currency"}
    assert [line.split() for line in hits_table(found, Style()).splitlines()] == [
        ["shop", "price"], ["Arbor", "EUR", "5.50"], ["Birch", "GBP", "7.00"], ["Cedar", "9"], ["Arbor", "EUR", "2.00"],
        ["Birch", "EUR", "1.00"],
    ]  # fmt: skip


def test_a_row_has_the_unit_that_all_its_amounts_are_in(sales: Sales) -> None:
    found = sales("").run("sum(price), count of sales by shop sort shop")
    assert found.row_units == [{"sum": "EUR"}, {"sum": "mixed"}, {}]
    assert [line.split() for line in rows_table(found, Style()).splitlines()[1:]] == [
        ["Arbor", "EUR", "7.50", "2"], ["Birch", "8", "mixed", "2"], ["Cedar", "9", "1"],
    ]  # fmt: skip


def test_a_unit_that_not_everybody_may_see_is_not_shown(sales: Sales) -> None:
    compiler = sales(", sensitive: true")
    listed = compiler.run("find sales sort id limit 1 show price")
    assert listed.hits[0].values == {"shop": "Arbor", "price": 5.5}
    for program in ('get sale("s1").price', 'sum(price) of sales where shop = "Arbor"', "sum(price) of sales by shop"):
        assert "EUR" not in compiler.run(program).model_dump_json()
