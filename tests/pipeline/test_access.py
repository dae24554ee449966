"""Mandatory filters: in every request, for every tenant, whatever was cached before. No value, no search."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from qlc.outcome import Clarify, Failed, Hits, NotFound, Outcome
from qlc.pipeline.compiler import Compiler
from tests.pipeline.wire import Call, Wire, searches
from tests.pipeline.world import MARKS, TENANTS
from tests.tables import table

NOW = "2026-03-15T12:00:00Z"

PROGRAMS = table(__file__, "PROGRAMS")


def run(compiler: Compiler, program: str, tenant: str, **more: Any) -> Outcome:
    return compiler.run(program, context={"tenant": tenant, "level": 5}, now=NOW, **more)


def shown(outcome: Outcome) -> str:
    """Everything in an outcome that comes from the index."""
    return json.dumps(outcome.model_dump(mode="json", exclude={"query", "stats", "fields"})).casefold()


def of_another(text: str, tenant: str) -> list[str]:
    return [mark for other in TENANTS if other != tenant for mark in MARKS[other] if mark in text.casefold()]


def guarded(query: Any, tenant: str) -> bool:
    """Whether a query can only find what is the tenant's."""
    if not isinstance(query, Mapping):
        return False
    ((kind, body),) = query.items()
    if kind == "term":
        value = body.get("tenant")
        return bool((value.get("value") if isinstance(value, Mapping) else value) == tenant)
    if kind == "terms":
        return bool(body.get("tenant") == [tenant])
    if kind == "constant_score":
        return guarded(body["filter"], tenant)
    if kind != "bool":
        return False
    parts = [part for clause in ("filter", "must") for part in _listed(body.get(clause, []))]
    if any(guarded(part, tenant) for part in parts):
        return True
    options = _listed(body.get("should", []))
    must_one = body.get("minimum_should_match", 0 if parts else 1) == 1
    return bool(options) and must_one and all(guarded(part, tenant) for part in options)


def _listed(clause: Any) -> list[Any]:
    return clause if isinstance(clause, list) else [clause]


def unguarded(calls: list[Call], tenant: str) -> list[Any]:
    found = [body for _, body in searches(calls) if not guarded(body.get("query"), tenant)]
    return found + [body for _, body in searches(calls) if '"global"' in json.dumps(body.get("aggs", {}))]


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_request_carries_the_filter_and_shows_nothing_of_others(
    wire: Wire, compiler: Compiler, program: str
) -> None:
    prepared = compiler.prepare(program)
    for tenant in ("red", "blue", "red"):
        with wire.watched() as calls:
            outcome = run(compiler, program, tenant)
            again = prepared.run(context={"tenant": tenant, "level": 5}, now=NOW)
        assert outcome.kind not in ("failed", "invalid"), outcome.message
        assert not unguarded(calls, tenant)
        assert of_another(shown(outcome) + shown(again), tenant) == []
        assert shown(again) == shown(outcome)


ASKED = {
    "red": ["Crimson Vault", "Crimson Report 3.pdf", "Crimson Tunnel", "Olga Crimson", "red-f1", "red-d3", "red-p1"],
    "blue": ["Azure Vault", "Azure Report 3.pdf", "Azure Tunnel", "Olga Azure", "blue-f1", "blue-d3", "blue-p1"],
}
PLACES = ['find documents where folder = "{}"', 'get document("{}").size', 'find documents where owner = "{}"',
          'get project("{}").folder', 'find documents where folder under "{}"']  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_what_another_tenant_has_found_is_not_found(wire: Wire, compiler: Compiler, place: str) -> None:
    """Each asks for what the other has, after the other has found it, spelt rightly and wrongly."""
    for owner, other in (("red", "blue"), ("blue", "red")):
        for name in ASKED[owner]:
            for spelt in (name, name.replace("r", "rr", 1), name.lower(), name.split()[0]):
                run(compiler, place.format(spelt), owner)
                with wire.watched() as calls:
                    outcome = run(compiler, place.format(spelt), other)
                assert not unguarded(calls, other)
                if isinstance(outcome, NotFound):
                    assert outcome.reason != "other-kind"
                    told = " ".join(outcome.suggestions)
                elif isinstance(outcome, Clarify):
                    told = json.dumps([option.model_dump(mode="json") for option in outcome.options])
                else:
                    assert outcome.total == 0 or spelt == "Olga", spelt
                    told = json.dumps(outcome.ids)
                assert of_another(told, other) == []


def test_a_choice_of_what_is_anothers_is_no_choice(compiler: Compiler) -> None:
    program = 'find documents where folder = "Drafts"'
    asked = run(compiler, program, "blue")
    theirs = run(compiler, program, "red")
    assert theirs.token == asked.token
    chosen = run(compiler, program, "red", choices={asked.token: asked.options[0].id})
    assert isinstance(chosen, Clarify)
    assert of_another(shown(chosen), "red") == []


def test_a_cursor_of_another_tenant_is_refused(compiler: Compiler) -> None:
    first = run(compiler, "find documents where size > 1 MB", "red", size=2)
    assert isinstance(first, Hits)
    for tenant, kind in (("blue", "invalid"), ("red", "hits")):
        assert run(compiler, "find documents where size > 1 MB", tenant, size=2, cursor=first.cursor).kind == kind


def test_known_values_are_known_to_the_tenant_alone(compiler: Compiler) -> None:
    program = 'find documents where type = "Azure memo"'
    assert run(compiler, program, "blue").notes == []
    (note,) = run(compiler, program, "red").notes
    assert note.startswith("No document has the type 'Azure memo'.")
    assert "azure" not in note.removeprefix("No document has the type 'Azure memo'.").casefold()
    assert run(compiler, program, "blue").notes == []


@pytest.mark.parametrize(
    "source", ['find documents where folder = "', 'get document("', 'find documents where owner = "']
)
def test_completion_tells_ones_own_names(wire: Wire, compiler: Compiler, source: str) -> None:
    for tenant in ("red", "blue", "red"):
        for typed in ("", "O", "r", "b", "a", "c", "plan"):
            with wire.watched() as calls:
                told = compiler.complete(source + typed, context={"tenant": tenant, "level": 5})
            assert not unguarded(calls, tenant)
            assert of_another(" ".join(one.text for one in told), tenant) == []
    assert any(one.kind == "name" for one in compiler.complete(source, context={"tenant": "red", "level": 5}))
    assert not any(one.kind == "name" for one in compiler.complete(source))


@pytest.mark.parametrize("context", [{}, {"tenant": None}, {"level": 5}, {"Tenant": "red"}])
@pytest.mark.parametrize("program", PROGRAMS[:24] + PROGRAMS[29:33])
def test_a_missing_value_is_an_error_and_no_open_door(
    wire: Wire, compiler: Compiler, program: str, context: dict[str, Any]
) -> None:
    with wire.watched() as calls:
        outcome = compiler.run(program, context=context, params={"tenant": "red"}, now=NOW)
    assert outcome.reason == "context-missing"
    assert "'tenant'" in outcome.message
    assert "--context tenant=..." in outcome.message
    assert outcome.id
    assert not outcome.retryable
    assert searches(calls) == []


def test_a_missing_value_of_the_semi_join_is_an_error_too(compiler: Compiler) -> None:
    outcome = compiler.run("count projects", context={"tenant": "red"}, now=NOW)
    assert isinstance(outcome, Failed)
    assert outcome.reason == "context-missing"
    assert compiler.run("count documents", context={"tenant": "red"}, now=NOW).kind == "count"


@pytest.mark.parametrize("value", [[], "", "*", "re*", "RED ", "red OR blue", {"id": "x"}, ["green"]])
def test_a_value_that_fits_nothing_finds_nothing(compiler: Compiler, value: Any) -> None:
    outcome = compiler.run("count documents", context={"tenant": value}, now=NOW)
    assert outcome.kind in ("count", "invalid", "failed")
    assert getattr(outcome, "value", 0) == 0


def test_a_value_of_the_context_is_compared_exactly(compiler: Compiler) -> None:
    outcome = compiler.run("count documents", context={"tenant": "RED"}, now=NOW)
    assert getattr(outcome, "value", None) == 0


def test_the_rule_of_a_semi_join_is_kept(compiler: Compiler) -> None:
    """The second project lies in a folder above the caller's level."""
    for level, projects in ((0, 0), (5, 1), (9, 2)):
        outcome = compiler.run("count projects", context={"tenant": "red", "level": level}, now=NOW)
        assert getattr(outcome, "value", None) == projects


def test_two_levels_of_one_tenant_do_not_share_what_they_saw(compiler: Compiler) -> None:
    program = 'get project("Crimson Tunnel").folder'
    for level, kind in ((9, "value"), (5, "not_found"), (9, "value")):
        assert compiler.run(program, context={"tenant": "red", "level": level}, now=NOW).kind == kind


def test_what_a_parameter_names_is_looked_up_within_the_access(compiler: Compiler) -> None:
    program = "find documents where folder = $in"
    for bound in ("blue-f1", {"entity": "folder", "id": "blue-f1"}):
        outcome = run(compiler, program, "red", params={"in": bound})
        assert outcome.kind in ("not_found", "failed") or getattr(outcome, "total", None) == 0
    assert getattr(run(compiler, program, "blue", params={"in": "blue-f1"}), "total", None) == 4
