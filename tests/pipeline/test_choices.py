"""A clarification is resumed by a choice: the token carries its meaning, any process can go on with it."""

from collections.abc import Iterator

import pytest

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Clarify, Outcome
from qlc.pipeline.compiler import Compiler
from tests.pipeline.wire import Wire
from tests.small_worlds import catalog_of, described, load

CATALOG = catalog_of("library")
TWO = 'find books where shelf = "Top" and id != book("Emma")'


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    made = Wire()
    with made.client() as client:
        load("library", client)
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
            assert answer.ids == ["b1", "b3"]


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
        client.index(
            index="library",
            id="b9",
            document={**described("library")["indices"]["library"]["documents"]["b1"], "id": "b9"},
            refresh=True,
        )
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
    assert answer.ids == ["b3"]
    assert len(calls) <= 2


def test_pages_of_a_clarified_question(compiler: Compiler) -> None:
    question = asked(compiler.run('find books where shelf = "Top"'))
    first = compiler.run('find books where shelf = "Top"', choices={question.token: "s1"}, size=1)
    second = compiler.run('find books where shelf = "Top"', choices={question.token: "s1"}, size=1, cursor=first.cursor)
    assert [*first.ids, *second.ids] == ["b1", "b3"]
    assert compiler.run('find books where shelf = "Top"', choices={question.token: "s2"}, cursor=first.cursor).kind == (
        "invalid"
    )
