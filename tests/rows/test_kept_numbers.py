"""Numbers that an index keeps less exactly than they are written: as hundredths, or as floats of 16 and 32 bits."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from elasticsearch import helpers
from hypothesis import given
from hypothesis import strategies as st

from qlc.compiler.numbers import bound, held, written
from qlc.mapping.build import build_schema
from qlc.mapping.fields import FieldKind, MappedField
from qlc.mapping.index_mapping import read_mapping
from qlc.outcome import AggregateOut, Unsupported
from qlc.pipeline.compiler import Compiler
from tests import engines

TYPES: dict[str, dict[str, Any]] = {
    "hundredths": {"type": "scaled_float", "scaling_factor": 100},
    "sevenths": {"type": "scaled_float", "scaling_factor": 70},
    "float": {"type": "float"}, "half": {"type": "half_float"}, "double": {"type": "double"},
}  # fmt: skip
if not engines.IS_EMBEDDED:  # the servers here are built without the module that has the scaled type
    TYPES = {name: one for name, one in TYPES.items() if one["type"] != "scaled_float"}
PRICES = [Decimal(n) / 10 for n in range(-40, 0, 7)] + [Decimal(n) / 100 for n in range(0, 400, 3)]
SEVENTHS = [price for price in PRICES if price * 10 % 1 == 0]


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with engines.open_client() as client:
        client.indices.create(index="shop", mappings={"properties": {**TYPES, "at": {"type": "long"}}})
        actions = [{"_index": "shop", "_id": str(at), "_source": {
            "at": at, **{name: float(price) for name in TYPES if name != "sevenths" or price in SEVENTHS}
        }} for at, price in enumerate(PRICES)]  # fmt: skip
        helpers.bulk(client, actions, refresh=True)
        yield Compiler(client, index="shop")


def count(compiler: Compiler, program: str) -> int:
    outcome = compiler.run(program)
    return outcome.value


@pytest.mark.parametrize("name", TYPES)
def test_a_number_is_compared_with_what_is_written(compiler: Compiler, name: str) -> None:
    prices = SEVENTHS if name == "sevenths" else PRICES
    for price in prices[::5]:
        for operator, wanted in (("<", sum(one < price for one in prices)), (">=", sum(one >= price for one in prices)),
                                 (">", sum(one > price for one in prices)), ("<=", sum(one <= price for one in prices)),
                                 ("=", 1)):  # fmt: skip
            assert count(compiler, f"count entries where {name} {operator} {price}") == wanted, (operator, price)


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("width", ["0.05", "0.1", "0.7", "0.3", "1"])
def test_steps_begin_where_they_are_written(compiler: Compiler, name: str, width: str) -> None:
    prices = SEVENTHS if name == "sevenths" else PRICES
    outcome = compiler.run(f"count entries by step({name}, {width}) where {name} exists")
    assert isinstance(outcome, AggregateOut)
    found = {round(row.key / float(width)): row.value for row in outcome.rows if row.value}
    assert found == Counter(int((price / Decimal(width)).__floor__()) for price in prices)


@pytest.mark.parametrize("name", TYPES)
def test_bins_and_values_are_reported_as_they_were_written(compiler: Compiler, name: str) -> None:
    prices = SEVENTHS if name == "sevenths" else PRICES
    outcome = compiler.run(f"count entries by bins({name}, 0.3, 0.6, 1.2) where {name} exists")
    assert isinstance(outcome, AggregateOut)
    edges = [Decimal(edge) for edge in ("0.3", "0.6", "1.2")]
    assert [row.value for row in outcome.rows] == list(dict(sorted(Counter(
        sum(price >= edge for edge in edges) for price in prices).items())).values())  # fmt: skip
    outcome = compiler.run(f"count entries by {name}, at where {name} exists")
    assert isinstance(outcome, AggregateOut)
    rows = sorted((row.key["at"], row.key[name]) for row in outcome.rows)
    assert rows == sorted((at, float(price)) for at, price in enumerate(PRICES) if price in prices)
    outcome = compiler.run(f"min({name}), max({name}) of entries")
    assert outcome.value == {"min": float(min(prices)), "max": float(max(prices))}


@pytest.mark.skipif("hundredths" not in TYPES, reason="the servers here are built without the scaled type")
def test_a_sum_of_hundredths_is_exact(compiler: Compiler) -> None:
    outcome = compiler.run("sum(hundredths) of entries")
    assert outcome.value == float(sum(PRICES))


def test_a_value_that_is_taken_is_compared_as_it_is_kept() -> None:
    with engines.open_client() as client:
        kinds = {name: one for name, one in TYPES.items() if name not in ("sevenths", "double")}
        client.indices.create(index="t", mappings={"properties": {**kinds, "at": {"type": "long"}}})
        documents = [{"at": at, **dict.fromkeys(kinds, at + 0.1266)} for at in range(3)]
        helpers.bulk(client, [{"_index": "t", "_source": one} for one in documents], refresh=True)
        compiler = Compiler(client, index="t")
        for name in kinds:
            for operator, wanted in ((">", 1), (">=", 2), ("<", 1), ("<=", 2), ("=", 1)):
                test = f"{name} {operator} (find entries where at = 1).{name}"
                assert count(compiler, f"count entries where {test}") == wanted, test


@pytest.mark.parametrize(("value", "sure"), [(2**53 - 1, True), (2**53, False), (2**53 + 1, False)])
def test_a_double_that_stands_for_several_whole_numbers_is_reported_as_about(value: int, sure: bool) -> None:
    with engines.open_client() as client:
        client.indices.create(index="s", mappings={"properties": {"n": {"type": "long"}}})
        client.index(index="s", id="1", document={"n": value}, refresh=True)
        outcome = Compiler(client, index="s").run("max(n) of entries")
    assert ("about" not in outcome.message) == sure


CENTS = MappedField("p", "scaled_float", FieldKind.NUMBER, exact="p", scaling_factor=100)


@given(st.integers(-(10**9), 10**9), st.sampled_from(["gt", "gte", "lt", "lte"]))
def test_a_bound_lies_beside_the_value(cents: int, name: str) -> None:
    number = cents / 100
    assert written(CENTS, held(CENTS, number)) == number
    moved = bound(CENTS, name, number)
    assert moved == number or abs(moved - number) == pytest.approx(0.005)


def test_the_factor_of_a_mapping() -> None:
    for given_, factor in ((100, 100.0), ("10.5", 10.5), (0, None), (-1, None), ("x", None), (None, None)):
        body = {"properties": {"p": {"type": "scaled_float", "scaling_factor": given_}}}
        assert build_schema(None, read_mapping({"mappings": body}, "i")).entities["entry"].mapping.fields[
            "p"].scaling_factor == factor  # fmt: skip


@pytest.mark.parametrize("kind", ["half_float", "float", "double"])
def test_minus_zero_is_zero(kind: str) -> None:
    with engines.open_client() as client:
        client.indices.create(index="z", mappings={"properties": {"n": {"type": kind}}})
        helpers.bulk(client, [{"_index": "z", "_source": {"n": n}} for n in (-0.0, 0.0, -1.5, 1.5)], refresh=True)
        compiler = Compiler(client, index="z")
        for test, wanted in {">= 0": 3, "> 0": 1, "< 0": 1, "<= 0": 3, "= 0": 2, "in [0, 1.5]": 3, "!= 0": 2}.items():
            assert count(compiler, f"count entries where n {test}") == wanted, test
        outcome = compiler.run("count entries by bins(n, 0)")
        assert isinstance(outcome, AggregateOut)
        assert [row.value for row in outcome.rows] == [1, 3]
        outcome = compiler.run("count entries by n")
        assert isinstance(outcome, Unsupported)
        assert outcome.message.startswith("'n' holds -0, which Elasticsearch counts separately from 0.")
