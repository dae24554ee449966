"""Runs the programs beside questions and holds their outcomes against the gold that was made without them:
`python -m tests.questions.make_gold.cross_check [SET ...]`. A difference is a mistake of one of the two."""

import json
import sys

from qlc.evaluation.scoring import Verdict, score

from .build import HALVES, SETS, Turn, questions
from .engine import Engine


def difference(turn: Turn, engine: Engine) -> str | None:
    """Return the program's answer beside the gold for a person to read, if they differ; else None."""
    outcome, gold = engine.run(turn.data, turn.program or ""), turn.gold()
    if score(outcome, gold) is Verdict.RIGHT:
        return None
    said = {key: value for key, value in outcome.items() if key not in ("stats", "query", "ids", "hits")}
    return (
        f"{turn.text}\n  {turn.program}\n  gold {json.dumps(gold, ensure_ascii=False)[:300]}\n  said {str(said)[:400]}"
    )


def main(sets: list[str]) -> int:
    engine = Engine()
    found = {
        (data, question.id, number): difference(turn, engine)
        for data in sets or SETS
        for half in HALVES
        for question in questions(data, half)
        for number, turn in enumerate(question.turns)
        if turn.program is not None
    }
    differing = {place: told for place, told in found.items() if told}
    for (data, id, _), told in differing.items():
        print(f"{data} {id}: {told}")
    print(f"{len(found)} programs, {len(differing)} differ from the gold")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
