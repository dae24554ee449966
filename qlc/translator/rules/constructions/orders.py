"""The constructions of orders: what follows the things, and says in which order and how many of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

from qlc.grammar import tree
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, parts, path
from qlc.translator.rules.conditions import default_date, not_past
from qlc.translator.rules.constructions.construction import (
    CLEAR,
    LIKELY,
    SAID,
    USUAL,
    Construction,
    Match,
    Notation,
    Slot,
    Table,
)
from qlc.translator.rules.constructions.slots import SLOTS
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.degrees import asked_of, degrees, numbers_of_dimension, paid_as_well, to_be_done
from qlc.translator.rules.nouns.noun_phrases import THOSE
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

Phrases = Iterator[Found[NounPhrase]]
Row = Construction[NounPhrase]
_GROUPED = (FieldKind.KEYWORD, FieldKind.BOOLEAN)
RATHER_GROUPS, BARE_BY = 0.7, 0.3  # costs of `by` as an order: on a field that makes groups, and on others


@rule
def sort_key(p: Parse, at: int, entity: Entity) -> Iterator[Found[tree.Path]]:
    """A field by any of its words; `date` is the entity's own, `value` any amount of money."""
    for lexeme, ref in p.fields(at, entity):
        if not lexeme.payload.tail:
            end = p.past(lexeme.end, ("date", "time")) if ref.kind is FieldKind.DATE else lexeme.end
            yield Found(end, ref.left, lexeme.cost)
    if p.word(at) in ("value", "worth") and not any(one.end == at + 1 for one in p.starting(at, FieldWord)):
        for ref in numbers_of_dimension(entity, "money"):
            yield Found(at + 1, ref.left, 0.1)
    date = default_date(entity)
    if date is not None and p.word(at) in ("date", "time", "age", "recency"):
        yield Found(at + 1, date[0].left, 0.1)


def _key(match: Match) -> Iterator[tuple[Found[tree.Path], str]]:
    p = match.parse
    return ((one, match.entity) for one in sort_key(p, p.articles(match.end), p.entity(match.entity)))


def superlative(match: Match) -> Iterator[tuple[Found[tuple[str, bool]], str]]:
    """`largest`, `most expensive`: a dimension, and whether the most comes first."""
    p, at = match.parse, match.end
    if p.word(at) in ("most", "least") and p.word(at + 1) in english.MOST_ADJECTIVES:
        said = (english.MOST_ADJECTIVES[p.word(at + 1)], p.word(at) == "most")
        yield Found(at + 2, said, 0.0), match.entity
    elif p.word(at) in english.SUPERLATIVES:
        yield Found(at + 1, english.SUPERLATIVES[p.word(at)], 0.0), match.entity


def _first(match: Match) -> Iterator[tuple[Found[bool], str]]:
    """`next`, `last`: whether the latest comes first."""
    said = {"next": False, "first": False, "soonest": False, "soon": False, "earliest": False, "last": True,
            "latest": True}  # fmt: skip
    word = match.parse.word(match.end)
    return iter([(Found(match.end + 1, said[word], 0.0), match.entity)] if word in said else [])


def _counting(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`documents`, where a field is their number; `pages`, the number itself."""
    p, entity = match.parse, match.parse.entity(match.entity)
    for ref in p.lexicon.counting(p.word(match.end)):
        if ref.belongs_to(entity):
            yield Found(match.end + 1, ref, 0.0), match.entity
    for lexeme, ref in p.fields(match.end, entity):
        if ref.is_number and ref.within is None:
            yield Found(lexeme.end, ref, lexeme.cost), match.entity


def _given(m: Match) -> NounPhrase:
    phrase: NounPhrase = m["given"]
    return phrase


def _by(m: Match, key: tree.Path | None, descending: bool, cost: float = 0.0, end: int | None = None) -> Phrases:
    if key is not None and _given(m).fixed is None:
        sort = (tree.SortKey(key, descending),)
        yield Found(m.end if end is None else end, replace(_given(m), sort=sort), cost)


def _current(m: Match) -> tree.Path | None:
    sort = _given(m).sort
    return sort[-1].key if sort and isinstance(sort[-1].key, tree.Path) else None


def _ref(m: Match, key: object) -> FieldRef | None:
    return FieldRef.at(m.parse.entity(m.entity), key)


def _is_a_date(ref: FieldRef | None) -> bool:
    return ref is not None and (ref.kind is FieldKind.DATE or is_a_year(ref))


def in_time(m: Match, *, descending: bool) -> Phrases:
    """`newest first`: by the usual date, or by the one that was said."""
    named, usual = _current(m), default_date(m.parse.entity(m.entity))
    if named is not None:  # `by due date, oldest first`
        return _by(m, named, descending) if _is_a_date(_ref(m, named)) else iter(())
    return _by(m, usual[0].left if usual is not None else None, descending)


def by_degree(m: Match, *, descending: bool) -> Phrases:
    """`largest first`: by what was said, else by what the adjective speaks of."""
    p, named = m.parse, _current(m)
    keys = [named] if named is not None else []
    said = (english.SUPERLATIVES[p.word(at)][0] for at in range(m.start, m.end) if p.word(at) in english.SUPERLATIVES)
    dimension = next(said, "") if not keys else ""
    entity = p.entity(m.entity)
    refs = asked_of(_asked(m), entity, dimension) if dimension else []
    meant = [ref for ref, _ in degrees(entity, dimension, True)] if dimension and not refs else []
    for key in (*keys, *(ref.left for ref in refs or (meant if len(meant) == 1 else ()))):
        yield from _by(m, key, descending, USUAL)


def _asked(m: Match) -> tree.Condition | None:
    """Return the conditions of the question, with those of the earlier search if it points back."""
    where = _given(m).where
    return both(where, m.parse.before) if THOSE in parts(where) else where


def by_name(m: Match) -> Phrases:
    """`alphabetically`."""
    names = m.parse.entity(m.entity).names
    return _by(m, path(names[0].name) if names else None, False)


def by_key(m: Match) -> Phrases:
    """`sorted by size`; `by` alone is rather said of groups, where things share the values."""
    ref = _ref(m, m["key"])
    bare = m.parse.word(m.start) == "by" or m.has("with")
    shared = ref is None or is_a_year(ref) or (ref.kind in _GROUPED and ref.field not in m.parse.entity(m.entity).names)
    sorted_already = bool(_given(m).sort)
    if bare and shared and not sorted_already:
        return iter(())
    amount = ref is not None and (ref.kind in NUMERIC or ref.kind is FieldKind.DATE)
    descending = m.get("way")
    if descending is None:  # `largest rooms by area`: the largest first
        descending = bare and amount and sorted_already and _given(m).sort[0].descending
    return _by(m, m["key"], descending, (RATHER_GROUPS if shared else BARE_BY) if bare else 0.0)


def by_key_in_order(m: Match, *, descending: bool) -> Phrases:
    """`sorted by amount, largest first`."""
    timed = m.has("newest", "latest", "recent", "oldest", "earliest", "chronologically")
    if timed and not _is_a_date(_ref(m, m["key"])):
        return iter(())  # nothing is newest by its name
    return _by(m, m["key"], descending, BARE_BY if m.parse.word(m.start) == "by" else 0.0)


def limited(m: Match) -> Phrases:
    """`only 5`, `limit 10`; the `top 5` of a list by numbers are the large ones."""
    phrase = _given(m)
    bounded = m.parse.measured and m.has("most", "max", "maximum")  # `and at most 5?`, after another bound
    if phrase.limit is None and phrase.fixed is None and not bounded:
        number = (ref := _ref(m, _current(m))) is not None and ref.kind in NUMERIC
        top = m.has("top") and number and not any(
            True for at in range(m.parse.end) for _ in m.parse.phrases(at, english.ASCENDING))  # fmt: skip
        sort = (replace(phrase.sort[0], descending=True),) if top else phrase.sort
        yield Found(m.end, replace(phrase, limit=m["n"], sort=sort), 0.0)


def with_the_most(m: Match) -> Phrases:
    """`with the most pages`, `that has the highest amount`."""
    return _extreme(m, m["counting"], m["extreme"])


def _extreme(m: Match, ref: FieldRef, descending: bool, end: int | None = None, cost: float = 0.0) -> Phrases:
    phrase = _given(m)
    limit = phrase.limit if phrase.limit is not None else 1 if phrase.single else None
    for one in _by(m, ref.left, descending, cost, end):
        yield one._replace(value=replace(one.value, limit=limit))


def is_the_most(m: Match) -> Phrases:
    """`which file is the largest`: one of them; `which files are the largest`: all in that order."""
    (dimension, most), p, phrase = m["superlative"], m.parse, _given(m)
    entity = p.entity(m.entity)
    refs = [(ref, most) for ref in asked_of(_asked(m), entity, dimension)]
    refs = refs or (degrees(entity, dimension, most) if dimension != "number" else [])
    if phrase.sort or len(refs) != 1:
        return
    limit = phrase.limit if m.has("are", "were") else phrase.limit or 1
    guesses = paid_as_well(p, entity, refs[0][0]) if dimension == "size" and phrase.where is not None else ()
    for (ref, descending), cost in ((refs[0], 0.0), *(((other, most), 0.1) for other in guesses)):
        for one in _by(m, ref.left, descending, cost, to_be_done(p, m.end)):
            yield one._replace(value=replace(one.value, limit=limit))


def done_first(m: Match) -> Phrases:
    """`which contract expires next`: by the date of the verb; what comes next is not past."""
    if not _given(m).sort:
        for one in _extreme(m, m["date"], m["first"]):
            ahead = m.has("next", "soonest", "soon")
            yield one._replace(value=one.value.also(not_past(m["date"])) if ahead else one.value)


def by_its_date(m: Match) -> Phrases:
    """`the last contract signed`: the last by that date."""
    usual, phrase = default_date(m.parse.entity(m.entity)), _given(m)
    last = phrase.limit is not None and bool(phrase.sort) and phrase.sort[0].descending
    if last and usual is not None and phrase.sort[0].key == usual[0].left:
        yield from _by(m, m["date"].left, True)


_SLOTS: dict[str, Slot] = {
    **SLOTS, "key": _key, "superlative": superlative, "first": _first, "counting": _counting,
}  # fmt: skip


@cache
def _notation() -> Notation:
    return Notation(_SLOTS, {
        "with": words("with the sorted ordered from in , - ( and ; – :"),
        "mark": words(", - ( ; – : from with the in"),
        "newest": english.NEWEST_FIRST,
        "oldest": english.OLDEST_FIRST,
        "descending": english.DESCENDING,
        "ascending": english.ASCENDING,
        "alphabetically": english.ALPHABETICALLY,
        "sorting": english.SORTING,
        "limiting": phrases(
            "[just | only | show | give me] [the] (limit [to] | limited to | top | first | at most | max | maximum | "
            "just | only | show [me] [only | just])"
        ),
        "close": words(")"),
        "having": words(
            "hold holds contain contains with that which has have having had got drew attracted the were was is are "
            "who who whose ranked"
        ),
        "who": english.RELATIVE_PRONOUNS,
        "be": english.RELATIVE_PRONOUNS | english.COPULAS | english.AUXILIARIES,
    })  # fmt: skip


ORDERS: Table[NounPhrase] = Table(_notation, [
    Row("newest first", partial(in_time, descending=True), SAID, "<with*> <newest>",
        reads="invoices, newest first", leaves=", new"),
    Row("oldest first", partial(in_time, descending=False), SAID, "<with*> <oldest>",
        reads="invoices, oldest first", leaves=", old"),
    Row("largest first", partial(by_degree, descending=True), SAID, "<with*> <descending>",
        reads="invoices, largest first", leaves=", large"),
    Row("smallest first", partial(by_degree, descending=False), SAID, "<with*> <ascending>",
        reads="invoices, smallest first", leaves=", small"),
    Row("alphabetically", by_name, SAID, "<with*> <alphabetically>", reads="folders, alphabetically", leaves="by name"),
    Row("sorted by", by_key, SAID, "<mark*> <sorting> {key}", reads="invoices sorted by amount", leaves="sorted"),
    Row("by", by_key, SAID, "[with] [them] by {key}", reads="by size", leaves="by Ann"),
    Row("sorted by, largest first", partial(by_key_in_order, descending=True), SAID,
        "<mark*> (<sorting> | by) {key} <mark*> (<descending> | <newest>) <close*>",
        reads="invoices sorted by amount, largest first", leaves="sorted by amount"),
    Row("sorted by, smallest first", partial(by_key_in_order, descending=False), SAID,
        "<mark*> (<sorting> | by) {key} <mark*> (<ascending> | <oldest>) <close*>",
        reads="invoices by amount, smallest first", leaves="sorted by amount"),
    Row("limit", limited, LIKELY, "<mark*> <limiting> {n} [only | results | hits | of them | please | items | max]",
        reads="invoices, only the top 3", leaves="top"),
    Row("with the most", with_the_most, SAID,
        "<having*> {extreme} [number of | total | amount of | count of] {counting}",
        reads="the document with the most pages", leaves="with pages"),
    Row("is the most", is_the_most, SAID,
        "<who*> (is | are | was | were | took | takes | lasted) [the] {superlative} [one | ones]",
        reads="which file is the largest", leaves="is large"),
    Row("done first", done_first, CLEAR, "<be*> {date} {first}",
        reads="which contract expires next", leaves="expires in May"),
    Row("last done", by_its_date, SAID, "{date}", reads="modified", leaves="in May"),
])  # fmt: skip


def ordered(p: Parse, at: int, phrase: NounPhrase) -> Iterable[Found[NounPhrase]]:
    """The orders and limits that follow the things here, each as the things in that order."""
    found: Any = ORDERS.readings(p, at, phrase.entity, phrase) if phrase.fixed is None else ()
    return found  # type: ignore[no-any-return]
