"""The step from a message and the history to the one context object. Pure: it can be tested alone, and is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Literal

from qlc.conversation import english
from qlc.conversation.choosing import another_choice, read_answer, taken_back
from qlc.conversation.context import Context, Task
from qlc.conversation.every_choice import with_all, with_any
from qlc.conversation.history import History, Pending
from qlc.conversation.paging import MOST_AT_ONCE, More, page_of, paged, read_more, read_page_size, shown_lists
from qlc.outcome import Clarify, Declined
from qlc.pasted.recognise import Pasted, recognise
from qlc.translator.recognise import is_readable, looks_like_program, what_is_too_long
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.new_topic import begins_anew
from qlc.translator.rules.words.phrases import Phrases
from qlc.translator.rules.words.tokens import TokenKind, tokenize
from qlc.translator.splitting import questions_in

MOST_ASKED = 2
"""How often a question is asked before an unclear answer lets it go."""

STILL_OPEN = "The earlier question is still open."
_REASONS = {
    "name": "Several have that name, and what is found depends on which one is meant.",
    "reading": "The words can be read in several ways, and each of them finds something else.",
    "list": "There are several lists to continue.",
}
"""Explanations of why a clarification is needed."""

OF_A_CORPUS = frozenset({"bucket", "document", "field", "overload"})
"""Tokens of a corpus's own clarifications, whose answers it handles itself."""

TAKEN_BACK = "All right. Ask something else."
NO_QUESTION = "There is no open question that a number answers. Ask for a list, a number or a value."
_BARE_PLACE = re.compile(r"#?\d{1,2}[.)]?|(?:option|choice)\s+\d{1,3}", re.IGNORECASE)


def context_of(message: str, history: History, size: int = 10, *, corpus: bool = False) -> Context:
    """Return the tasks of a message, read in the light of earlier turns. `size` is the hits of a page.

    For a `corpus` a message stays whole; its parts become tasks only if the whole is not understood.
    """
    if reason := what_is_too_long(message):
        return Context(origin="nothing", reply=_data(Declined(message=reason)), pending=history.pending)
    request = recognise(message)
    if request is not None:
        beside = (_task(request.question),) if request.question else ()
        tasks = (Task(words=message, request=message), *beside)
        return Context(origin="pasted", tasks=tasks, paged=_says_its_size(request))
    if looks_like_program(message):
        # Which it is in the end is for the entry point to say: some questions parse as well.
        return Context(origin="program", tasks=(Task(words=message),))
    if message.strip() and not is_readable(message):
        return Context(origin="words", tasks=(Task(words=message),))
    if corpus and begins_anew(message):
        return Context(origin="words", tasks=(Task(words=message),))
    pending = history.pending
    if pending is not None:
        answered = _answered(message, pending, history, size, corpus)
        if answered is not None:
            return answered
    elif _BARE_PLACE.fullmatch(message.strip()):
        return Context(origin="nothing", reply=_data(Declined(message=NO_QUESTION)))
    elif (rest := taken_back(message)) is not None:
        return context_of(rest, history, size, corpus=corpus) if rest else _taken_back()
    more = read_more(message)
    if more is not None:
        page = paged(more, message, history, size)
        if page is not None:
            return page.model_copy(update={"pending": page.pending or pending})
    return _of_the_request(message, history) or another_choice(message, history) or _asked(message, corpus)


def _asked(message: str, corpus: bool = False) -> Context:
    """Return the tasks of questions in words, without their words about pages."""
    tasks = tuple(_task(one.text, waits=one.depends, asks=one.asks or corpus) for one in questions_in(message))
    whole = _task(message) if len(tasks) > 1 else None
    if corpus:
        whole = whole and Task(words=message)
        tasks = tasks if whole is not None else (Task(words=message),)
    return Context(origin="words", tasks=tasks, whole=whole, paged=any(task.size is not None for task in tasks))


def _task(message: str, *, waits: bool = False, asks: bool = True) -> Task:
    words, hits = read_page_size(message)
    return Task(words=words, size=hits, waits=waits, asks=asks)


# --- requests --------------------------------------------------------------------------------------------------------


def _says_its_size(request: Pasted) -> bool:
    """Whether a request gives its number of hits, which is then the size of its pages."""
    if re.search(r"[?&]size=\d", request.path):
        return True
    text = request.body.text if request.body is not None else ""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return re.search(r"\bsize\W{1,4}\d", text) is not None
    return isinstance(body, dict) and "size" in body


_WANTS: tuple[tuple[Phrases, Literal["run", "explain", "fix"]], ...] = (
    (english.FIX_IT, "fix"), (english.RUN_IT, "run"), (english.EXPLAIN_IT, "explain"),
)  # fmt: skip


def _of_the_request(message: str, history: History) -> Context | None:
    """Return the task with the request of the last turn: "fix and run", "explain it"; None for other messages."""
    request, has_program = _last_request(history)
    words = [token.text for token in tokenize(message) if token.kind is not TokenKind.MARK]
    said = tuple(word for word in words if word not in plain.POLITE)
    wants = _WANTS if has_program else (*_WANTS, (english.ABOUT_IT, "explain"))
    size = _size_after(said) if request else None
    if size is not None:
        task = Task(words=request, request=request, want="run", size=size)
        return Context(origin="earlier", tasks=(task,), paged=True)
    for phrases, want in wants if request else ():
        if said in phrases.sequences:
            found = recognise(request)
            paged = found is not None and _says_its_size(found)
            return Context(origin="earlier", tasks=(Task(words=request, request=request, want=want),), paged=paged)
    return None


def _size_after(said: Sequence[str]) -> int | None:
    """Return the number of hits wanted of the request: `run it with size 3`, `run it but only the first 5`."""
    for run in english.RUN_IT.sequences:
        for between in english.WITH_A_SIZE.sequences if said[: len(run)] == run else ():
            rest = said[len(run) :]
            if rest[: len(between)] == between:
                number, *after = [*rest[len(between) :], ""]
                if number.isdecimal() and 0 < int(number) <= MOST_AT_ONCE and set(after) <= english.PAGE_WORDS | {""}:
                    return int(number)
    return None


def _last_request(history: History) -> tuple[str, bool]:
    """Return the last request, and whether a program expresses it. Questions about the request may be in between."""
    for turn in reversed(history.turns):
        found = next((part for part in turn.parts if part.request), None)
        if found is not None:
            return found.request, bool(found.program)
        if any(part.outcome.get("kind") not in ("explain", "declined") for part in turn.parts):
            break
    return "", False


# --- answers ---------------------------------------------------------------------------------------------------------


def _answered(message: str, pending: Pending, history: History, size: int, corpus: bool) -> Context | None:
    """Return the context of an answer to the open question; None if the message is another question."""
    answer = read_answer(message, pending.options)
    last = pending.asked >= MOST_ASKED
    match answer.kind:
        case "chosen":
            return _chosen(answer.chosen, pending, history, size)
        case "dropped" if answer.rest:
            *before, last_turn = history.turns
            closed = (*before, last_turn.model_copy(update={"pending": None}))
            return context_of(answer.rest, history.model_copy(update={"turns": closed}), size, corpus=corpus)
        case "dropped":
            return _taken_back()
        case "several":
            fewer = tuple(pending.options[at] for at in answer.chosen)
            return _again(pending.model_copy(update={"options": fewer}), f"{len(fewer)} of them fit that.")
        case "aside":
            return _again(pending, STILL_OPEN, asks=False)
        case "why":
            return _again(pending, _REASONS[pending.what], asks=False)
        case "unclear" if not last:
            return _again(pending, _not_among(pending))
        case "maybe" | "question" if not last and _asks_for_more(message, pending) and not _has_a_list(history):
            return _again(pending, _not_among(pending))
        case "maybe" if not last and read_more(message) is None:
            asked = _asked(message, corpus)
            again = _again(pending, _not_among(pending))
            return asked.model_copy(update={"otherwise": again.reply, "pending": again.pending})
        case _:
            return None


def _asks_for_more(message: str, pending: Pending) -> bool:
    """Return whether a message says `next` while the list is not there yet, because a clarification about it is
    open."""
    more = read_more(message)
    return more is not None and not more.of and pending.what != "list"


def _has_a_list(history: History) -> bool:
    """Whether the message that was asked back about has a list beside that, which goes on."""
    return any(one.is_open and one.turn.number == history.turns[-1].number for one in shown_lists(history))


def _taken_back() -> Context:
    return Context(origin="nothing", reply=_data(Declined(message=TAKEN_BACK)))


def _not_among(pending: Pending) -> str:
    most = len(pending.options)
    return f"That is not clear: answer with a number from 1 to {most}, or with a word that only one has."


def _again(pending: Pending, why: str, *, asks: bool = True) -> Context:
    """Ask the same question again. It counts as asked if it `asks` for a clearer answer."""
    asked = pending.model_copy(update={"asked": pending.asked + asks})
    message = f"{why} {pending.message.rstrip('.')}" if pending.message.endswith("?") else f"{why} {pending.message}"
    what = asked.what if asked.what != "name" else asked.words
    reply = Clarify(message=message, query=asked.program, what=what, options=list(asked.options), token=asked.token)
    return Context(origin="choice", reply=_data(reply), pending=asked)


def _chosen(places: tuple[int, ...], pending: Pending, history: History, size: int) -> Context:
    """Return the program of the question with the choice bound in it; it is not translated again."""
    ids = [pending.options[at].id for at in places]
    if pending.what == "list":
        lists = [one for one in shown_lists(history) if str(one.at.list) in ids]
        return page_of(lists, More("all" if pending.all else "on", pending.size), size)
    task = Task(words=pending.words, program=pending.program, choices=pending.choices, now=pending.now,
                size=pending.size)  # fmt: skip
    if pending.what == "name" and pending.token in OF_A_CORPUS:
        asked = (task.model_copy(update={"program": "", "choices": {pending.token: id}}) for id in ids)
        return Context(origin="choice", tasks=tuple(asked))
    programs: list[tuple[str, dict[str, str]]]
    if pending.what == "reading":
        one = with_any(ids) if len(ids) > 1 else ids[0]
        programs = [(one, {})] if one is not None else [(program, {}) for program in ids]
    else:
        one = with_all(pending.program, pending.token, ids) if len(ids) > 1 else None
        programs = [(one, {})] if one is not None else [(pending.program, {pending.token: id}) for id in ids]
    tasks = tuple(
        task.model_copy(update={"program": program, "choices": {**pending.choices, **bound}})
        for program, bound in programs
    )
    return Context(origin="choice", tasks=tasks, paged=pending.size is not None)


def _data(outcome: Clarify | Declined) -> dict[str, Any]:
    return outcome.model_dump(mode="json")
