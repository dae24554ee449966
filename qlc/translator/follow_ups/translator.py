"""Follow-ups as a translator: what is said after an earlier answer, read as a change of its program."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from qlc.compiler.periods import Clock
from qlc.deadline import checkpoint
from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.translator.explanations import asked_about, explanation, why_not_run
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.asides import asks_for_its_answer, is_aside
from qlc.translator.follow_ups.choosing import checked, chosen, weighed_by_words
from qlc.translator.follow_ups.complement import but_it
from qlc.translator.follow_ups.completeness import (
    BEING,
    asks_whether,
    is_a_part,
    is_a_period,
    is_of_a_name,
    is_question,
    takes_a_noun_for_a_name,
)
from qlc.translator.follow_ups.content import Content, Follow, Meaning, Readings, alone, weighed
from qlc.translator.follow_ups.dropping import (
    drops_a_condition,
    names_no_filter,
    takes_the_last_away,
    the_one_that_goes,
)
from qlc.translator.follow_ups.editing import speaks_of_those, without_those
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import (
    CLOSING,
    OPENING,
    Base,
    Earlier,
    base_of,
    is_answered,
    latest,
    remembered,
    speaks_of_each,
)
from qlc.translator.follow_ups.merging import Joined, joined
from qlc.translator.follow_ups.one_thing import asked_of_the_row, of_that_value, one_thing, ones_of_the_row
from qlc.translator.follow_ups.ordering import in_its_direction, with_note_on_order
from qlc.translator.follow_ups.placeholders import asked_of_each, is_found_by_a_query, with_the_query
from qlc.translator.follow_ups.refining import in_the_year, phrased, refinements, statements
from qlc.translator.follow_ups.speech import Beginning, Pronouns, Way, beginnings, ending
from qlc.translator.follow_ups.topics import Returned, program_of, returned, speaks_of_earlier
from qlc.translator.follow_ups.unread import (
    NO_SUCH_FILTER,
    goes_on_unheard,
    last_of_more,
    unheard,
    which_filter,
    with_names,
)
from qlc.translator.follow_ups.wording import (
    after_turn,
    another_meant,
    by_itself,
    edit_and_request,
    exchanged,
    in_own_words,
    plainly,
    retold,
    taken_for,
    two_edits,
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
from qlc.translator.rules.build import both, parts
from qlc.translator.rules.lexicon.lexemes import EntityWord, Lexeme, NameWord, ValueWord
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.spelling import repaired
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.questions.intents import (
    NOT_AMONG_THEMSELVES,
    action,
    is_among_themselves,
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

_TAKING_AWAY = ("leave out", "drop")

OTHER = "other"
"""The intent of verbs that change nothing, such as `forget`, which can speak of a filter."""

MOST_OF_A_NAME = 0.7
"""What a name that makes a text complete by itself may cost: it is one that is known, or in quotes."""


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
        return last_of_more(in_own_words(with_names(said, question.history), question.text), question)

    def _translated(self, question: Question, steps: list[Step]) -> Translating:
        if question.history and not asks_for_its_answer(question):
            question = replace(question, history=tuple(turn for turn in question.history if not is_aside(turn)))
        again = retold(question.text, question.history[-1]) if question.history else None
        if again is not None:
            return (yield from self._said_again(question, again, steps))
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
        if is_among_themselves(whole):
            return CannotSay(cannot_be=NOT_AMONG_THEMSELVES)
        base = base_of(earlier, question.schema)
        goes = the_one_that_goes(question.text, question.history[-1], base)
        if isinstance(goes, Meaning) and base is not None:
            sure = yield from checked([goes], base.program.lets, question, lexicon, steps)
            return (yield from chosen(sure, (), steps, base, {})) if sure else CannotSay()
        if isinstance(goes, str):
            dropped = yield from self._read(replace(question, text=goes), tokenize(goes), lexicon, earlier, steps)
            if isinstance(dropped, Translated):
                return dropped
        of_a_row = asked_of_the_row(question.text, latest(earlier), question.schema)
        if of_a_row is not None:
            asked_plainly, left, value = of_a_row
            asked = yield from self.rules.translate(replace(question, text=asked_plainly), [])
            if isinstance(asked, Translated):
                narrowed = of_that_value(asked, latest(earlier), left, value, question.schema)
                if narrowed is not None:
                    steps.append(Step("follow-ups", f"asks it of {value}: {narrowed.program}"))
                    return narrowed
        theirs = ones_of_the_row(question.text, latest(earlier))
        if theirs is not None:
            text, program = theirs
            return (yield from self._translated(after_turn(question, question.history[-1].text, text, program), steps))
        plainer = plainly(question.text, question.history[-1], base, one_thing(latest(earlier)) is not None)
        if plainer != question.text:
            steps.append(Step("follow-ups", f"reads it as: {plainer}"))
            question = replace(question, text=plainer)
            tokens = tokenize(plainer)
            whole = Parse(tokens, lexicon, question.now.astimezone(question.timezone), plainer)
        meant = taken_for(question.text, base)
        if meant is not None and base is not None:
            return (yield from another_meant(*meant, question, base, self._translated, steps))
        other = exchanged(question.text, base)
        if other is not None:
            question = replace(question, text=f"what about {other}")
            return (yield from self._translated(question, steps))
        both_said = edit_and_request(question.text) or two_edits(question.text) if base is not None else None
        if both_said is not None:
            changed = yield from self._changed_first(question, *both_said, steps)
            if isinstance(changed, Translated) or (changed is not None and two_edits(question.text) is None):
                return changed
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
        return own

    def _said_again(self, question: Question, text: str, steps: list[Step]) -> Translating:
        """The last question with another word in it, as if it had been asked so."""
        steps.append(Step("follow-ups", f"says the last question again: {text}"))
        said = yield from self.translate(replace(question, text=text, history=question.history[:-1]), steps)
        return replace(said, notes=(f"Read as: {text}", *said.notes)) if isinstance(said, Translated) else said

    def _changed_first(
        self, question: Question, edit: str, request: str, steps: list[Step]
    ) -> Generator[Need, Any, Translated | AskBack | CannotSay | None]:
        """A request after the change that is said before it; None where either is not understood."""
        first = yield from self._translated(replace(question, text=edit), [])
        if not isinstance(first, Translated):
            return None
        steps.append(Step("follow-ups", f"changes the search first: {first.program}"))
        then = yield from self._translated(after_turn(question, edit, request, first.program), steps)
        if isinstance(then, Translated):
            before = tuple(note for note in first.notes if note not in then.notes)
            return replace(then, notes=(*before, *then.notes), follows=first.follows if then.follows else None)
        return then if isinstance(then, AskBack | CannotSay) else None

    def _went_back(
        self, question: Question, parse: Parse, earlier: Sequence[Earlier], back: Returned, steps: list[Step]
    ) -> Translating:
        one = earlier[back.turn]
        steps.append(Step("follow-ups", f"goes back to turn {back.turn + 1}"))
        program = program_of(one, back)
        note = f"Back to: {program_in_words(program, question.schema)}."
        if back.rest < parse.end:
            rest = parse.text[parse.tokens[back.rest].start :]
            asked = replace(question, text=rest, history=question.history[: back.turn + 1])
            read = yield from self._read(asked, tokenize(rest), parse.lexicon, earlier[: back.turn + 1], steps)
            if isinstance(read, Translated):
                return replace(read, notes=(note, *read.notes))
            return read if read is not None else CannotSay(tuple(t.raw for t in parse.tokens[back.rest :][:3]))
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
        read = _readings(p, mode, earlier, found)
        notes: tuple[str, ...] = ()
        fix = None if read.meanings or read.own else repaired(p)
        if fix is not None:
            fixed_tokens, fixed = fix
            again = _readings(Parse(fixed_tokens, lexicon, p.now, question.text), mode, earlier, found)
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
        if not read.meanings and names_no_filter(p, base_of(earlier, question.schema)):
            return (yield from which_filter(question, NO_SUCH_FILTER))
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
            answer = yield from weighed_by_words(p, with_note_on_order(answer, base), sure[0].said, question, steps)
        return answer


def _may_change(p: Parse) -> bool:
    """`drop Tom`: rather of a search that was not understood than of what is stored."""
    begins = p.word(p.past(0, plain.POLITE | plain.AND)) in english.CHANGING_LISTS
    return begins and not any(True for at in range(p.end) for _ in p.starting(at, EntityWord))


def _parsed(way: Way, parse: Parse, found: Sequence[Lexeme[NameWord | ValueWord]]) -> Parse:
    """The parse of one way to take the pronouns, with what was looked up for the text at the same places."""
    made = way.parse(parse)
    starts = {token.start: at for at, token in enumerate(made.tokens)}
    ends = {token.end: at + 1 for at, token in enumerate(made.tokens)}
    for one in found:
        start, end = starts.get(parse.tokens[one.start].start), ends.get(parse.tokens[one.end - 1].end)
        if start is not None and end is not None:
            made.lexemes[start].append(Lexeme(start, end, one.payload, one.cost))
    made.before = parse.before
    return made


def _readings(
    parse: Parse, mode: Mode, earlier: Sequence[Earlier], found: Sequence[Lexeme[NameWord | ValueWord]]
) -> Readings:
    base, last = base_of(earlier, parse.schema), latest(earlier)
    pronouns = Pronouns(parse, earlier, base)
    begins = beginnings(parse, mode)
    made: dict[tuple[object, ...], Parse] = {}
    follow: list[Follow] = []
    own: dict[Statement, float] = {}
    refers = False
    parse.unsaid = _unsaid(parse, begins, base)
    parse.before = base.statement.where if base is not None else None
    for said in begins:
        if not said.mode and parse.word(said.at) in english.INCLUDE:
            continue  # "include subfolders" asks for more, and for none that include them
        if not said.mode and parse.word(said.at) == "now" and parse.end > said.at + 1:
            continue  # "now in Legal" says no time
        in_phrases = list(phrased(Content(parse, said, base, last, earlier)))
        follow += [Follow(meaning, said.cued, sure=meaning.sure) for meaning in in_phrases]
        # What "drop the folder" leaves out is no folder that was spoken of.
        as_said = [Way(parse.tokens, (), 0.0)] if said.mode == "drop" else []
        for way in (*as_said, *pronouns.ways(said.at)):
            checkpoint()
            key = (way.tokens, way.points)
            p = made.get(key)
            if p is None:
                p = made[key] = _parsed(way, parse, found)
                p.unsaid = _unsaid(p, begins, base)
            points = any(token.text.startswith(OPENING) for token in way.tokens)
            refers = refers or points
            content = Content(p, said, base, last, earlier)
            if any(speaks_of_each(payload) for _, payload in way.points):
                each = (asked_of_each(one, cost + way.cost, content) for one, cost in statements(content))
                follow += [Follow(one, said.cued, points=True) for one in each if one is not None]
                continue
            if any(is_found_by_a_query(payload) for _, payload in way.points):
                found_one = ((with_the_query(one), cost + way.cost) for one, cost in statements(content))
                follow += [Follow(alone(one, cost), said.cued, points=True) for one, cost in found_one if one]
                continue
            takes_away = said.mode in _TAKING_AWAY
            for meaning in refinements(content):
                dearer = replace(meaning, cost=meaning.cost + way.cost)
                follow.append(Follow(dearer, said.cued, points, takes_away or meaning.sure))
            if takes_away:
                continue
            for statement, cost in _statements(content, made, key, way, parse, found):
                changed = _as_follow_up(statement, cost + way.cost, content, points)
                if changed is not None and not (in_phrases and _only_limits(statement)):
                    goes_on = said.goes_on or (isinstance(statement, tree.Aggregate) and not _says_those(p, said.at))
                    others = list(_of_the_same(statement, changed, base)) if points and goes_on else []
                    if not (others and isinstance(statement, tree.Aggregate)):
                        follow.append(Follow(changed, said.cued, points))
                    follow += [Follow(other, cued=True, points=True) for other in others]
                if speaks_of_those(statement) or points:
                    continue
                if is_question(p, statement, said.at) and not (is_of_a_name(statement) and is_a_period(p, said.at)):
                    if cost <= (MOST_OF_A_NAME if is_of_a_name(statement) else MOST + MOST_PER_WORD * p.end):
                        own[statement] = min(cost, own.get(statement, cost))
                elif isinstance(statement, tree.Aggregate) and base is not None and not said.cued:
                    # "average price by carrier": of those spoken of, or of all
                    ways = tuple(joined(statement, base, said, p.schema))
                    follow += [Follow(Meaning(ways, cost), cued=False)] if ways else []
                    if statement.groups:
                        follow.append(Follow(Meaning((Joined(statement),), cost, changes=False), cued=False))
    return weighed(parse, follow, own, refers)


def _statements(
    content: Content, made: dict[tuple[object, ...], Parse], key: tuple[object, ...], way: Way, parse: Parse,
    found: Sequence[Lexeme[NameWord | ValueWord]],
) -> list[tuple[Statement, float]]:  # fmt: skip
    """What the rules of questions read. Readings that leave the noun out and those that have one are read apart, as
    neither kind is to crowd out the other."""
    if not content.p.unsaid:
        return list(statements(content))
    whole = made.get((*key, "whole"))
    if whole is None:
        whole = made[*key, "whole"] = _parsed(way, parse, found)
    left_out = [one for one in statements(content) if speaks_of_those(one[0])]
    return left_out + list(statements(replace(content, p=whole)))


def _is_a_year(limit: int | None) -> bool:
    return limit is not None and limit in YEARS


def _only_limits(statement: Statement) -> bool:
    """`just the top 3`: keeps the order that there is."""
    return (
        isinstance(statement, tree.Find) and statement.limit is not None and not parts(without_those(statement.where))
    )


def _only_orders(statement: tree.Find) -> bool:
    return bool(statement.sort) and statement.limit is None and not parts(without_those(statement.where))


def _as_follow_up(statement: Statement, cost: float, content: Content, points: bool) -> Meaning | None:
    marked = speaks_of_those(statement)
    if isinstance(statement, tree.Find) and not marked and isinstance(statement.entity, tree.EntityLookup):
        return Meaning((Joined(statement),), cost, changes=False) if points else None
    if marked and content.said.mode == "replace" and _only_limits(statement):
        return None
    if marked and isinstance(statement, tree.Find) and _is_a_year(statement.limit):
        return None  # "only 2024" asks for no 2,024 of them
    if content.p.word(content.at) in plain.OTHER - {"rest", "remaining"} and (marked or not points):
        return None  # others than those: not understood
    if points and not marked and not content.said.mode and is_question(content.p, statement, content.at):
        others = but_it(statement, content)
        return Meaning((Joined(others),), cost, changes=False)  # "and which documents has she created?"
    if content.base is not None and (marked or content.said.cued):
        statement = in_the_year(statement, content)
        if isinstance(statement, tree.Find) and _only_orders(statement):
            statement = in_its_direction(statement, content)
        ways = tuple(joined(statement, content.base, content.said, content.schema))
        return Meaning(ways, cost) if ways else None
    return Meaning((Joined(but_it(statement, content)),), cost, changes=False) if points else None


def _of_the_same(statement: Statement, changed: Meaning, base: Base | None) -> Iterator[Meaning]:
    """`and the ones he owns`, after what he created: in place of those, or of those; `and how many does he own?`: in
    place of those."""
    if base is None or isinstance(statement, tree.Get) or not speaks_of_those(statement):
        return
    if isinstance(statement, tree.Aggregate) and (statement.groups or isinstance(base.statement, tree.Find)):
        return
    own, new = parts(base.statement.where), parts(without_those(statement.where))
    meant = {one.right for one in new if isinstance(one, tree.Comparison) and isinstance(one.right, tree.String)}
    kept = tuple(one for one in own if not (isinstance(one, tree.Comparison) and one.right in meant))
    if len(kept) < len(own) and not set(new) & set(own):
        yield Meaning((Joined(replace(base.statement, where=both(*kept, *new))),), changed.cost)


def _says_those(p: Parse, at: int) -> bool:
    """Whether those spoken of are said in so many words: `how many of them`."""
    said = {word for token in p.tokens[at:] for word in token.text.strip(OPENING + CLOSING).split()}
    return bool(said & {"them", "those", "these"})


def _unsaid(p: Parse, begins: Sequence[Beginning], base: Base | None) -> dict[int, str]:
    """Where the noun can be left out: at the beginning, and after `how many`."""
    if base is None:
        return {}
    # "what's in it?" asks for what is there, not for those of the last that are
    places = {one.at for one in begins if not (one.asks and p.word(one.at - 1) in BEING)}
    places |= {end for at in places for end in p.phrases(at, plain.COUNTING)}
    return dict.fromkeys(places, base.entity.name)
