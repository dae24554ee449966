"""The rules as a translator: read the question in every way, and answer only where one way is clearly the best."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Generator, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qlc.base.options import permitted
from qlc.grammar import parse as parse_program
from qlc.outcome import NotFound, answer_key, has_answer
from qlc.translator.programs import differ_by_date
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
    Try,
)
from qlc.translator.rules import answering, near_questions
from qlc.translator.rules.confidence import SURE, confidence, doubted, tried
from qlc.translator.rules.equivalence import cannot_be_meant, normal_form, unbound
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.occurrence import never_together
from qlc.translator.rules.lexicon.spelling import Fixes, may_be_misspelt, repaired, respelt, says_a_value
from qlc.translator.rules.list_sizes import lacks_a_number, not_counted, sizes
from qlc.translator.rules.looking_up import looked_up, written_as_ids
from qlc.translator.rules.nouns.degrees import has_no_measure
from qlc.translator.rules.nouns.names import like_a_file
from qlc.translator.rules.parse import DIGITS, Parse
from qlc.translator.rules.programs import Reading, programs
from qlc.translator.rules.quantities.dates import impossible_day
from qlc.translator.rules.quantities.spans import VAGUE, without_days
from qlc.translator.rules.questions.courtesies import SAVE, is_of_the_world
from qlc.translator.rules.questions.deeds import action, deed, has_known_object, requested
from qlc.translator.rules.questions.finishing import left_out
from qlc.translator.rules.questions.unknown import (
    EVERY_YEAR,
    NOT_AMONG_THEMSELVES,
    comes_back,
    confidential,
    is_among_themselves,
    nothing_known,
    unknown_words,
)
from qlc.translator.rules.questions.unnamed import unnamed
from qlc.translator.rules.questions.unspecified import unspecified
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.tokens import TokenKind, tokenize

MARGIN = 0.16
"""How much dearer the next reading of another meaning must be, for the cheapest to count as sure."""
FOR_UNKNOWN_NAMES = 0.8
"""Additional cost that a reading may have if a word looks like a name but none is known; it is tried anyway."""
GUESSED = 0.55
"""Readings from this cost on may take words for a name that nothing is known of: they are tried before believed."""
DOUBT = 0.3
"""How much dearer a reading may be that is tried where the best one finds nothing."""
FAR_FETCHED = 0.5
"""How much dearer a reading may be than one whose fields never occur together, to be believed in its place."""
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


MOST, MOST_PER_WORD = 0.58, 0.08
"""Readings that cost more rest on too many guesses. Longer questions have more to be read."""


@dataclass(frozen=True, slots=True)
class _Sure:
    """A reading that the checker accepts: `meaning` is equal for readings that say the same."""

    reading: Reading
    program: str
    meaning: str


Readings = Generator[Need, Any, list[_Sure]]


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
        return AskBack(pointed.question, (), sure=pointed.surely)

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
        notes: tuple[str, ...] = ()
        read = parse
        sure = yield from self._readings(question, parse, steps)
        most = MOST + MOST_PER_WORD * sum(token.kind is not TokenKind.MARK for token in tokens)
        if any(tokens[at].raw[:1].isupper() or tokens[at].raw[:1].isdecimal() for at in unknown_words(parse) if at):
            most += FOR_UNKNOWN_NAMES
        vague = not VAGUE.isdisjoint(parse.cues) and without_days(parse) is not None
        if vague or (DIGITS in parse.cues and impossible_day(question.text) is not None):
            most = SURE  # what is read in its place is a guess
        if sure and sure[0].reading.cost <= most:
            fix = yield from self._misspelt_value(sure[0], parse)
            if isinstance(fix, str):
                return CannotSay(tuple(tokens[at].raw for at in unknown_words(parse)), (fix,))
        else:
            fix = repaired(parse)
        if fix is not None:
            fixed_tokens, fixed = fix
            second = Parse(fixed_tokens, lexicon, parse.now, question.text)
            again = yield from self._readings(question, second, steps)
            if again and (not sure or sure[0].reading.cost > most or has_answer((yield Try(again[0].program)))):
                sure, read = again, second
                notes = tuple(f"Read '{wrong}' as '{right}'." for wrong, right in fixed)
        if not sure or sure[0].reading.cost > most:
            said = yield from self._not_understood(question, parse, lexicon)
            return (yield from _with_the_reading(said, parse, sure))
        best = sure[0]
        rivals = [one for one in sure[1:] if one.reading.cost < best.reading.cost + MARGIN][: MOST_TRIED - 1]
        if not rivals and best.reading.cost < GUESSED:
            chosen = yield from self._believed(best, sure[1:], notes, steps)
        else:
            chosen = yield from self._distinct(parse, [best, *rivals], notes, steps)
        if isinstance(chosen, Translated):
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
        return chosen

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
        sure = yield from self._readings(replace(question, history=()), read, [])
        found = sure[0].program if len(sure) == 1 and sure[0].reading.cost < GUESSED else ""
        instead = REFUSALS[intent] if intent == "other" else REFUSALS[intent].partition(". ")[2]
        message = f"I cannot {request}. {instead}"
        if found.startswith("find all ") or not found.startswith("find "):
            found = ""
        if found:
            message += f" To see them, ask for {request.object}."
        known = verb is None or has_known_object(parse, verb[1])
        return Refusal(said, message, known, (), request.verb, request.object, request.target, found)

    def _readings(self, question: Question, parse: Parse, steps: list[Step]) -> Readings:
        """The readings that are programs without errors, each meaning once."""
        found = programs(parse)
        words = {} if found else {"words": near_questions.word_meanings(parse)}
        steps.append(Step("rules", "readings", {"readings": [(one.program, one.cost) for one in found], **words}))
        seen: set[str] = set()
        spoken = tuple(sizes(parse, 0))
        sure: list[_Sure] = []
        dropped = float("inf")
        for one in found:
            if sure and one.cost > sure[0].reading.cost + DOUBT:
                break  # dearer ones are neither asked about nor tried
            if one.program.startswith("find all ") and question.history and not parse.says_all:
                parse.everything = parse.everything or one.program
                continue  # after other questions `list documents` may mean theirs
            diagnosis = yield Diagnose(one.program)
            if diagnosis.failed or cannot_be_meant(diagnosis.text, question.schema):
                continue
            if spoken and lacks_a_number(spoken, diagnosis.text, question.schema):
                continue
            if unbound(diagnosis.text, question.schema, question.params):
                parse.unknown_asker = True
                continue
            meaning = normal_form(diagnosis.text, question.schema)
            if meaning in seen:
                continue
            seen.add(meaning)
            never = yield from never_together(diagnosis.text, parse.lexicon, parse.guessed)
            if never is None and (one.cost < GUESSED or one.cost < dropped + FAR_FETCHED):
                sure.append(_Sure(one, diagnosis.text, meaning))
            else:  # far-fetched readings do not take the place of what nothing has
                dropped = min(dropped, one.cost) if never is not None else dropped
                steps.append(Step("rules", "dropped", {one.program: str(never or "far-fetched")}))
        return sure

    def _misspelt_value(self, best: _Sure, parse: Parse) -> Generator[Need, Any, Fixes | str | None]:
        """Return the correction of an unknown value that no document has: one typo away a fix, else an offer."""
        unknown = unknown_words(parse)
        if not unknown or has_answer((yield Try(best.program))):
            return None
        fix = repaired(parse)
        if fix is not None and says_a_value(fix[0], unknown, parse):
            return fix
        text = respelt(parse)
        return text if text and says_a_value(tokenize(text), unknown, parse) else None

    def _believed(self, best: _Sure, others: list[_Sure], notes: tuple[str, ...], steps: list[Step]) -> Translating:
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

    def _distinct(self, parse: Parse, rivals: list[_Sure], notes: tuple[str, ...], steps: list[Step]) -> Translating:
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
        if (sentence := impossible_day(parse.text)) is not None:
            return CannotSay(cannot_be=f"{sentence} Name another one.")
        if (sentence := without_days(parse)) is not None:
            return CannotSay(cannot_be=sentence)
        if (name := confidential(parse, parse.tokens)) is not None:
            # Who translates next would not see the field either, and might take another one for it.
            others = (one for one in parse.tokens if stem(one.text) not in lexicon.vocabulary)
            means_nothing_else = confidential(parse, others) is not None
            sentence = f"'{name}' is confidential: I cannot show it."
            return CannotSay(cannot_be=sentence, sure=means_nothing_else)
        unmeasured, ways = yield from self.without_measure(question, parse, lexicon)
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
        part, near = yield from self._understood(question, parse, lexicon)
        near = near or ways
        if part is not None:  # what was read is no stranger, whatever it was read by
            unknown = tuple(one for one in unknown if one.raw not in part[0])
        left = near_questions.words_left(parse) if part is None and not near else ()
        said = tuple(one.raw for one in unknown) or left
        return CannotSay(said, near, notes, part, near_questions.known_words(parse))

    def without_measure(
        self, question: Question, parse: Parse, lexicon: Lexicon
    ) -> Generator[Need, Any, tuple[str, tuple[str, ...]]]:
        """Return the sentence of `has_no_measure` or `not_counted`, with its questions that are surely read; without a
        sentence the questions of `with_a_measure`."""
        sentence, ways = has_no_measure(parse)
        if not sentence:
            sentence, ways = not_counted(parse)
        most = 0.0 if sentence else MOST + MOST_PER_WORD * parse.end
        sure: list[str] = []
        for one in ways or near_questions.with_a_measure(parse):
            sure += yield from self._with_answer(question, one, parse, lexicon, most)
        return sentence, tuple(sure)

    def _understood(
        self, question: Question, parse: Parse, lexicon: Lexicon
    ) -> Generator[Need, Any, tuple[tuple[str, str] | None, tuple[str, ...]]]:
        """Return the part that is a question of its own with the rest, and a similar question; both surely read."""
        most = MOST + MOST_PER_WORD * parse.end
        whole = near_questions.with_whole_values(parse)
        near = (yield from self._with_answer(question, whole, parse, lexicon, most)) if whole else ()
        found = near_questions.longest_part(parse)
        if found is not None:
            text = parse.raw(*found)
            if (yield from self._surely_read(question, text, parse, lexicon)):
                if not near and near_questions.is_whole(parse, found[1]):
                    near = yield from self._with_answer(question, text, parse, lexicon)
                return (text, near_questions.left_over(parse, found[1])), near
        if near:
            return None, near
        again = respelt(parse)
        return None, (yield from self._with_answer(question, again, parse, lexicon, most)) if again else ()

    def _with_answer(
        self, question: Question, text: str, parse: Parse, lexicon: Lexicon, most: float = 0.0
    ) -> Generator[Need, Any, tuple[str, ...]]:
        """Return a text if it is surely read and its program has an answer."""
        program = yield from self._surely_read(question, text, parse, lexicon, most)
        return (text,) if program and has_answer((yield Try(program))) else ()

    def _surely_read(
        self, question: Question, text: str, parse: Parse, lexicon: Lexicon, most: float = 0.0
    ) -> Generator[Need, Any, str]:
        """Return the program of a text with one reading that is sure, or one of the cost that is asked for."""
        sure = yield from self._readings(question, Parse(tokenize(text), lexicon, parse.now, text), [])
        alone = len(sure) == 1 or (len(sure) > 1 and sure[1].reading.cost >= sure[0].reading.cost + MARGIN)
        is_sure = (alone and sure[0].reading.cost < GUESSED) or (bool(sure) and sure[0].reading.cost < most)
        return sure[0].program if is_sure else ""


def _is_known(said: Translated | AskBack | CannotSay) -> bool:
    """Whether a result needs no better one: a sure reading, or what is known to be impossible."""
    return bool(said.cannot_be) or said.sure if isinstance(said, CannotSay) else said.sure


def _with_the_reading(said: Translation, parse: Parse, sure: Sequence[_Sure]) -> Translating:
    """Suggest the reading that was too much of a guess, if it leaves out no word, has an answer, and nothing else is
    suggested."""
    if not isinstance(said, CannotSay) or said.suggestions or said.words or said.cannot_be or not sure:
        return said
    doubts = confidence(parse, sure[0].program, sure[0].reading.cost)
    whole = not (doubts.unaccounted or doubts.unmet or doubts.taken or doubts.bare)
    has = whole and has_answer((yield Try(sure[0].program)))
    return replace(said, suggestions=(sure[0].program,)) if has else said


def _asked_back(readings: Sequence[_Sure]) -> AskBack:
    options = tuple((one.program, one.program) for one in readings)
    return AskBack("This can be read in several ways. Which do you mean?", options, sure=False)
