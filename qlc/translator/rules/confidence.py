"""Whether a reading is sure: one decision over named features, for questions and for follow-ups alike.

A sure reading is answered by the rules alone, also where there is a language model. What is not sure is asked of the
model first; without one it is answered all the same, unless something that was said found no place in the program:
then it is offered as a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from qlc.grammar import parse as parsed
from qlc.grammar import print_statement, tree
from qlc.outcome import answer_key, has_answer
from qlc.translator.protocol import AskBack, Need, Step, Try
from qlc.translator.rules.accounting import (
    Said,
    after_demonstratives,
    misses_the_one,
    taken_for_names,
    unaccounted,
    words_used,
)
from qlc.translator.rules.build import both, name_of, parts
from qlc.translator.rules.conditions import date_fields, default_date
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, ListWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.deed_dates import spoken
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import Phrases, is_participle, phrases, stem, words

SURE = 0.5
"""Highest cost of a sure reading. Of 703 right readings of the dev halves 556 cost no more; of nine wrong ones two."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Doubts about a reading.

    `cost`: by the rules. `unaccounted`: words without a part of the program. `unmet`: parts that words require and the
    program lacks. `taken`: plain words that became a part of a name. `bare`: the program has no condition. `idle`: what
    it leaves out is not in the index, so that something else may be meant.
    """

    cost: float = 0.0
    unaccounted: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    bare: bool = False
    idle: bool = False

    @property
    def sure(self) -> bool:
        return self.cost <= SURE and not (self.unaccounted or self.unmet or self.taken or self.idle)

    @property
    def answerable(self) -> bool:
        """Return whether it may be the answer: no part is missing, no words left out if bare, no idle guess."""
        return not (self.unmet or (self.bare and self.unaccounted) or (self.idle and self.cost > SURE))

    @property
    def against(self) -> Mapping[str, Any]:
        """Return the doubts that apply, for the report."""
        return {name: value for name, value in asdict(self).items() if value}


def confidence(p: Parse, program: str, cost: float, before: str = "") -> Confidence:
    """How sure it is that a program answers the words of a question; `before` is the program that it changes."""
    said = Said(parsed(program).statement, p.schema)
    dropped = unaccounted(p, said)
    if before and dropped:
        earlier = Said(parsed(before).statement, p.schema)  # what is taken out of it was said of it
        of_both = {*unaccounted(p, earlier)}
        dropped = tuple(at for at in dropped if p.lexemes[at] and at in of_both)
    words = tuple(p.tokens[at].raw for at in dropped)
    taken = tuple(p.tokens[at].raw for at in taken_for_names(p, said))
    bare = not said.has_condition and not before
    missing = unmet(p, said) if not before else ("one",) if misses_the_one(p, said) else ()
    return Confidence(round(cost, 3), words, missing, taken, bare)


def without_exclusions(p: Parse, program: str) -> str | None:
    """Return the program without the values that it excludes by a guess, such as a name; None if it has none."""
    statement = parsed(program).statement
    if isinstance(statement, tree.Get):
        return None
    conditions = parts(statement.where)
    kept = [one for one in conditions if not _leaves_out_a_guess(p, one)]
    return print_statement(replace(statement, where=both(*kept))) if len(kept) < len(conditions) else None


def _leaves_out_a_guess(p: Parse, condition: tree.Condition) -> bool:
    if not isinstance(condition, tree.Comparison) or condition.operator not in ("!=", "not in"):
        return False
    if not isinstance(condition.left, tree.Path) or not isinstance(condition.right, tree.String | tree.ListValue):
        return False
    name = name_of(condition.left)
    payloads = [one.payload for row in p.lexemes for one in row]
    return not any(isinstance(one, FieldWord | ListWord | ValueWord) and _field_of(one) == name
                   and (not isinstance(one, ValueWord) or (one.closed and one.whole)) for one in payloads)


def _field_of(word: FieldWord | ListWord | ValueWord) -> str:
    return word.name if isinstance(word, ListWord) else word.ref.path[0]


DID_YOU_MEAN = "Did you mean this?"


def doubted(program: str, doubts: Confidence, steps: list[Step]) -> AskBack:
    """A reading that leaves out what was said: it is offered, not answered."""
    steps.append(Step("rules", "offered as a choice", doubts.against))
    words = " and ".join(f"'{one}'" for one in doubts.unaccounted[:3])
    return AskBack(
        f"I found no use for {words}. {DID_YOU_MEAN}" if words else DID_YOU_MEAN, ((program, program),), sure=False
    )


def tried(p: Parse, doubts: Confidence, program: str) -> Generator[Need, Any, Confidence]:
    """Return the doubts after a trial run, with `idle` set if leaving something out changes nothing."""
    whole = without_exclusions(p, program)
    if whole is None:
        return doubts
    with_them, without_them = (yield Try(whole)), (yield Try(program))
    return replace(doubts, idle=has_answer(without_them) and answer_key(with_them) == answer_key(without_them))


@dataclass(frozen=True, slots=True)
class Call:
    """Words that call for a part of a program. `met`: whether a program has it."""

    name: str
    words: Collection[str]
    met: Callable[[Said], bool]
    together: Phrases | None = None
    unless: Phrases | None = None
    """Phrases that contain the same words with another meaning."""

    def is_said(self, p: Parse, used: Collection[int]) -> bool:
        """Whether it is said in words that do not stand for something themselves: `the minimum salary` is a field."""
        at = 0
        while at < p.end:
            aside = next(p.phrases(at, self.unless), at) if self.unless else at
            together = next(p.phrases(at, self.together), at) if self.together else at
            if aside == at and at not in used and (together > at or p.word(at) in self.words):
                return True
            at = max(aside, at + 1)
        return False


def _compares(said: Said) -> bool:
    """By an order, or side by side: `more on Mondays or on Sundays`."""
    ordered = bool(said.operators & {"<", "<=", ">", ">="}) or tree.Between in said.kinds
    return ordered or said.is_sorted or bool(getattr(said.statement, "groups", ()))


def _counts_times(said: Said) -> bool:
    """Of groups by what is counted in each; of things by a number of their own: `renewed more than once`."""
    if getattr(said.statement, "groups", ()):
        return getattr(said.statement, "having", None) is not None
    return bool(said.operators & {"<", "<=", ">", ">="})


def _excludes(said: Said) -> bool:
    without = {tree.Not, tree.Presence}
    no = bool(said.operators & {"!=", "not in"} or said.kinds & without)
    ahead = said.is_timed and bool(said.operators & {"<", "<=", ">", ">="})  # what is not over yet is still to come
    return no or ahead or said.denies or 0.0 in said.numbers or "root" in said.names


_OF_DATES = words("later further earlier newer older younger")
CALLS = (
    Call("negation",
         words("not n't without lacking missing none nobody nothing neither nor never excluding exclude except "
               "ignoring"), _excludes,
         phrases("leave out | leaving out | left out | other than | apart from | aside from | rather than | but no"),
         phrases("not only | not yet | (do | wo | ca) n't you") + english.AT_LEAST + english.AT_MOST),
    Call("superlative", english.SUPERLATIVES.keys() - words("top latest max min recent"),
         lambda said: said.is_sorted or bool(said.functions & {"min", "max"}),
         unless=phrases("at least | at most | at the very most | top level")),
    Call("comparison",
         (english.MORE_ADJECTIVES.keys() | english.LESS_ADJECTIVES.keys() | words("more less fewer")) - _OF_DATES,
         _compares, unless=phrases("one more | no more | any more | tell me more | some more | more or less")),
    Call("average", words("average avg mean median typical"), lambda said: bool(said.functions & {"avg", "median"})),
    Call("share", words("percentage proportion fraction ratio"), lambda said: "share" in said.functions,
         phrases("(what | which | how many) percent")),
    Call("group", words("per") | english.TO_GROUP, lambda said: bool(getattr(said.statement, "groups", ())),
         unless=Phrases(lambda: tuple(english.UNITS_IN_WORDS))),
    Call("either", words("either or"),
         lambda said: bool(said.kinds & {tree.Or, tree.ListValue} or "under" in said.operators) or _compares(said),
         unless=phrases("or (more | less | fewer | higher | lower | later | earlier | newer | older | above | below | "
                        "over | under | so)")),
    Call("weekday", english.WEEKDAYS.keys(),
         lambda said: not said.leaves_out_a_day),  # "not on Sundays" leaves out more than the last of them
    Call("times", words("once twice thrice"), _counts_times,
         unless=phrases("at once | once more | once again | once (the | a)")),
    Call("all of them", (), lambda said: False,  # the language has no condition that all elements must meet
         phrases("(where | in which | for which | whose) (all | every | each | only) | every (other | second | "
                 "third)")),
    Call("same", words("same identical"),
         lambda said: bool(said.kinds & {tree.Member, tree.EntityLookup, tree.Subquery})),
)  # fmt: skip


def unmet(p: Parse, said: Said, explained: Collection[int] = ()) -> tuple[str, ...]:
    """Return required parts that a program lacks (`newest` -> `superlative`); `explained` places require nothing."""
    missing = [one for one in CALLS if not one.met(said)]
    used = words_used(p, said).union(explained) if missing else ()
    names = [one.name for one in missing if one.is_said(p, used)]
    names += ["date"] if _calls_for_another_date(p, said) else []
    names += ["state"] if _calls_for_a_state(p, said) else []
    pointed = [one for one in after_demonstratives(p) if isinstance(one.payload, EntityWord)]  # `show me that case`
    names += ["antecedent"] if pointed and not said.has_condition else []
    return tuple(names)


_NAMED_DATES = words("date dates day days time moment when last next first") | FUNCTION_WORDS
"""Words of dates' names that say nothing of what happens then: `last viewed`, `valid until`."""
_OF_DEEDS = words("date dates day days time moment when have has had 've")
_STATES = frozenset(["state", "status", "stage"])
_DONE = words("done performed completed finished")
_WHEN = words("in on since during between before after until by within last this today yesterday over")
_ARRANGED = {stem(word) for word in english.AHEAD | words("requested ordered received filed registered reported")}
"""Stems of verbs for a booking, which may be in another month than the deed that was booked."""
_CALLED_OFF = {stem(word) for word in words("cancelled canceled withdrawn rejected aborted abandoned void")}
_COMPLETED = {
    stem(word) for word in words("finished completed closed ended resolved concluded settled processed handled")
}
"""Stems of verbs whose deed a state records as done; for others (`washed`) no state does."""


def _calls_for_another_date(p: Parse, said: Said) -> bool:
    """Return whether a word is of another date than the usual one taken: `issued permits since June`."""
    # "average repair time" is a number, and "repairs" are the things themselves; "viewed 3 times" is a deed
    nouns = (one for row in p.lexemes for one in row if isinstance(one.payload, EntityWord)
             or (isinstance(one.payload, FieldWord) and one.payload.ref.is_number))  # fmt: skip
    of_nouns = {at for one in nouns for at in range(one.start, one.end) if not is_participle(p.word(at))}
    verbs = {one.text for at, one in enumerate(p.tokens)
             if p.word(at + 1) != "for" and at not in of_nouns and p.word(at - 1) not in ("most", "least")}
    said_at_all, others_said = set(map(stem, verbs)), set(map(stem, verbs - FUNCTION_WORDS))
    is_done = any(token.text in _DONE and p.word(at + 1) in _WHEN for at, token in enumerate(p.tokens))
    for entity in said.entities:
        usual = default_date(entity)
        dates = [ref for ref in date_fields(entity) if ref.left in said.said_itself]
        if usual is None or [ref.path for ref in dates] != [usual[0].path] or spoken(usual[0]) & said_at_all:
            continue
        others = [ref for ref in date_fields(entity) if ref.path != usual[0].path]
        if any(_verbs_of(ref) & others_said for ref in others) or (is_done and others and spoken(usual[0]) & _ARRANGED):
            return True
    return False


def _calls_for_a_state(p: Parse, said: Said) -> bool:
    """Return whether a missing date may mean a state: what was cancelled is not `unfinished`."""
    for entity in said.entities:
        for ref in FieldRef.own(entity):
            if ref.field.name.rpartition("_")[2] in _STATES and _is_over(p, ref, said):
                return True
    verbs = {
        stem(token.text.removeprefix("un"))
        for at, token in enumerate(p.tokens)
        if is_participle(token.text) and not {p.word(i) for i in range(max(0, at - 2), at + 2)} & _OF_DEEDS
    } & _COMPLETED
    if not verbs:
        return False
    for entity in said.entities:
        states = [ref for ref in FieldRef.own(entity) if ref.field.name in _STATES and ref.field.values is not None]
        gone = [ref for ref in date_fields(entity) if tree.Presence(ref.left, True) in said.said_itself]
        is_said = any(ref.left in said.said_itself for ref in states)
        if states and not is_said and any(_verbs_of(ref) & verbs for ref in gone):
            return True
    return False


def _is_over(p: Parse, ref: FieldRef, said: Said) -> bool:
    """Return whether `not done` is asked of documents that can be cancelled, which are over without being done."""
    closed = ref.field.values
    ends = {stem(one.casefold()) for one in closed.display} if closed is not None else set()
    if not ends & _CALLED_OFF:
        return False
    left_out = (
        one.right.value
        for one in said.said_itself
        if isinstance(one, tree.Comparison) and one.operator == "!=" and one.left == ref.left
        and isinstance(one.right, tree.String)
    )  # fmt: skip
    said_so = {stem(token.text) for token in p.tokens}
    return any(stem(one.casefold()) in (_COMPLETED | {stem("done")}) - said_so for one in left_out)


def _verbs_of(ref: FieldRef) -> set[str]:
    """Return the verbs of a date field: `viewed` is not a request to `view` a document."""
    return {stem(word) for word in ref.parts - _NAMED_DATES} & spoken(ref)
