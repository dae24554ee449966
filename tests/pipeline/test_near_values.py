"""A value that no document has, where others come near: they are offered, as far as the caller may see them."""

import pytest

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Count, Hits
from qlc.pipeline.compiler import Compiler
from qlc.resolver import absent
from tests import engines
from tests.pipeline.test_access import of_another, run, shown, unguarded
from tests.pipeline.wire import Wire
from tests.pipeline.world import TENANTS
from tests.tables import rows


def of_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every field has too many values to be read."""
    monkeypatch.setattr(absent, "MOST_READ", 0)


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize(
    ("program", "offered"), rows(__file__, "test_programs_with_a_value_that_is_stored")
)  # fmt: skip
def test_programs_with_a_value_that_is_stored(
    store: tuple[Wire, Compiler], monkeypatch: pytest.MonkeyPatch, many: bool, program: str, offered: list[str]
) -> None:
    if many:
        of_many_values(monkeypatch)
    outcome = store[1].run(program)
    assert isinstance(outcome, Hits | Count)
    assert outcome.suggestions == offered


def test_of_a_field_with_very_many_values_it_takes_one_search_more(
    store: tuple[Wire, Compiler], monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, compiler = store
    of_many_values(monkeypatch)
    wire.calls.clear()
    outcome = compiler.run('find documents where vendor = "Globbex"')
    assert outcome.notes[0] == "No document has the vendor 'Globbex'. Similar: 'Globex'."
    assert outcome.stats.searches <= 4


def test_a_long_value_is_cut_in_its_note_and_compared_with_none(
    store: tuple[Wire, Compiler], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absent, "LONGEST_REPORTED", 5)
    outcome = store[1].run('find documents where vendor = "Offise Depot"')
    assert (outcome.notes, outcome.suggestions) == (["No document has the vendor 'Offis…'."], [])


@pytest.mark.parametrize("many", [False, True])
def test_they_are_of_what_the_caller_may_see(
    compiler: Compiler, wire: Wire, monkeypatch: pytest.MonkeyPatch, many: bool
) -> None:
    if many:
        of_many_values(monkeypatch)
    offered = []
    for tenant in TENANTS:
        wire.calls.clear()
        outcome = run(compiler, 'find documents where type = "memox"', tenant)
        assert isinstance(outcome, Hits)
        offered += outcome.suggestions
        assert not of_another(shown(outcome), tenant)
        assert not unguarded(wire.calls, tenant)
    assert offered


@pytest.mark.parametrize(("case", "notes", "ids"), [
    ("", ["No screw has the code exactly 'pg7'. Similar: 'PG7'."], []), ("case: ignore", [], ["PG7"]),
])  # fmt: skip
def test_an_id_is_met_in_any_case_only_where_the_catalog_says_so(case: str, notes: list[str], ids: list[str]) -> None:
    client = engines.open_client()
    client.indices.create(index="screws", mappings={"properties": {"code": {"type": "keyword"}}})
    client.index(index="screws", id="1", document={"code": "PG7"}, refresh=True)
    catalog = "{version: 1, index: screws, entities: {screw: {id: code}}, fields: {code: {path: code, CASE}}}"
    outcome = Compiler(client, read_catalog(catalog.replace("CASE", case))).run('find screws where code in ["pg7"]')
    assert isinstance(outcome, Hits)
    assert (outcome.notes[:1], outcome.ids) == (notes, ids)
    assert outcome.suggestions == ([] if ids else ['find screws where code in ["PG7"]'])
