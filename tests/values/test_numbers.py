"""Numbers of every type against every comparison, written down and bound: what a field cannot hold is never sent."""

import operator
import struct
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from elasticsearch import BadRequestError, Elasticsearch, helpers

from qlc.outcome import Invalid, Outcome
from qlc.pipeline.compiler import Compiler
from tests.tables import table

INDEX = "numbers"
HELD: dict[str, list[int | float]] = table(__file__, "HELD")
PROBES: tuple[int | float, ...] = (
    -(10**400), -1e300, -1e39, -(2**63) - 1, -(2**63), -(2**31) - 1, -70_000, -129, 0, 7, 128, 70_000, 2**31, 2**53,
    2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30, 1e39, 1e300, 10**400,
)  # fmt: skip
OF_PLUGINS = ("unsigned_long", "scaled_float")
"""Types that come with parts of Elasticsearch that not every server has."""
REACH = {
    "byte": "whole numbers from -128 to 127", "half_float": "numbers from -65,504 to 65,504",
    "float": "numbers from -3.4e38 to 3.4e38",
}  # fmt: skip
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@pytest.fixture(scope="module")
def compiler(client: Elasticsearch) -> Iterator[Compiler]:
    mapped: dict[str, Any] = {kind: {"type": kind} for kind in HELD}
    mapped["scaled_float"]["scaling_factor"] = 100
    client.options(ignore_status=404).indices.delete(index=INDEX)
    try:
        client.indices.create(index=INDEX, mappings={"properties": mapped})
    except BadRequestError:
        for name in OF_PLUGINS:
            del mapped[name]
        client.indices.create(index=INDEX, mappings={"properties": mapped})
    actions = ({"_index": INDEX, "_source": {kind: value}} for kind in mapped for value in HELD[kind])
    helpers.bulk(client, actions, refresh=True)
    yield Compiler(client, index=INDEX)
    client.indices.delete(index=INDEX)


@pytest.fixture(params=HELD)
def kind(request: pytest.FixtureRequest, compiler: Compiler) -> str:
    if not compiler.diagnose(f"count entries where {request.param} exists").failed:
        return str(request.param)
    pytest.skip(f"this server has no {request.param}")


def is_out_of_reach(kind: str, number: float) -> bool:
    """Beyond all numbers of the type; of floats, beyond all that round to one."""
    if kind in ("half_float", "float", "double", "scaled_float"):
        try:
            struct.pack({"half_float": "<e", "float": "<f"}.get(kind, "<d"), float(number))
        except OverflowError:
            return True
        return False
    return not min(HELD[kind]) <= number <= max(HELD[kind])


def expected(kind: str, compared: str, number: float, total: int) -> int | None:
    """How many documents; None where the program is refused, as nothing that the field can hold compares so."""
    if is_out_of_reach(kind, number) and compared not in (("<", "<=") if number > 0 else (">", ">=")):
        return None
    met = sum(COMPARISONS[compared](value, number) for value in HELD[kind])
    return met + total - len(HELD[kind]) if compared == "!=" else met


def answer(outcome: Outcome) -> int | None:
    if isinstance(outcome, Invalid):
        assert [d.code for d in outcome.diagnostics] == ["unknown-value"], outcome
        assert outcome.diagnostics[0].span is not None
        assert outcome.diagnostics[0].hint
        return None
    return outcome.value


def test_every_number_is_compared_or_refused(compiler: Compiler, kind: str) -> None:
    total = answer(compiler.run("count entries")) or 0
    for number in PROBES:
        for compared in COMPARISONS:
            wanted = expected(kind, compared, number, total)
            bound = compiler.run(f"count entries where {kind} {compared} $n", params={"n": number})
            assert answer(bound) == wanted, (kind, compared, number)
            if abs(number) < 10**308:
                assert answer(compiler.run(f"count entries where {kind} {compared} {number}")) == wanted, number


def test_an_end_of_a_range_may_lie_beyond_the_type(compiler: Compiler, kind: str) -> None:
    for low, high in ((-1e300, 1e300), (0, 10**30), (-1e39, 7)):
        if kind == "double" and abs(low) == 1e300:
            continue
        met = sum(low <= value <= high for value in HELD[kind])
        between = f"count entries where {kind} between"
        assert answer(compiler.run(f"{between} {low} and {high}")) == met
        assert answer(compiler.run(f"{between} $low and $high", params={"low": low, "high": high})) == met


def test_each_number_of_a_list_is_judged(compiler: Compiler, kind: str) -> None:
    assert answer(compiler.run(f"count entries where {kind} in [0, 7]")) == 2
    assert answer(compiler.run(f"count entries where {kind} in $n", params={"n": [0, 7.0]})) == 2
    assert answer(compiler.run(f"count entries where {kind} in [0, $n]", params={"n": 10**400})) is None
    assert answer(compiler.run(f"count entries where {kind} in $n", params={"n": [0, 10**400]})) is None
    both = compiler.run(f"count entries where {kind} in [1e307, 0, 1e308]")
    if kind not in ("double", "scaled_float"):
        assert [d.code for d in both.diagnostics] == ["unknown-value", "unknown-value"]
        assert kind not in REACH or both.diagnostics[0].hint == f"it holds {REACH[kind]}"


def test_numbers_from_documents_are_compared_with_a_field_of_another_type(compiler: Compiler, kind: str) -> None:
    """A number outside the field's range is compared as well: nothing is found, or everything."""
    for other in ("byte", "integer", "half_float", "float", "double"):  # that a double holds exactly
        largest = max(HELD[other])
        taken = f"(max({other}) of entries)"
        for compared in ("=", "<", "<=", ">", ">="):
            met = sum(COMPARISONS[compared](value, largest) for value in HELD[kind])
            assert answer(compiler.run(f"count entries where {kind} {compared} {taken}")) == met, (compared, other)
