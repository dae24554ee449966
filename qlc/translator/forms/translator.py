"""Taught forms as a translator: before the rules where a person stands behind the form, else where no rule is sure."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from qlc.base.errors import UsageError
from qlc.grammar import print_program, tree
from qlc.outcome import NotFound, has_answer
from qlc.translator.forms.file import Forms
from qlc.translator.forms.form import CONFIRMED, Form, NotTaught, Origin, Taught
from qlc.translator.forms.matching import Match, Pattern
from qlc.translator.forms.places import filled
from qlc.translator.forms.teaching import pattern_of, taught
from qlc.translator.protocol import Diagnose, Need, Question, Step, Translated, Translating, Translator, Try, is_sure
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.programs import unbound
from qlc.translator.rules.translator import RuleTranslator
from qlc.translator.rules.words.tokens import tokenize

_Read = tuple[tuple[Form, ...], tuple[Form, ...], Sequence[Pattern]]
"""The forms, those of the catalog's examples, and both as they are compared with questions."""


@dataclass(frozen=True, slots=True)
class ByForm:
    """The program that a question has by a form."""

    program: str
    confirmed: bool


class FormTranslator:
    """Taught forms before other translators. Safe under threads.

    A form that a person confirmed answers first, except in a conversation, where the words may be a follow-up. There,
    and for forms of a model, the others come first, and the form answers if they are not sure.
    """

    def __init__(self, others: Translator, rules: RuleTranslator, forms: Forms) -> None:
        self.forms = forms
        self._others, self._rules = others, rules
        self._read: WeakKeyDictionary[Lexicon, _Read] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        by_form = (yield from self._by_form(question, steps)) if self.forms.all or question.schema.examples else None
        if by_form is not None and by_form.confirmed and not question.history:
            return Translated(by_form.program)
        said = yield from self._others.translate(question, steps)
        if by_form is None:
            return said
        if is_sure(said):
            if not isinstance(said, Translated) or said.program != by_form.program:
                what = "not used: the rules are sure of something else"
                steps.append(Step("form", what, {"program": by_form.program}))
            return said
        return Translated(by_form.program)

    def teach(self, question: Question, program: str, origin: Origin) -> Generator[Need, Any, Taught]:
        """Keep a pair as a form. Raises UsageError for a pair of a model where nothing is learned from models."""
        if origin not in ("person", "qa", "model"):
            raise UsageError(f"origin must be person, qa or model, not {origin!r}")
        if origin == "model" and not self.forms.learn:
            raise UsageError("programs of a model are learned only with Forms(..., learn=True)")
        p = yield from self._rules.parsed(question)
        try:
            form = taught(p, program, question.schema, origin, question.now.date().isoformat())
            pattern = pattern_of(form, p)
            for one in pattern.matches(p):
                if (yield from _program(pattern, one, question)) is None:
                    raise NotTaught("form-not-read", "nothing is found by a name or a text of the question",
                                    "put it into quotes in the question")  # fmt: skip
        except NotTaught as problem:
            return Taught(None, (problem.diagnostic,))
        self.forms.add(form)
        return Taught(form)

    def _by_form(self, question: Question, steps: list[Step]) -> Generator[Need, Any, ByForm | None]:
        p = yield from self._rules.parsed(question)  # not handed on: how much of a question is read is bounded
        found: dict[str, list[Form]] = {}
        for pattern in self._patterns(question, p):
            matches = pattern.matches(p)
            programs = set()
            for one in matches:
                program = yield from _program(pattern, one, question)
                programs.add(program)
            if len(matches) == len(programs) == 1 and (only := programs.pop()):
                found.setdefault(only, []).append(pattern.form)
            elif matches:
                steps.append(Step("form", "not used: its slots do not fit", {"id": pattern.form.id}))
        ids = sorted(form.id for forms in found.values() for form in forms)
        if len(found) > 1:
            steps.append(Step("form", "not used: forms disagree", {"ids": ids, "programs": list(found)}))
        if len(found) != 1:
            return None
        ((program, forms),) = found.items()
        steps.append(Step("form", "matched", {"ids": ids, "program": program}))
        return ByForm(program, any(form.origin in CONFIRMED for form in forms))

    def _patterns(self, question: Question, p: Parse) -> Sequence[Pattern]:
        """The forms and the catalog's examples, read with the words of a lexicon."""
        forms, lexicon = self.forms.all, p.lexicon
        with self._lock:
            kept = self._read.get(lexicon)
        if kept is None or kept[0] is not forms:
            examples = kept[1] if kept is not None else tuple(_example_forms(question, p))
            kept = forms, examples, [*_fitting((*forms, *examples), p)]
            with self._lock:
                self._read[lexicon] = kept
        return kept[2]


def _fitting(forms: Iterable[Form], p: Parse) -> Iterator[Pattern]:
    """Yield the forms that fit the current catalog; `qlc forms test` reports the others."""
    for form in forms:
        with suppress(ValueError, KeyError):
            yield pattern_of(form, p)


def _example_forms(question: Question, like: Parse) -> Iterator[Form]:
    """The examples of the catalog that can be forms."""
    day = question.now.date().isoformat()
    for one in question.schema.examples:
        p = Parse(tokenize(one.words), like.lexicon, like.now, one.words)
        try:
            yield taught(p, one.query, question.schema, "catalog", day)
        except NotTaught:
            continue


def _program(pattern: Pattern, match: Match, question: Question) -> Generator[Need, Any, str | None]:
    """The program with what stands in the slots; None where it has errors, or finds nothing of what nobody knows."""
    program = filled(pattern.program, dict(match.values))
    diagnosis = yield Diagnose(print_program(program))
    given = {one.name for one in tree.walked(program) if isinstance(one, tree.Parameter)} <= question.params
    if diagnosis.failed or not given or unbound(diagnosis.text, question.schema, question.params):
        return None
    if match.free:
        outcome = yield Try(diagnosis.text)
        if isinstance(outcome, NotFound) or not has_answer(outcome):
            return None
    return str(diagnosis.text)
