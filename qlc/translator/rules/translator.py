"""The rules as a translator: read the question in every way, and answer only where one way is clearly the best."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Generator, Hashable, Sequence
from dataclasses import replace
from typing import Any

from qlc.base.options import permitted
from qlc.grammar import parse as parse_program
from qlc.outcome import NotFound, answer_key, has_answer
from qlc.translator.programs import differ_by_date
from qlc.translator.protocol import (
    AskBack,
    CannotSay,
    Need,
    NotHeld,
    Question,
    ReadVocabulary,
    Refusal,
    Step,
    Translated,
    Translating,
    Translation,
    Try,
)
from qlc.translator.rules import answering
from qlc.translator.rules.confidence import SURE, confidence, doubted, tried
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.near_questions import (
    Fixes,
    may_be_misspelt,
    repaired,
    respelt,
    says_a_value,
    understood_part,
    without_measure,
)
from qlc.translator.rules.nouns.names import like_a_file
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.programs import (
    DOUBT,
    FOR_UNKNOWN_NAMES,
    GUESSED,
    MARGIN,
    MOST,
    MOST_PER_WORD,
    Accepted,
    accepted_programs,
)
from qlc.translator.rules.quantities.spans import VAGUE, without_days
from qlc.translator.rules.questions.deeds import SAVE, action, deed, has_known_object, is_of_the_world, requested
from qlc.translator.rules.questions.finishing import left_out, unnamed
from qlc.translator.rules.questions.unknown import (
    EVERY_YEAR,
    NOT_AMONG_THEMSELVES,
    comes_back,
    confidential,
    is_among_themselves,
    known_words,
    looked_up,
    nothing_known,
    unknown_words,
    words_left,
    written_as_ids,
)
from qlc.translator.rules.questions.unspecified import unspecified
from qlc.translator.rules.words.phrases import stem
from qlc.translator.rules.words.tokens import TokenKind, tokenize

MOST_TRIED = 4
KEPT_SECONDS = 300.0
MOST_KEPT = 16
EVERYTHING = "Say which ones you mean, or ask for all of them."
UNSURE = "not sure: a language model is asked first, where there is one"
NOBODY = "I do not know who you are: name the person."
REFUSALS = {
    "move": "I cannot move anything. I can find what you want to move; move it in the application.",
    "delete": "I cannot delete anything. I can list what you may want to delete.",
    "create": "I cannot create anything here. I can find what is there already.",
    "share": "I cannot share or unshare anything. I can show who has access to what.",
    SAVE: "I cannot write files. Ask for the list; the application that shows it can save the last answer, "
    "every page of it, as CSV, which spreadsheets open, or as NDJSON.",
    "other": "I answer questions about what is stored here. Ask for a list, a number or a value.",
}


class RuleTranslator:
    """Keeps the lexicon of each schema and access for a while. Safe under threads."""

    def __init__(self) -> None:
        self._lexicons: OrderedDict[Hashable, tuple[float, Lexicon]] = OrderedDict()
        self._lock = threading.Lock()

    def forget(self) -> None:
        with self._lock:
            self._lexicons.clear()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        said = yield from self._translate(question, steps)
        if question.history or not isinstance(said, Translated | AskBack | CannotSay) or _is_known(said):
            return said
        pointed = unspecified((yield from self.parsed(question)))
        if pointed is None or (isinstance(said, Translated) and not pointed.surely):
            return said
        steps.append(Step("rules", "asked which one", {"said": pointed.said}))
        return AskBack(pointed.question, (), sure=pointed.surely and not pointed.is_pronoun)

    def _translate(self, question: Question, steps: list[Step]) -> Translating:
        parse = yield from self.parsed(question)
        lexicon, tokens = parse.lexicon, parse.tokens
        intent = action(parse)
        if intent is not None:
            steps.append(Step("rules", f"intent {intent}"))
            return (yield from self._refused(question, intent, parse, lexicon))
        if is_among_themselves(parse):
            return CannotSay(cannot_be=NOT_AMONG_THEMSELVES)
        if comes_back(parse):
            return CannotSay(cannot_be=EVERY_YEAR)
        for lexeme in (*written_as_ids(parse), *(yield from looked_up(parse))):
            if lexeme not in parse.lexemes[lexeme.start]:
                parse.lexemes[lexeme.start].append(lexeme)
        sure = yield from accepted_programs(question, parse, steps)
        read: Parse = parse
        notes: tuple[str, ...] = ()
        most = _most_that_it_may_cost(question, parse)
        doubtful = not sure or sure[0].reading.cost > most
        fix = repaired(parse) if doubtful else (yield from self._misspelt_value(sure[0], parse))
        if isinstance(fix, str):
            return CannotSay(tuple(tokens[at].raw for at in unknown_words(parse)), (fix,))
        if fix is not None:
            fixed_tokens, fixed = fix
            second = Parse(fixed_tokens, lexicon, parse.now, question.text)
            again = yield from accepted_programs(question, second, steps)
            if again and (doubtful or has_answer((yield Try(again[0].program)))):
                sure, read = again, second
                notes = tuple(f"Read '{wrong}' as '{right}'." for wrong, right in fixed)
        if not sure or sure[0].reading.cost > most:
            said = yield from self._not_understood(question, parse, lexicon)
            return (yield from _with_the_reading(said, parse, sure))
        chosen = yield from self._chosen(parse, sure, notes, steps)
        return (yield from _checked(parse, read, sure[0], chosen, steps)) if isinstance(chosen, Translated) else chosen

    def _chosen(self, parse: Parse, sure: list[Accepted], notes: tuple[str, ...], steps: list[Step]) -> Translating:
        """The cheapest reading, or the one of those of nearly its cost that finds something."""
        best = sure[0]
        rivals = [one for one in sure[1:] if one.reading.cost < best.reading.cost + MARGIN][: MOST_TRIED - 1]
        if not rivals and best.reading.cost < GUESSED:
            return (yield from self._believed(best, sure[1:], notes, steps))
        return (yield from self._distinct(parse, [best, *rivals], notes, steps))

    def parsed(self, question: Question) -> Generator[Need, Any, Parse]:
        """Parse the question with the lexicon, once for all translators."""
        if question.parse is not None:
            return question.parse  # type: ignore[no-any-return]
        lexicon = yield from self.lexicon(question)
        return Parse(tokenize(question.text), lexicon, question.now.astimezone(question.timezone), question.text)

    def lexicon(self, question: Question) -> Generator[Need, Any, Lexicon]:
        """The lexicon for a question, read from the index where it is not known."""
        sensitive = permitted(question.context)
        day = question.now.date()  # what was done by then
        key = (question.schema.version, day, question.reading,
               json.dumps(question.context, sort_keys=True, default=repr))  # fmt: skip
        with self._lock:
            kept = self._lexicons.get(key)
        if kept is not None and kept[0] > time.monotonic():
            return kept[1]
        values = yield ReadVocabulary()
        lexicon = Lexicon(question.schema, values, sensitive, question.now)
        with self._lock:
            self._lexicons[key] = (time.monotonic() + KEPT_SECONDS, lexicon)
            while len(self._lexicons) > MOST_KEPT:
                self._lexicons.popitem(last=False)
        return lexicon

    def _refused(self, question: Question, intent: str, parse: Parse, lexicon: Lexicon) -> Translating:
        """Return the refusal of a request: its verb, object and target, and the program that finds the object."""
        said = "other" if intent == SAVE else intent
        verb = deed(parse)
        request = requested(parse, intent, verb) if intent != SAVE else None
        if request is None:
            return Refusal(said, REFUSALS[intent])
        named = "" if request.is_vague else request.object
        read = Parse(tokenize(named), lexicon, parse.now, named)
        sure = yield from accepted_programs(replace(question, history=()), read, [])
        found = sure[0].program if len(sure) == 1 and sure[0].reading.cost < GUESSED else ""
        instead = REFUSALS[intent] if intent == "other" else REFUSALS[intent].partition(". ")[2]
        message = f"I cannot {request}. {instead}"
        if found.startswith("find all ") or not found.startswith("find "):
            found = ""
        if found:
            message += f" To see them, ask for {request.object}."
        known = verb is None or has_known_object(parse, verb[1])
        return Refusal(said, message, known, (), request.verb, request.object, request.target, found)

    def _misspelt_value(self, best: Accepted, parse: Parse) -> Generator[Need, Any, Fixes | str | None]:
        """Return the correction of an unknown value that no document has: one typo away a fix, else an offer."""
        unknown = unknown_words(parse)
        if not unknown or has_answer((yield Try(best.program))):
            return None
        fix = repaired(parse)
        if fix is not None and says_a_value(fix[0], unknown, parse):
            return fix
        text = respelt(parse)
        return text if text and says_a_value(tokenize(text), unknown, parse) else None

    def _believed(self, best: Accepted, others: list[Accepted], notes: tuple[str, ...],
                  steps: list[Step]) -> Translating:
        """A reading that finds nothing is doubted: where the next one finds something, the user is asked."""
        outcome = yield Try(best.program)
        if has_answer(outcome):
            return Translated(best.program, notes)
        for other in others[: MOST_TRIED - 1]:
            if other.reading.cost > best.reading.cost + DOUBT:
                break
            steps.append(Step("rules", "tried", {other.program: "because the first finds nothing"}))
            if has_answer((yield Try(other.program))):
                return _asked_back((best, other))
        return Translated(best.program, notes, sure=isinstance(outcome, NotFound))

    def _distinct(self, parse: Parse, rivals: list[Accepted], notes: tuple[str, ...], steps: list[Step]) -> Translating:
        """Readings of nearly the same cost: those that find nothing are dropped, those that find the same are one."""
        tried = []
        for one in rivals:
            outcome = yield Try(one.program)
            tried.append((one, outcome))
        steps.append(Step("rules", "tried", {one.program: outcome.kind for one, outcome in tried}))
        good = [(one, outcome) for one, outcome in tried if has_answer(outcome)]
        if 1 < len(rivals) > len(good) and differ_by_date(parse.schema, [one.program for one in rivals]):
            return _asked_back(rivals)  # also where one date finds nothing: that it was meant is as likely
        if not good:
            # One reading that finds nothing is an answer, unless it rests on words that nobody knows.
            missing = {outcome.what if isinstance(outcome, NotFound) else "" for _, outcome in tried}
            if len(missing) == 1 and all(map(like_a_file, missing)):
                return Translated(rivals[0].program, notes, sure=len(rivals) == 1)
            unknown = unknown_words(parse)
            rests_on = [parse.tokens[at] for at in unknown if rivals[0].reading.cost > 2 * GUESSED]
            names = rests_on or parse.tokens[1:]  # where much is a guess, nothing but what is unknown may be a name
            named = any(one.kind is TokenKind.QUOTED or one.raw[:1].isupper() for one in names)
            if (len(rivals) == 1 and named) or (not unknown and rivals[0].reading.cost < GUESSED):
                return Translated(rivals[0].program, notes, sure=False)
            return CannotSay(tuple(parse.tokens[at].raw for at in unknown))
        if len({answer_key(outcome) for _, outcome in good}) == 1:
            return Translated(good[0][0].program, notes, sure=len(good) == len(tried))
        return _asked_back([one for one, _ in good])

    def _not_understood(
        self, question: Question, parse: Parse, lexicon: Lexicon
    ) -> Generator[Need, Any, NotHeld | Refusal | CannotSay]:
        if (sentence := without_days(parse)) is not None:
            return CannotSay(cannot_be=sentence)
        if (name := confidential(parse, parse.tokens)) is not None:
            # Who translates next would not see the field either, and might take another one for it.
            others = (one for one in parse.tokens if stem(one.text) not in lexicon.vocabulary)
            means_nothing_else = confidential(parse, others) is not None
            sentence = f"'{name}' is confidential: I cannot show it."
            return CannotSay(cannot_be=sentence, sure=means_nothing_else)
        unmeasured, ways = yield from without_measure(question, parse)
        if unmeasured:
            return CannotSay(cannot_be=unmeasured, suggestions=ways)
        unknown = tuple(parse.tokens[at] for at in unknown_words(parse))
        misspelt = sum(may_be_misspelt(one.text, lexicon) for one in unknown)
        elsewhere = is_of_the_world(parse, unknown_words(parse)) and nothing_known(parse, 1)
        strange = lexicon.has_words_of_users and nothing_known(parse) and misspelt <= len(unknown) / 2
        if elsewhere or strange:
            return Refusal("other", REFUSALS["other"], sure=False)
        if parse.everything:
            return CannotSay(notes=(EVERYTHING,), suggestions=(parse.everything,))
        notes = (NOBODY,) if parse.unknown_asker else ()
        part, near = yield from understood_part(question, parse)
        near = near or ways
        if part is not None:  # what was read is no stranger, whatever it was read by
            unknown = tuple(one for one in unknown if one.raw not in part[0])
        left = words_left(parse) if part is None and not near else ()
        said = tuple(one.raw for one in unknown) or left
        return CannotSay(said, near, notes, part, known_words(parse))


def _most_that_it_may_cost(question: Question, parse: Parse) -> float:
    """Return the highest cost of a reading that counts: more in a longer question, and where a word is like a name."""
    tokens = parse.tokens
    if not VAGUE.isdisjoint(parse.cues) and without_days(parse) is not None:
        return SURE  # what is read in its place is a guess
    most = MOST + MOST_PER_WORD * sum(token.kind is not TokenKind.MARK for token in tokens)
    named = any(tokens[at].raw[:1].isupper() or tokens[at].raw[:1].isdecimal() for at in unknown_words(parse) if at)
    return most + FOR_UNKNOWN_NAMES if named else most


def _checked(parse: Parse, read: Parse, best: Accepted, chosen: Translated, steps: list[Step]) -> Translating:
    """Check the program of a reading against the question; return it with its notes, or what declines it."""
    chosen = yield from answering.up_to_now(parse, chosen)
    chosen = yield from answering.kinds_added_up(parse, chosen)
    for check in (answering.counted_by_records, answering.those_that_have_none, answering.of_which_things):
        believed = yield from check(parse, chosen)
        if not isinstance(believed, Translated):
            return believed
        chosen = believed
    program = chosen.program
    also = (*answering.taken_for(parse, program), *unnamed(parse, parse_program(program).statement))
    also += left_out(parse, program)
    also += (yield from answering.empties(parse, program))
    also += answering.met_by_different_elements(parse, program)
    doubts = yield from tried(read, confidence(read, program, best.reading.cost), program)
    if not doubts.answerable:
        return doubted(program, doubts, steps)
    if doubts.unaccounted:
        unused = "', '".join(doubts.unaccounted)
        also += (f"No use was found for '{unused}'.",)
    surely = chosen.sure and doubts.sure
    if not surely:
        steps.append(Step("rules", UNSURE, doubts.against))
    return replace(chosen, notes=(*chosen.notes, *also), sure=surely)


def _is_known(said: Translated | AskBack | CannotSay) -> bool:
    """Whether a result needs no better one: a sure reading, or what is known to be impossible."""
    return bool(said.cannot_be) or said.sure if isinstance(said, CannotSay) else said.sure


def _with_the_reading(said: Translation, parse: Parse, sure: Sequence[Accepted]) -> Translating:
    """Suggest the reading that was a guess, if it is whole and has an answer; ask which date if only that differs."""
    if not isinstance(said, CannotSay) or said.words or said.cannot_be or not sure:
        return said
    doubts = confidence(parse, sure[0].program, sure[0].reading.cost)
    whole = not (doubts.unaccounted or doubts.unmet or doubts.taken or doubts.bare)
    tied = [one for one in sure[:MOST_TRIED] if one.reading.cost == sure[0].reading.cost]
    if whole and len(tied) > 1 and differ_by_date(parse.schema, [one.program for one in tied]):
        return _asked_back(tied)
    has = whole and not said.suggestions and has_answer((yield Try(sure[0].program)))
    return replace(said, suggestions=(sure[0].program,)) if has else said


def _asked_back(readings: Sequence[Accepted]) -> AskBack:
    options = tuple((one.program, one.program) for one in readings)
    return AskBack("This can be read in several ways. Which do you mean?", options, sure=False)
