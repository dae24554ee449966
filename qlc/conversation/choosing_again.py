"""Another of the things that a question back offered: `what about the archive one?`, `and in the other one?`, behind an
answer for another."""

from __future__ import annotations

from qlc.conversation import english
from qlc.conversation.choosing import told_by_words
from qlc.conversation.context import Context, Task
from qlc.conversation.history import History, Part, Pending
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.tokens import TokenKind, tokenize


def another_choice(message: str, history: History) -> Context | None:
    """The last search with the name meaning another of its options; None where the message says no such thing."""
    part = _last_search(history)
    said = _said(message)
    if part is None or said is None:
        return None
    for turn in reversed(history.turns):
        asked = turn.pending
        chosen = part.choices.get(asked.token) if asked is not None and asked.what == "name" else None
        if asked is None or chosen is None:
            continue
        at = _the_other(asked, chosen) if said in english.THE_OTHER else told_by_words(said, asked.options)
        if at is None or asked.options[at].id == chosen:
            return None
        return Context(origin="choice", tasks=(_task(part, asked, asked.options[at].id),))
    return None


def _the_other(asked: Pending, chosen: str) -> int | None:
    """The option that was not chosen, where there are two."""
    others = [at for at, one in enumerate(asked.options) if one.id != chosen]
    return others[0] if len(others) == 1 else None


def _task(part: Part, asked: Pending, id: str) -> Task:
    at = part.execution
    return Task(
        words=part.words, program=part.program, choices={**part.choices, asked.token: id},
        now=at.now if at is not None else asked.now, follows=at.list if at is not None else None,
    )  # fmt: skip


def _last_search(history: History) -> Part | None:
    last = next(history.parts(), None)
    return last[1] if last is not None and last[1].program else None


def _said(message: str) -> str | None:
    """What stands between `what about the` and `one`, or behind `the one in`: the words that tell one option from the
    others."""
    tokens = [token for token in tokenize(message) if token.kind is not TokenKind.MARK]
    words = [token.text for token in tokens]
    while words and words[-1] in english.AROUND_ANOTHER:
        words.pop()
    start = max(
        (len(one) for one in english.ANOTHER_ONE.beginning(words[0]) if tuple(words[: len(one)]) == one), default=0
    ) if words else 0  # fmt: skip
    inner = words[start:]
    if not start or len(inner) < 3 or inner[0] != "the":
        return None
    behind = 3 if inner[1] == "other" else 2
    if inner[behind - 1] in ("one", "ones") and len(inner) > behind + 1 and inner[behind] in plain.PREPOSITIONS:
        return message[tokens[start + behind + 1].start : tokens[len(words) - 1].end]
    return message[tokens[start + 1].start : tokens[len(words) - 2].end] if inner[-1] == "one" else None
