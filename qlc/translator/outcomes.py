"""The outcomes of words: what is asked back, refused, not held, not understood, and what a translation adds to one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from qlc.base.diagnostics import Diagnostic
from qlc.base.words.sentences import listed
from qlc.mapping.schema import Schema
from qlc.outcome import Clarify, Count, Declined, Hits, Option, Outcome, Refuse, Unsupported
from qlc.pipeline.prepared import ending
from qlc.pipeline.present import TEXTS, note
from qlc.resolver.absent import NEAR_ARE
from qlc.translator.in_words import askable, distinguished
from qlc.translator.protocol import AskBack, CannotSay, Explained, NotHeld, Refusal, Translated, Translation
from qlc.translator.recognise import LONGEST, NO_QUESTION, TOO_LONG, is_readable

MOST_KNOWN = 4  # words that are reported as understood where a question was not
CHOICE = "reading"  # prefix of the tokens of clarifications between readings


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


def reading_token(source: str) -> str:
    """The token of a choice between the readings of a text."""
    return f"{CHOICE}:{hashlib.blake2b(source.encode(errors='surrogatepass'), digest_size=8).hexdigest()}"


def ended(translation: Translation, source: str, schema: Schema) -> Outcome:
    """The outcome of words that became no program."""
    match translation:
        case AskBack(options=()):
            return Clarify(message=translation.question, what="reference")
        case AskBack():
            programs = [program for program, _ in translation.options]
            apart = distinguished(programs, schema)
            options = [
                Option(id=program, label=words if words != program else said)
                for (program, words), said in zip(translation.options, apart, strict=True)
            ]
            return Clarify(message=translation.question, what="reading", options=options, token=reading_token(source))
        case Refusal():
            return Refuse(
                message=translation.message, query=translation.program, intent=translation.intent,
                verb=translation.verb, object=translation.object, target=translation.target,
                notes=list(translation.notes),
            )  # fmt: skip
        case NotHeld():
            message = f"The data holds nothing about '{translation.what}'."
            return Unsupported(message=message, what=translation.what, suggestions=list(translation.suggestions),
                               notes=list(translation.notes))
        case CannotSay():
            from qlc.translator.splitting import questions_in  # with all modules of English, which no program needs

            questions = [one.text for one in questions_in(source)]
            return Declined(
                message=_declined(translation, source, len(questions)),
                words=list(translation.words),
                suggestions=questions if len(questions) > 1 else list(translation.suggestions),
                notes=[*translation.notes, *filter(None, [askable(source[:LONGEST], schema)])],
            )
        case Explained():
            return translation.outcome
        case Translated():
            raise AssertionError("a program is run, not ended")


def asked_about_value(outcome: Outcome, source: str) -> Outcome:
    """In place of an answer with nothing in it: which value was meant, where none is called so and some come near."""
    why = next((one for one in outcome.notes if NEAR_ARE in one), None)
    if why is None or not isinstance(outcome, Hits | Count) or not outcome.suggestions:
        return outcome
    options = [Option(id=one, label=_new_text(one, outcome.query)) for one in outcome.suggestions]
    message = f"{why.split(NEAR_ARE)[0]} Which do you mean?" if len(options) > 1 else why.replace(NEAR_ARE, " Is it ")
    return Clarify(
        message=message.removesuffix(".") + ("" if len(options) > 1 else "?"),
        what="reading", options=options, token=reading_token(source), stats=outcome.stats,
    )  # fmt: skip


def _new_text(program: str, before: str) -> str:
    """The text of a program that another one has in its place."""
    return next((str(json.loads(one)) for one in TEXTS.findall(program) if one not in before), program)


def _declined(said: CannotSay, source: str, questions: int) -> str:
    if not source.strip():
        return NO_QUESTION
    if not is_readable(source):
        return TOO_LONG
    if questions > 1:
        several = f"These are {questions} questions."
        return f"{several} Ask them one by one, or in a conversation, which answers each of them."
    if said.cannot_be:
        return said.cannot_be
    if said.words:
        quoted = ", ".join(f"'{word}'" for word in said.words[:3])
        return f"I did not understand {quoted}. Rephrase it, or put names in quotes."
    if said.part is not None:
        understood, left = said.part
        return f"I understood '{understood}', but not '{left}' after it. Rephrase that, or leave it out."
    if said.known:
        known = listed([f"'{word}'" for word in said.known[:MOST_KNOWN]], "and")
        return f"I understood {known}, but not the whole question. Rephrase it, or put names in quotes."
    return "I am not sure enough what this means to answer it. Rephrase it, or put names in quotes."


def with_notes(outcome: Outcome, notes: Sequence[str], seconds: float) -> Outcome:
    """The outcome with what the translation has to say, and with its time."""
    if not notes and not seconds:
        return outcome
    stats, spent = outcome.stats, round(1000 * seconds, 3)
    stages = {"translate": spent, **stats.stages}
    timed = stats.model_copy(update={"took_ms": round(stats.took_ms + spent, 3), "stages": stages})
    return outcome.model_copy(update={"notes": [*notes, *outcome.notes], "stats": timed})
