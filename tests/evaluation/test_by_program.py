"""Right answers that are told as programs: each kind of outcome as gold, and programs that have no answer."""

import json
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.evaluation.by_program import by_programs, gold_of
from qlc.evaluation.questions import Asked, read_gold
from qlc.evaluation.scoring import Verdict, score
from qlc.pipeline.compiler import all_pages
from tests.questions.engine import Engine
from tests.tables import rows, table

OPTIONS = {"now": "2026-03-15T12:00:00Z", "timezone": "UTC"}
Data = dict[str, Any]
KINDS = table(__file__, "KINDS")


@pytest.fixture(scope="module")
def compiler() -> qlc.Compiler:
    return Engine().compiler("drive")


def told(compiler: qlc.Compiler, program: str) -> Data:
    """Return the answer of the command as data, with all hits."""
    return all_pages(compiler, program, **OPTIONS, size=1000).model_dump(mode="json")


def verdict(compiler: qlc.Compiler, program: str, gold: str) -> Verdict:
    return score(told(compiler, program), gold_of(gold, compiler, OPTIONS))


@pytest.mark.parametrize("program", KINDS)
def test_a_program_meets_its_own_gold(compiler: qlc.Compiler, program: str) -> None:
    gold = gold_of(program, compiler, OPTIONS)
    assert gold["kind"] == KINDS[program]
    assert score(told(compiler, program), gold) is Verdict.RIGHT


def test_a_list_has_all_ids(compiler: qlc.Compiler) -> None:
    gold = gold_of('find documents where extension = "pdf"', compiler, OPTIONS)
    assert len(set(gold["ids"])) == gold["total"] == 3480


def test_order_counts_where_the_program_sorts(compiler: qlc.Compiler) -> None:
    down, up = (f'find documents where extension = "pdf" sort size{way} limit 9000' for way in (" desc", ""))
    assert verdict(compiler, down, down) is Verdict.RIGHT
    assert verdict(compiler, up, down) is Verdict.WRONG
    assert verdict(compiler, up, 'find documents where extension = "pdf"') is Verdict.RIGHT


def test_an_empty_list_may_be_counted(compiler: qlc.Compiler) -> None:
    empty = "created in 1990"
    assert verdict(compiler, f"count documents where {empty}", f"find documents where {empty}") is Verdict.RIGHT
    assert verdict(compiler, "count documents", f"find documents where {empty}") is Verdict.WRONG


def test_every_measure_has_to_be_said(compiler: qlc.Compiler) -> None:
    rows, both = "count, sum(size) of documents by extension", "min(pages), max(pages) of documents"
    assert verdict(compiler, "count documents by extension", rows) is Verdict.WRONG
    assert verdict(compiler, "max(pages), min(pages) of documents", both) is Verdict.RIGHT
    assert verdict(compiler, "max(pages) of documents", both) is Verdict.WRONG


def test_things_of_one_name_are_rows_of_their_own(compiler: qlc.Compiler) -> None:
    gold = gold_of("count documents by folder", compiler, OPTIONS)
    assert len(gold["buckets"]) == len(told(compiler, "count documents by folder")["rows"])
    assert any(name.startswith("2024 (root/") for name in gold["buckets"])


def test_a_count_is_exact(compiler: qlc.Compiler) -> None:
    gold = gold_of("distinct(creator) of documents", compiler, OPTIONS)
    near = {"kind": "value", "value": gold["value"] * 1.001}
    assert score(near, gold) is Verdict.WRONG
    size = gold_of("sum(size) of documents", compiler, OPTIONS)
    assert score({"kind": "value", "value": size["buckets"]["value"] * 1.001}, size) is Verdict.RIGHT


def test_a_property_is_also_shown_by_its_thing(compiler: qlc.Compiler) -> None:
    of = 'get folder("Tax Documents").creator'
    assert verdict(compiler, 'find folder("Tax Documents")', of) is Verdict.RIGHT
    assert verdict(compiler, 'find documents where folder = "Tax Documents"', of) is Verdict.WRONG


def test_which_is_first_may_be_said_alone(compiler: qlc.Compiler) -> None:
    first = gold_of("count documents by extension limit 1", compiler, OPTIONS)
    assert score({"kind": "value", "value": "pdf"}, first) is Verdict.RIGHT
    assert score({"kind": "value", "value": "docx"}, first) is Verdict.WRONG


def gold(path: Path, compiler: qlc.Compiler, *lines: Data) -> list[tuple[Any, ...]]:
    path.write_text("".join(json.dumps({"id": f"q{n}", **line}) + "\n" for n, line in enumerate(lines)), "utf-8")
    asked = [Asked(f"q{n}", ("",) * len(line.get("turns", "1")), "turns" in line) for n, line in enumerate(lines)]
    return [one.golds for one in by_programs(path, read_gold(path, asked), compiler, OPTIONS).values()]


def test_lines_with_programs(compiler: qlc.Compiler, tmp_path: Path) -> None:
    """Programs and golds stand among the alternatives of each other, in turns and choices too; other golds stay."""
    count, other = "count documents", {"kind": "refuse", "intent": "move"}
    value = {"kind": "count", "value": 5947}
    choice = {"kind": "by_choice", "index": 0, "options": {"7": {"kind": "program", "program": count}}}
    found = gold(
        tmp_path / "g.jsonl", compiler, {"gold": other}, {"program": count},
        {"program": count, "also": [other, "count folders"]}, {"gold": other, "also": [count]},
        {"turns": [{"program": count}, {"gold": choice}]},
    )
    assert found == [
        (other,),
        (value,),
        ({**value, "also_accept": [other, {"kind": "count", "value": 510}]},),
        ({**other, "also_accept": [value]},),
        (value, {**choice, "options": {"7": value}}),
    ]


@pytest.mark.parametrize(("program", "reason"), rows(__file__, "test_a_program_with_errors_is_reported_with_its_line"))
def test_a_program_with_errors_is_reported_with_its_line(
    compiler: qlc.Compiler, tmp_path: Path, program: str, reason: str
) -> None:
    with pytest.raises(UsageError, match=r"line 2 of .*g\.jsonl.*cannot be used: the program ") as told:
        gold(tmp_path / "g.jsonl", compiler, {"program": "count documents"}, {"program": program})
    assert reason in str(told.value)


@pytest.mark.parametrize("line", table(__file__, "test_lines_that_are_no_gold"))
def test_lines_that_are_no_gold(compiler: qlc.Compiler, tmp_path: Path, line: Data) -> None:
    with pytest.raises(UsageError, match=r"line 1 of .*needs a 'program', or a 'gold' with a 'kind'"):
        gold(tmp_path / "g.jsonl", compiler, line)
