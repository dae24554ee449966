"""Sensitive fields are neither queried, shown nor suggested, unless the context permits it."""

import json
from typing import Any

import pytest

from qlc.outcome import Hits, Invalid, Outcome
from qlc.pipeline.compiler import Compiler
from tests.pipeline.test_access import NOW
from tests.pipeline.wire import Wire, searches
from tests.tables import table

USES = table(__file__, "USES")


def run(compiler: Compiler, program: str, **more: Any) -> Outcome:
    context = {"tenant": "red", "level": 5, **more}
    return compiler.run(program, context=context, now=NOW)


@pytest.mark.parametrize("program", USES)
def test_a_use_is_refused_before_anything_is_asked(wire: Wire, compiler: Compiler, program: str) -> None:
    with wire.watched() as calls:
        outcome = run(compiler, program)
    assert isinstance(outcome, Invalid)
    assert "confidential" in json.dumps([note.message for note in outcome.diagnostics])
    assert searches(calls) == []


@pytest.mark.parametrize("permit", [False, None, "", [], "size", ["size"], 1, {"salary": False}])
def test_anything_but_true_or_names_permits_nothing(compiler: Compiler, permit: Any) -> None:
    assert run(compiler, "find documents where salary > 5", sensitive=permit).kind == "invalid"


@pytest.mark.parametrize("program", USES)
def test_the_context_permits_it(compiler: Compiler, program: str) -> None:
    outcome = run(compiler, program, sensitive=True)
    told = [note.message for note in outcome.diagnostics if note.severity == "error"]
    assert not any("confidential" in message for message in told)
    assert run(compiler, program).kind == "invalid"


@pytest.mark.parametrize("permit", ["salary", ["salary"], ("salary",), {"salary"}])
def test_the_context_permits_by_name(compiler: Compiler, permit: Any) -> None:
    found = run(compiler, "find documents where salary > 7000 show name, salary", sensitive=permit)
    assert [hit.values["salary"] for hit in found.hits] == [8000]
    assert run(compiler, 'find documents where grade = "red-grade1"', sensitive=permit).kind == "invalid"


def test_elements_are_shown_without_their_sensitive_fields(compiler: Compiler) -> None:
    found = run(compiler, "find documents where size = 3 MB show shares")
    assert found.hits[0].values["shares"] == [
        {"who": "Olga Crimson", "role": "editor"},
        {"who": "Sam Common", "role": "viewer"},
    ]


def test_mentions_and_about_do_not_look_into_sensitive_texts(compiler: Compiler) -> None:
    for program in ('find documents where mentions "secret verdict"', 'find documents where about "verdict"'):
        found = run(compiler, program, sensitive=True)
        assert found.total == 0


@pytest.mark.parametrize("source", ["find documents where ", "find documents where s", "find documents where shares[",
                                    "count documents by ", "find documents where size > 1 sort "])  # fmt: skip
def test_completion_does_not_tell_it(compiler: Compiler, source: str) -> None:
    names = {"salary", "grade", "verdict", "reviews", "wage", "tenant"}
    told = {one.text for one in compiler.complete(source, context={"tenant": "red"})}
    assert not names & told
    permitted = {one.text for one in compiler.complete(source, context={"tenant": "red", "sensitive": True})}
    assert names & permitted


@pytest.mark.parametrize("program", ["find documents where salry > 5", "find documents where wages > 5",
                                     "find documents where verdit matches \"x\""])  # fmt: skip
def test_hints_do_not_name_it(compiler: Compiler, program: str) -> None:
    outcome = run(compiler, program)
    told = json.dumps([[note.message, note.hint, note.suggestions] for note in outcome.diagnostics])
    assert not any(f"'{name}'" in told for name in ("salary", "wage", "verdict"))


def test_closed_paths(compiler: Compiler) -> None:
    assert isinstance(run(compiler, 'find projects where secret_note = "red-note"'), Invalid)
    assert run(compiler, 'count documents where secret_note = "red-note"').kind == "count"


def test_a_check_knows_what_the_context_permits(compiler: Compiler) -> None:
    program = "find documents where salary > 5"
    assert compiler.diagnose(program).failed
    assert not compiler.diagnose(program, context={"sensitive": "salary"}).failed


def test_a_value_is_shown_to_whoever_may_see_it(compiler: Compiler) -> None:
    found = run(compiler, 'get document("Report 3").salary, grade', sensitive=True)
    assert found.value == {"salary": 3000, "grade": "red-grade3"}


def test_a_whole_record_has_what_the_caller_may_see(compiler: Compiler) -> None:
    program = "find documents where size = 3 MB show name"

    def whole(permit: Any) -> Hits:
        context = {"tenant": "red", "level": 5, "sensitive": permit}
        found = compiler.run(program, context=context, now=NOW, all_columns=True)
        assert isinstance(found, Hits)
        return found

    secret = {"salary", "grade", "verdict", "reviews", "pay_alias", "tenant"}
    hidden, shown = whole(None), whole(True)
    assert {"name", "size", "shares"} <= {*hidden.columns}
    assert not secret & {name.rpartition(".")[2] for name in hidden.columns}
    assert "wage" not in hidden.model_dump_json()
    assert {"salary", "grade"} <= {*shown.columns} - {*hidden.columns}
    assert {"salary"} == {*whole("salary").columns} - {*hidden.columns}
    assert whole(None).hits == hidden.hits  # of a program that was compiled for both
