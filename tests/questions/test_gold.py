"""The gold files are what the tables say, and their answers keep the rules that the tables' readers rely on."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from qlc.mapping.catalog import load_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.index_mapping import read_mapping
from tests.reference import model

from .make_gold.build import HALVES, SETS, Question, gold_line, halves, question_line, questions
from .make_gold.cross_check import difference
from .make_gold.engine import FRESH, OWN, Engine

SAMPLE = 5  # of each half: `make soak` makes all of them again, and runs every program beside them
CATALOGS = sorted([*OWN.glob("*/catalog.yaml"), *OWN.glob("*/bare.yaml")])
Line = dict[str, Any]


def lines(data: str, name: str) -> dict[str, Line]:
    text = (OWN / data / name).read_text(encoding="utf-8")
    return {line["id"]: line for line in map(json.loads, text.splitlines())}


def sample(data: str, half: str) -> list[Question]:
    found = questions(data, half)
    return random.Random(f"{data} {half}").sample(found, min(SAMPLE, len(found)))


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("data", SETS)
def test_files_hold_the_questions_of_the_tables(data: str, half: str) -> None:
    asked = {question.id: question_line(question) for question in questions(data, half)}
    assert lines(data, f"questions.{half}.jsonl") == asked
    gold = lines(data, f"gold.{half}.jsonl")
    assert set(gold) == set(asked)
    for id, line in gold.items():
        assert {key: line[key] for key in ("id", "category")} == {key: asked[id][key] for key in ("id", "category")}


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("data", SETS)
def test_gold_is_what_the_predicates_find(data: str, half: str) -> None:
    gold = lines(data, f"gold.{half}.jsonl")
    for question in sample(data, half):
        assert gold_line(question) == gold[question.id], question.id


@pytest.mark.parametrize("data", SETS)
def test_halves_are_as_they_were_drawn(data: str) -> None:
    found = {half: {question.id for question in questions(data, half)} for half in HALVES}
    assert found == halves(data, found["dev"] | found["held"])


@pytest.mark.parametrize("data", SETS)
def test_no_question_is_in_both_halves(data: str) -> None:
    dev, held = ({turn.text.lower() for q in questions(data, half) if q.single for turn in q.turns} for half in HALVES)
    assert not dev & held


@pytest.mark.parametrize("data", sorted({*SETS} & {*FRESH}))
def test_programs_beside_the_questions_agree(data: str, engine: Engine) -> None:
    written = [turn for half in HALVES for q in sample(data, half) for turn in q.turns if turn.program]
    assert written
    assert [told for turn in written if (told := difference(turn, engine))] == []


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_catalogs_fit_their_mappings(path: Path) -> None:
    body = {"mappings": model.mapping(path.parent.name)["mappings"]}
    assert check_catalog(load_catalog(path), read_mapping(body, path.parent.name)) == []
