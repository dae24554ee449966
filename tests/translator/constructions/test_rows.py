"""Each row of the tables of constructions: the example that it reads, and one that it leaves to others."""

from collections.abc import Iterator
from typing import Any

import pytest

import qlc
from qlc.grammar import tree
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.translator.entry import Asker
from qlc.translator.rules import near_questions, programs
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.constructions import conditions, orders, questions
from qlc.translator.rules.constructions.construction import Construction, Match, Notation, Table, matches
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words.phrases import phrases

QUESTIONS = [*questions.NUMBERS.rows, *questions.VALUES.rows]


@pytest.fixture(scope="module")
def drafted() -> Iterator[Asker]:
    """Things with a buyer, whose values are names, as a catalog is drafted of them."""
    with qlc.connect() as client:
        client.indices.create(index="lots", mappings={"properties": {"buyer": {"type": "keyword"}}})
        for number, buyer in enumerate(("Omar", "Wei", "Omar", "Ann", "Wei", "Omar")):
            client.index(index="lots", id=str(number), document={"buyer": buyer})
        client.indices.refresh(index="lots")
        yield Asker(qlc.Compiler(client, read_catalog(draft_catalog(client, "lots"))))


@pytest.fixture(scope="module")
def parses(drive: Asker, flights: Asker, depot: Asker, drafted: Asker) -> Any:
    """The parses of a text over two shipped catalogs and two small ones, without what is read from them."""

    def parsed(text: str) -> list[Parse]:
        found: list[Parse] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(programs, "programs", lambda parse: found.append(parse) or ())
            patch.setattr(near_questions, "with_a_measure", lambda parse: ())  # `total size of PDFs`
            for asker in (drive, flights, depot, drafted):
                asker.ask(text, now="2026-03-15T12:00:00Z")
        return found

    return parsed


A_GUESS = 1.0
"""Lowest cost of a reading that takes unknown words for a name."""


def givens(p: Parse, name: str) -> list[NounPhrase]:
    """Things as they are, and the last of them by their usual date."""
    usual = default_date(p.entity(name))
    last = [NounPhrase(name, sort=(tree.SortKey(usual[0].left, True),), limit=1)] if usual is not None else []
    return [NounPhrase(name, single=True), *last]


def reads(table: Table[Any], row: Construction[Any], p: Parse, given: bool = False) -> bool:
    """Whether a row reads a text up to its end, from anywhere in it, of any entity where none is said."""
    alone = Table(table._notation, [row])
    needs_an_entity = table is not questions.NUMBERS and table is not questions.VALUES
    names = [entity.name for entity in p.things] if needs_an_entity else [""]
    starts = range(p.end) if needs_an_entity else [0]
    return any(
        p.past(one.end, frozenset("?.")) == p.end and one.cost < A_GUESS
        for name in names
        for at in starts
        for phrase in (givens(p, name) if given else [None])
        for one in alone.readings(p, at, name, phrase)
    )


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row.name)
def test_a_question_is_read_by_its_row(row: Construction[Any], parses: Any) -> None:
    table: Table[Any] = questions.NUMBERS if row in questions.NUMBERS.rows else questions.VALUES
    assert any(reads(table, row, p) for p in parses(row.reads))
    assert not any(reads(table, row, p) for p in parses(row.leaves))


@pytest.mark.parametrize("row", conditions.CONDITIONS.rows, ids=lambda row: row.name)
def test_a_condition_is_read_by_its_row(row: Construction[Any], parses: Any) -> None:
    assert any(reads(conditions.CONDITIONS, row, p) for p in parses(row.reads))
    assert not any(reads(conditions.CONDITIONS, row, p) for p in parses(row.leaves))


@pytest.mark.parametrize("row", orders.ORDERS.rows, ids=lambda row: row.name)
def test_an_order_is_read_by_its_row(row: Construction[Any], parses: Any) -> None:
    assert any(reads(orders.ORDERS, row, p, given=True) for p in parses(row.reads))
    assert not any(reads(orders.ORDERS, row, p, given=True) for p in parses(row.leaves))


@pytest.mark.parametrize("row", questions.TAILS.rows, ids=lambda row: row.name)
def test_what_follows_rows_is_read_by_its_row(row: Construction[Any], parses: Any) -> None:
    alone = Table(questions.notation, [row])

    def ends_with_it(p: Parse) -> bool:
        for core in questions.NUMBERS.readings(p, 0):
            entity = next(one.name for one in p.things if core.value.entity == tree.Name(one.plural))
            tails = alone.readings(p, core.end, entity, core.value) if core.end < p.end else ()
            if any(one.end == p.end and one.cost < A_GUESS for one in tails):
                return True
        return False

    assert any(map(ends_with_it, parses(row.reads)))
    assert not any(map(ends_with_it, parses(row.leaves)))


def test_names_of_rows_are_their_own() -> None:
    for table in (questions.NUMBERS, questions.TAILS, questions.VALUES, conditions.CONDITIONS, orders.ORDERS):
        names = [row.name for row in table.rows]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("pattern", ["(a | b", "a)", "[a", "{unknown}", "<unknown>"])
def test_a_wrong_pattern_is_refused(pattern: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        Notation({}, {}).read(pattern)


def test_patterns_match_words_options_and_lists(drive: Asker, parses: Any) -> None:
    notation = Notation({}, {"the": frozenset({"the", "a"}), "counting": phrases("how many | number of")})
    p = parses("the number of open invoices")[0]
    start = Match(p, 0, 0)
    assert [m.end for m in matches(notation.read("<the*> <counting> [open] (invoices | receipts)"), start)] == [5]
    assert [m.end for m in matches(notation.read("<the?> number of"), start)] == [3]
    assert not list(matches(notation.read("number of"), start))
