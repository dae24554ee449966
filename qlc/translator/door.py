"""The one door: a program or words in, an outcome out."""

from __future__ import annotations

import hashlib
import re
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from qlc.compiler.environment import ContextMissing
from qlc.endings import ending
from qlc.errors import ConfigurationError, RequestFailed
from qlc.grammar import SyntaxProblem, parse
from qlc.options import DEFAULT_DEADLINE, Options, moment, permitted, zone_of
from qlc.outcome import Clarify, Declined, Option, Outcome, Refuse, Unsupported
from qlc.pipeline import Compiler, Diagnosis
from qlc.trace import Trace
from qlc.translator.protocol import (
    AskBack,
    CannotSay,
    Diagnose,
    Need,
    NotHeld,
    Question,
    ReadVocabulary,
    Refusal,
    Step,
    Translated,
    Translating,
    Translation,
    Translator,
    Try,
    Turn,
)

ReadAs = Literal["auto", "program", "words"]

CHOICE = "reading"
"""What tokens of clarifications between readings begin with."""


@dataclass
class Asking:
    """One question on its way: what is known so far."""

    source: str
    options: dict[str, Any]
    history: tuple[Turn, ...] = ()
    steps: list[Step] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)


class Asker:
    """Compiler and translators together: what a service keeps. Safe under threads.

    `translators` are asked in order until one can say what a question means; the default are the rules alone, which
    need no model and no network.
    """

    def __init__(self, compiler: Compiler, translators: Sequence[Translator] | None = None) -> None:
        if translators is None:
            from qlc.translator.rules.translator import RuleTranslator

            translators = (RuleTranslator(),)
        self.compiler = compiler
        self.translators = tuple(translators)

    def ask(
        self,
        source: str,
        *,
        read_as: ReadAs = "auto",
        history: Sequence[Turn] = (),
        trace: Trace | None = None,
        **options: Any,
    ) -> Outcome:
        """Answer a program or words. `read_as` forces either; `options` are those of `compile_and_run`.

        Nothing raises for bad input: what is wrong with it is the outcome.
        """
        asking = Asking(source, options, tuple(history))
        program = self._as_program(asking, read_as)
        if program is not None:
            return self.compiler.run(program, trace=trace, **options)
        try:
            translation = self._drive(self._translating(asking), options)
        except (RequestFailed, ContextMissing, ConfigurationError) as problem:
            return unreachable(problem)
        if trace is not None:
            trace.translated(source, asking.steps)
        if isinstance(translation, Translated):
            outcome = self.compiler.run(translation.program, trace=trace, **options)
            return with_notes(outcome, translation.notes)
        return ended(translation, asking)

    async def ask_async(
        self,
        source: str,
        *,
        read_as: ReadAs = "auto",
        history: Sequence[Turn] = (),
        trace: Trace | None = None,
        **options: Any,
    ) -> Outcome:
        """As `ask`, over a compiler with an asynchronous client."""
        asking = Asking(source, options, tuple(history))
        program = self._as_program(asking, read_as)
        if program is not None:
            return await self.compiler.run_async(program, trace=trace, **options)
        try:
            await self.compiler.load()
            translation = await self._drive_async(self._translating(asking), options)
        except (RequestFailed, ContextMissing, ConfigurationError) as problem:
            return unreachable(problem)
        if trace is not None:
            trace.translated(source, asking.steps)
        if isinstance(translation, Translated):
            outcome = await self.compiler.run_async(translation.program, trace=trace, **options)
            return with_notes(outcome, translation.notes)
        return ended(translation, asking)

    # --- program or words --------------------------------------------------------------------------------------------

    def _as_program(self, asking: Asking, read_as: ReadAs) -> str | None:
        """The program that the source is, or that an earlier choice between readings names; None for words."""
        chosen = asking.options.get("choices", {}).get(reading_token(asking.source))
        if chosen is not None and read_as != "program":
            return str(chosen)
        if read_as == "words":
            return None
        return asking.source if read_as == "program" or looks_like_program(asking.source) else None

    # --- translators -------------------------------------------------------------------------------------------------

    def _translating(self, asking: Asking) -> Translating:
        """Ask the translators in turn. What none can say is unknown with the words of the first."""
        given = Options(**{k: v for k, v in asking.options.items() if k != "trace"})
        question = Question(
            asking.source,
            self.compiler.schema,
            moment(given.now),
            zone_of(given.timezone),
            given.context,
            asking.history,
        )
        first: Translation | None = None
        for translator in self.translators:
            said = yield from translator.translate(question, asking.steps)
            if not isinstance(said, CannotSay):
                return said
            first = first or said
        return first or CannotSay()

    def _drive(self, translating: Translating, options: Mapping[str, Any]) -> Translation:
        answer: Any = None
        while True:
            try:
                need = translating.send(answer)
            except StopIteration as end:
                translation: Translation = end.value
                return translation
            answer = self._met(need, options)

    def _met(self, need: Need, options: Mapping[str, Any]) -> Any:
        match need:
            case ReadVocabulary():
                return self.compiler.read(vocabulary_reading(options), options.get("context") or {}, deadline(options))
            case Diagnose():
                return self.diagnosis(need.program, options)
            case Try():
                return self.compiler.run(need.program, **options)
            case _:
                return need.request.send()

    def diagnosis(self, program: str, options: Mapping[str, Any]) -> Diagnosis:
        given = {key: options[key] for key in ("now", "timezone", "context", "params") if key in options}
        return self.compiler.diagnose(program, **given)

    async def _drive_async(self, translating: Translating, options: Mapping[str, Any]) -> Translation:
        answer: Any = None
        while True:
            try:
                need = translating.send(answer)
            except StopIteration as end:
                translation: Translation = end.value
                return translation
            match need:
                case ReadVocabulary():
                    reading = vocabulary_reading(options)
                    answer = await self.compiler.read_async(reading, options.get("context") or {}, deadline(options))
                case Diagnose():
                    answer = self.diagnosis(need.program, options)
                case Try():
                    answer = await self.compiler.run_async(need.program, **options)
                case _:
                    answer = await need.request.send_async()


_ASKERS: weakref.WeakKeyDictionary[Compiler, Asker] = weakref.WeakKeyDictionary()


def asker_of(compiler: Compiler) -> Asker:
    """The asker with the rules that belongs to a compiler: one for all callers, so that they share its lexicon."""
    asker = _ASKERS.get(compiler)
    if asker is None:
        asker = _ASKERS.setdefault(compiler, Asker(compiler))
    return asker


def compile_and_run(source: str, compiler: Compiler, **options: Any) -> Outcome:
    """Answer a program or words (see `Options` for what can be given). Nothing raises for bad input."""
    return asker_of(compiler).ask(source, **options)


async def compile_and_run_async(source: str, compiler: Compiler, **options: Any) -> Outcome:
    """As `compile_and_run`, over a compiler with an asynchronous client."""
    return await asker_of(compiler).ask_async(source, **options)


# --- parts -----------------------------------------------------------------------------------------------------------

_OPERATOR = re.compile(
    r"""(?:!=|<=|>=|=|<|>|\b(?:where|having|of)\b[^"]*\b(?:in|has|contains|between|missing|exists|under)\b)"""
)
_BEGINNING = re.compile(
    r"\s*(?:--|let\s+\w+\s*=|(?:find|count|get)\b|(?:sum|avg|min|max|median|percentile|distinct|share)\s*\()"
)
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')


def looks_like_program(text: str) -> bool:
    """A text that parses; or begins as a program and has an operator of the language, so that it is one with a slip."""
    try:
        parse(text)
    except SyntaxProblem:
        pass
    else:
        return True
    beginning = _BEGINNING.match(text)
    if beginning is None:
        return False
    bare = _STRINGS.sub('""', text)
    if (
        beginning[0]
        .strip()
        .startswith(("let", "sum", "avg", "min", "max", "median", "percentile", "distinct", "share"))
    ):
        return True
    where = re.search(r"\bwhere\b(.*)", bare, re.DOTALL)
    return where is not None and (not where[1].strip() or _OPERATOR.search(bare) is not None)


def vocabulary_reading(options: Mapping[str, Any]) -> Any:
    """What reads the names and values of the index, for `Compiler.read`."""
    from qlc.translator.rules.vocabulary import read_index_values

    sensitive = permitted(options.get("context") or {})
    return lambda env, names, access: read_index_values(env.schema, env, names, access, sensitive)


def deadline(options: Mapping[str, Any]) -> float:
    return float(options.get("deadline", DEFAULT_DEADLINE))


def unreachable(problem: Exception) -> Outcome:
    """The outcome of a question that could not be translated because the index could not be read."""
    outcome = ending(problem, lambda message, *_: {"message": message})
    if outcome is None:  # the caller's own mistake
        raise problem
    return outcome


def with_notes(outcome: Outcome, notes: Sequence[str]) -> Outcome:
    return outcome.model_copy(update={"notes": [*notes, *outcome.notes]}) if notes else outcome


def reading_token(source: str) -> str:
    """The token of a choice between the readings of a text."""
    return f"{CHOICE}:{hashlib.blake2b(source.encode(), digest_size=8).hexdigest()}"


def ended(translation: Translation, asking: Asking) -> Outcome:
    """The outcome of words that became no program."""
    match translation:
        case AskBack():
            options = [Option(id=program, label=words) for program, words in translation.options]
            return Clarify(
                message=translation.question, what="reading", options=options, token=reading_token(asking.source)
            )
        case Refusal():
            return Refuse(message=translation.message, intent=translation.intent)
        case NotHeld():
            message = f"The data holds nothing about '{translation.what}'."
            return Unsupported(message=message, what=translation.what, suggestions=list(translation.suggestions))
        case CannotSay():
            return Declined(
                message=_declined(translation), words=list(translation.words), suggestions=list(translation.suggestions)
            )
        case Translated():
            raise AssertionError("a program is run, not ended")


def _declined(said: CannotSay) -> str:
    if said.words:
        quoted = ", ".join(f"'{word}'" for word in said.words[:3])
        return f"I did not understand {quoted}. Say it in other words, or put names in quotes."
    return "I did not understand this surely enough to answer. Say it in other words, or put names in quotes."
