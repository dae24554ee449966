"""The report of an evaluation: how many answers are right, declined and wrong, in total and by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qlc.evaluation.questions import Asked, Expected, Line
from qlc.evaluation.scoring import Verdict, score, together

Tally = Counter[Verdict]


@dataclass(slots=True)
class Report:
    """`questions` counts a conversation once, `conversations` only conversations, `turns` each of their turns.

    `asked_back`: declined turns with a choice; `missed`: the ids of questions that are not right, in order. `by_turn`:
    turns of conversations by category; `missed_turns`: those not right (`ID:NUMBER`, from 1).
    """

    questions: Tally = field(default_factory=Counter)
    conversations: Tally = field(default_factory=Counter)
    turns: Tally = field(default_factory=Counter)
    categories: dict[str, Tally] = field(default_factory=dict)
    by_turn: dict[str, Tally] = field(default_factory=dict)
    missed_turns: dict[Verdict, list[str]] = field(
        default_factory=lambda: {Verdict.DECLINED: [], Verdict.WRONG: []}
    )
    asked_back: int = 0
    missed: dict[Verdict, list[str]] = field(default_factory=lambda: {Verdict.DECLINED: [], Verdict.WRONG: []})


def judged(
    questions: Sequence[Asked], gold: Mapping[str, Expected], outcomes: Mapping[str, Sequence[Line]]
) -> Report:
    """Judge the answers. Unanswered questions are left out."""
    report = Report()
    for one in questions:
        if one.id not in outcomes:
            continue
        said, expected = outcomes[one.id], gold[one.id]
        pairs = enumerate(zip(said, expected.golds, strict=True))
        verdicts = [score(outcome, right, said[:at]) for at, (outcome, right) in pairs]
        report.turns.update(verdicts)
        report.asked_back += sum(
            verdict is Verdict.DECLINED and outcome.get("kind") == "clarify"
            for verdict, outcome in zip(verdicts, said, strict=True)
        )
        whole = together(verdicts)
        report.questions[whole] += 1
        report.conversations[whole] += one.conversation
        category = one.category or expected.category or "-"
        report.categories.setdefault(category, Counter())[whole] += 1
        if one.conversation:
            report.by_turn.setdefault(category, Counter()).update(verdicts)
            for number, verdict in enumerate(verdicts, 1):
                if verdict is not Verdict.RIGHT:
                    report.missed_turns[verdict].append(f"{one.id}:{number}")
        if whole is not Verdict.RIGHT:
            report.missed[whole].append(one.id)
    return report


def as_data(report: Report) -> dict[str, Any]:
    return {
        "questions": _tally(report.questions),
        "conversations": _tally(report.conversations),
        "turns": _tally(report.turns),
        "asked_back": report.asked_back,
        "categories": {name: _tally(tally) for name, tally in report.categories.items()},
        "turns_of_categories": {name: _tally(tally) for name, tally in report.by_turn.items()},
        "declined": report.missed[Verdict.DECLINED],
        "wrong": report.missed[Verdict.WRONG],
        "declined_turns": report.missed_turns[Verdict.DECLINED],
        "wrong_turns": report.missed_turns[Verdict.WRONG],
    }


def _tally(tally: Tally) -> dict[str, int]:
    return {"n": tally.total(), **{verdict.value: tally[verdict] for verdict in Verdict}}


def rows(report: Report) -> list[list[str]]:
    """Return the table: a row for each category and the total; conversations and their turns have rows of their own."""
    found = [_row(name, tally) for name, tally in report.categories.items()]
    conversations = report.conversations
    if conversations.total():
        found.append(_row("single questions", report.questions - conversations))
        found.append(_row("conversations", conversations))
        found += [_row(f"turns of {name}", tally) for name, tally in report.by_turn.items()]
        found.append(_row("turns of conversations", sum(report.by_turn.values(), Counter())))
    found.append(_row("all questions", report.questions))
    if conversations.total():
        found.append(_row("all turns", report.turns))
    return found


COLUMNS = ("category", "n", "right", "declined", "wrong", "right %", "wrong %")


def _row(name: str, tally: Tally) -> list[str]:
    n = tally.total()
    shares = [f"{100 * tally[verdict] / n:.1f}" if n else "" for verdict in (Verdict.RIGHT, Verdict.WRONG)]
    return [name, f"{n:,}", *(f"{tally[verdict]:,}" for verdict in Verdict), *shares]
