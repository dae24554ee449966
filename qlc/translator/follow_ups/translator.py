"""Follow-ups as a translator: what is said after an earlier answer, read as a change of its program."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qlc.compiler.periods import Clock
from qlc.grammar import parse, print_program, print_statement, tree
from qlc.outcome import answer_key, has_answer
from qlc.translator.explanations import asked_about, explanation, why_not_run
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.conditions import says_which_came_last
from qlc.translator.follow_ups.editing import about, with_lets
from qlc.translator.follow_ups.history import Base, Earlier, base_of, is_answered, is_aside, latest, remembered
from qlc.translator.follow_ups.joining import Meaning, of_the_rows_shown, with_what_is_left_out, without_those_before
from qlc.translator.follow_ups.reading import Readings, beginnings, ending, is_a_noun_alone, is_a_part, readings
from qlc.translator.follow_ups.topics import (
    NOT_IN_THIS_MESSAGE,
    NOT_SEARCHED,
    Returned,
    as_if_first,
    in_plain_words,
    program_of,
    returned,
    speaks_of_earlier,
    unheard,
    which_of_several,
    with_names,
)
from qlc.translator.in_words import program_in_words
from qlc.translator.protocol import (
    AskBack,
    CannotSay,
    Diagnose,
    Explained,
    Need,
    Question,
    Refusal,
    Step,
    Translated,
    Translating,
    Try,
)
from qlc.translator.rules.answering import empties
from qlc.translator.rules.build import parts
from qlc.translator.rules.confidence import confidence, doubted, tried
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldWord
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.occurrence import never_together
from qlc.translator.rules.list_sizes import lacks_a_number, sizes
from qlc.translator.rules.near_questions import repaired, without_measure
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.programs import (
    DOUBT,
    FOR_UNKNOWN_NAMES,
    GUESSED,
    MARGIN,
    MOST,
    MOST_PER_WORD,
    cannot_be_meant,
    normal_form,
    programs,
)
from qlc.translator.rules.questions.deeds import action
from qlc.translator.rules.questions.finishing import unnamed
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.questions.unknown import (
    NOT_AMONG_THEMSELVES,
    is_among_themselves,
    known_words,
    looked_up,
    nothing_known,
    unknown_words,
    words_left,
)
from qlc.translator.rules.translator import MOST_TRIED, UNSURE, RuleTranslator
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.tokens import Token, TokenKind, tokenize

_Reading = Generator[Need, Any, Translated | AskBack | Explained | CannotSay | None]
READ_BY_ITSELF = "The message before this one was not understood, so this one was read by itself."
NO_SUCH_FILTER = "The last question asks for nothing of that kind, so nothing can be left out of it."
WHICH_FILTER = "It is not clear which filter to drop: name it, as in 'forget the date'."
WHICH = "This can be meant in several ways. Which one?"
MOST_CHECKED = 12  # meanings that are checked, cheapest first
_EMPTY = ("hits", "count", "aggregate", "value")
AS_LIKELY, TIED = 0.04, 0.01
"""Costs beyond the cheapest meaning: up to which one that finds something is kept, and up to which both are tied."""
OTHER = "other"  # the intent of verbs that change nothing, such as `forget`, which can speak of a filter


class FollowUpTranslator:
    """Reads changes of an earlier program; leaves whole questions to the rules, and no part of a sentence."""

    def __init__(self, own: RuleTranslator | None = None) -> None:
        self.rules = own or RuleTranslator()

    def forget(self) -> None:
        self.rules.forget()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        said = yield from self._translated(question, steps)
        if not question.history:
            return said
        if isinstance(said, CannotSay) and not said.cannot_be:
            lexicon = yield from self.rules.lexicon(question)
            parse = Parse(tokenize(question.text), lexicon, question.now.astimezone(question.timezone), question.text)
            unmeasured, ways = yield from without_measure(question, parse)
            notes = (*which_of_several(question), *said.notes)
            said = replace(said, cannot_be=unmeasured, suggestions=ways or said.suggestions, notes=notes)
            if not said.words and said.notes and said.notes[0].startswith((NOT_SEARCHED, NOT_IN_THIS_MESSAGE)):
                said = replace(said, cannot_be=said.notes[0], notes=said.notes[1:])
            elif not said.words and said.part is None:
                said = replace(said, words=words_left(parse), known=said.known or known_words(parse))
                if not (said.words or said.cannot_be or any(parse.starting(at, EntityWord) for at in range(parse.end))):
                    said = replace(said, cannot_be=" ".join(unheard(question)))
        return with_names(said, question.history)

    def _translated(self, question: Question, steps: list[Step]) -> Translating:
        question = replace(question, history=tuple(turn for turn in question.history if not is_aside(turn)))
        asked = asked_about(question.text, question.history, question.schema)
        if asked is not None:
            steps.append(Step("follow-ups", f"asks about an earlier query: {asked.what}"))
            last = question.history[-1] if question.history else None
            if last is not None and not is_answered(last) and not speaks_of_earlier(question.text):
                why = why_not_run(last)
                return Explained(why) if why is not None else CannotSay(notes=unheard(question))
            clock = Clock(question.now, question.timezone, question.schema.week_start)
            return Explained((yield from explanation(asked, question.schema, clock)))
        if not question.history:
            return (yield from self.rules.translate(question, steps))
        if question.history[-1].of_this_message and not is_answered(question.history[-1]):
            return CannotSay(notes=unheard(question))  # it speaks of what the sentence before it asks for
        lexicon = yield from self.rules.lexicon(question)
        earlier = remembered(question.history)
        base = base_of(earlier, question.schema)
        question = replace(question, text=in_plain_words(question.text, base, question.history[-1]))
        tokens = tokenize(question.text)
        whole = Parse(tokens, lexicon, question.now.astimezone(question.timezone), question.text)
        if whole.says_all and any(one.program.startswith("find all ") for one in programs(whole)[:1]):
            return (yield from self.rules.translate(question, steps))  # `list all folders` is complete by itself
        if is_among_themselves(whole):
            return CannotSay(cannot_be=NOT_AMONG_THEMSELVES)
        back = returned(whole, earlier)
        if back is not None:
            return (yield from self._went_back(question, whole, earlier, back, steps))
        said = yield from self._read(question, tokens, lexicon, earlier, steps)
        if said is not None:
            return said
        own = yield from self.rules.translate(replace(question, text=as_if_first(question.text)), steps)
        if isinstance(own, Refusal) and not is_answered(question.history[-1]) and _may_change(whole):
            return CannotSay(notes=unheard(question))
        if isinstance(own, Refusal) and not english.CHANGING_LISTS.isdisjoint(token.text for token in tokens):
            return replace(own, sure=False)
        if isinstance(own, Translated):
            if not is_answered(question.history[-1]) and is_a_part(whole):
                asks = any(True for at in range(2) for _ in whole.phrases(at, plain.ASKING))
                if own.program.startswith("find ") and not asks:
                    return CannotSay(notes=unheard(question))  # `over 500 dollars` of what was not understood
                own = replace(own, notes=(*own.notes, READ_BY_ITSELF))
            own = without_those_before(own, base, question.text)
            return with_what_is_left_out(own, base) if english.THEM & {token.text for token in tokens} else own
        return own

    def _went_back(self, question: Question, parse: Parse, earlier: Sequence[Earlier], back: Returned,
                   steps: list[Step]) -> Translating:
        one = earlier[back.turn]
        steps.append(Step("follow-ups", f"goes back to turn {back.turn + 1}"))
        program = program_of(one, back)
        note = f"Back to: {program_in_words(program, question.schema)}."
        rest = parse.text[parse.tokens[back.rest].start :] if back.rest < parse.end else ""
        if rest:
            asked = replace(question, text=rest, history=question.history[: back.turn + 1])
            read = yield from self._read(asked, tokenize(rest), parse.lexicon, earlier[: back.turn + 1], steps)
            if isinstance(read, Translated):
                return replace(read, notes=(note, *read.notes))
            return read if read is not None else CannotSay(tuple(rest.split()[:3]))
        return Translated(program, (note,), one.turn.number or None)

    def _read(
        self, question: Question, tokens: tuple[Token, ...], lexicon: Lexicon, earlier: Sequence[Earlier],
        steps: list[Step],
    ) -> _Reading:  # fmt: skip
        """The translation of a follow-up; None for a question that is complete by itself."""
        end, mode = ending(tokens)
        p = Parse(tokens[:end], lexicon, question.now.astimezone(question.timezone), question.text)
        if earlier[-1].is_unclear and _goes_on_unheard(p, mode == "narrow"):
            return CannotSay(notes=unheard(question))
        found = yield from looked_up(p)
        read = readings(p, mode, earlier, found)
        notes: tuple[str, ...] = ()
        fix = None if read.meanings or read.own else repaired(p)
        if fix is not None:
            mended = Parse(fix[0], lexicon, p.now, question.text)
            again = readings(mended, mode, earlier, found)
            if again.meanings:
                p, read, notes = mended, again, tuple(f"Read '{wrong}' as '{right}'." for wrong, right in fix[1])
        base = base_of(earlier, question.schema)
        intent, modes = action(p), {one.mode for one in beginnings(p, mode)}
        drops = "drop" in modes and _names_a_condition(p, base)
        if drops and "without the" in question.text.casefold():
            # "without the type" is not "without a type"
            read = replace(read, meanings=tuple(one for one in read.meanings if one.drops))
        why_not = yield from _why_not(question, p, base, read, drops=drops)
        if why_not is not None:
            return why_not
        changes = read.cued or "replace" in modes or ("drop" in modes and intent == OTHER) or (drops and read.meanings)
        asks_of_it = read.meanings and read.refers and p.word(0) in plain.ASKING_WORDS
        if intent is not None and not changes and not asks_of_it:
            speaks_of_it = base is not None and english.CONDITIONS & {token.text for token in p.tokens}
            return CannotSay() if speaks_of_it else None
        if not read.meanings:
            return _not_read(question, p, read, intent is not None or bool(latest(earlier) is None and (
                modes - {"", "narrow"} or "only" in {one.text for one in p.tokens})))  # fmt: skip
        last = latest(earlier)
        lets = last.program.lets if last is not None and last.program is not None else ()
        sure = yield from checked(read.meanings, lets, question, lexicon, steps)
        spoken = tuple(sizes(p, 0))
        sure = [one for one in sure if not spoken or not lacks_a_number(spoken, one.program, question.schema)]
        unknown = unknown_words(p)
        most = MOST + MOST_PER_WORD * sum(token.kind is not TokenKind.MARK for token in p.tokens)
        most += FOR_UNKNOWN_NAMES if any(p.tokens[at].raw[:1].isupper() for at in unknown) else 0.0
        if not sure or sure[0].cost > most:
            own = read.own and not read.refers and not read.cued
            return None if own else CannotSay(tuple(p.tokens[at].raw for at in unknown))
        choices = {token: id for turn in question.history for token, id in turn.choices.items()}
        answer = yield from chosen(sure, notes, steps, base, choices)
        if isinstance(answer, Translated):
            if any(one.changes for one in sure if one.program == answer.program):
                answer = of_the_rows_shown(with_what_is_left_out(answer, base), base, tokens)
            found_out = confidence(p, answer.program, sure[0].cost, question.history[-1].program)
            found_out = (yield from tried(p, found_out, answer.program)) if found_out.sure else found_out
            if not found_out.sure:
                steps.append(Step("follow-ups", UNSURE, found_out.against))
            if found_out.unmet:
                return doubted(answer.program, found_out, steps)
            before = base.statement if base is not None else None
            assumed = tuple(unnamed(p, parse(answer.program).statement, before))
            assumed += yield from empties(p, answer.program)
            answer = replace(answer, notes=(*answer.notes, *assumed), sure=answer.sure and found_out.sure)
        return answer


def _not_read(question: Question, p: Parse, read: Readings, changes: bool) -> CannotSay | None:
    """Return why a text that matched no row is not understood; None if it may be a question of its own."""
    part = not read.own and is_a_part(p)
    if not (read.refers or part or changes) or (p.word(0) in plain.ASKING_WORDS | {"whats"} and nothing_known(p)):
        return None
    if part and not (read.refers or changes or is_answered(question.history[-1])):
        return None  # `total rent by city` is no change of the message before, which was not understood
    why = unheard(question) if changes or part else ()
    return CannotSay(tuple(p.tokens[at].raw for at in unknown_words(p)), notes=why)


def _may_change(p: Parse) -> bool:
    """`drop Tom`: rather of a search that was not understood than of what is stored."""
    begins = p.word(p.past(0, plain.POLITE | plain.AND)) in english.CHANGING_LISTS
    return begins and not any(p.starting(at, EntityWord) for at in range(p.end))


@dataclass(frozen=True, slots=True)
class Sure:
    """A meaning that the checker accepts."""

    program: str
    notes: tuple[str, ...]
    cost: float
    changes: bool


def checked(meanings: Sequence[Meaning], lets: tuple[tree.Let, ...], question: Question, lexicon: Lexicon,
            steps: list[Step]) -> Generator[Need, Any, list[Sure]]:
    """The meanings whose programs hold together, surest first, each program once."""
    diagnosed: dict[str, Any] = {}
    best: dict[str, Sure] = {}
    for meaning in sorted(meanings, key=lambda one: one.cost + one.ways[0].cost)[:MOST_CHECKED]:
        for way in meaning.ways:
            statement = way.statement
            if meaning.drops and isinstance(statement, tree.Find):
                statement = replace(statement, every=True)  # without its only condition it is all of them
            program = print_program(with_lets(lets, statement))
            if program not in diagnosed:
                diagnosis = yield Diagnose(program)
                conditions = diagnosis.text  # groups may well be narrowed to some
                if not diagnosis.failed and isinstance(statement, tree.Aggregate):
                    own = parse(diagnosis.text).statement
                    conditions = print_statement(tree.Find(own.entity, own.where, limit=1))  # type: ignore[union-attr]
                failed = diagnosis.failed or cannot_be_meant(conditions, question.schema)
                diagnosed[program] = None if failed else diagnosis.text
            text = diagnosed[program]
            if text is None:
                continue
            never = yield from never_together(text, lexicon)
            cost, normal = round(meaning.cost + way.cost, 3), normal_form(text, question.schema)
            if never is None and (normal not in best or cost < best[normal].cost):
                best[normal] = Sure(text, way.notes, cost, meaning.changes)
            break
    found = sorted(best.values(), key=lambda one: one.cost)
    steps.append(Step("follow-ups", "readings", {"readings": [(one.program, one.cost) for one in found]}))
    return found


def _of_one(one: Sure, notes: tuple[str, ...], base: Base | None) -> Translated:
    """The list that a changed list takes the place of is reported; a number of the same things leaves it open."""
    lists = base is not None and isinstance(base.statement, tree.Find) and one.program.startswith("find ")
    number = base.earlier.turn.number if base is not None and lists and one.changes else 0
    offset = base.statement.offset if base is not None and isinstance(base.statement, tree.Find) else None
    kept_place = bool(offset and one.notes and f" offset {offset}" in one.program)
    place = (f"Number {(offset or 0) + 1} in the same order, as before.",) if kept_place else ()
    return Translated(one.program, (*notes, *one.notes, *place), number or None)


def chosen(sure: Sequence[Sure], notes: tuple[str, ...], steps: list[Step], base: Base | None,
           choices: Mapping[str, str]) -> Generator[Need, Any, Translated | AskBack | CannotSay]:
    """The one that is clearly the best; else those that find something are distinguished."""
    best = sure[0]
    rivals = [one for one in sure[1:] if one.cost < best.cost + MARGIN][: MOST_TRIED - 1]
    further = [one for one in sure[1:] if one not in rivals and one.cost < best.cost + DOUBT][:MOST_TRIED]
    if not rivals and best.cost < GUESSED:
        return _of_one(best, notes, base)
    ran = []
    for one in (best, *rivals):
        outcome = yield Try(one.program, choices)
        ran.append((one, outcome))
    steps.append(Step("follow-ups", "tried", {one.program: outcome.kind for one, outcome in ran}))
    # What finds nothing is no reason to believe something as likely; a refinement may well find nothing.
    likely = best.cost + AS_LIKELY
    good = [(one, outcome) for one, outcome in ran if has_answer(outcome)
            or (one.cost <= likely and one is not best and outcome.kind in _EMPTY)]  # fmt: skip
    if not any(has_answer(outcome) for _, outcome in ran):
        good = []
    for one in further if not good and rivals else ():
        outcome = yield Try(one.program, choices)
        if has_answer(outcome):
            good.append((one, outcome))
    empty = all(outcome.kind in _EMPTY for _, outcome in ran)
    ties = [one for one, _ in ran if one.cost <= best.cost + TIED]
    if not good and len(ties) > 1 and empty:
        return _which(ties)  # nothing tells them apart
    if not good:
        unsure = best.cost >= GUESSED and any(one.cost <= likely for one in rivals)
        said = _of_one(best, notes, base) if (empty and not unsure) or not rivals else CannotSay()
        return replace(said, sure=False) if isinstance(said, Translated) else said
    if ran[0][1].kind in _EMPTY and not has_answer(ran[0][1]):
        good.insert(0, ran[0])
    if len({repr(answer_key(outcome)) for _, outcome in good}) == 1:
        return replace(_of_one(good[0][0], notes, base), sure=len(good) == len(ran))
    return _which([one for one, _ in good])


def _which(ways: Sequence[Sure]) -> AskBack:
    return AskBack(WHICH, tuple((one.program, one.program) for one in ways), sure=False)


def _goes_on_unheard(p: Parse, narrows: bool) -> bool:
    """Whether a text goes on from a message that was not understood: `just the reports`, `and Ann?`, `on shoes`."""
    begin = p.past(0, plain.POLITE | plain.AND)
    only = any(p.word(at) in english.ONLY and not any(True for _ in p.phrases(at + 1, plain.ASKING))
               for at in range(begin + 1))  # fmt: skip
    if only or (narrows and is_a_noun_alone(p)):
        return True
    starts = {begin, *p.phrases(begin, english.LEADS["replace"])}
    asks = any(True for start in starts for _ in p.phrases(start, plain.ASKING)) or any(
        p.word(start) in plain.ASKING_WORDS for start in starts)  # fmt: skip
    things = any(p.starting(at, EntityWord) for at in range(p.end))
    goes_on = p.word(0) in plain.AND or len(starts) > 1 or (p.word(begin) in plain.PREPOSITIONS and not things)
    return goes_on and not asks


def _names_a_condition(p: Parse, base: Base | None) -> bool:
    """`drop the date`, `remove the price filter`: of what was asked for, and nothing of what is stored."""
    own = ({slot for one in parts(base.statement.where) for slot in about(one, base.entity)} if base is not None
           else set())
    for at in (p.articles(said.at) for said in beginnings(p) if said.mode == "drop"):
        named = [(one.end, one.payload.ref.path in own) for one in p.starting(at, FieldWord)]
        things = any(p.starting(at, EntityWord)) and not any(known and finished(p, end) for end, known in named)
        ends = [end for end, _ in named] + [at + 1] * any(p.word(at) in one for one in english.GENERIC_FIELDS.values())
        if not things and any(finished(p, p.past(end, english.FILTERS | {"date", "time"})) for end in ends):
            return True
    return False


def _why_not(question: Question, p: Parse, base: Base | None, read: Readings, *, drops: bool) -> _Reading:
    """Explain a change that is understood but cannot be made: list the conditions there are, or what to ask."""
    if base is None:
        return None
    if not read.meanings:
        ends = list(p.phrases(p.past(0, plain.POLITE | plain.AND), english.LEADS["drop"]))
        which = any(says_which_came_last(p, end) for end in ends)
        if which or drops or (ends and p.word(p.end - 1) in english.CONDITIONS):
            asked = asked_about("which filters", question.history, question.schema)
            assert asked is not None
            told = yield from explanation(asked, question.schema)
            why = WHICH_FILTER if which else NO_SUCH_FILTER
            return Explained(told.model_copy(update={"message": f"{why} {told.message}"}))
    return None
