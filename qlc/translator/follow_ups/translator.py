"""Follow-ups as a translator: what is said after an earlier answer, read as a change of its program."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from qlc.compiler.periods import Clock
from qlc.translator.explanations import asked_about, explanation, why_not_run
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.asides import is_aside
from qlc.translator.follow_ups.choosing import checked, chosen, weighed_by_words
from qlc.translator.follow_ups.completeness import (
    asks_whether,
    is_a_part,
    takes_a_noun_for_a_name,
)
from qlc.translator.follow_ups.content import Meaning
from qlc.translator.follow_ups.dropping import (
    drops_a_condition,
    takes_the_last_away,
)
from qlc.translator.follow_ups.history import (
    Earlier,
    base_of,
    is_answered,
    latest,
    remembered,
)
from qlc.translator.follow_ups.merging import with_what_is_left_out, without_those_before
from qlc.translator.follow_ups.one_thing import one_thing
from qlc.translator.follow_ups.ordering import with_note_on_order
from qlc.translator.follow_ups.reading import readings
from qlc.translator.follow_ups.rows import with_note_on_rows, with_note_on_year
from qlc.translator.follow_ups.speech import beginnings, ending
from qlc.translator.follow_ups.topics import Returned, program_of, returned, speaks_of_earlier
from qlc.translator.follow_ups.unread import (
    NO_SUCH_FILTER,
    NOT_SEARCHED,
    goes_on_unheard,
    last_of_more,
    unheard,
    which_filter,
    with_names,
)
from qlc.translator.follow_ups.wording import (
    another_meant,
    by_itself,
    in_own_words,
    plainly,
    taken_for,
)
from qlc.translator.in_words import program_in_words
from qlc.translator.protocol import (
    AskBack,
    CannotSay,
    Explained,
    Need,
    Question,
    Refusal,
    Step,
    Translated,
    Translating,
)
from qlc.translator.rules.lexicon.lexemes import EntityWord
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.spelling import repaired
from qlc.translator.rules.near_questions import known_words, words_left
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.intents import (
    action,
    nothing_known,
    unknown_words,
)
from qlc.translator.rules.translator import (
    FOR_UNKNOWN_NAMES,
    MOST,
    MOST_PER_WORD,
    RuleTranslator,
    looked_up,
    programs,
)
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.tokens import Token, TokenKind, tokenize

_Reading = Generator[Need, Any, Translated | AskBack | Explained | CannotSay | None]

OTHER = "other"
"""The intent of verbs that change nothing, such as `forget`, which can speak of a filter."""


class FollowUpTranslator:
    """Comes before the rules: a question with no turns before it, or that is complete by itself, is theirs.

    Whatever else is said is a change of an earlier program, or it is declined: the rules are not asked to read a part
    of a sentence as if nothing had been said before it.
    """

    def __init__(self, rules: RuleTranslator | None = None) -> None:
        self.rules = rules or RuleTranslator()

    def forget(self) -> None:
        self.rules.forget()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        said = yield from self._translated(question, steps)
        if not question.history:
            return said
        if isinstance(said, CannotSay) and not said.cannot_be:
            lexicon = yield from self.rules.lexicon(question)
            parse = Parse(tokenize(question.text), lexicon, question.now.astimezone(question.timezone), question.text)
            unmeasured, ways = yield from self.rules.without_measure(question, parse, lexicon)
            notes = (*said.notes,)
            said = replace(said, cannot_be=unmeasured, suggestions=ways or said.suggestions, notes=notes)
            if not said.words and said.notes and said.notes[0].startswith(NOT_SEARCHED):
                said = replace(said, cannot_be=said.notes[0], notes=said.notes[1:])
            elif not said.words and said.part is None:
                said = replace(said, words=words_left(parse), known=said.known or known_words(parse))
        return last_of_more(in_own_words(with_names(said, question.history), question.text), question)

    def _translated(self, question: Question, steps: list[Step]) -> Translating:
        if question.history:
            question = replace(question, history=tuple(turn for turn in question.history if not is_aside(turn)))
        about = asked_about(question.text, question.history, question.schema)
        if about is not None:
            steps.append(Step("follow-ups", f"asks about an earlier query: {about.what}"))
            last = question.history[-1] if question.history else None
            if last is not None and not is_answered(last) and not speaks_of_earlier(question.text):
                why = why_not_run(last)
                return Explained(why) if why is not None else CannotSay(notes=unheard(question))
            clock = Clock(question.now, question.timezone, question.schema.week_start)
            return Explained((yield from explanation(about, question.schema, clock)))
        if not question.history:
            return (yield from self.rules.translate(question, steps))
        if question.history[-1].of_this_message and not is_answered(question.history[-1]):
            return CannotSay(notes=unheard(question))  # it speaks of what the sentence before it asks for
        lexicon = yield from self.rules.lexicon(question)
        tokens = tokenize(question.text)
        earlier = remembered(question.history)
        whole = Parse(tokens, lexicon, question.now.astimezone(question.timezone), question.text)
        if whole.says_all and any(one.program.startswith("find all ") for one in programs(whole)[:1]):
            return (yield from self.rules.translate(question, steps))  # `list all folders` is complete by itself
        base = base_of(earlier, question.schema)
        if isinstance(None, Meaning) and base is not None:
            sure = yield from checked([None], base.program.lets, question, lexicon, steps)
            return (yield from chosen(sure, (), steps, base, {})) if sure else CannotSay()
        if isinstance(None, str):
            dropped = yield from self._read(replace(question, text=None), tokenize(None), lexicon, earlier, steps)
            if isinstance(dropped, Translated):
                return dropped
        plainer = plainly(question.text, question.history[-1], base, one_thing(latest(earlier)) is not None)
        if plainer != question.text:
            steps.append(Step("follow-ups", f"reads it as: {plainer}"))
            question = replace(question, text=plainer)
            tokens = tokenize(plainer)
            whole = Parse(tokens, lexicon, question.now.astimezone(question.timezone), plainer)
        meant = taken_for(question.text, base)
        if meant is not None and base is not None:
            return (yield from another_meant(*meant, question, base, self._translated, steps))
        back = returned(whole, earlier)
        if back is not None:
            return (yield from self._went_back(question, whole, earlier, back, steps))
        said = yield from self._read(question, tokens, lexicon, earlier, steps)
        if said is not None:
            return said
        own = yield from self.rules.translate(replace(question, text=by_itself(question.text)), steps)
        whether = isinstance(own, Translated) and base is not None and asks_whether(whole)
        if whether and isinstance(own, Translated) and takes_a_noun_for_a_name(own.program, whole, base):
            return CannotSay()
        if isinstance(own, Refusal) and not is_answered(question.history[-1]) and _may_change(whole):
            return CannotSay(notes=unheard(question))
        if isinstance(own, Refusal) and not english.CHANGING_LISTS.isdisjoint(token.text for token in tokens):
            return replace(own, sure=False)
        if isinstance(own, Translated):
            own = without_those_before(own, base, question.text)
            return with_what_is_left_out(own, base) if english.THEM & {token.text for token in tokens} else own
        return own

    def _went_back(
        self, question: Question, parse: Parse, earlier: Sequence[Earlier], back: Returned, steps: list[Step]
    ) -> Translating:
        one = earlier[back.turn]
        steps.append(Step("follow-ups", f"goes back to turn {back.turn + 1}"))
        program = program_of(one, back)
        note = f"Back to: {program_in_words(program, question.schema)}."
        rest = back.asks or (parse.text[parse.tokens[back.rest].start :] if back.rest < parse.end else "")
        if rest:
            asked = replace(question, text=rest, history=question.history[: back.turn + 1])
            read = yield from self._read(asked, tokenize(rest), parse.lexicon, earlier[: back.turn + 1], steps)
            if isinstance(read, Translated):
                return replace(read, notes=(note, *read.notes))
            return read if read is not None else CannotSay(tuple(rest.split()[:3]))
        return Translated(program, (note,), one.turn.number or None)

    # --- reading -----------------------------------------------------------------------------------------------------

    def _read(
        self, question: Question, tokens: tuple[Token, ...], lexicon: Lexicon, earlier: Sequence[Earlier],
        steps: list[Step],
    ) -> _Reading:  # fmt: skip
        """The translation of a follow-up; None for a question that is complete by itself."""
        end, mode = ending(tokens)
        p = Parse(tokens[:end], lexicon, question.now.astimezone(question.timezone), question.text)
        if not is_answered(question.history[-1]) and goes_on_unheard(p, mode):
            return CannotSay(notes=unheard(question))
        found = yield from looked_up(p)
        read = readings(p, mode, earlier, found)
        notes: tuple[str, ...] = ()
        fix = None if read.meanings or read.own else repaired(p)
        if fix is not None:
            fixed_tokens, fixed = fix
            again = readings(Parse(fixed_tokens, lexicon, p.now, question.text), mode, earlier, found)
            if again.meanings:
                p = Parse(fixed_tokens, lexicon, p.now, question.text)
                read, notes = again, tuple(f"Read '{wrong}' as '{right}'." for wrong, right in fixed)
        modes = {one.mode for one in beginnings(p, mode)}
        intent = action(p)
        drops = drops_a_condition(p, mode, base_of(earlier, question.schema))
        if next(p.phrases(0, english.WITHOUT_THE), None) and drops:
            # "without the type" is not "without a type"
            read = replace(read, meanings=tuple(one for one in read.meanings if one.drops))
            if not read.meanings:
                return (yield from which_filter(question, NO_SUCH_FILTER))
        if not read.meanings and base_of(earlier, question.schema) is not None and takes_the_last_away(p):
            return (yield from which_filter(question))
        why_not = ""
        if why_not:
            return CannotSay(cannot_be=why_not)
        if (
            intent is not None
            and not read.cued
            and "replace" not in modes
            and not ("drop" in modes and intent == OTHER)
            and not (drops and read.meanings)
            and not (read.meanings and read.refers and p.word(0) in plain.ASKING_WORDS)
        ):
            return (yield from which_filter(question, NO_SUCH_FILTER)) if drops else None
        meanings = list(read.meanings)
        if not meanings:
            part = not read.own and is_a_part(p)
            # After what was not understood, a change is one of that.
            changes = latest(earlier) is None and (modes - {"", "narrow"} or "only" in {t.text for t in p.tokens})
            helpless = read.refers or part or changes or intent is not None
            if not helpless or (p.word(0) in plain.ASKING_WORDS | {"whats"} and nothing_known(p)):
                return None
            why = unheard(question) if changes or (part and latest(earlier) is None) else ()
            return CannotSay(tuple(p.tokens[at].raw for at in unknown_words(p)), notes=why)
        last = latest(earlier)
        lets = last.program.lets if last is not None and last.program is not None else ()
        sure = yield from checked(meanings, lets, question, lexicon, steps)
        sure = list(sure)
        if asks_whether(p):
            base = base_of(earlier, question.schema)
            sure = [one for one in sure if not takes_a_noun_for_a_name(one.program, p, base)]
        most = MOST + MOST_PER_WORD * sum(token.kind is not TokenKind.MARK for token in p.tokens)
        if any(p.tokens[at].raw[:1].isupper() for at in unknown_words(p)):
            most += FOR_UNKNOWN_NAMES
        if not sure or sure[0].said > most:
            if read.own and not read.refers and not read.cued:
                return None
            return CannotSay(tuple(p.tokens[at].raw for at in unknown_words(p)))
        base = base_of(earlier, question.schema)
        choices = {token: id for turn in question.history for token, id in turn.choices.items()}
        answer = yield from chosen(sure, notes, steps, base, choices)
        if isinstance(answer, Translated):
            if any(one.changes for one in sure if one.program == answer.program):
                answer = with_what_is_left_out(answer, base)
            answer = with_note_on_year(with_note_on_order(answer, base), base, p)
            answer = yield from weighed_by_words(p, with_note_on_rows(answer, base), sure[0].said, question, steps)
        return answer


def _may_change(p: Parse) -> bool:
    """`drop Tom`: rather of a search that was not understood than of what is stored."""
    begins = p.word(p.past(0, plain.POLITE | plain.AND)) in english.CHANGING_LISTS
    return begins and not any(True for at in range(p.end) for _ in p.starting(at, EntityWord))
