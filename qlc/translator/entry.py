"""The entry point: a program, words or a pasted request in, an outcome out."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Generator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack, get_args

from qlc import telemetry
from qlc.base.driving import Call, call, drive, drive_async, in_place, in_thread, itself
from qlc.base.errors import UsageError
from qlc.base.options import Options, RunOptions
from qlc.grammar.reading import is_program
from qlc.mapping.build import WITHOUT_CATALOG
from qlc.outcome import Declined, Outcome, is_empty
from qlc.pasted.recognise import recognise
from qlc.pipeline.compiler import Compiler, Diagnosis, check_compiler
from qlc.pipeline.present import note
from qlc.pipeline.trace import Trace
from qlc.telemetry import report
from qlc.telemetry.names import ASK, TRANSLATE
from qlc.translator.asking import Asking, ReadAs
from qlc.translator.by_rules import ByRules
from qlc.translator.outcomes import asked_about_value, ended, reading_token, untranslated, with_notes
from qlc.translator.protocol import (
    CallModel,
    CannotSay,
    Diagnose,
    Fact,
    FindValues,
    Narrated,
    Narrator,
    Need,
    ReadVocabulary,
    TooMuchToRead,
    Translated,
    Translating,
    Translation,
    Translator,
    Try,
    Turn,
    best_of,
    is_sure,
)
from qlc.translator.recognise import is_of_words, is_readable, looks_like_program, typo_of, what_is_too_long
from qlc.translator.several import one_by_one, together

if TYPE_CHECKING:
    from qlc.models.budgets import Ledger
    from qlc.translator.forms.form import Origin, Taught


TOO_MUCH = "There is too much in this to be one question: ask for less, or in several questions."


class Asker:
    """Answers questions in words, programs and pasted requests over a compiler. A service keeps one. Thread-safe.

    It tries the `translators` in order until one is sure; by default the rules, which need no model and no network.
    Raises UsageError for an argument of the wrong type.

        outcome = qlc.Asker(compiler).ask("how many W2s are there?")
    """

    def __init__(self, compiler: Compiler, translators: Sequence[Translator] | None = None) -> None:
        check_compiler(compiler)
        if translators is None:
            translators = (ByRules(),)
        if not isinstance(translators, Sequence) or not all(map(_is_translator, translators)):
            raise UsageError("translators must be a list of what has a method 'translate'")
        self._compiler = compiler
        self.translators = tuple(translators)

    @property
    def compiler(self) -> Compiler:
        """The compiler; if it has no catalog, one with a catalog that is drafted from its index."""
        return self._compiler.drafted()

    @property
    def drafts(self) -> bool:
        """Whether words use a drafted catalog."""
        return self.compiler is not self._compiler

    def ask(
        self, source: str, *, read_as: ReadAs = "auto", history: Sequence[Turn] = (), trace: Trace | None = None,
        **options: Unpack[RunOptions],
    ) -> Outcome:  # fmt: skip
        """Answer a program, words or a pasted request; `read_as` "program" or "words" forces one of these.

        `history` has the earlier turns, oldest first; `options` are those of `Compiler.run`. No text raises an
        exception. Several questions, or several results of a request, return `Several`. A `trace` is of one question.
        """
        asking = Asking.of(source, options, history)
        if not isinstance(asking, Asking):
            return asking
        with telemetry.Turn(ASK, asking.source) as turn, asking.within():
            return turn.ended(drive(self._asked(asking, read_as, trace), itself))

    async def ask_async(
        self, source: str, *, read_as: ReadAs = "auto", history: Sequence[Turn] = (), trace: Trace | None = None,
        **options: Unpack[RunOptions],
    ) -> Outcome:  # fmt: skip
        """As `ask`, over a compiler with an asynchronous client."""
        asking = Asking.of(source, options, history)
        if not isinstance(asking, Asking):
            return asking
        with telemetry.Turn(ASK, asking.source) as turn, asking.within():
            return turn.ended(await drive_async(self._asked(asking, read_as, trace), itself))

    def program_of(
        self, source: str, *, read_as: ReadAs = "auto", history: Sequence[Turn] = (), trace: Trace | None = None,
        ledger: Ledger | None = None, message: str = "", **options: Unpack[RunOptions],
    ) -> Translated | Outcome:  # fmt: skip
        """Translate words (or a program) without running the result. Returns an outcome if there is no program.

        `ledger` sums the cost of the questions of one `message`, of which the source is a part.
        """
        asking = Asking.of(source, options, history, ledger, message)
        return self._read(asking, read_as, trace) if isinstance(asking, Asking) else asking

    async def program_of_async(
        self, source: str, *, read_as: ReadAs = "auto", history: Sequence[Turn] = (), trace: Trace | None = None,
        ledger: Ledger | None = None, message: str = "", **options: Unpack[RunOptions],
    ) -> Translated | Outcome:  # fmt: skip
        """As `program_of`, over a compiler with an asynchronous client."""
        asking = Asking.of(source, options, history, ledger, message)
        return await self._read_async(asking, read_as, trace) if isinstance(asking, Asking) else asking

    def narrate(self, facts: Sequence[Fact], *, ledger: Ledger | None = None,
                **options: Unpack[RunOptions]) -> Narrated | None:
        """One text about several answers, by the first translator that writes one; None if none may or can."""
        asking = Asking("", options, ledger=ledger)
        return drive(self._narrated(facts, asking), partial(self._call_for, asking))

    async def narrate_async(
        self, facts: Sequence[Fact], *, ledger: Ledger | None = None, **options: Unpack[RunOptions]
    ) -> Narrated | None:
        """As `narrate`, over a compiler with an asynchronous client."""
        asking = Asking("", options, ledger=ledger)
        return await drive_async(self._narrated(facts, asking), partial(self._call_for, asking))

    def teach(self, question: str, program: str, *, origin: Origin = "person", **options: Unpack[RunOptions]) -> Taught:
        """Store a question and its program as a form, which answers the same words with other values without a model.

        `origin` says who confirmed the pair. `diagnostics` of the result say why a pair cannot be a form. Raises
        UsageError if no translator stores forms; ConfigurationError and RequestFailed like `Compiler.schema`.
        """
        asking = Asking(question, options)
        return drive(self._taught(asking, program, origin), partial(self._call_for, asking))

    async def teach_async(
        self, question: str, program: str, *, origin: Origin = "person", **options: Unpack[RunOptions]
    ) -> Taught:
        """As `teach`, over a compiler with an asynchronous client."""
        asking = Asking(question, options)
        return await drive_async(self._taught(asking, program, origin), partial(self._call_for, asking))

    def _taught(self, asking: Asking, program: str, origin: Origin) -> Generator[Need | Call, Any, Taught]:
        keeping = next((one for one in self.translators if isinstance(one, ByRules)), None)
        if keeping is None:
            raise UsageError("no translator of this asker keeps forms: ByRules(Forms(...)) does")
        yield self._load_schema(asking)
        taught: Taught = yield from keeping.taught.teach(asking.question(self._compiler_for(asking)), program, origin)
        return taught

    # --- the way of a question ---------------------------------------------------------------------------------------

    def _asked(self, asking: Asking, read_as: ReadAs, trace: Trace | None) -> Generator[Call, Any, Outcome]:
        pasted = recognise(asking.source) if read_as == "auto" and not what_is_too_long(asking.source) else None
        telemetry.mark(route="words" if pasted is None else "pasted")
        if pasted is not None:
            from qlc.pasted.entry import run_pasted, run_pasted_async

            compiler, options = self._compiler_for(asking), asking.run_options()
            outcomes = yield call(run_pasted, run_pasted_async, pasted.alone, compiler, **options)
            if pasted.question and not asking.options.get("cursor"):
                beside = Asking(pasted.question, asking.run_options(), asking.history)
                outcomes = (*outcomes, (yield from self._asked(beside, "words", None)))
            # A page is of the list of a request, which is last.
            return together(outcomes[-1:] if asking.options.get("cursor") else outcomes)
        outcome = yield from self._answered(asking, read_as, trace)
        if read_as == "program" or trace is not None:
            return outcome
        return (yield from one_by_one(outcome, asking, self._answered)) if isinstance(outcome, Declined) else outcome

    def _answered(
        self, asking: Asking, read_as: ReadAs = "words", trace: Trace | None = None
    ) -> Generator[Call, Any, Outcome]:
        said: Translated | Outcome = yield call(self._read, self._read_async, asking, read_as, trace)
        if not isinstance(said, Translated):
            return said
        report("translated", program=said.program, notes=list(said.notes))
        outcome = asking.tried.get(said.program) if trace is None and asking.wants_first_hits else None
        seconds = asking.seconds
        if outcome is not None:
            telemetry.hit("trials")
            seconds = max(0.0, seconds - outcome.stats.took_ms / 1000)
        else:
            compiler, options = self._compiler_of(said.program, asking), asking.run_options()
            outcome = yield call(compiler.run, compiler.run_async, said.program, trace=trace, **options)
        if said.program != asking.source and is_empty(outcome):
            outcome = asked_about_value(outcome, asking.source)
        return with_notes(outcome, said.notes, seconds)

    def _compiler_for(self, asking: Asking) -> Compiler:
        """Return the compiler of a question, the same until its end: a catalog may be drafted while it waits."""
        asking.compiler = asking.compiler or self.compiler
        return asking.compiler

    def _compiler_of(self, program: str, asking: Asking) -> Compiler:
        """Return the compiler for a program. One written of `entries`, or with mapping paths that are errors by a
        drafted catalog, needs none."""
        drafted, clock = self._compiler_for(asking), asking.clock()
        if program == asking.source and self.drafts and not self._compiler.diagnose(program, **clock).failed:
            as_mapped = not set(WITHOUT_CATALOG).isdisjoint(program.split())
            return self._compiler if as_mapped or drafted.diagnose(program, **clock).failed else drafted
        return drafted

    def _read(self, asking: Asking, read_as: ReadAs, trace: Trace | None) -> Translated | Outcome:
        with telemetry.stage(TRANSLATE), asking.translating():
            asking.said = drive(self._translated(asking, read_as, trace), partial(self._call_for, asking))
        return asking.said

    async def _read_async(self, asking: Asking, read_as: ReadAs, trace: Trace | None) -> Translated | Outcome:
        with telemetry.stage(TRANSLATE), asking.translating():
            work = self._translated(asking, read_as, trace)
            asking.said = await drive_async(work, partial(self._call_for, asking))
        return asking.said

    def _translated(
        self, asking: Asking, read_as: ReadAs, trace: Trace | None
    ) -> Generator[Need | Call, Any, Translated | Outcome]:
        if read_as != "program" and (reason := what_is_too_long(asking.source)):
            return Declined(message=reason)
        program = self._as_program(asking, read_as)
        if program is not None and not (read_as == "auto" and is_of_words(asking.source)):
            telemetry.mark(route="program")
            return program
        yield self._load_schema(asking)
        if program is not None and not self._names_no_entity(asking):
            telemetry.mark(route="program")
            return program
        return self._said((yield from self._translating(asking)), asking, read_as, trace)

    def _narrated(self, facts: Sequence[Fact], asking: Asking) -> Generator[Need | Call, Any, Narrated | None]:
        yield self._load_schema(asking)
        for translator in self.translators if facts else ():
            if isinstance(translator, Narrator):
                return (yield from translator.narrate(facts, asking.question(self._compiler_for(asking)), asking.steps))
        return None

    def _load_schema(self, asking: Asking) -> Call:
        compiler = self._compiler_for(asking)
        return call(lambda: compiler.schema, compiler.load)

    def _call_for(self, asking: Asking, need: Need | Call) -> Call:
        compiler = self._compiler_for(asking)
        match need:
            case Call():
                return need
            case ReadVocabulary() | FindValues():
                return call(compiler.read, compiler.read_async, *asking.reading(need), **asking.clock())
            case Diagnose():
                return in_thread(self.diagnosis, need.program, asking.options)
            case Try():
                return self._trial(asking, need)
            case CallModel():
                request = need.request
                return Call(lambda: request.send(), lambda: request.send_async())

    def _trial(self, asking: Asking, trial: Try) -> Call:
        """A run on trial. What it finds is kept for the answer, and for the next trial of the same program."""
        known = asking.tried.get(trial.program) if not trial.choices else None
        if known is not None:
            return in_place(lambda: known)
        compiler = self._compiler_for(asking)
        run = call(compiler.run, compiler.run_async, trial.program, **asking.trial_options(trial))

        async def run_async() -> Outcome:
            return asking.kept(trial, await run.run_async())

        return Call(lambda: asking.kept(trial, run.run()), run_async)

    # --- program or words --------------------------------------------------------------------------------------------

    def _as_program(self, asking: Asking, read_as: ReadAs) -> Translated | None:
        """The program that the source is, or that an earlier choice between readings names; None for words.

        Raises UsageError.
        """
        if read_as not in get_args(ReadAs):
            raise UsageError(f"read_as must be auto, program or words, not {read_as!r}")
        choices = asking.options.get("choices")
        chosen = choices.get(reading_token(asking.source)) if choices else None
        if chosen is not None and read_as != "program":
            return Translated(str(chosen))
        source = asking.source
        if read_as == "program" or (read_as == "auto" and (is_program(source) or looks_like_program(source))):
            return Translated(source)
        return None

    def _names_no_entity(self, asking: Asking) -> bool:
        """Whether a text that parses speaks of what only words can name: `count receipts by vendor`."""
        found = self.diagnosis(asking.source, asking.options).diagnostics
        return any(one.code in ("unknown-entity", "unknown-measure") for one in found)

    def _said(self, translation: Translation, asking: Asking, read_as: ReadAs,
              trace: Trace | None) -> Translated | Outcome:
        """The program, or the outcome of words that became none; these may be a program with a typo."""
        asking.seconds = time.perf_counter() - asking.started
        if trace is not None:
            notes = translation.notes if isinstance(translation, Translated) else ()
            trace.translated(asking.source, asking.steps, notes)
            trace.times(translate=asking.seconds)
        if isinstance(translation, Translated):
            return translation
        typo = typo_of(asking.source) if isinstance(translation, CannotSay) and read_as == "auto" else None
        if typo is None:
            return ended(translation, asking.source, self._compiler_for(asking).schema)
        found = self.diagnosis(asking.source, asking.options).diagnostics  # whose fixes have no errors themselves
        return untranslated(typo).model_copy(update={"diagnostics": [note(one) for one in found]})

    # --- translators -------------------------------------------------------------------------------------------------

    def _translating(self, asking: Asking) -> Translating:
        """Ask the translators in turn, until one is sure."""
        if not is_readable(asking.source):
            return CannotSay()
        # Who asks programs alone imports no rules.
        from qlc.translator.rules.quantities.spans import refuse_impossible_days

        question = asking.question(self._compiler_for(asking))
        unsure: list[Translation] = []
        by: dict[int, str] = {}
        for translator in self.translators:
            done = len(asking.steps)
            try:
                said = yield from translator.translate(question, asking.steps)
            except TooMuchToRead:
                said = CannotSay(cannot_be=TOO_MUCH)
            said = refuse_impossible_days(said, asking.source)
            steps = asking.steps[done:]  # the last step names the part of a translator that said it
            by[id(said)] = steps[-1].by if steps else type(translator).__name__
            if is_sure(said):
                telemetry.mark(translator=by[id(said)])
                return said
            unsure.append(said)
        best = best_of(unsure)
        if not isinstance(best, CannotSay):  # it is what one of them said, perhaps with notes of the others
            telemetry.mark(translator=next(by[id(one)] for one in reversed(unsure) if type(one) is type(best)))
        return best

    def diagnosis(self, program: str, options: Mapping[str, Any]) -> Diagnosis:
        """Check a program with the options of a run; other options are ignored."""
        given = {key: options[key] for key in ("timezone", "context", "params") if key in options}
        given["now"] = Options.of(options).instant
        return self.compiler.diagnose(program, **given)


def _is_translator(given: Any) -> bool:
    return callable(getattr(given, "translate", None)) and not isinstance(given, str)  # a str has a method of that name


_RULES: weakref.WeakKeyDictionary[Compiler, tuple[Translator, ...]] = weakref.WeakKeyDictionary()
_RULES_LOCK = threading.Lock()


def asker_of(compiler: Compiler) -> Asker:
    """An asker with the rules that belong to a compiler: one set for all callers, so that they share its lexicon.

    Raises UsageError for what is no compiler.
    """
    check_compiler(compiler)
    with _RULES_LOCK:
        translators = _RULES.get(compiler)
        if translators is None:
            translators = _RULES[compiler] = Asker(compiler).translators
    return Asker(compiler, translators)


def compile_and_run(source: str, compiler: Compiler, **options: Unpack[RunOptions]) -> Outcome:
    """Answer a program, words or a pasted request. `options` are those of `Compiler.run`. No text raises an exception;
    an unknown option and an invalid `context` raise UsageError."""
    return asker_of(compiler).ask(source, **options)


async def compile_and_run_async(source: str, compiler: Compiler, **options: Unpack[RunOptions]) -> Outcome:
    """As `compile_and_run`, over a compiler with an asynchronous client."""
    return await asker_of(compiler).ask_async(source, **options)
