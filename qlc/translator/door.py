"""The one door: a program or words in, an outcome out."""

from __future__ import annotations

import hashlib
import re
import threading
import time
import weakref
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from qlc.diagnostics import Diagnostic
from qlc.endings import ending
from qlc.grammar import SyntaxProblem, parse
from qlc.mapping.schema import Schema
from qlc.options import DEFAULT_DEADLINE, Options, moment, permitted, zone_of
from qlc.outcome import Clarify, Declined, Option, Outcome, Refuse, Unsupported
from qlc.pipeline import Compiler, Diagnosis
from qlc.present import note
from qlc.trace import Trace
from qlc.translator.goals import goals_of
from qlc.translator.in_words import askable, told_apart
from qlc.translator.protocol import (
    AskBack,
    CannotSay,
    Diagnose,
    Explained,
    Fact,
    FindValues,
    Narrated,
    Narrating,
    Narrator,
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

if TYPE_CHECKING:
    from qlc.translator.model.budget import Ledger

T = TypeVar("T")
ReadAs = Literal["auto", "program", "words"]

LONGEST = 2_000
MOST_WORDS = 100
"""Characters and words of the longest question that is read. Whoever asks in words needs fewer."""

TOO_LONG = f"That is too long for one question: say it in at most {MOST_WORDS} words."

CHOICE = "reading"
"""What tokens of clarifications between readings begin with."""


@dataclass
class Asking:
    """One question on its way: what is known so far. `seconds`: how long the translation took."""

    source: str
    options: dict[str, Any]
    history: tuple[Turn, ...] = ()
    steps: list[Step] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0
    said: Translated | Outcome = field(default_factory=Declined)
    ledger: Ledger | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: Any) -> bool:
        """What breaks a translation off is its outcome, but for the caller's own mistakes."""
        if isinstance(problem, Exception):
            self.said = untranslated(problem)
        return isinstance(problem, Exception)

    def run_options(self) -> dict[str, Any]:
        """The options of the answer's run, with what is left of the deadline."""
        given = float(self.options.get("deadline", DEFAULT_DEADLINE))
        return {**self.options, "deadline": max(given - (time.perf_counter() - self.started), 0.0)}

    def trial_options(self, trial: Try) -> dict[str, Any]:
        """Those of a run on trial: the first hits are enough to compare answers, whatever page is asked for."""
        given = {key: value for key, value in self.run_options().items() if key not in ("cursor", "size")}
        return {**given, "choices": {**trial.choices, **(given.get("choices") or {})}}


class Asker:
    """Compiler and translators together: what a service keeps. Safe under threads.

    `translators` are asked in order until one can say what a question means; the default are the rules, for follow-ups
    as well, which need no model and no network.
    """

    def __init__(self, compiler: Compiler, translators: Sequence[Translator] | None = None) -> None:
        if translators is None:
            from qlc.translator.by_rules import by_rules

            translators = (by_rules(),)
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
        said = self._read(asking, read_as, trace)
        if not isinstance(said, Translated):
            return said
        outcome = self.compiler.run(said.program, trace=trace, **asking.run_options())
        return with_notes(outcome, said.notes, asking.seconds)

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
        said = await self._read_async(asking, read_as, trace)
        if not isinstance(said, Translated):
            return said
        outcome = await self.compiler.run_async(said.program, trace=trace, **asking.run_options())
        return with_notes(outcome, said.notes, asking.seconds)

    def program_of(
        self,
        source: str,
        *,
        read_as: ReadAs = "auto",
        history: Sequence[Turn] = (),
        trace: Trace | None = None,
        ledger: Ledger | None = None,
        **options: Any,
    ) -> Translated | Outcome:
        """The program that answers a program or words, without running it; or the outcome where there is none.

        `ledger` holds what the questions of one message cost together.
        """
        return self._read(Asking(source, options, tuple(history), ledger=ledger), read_as, trace)

    async def program_of_async(
        self,
        source: str,
        *,
        read_as: ReadAs = "auto",
        history: Sequence[Turn] = (),
        trace: Trace | None = None,
        ledger: Ledger | None = None,
        **options: Any,
    ) -> Translated | Outcome:
        """As `program_of`, over a compiler with an asynchronous client."""
        return await self._read_async(Asking(source, options, tuple(history), ledger=ledger), read_as, trace)

    def narrate(self, facts: Sequence[Fact], *, ledger: Ledger | None = None, **options: Any) -> Narrated | None:
        """One text over several answers, by the first translator that can; None where there is none, or it must not."""
        asking = Asking("", options, ledger=ledger)
        return self._drive(self._narrating(facts, asking), asking)

    async def narrate_async(
        self, facts: Sequence[Fact], *, ledger: Ledger | None = None, **options: Any
    ) -> Narrated | None:
        """As `narrate`, over a compiler with an asynchronous client."""
        asking = Asking("", options, ledger=ledger)
        await self.compiler.load()
        return await self._drive_async(self._narrating(facts, asking), asking)

    def _narrating(self, facts: Sequence[Fact], asking: Asking) -> Narrating:
        for translator in self.translators if facts else ():
            if isinstance(translator, Narrator):
                return (yield from translator.narrate(facts, self._question(asking), asking.steps))
        return None

    def _read(self, asking: Asking, read_as: ReadAs, trace: Trace | None) -> Translated | Outcome:
        program = self._as_program(asking, read_as)
        if program is not None and not may_be_words(asking, read_as):
            return program
        with asking:
            if program is not None and not self._names_no_entity(asking):
                return program
            asking.said = self._said(self._drive(self._translating(asking), asking), asking, read_as, trace)
        return asking.said

    async def _read_async(self, asking: Asking, read_as: ReadAs, trace: Trace | None) -> Translated | Outcome:
        program = self._as_program(asking, read_as)
        if program is not None and not may_be_words(asking, read_as):
            return program
        with asking:
            await self.compiler.load()
            if program is not None and not self._names_no_entity(asking):
                return program
            translation = await self._drive_async(self._translating(asking), asking)
            asking.said = self._said(translation, asking, read_as, trace)
        return asking.said

    # --- program or words --------------------------------------------------------------------------------------------

    def _as_program(self, asking: Asking, read_as: ReadAs) -> Translated | None:
        """The program that the source is, or that an earlier choice between readings names; None for words."""
        chosen = (asking.options.get("choices") or {}).get(reading_token(asking.source))
        if chosen is not None and read_as != "program":
            return Translated(str(chosen))
        if read_as == "program" or (read_as == "auto" and looks_like_program(asking.source)):
            return Translated(asking.source)
        return None

    def _names_no_entity(self, asking: Asking) -> bool:
        """Whether a text that parses speaks of what only words can name: `count receipts by vendor`."""
        found = self.diagnosis(asking.source, asking.options).diagnostics
        return any(one.code == "unknown-entity" for one in found)

    def _said(
        self, translation: Translation, asking: Asking, read_as: ReadAs, trace: Trace | None
    ) -> Translated | Outcome:
        """The program, or the outcome of words that became none; these may be a program with a slip."""
        asking.seconds = time.perf_counter() - asking.started
        if trace is not None:
            notes = translation.notes if isinstance(translation, Translated) else ()
            trace.translated(asking.source, asking.steps, notes)
            trace.times(translate=asking.seconds)
        if isinstance(translation, Translated):
            return translation
        slip = slip_of(asking.source) if isinstance(translation, CannotSay) and read_as == "auto" else None
        return ended(translation, asking, self.compiler.schema) if slip is None else untranslated(slip)

    # --- translators -------------------------------------------------------------------------------------------------

    def _translating(self, asking: Asking) -> Translating:
        """Ask the translators in turn. What none can say is unknown with the words of the first."""
        if not is_readable(asking.source):
            return CannotSay()
        question = self._question(asking)
        unsaid: list[CannotSay | NotHeld | Refusal] = []
        for translator in self.translators:
            said = yield from translator.translate(question, asking.steps)
            # What one knows nothing of, the next may know.
            if not isinstance(said, CannotSay | NotHeld) and not (isinstance(said, Refusal) and not said.sure):
                return said
            unsaid.append(said)
        first = unsaid[0] if unsaid else CannotSay()
        if not isinstance(first, CannotSay):
            return first
        return replace(first, notes=tuple(note for one in unsaid if isinstance(one, CannotSay) for note in one.notes))

    def _question(self, asking: Asking) -> Question:
        given = Options(**{k: v for k, v in asking.options.items() if k != "trace"})
        return Question(
            asking.source,
            self.compiler.schema,
            moment(given.now),
            zone_of(given.timezone),
            given.context,
            asking.history,
            self.compiler.reading,
            time.monotonic() + asking.run_options()["deadline"],
            frozenset(given.params),
            asking.ledger,
        )

    def _drive(self, translating: Generator[Need, Any, T], asking: Asking) -> T:
        answer: Any = None
        while True:
            try:
                need = translating.send(answer)
            except StopIteration as end:
                done: T = end.value
                return done
            answer = self._met(need, asking)

    def _met(self, need: Need, asking: Asking) -> Any:
        match need:
            case ReadVocabulary():
                options = asking.run_options()
                context = options.get("context") or {}
                return self.compiler.read(vocabulary_reading(context), context, options["deadline"])
            case FindValues():
                options = asking.run_options()
                context = options.get("context") or {}
                return self.compiler.read(values_reading(need, context), context, options["deadline"])
            case Diagnose():
                return self.diagnosis(need.program, asking.options)
            case Try():
                return self.compiler.run(need.program, **asking.trial_options(need))
            case _:
                return need.request.send()

    def diagnosis(self, program: str, options: Mapping[str, Any]) -> Diagnosis:
        given = {key: options[key] for key in ("now", "timezone", "context", "params") if key in options}
        return self.compiler.diagnose(program, **given)

    async def _drive_async(self, translating: Generator[Need, Any, T], asking: Asking) -> T:
        answer: Any = None
        while True:
            try:
                need = translating.send(answer)
            except StopIteration as end:
                done: T = end.value
                return done
            match need:
                case ReadVocabulary():
                    options = asking.run_options()
                    context = options.get("context") or {}
                    reading = vocabulary_reading(context)
                    answer = await self.compiler.read_async(reading, context, options["deadline"])
                case FindValues():
                    options = asking.run_options()
                    context = options.get("context") or {}
                    finding = values_reading(need, context)
                    answer = await self.compiler.read_async(finding, context, options["deadline"])
                case Diagnose():
                    answer = self.diagnosis(need.program, asking.options)
                case Try():
                    answer = await self.compiler.run_async(need.program, **asking.trial_options(need))
                case _:
                    answer = await need.request.send_async()


_RULES: weakref.WeakKeyDictionary[Compiler, tuple[Translator, ...]] = weakref.WeakKeyDictionary()
_RULES_LOCK = threading.Lock()


def asker_of(compiler: Compiler) -> Asker:
    """An asker with the rules that belong to a compiler: one set for all callers, so that they share its lexicon."""
    with _RULES_LOCK:
        translators = _RULES.get(compiler)
        if translators is None:
            translators = _RULES[compiler] = Asker(compiler).translators
    return Asker(compiler, translators)


def compile_and_run(source: str, compiler: Compiler, **options: Any) -> Outcome:
    """Answer a program or words (see `Options` for what can be given). Nothing raises for bad input."""
    return asker_of(compiler).ask(source, **options)


async def compile_and_run_async(source: str, compiler: Compiler, **options: Any) -> Outcome:
    """As `compile_and_run`, over a compiler with an asynchronous client."""
    return await asker_of(compiler).ask_async(source, **options)


# --- parts -----------------------------------------------------------------------------------------------------------

_STATEMENT = re.compile(r"\s*(?:find|count|get)\b", re.IGNORECASE)
_ONLY_PROGRAMS = re.compile(
    r"\s*(?:--|let\s+\w+\s*=|(?:sum|avg|min|max|median|percentile|distinct|share)\s*\(|(?:find|count)\b.*\bwhere\s*$)"
)
_BARE = re.compile(r"[\w\s,]+")
_SIGNS = re.compile(r"[!<>=]=|[=<>]|&&|\|\|")
_WORD_OPERATORS = re.compile(r"\b(?:in|has|contains|between|missing|exists|under|starts|ends|like|matches|mentions)\b")
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)


def looks_like_program(text: str) -> bool:
    """A text that parses; or can be nothing but a program with a slip: it begins as one, and compares with signs."""
    if _parses(text):
        return True
    if _ONLY_PROGRAMS.match(text):
        return True
    return _STATEMENT.match(text) is not None and _SIGNS.search(_STRINGS.sub('""', text)) is not None


def may_be_words(asking: Asking, read_as: ReadAs) -> bool:
    """Whether a text that parses is made of words alone, so that it may also be a question."""
    return read_as == "auto" and _BARE.fullmatch(asking.source) is not None


def slip_of(text: str) -> SyntaxProblem | None:
    """The syntax error of a text that may be words or a program: `find documents where name contains x`."""
    bare = _STRINGS.sub('""', text)
    where = bare.find(" where ")
    if not _STATEMENT.match(text) or where < 0 or not _WORD_OPERATORS.search(bare, where):
        return None
    try:
        parse(text)
    except SyntaxProblem as problem:
        return problem
    return None


def _parses(text: str) -> bool:
    try:
        parse(text)
    except SyntaxProblem:
        return False
    return True


def is_readable(text: str) -> bool:
    """Whether a text has any words, and no more of them than a question has."""
    return len(text) <= LONGEST and 0 < len(text.split()) <= MOST_WORDS


def vocabulary_reading(context: Mapping[str, Any]) -> Any:
    """What reads the names and values of the index, for `Compiler.read`."""
    from qlc.translator.rules.vocabulary import read_index_values

    sensitive = permitted(context)
    return lambda env, names, access: read_index_values(env.schema, env, names, access, sensitive)


def values_reading(need: FindValues, context: Mapping[str, Any]) -> Any:
    """What looks texts up in fields with many values, for `Compiler.read`."""
    from qlc.translator.rules.vocabulary import read_occurring

    sensitive = permitted(context)
    return lambda env, names, access: read_occurring(env.schema, env, need.texts, need.partly, sensitive)


def untranslated(problem: Exception) -> Outcome:
    """The outcome of a question whose translation broke off: most often, the index could not be read."""
    if isinstance(problem, RecursionError):
        return Declined(message=TOO_LONG)
    outcome = ending(problem, _common)
    if outcome is None:  # the caller's own mistake
        raise problem
    return outcome


def _common(message: str, found: Sequence[Diagnostic] = ()) -> dict[str, Any]:
    return {"message": message, "diagnostics": [note(one) for one in found]}


def with_notes(outcome: Outcome, notes: Sequence[str], seconds: float) -> Outcome:
    """The outcome with what the translation has to say, and with its time."""
    if not notes and not seconds:
        return outcome
    stats, spent = outcome.stats, round(1000 * seconds, 3)
    stages = {"translate": spent, **stats.stages}
    timed = stats.model_copy(update={"took_ms": round(stats.took_ms + spent, 3), "stages": stages})
    return outcome.model_copy(update={"notes": [*notes, *outcome.notes], "stats": timed})


def reading_token(source: str) -> str:
    """The token of a choice between the readings of a text."""
    return f"{CHOICE}:{hashlib.blake2b(source.encode(errors='surrogatepass'), digest_size=8).hexdigest()}"


def ended(translation: Translation, asking: Asking, schema: Schema) -> Outcome:
    """The outcome of words that became no program."""
    match translation:
        case AskBack():
            programs = [program for program, _ in translation.options]
            apart = told_apart(programs, schema)
            options = [
                Option(id=program, label=words if words != program else said)
                for (program, words), said in zip(translation.options, apart, strict=True)
            ]
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
                message=_declined(translation, asking.source),
                words=list(translation.words),
                suggestions=list(translation.suggestions) or _one_by_one(asking.source),
                notes=[*translation.notes, *filter(None, [askable(asking.source, schema)])],
            )
        case Explained():
            return translation.outcome
        case Translated():
            raise AssertionError("a program is run, not ended")


def _one_by_one(source: str) -> list[str]:
    """The questions of a text with several."""
    goals = goals_of(source) if is_readable(source) else ()
    return [one.text for one in goals] if len(goals) > 1 else []


def _declined(said: CannotSay, source: str) -> str:
    if not source.strip():
        return "There is no question. Ask for a list, a number or a value."
    if not is_readable(source):
        return TOO_LONG
    several = len(goals_of(source))
    if several > 1:
        return f"These are {several} questions. Ask them one by one, or in a conversation, which answers each of them."
    if said.words:
        quoted = ", ".join(f"'{word}'" for word in said.words[:3])
        return f"I did not understand {quoted}. Say it in other words, or put names in quotes."
    return "I did not understand this surely enough to answer. Say it in other words, or put names in quotes."
