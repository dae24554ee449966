"""`not` is the exact complement: what meets a condition and what does not are all documents, for drawn conditions."""

import random
from dataclasses import replace

import pytest

from qlc.grammar import parse, print_condition, tree
from qlc.grammar.printer import print_name
from tests.differential import drawing as drawing_
from tests.differential import worlds
from tests.differential.drawing import Drawing, compiled
from tests.differential.engines import Engine
from tests.differential.programs import Program

COUNT = 60
"""Conditions of a run."""


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return drawing_.drawing()


@pytest.fixture(scope="module")
def embedded(drawing: Drawing) -> Engine:
    return Engine("embedded", worlds.embedded(), drawing.compilers)


def counted(engine: Engine, drawing: Drawing, program: Program, where: str) -> int | None:
    """The number of documents that meet a condition; None if the condition is refused."""
    entity = parse(program.text).statement.entity
    one = replace(program, text=f"count {print_name(entity)}{where}")
    prepared, (_, plan) = compiled(drawing.compilers[one.world], one)
    answer = engine.run(one, prepared) if plan is not None else {"kind": "invalid"}
    assert answer["kind"] != "failed", (one.text, answer)
    return answer["value"] if answer["kind"] == "count" else None


def test_what_meets_a_condition_and_what_does_not_are_all(drawing: Drawing, embedded: Engine) -> None:
    random_ = random.Random(17)
    wrong, met = [], 0
    while met < COUNT:
        program, _ = drawing.program({}, random_)
        statement = parse(program.text).statement
        if not isinstance(statement, tree.Find | tree.Aggregate) or statement.where is None:
            continue
        said = print_condition(statement.where)
        counts = [counted(embedded, drawing, program, f" where {one}") for one in (said, f"not ({said})")]
        if None in counts:
            continue  # words that documents are ranked by have no complement
        met += 1
        every = counted(embedded, drawing, program, "")
        if sum(counts) != every:
            wrong.append((program.world, said, counts, every))
    assert not wrong, wrong[:3]
