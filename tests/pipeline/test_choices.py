"""A clarification is resumed by a choice: the token carries its meaning, any process can go on with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import helpers

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Clarify, Hits, Outcome, ValueOut
from qlc.pipeline.compiler import Compiler
from tests.pipeline.wire import Wire

CATALOG = """
version: 1
index: library
defaults: {id: id, names: [name], show: [name]}
entities:
  book: {where: {kind: book}, tell_apart: [year]}
  shelf: {where: {kind: shelf}, plural: shelves}
fields:
  id: id
  name: name
  year: year
  price: price
  tags: {path: tags, list: true}
  shelf: {path: shelf, refers_to: shelf}
  sequel: {path: sequel, refers_to: book}
"""
MAPPING = {
    "properties": {
        **{name: {"type": "keyword"} for name in ("id", "kind", "name", "tags", "shelf", "sequel")},
        "year": {"type": "integer"},
        "price": {"type": "double"},
    }
}
DOCUMENTS: list[dict[str, Any]] = [
    {"id": "s1", "kind": "shelf", "name": "Top"},
    {"id": "s2", "kind": "shelf", "name": "Top"},
    {"id": "s3", "kind": "shelf", "name": "Low"},
    {"id": "b1", "kind": "book", "name": "Emma", "year": 1815, "price": 5.0, "shelf": "s1", "tags": ["a", "b"]},
    {"id": "b2", "kind": "book", "name": "Emma", "year": 1996, "price": 7.5, "shelf": "s2", "tags": ["c"]},
    {"id": "b3", "kind": "book", "name": "Dune", "year": 1965, "price": 9.0, "shelf": "s1", "sequel": "b4"},
    {"id": "b4", "kind": "book", "name": "Dune Messiah", "year": 1969, "price": 4.0, "shelf": "s3", "tags": []},
]

TWO = 'find books where shelf = "Top" and id != book("Emma")'


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    made = Wire()
    with made.client() as client:
        client.indices.create(index="library", mappings=MAPPING)
        actions = ({"_index": "library", "_id": one["id"], "_source": one} for one in DOCUMENTS)
        helpers.bulk(client, actions, refresh=True)
        yield made


@pytest.fixture
def compiler(wire: Wire) -> Iterator[Compiler]:
    with wire.client() as client:
        yield Compiler(client, read_catalog(CATALOG))


def asked(outcome: Outcome) -> Clarify:
    assert isinstance(outcome, Clarify), outcome
    return outcome


def test_several_questions_in_a_row(wire: Wire, compiler: Compiler) -> None:
    """Each choice is kept by the caller alone; another compiler, as in another process, goes on with it."""
    choices: dict[str, str] = {}
    wanted = {"Top": "s1", "Emma": "b2"}
    for _ in range(2):
        question = asked(compiler.run(TWO, choices=choices))
        assert question.what in wanted
        assert wanted[question.what] in {option.id for option in question.options}
        choices[question.token] = wanted.pop(question.what)
    with wire.client() as client:
        for one in (compiler, Compiler(client, read_catalog(CATALOG))):
            answer = one.run(TWO, choices=choices)
            assert isinstance(answer, Hits)
            assert answer.ids == ["b1", "b3"]


def test_options_tell_what_they_are(compiler: Compiler) -> None:
    question = asked(compiler.run('get book("Emma").price'))
    assert [(option.id, option.name, option.entity) for option in question.options] == [
        ("b1", "Emma", "book"),
        ("b2", "Emma", "book"),
    ]
    assert all(year in option.label for year, option in zip(("1815", "1996"), question.options, strict=True))
    assert question.message == "There are 2 books called 'Emma'. Which do you mean?"


LABELS = {
    "[shelf.name, year]": {"Emma (shelf Top, year 1815)", "Emma (shelf Top, year 1996)"},
    "[shelf.id, tags]": {"Emma (shelf id s1, tags a, b)", "Emma (shelf id s2, tags c)"},
    "[sequel.shelf, price]": {"Emma (price 5.0)", "Emma (price 7.5)"},
}


@pytest.mark.parametrize("fields", LABELS)
def test_options_are_distinguished_by_what_they_refer_to(wire: Wire, fields: str) -> None:
    with wire.client() as client:
        compiler = Compiler(client, read_catalog(CATALOG.replace("[year]", fields)))
        question = asked(compiler.run('get book("Emma").price'))
    assert {option.label for option in question.options} == LABELS[fields]


@pytest.mark.parametrize("choice", ["", "b9", "b3", "s1", "Emma", "b1 ", "*"])
def test_a_choice_that_was_no_option_asks_again(compiler: Compiler, choice: str) -> None:
    question = asked(compiler.run('get book("Emma").price'))
    assert asked(compiler.run('get book("Emma").price', choices={question.token: choice})).token == question.token


@pytest.mark.parametrize("token", ["", "nonsense", "WyJuYW1lIl0", "\x00", "ü"])
def test_tokens_of_something_else_change_nothing(compiler: Compiler, token: str) -> None:
    question = asked(compiler.run('get book("Emma").price'))
    again = asked(compiler.run('get book("Emma").price', choices={token: "b1"}))
    assert again.model_dump(exclude={"stats"}) == question.model_dump(exclude={"stats"})


def test_a_stale_choice_asks_again(wire: Wire, compiler: Compiler) -> None:
    """The chosen one is renamed meanwhile: who is left is the one meant, or is asked about."""
    with wire.client() as client:
        client.index(index="library", id="b9", document={**DOCUMENTS[3], "id": "b9"}, refresh=True)
        try:
            question = asked(compiler.run('get book("Emma").price'))
            assert "b9" in {option.id for option in question.options}
        finally:
            client.delete(index="library", id="b9", refresh=True)
    compiler.forget()
    again = asked(compiler.run('get book("Emma").price', choices={question.token: "b9"}))
    assert {option.id for option in again.options} == {"b1", "b2"}


def test_the_question_is_asked_once_for_equal_look_ups(wire: Wire, compiler: Compiler) -> None:
    program = 'find books where shelf = book("Emma").shelf and year > book("Emma").year'
    question = asked(compiler.run(program))
    with wire.watched() as calls:
        answer = compiler.run(program, choices={question.token: "b1"})
    assert isinstance(answer, Hits)
    assert answer.ids == ["b3"]
    assert len(calls) <= 2


def test_a_let_is_asked_about_once(compiler: Compiler) -> None:
    program = 'let it = book("Emma") find books where price > it.price and id != it'
    question = asked(compiler.run(program))
    answer = compiler.run(program, choices={question.token: "b1"})
    assert isinstance(answer, Hits)
    assert answer.ids == ["b2", "b3"]


def test_a_value_of_several_is_chosen(compiler: Compiler) -> None:
    program = "find books where price > (find books where year > 1960).price"
    question = asked(compiler.run(program))
    assert {option.id for option in question.options} == {"9.0", "7.5", "4.0"}
    answer = compiler.run(program, choices={question.token: "7.5"})
    assert isinstance(answer, Hits)
    assert answer.ids == ["b3"]
    assert asked(compiler.run(program, choices={question.token: "7.6"})).token == question.token


def test_an_entity_of_several_is_chosen(compiler: Compiler) -> None:
    program = 'get (find books where name = "Emma").price'
    question = asked(compiler.run(program))
    answer = compiler.run(program, choices={question.token: question.options[0].id})
    assert isinstance(answer, ValueOut)
    assert answer.value in (5.0, 7.5)


def test_a_name_and_a_parameter_ask_the_same(compiler: Compiler) -> None:
    """What the caller binds is looked up as a literal would be: one question, one token."""
    literal = asked(compiler.run('find books where shelf = "Top"'))
    bound = asked(compiler.run("find books where shelf = $shelf", params={"shelf": "Top"}))
    assert bound.token == literal.token
    answer = compiler.run("find books where shelf = $shelf", params={"shelf": "Top"}, choices={bound.token: "s2"})
    assert isinstance(answer, Hits)
    assert answer.ids == ["b2"]


def test_pages_of_a_clarified_question(compiler: Compiler) -> None:
    question = asked(compiler.run('find books where shelf = "Top"'))
    first = compiler.run('find books where shelf = "Top"', choices={question.token: "s1"}, size=1)
    assert isinstance(first, Hits)
    second = compiler.run(
        'find books where shelf = "Top"', choices={question.token: "s1"}, size=1, cursor=first.cursor
    )
    assert isinstance(second, Hits)
    assert [*first.ids, *second.ids] == ["b1", "b3"]
    assert compiler.run('find books where shelf = "Top"', choices={question.token: "s2"}, cursor=first.cursor).kind == (
        "invalid"
    )
