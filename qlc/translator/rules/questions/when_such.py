"""When something happens to what is described and not named: `when does the lease for Ann Lee run out`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.translator.rules.build import path
from qlc.translator.rules.nouns.noun_phrases import find, noun_phrase
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions.asked_fields import date_of_the_verb
from qlc.translator.rules.words.phrases import phrases

_WHEN = phrases("when (does | do | did | will | is | was | are | were | has | have) [been]")


_SURER = 0.2
"""What is surer of the things where the verb behind them is one that they have a date for."""


@rule
def when_of_such(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The things with the date of the verb beside their names: there may be several that are described so."""
    for asked in p.phrases(at, _WHEN):
        for things in noun_phrase(p, p.articles(asked)) if p.articles(asked) > asked else ():
            phrase = things.value
            entity = p.entity(phrase.entity)
            described = phrase.fixed is None and isinstance(phrase.where, tree.And) and not phrase.sort
            verb = p.past(things.end, ("last", "been", "first"))
            dates = date_of_the_verb(entity, p.word(verb)) if described and p.word(verb).isalpha() else []
            if len(dates) != 1 or not entity.names or phrase.limit not in (None, 1):
                continue
            statement = find(p, replace(phrase, limit=None))
            shown = (path(entity.names[0].name), path(*dates[0].path))
            yield Found(verb + 1, replace(statement, show=shown), max(0.1, things.cost - _SURER))
