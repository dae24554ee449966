"""Whether a text is a question by itself, or a part of what was said before."""

from __future__ import annotations

from qlc.grammar import parse as parsed
from qlc.grammar import tree
from qlc.grammar.tree import Statement, walked
from qlc.mapping.names import find_entity
from qlc.translator.follow_ups.history import Base
from qlc.translator.rules.lexicon.lexemes import EntityWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import period
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind

BEING = words("is 's are whats was were")


def is_of_a_name(statement: Statement) -> bool:
    return isinstance(statement, tree.Find) and isinstance(statement.entity, tree.EntityLookup)


def is_a_period(p: Parse, at: int) -> bool:
    """`last week`, after a list: that time, and not the folder that is called so."""
    said = p.tokens[at:]
    is_name = any(token.kind is TokenKind.QUOTED or token.raw[:1].isupper() for token in said)
    return not is_name and any(finished(p, one.end) for one in period(p, at))


def is_question(p: Parse, statement: Statement, at: int) -> bool:
    """Whether a statement is a question by itself: about things that are named in it."""
    if isinstance(statement, tree.Get) or isinstance(statement.entity, tree.EntityLookup):
        return p.word(at) not in plain.PREPOSITIONS  # "of Dana": hers, and not what is called so
    nouns = any(True for i in range(at, p.end) for one in p.starting(i, EntityWord)
                if not p.entity(one.payload.entity).virtual)  # fmt: skip
    if nouns:
        return True
    if isinstance(statement, tree.Aggregate):
        return any(plural_value(p, begin) is not None for begin in range(at, p.end))
    return plural_value(p, at) is not None


def plural_value(p: Parse, at: int) -> int | None:
    """Where a value in the plural ends that stands for the things: `NDAs`, `PDFs in Legal`."""
    start = p.articles(at)
    ends = [one.end for i in range(start, min(start + 3, p.end)) for one in p.starting(i, ValueWord)
            if p.word(i) not in plain.CURRENCIES]  # fmt: skip
    return next((end for end in ends if p.plural(end)), None)


def is_a_noun_alone(p: Parse) -> bool:
    """`PDFs`: all of them, or those of what was found?"""
    at = p.past(0, plain.POLITE | plain.ARTICLES | plain.AND | {"keep", "show", "list"})
    return any(one.end >= p.end and p.plural(one.end) for one in p.starting(at, ValueWord)) and not any(
        True for i in range(at, p.end) for _ in p.starting(i, EntityWord)
    )


def is_a_part(p: Parse) -> bool:
    """Whether a text names no things, so that it is a part of what was said before."""
    return not any(True for i in range(p.end) for one in p.starting(i, EntityWord)
                   if not p.entity(one.payload.entity).virtual) and plural_value(p, 0) is None  # fmt: skip


# --- whether those are something -------------------------------------------------------------------------------------

_ASKING = words("are is were was do does did has have had any")
_BEFORE_NAMES = plain.PREPOSITIONS | words("called named titled entitled")


def asks_whether(p: Parse) -> bool:
    """Whether a text begins as a question for yes or no."""
    return p.word(p.past(0, plain.POLITE | plain.AND)) in _ASKING


def takes_a_noun_for_a_name(program: str, p: Parse, base: Base | None) -> bool:
    """Whether a program looks up, by a noun of such a question, the thing that those spoken of belong to."""
    statement = parsed(program).statement
    known = set(walked(base.statement)) if base is not None else set()
    return any(False for name in _looked_up(statement, p, known))


def _looked_up(statement: tree.Statement, p: Parse, known: set[tree.Node]) -> list[str]:
    """The names of things that are not people, which the search before does not have."""
    found = []
    if not isinstance(statement, tree.Get) and isinstance(statement.entity, tree.Name):
        find_entity(p.schema, statement.entity.text)
    for one in walked(statement):
        match one:
            case tree.EntityLookup() if one not in known:
                found += [each.value for each in walked(one) if isinstance(each, tree.String)]
    return found
