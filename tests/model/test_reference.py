"""The reference that models read: its examples are programs, and they check on the catalog that they speak of."""

from __future__ import annotations

import re

import pytest

from qlc import Compiler, catalogs
from qlc.mapping.index_mapping import load_mapping
from qlc.outcome import Hits
from qlc.translator.model.prompt import reference
from tests import data_sets

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


STATEMENTS = [
    # What the reference says, and programs that show it on the sample store: each pair has equal answers.
    ("`not` is the exact opposite", "count documents where not signed", "count documents where signed != true"),
    ("`not signed` and `f != v` also find what has no value", "count documents where not signed",
     "count documents where signed missing or signed = false"),
    ("`f != v and f exists` is another value", 'count documents where vendor != "Staples" and vendor exists',
     'count documents where vendor exists and not vendor in ["Staples"]'),
    ("case does not count", 'count documents where vendor = "STAPLES"', 'count documents where vendor = "Staples"'),
    ("on a list: one element is", 'count documents where tags = "audit"', 'count documents where tags has "audit"'),
    ("a list, where a thing counts in the row of each of its values", "get (count documents by tags limit 1).count",
     "count documents where tags = (count documents by tags limit 1).tags"),
    ("`f under in (find ...)`", 'count documents where folder under in (find folders where name = "Clients")',
     'count documents where folder under "Clients"'),
    ("v itself or anywhere below", 'count documents where folder under "Tax Documents" and folder = "Tax Documents"',
     'count documents where folder = "Tax Documents"'),
    ("`find document(", 'find document("Dock Permit.pdf")', 'find documents where id = document("Dock Permit.pdf")'),
    ("in the folder that has most", "get (count documents by folder limit 1).count",
     "count documents where folder = (count documents by folder limit 1).folder"),
    ("the date of a thing are moments", 'count documents where created > document("Dock Permit.pdf").created',
     'count documents where created >= document("Dock Permit.pdf").created and id != document("Dock Permit.pdf")'),
    ("`f > P` after its end", "count documents where created > 2025-03", "count documents where created >= 2025-04"),
    ("`f < P` before it", "count documents where created < 2025-03", "count documents where created <= 2025-02"),
    ("from the start of P to the end of Q", "count documents where created between 2025-01 and 2025-03",
     "count documents where created = 2025-Q1"),
]  # fmt: skip


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


@pytest.mark.parametrize(
    ("statement", "program", "code"),
    [
        ("`find` needs a `where` or a `limit`", "find documents", "asks-for-everything"),
        ("where `limit` needs a `sort`", "count documents by month(created) limit 3", "limit-needs-sort"),
        ('A value of a field with "one of ..." must be one', 'count documents where type = "Zebra"', "unknown-value"),
        ("never `<` or `>`, no numbers, no dates", "count documents where created < modified", "not-comparable"),
        ("only in a `find` and joined by `and`", 'count documents where about "roof"', "about-not-here"),
        ("only in a `find` and joined by `and`", 'find documents where about "roof" or signed', "about-not-here"),
        ("no functions besides these", "count documents where length(name) > 3", "unknown-function"),
    ],
)
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
