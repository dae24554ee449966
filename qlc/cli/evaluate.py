"""`qlc eval`: the questions of a file are asked, and their answers held against the right ones."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError
from qlc.base.options import moment
from qlc.cli import render
from qlc.cli.asking import open_asker
from qlc.cli.meter import Meter
from qlc.cli.settings import Eval
from qlc.cli.target import open_corpus, options_of
from qlc.evaluation import report
from qlc.evaluation.answering import Kept, ask_all
from qlc.evaluation.by_program import by_programs
from qlc.evaluation.questions import Asked, Expected, read_gold, read_questions

if TYPE_CHECKING:
    from qlc.translator.entry import Asker


def evaluate(options: Eval) -> int:
    """Ask the questions that OUT has no answers to, then judge all answers. Return 0 when it has finished."""
    if options.corpus:
        return _of_corpus(options)
    if options.feedback:
        _add_feedback(options.feedback, options)
    questions = read_questions(_file(options.file))
    gold = read_gold(_file(options.gold), questions) if options.gold else {}
    kept = Kept(Path(options.answers) if options.answers else None, questions)
    given = options_of(options)
    given["now"] = moment(given.get("now"))
    asker = open_asker(options)
    right = by_programs(Path(options.gold), gold, asker.compiler, given) if options.gold else {}
    meter = Meter("questions")
    for number, one in ask_all(asker, questions, kept, given):
        meter.show(number, len(questions), one.id)
    meter.end()
    _report_spent(asker)
    outcomes = {one.id: kept.outcomes[one.id] for one in questions}
    if not options.gold:
        return _kinds(Counter(str(one.get("kind")) for said in outcomes.values() for one in said), "turns", options)
    found = report.judged(questions, right, outcomes)
    if options.json:
        print(json.dumps(report.as_data(found), indent=2, ensure_ascii=False))
        return 0
    print(render.table(report.COLUMNS, report.rows(found), render.Style.of(sys.stdout)))
    judged = report.as_data(found)
    if judged["asked_back"]:
        print(f"{judged['asked_back']:,} of the declined turns ask which reading is meant.")
    for name in ("wrong", "declined", "wrong_turns", "declined_turns"):
        if judged[name]:
            print(f"{name.replace('_', ' ')}: {' '.join(judged[name])}")
    for line in _wrong_ones(questions, gold, outcomes, judged):
        print(line)
    return 0


def _report_spent(asker: Asker) -> None:
    """Print to standard error what the replies of a recorded model took."""
    from qlc.models.recorded import RecordedModel

    for one in asker.translators:
        model = getattr(one, "model", None)
        if isinstance(model, RecordedModel):
            print(model.spent.sentence(model.name), file=sys.stderr)


def _add_feedback(events: str, options: Eval) -> None:
    from qlc.evaluation.feedback import add_cases

    if not options.gold:
        raise UsageError("--feedback needs --gold FILE: the right answers are added to it")
    added, without = add_cases(_file(events), Path(options.file), Path(options.gold))
    print(f"{added:,} cases were added; of {without:,} more questions the right program is not known", file=sys.stderr)


def _of_corpus(options: Eval) -> int:
    """Ask a corpus each question of a file; the answers go to OUT, one line each."""
    from qlc.cli.answers import reader_of
    from qlc.evaluation.by_corpus import answers, read_corpus_questions
    from qlc.evaluation.citations import CitationReport, read_cited

    if options.feedback:
        raise UsageError("--feedback is for questions to an index")
    questions = read_corpus_questions(_file(options.file))
    meter = Meter("questions")
    kinds: Counter[str] = Counter()
    cited = CitationReport(read_cited(_file(options.gold)) if options.gold else {})
    out = Path(options.answers) if options.answers else None
    with open_corpus(options) as corpus, out.open("w", encoding="utf-8") if out else nullcontext() as file:
        given = {**options_of(options), "reader": reader_of(options)}
        given |= {"deadline": options.deadline} if options.deadline else {}
        for number, one in enumerate(answers(questions, corpus, given, options.parallel), 1):
            kinds[one["outcome"]] += 1
            cited.add(one)
            if file is not None:
                file.write(json.dumps(one, ensure_ascii=False, default=str) + "\n")
                file.flush()
            meter.show(number, len(questions), one["id"])
    meter.end()
    if options.json:
        print(json.dumps({**kinds, "citations": cited.as_data()}))
        return 0
    _kinds(kinds, "questions", options)
    for line in cited.lines():
        print(line)
    return 0


def _kinds(kinds: Counter[str], what: str, options: Eval) -> int:
    """Print how often each kind of outcome was given, for questions without right answers."""
    shown = [(kind, f"{count:,}") for kind, count in kinds.most_common()]
    print(json.dumps(dict(kinds)) if options.json
          else render.table(["outcome", what], shown, render.Style.of(sys.stdout)))  # fmt: skip
    return 0


MOST_SHOWN = 20
"""Wrong answers that are reported in full."""

LONGEST = 200
"""Letters of a right answer that are shown."""


def _wrong_ones(
    questions: Sequence[Asked], gold: Mapping[str, Expected], outcomes: Mapping[str, Any], judged: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the question, the right answer and the given one, of each turn that was answered wrongly."""
    missed = {*judged["wrong"], *judged["wrong_turns"]}
    turns = [(one, at, one.id if not one.conversation else f"{one.id}:{at + 1}")
             for one in questions for at in range(len(one.texts))]  # fmt: skip
    wrong = [(one, at, id) for one, at, id in turns if id in missed]
    for one, at, id in wrong[:MOST_SHOWN]:
        yield ""
        yield f"{id}: {one.texts[at]}"
        yield f"  expected: {_as_written(gold[one.id].golds[at])}"
        outcome = outcomes[one.id][at]
        yield f"  came out: {outcome.get('query') or outcome['kind']}  ({outcome.get('message', '')})"
    if len(wrong) > MOST_SHOWN:
        yield f"and {len(wrong) - MOST_SHOWN:,} more"


def _as_written(gold: Mapping[str, Any]) -> str:
    """Return the right answer as text: a program, or another kind with its contents, and the alternatives."""
    said = {key: value for key, value in gold.items() if key not in ("kind", "also_accept")}
    what = json.dumps(said, ensure_ascii=False)
    first = str(gold["program"]) if gold["kind"] == "program" else f"{gold['kind']} {what[:LONGEST]}"
    return " or ".join([first, *map(_as_written, gold.get("also_accept", ()))])


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise UsageError(f"there is no file '{name}'")
    return path
