"""Which words of a question a program accounts for, and what words call for that a program does not have.

Nothing here reads a question: a program is held against the words that it is to answer, whoever made it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Schema
from qlc.translator.programs import named_condition
from qlc.translator.rules.build import name_of
from qlc.translator.rules.conditions import date_fields, default_date
from qlc.translator.rules.lexicon.lexemes import (
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    Lexeme,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.finishing import spoken
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import Phrases, phrases, words
from qlc.translator.rules.words.tokens import TokenKind, fold, name_key

_TIMES = (tree.DateLiteral, tree.Now, tree.Day, tree.RelativePeriod, tree.PeriodOf, tree.Cyclic)


class Said:
    """What a program says: the names, texts and numbers in it, and the parts that it is made of."""

    def __init__(self, statement: tree.Statement, schema: Schema) -> None:
        self.statement = statement
        self.schema = schema
        nodes = list(tree.walked(statement))
        self.said_itself = frozenset(nodes)
        nodes += [inside for one in nodes if isinstance(one, tree.Bare) for inside in _meant_by(one, schema)]
        self.names = {fold(one.text) for one in nodes if isinstance(one, tree.Name)}
        self.texts = {fold(one.value) for one in nodes if isinstance(one, tree.String)}
        self.numbers = {abs(float(one.value)) for one in nodes if isinstance(one, tree.Number)}
        self.numbers |= {float(one.count) for one in nodes if isinstance(one, tree.RelativePeriod) and one.count}
        self.kinds = {type(one) for one in nodes}
        self.operators: set[str] = {one.operator for one in nodes if isinstance(one, tree.Comparison)}
        self.functions: set[str] = {one.function for one in nodes if isinstance(one, tree.Measure)}
        self.leaves_out_a_day = any(
            one.operator == "!=" and isinstance(one.right, tree.DateLiteral | tree.Day)
            for one in nodes
            if isinstance(one, tree.Comparison)
        )
        self.denies = any(isinstance(one, tree.Boolean) and not one.value for one in nodes)
        self.is_cut = self.is_sorted = False
        for one in nodes:
            if isinstance(one, tree.Find | tree.Aggregate):
                self.numbers |= {float(each) for each in (one.limit, one.offset) if each is not None}
                self.is_cut |= one.limit is not None
                self.is_sorted |= bool(one.sort)
            elif isinstance(one, tree.Group) and one.top is not None:
                self.numbers.add(float(one.top))
                self.is_cut = self.is_sorted = True
        self.is_timed = bool(self.kinds & {*_TIMES}) or any(
            isinstance(one, tree.Group) and one.function is not None for one in nodes
        )

    @property
    def has_condition(self) -> bool:
        """Whether anything is left out, or cut off."""
        conditions = {tree.Comparison, tree.Between, tree.Presence, tree.Within, tree.Bare, tree.EntityText}
        return self.is_cut or bool(self.kinds & {*conditions, tree.EntityLookup})

    @cached_property
    def fields(self) -> list[FieldRef]:
        """The fields that a program may speak of: those of the names in it."""
        return [
            ref
            for entity in self.schema.entities.values()
            for ref in FieldRef.all_of(entity)
            if fold(ref.path[-1]) in self.names
        ]

    @cached_property
    def entities(self) -> list[Entity]:
        """The entities that a program speaks of: those that it names, and those that its fields refer to."""
        targets = {ref.target for ref in self.fields}
        return [
            one
            for one in self.schema.entities.values()
            if one.name in targets or {fold(one.name), fold(one.plural)} & self.names
        ]

    @cached_property
    def stems(self) -> set[str]:
        """The words for what a program speaks of."""
        said = [*self.texts, *self.names]
        for ref in self.fields:
            said += [" ".join(phrase) for phrase in ref.phrases]
        for entity in self.entities:
            said += [entity.name, entity.plural, *entity.words]
        for entity in self.schema.entities.values():
            for name, several in entity.condition_words.items():
                said += several if fold(name) in self.names else ()
            for name, many in entity.lists.items():
                said += many.words if fold(name) in self.names else ()
        return {stem(word) for one in said for word in name_key(one.replace("_", " "))}

    def has(self, payload: Payload) -> bool:
        """Whether what words stand for is in the program."""
        match payload:
            case EntityWord(entity=name):
                return any(one.name == name for one in self.entities)
            case FieldWord(ref=ref):
                return fold(ref.path[-1]) in self.names
            case ListWord(name=name) | ConditionWord(name=name):
                return fold(name) in self.names
            case ValueWord(ref=ref):
                return self.names.issuperset(map(fold, ref.path[-1:])) and self._has_value(ref, payload.text)
            case NameWord(text=text):
                return any(fold(text) in one or one in fold(text) for one in self.texts)
            case _:
                return True

    def _has_value(self, ref: FieldRef, text: str) -> bool:
        same, closed = {fold(text)}, ref.field.values
        if closed is not None:
            same.add(fold(closed.spellings.get(text.casefold(), text)))
            same |= {fold(said) for said, stored in closed.spellings.items() if fold(stored) in same}
        return ref.kind is FieldKind.BOOLEAN or bool(same & (self.texts | self.names))

    def has_number(self, text: str) -> bool:
        value: float | None = english.NUMBERS.get(text)
        digits = "".join(c for c in text if c.isdecimal() or c == ".").strip(".")
        if value is None and digits.replace(".", "", 1).isdecimal():
            value = float(digits)
        if value is None or any(text in one for one in self.texts):
            return True
        return not self.numbers.isdisjoint(value * scale for scale in (1, 0.01, 100, 1_000, 1_000_000))


def _meant_by(condition: tree.Bare, schema: Schema) -> Iterator[tree.Node]:
    """What a named condition stands for."""
    for entity in schema.entities.values():
        inside = named_condition(entity.conditions.get(name_of(condition.path), ""))
        if inside is not None:
            yield from tree.walked(inside)


# --- words without an account ----------------------------------------------------------------------------------------

OF_NO_CONDITION = FUNCTION_WORDS | english.LIGHT_VERBS | words(
    "whole store drive database index table overview numbers times used kind kinds form forms level depth field value "
    "values too instead back sorry fine end round took happen happens went result results match matches names entry "
    "record records beginning begins begin starts ending ends off distributed spread sibling siblings grandparent "
    "parent"
)  # fmt: skip
"""Words that a program need not have a part for."""
_OF_TIME = words(
    "morning afternoon evening night noon midnight weekend weekends date time end start beginning early late summer "
    "winter spring autumn fall easter christmas xmas eve minutes hours seconds"
)
_OF_AMOUNTS = (
    english.SUMMED
    | english.SPENDING
    | words("worth money amount amounts costing disk storage space brings bring buy bought")
)  # fmt: skip


def _used(p: Parse, said: Said) -> set[int]:
    """The places of the words that stand for a part of the program."""
    return {
        at
        for row in p.lexemes
        for one in row
        if said.has(one.payload)
        for at in range(one.start, one.end)
    }  # fmt: skip


def unaccounted(p: Parse, said: Said) -> tuple[int, ...]:
    """The places of the words that no part of a program accounts for: no thing, field, value, name, number or time."""
    used = _used(p, said)
    return tuple(at for at in range(p.end) if at not in used and not _is_accounted(p, at, said))


def _is_accounted(p: Parse, at: int, said: Said) -> bool:
    token = p.tokens[at]
    text = token.text
    if token.kind is TokenKind.QUOTED:
        return any(text in one or one in text for one in said.texts | said.names)
    if token.kind not in (TokenKind.WORD, TokenKind.NUMBER):
        return True
    if any(c.isdecimal() for c in text) or text in english.NUMBERS:
        return said.is_timed or said.has_number(text) or text == "one"
    if stem(text) in said.stems or any(text in name_key(one) for one in said.texts):
        return True
    if text in OF_NO_CONDITION and not _is_a_measure(p, at):
        return True
    if text in _OF_AMOUNTS or text in english.CURRENCIES:
        return bool(said.functions - {"count", "share", "distinct"}) or said.is_sorted or bool(said.numbers)
    if find_unit(text) is not None and (p.word(at - 1)[:1].isdecimal() or p.word(at - 1) in english.NUMBERS):
        return True
    return said.is_timed and text in _OF_TIME | english.CALENDAR.keys()


def _is_a_measure(p: Parse, at: int) -> bool:
    """Whether a word is what a number is called, and not part of a count: `by amount`, not `the amount of files`."""
    numbers = (one for one, ref in p.fields(at) if ref.is_number and one.cost == 0 and one.end == at + 1)
    counted = p.word(at + 1) == "of" or p.word(at) in english.DEGREES | english.SUPERLATIVES | english.CALENDAR
    return any(True for _ in numbers) and not counted and (p.word(at),) not in english.MEASURES


# --- what words call for ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """Words that call for a part of a program. `met`: whether a program has it."""

    name: str
    words: Collection[str]
    met: Callable[[Said], bool]
    together: Phrases | None = None
    unless: Phrases | None = None
    """Where the same words are something else."""

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
    Call(
        "negation",
        words(
            "not n't without lacking missing none nobody nothing neither nor never excluding exclude except ignoring"
        ),
        _excludes,
        phrases("leave out | leaving out | left out | other than | apart from | aside from | rather than | but no"),
        phrases("not only | not yet | (do | wo | ca) n't you") + english.AT_LEAST + english.AT_MOST,
    ),
    Call(
        "superlative",
        english.SUPERLATIVES.keys() - words("top latest max min recent"),
        lambda said: said.is_sorted or bool(said.functions & {"min", "max"}),
        unless=phrases("at least | at most | at the very most | top level"),
    ),
    Call(
        "comparison",
        (english.MORE_ADJECTIVES.keys() | english.LESS_ADJECTIVES.keys() | words("more less fewer")) - _OF_DATES,
        _compares,
        unless=phrases("one more | no more | any more | tell me more | some more | more or less"),
    ),
    Call(
        "average",
        words("average avg mean median typical"),
        lambda said: bool(said.functions & {"avg", "median"}),
    ),
    Call(
        "share",
        words("percentage proportion fraction ratio"),
        lambda said: "share" in said.functions,
        phrases("(what | which | how many) percent"),
    ),
    Call(
        "group",
        words("per") | english.TO_GROUP,
        lambda said: bool(getattr(said.statement, "groups", ())),
        unless=Phrases(lambda: tuple(english.UNITS_IN_WORDS)),
    ),
    Call(
        "either",
        words("either or"),
        lambda said: bool(said.kinds & {tree.Or, tree.ListValue} or "under" in said.operators) or _compares(said),
        unless=phrases(
            "or (more | less | fewer | higher | lower | later | earlier | newer | older | above | below | over | "
            "under | so)"
        ),
    ),
    Call(
        "weekday",
        english.WEEKDAYS.keys(),
        lambda said: not said.leaves_out_a_day,  # "not on Sundays" leaves out more than the last of them
    ),
    Call(
        "times",
        words("once twice thrice"),
        _counts_times,
        unless=phrases("at once | once more | once again | once (the | a)"),
    ),
    Call(
        "all of them",
        (),
        lambda said: False,  # the language has no condition that all elements must meet
        phrases("(where | in which | for which | whose) (all | every | each | only) | every (other | second | third)"),
    ),
    Call(
        "same",
        words("same identical"),
        lambda said: bool(said.kinds & {tree.Member, tree.EntityLookup, tree.Subquery}),
    ),
)  # fmt: skip


def unmet(p: Parse, said: Said) -> tuple[str, ...]:
    """What words call for that a program does not have."""
    missing = [one for one in CALLS if not one.met(said)]
    used = _used(p, said) if missing else ()
    names = [one.name for one in missing if one.is_said(p, used)]
    names += ["date"] if _calls_for_another_date(p, said) else []
    names += ["state"] if _calls_for_a_state(p, said) else []
    names += ["antecedent"] if not said.has_condition and _points_back(p) else []
    return tuple(names)


def _points_back(p: Parse) -> bool:
    """Whether things are spoken of as known by now: `show me that case` asks for no list of all cases."""
    return any(isinstance(one.payload, EntityWord) for one in _after_demonstratives(p))


def misses_the_one(p: Parse, said: Said) -> bool:
    """Whether one thing is spoken of as known by now, and the program is of several: `show me that bill`."""
    statement = said.statement
    if isinstance(statement, tree.Get) or getattr(statement, "limit", None) == 1 or tree.EntityLookup in said.kinds:
        return False
    pointed = [one.payload for one in _after_demonstratives(p) if not p.plural(one.end)]
    known = {ref.target for ref in said.fields} | {"" for ref in said.fields if ref.field.is_id}
    kinds = {one.entity for one in pointed if isinstance(one, EntityWord)}
    return bool(pointed) and not known & (kinds | {""})


def _after_demonstratives(p: Parse) -> Iterator[Lexeme[Payload]]:
    """The words for things, and for kinds of them, that `this`, `those` are said before."""
    for one in (one for row in p.lexemes for one in row if p.word(one.start - 1) in english.DEMONSTRATIVES):
        if p.word(one.start) in FUNCTION_WORDS:
            continue  # "how much is that in total?"
        if isinstance(one.payload, EntityWord) or (isinstance(one.payload, ValueWord) and one.payload.closed):
            yield one


_NAMED_DATES = words("date dates day days time moment when last next first") | FUNCTION_WORDS
"""Words of dates' names that say nothing of what happens then: `last viewed`, `valid until`."""
_OF_DEEDS = words("date dates day days time moment when have has had 've")
_STATES = frozenset(["state", "status", "stage"])
_DONE = words("done performed completed finished")
_WHEN = words("in on since during between before after until by within last this today yesterday over")
_ARRANGED = {stem(word) for word in english.AHEAD | words("requested ordered received filed registered reported")}
"""What happens to things before they are done: what was done in May may have been booked in March."""
_CALLED_OFF = {stem(word) for word in words("cancelled canceled withdrawn rejected aborted abandoned void")}
_COMPLETED = {
    stem(word) for word in words("finished completed closed ended resolved concluded settled processed handled")
}
"""Verbs of which a state says whether it is done; on which day a thing was washed says no state."""


def _calls_for_another_date(p: Parse, said: Said) -> bool:
    """Whether the date that is meant where none is named was taken, and a word is of another: `issued permits since
    June`, where permits have an issue date, may be those that were issued since, or received. What is `booked for
    Monday` is then."""
    # "average repair time" is a number, and "repairs" are the things themselves; "viewed 3 times" is a deed
    nouns = (one for row in p.lexemes for one in row if isinstance(one.payload, EntityWord)
             or (isinstance(one.payload, FieldWord) and one.payload.ref.is_number))  # fmt: skip
    of_nouns = {at for one in nouns for at in range(one.start, one.end) if not is_participle(p.word(at))}
    verbs = {
        one.text
        for at, one in enumerate(p.tokens)
        if p.word(at + 1) != "for" and at not in of_nouns and p.word(at - 1) not in ("most", "least")
    }
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
    """Whether a verb was read as a date that is missing, and there is a state that may be meant by it: what was
    cancelled has no day on which it was finished, and is not `unfinished` for that. What `has not departed` is a deed.
    """
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
    """Whether what is not done is asked for in other words than the stored ones, of things that may have been
    cancelled: that is not done either, and nobody waits for it."""
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
    """What is `viewed` is no request to `view` something."""
    return {stem(word) for word in ref.parts - _NAMED_DATES} & spoken(ref)


def taken_for_names(p: Parse, said: Said) -> tuple[int, ...]:
    """The places of plain words of the language, in small letters, that were taken for a part of a name: `outside`."""
    places: set[int] = set()
    for at in range(p.end):
        for one in p.starting(at, NameWord):
            if not one.payload.whole and fold(one.payload.text) in said.texts:
                places.update(range(one.start, one.end))
    return tuple(sorted(at for at in places if p.word(at) in FUNCTION_WORDS and p.tokens[at].raw.islower()))
