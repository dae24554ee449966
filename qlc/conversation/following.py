"""What a new program has from earlier turns: choices that were made, and the list whose place it takes. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from qlc.conversation import english
from qlc.conversation.every_choice import name_of_token
from qlc.conversation.matching import stems
from qlc.grammar import SyntaxProblem, parse, print_value, tree
from qlc.grammar.tree import String
from qlc.grammar.walk import children
from qlc.translator.protocol import Turn
from qlc.translator.recognise import LONGEST
from qlc.translator.rules.build import parts
from qlc.translator.rules.words.tokens import tokenize


def standing(words: str, turns: Sequence[Turn]) -> dict[str, str]:
    """The choices of earlier turns that hold for a message: of names that it does not say.

    Whoever says a name anew may mean another thing by it, and is asked again; but not who goes back to it.
    """
    chosen: dict[str, str] = {}
    returns = not english.GONE_BACK.isdisjoint(token.text for token in tokenize(words[:LONGEST]))
    for turn in turns:
        for token, id in turn.choices.items():
            name = name_of_token(token)
            if name is not None and (returns or name.casefold() not in words.casefold()):
                chosen[token] = id
    return chosen


def carried(program: str, words: str, turns: Sequence[Turn]) -> dict[str, str]:
    """Those choices that hold for a message and are about names of its program."""
    text = program.casefold()
    return {
        token: id
        for token, id in standing(words, turns).items()
        if print_value(String(name_of_token(token) or "")).casefold() in text
    }


def followed(program: str, words: str, turns: Sequence[Turn]) -> int | None:
    """The number of the newest turn that a program has a condition from which the words do not say.

    "receipts in Meals", then "only the jpgs": what is found now is a part of what was shown, and takes its place.
    """
    own = _conditions(program)
    said = frozenset(stems(words[:LONGEST]))
    unsaid = [one for one in own if not _words(one) & said]
    for turn in reversed(turns):
        before = _conditions(turn.program) if unsaid and turn.program else ()
        if any(one in before for one in unsaid):
            return turn.number
    return None


def _conditions(program: str) -> tuple[tree.Condition, ...]:
    """The conditions of a program that all hold."""
    try:
        statement = parse(program).statement
    except SyntaxProblem:
        return ()
    where = None if isinstance(statement, tree.Get) else statement.where
    return parts(where)


def _words(node: tree.Node) -> frozenset[str]:
    """The words that a condition is said with: its texts and numbers; without any, the names of its fields."""
    values = _stems(_texts(node, (tree.String, tree.Number, tree.DateLiteral)))
    return values or _stems(text.replace("_", " ") for text in _texts(node, (tree.Name,)))


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for text in texts for stem in stems(text))


def _texts(node: tree.Node, kinds: tuple[type, ...]) -> Iterator[str]:
    if isinstance(node, kinds):
        yield str(getattr(node, "value", None) or getattr(node, "text", ""))
    else:
        for one in children(node):
            yield from _texts(one, kinds)
