"""Taught forms: half of the questions of a set are taught with their programs; then the same forms are asked with other
fillers drawn from the data, and the other half and foreign questions as they are. README.md keeps figures.

`python -m benchmarks.taught_forms [DATA=FILE.jsonl ...]`: files of foreign questions, `{"text": ...}` on each line,
that are asked of a set. What a form answers and is not known to be right is printed, to be read.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from qlc.grammar import parse, print_program
from qlc.translator.by_rules import ByRules
from qlc.translator.entry import Asker
from qlc.translator.forms.file import Forms
from qlc.translator.forms.form import Form
from qlc.translator.forms.matching import Pattern
from qlc.translator.forms.places import filled
from qlc.translator.forms.teaching import pattern_of
from qlc.translator.forms.translator import FormTranslator
from qlc.translator.protocol import CannotSay, Question, Step, Translated, Translating
from qlc.translator.rules.build import number, string
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.translator import RuleTranslator
from tests.questions.engine import FRESH, OWN, Engine

SETS = ("helpdesk", "letting", "drive", "ecommerce", "flights")
DRAWS = 4
"""Questions with fillers of their own for each form."""
DATES = {"2024": "2024", "March 2025": "2025-03", "last week": "last week", "yesterday": "yesterday",
         "the last 45 days": "last 45 days", "2025-11-03": "2025-11-03", "Q2 2025": "2025-Q2",
         "this month": "this month", "5 May 2025": "2025-05-05"}  # fmt: skip
TEXTS = ('"late delivery"', '"not paid"', '"red tape, blue lamp"')
"""Nothing has them: without quotes the form would leave them to the translators after it."""


class Nobody:
    """Stands for the translators after the forms, and remembers what it was asked with."""

    def __init__(self, rules: RuleTranslator) -> None:
        self.rules = rules

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        self.question, self.lexicon = question, (yield from self.rules.lexicon(question))
        return CannotSay()


class Taught:
    """One set: its forms, and what they say of a question."""

    def __init__(self, data: str, engine: Engine) -> None:
        self.compiler = engine.compiler(data)
        self.options: dict[str, Any] = {"now": FRESH[data], "timezone": "UTC"}
        self.forms = Forms()
        rules = RuleTranslator()
        self.nobody = Nobody(rules)
        keeping = ByRules()
        keeping.taught = FormTranslator(self.nobody, rules, self.forms)
        self.asker = Asker(self.compiler, [keeping])
        self.program("how many")
        self.tally: Counter[str] = Counter()

    def program(self, text: str) -> str | None:
        """What a form answers."""
        said = self.asker.program_of(text, read_as="words", **self.options)
        return said.program if isinstance(said, Translated) else None

    def canonical(self, program: str) -> str:
        return self.compiler.diagnose(program, **self.options).text

    def teach(self, text: str, program: str) -> Form | None:
        made = self.asker.teach(text, program, **self.options)
        self.tally["taught" if made.form else made.diagnostics[0].code] += 1
        for wrong in made.diagnostics:
            print(f"refused: {text}\n    {program}\n    {wrong.message}", file=sys.stderr)
        return made.form

    def judge(self, kind: str, text: str, programs: list[str]) -> None:
        self.tally[kind] += 1
        program = self.program(text)
        self.tally[f"{kind}, answered"] += program is not None
        right = program in map(self.canonical, programs)
        self.tally[f"{kind}, right"] += right
        if program is not None and not right:
            print(f"{kind}: {text}\n    {program}\n    {programs}", file=sys.stderr)
        elif program is None and kind in ("own", "drawn"):
            print(f"{kind}, not answered: {text}\n    {programs}", file=sys.stderr)

    def drawn(self, form: Form, draw: random.Random) -> tuple[str, str] | None:
        """A question of the form with other fillers, and its program; None without a slot, or a filler for it."""
        pattern = pattern_of(form, Parse((), self.nobody.lexicon, self.nobody.question.now, ""))
        said, values = {}, {}
        for name in pattern.slots:
            found = self._filler(pattern, name, draw)
            if found is None:
                return None
            said[name], values[name] = found
        question = re.sub(r"\{(\w+)\}", lambda one: said[one[1]], form.question)
        program = self.canonical(print_program(filled(pattern.program, values)))
        return (question, program) if values and program else None

    def _filler(self, pattern: Pattern, name: str, draw: random.Random) -> tuple[str, Any] | None:
        slot, place = pattern.slots[name]
        values = self.nobody.lexicon.values
        match slot.type:
            case "date":
                said = draw.choice(sorted(DATES))
                return said, parse(f"find x where y = {DATES[said]}").statement.where.right
            case "number" | "count":
                size = draw.randrange(2, 400)
                return f"{size} {slot.unit or slot.money}".strip(), number(size, slot.unit or None)
            case "text":
                said = draw.choice(TEXTS)
                return said, string(said.strip('"'))
            case "name":
                known = values.names.get(slot.of) or ()
            case _:
                known = place.field.values.display if place.is_closed else values.values.get((place.field.name,), ())
        said = draw.choice(sorted(known)) if known else ""
        return (said, string(said)) if known else None


def pairs(data: str) -> Iterator[tuple[str, list[str]]]:
    """Single questions of the parts that may be read, with their right programs, the first one first."""
    for part in ("dev", "later"):
        file = OWN / "fresh" / data / f"questions.{part}.jsonl"
        if file.exists():
            texts = {one["id"]: one.get("text") for one in map(json.loads, file.read_text("utf-8").splitlines())}
            for line in map(json.loads, (file.parent / f"gold.{part}.jsonl").read_text("utf-8").splitlines()):
                if texts.get(line["id"]) and isinstance(line.get("program"), str):
                    yield texts[line["id"]], [line["program"], *map(str, line.get("also", ()))]


def measured(data: str, engine: Engine, foreign: list[str]) -> Counter[str]:
    draw = random.Random(18)
    known = [*pairs(data)]
    draw.shuffle(known)
    half = (len(known) + 1) // 2
    one = Taught(data, engine)
    made = [(text, programs, one.teach(text, programs[0])) for text, programs in known[:half]]
    for text, programs, form in made:
        if form is not None:
            one.judge("own", text, programs)
            for found in filter(None, (one.drawn(form, draw) for _ in range(DRAWS))):
                one.judge("drawn", found[0], [found[1]])
    for text, programs in known[half:]:
        one.judge("other half", text, programs)
    for text in foreign:
        one.judge("foreign", text, [])
    return one.tally


def main(arguments: list[str]) -> int:
    engine = Engine()
    files = [one.partition("=")[::2] for one in arguments]
    for data in SETS:
        foreign = [
            text
            for of, file in files if of == data for line in Path(file).read_text("utf-8").splitlines()
            if (text := json.loads(line).get("text"))
        ]  # fmt: skip
        tally = measured(data, engine, foreign)
        print(data, ", ".join(f"{name}: {count}" for name, count in sorted(tally.items())), sep=": ", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
