"""Turns with several questions: all that they are answered with is judged, and the last outcome can be read alone."""

from pathlib import Path

import pytest

from qlc.base.options import moment
from qlc.evaluation.answering import Kept, answers
from qlc.evaluation.by_program import by_programs
from qlc.evaluation.questions import Asked, Expected
from qlc.evaluation.scoring import Verdict, score
from qlc.translator.entry import Asker
from qlc.translator.follow_ups.translator import FollowUpTranslator
from tests.questions.engine import Engine
from tests.tables import rows

OPTIONS = {"now": moment("2026-03-15T12:00:00Z"), "timezone": "UTC"}
TWO = Asked("c1", ("who owns Brand Assets, and how many NDAs are there?", "documents in Legal; list the W2s"), True)
GOLDS = tuple(rows(__file__, "GOLDS"))


@pytest.fixture(scope="module")
def asker() -> Asker:
    return Asker(Engine().compiler("drive"), (FollowUpTranslator(),))


def test_each_question_of_a_turn_is_judged(asker: Asker, tmp_path: Path) -> None:
    said = answers(asker, TWO, OPTIONS)
    wanted = by_programs(Path("gold"), {"c1": Expected(GOLDS)}, asker.compiler, OPTIONS)["c1"].golds
    assert [score(*pair) for pair in zip(said, wanted, strict=True)] == [Verdict.RIGHT, Verdict.RIGHT]
    assert said[0]["kind"] == "count"
    assert said[0]["value"] == said[0]["outcomes"][1]["value"]
    kept = Kept(tmp_path / "answers.jsonl", [TWO])
    kept.add(TWO, said)
    assert Kept(tmp_path / "answers.jsonl", [TWO]).outcomes["c1"] == said
