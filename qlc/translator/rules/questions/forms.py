"""Whole questions: lists, value questions, numbers. `FORMS` are the ways to read one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement, walked
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import both, compare, name_of, parts, path
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.constructions import questions as constructions
from qlc.translator.rules.constructions.orders import ordered
from qlc.translator.rules.lexicon.lexemes import ConditionWord, EntityWord, NameWord, ValueWord
from qlc.translator.rules.modifiers.sequences import modifiers, of_what_is_inside, says_a_condition, scope_unclear
from qlc.translator.rules.nested import NounPhrase, find, nested
from qlc.translator.rules.nouns.compounds import COMPOUND, is_a_means
from qlc.translator.rules.nouns.names import Reference, entity_words, widest
from qlc.translator.rules.nouns.noun_phrases import noun_phrase, of_reference, one_by_name, several_kinds
from qlc.translator.rules.nouns.references import reference, related, within_another
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions.deed_dates import of_objects, when_it_was_done
from qlc.translator.rules.questions.finishing import nobody_said, of_either
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_EXISTING = phrases(
    "are there | there are | exist | [that] (you | we | i) have | do (you | we | i) have | "
    "in (the | our) (system | index)"
)
"""After a noun: that such things are there at all."""
_TAILS = phrases(
    "(thanks | thank you) [a lot | so much | very much | in advance] | many thanks | please | for me | do we have | "
    "do i have | are there | can i have those | can you find it | can you find them | can you find that | if "
    "possible | exist | (can | could) you [show [them | me]] | were there | there were | was there | in total | "
    "altogether | right now | at the moment | in all | i need them | i need it | i need those | you have | we have | "
    "i have | there are | are they | can i see them | can i see those | can i have them | so far | have we got | in "
    "the index | can i get those | if any | there | overall | can you list them | list them | show them | show me | "
    "in the system | in here | anyway | do you have | exactly | in the drive | in my drive | for us | and which | "
    "which ones | is there | can i get them | whatever they are | again | that we have | that i have | that exist | "
    "on file | i got | got | be | in there | anywhere | only | thing | how many are there | (on | in | across) the "
    "whole (drive | system | index | archive | store | database) | in (the | our | your) (collection | database | "
    "data | dataset | records | catalogue | catalog | system | list) | any more | anymore | any longer | on record | "
    "on (our | the) books | (of | in) all [of them] | how many are they | (show | list | give) (me | us) (that | "
    "this | those | these | them) [one | ones] | list (those | these) | show (those | these) | [as | in] [a] table | "
    "with [the] (numbers | counts) | as well"
)
_COMPARING = words("compare comparing")
_MORE = words("more fewer less")
_SO = phrases("(have | has | had) (that | this | it | such) | (are | is | were | was) (so | that | such | it)")
"""Phrases that stand for earlier conditions: `which folders have that`."""


def readings(p: Parse) -> list[Found[Statement]]:
    """Every reading of the whole question, cheapest first. What compares two things side by side is left to others."""
    best: dict[Statement, float] = {}
    if any(p.word(at) in english.VERSUS | _COMPARING for at in range(p.end)) or _asks_which_has_more(p):
        return []
    for start in beginnings(p):
        for one in (one for form in FORMS for one in form(p, start) if finished(p, one.end)):
            statement = of_objects(p, of_either(p, when_it_was_done(p, one.value)))
            if statement is not None and one.cost < best.get(statement, 1e9) and not nobody_said(p, statement):
                best[statement] = one.cost
    return sorted((Found(p.end, statement, cost) for statement, cost in best.items()), key=lambda one: one.cost)


def _asks_which_has_more(p: Parse) -> bool:
    """`are there more invoices or receipts`: of which there are more, which no list of both answers."""
    more = [at for at in range(min(p.end, 5)) if p.word(at) in _MORE]
    either = any(p.word(at) in english.OR and p.word(at + 1) not in _MORE for at in range(2, p.end))
    compared = any(p.word(at) == "than" for at in range(p.end))
    asked = bool(more) and (not more[0] or p.word(more[0] - 1) in english.PREDICATING | words("there we you i have"))
    return asked and either and not compared


def beginnings(p: Parse, first: int = 0) -> list[int]:
    """Return the positions where the question may begin, after greetings and ways of asking."""
    found, pending = [], [first]
    while pending:
        at = pending.pop()
        if at in found or at >= p.end:
            continue
        found.append(at)
        after = p.past(at, english.POLITE | english.END_MARKS)
        # To break or split something, and by nothing, is no way to ask for a list.
        starts = [one for one in {at, after} if p.word(one) not in ("break", "split")
                  or any(p.word(i) in ("by", "per") for i in range(one + 2, p.end))]
        asked = [end for start in starts for end in p.phrases(start, english.ASKING) if not _is_a_value(p, start, end)]
        pending += [*asked, *starts]
    return found


def _is_a_value(p: Parse, start: int, end: int) -> bool:
    """Whether a way of asking is a value of what is asked for: `open invoices`, `open urgent tickets`."""
    said = (ValueWord, ConditionWord)
    values = [one for kind in said for one in p.starting(start, kind)]
    nouns = (one for at in (end, end + 1) for kind in (*said, EntityWord) for one in p.starting(at, kind))
    return end == start + 1 and (bool(values) or p.word(start) == "open") and any(p.plural(one.end) for one in nouns)


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
    while p.word(at) in (english.POLITE | english.SOFTENERS) - {"left"} and not says_a_condition(p, at, at + 1):
        at += 1
    return at


def _ends_with_a_name(p: Parse, end: int) -> bool:
    """`in the whole Archive`: with the name of something, which is no way to say `all there is`."""
    last = p.tokens[end - 1]
    return last.raw[:1].isupper() and any(one.payload.whole for one in p.starting(end - 1, NameWord))


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
            for end in p.phrases(p.past(one.end, (",",)), english.EXCEPT):
                if p.word(end) in ("itself", "themselves"):
                    yield Found(end + 1, _without_itself(statement), one.cost)


def _names_things(p: Parse, at: int, end: int) -> bool:
    """Whether a kind of things is said, or `everything`: `which ones` asks for some of what came before."""
    return any(p.word(i) == "everything" or any(True for _ in p.starting(i, EntityWord)) for i in range(at, end))


def _nothing_is_left(p: Parse, at: int) -> bool:
    """Whether nothing follows but marks, thanks, and that things are there."""
    after = p.past(at, english.END_MARKS | english.POLITE)
    return any(p.past(end, english.END_MARKS | english.POLITE) == p.end
               for end in (after, *p.phrases(after, _EXISTING)))


def _with_its_order(phrase: NounPhrase) -> NounPhrase:
    """`the largest documents`: all that have a size. Those without one have no place in the order."""
    if phrase.fixed is not None or phrase.where is not None or phrase.limit is not None or not phrase.sort:
        return phrase
    key = phrase.sort[0].key
    return replace(phrase, where=tree.Presence(key, False)) if isinstance(key, tree.Path) else phrase


def _in_order(p: Parse, phrase: NounPhrase) -> NounPhrase:
    """The first three that expire this year are those that expire first; the last that was signed was signed last."""
    entity = p.entity(phrase.entity)
    usual = default_date(entity)
    lefts = [one.left for one in parts(phrase.where) if isinstance(one, tree.Comparison | tree.Between)]
    names = [name_of(left) for left in lefts if isinstance(left, tree.Path)]
    dates = [name for name in names if name in entity.fields and entity.fields[name].kind is FieldKind.DATE]
    if phrase.limit is None or len(dates) != 1:
        return phrase
    said = {token.text for token in p.tokens}
    if not phrase.sort and (entity.fields[dates[0]].whole_days or "first" in said):
        return replace(phrase, sort=(tree.SortKey(path(dates[0]), False),))
    if phrase.sort and usual is not None and phrase.sort[0].key == usual[0].left and said & {"first", "last"}:
        return replace(phrase, sort=(tree.SortKey(path(dates[0]), phrase.sort[0].descending),))
    return phrase


def _without_itself(statement: tree.Find) -> tree.Find:
    """`other documents in the same folder as X`: X itself is not one of them."""
    same = [one.right for one in walked(statement.where) if isinstance(one, tree.Comparison)] if statement.where else []
    bases = {one.base for one in same if isinstance(one, tree.Member) and isinstance(one.base, tree.EntityLookup)}
    if len(bases) != 1:
        return statement
    return replace(statement, where=both(statement.where, compare(path("id"), "!=", bases.pop())))


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
        for one in (one for begin in begins for one in _related(p, begin, entity.name)):
            yield one._replace(cost=one.cost + (0.2 if entity.kinds else 0.0))


def _related(p: Parse, at: int, name: str) -> Iterator[Found[Statement]]:
    for one in related(p, at, name):
        if not p.entity(name).virtual:
            found: Statement | None = _as_it_is_found(p, at, one) or of_reference(p, one.value)
        else:
            found = tree.Get((one.value.value,)) if isinstance(one.value.value, tree.Member) else None
        if found is not None:
            yield Found(one.end, found, one.cost)
    for one in within_another(p, at, name):
        if (listed := _as_it_is_found(p, at, one)) is not None:
            yield Found(one.end, listed, one.cost)


def _as_it_is_found(p: Parse, at: int, one: Found[Reference]) -> tree.Find | None:
    """`the Invoices folder of Quill & Ink`: those that are called so there."""
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
    # What is said without a noun can be said of all things: of the kind that covers the others, where there is one.
    covering = [p.things[0].name] if any(one.kinds for one in p.things) else kinds
    for entity in kinds if p.word(p.articles(at)) == "siblings" else covering:
        for one in modifiers(p, at, entity):
            yield Found(one.end, find(p, NounPhrase(entity, one.value)), one.cost + 0.5 + means)
            after = p.past(one.end, words(", : - which what show me list find the all"))
            for several in things(p, after) if after > one.end else ():
                if several.value.fixed is None and several.value.entity == entity:
                    end = next(p.phrases(several.end, _SO), several.end)
                    yield Found(end, find(p, several.value.also(one.value)), one.cost + several.cost + 0.2)


@rule
def things(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """A noun phrase with its clauses, in any order, and further conditions after them."""
    for one in (*noun_phrase(p, at), *several_kinds(p, at), *one_by_name(p, at)):
        yield one
        yield from _more(p, one, 0)
        unclear = scope_unclear(p, at, one.value.where, one.end)
        if one.value.fixed is None and one.value.where is not None and not unclear:
            for start in {one.end, p.past(one.end, (",",))}:
                for rest in modifiers(p, start, one.value.entity):
                    torn = of_what_is_inside(p, one.value.where, start)
                    yield Found(rest.end, one.value.also(rest.value), one.cost + rest.cost + torn)


def _more(p: Parse, phrase: Found[NounPhrase], depth: int) -> Iterator[Found[NounPhrase]]:
    if depth > 3:
        return
    for one in ordered(p, phrase.end, phrase.value):
        found = Found(p.past(one.end, (")",)), one.value, phrase.cost + one.cost)
        yield found
        yield from _more(p, found, depth + 1)
        if one.value.fixed is None:
            for start in {found.end, p.past(found.end, (",", "and"))}:
                for rest in modifiers(p, start, one.value.entity):
                    following = Found(rest.end, found.value.also(rest.value), found.cost + rest.cost)
                    yield following
                    yield from _more(p, following, depth + 1)


nested.noun_phrase, nested.reference = noun_phrase, reference
FORMS: tuple[Callable[[Parse, int], list[Found[Statement]]], ...] = (
    listing, referred, *constructions.FORMS, within, narrowed,
)  # fmt: skip
