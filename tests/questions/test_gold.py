"""Gold answers belong to their questions, and the programs that were written for questions answer as the gold says."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from qlc.evaluation.scoring import Verdict, score
from qlc.mapping.catalog import load_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.index_mapping import read_mapping
from tests.amounts import IS_MANY
from tests.reference import model

from .engine import NOW, OWN, Engine

SAMPLE = None if IS_MANY else 5
"""Programs of each half that are run; `make soak` runs all of them."""
CATALOGS = sorted([*OWN.glob("*/catalog.yaml"), *OWN.glob("*/bare.yaml")])
SETS = [path.parent.relative_to(OWN).as_posix() for path in sorted(OWN.glob("**/questions.dev.jsonl"))]
PROGRAMS = sorted(OWN.glob("*/programs.*.yaml"))
FILES = sorted(OWN.glob("*/questions.*.jsonl"))


def lines(path: Path) -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in map(json.loads, path.read_text("utf-8").splitlines())}


def turns(line: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = line.get("turns", [line])
    return found


def without_gold(line: dict[str, Any]) -> Any:
    return line["id"], line["category"], [turn["text"] for turn in turns(line)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_question_has_its_gold(path: Path) -> None:
    asked, gold = lines(path), lines(path.with_name(path.name.replace("questions", "gold")))
    assert [without_gold(line) for line in gold.values()] == [without_gold(line) for line in asked.values()]
    assert all(turn["gold"]["kind"] for line in gold.values() for turn in turns(line))


@pytest.mark.parametrize("data", SETS)
def test_no_question_is_in_both_halves(data: str) -> None:
    dev, held = (
        {line["text"].lower() for line in lines(OWN / data / f"questions.{half}.jsonl").values() if "text" in line}
        for half in ("dev", "held")
    )
    assert dev
    assert not dev & held


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_programs_answer_as_the_gold_says(path: Path, engine: Engine) -> None:
    """Failures name the ids alone, so that nothing of the held halves is shown."""
    programs = yaml.safe_load(path.read_text("utf-8"))
    chosen = sorted(programs)
    if SAMPLE is not None:
        chosen = random.Random(f"{path.parent.name} {path.stem}").sample(chosen, SAMPLE)
    gold = lines(path.with_name(f"gold.{path.stem.partition('.')[2]}.jsonl"))
    written = [
        (id, turns(gold[id])[number]["gold"], program)
        for id in chosen
        for number, program in (programs[id] if isinstance(programs[id], dict) else {0: programs[id]}).items()
    ]
    data = path.parent.name
    assert [id for id, right, program in written if score(engine.run(data, program), right) is not Verdict.RIGHT] == []


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_catalogs_fit_their_mappings(path: Path) -> None:
    body = {"mappings": model.mapping(path.parent.name)["mappings"]}
    assert check_catalog(load_catalog(path), read_mapping(body, path.parent.name)) == []


def test_every_set_has_a_moment_of_asking() -> None:
    assert {*SETS} >= {*NOW}
