"""The reference that models read: its examples are programs, and they check on the catalog that they speak of."""

import re

import pytest

from qlc import Compiler, catalogs
from qlc.mapping.index_mapping import load_mapping
from qlc.outcome import Hits
from qlc.translator.model.prompt import reference
from tests import data_sets
from tests.tables import rows

NOW = "2026-03-15T12:00:00Z"


def programs() -> list[str]:
    """Each line of a `qlc` block is a program; one that begins with `let` goes on to the end of its block."""
    found: list[str] = []
    for block in re.findall(r"^```qlc\n(.*?)^```", reference(), re.DOTALL | re.MULTILINE):
        lines = [re.sub(r"\s+-- .*", "", line) for line in block.splitlines() if line.strip()]
        found += ["\n".join(lines)] if lines[0].startswith("let ") else lines
    return found


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(None, catalogs.path("drive"), mapping=load_mapping(catalogs.mapping_path("drive"), "entities-v4"))


def test_reference_has_examples() -> None:
    assert len(programs()) > 50


@pytest.mark.parametrize("program", programs())
def test_examples_check(program: str, compiler: Compiler) -> None:
    found = compiler.diagnose(program, now=NOW)
    assert found.diagnostics == (), program


STATEMENTS = rows(__file__, "STATEMENTS")


@pytest.fixture(scope="module")
def store() -> Compiler:
    return data_sets.drive()


def answer(store: Compiler, program: str) -> object:
    outcome = store.run(program, now=NOW)
    assert outcome.kind in ("count", "value", "hits"), (program, outcome)
    return outcome.ids if isinstance(outcome, Hits) else outcome.value  # type: ignore[union-attr]


@pytest.mark.parametrize(("statement", "program", "same"), STATEMENTS)
def test_what_the_reference_says_is_so(statement: str, program: str, same: str, store: Compiler) -> None:
    assert statement in reference()
    found = answer(store, program)
    assert found == answer(store, same)
    assert found


def test_what_has_no_value_comes_last_either_way(store: Compiler) -> None:
    assert "what has no value comes last either way" in reference()
    assert "`sort` is ascending without `desc`" in reference()
    for order in ("", " desc"):
        last = store.run(f"find documents sort vendor{order} limit 1 offset 5000", now=NOW)
        assert store.run(f'count documents where id = "{last.ids[0]}" and vendor missing', now=NOW).value == 1  # type: ignore[union-attr]
    first, second = (store.run(f"get (find documents sort size{d} limit 1).size", now=NOW).value for d in ("", " desc"))  # type: ignore[union-attr]
    assert first < second


def test_some_whole_words_of_a_name_are_enough_and_parts_of_words_are_not(store: Compiler) -> None:
    assert "Some whole words of a name are enough" in reference()
    assert store.run('get document("Dock Permit").name', now=NOW).value == "Dock Permit.pdf"  # type: ignore[union-attr]
    assert store.run('count documents where owner = "Dana"', now=NOW).kind == "clarify"
    assert store.run('count documents where owner = "Da"', now=NOW).kind == "not_found"


@pytest.mark.parametrize(("statement", "program", "code"), rows(__file__, "test_what_the_reference_forbids_is_refused"))
def test_what_the_reference_forbids_is_refused(statement: str, program: str, code: str, store: Compiler) -> None:
    assert statement in reference()
    assert code in [one.code for one in store.diagnose(program, now=NOW).diagnostics]


def test_a_list_that_is_not_kept_apart_takes_one_condition_for_each_field() -> None:
    assert "takes one condition for each field" in reference()
    shop = Compiler(None, catalogs.path("ecommerce"), mapping=load_mapping(catalogs.mapping_path("ecommerce"), "shop"))
    apart = shop.diagnose("count orders where products.price < 10 and products.quantity > 1", now=NOW)
    tied = shop.diagnose("count orders where products[price < 10 and quantity > 1]", now=NOW)
    assert apart.diagnostics == ()
    assert [one.code for one in tied.diagnostics] == ["elements-not-kept"]
