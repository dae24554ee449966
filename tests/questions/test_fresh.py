"""The fresh sets: every program among their right answers compiles, and a sample of them is answered.

What fails is told by the ids alone, so that nothing of the held halves is shown.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.evaluation.by_program import by_programs
from qlc.evaluation.questions import read_gold, read_questions
from qlc.mapping.catalog import load_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.index_mapping import read_mapping
from tests.reference import model

from .engine import FRESH, OWN, Engine, catalog, parts

BROUGHT = sorted((OWN / "fresh").glob("*/catalog.yaml"))
PARTS = [(data, part) for data in FRESH for part in parts(OWN / "fresh" / data)]
SAMPLE = 5  # of each part: `make eval` runs the whole


def programs(gold: Any) -> Iterator[str]:
    """Every program in a gold, its alternatives and choices."""
    if isinstance(gold, dict):
        if gold.get("kind") == "program":
            yield gold["program"]
        for part in gold.values():
            yield from programs(part)
    elif isinstance(gold, list | tuple):
        for part in gold:
            yield from programs(part)


@pytest.mark.parametrize(("data", "part"), PARTS)
def test_programs_compile(data: str, part: str) -> None:
    folder = OWN / "fresh" / data
    fields = read_mapping({"mappings": model.mapping(data)["mappings"]}, model.index_of(data))
    compiler = qlc.Compiler(catalog=catalog(data), mapping=fields)
    gold = read_gold(folder / f"gold.{part}.jsonl", read_questions(folder / f"questions.{part}.jsonl"))
    found = [(id, text) for id, one in gold.items() for text in programs(one.golds)]
    assert len(found) >= len(gold) // 2
    options = {"now": FRESH[data], "timezone": "UTC"}
    assert [id for id, text in found if compiler.diagnose(text, **options).failed] == []


@pytest.mark.parametrize(("data", "part"), PARTS)
def test_programs_are_answered(data: str, part: str, engine: Engine) -> None:
    path = OWN / "fresh" / data / f"gold.{part}.jsonl"
    gold = read_gold(path, read_questions(path.with_name(f"questions.{part}.jsonl")))
    failed = []
    for id in random.Random(f"{data} {part}").sample(sorted(gold), SAMPLE):
        try:
            by_programs(path, {id: gold[id]}, engine.compiler(data), {"now": FRESH[data], "timezone": "UTC"})
        except UsageError:
            failed.append(id)
    assert failed == []


@pytest.mark.parametrize("path", BROUGHT, ids=lambda path: path.parent.name)
def test_catalogs_have_no_errors(path: Path) -> None:
    """They are as their writer left them, with what is only warned of."""
    fields = read_mapping({"mappings": model.mapping(path.parent.name)["mappings"]}, path.parent.name)
    assert [one for one in check_catalog(load_catalog(path), fields) if one.severity == "error"] == []
