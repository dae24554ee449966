"""Whole questions: lists, value questions, numbers. `FORMS` are the ways to read one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, name_of, parts, path
from qlc.translator.rules.conditions import date_fields, default_date
from qlc.translator.rules.equivalence import nobody_said
from qlc.translator.rules.lexicon.lexemes import EntityWord, NameWord, ValueWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.sequences import says_a_condition
from qlc.translator.rules.nested import NounPhrase, find, nested
from qlc.translator.rules.nouns.clauses import things
from qlc.translator.rules.nouns.compounds import COMPOUND, is_a_means
from qlc.translator.rules.nouns.names import Reference, entity_words, widest
from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase, of_reference
from qlc.translator.rules.nouns.premodifiers import said_before
from qlc.translator.rules.nouns.references import reference, related, within_another
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions import (
    aggregates,
    counts,
    groups,
    measures,
    notes,
    rankings,
    value_questions,
    whereabouts,
)
from qlc.translator.rules.questions.finishing import of_either, of_objects, when_it_was_done
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_EXISTING = phrases(
    "are there | there are | exist | [that] (you | we | i) have | do (you | we | i) have | "
    "in (the | our) (system | index)"
)
"""After a noun: that such things are there at all."""
_TAILS = phrases(
    "(thanks | thank you) [a lot | so much | very much | in advance] | many thanks | "
    "please | for me | do we have | do i have | are there | can i have those | can you find it | can you "
    "find them | can you find that | if possible | exist | (can | could) you [show [them | me]] | were there | "
    "there were | was there | in "
    "total | altogether | right now | at the moment | in all | i need them | i need it | i need those | "
    "you have | we have | i have | there are | are they | can i see them | can i see those | can i have "
    "them | so far | have we got | in the index | can i get those | if any | there | overall | can you "
    "list them | list them | show them | show me | in the system | in here | anyway | do you have | "
    "exactly | in the drive | in my drive | for us | and which | which ones | is there | can i get them | "
    "whatever they are | again | that we have | that i have | that exist | on file | i got | got | be | "
    "in there | anywhere | only | thing | how many are there | (on | in | across) the whole "
    "(drive | system | index | archive | store | database) | "
    "in (the | our | your) (collection | database | data | dataset | records | catalogue | catalog | system | list) | "
    "any more | anymore | any longer | "
    "on record | on (our | the) books | (of | in) all [of them] | how many are they | "
    "(show | list | give) (me | us) (that | this | those | these | them) [one | ones] | list (those | these) | "
    "show (those | these) | [as | in] [a] table | with [the] (numbers | counts) | as well"
)
_TOP = phrases("[just | only] [the] top")
_SHOWN = phrases("with [the | their] (numbers | counts | figures)")
_OF_WHICH = phrases("(are | were | is | was) there | (do | did | have | had) (we | you | i | they) [have]")
_MORE = words("more fewer less")
_CALENDAR: dict[int, tree.GroupFunction] = {4: "year", 7: "month", 10: "day"}
_SO = phrases("(have | has | had) (that | this | it | such) | (are | is | were | was) (so | that | such | it)")
"""What stands for the conditions, after the things that they are of."""


def readings(p: Parse) -> list[Found[Statement]]:
    """Every reading of the whole question, cheapest first."""
    best: dict[Statement, float] = {}
    versus = any(p.word(i) in english.VERSUS for i in range(p.end)) or _asks_which_has_more(p)
    fronted = []
    for start in dict.fromkeys((*beginnings(p), *fronted)):
        compared = p.word(start) in ("compare", "comparing")
        for form in FORMS:
            for one in form(p, start + compared):
                for ended in (one,):
                    statement = None if versus or compared else ended.value
                    if statement is None or not finished(p, ended.end):
                        continue
                    statement = of_objects(p, of_either(p, when_it_was_done(p, statement)))
                    if ended.cost < best.get(statement, 1e9) and not nobody_said(p, statement):
                        best[statement] = ended.cost
    return sorted((Found(p.end, statement, cost) for statement, cost in best.items()), key=lambda one: one.cost)


def beginnings(p: Parse, first: int = 0) -> list[int]:
    """Where the question itself may begin: after greetings and ways of asking."""
    found, pending = [], [first]
    while pending:
        at = pending.pop()
        if at in found or at >= p.end:
            continue
        found.append(at)
        after = p.past(at, english.POLITE | english.END_MARKS)
        pending += [
            end
            for start in {at, after}
            for end in (*p.phrases(start, english.ASKING), start)
            if not _said_of_things(p, start, end) and not _divides_nothing(p, start)
        ]
    return found


def _said_of_things(p: Parse, start: int, end: int) -> bool:
    """`open invoices`, `open urgent tickets`: a way of asking that is a value of what is asked for. Where none is
    called so, nobody knows which things without an article are open: `open rush jobs`."""
    return False


def _divides_nothing(p: Parse, at: int) -> bool:
    """Whether something is to be broken or split, and not in groups by anything: no way to ask for a list."""
    return p.word(at) in ("break", "split") and not any(p.word(i) in ("by", "per") for i in range(at + 2, p.end))


def finished(p: Parse, at: int) -> bool:
    """Whether only marks, thanks and the like are left."""
    while at < p.end:
        after = p.past(at, english.END_MARKS)
        tails = (end for end in p.phrases(after, _TAILS) if not _ends_with_a_name(p, end))
        after = next(tails, None) or _past_what_says_nothing(p, after)
        if after == at:
            return False
        at = after
    return True


def _past_what_says_nothing(p: Parse, at: int) -> int:
    """After words that carry no condition, unless the catalog has one by them: `still available`."""
    while p.word(at) in english.POLITE | english.SOFTENERS and not says_a_condition(p, at, at + 1):
        at += 1
    return at


def _ends_with_a_name(p: Parse, end: int) -> bool:
    """`in the whole Archive`: with the name of something, which is no way to say `all there is`."""
    last = p.tokens[end - 1]
    return last.raw[:1].isupper() and any(one.payload.whole for one in p.starting(end - 1, NameWord))


def _asks_which_has_more(p: Parse) -> bool:
    """`are there more invoices or receipts`: of which of these there are more, which no list of both answers."""
    asked = any(p.word(end) in _MORE for start in (0, p.past(0, english.POLITE)) for end in p.phrases(start, _OF_WHICH))
    asked = asked or p.word(0) in _MORE
    either = [at for at in range(2, p.end) if p.word(at) in english.OR and p.word(at + 1) not in _MORE]
    return asked and bool(either) and not any(p.word(at) == "than" for at in range(p.end))


# --- lists -----------------------------------------------------------------------------------------------------------


@rule
def listing(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`PDFs in Legal over 3 MB, newest first`."""
    start = p.past(at, words("which what all the of whatever any other whichever"))
    other = any(p.word(i) in english.OTHER for i in range(at, start))
    for begin in {at, start}:
        for one in things(p, begin):
            statement = find(p, _with_its_order(_in_order(p, one.value)))
            everything = one.value.fixed is None and one.value.where is None and one.value.limit is None
            named = one.value.headed and _names_things(p, begin, one.end)
            if everything and not (named and _nothing_is_left(p, one.end)):
                continue  # "documents hidden": a word that says little elsewhere may say which of all are meant
            statement = replace(statement, every=everything)
            yield Found(one.end, _without_itself(statement) if other else statement, one.cost)


def _names_things(p: Parse, at: int, end: int) -> bool:
    """Whether a kind of things is said, or `everything`: `which ones` asks for some of what came before."""
    return any(p.word(i) == "everything" or any(True for _ in p.starting(i, EntityWord)) for i in range(at, end))


def _nothing_is_left(p: Parse, at: int) -> bool:
    """Whether nothing follows but marks, thanks, and that things are there."""
    after = p.past(at, english.END_MARKS | english.POLITE)
    return any(
        p.past(end, english.END_MARKS | english.POLITE) == p.end for end in (after, *p.phrases(after, _EXISTING))
    )


def _in_order(p: Parse, phrase: NounPhrase) -> NounPhrase:
    """The first three that expire this year are those that expire first, the last that expired expired last."""
    if phrase.limit is None or phrase.where is None:
        return phrase
    entity = p.entity(phrase.entity)
    said_of = parts(phrase.where)
    lefts = [one.left for one in said_of if isinstance(one, tree.Comparison | tree.Between)]
    names = [name_of(left) for left in lefts if isinstance(left, tree.Path)]
    if not phrase.sort:
        dates = [name for name in names if name in entity.fields and entity.fields[name].whole_days]
        usual = default_date(entity)
        return replace(phrase, sort=(tree.SortKey(path(dates[0]), False),)) if len(dates) == 1 else phrase
    usual = default_date(entity)
    said = {token.text for token in p.tokens}
    if usual is None or phrase.sort[0].key != usual[0].left or said & english.SUPERLATIVES.keys():
        return phrase
    bare = [name_of(one.path) for one in said_of if isinstance(one, tree.Bare)]
    names += [word for name in bare for word in entity.conditions.get(name, "").split()]
    names += [date for name in names for date in _when_done(entity, name)]
    dates = [name for name in dict.fromkeys(names) if name in entity.fields]
    dates = [name for name in dates if entity.fields[name].kind is FieldKind.DATE]
    if said & {"last", "first"} and len(dates) == 1:
        return replace(phrase, sort=(tree.SortKey(path(dates[0]), phrase.sort[0].descending),))
    return phrase


def _with_its_order(phrase: NounPhrase) -> NounPhrase:
    """`the largest documents`: all that have a size. Those without one have no place in the order."""
    if phrase.fixed is not None or phrase.where is not None or phrase.limit is not None or not phrase.sort:
        return phrase
    key = phrase.sort[0].key
    return replace(phrase, where=tree.Presence(key, False)) if isinstance(key, tree.Path) else phrase


def _without_itself(statement: tree.Find) -> tree.Find:
    """`other documents in the same folder as X`: X itself is not one of them."""
    bases: list[tree.Value] = []

    def collect(condition: tree.Condition | None) -> None:
        match condition:
            case tree.And():
                for item in condition.items:
                    collect(item)
            case tree.Comparison(right=tree.Member(base=tree.EntityLookup() as base)):
                bases.append(base)

    collect(statement.where)
    if len(set(bases)) != 1:
        return statement
    excluded = compare(path("id"), "!=", bases[0])
    return tree.Find(
        statement.entity, both(statement.where, excluded), statement.sort, statement.limit, statement.offset
    )


@rule
def referred(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`the parent folder of X`, `the folder containing X`, `the owner of X`: what a relation leads to."""
    for entity in p.schema.entities.values():
        start = p.past(at, words("which what whats who the in is are 's"))
        into = any(p.word(i) == "in" and i and p.word(i - 1) in english.COPULAS for i in range(at, start))
        begins = {at} if into else {at, start}  # `what is in the folder of X` asks for what lies there
        if p.word(at) in ("which", "what") and not entity.virtual:  # `which folder is the parent of X`
            verbs = ((end, p.past(end, english.COPULAS)) for end in entity_words(p, at + 1, entity.name))
            begins |= {after for end, after in verbs if after > end}
        for begin in begins:
            for one in (*related(p, begin, entity.name), *_one_within(p, begin, entity.name)):
                cost = one.cost + (0.2 if entity.kinds else 0.0)
                if entity.virtual:
                    if isinstance(one.value.value, tree.Member):
                        yield Found(one.end, tree.Get((one.value.value,)), cost)
                elif (statement := _listed(p, begin, one) or of_reference(p, one.value)) is not None:
                    yield Found(one.end, statement, cost)
                    NounPhrase(entity.name, statement.where)


def _one_within(p: Parse, at: int, entity: str) -> Iterator[Found[Reference]]:
    return (one for one in within_another(p, at, entity) if _listed(p, at, one) is not None)


def _listed(p: Parse, at: int, one: Found[Reference]) -> tree.Find | None:
    """`the Invoices folder of Quill & Ink`: those that are called so there, as they are found."""
    nouns = (word for i in range(at, one.end) for word in p.starting(i, EntityWord))
    said = any(noun.payload.entity == one.value.entity and not p.plural(noun.end) for noun in nouns)
    found = one.value.value.statement if said and isinstance(one.value.value, tree.Subquery) else None
    return found if isinstance(found, tree.Find) else None


@rule
def within(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what's in Legal`, `whats under Clients`, `in Legal: ...`: everything there."""
    start = p.past(
        at, words("what whats is 's all there everything do did we have has been was i else file store keep")
    )
    if start == at:
        return
    other = any(p.word(i) == "else" for i in range(at, start))
    name = widest(p)
    having = start - 1 if p.word(start - 1) in ("has", "have") else start  # `what else has the owner of X`
    for begin in dict.fromkeys((start, having)):
        for one in modifiers(p, begin, name) if begin > at else ():
            statement = find(p, NounPhrase(name, one.value))
            yield Found(one.end, _without_itself(statement) if other else statement, one.cost + 0.3)


@rule
def narrowed(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """Conditions without a noun: `tagged audit and owned by Ann`; or before it: `in 2024, what documents ...`."""
    if p.word(at) in words("who whom whose when how which what"):
        return  # what is asked for would be lost
    nouns = (one for one in p.starting(at, ValueWord) if p.plural(one.end))
    means = COMPOUND if any(is_a_means(one.payload.ref) for one in nouns) else 0.0  # `cards` are no documents
    kinds = [e.name for e in p.things if not e.kinds]
    for entity in kinds if p.word(p.articles(at)) == "siblings" else _independent(p):
        for one in modifiers(p, at, entity):
            yield Found(one.end, find(p, NounPhrase(entity, one.value)), one.cost + 0.5 + means)
            after = p.past(one.end, words(", : - which what show me list find the all"))
            for several in things(p, after) if after > one.end else ():
                if several.value.fixed is None and several.value.entity == entity:
                    end = next(p.phrases(several.end, _SO), several.end)
                    yield Found(end, find(p, several.value.also(one.value)), one.cost + several.cost + 0.2)


def _independent(p: Parse) -> list[str]:
    """The kinds of things that what is said without a noun can be said of: the first where others are kinds of it."""
    real = p.things
    return [real[0].name] if any(e.kinds for e in real) else [e.name for e in real]


nested.noun_phrase, nested.bare_noun, nested.things = noun_phrase, bare_noun, things
nested.modifiers, nested.reference, nested.said_before = modifiers, reference, said_before

FORMS: tuple[Callable[[Parse, int], list[Found[Statement]]], ...] = (
    listing,
    referred,
    *whereabouts.FORMS,
    *value_questions.FORMS,
    *counts.FORMS,
    *measures.FORMS,
    *rankings.FORMS,
    *aggregates.FORMS,
    *groups.FORMS,
    *notes.FORMS,
    within,
    narrowed,
)


def _when_done(entity: Entity, name: str) -> Iterator[str]:
    """The dates of what somebody did, as a field says who: `edited` beside `edited by`."""
    who = entity.fields.get(name)
    verbs = {one.split()[0] for one in who.words if one.endswith(" by")} if who is not None else set()
    for date in date_fields(entity):
        if verbs & {date.field.name, *date.field.words}:
            yield date.field.name
