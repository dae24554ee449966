"""Dialogues in text files, and how many of their turns are read as they are meant.

A file has turns (`> words`) with the programs that they may mean below, or `ask`, `declined`, `refuse`, `explain`; an
empty line begins another dialogue. In a program `{2}` is the id of the second hit of the last list (`{2@-2}`: of the
list before), and `{who}` the id in the last value. The first turn of a dialogue is only its history. Each turn is
asked behind the right ones: history has the first of what each means, so that one wrong turn makes no other wrong.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qlc.outcome import answer_key
from qlc.translator.entry import Asker
from qlc.translator.follow_ups.translator import FollowUpTranslator
from qlc.translator.protocol import Turn
from qlc.translator.rules.programs import normal_form
from tests import data_sets
from tests.tables import table

HERE = Path(__file__).parent
NOW = table(__file__, "NOW")
CATALOGS = table(__file__, "CATALOGS")
"""`bare` are the flights without a catalog."""
MARKS = {"ask": "clarify", "declined": "declined", "refuse": "refuse", "explain": "explain"}


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a dialogue and its accepted meanings: programs, or the kind of another outcome."""

    text: str
    meant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a turn was read: right, wrong or declined (also: asked back where one answer was meant)."""

    dialogue: int
    text: str
    verdict: str
    program: str
    meant: tuple[str, ...]


def dialogues(path: Path) -> list[list[Said]]:
    found: list[list[Said]] = []
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
        turns: list[Said] = []
        for line in block.splitlines():
            if line.startswith("> "):
                turns.append(Said(line[2:].strip(), ()))
            elif line.strip():
                turns[-1] = Said(turns[-1].text, (*turns[-1].meant, line.strip()))
        found.append(turns)
    return found


def filled(program: str, history: list[Turn]) -> str:
    lists = [turn.outcome["ids"] for turn in history if turn.outcome.get("kind") == "hits"]
    values = [turn.outcome["value"] for turn in history if turn.outcome.get("kind") == "value"]

    def found(match: re.Match[str]) -> str:
        if match[0] == "{who}":
            return str(values[-1]["id"])
        if match[0] == "{value}":
            return str(values[-1])
        if match[0] == "{ids}":
            return ", ".join(f'"{one}"' for one in lists[-1])
        place = int(match[1])
        return str(lists[int(match[2] or -1)][place - 1 if place > 0 else place])

    return re.sub(r"\{(?:(-?\d+)(?:@(-\d))?|who|value|ids)\}", found, program)


def judged(asker: Asker, path: Path, data: str, step: int = 1) -> Iterator[Verdict]:
    """How the turns of every `step`-th dialogue are read."""
    options: dict[str, Any] = {"now": NOW[data], "timezone": "UTC"}
    for number, turns in [*enumerate(dialogues(path), 1)][::step]:
        history: list[Turn] = []
        for place, said in enumerate(turns):
            meant = tuple(filled(one, history) for one in said.meant)
            if place:
                yield _judged(asker, said.text, meant, history, options, number)
            program = meant[0]
            if program not in MARKS:
                outcome = asker.compiler.run(program, **options).model_dump(mode="json")
                assert outcome["kind"] != "invalid", (program, outcome["message"])
                history.append(Turn(said.text, outcome["query"], outcome))


def _judged(
    asker: Asker, text: str, meant: tuple[str, ...], history: list[Turn], options: dict[str, Any], number: int
) -> Verdict:
    found = asker.program_of(text, history=history, **options)
    kind, program = getattr(found, "kind", "program"), getattr(found, "program", "")
    schema = asker.compiler.schema
    if kind != "program":
        right = any(MARKS.get(one) == kind for one in meant)
        told = program or f"{kind}: {' | '.join(o.id for o in getattr(found, 'options', ()))}"
        passes = kind in ("declined", "clarify", "unsupported")
        return Verdict(number, text, "right" if right else "declined" if passes else "wrong", told, meant)
    programs = [one for one in meant if one not in MARKS]
    canonical = [asker.compiler.diagnose(one, **options).text for one in programs]
    same = normal_form(program, schema) in {normal_form(one, schema) for one in canonical}
    if not same and programs:
        answer = asker.compiler.run(program, **options)
        meant_too = (asker.compiler.run(one, **options) for one in programs)
        same = answer.kind != "not_found" and _is_something(answer) and answer_key(answer) in map(answer_key, meant_too)
    return Verdict(number, text, "right" if same else "wrong", program, meant)


def _is_something(outcome: Any) -> bool:
    return bool(getattr(outcome, "total", 0) or getattr(outcome, "value", None) or getattr(outcome, "rows", ()))


def asker_of(data: str) -> Asker:
    """A data set in memory behind the translators."""
    compiler = data_sets.asker("flights" if data == "bare" else data, CATALOGS[data]).compiler
    return Asker(compiler, (FollowUpTranslator(),))
