"""The stage that makes the words of tasks programs."""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

from qlc.conversation import english
from qlc.conversation.context import Task
from qlc.conversation.effects import Doing, Need, Translate
from qlc.conversation.every_choice import name_of_token
from qlc.conversation.history import History
from qlc.conversation.matching import stems
from qlc.conversation.working import Said, Working, ledger_of
from qlc.grammar import print_value, tree
from qlc.grammar.tree import String, children
from qlc.translator.follow_ups.history import is_answered
from qlc.translator.programs import conditions_of, statement_of
from qlc.translator.protocol import Translated, Turn
from qlc.translator.recognise import LONGEST
from qlc.translator.rules.words.tokens import tokenize


def translate(working: Working, history: History) -> Doing:
    assert working.context is not None
    if working.context.whole is not None:
        turns = history.for_translators()
        whole = yield from said_of(working.context.whole, turns, history, (), by_rules=True)
        tasks, words = working.context.tasks, working.context.whole.words
        may_be_one = _is_one_sentence(words) or not all(task.asks for task in tasks)
        if _is_declined(whole) and may_be_one and (yield from _one_is_not_understood(tasks, history)):
            # "A customer wants a white from the Mosel. Which do we have?": apart, the question loses its conditions.
            # "Lakes in Norway, which of them freeze": what a comma parts may be one question.
            whole = yield from said_of(working.context.whole, turns, history, ())
        if not _is_declined(whole):
            return {"said": (whole,)}
    said: list[Said] = []
    for task in working.context.tasks:
        if task.waits:
            said.append(Said())  # its turn comes when the others are answered
        else:
            message = working.context.whole.words if working.context.whole is not None else ""
            said.append((yield from said_of(task, history.for_translators(), history, said, message=message)))
    return {"said": tuple(said)}


_SENTENCE_ENDS = re.compile(r"[?!]\s*\S|[^\W\d]{3,}\.\s+\S|\n")


def _is_one_sentence(message: str) -> bool:
    """Whether nothing but commas and words such as `and` part a message: `wines from the Mosel, which are white`."""
    return _SENTENCE_ENDS.search(message.strip()) is None


def _is_declined(said: Said) -> bool:
    return said.outcome is not None and said.outcome["kind"] == "declined"


def _one_is_not_understood(tasks: Sequence[Task], history: History) -> Generator[Need, Any, bool]:
    """Whether the rules do not understand each part of a message by itself."""
    for task in tasks:
        if not task.waits:
            said = yield from said_of(task, history.for_translators(), history, (), by_rules=True)
            if _is_declined(said):
                return True
    return False


def before_failure(turns: tuple[Turn, ...], words: str) -> tuple[Turn, ...]:
    """Return the turns before a message that failed on the server, where it is said again: it means what it meant then.

    `documents in Tax`, `largest first` (failed), `largest first` -> the turn of `documents in Tax`.
    """
    number = len(turns)
    while number and not is_answered(turns[number - 1]):
        number -= 1
    failed = (at for at in range(number, len(turns)) if turns[at].outcome.get("kind") == "failed")
    return turns[: next((at for at in failed if turns[at].text.split() == words.split()), len(turns))]


def said_of(
    task: Task, turns: tuple[Turn, ...], history: History, before: Iterable[Said], *, by_rules: bool = False,
    message: str = "",
) -> Generator[Need, Any, Said]:  # fmt: skip
    """Translate the words of a task in the light of earlier turns. `before` are translations of the same turn, whose
    whole `message` has the words as a part."""
    if task.program or task.request:
        return Said(program=task.program, choices=task.choices, follows=task.follows)
    ledger = ledger_of(before)
    words, turns = task.words, before_failure(turns, task.words)
    started = time.perf_counter()
    became = yield Translate(words, turns, {**standing(words, turns), **task.choices}, ledger, by_rules, message)
    milliseconds = 1000 * (time.perf_counter() - started)
    spent = {model: (u.input, u.output, u.read, u.written, seconds) for model, (u, seconds) in ledger.own.items()}
    if not isinstance(became, Translated):
        return Said(outcome=became.model_dump(mode="json"), milliseconds=milliseconds, spent=spent)
    follows = _list_of(became.follows or followed(became.program, words, turns), history)
    return Said(
        program=became.program,
        notes=became.notes,
        milliseconds=milliseconds,
        follows=follows,
        size=_size_of(follows, history),
        choices={**carried(became.program, words, turns), **task.choices},
        spent=spent,
    )


def _list_of(turn: int | None, history: History) -> int | None:
    """Return the list that a turn showed, by the number of the turn in which it began."""
    if turn is None:
        return None
    shown = (part.execution for one, part in history.parts() if one.number == turn)
    return next((at.list for at in shown if at is not None), None)


def _size_of(list_: int | None, history: History) -> int | None:
    """Return the page size of a list if its question asked for one; lists made from it have the same size."""
    began = (part.execution for _, part in history.parts())
    return next((at.size for at in began if at is not None and at.list == list_ and not at.first and at.paged), None)


# --- what holds of earlier turns -------------------------------------------------------------------------------------


def standing(words: str, turns: Sequence[Turn]) -> dict[str, str]:
    """Return the choices of earlier turns that hold for a message: those for names that it does not repeat.

    A name that is said again may mean another thing, so its choice is asked again, unless the message goes back to it.
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
    """Return the choices that hold for a message and belong to names in its program."""
    text = program.casefold()
    return {
        token: id
        for token, id in standing(words, turns).items()
        if print_value(String(name_of_token(token) or "")).casefold() in text
    }


def followed(program: str, words: str, turns: Sequence[Turn]) -> int | None:
    """Return the number of the newest turn from which a program has a condition that its own words do not express.

    "receipts in Meals", then "only the jpgs": the new list is a part of the earlier one, and replaces it.
    """
    own = conditions_of(statement_of(program))
    said = frozenset(stems(words[:LONGEST]))
    unsaid = [one for one in own if not _words(one) & said]
    for turn in reversed(turns):
        before = conditions_of(statement_of(turn.program)) if unsaid and turn.program else ()
        if any(one in before for one in unsaid):
            return turn.number
    return None


def _words(node: tree.Node) -> frozenset[str]:
    """Return the words that express a condition: its texts and numbers; if it has none, the names of its fields."""
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
