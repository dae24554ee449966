"""The document store with taught forms alone: questions without a form are declined."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from qlc.translator.by_rules import ByRules
from qlc.translator.entry import Asker
from qlc.translator.forms.file import Forms
from qlc.translator.forms.translator import FormTranslator
from qlc.translator.protocol import CannotSay, Question, Step, Translated, Translating
from qlc.translator.rules.translator import RuleTranslator
from tests import data_sets
from tests.questions.engine import OWN
from tests.reference import model

OPTIONS: dict[str, Any] = {"now": model.NOW, "timezone": "UTC"}


class Nobody:
    """A last translator, which understands nothing."""

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        yield from ()
        return CannotSay()


class School:
    """Teaches pairs, and asks for the program that a form gives."""

    def __init__(self, rules: RuleTranslator) -> None:
        self.forms = Forms()
        keeping = ByRules()
        keeping.taught = FormTranslator(Nobody(), rules, self.forms)
        self.asker = Asker(data_sets.drive(), [keeping])

    def teach(self, question: str, program: str) -> str:
        """The code of what stands against it; the form's question where it is taught."""
        made = self.asker.teach(question, program, **OPTIONS)
        return made.form.question if made.form is not None else made.diagnostics[0].code

    def ask(self, question: str, **options: Any) -> str | None:
        said = self.asker.program_of(question, read_as="words", **{**OPTIONS, **options})
        return said.program if isinstance(said, Translated) else None


@pytest.fixture(scope="session")
def rules() -> RuleTranslator:
    return RuleTranslator()


@pytest.fixture
def school(rules: RuleTranslator) -> School:
    return School(rules)


@pytest.fixture
def schools(rules: RuleTranslator) -> Callable[[], School]:
    return lambda: School(rules)


@cache
def stored_pairs() -> tuple[tuple[str, str], ...]:
    """The single questions over the document store that may be read, with their programs."""
    found = []
    for part in ("dev", "later"):
        folder = OWN / "fresh" / "drive"
        texts = {one["id"]: one.get("text") for one in lines(folder / f"questions.{part}.jsonl")}
        golds = [one for one in lines(folder / f"gold.{part}.jsonl") if isinstance(one.get("program"), str)]
        found += [(texts[one["id"]], one["program"]) for one in golds if texts.get(one["id"])]
    return tuple(found)


def lines(path: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
