"""The edits of an earlier search, as rows: how each is said, and what becomes of the search.

A row is read after some beginnings (`only`, `what about`, `without`: see `english.LEADS`), and its pattern is of what
comes after the beginning, up to the end of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from qlc.mapping.fields import FieldKind
from qlc.translator.follow_ups import conditions as condition
from qlc.translator.follow_ups import meanings as mean
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.joining import Content, Meaning
from qlc.translator.rules.constructions.construction import SAID, USUAL, Construction, Match, Notation, Table
from qlc.translator.rules.constructions.orders import superlative
from qlc.translator.rules.constructions.questions import notation as notation_of_questions
from qlc.translator.rules.constructions.slots import SLOTS
from qlc.translator.rules.lexicon.lexemes import EntityWord
from qlc.translator.rules.modifiers.place import with_all_below
from qlc.translator.rules.nouns.names import hierarchical
from qlc.translator.rules.parse import Found
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import phrases, words

Row = Construction[Meaning]
Slot = Iterator[tuple[Found[Any], str]]


def direction(m: Match) -> Slot:
    """`highest first`, `descending`: whether the most comes first."""
    for table, falling in ((plain.DESCENDING, True), (plain.ASCENDING, False)):
        yield from ((Found(end, falling, 0.0), m.entity) for end in m.parse.phrases(m.end, table))


def noun(m: Match) -> Slot:
    """`folders`: the name of a kind of things."""
    yield from ((Found(one.end, one.payload.entity, one.cost), m.entity) for one in m.parse.starting(m.end, EntityWord))


def ordered(m: Match) -> Slot:
    """`amount`, of `highest amount`: a number or a date."""
    for lexeme, ref in m.parse.fields(m.end, m.parse.entity(m.entity)):
        if ref.within is None and (ref.is_number or ref.kind is FieldKind.DATE):
            yield Found(lexeme.end, ref, lexeme.cost), m.entity


def field(m: Match) -> Slot:
    """Any field of a thing."""
    for lexeme, ref in m.parse.fields(m.end):
        if ref.within is None and not lexeme.payload.tail:
            yield Found(lexeme.end, ref, lexeme.cost), m.entity


def overall(m: Match) -> Slot:
    """`do they have in total`, `on average`: what is made of a number of all of them."""
    for table, function in ((_TOGETHER, "sum"), (_ON_AVERAGE, "avg")):
        yield from ((Found(end, function, 0.0), m.entity) for end in m.parse.phrases(m.end, table))


_THEY = "[are | is | do | did | does | were] [they | these | those | all of them | each [of them] | that | it | there]"
_TOGETHER = phrases(
    f"{_THEY} [all] [have | has | make | come to | add up to] [all] (in total | altogether | together | combined | "
    f"in all)"
)
_ON_AVERAGE = phrases(f"{_THEY} [have | has | cost | take] on average")


def deeper(m: Match) -> Slot:
    """`including subfolders`, `subfolders`: the field that says where things lie."""
    for ref in hierarchical(m.parse.entity(m.entity)):
        for at in (m.end, m.end - 1) if m.end and m.parse.word(m.end - 1) in plain.AND else (m.end,):
            yield from ((Found(end, ref, 0.0), m.entity) for end in with_all_below(m.parse, at, ref.target or ""))
        for one in m.parse.starting(m.end, EntityWord) if m["given"].said.cued else ():
            if one.payload.entity == ref.target and m.parse.word(m.end).startswith("sub"):
                yield Found(one.end, ref, 0.0), m.entity


def rest(m: Match) -> Slot:
    """All that is left, which the meaning reads by itself."""
    if m.end < m.parse.end:
        yield Found(m.parse.end, m.end, 0.0), m.entity


@cache
def _notation() -> Notation:
    shared = notation_of_questions()
    own = (superlative, direction, noun, ordered, field, overall, deeper, rest)
    return Notation({**SLOTS, **{one.__name__: one for one in own}}, {
        **shared.tables,
        "those": phrases("[of | for] [all] [of] (them | those | these | that | it)"),
        "there": phrases("(are | were) (they | those | these | there | that) | do (they | these | those) have"),
        "count": phrases(
            "how many [is (that | it | this) | (are | were) [that | those | these | there | they] | of (them | those "
            "| these) [are there] | in total | altogether | are in there | (results | hits) [are there] | does (that "
            "| it) (make | leave | match | find) | do (we | i) have | would that be | are left] | count [them | "
            "those | these | that] | [just | only] the (count | number) | what (is | 's) the (count | number) | as a "
            "(number | count)"),
        "list": phrases(
            "(show | list) [me] (them | those | these) | [let me] see them | (which | what | who) are (they | those | "
            "these) | which ones [are (they | those | these)] | [give me | show me] the list | as a list"),
        "group": phrases(
            "(break | split | divide | group) [that | it | them | those | this] [down | up] (by | per) | (broken | "
            "split | grouped) [down | up] by | [a] breakdown by | by [each] | per | for (each | every) | each | "
            "(count | counts) [them | those] by | show (that | it | them | those | this) by | now (by | per) | how "
            "many [(is | are | were) (that | those | these | they | there)] (per | by | (for | in) each)"),
        "coming to": phrases(
            "how much [is (that | this | it) | are (they | those | these)] [all] [in (all | total) | altogether | "
            "together] | (what | how much) (do | does | did) (they | these | those | that | it) [all] (come to | add "
            "up to | total | cost | make) [in (all | total) | altogether] | [what (is | 's | was)] the (total | sum) "
            "[of (them | those | these | that)] | (sum | add | total) (it | them | that | those) up | how much did "
            "we (spend | pay) [in (all | total)] | in total | altogether | the grand total"),
        "are not": phrases(
            "(which | who | how many) [ones | of (them | those | these)] (are | is | were | do | does | did | have) "
            "(n't | not) | (the ones | those | the others) (that | which | who) (are | do | have) (n't | not) | "
            "which not | the (opposite | inverse) | the others"),
        "one of them": phrases(
            "which [one] [of (them | those | these)] | which ones | who [of them] | [show me | give me | which is] "
            "the one"),
        "reverse": phrases(
            "reverse [that | it] [the order] | [in] [the] (reverse | opposite) order | [(sort | order | put) (that | "
            "it | this | them | those)] [the] other way (round | around) | reversed"),
        "no limit": phrases(
            "(show | list) [me] (all [of them | of those] | everything) | all of (them | those) | everything | no "
            "limit | without [the | a] limit | the (whole | full | complete | entire) list | not just the top"),
        "first": words("just only show the give me list first top limit to it them that those cut keep at most us"),
        "items": words("only results hits of them those these please items max ones rows result"),
        "link": plain.LIGHT_VERBS | plain.COPULAS | words("the which does it its show me give what who just only "
        "about"),
        "end": words("of in among them those these all one ones it only too below also"),
        "asked of it": words("the what who when which is 's was are it its"),
    })  # fmt: skip


_AGAIN: tuple[Row, ...] = (
    Row("count", mean.counted, SAID, "<count> [in total | in all | altogether | overall]",
        reads="how many is that", leaves="how many pages"),
    Row("list", mean.listed, SAID, "<list>", reads="which ones are they", leaves="the list"),
    Row("not so", condition.not_so, SAID, "<are not>", reads="which ones are not", leaves="which ones"),
    Row("first n", mean.limited, SAID, "<first*> {n} <items*>",
        reads="only the first five", leaves="only the invoices"),
    Row("all", mean.in_full, SAID, "<no limit>", reads="show all of them", leaves="show the invoices"),
    Row("opposite", condition.not_so, SAID, "<reverse>", reads="the other way round", leaves="round"),
    Row("reverse", mean.turned_round, SAID, "<reverse>", reads="the other way round", leaves="the way"),
    Row("most first", mean.most_first, SAID, "[the] {superlative} [{ordered}] first",
        reads="most expensive first", leaves="first"),
    Row("rows in order", mean.most_first, SAID, "[sort] [by] [count] [,] {direction}",
        reads="by count, highest first", leaves="by size"),
    Row("first of them", mean.first_of_them, SAID, "<one of them> <link*> [{n}] {superlative} [{ordered}] <end*>",
        reads="which of them is the largest", leaves="which of them"),
    Row("first row", mean.first_row, SAID, "<link*> [{n}] {superlative} [{noun}] <end*>",
        reads="the lowest one", leaves="the one"),
    Row("coming to", mean.coming_to, SAID, "<coming to>", reads="how much is that in total", leaves="how much"),
    Row("of all", mean.of_all, SAID, "how ((many | much) {number} | {degree}) {overall}",
        reads="how big are they together", leaves="how big"),
    Row("measure", mean.measured, SAID, "<ask*> [their] {measure} <the*> {measured} [<those>]",
        reads="the average size", leaves="their owner"),
    Row("measure of it", mean.measured_alone, USUAL, "<ask*> {measure} [<those>]",
        reads="and the average", leaves="and their owner"),
)
_IN_GROUPS: tuple[Row, ...] = (
    Row("group", mean.grouped, SAID, "<group> {by} [<there>]", reads="break that down by owner", leaves="break"),
    Row("group in order", mean.grouped, SAID, "<group> {by} [,] {direction}",
        reads="by owner, highest first", leaves="by owner"),
    Row("calendar", mean.grouped, SAID, "{calendar}", reads="monthly", leaves="soon"),
)
_OTHER_THINGS: tuple[Row, ...] = (
    Row("kind", condition.of_another_kind, SAID, "[the] {noun}", reads="the folders instead", leaves="instead"),
    Row("below", condition.below_too, SAID, "[the | its | all] {deeper} <end*>",
        reads="including subfolders", leaves="the folder"),
)
_OF_THE_ORDER: tuple[Row, ...] = (
    Row("another place", mean.another_of_the_order, SAID, "<link*> {nth} {superlative} [one]",
        reads="and the second largest", leaves="and the largest"),
    Row("other end", mean.another_of_the_order, SAID, "<link*> [{n}] {superlative} [{n}] [one | ones]",
        reads="the lowest five", leaves="the five"),
)
_ANOTHER_LIMIT = Row("another limit", mean.limited, SAID, "<first*> {n} <items*>",
                     reads="make it ten", leaves="make it")
_WITHOUT = Row("without", condition.left_out, SAID, "{rest}", reads="without the drafts", leaves="without")
_DROPPED = Row("drop", condition.dropped, SAID, "{rest}", reads="forget the date", leaves="forget")
_VALUE = Row("another value", condition.another_value, SAID, "{rest}", reads="what about Staples", leaves="what about")
_FIELD = Row("another field", condition.another_field, SAID, "<asked of it*> {field}",
             reads="and the size", leaves="and")


class Edits:
    """The rows that are read after each beginning; with `needs_a_search`, only after a search for several things."""

    def __init__(self, rows: dict[Mode, Sequence[Row]], *, needs_a_search: bool = True) -> None:
        self.tables = {mode: Table(_notation, one) for mode, one in rows.items()}
        self._needs_a_search = needs_a_search

    def meanings(self, c: Content) -> Iterator[Meaning]:
        """Yield the meanings that the rows give the rest of a follow-up; a reading must reach its end."""
        table = self.tables.get(c.said.mode)
        if table is None or (c.base is None and self._needs_a_search):
            return
        for one in table.readings(c.p, c.at, c.base.entity.name if c.base is not None else "", c):
            if finished(c.p, one.end):
                yield replace(one.value, cost=one.value.cost + one.cost)


PHRASED = Edits({
    "": (*_AGAIN, *_IN_GROUPS, *_OTHER_THINGS, *_OF_THE_ORDER),
    "narrow": (*_AGAIN, *_IN_GROUPS, *_OTHER_THINGS),
    "replace": (*_IN_GROUPS, *_OTHER_THINGS, *_OF_THE_ORDER, _ANOTHER_LIMIT),
    "add": (*_IN_GROUPS, *_OTHER_THINGS),
})  # fmt: skip
"""Edits in phrases that name no value or field, so that pronouns make no difference."""
EDITS = Edits({"leave out": [_WITHOUT], "drop": [_DROPPED]})  # edits by values and fields, which pronouns can replace
OF_ONE = Edits({"": [_FIELD, _VALUE], "replace": [_FIELD, _VALUE], "add": [_VALUE], "narrow": [_VALUE]},
               needs_a_search=False)
"""Edits that also change a question about a single document."""
