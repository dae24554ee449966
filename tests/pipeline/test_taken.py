"""Values taken from documents, and how they are shown: keys of key/value lists, references, fields behind them,
questions.

A small store of papers in binders; people are known only beside other documents.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from tests.pipeline.wire import Wire
from tests.small_worlds import catalog_of, load
from tests.tables import rows

CATALOG = catalog_of("papers")


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    made = Wire()
    with made.client() as client:
        load("papers", client)
        yield made


@pytest.fixture
def compiler(wire: Wire) -> Iterator[Compiler]:
    with wire.client() as client:
        yield Compiler(client, read_catalog(CATALOG))


def value(outcome: Outcome) -> Any:
    return outcome.value


# --- entities behind references --------------------------------------------------------------------------------------


def test_fields_after_references_are_shown(wire: Wire, compiler: Compiler) -> None:
    """One round trip more for each reference on the way, for the whole page."""
    program = "find papers where year > 0 show binder.place, binder.name, binder.binder.name, binder.binder"
    with wire.watched() as calls:
        found = compiler.run(program)
    assert {hit.id: hit.values for hit in found.hits} == {
        "1": {"name": "Plan", "binder.place": "top/Letters", "binder.name": "Letters", "binder.binder": "desk"},
        "2": {"name": "Plan", "binder.place": "low/Letters", "binder.name": "Letters", "binder.binder": {"id": "x"},
              "binder.binder.name": "Letters"},
        "3": {"name": "Sketch", "binder.place": "low/Letters", "binder.name": "Letters", "binder.binder": {"id": "x"},
              "binder.binder.name": "Letters"},
        "4": {"name": "Bill"},
        "5": {"name": "Ghost"},
    }  # fmt: skip
    assert found.stats.round_trips == 3
    assert sum("_search" in call.path or "_msearch" in call.path for call in calls) == 3


def test_the_catalog_shows_fields_after_references(wire: Wire) -> None:
    """As if the question had named them; what leads nowhere or may not be seen is left out."""
    text = CATALOG.replace("paper: {where", "paper: {show: [year, binder.name, binder.place], where")
    text = text.replace("path: place, tell_apart", "tell_apart")
    text = text.replace("  place: place", "  place: {path: place, sensitive: true}")
    with wire.client() as client:
        compiler = Compiler(client, read_catalog(text))
        with wire.watched() as calls:
            found = compiler.run("find papers where year > 0")
    assert found.columns == ["name", "year", "binder.name"]
    assert [hit.values.get("binder.name") for hit in found.hits] == ["Letters", "Letters", "Letters", None, None]
    assert found.stats.round_trips == 2
    assert sum("_search" in call.path or "_msearch" in call.path for call in calls) == 2


# --- questions -------------------------------------------------------------------------------------------------------


def has_constant_keywords(client: Elasticsearch) -> None:
    """Leaves the test out where a server has not the module of the type."""
    tried = {"properties": {"site": {"type": "constant_keyword"}}}
    found = client.options(ignore_status=400).indices.create(index="tried", mappings=tried)
    if found.meta.status == 400:
        pytest.skip("this server has no constant_keyword")
    client.indices.delete(index="tried")


@pytest.mark.parametrize(("condition", "count"), rows(__file__, "test_a_constant_keyword_compares_up_to_case"))
def test_a_constant_keyword_compares_up_to_case(wire: Wire, condition: str, count: int) -> None:
    with wire.client() as client:
        site = {"type": "constant_keyword", "value": "Nord Ü"}
        if not client.indices.exists(index="constant"):
            has_constant_keywords(client)
            client.indices.create(index="constant", mappings={"properties": {"site": site, "n": {"type": "long"}}})
            client.index(index="constant", document={"n": 1}, refresh=True)
        assert value(Compiler(client, index="constant").run(f"count entries where {condition}")) == count
