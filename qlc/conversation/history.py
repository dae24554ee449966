"""What is remembered of a conversation: plain JSON that the host owns, with a version and within bounds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from qlc.errors import UsageError
from qlc.outcome import Option
from qlc.pasted.recognise import Want
from qlc.translator.protocol import Turn

VERSION = 1

MOST_TURNS = 50
MOST_BYTES = 256 * 1024
"""Turns and bytes (as UTF-8 JSON) of a history. Beyond either the oldest turns are forgotten."""

MOST_HITS = 20
MOST_IDS = 100
MOST_ROWS = 50
MOST_OPTIONS = 100
LONGEST_TEXT = 300
"""What is kept of one outcome: later turns speak of what was shown, and that is what people saw."""


class HistoryError(UsageError):
    """A history that cannot be read: damaged, or of a newer version."""


class Remembered(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Execution(Remembered):
    """How a list was run, and where it goes on.

    `list` is the number of the turn in which it began. The page was read with the cursor `start`, the first `skipped`
    hits were left out; `cursor` reads on. `first` and `shown` are the place of the page in the list and its hits;
    `base` is the place where the program itself begins (not 0 where more was asked for than the question's own limit).
    `size` is how many a page has; `now` the instant that relative dates are counted from.
    `follows` is the number of the turn whose list this one took the place of; `paged`: its pages were spoken of.
    """

    list: int
    now: str
    size: int
    first: int = 0
    shown: int = 0
    total: int = 0
    base: int = 0
    start: str | None = None
    skipped: int = 0
    cursor: str | None = None
    follows: int | None = None
    paged: bool = False

    @property
    def read(self) -> int:
        """The hits up to the end of this page."""
        return self.first + self.shown


class Pending(Remembered):
    """A question back that the next message may answer.

    `what` is `name`, `reading` or `list`; `words` are those of the question that it is about. A `name` is bound by its
    token in `program`, the id of a `reading` is a program, that of a `list` the number of the turn where it began.
    `asked` counts how often it was asked. `size` and `all` are what was asked of a list; `now` is that of the question.
    """

    what: Literal["name", "reading", "list"]
    message: str
    options: tuple[Option, ...]
    words: str
    token: str = ""
    program: str = ""
    choices: dict[str, str] = {}
    asked: int = 1
    now: str = ""
    size: int | None = None
    all: bool = False


class Part(Remembered):
    """One answer of a turn. `words` are those that it answers, also where the message only made a choice.

    `program` is the canonical text, `request` a pasted one, `want` what was to be done with it. `choices` are what
    names were chosen to mean.
    """

    words: str
    program: str = ""
    request: str = ""
    want: Want | None = None
    choices: dict[str, str] = {}
    execution: Execution | None = None
    outcome: dict[str, Any] = {}


class Exchange(Remembered):
    """One message and its answers. `origin` says where its query came from; `narrative` is one text over several."""

    number: int
    text: str
    origin: str
    parts: tuple[Part, ...] = ()
    pending: Pending | None = None
    narrative: str = ""


class History(Remembered):
    """All that is remembered, oldest first. `said` counts all turns, also those that are forgotten."""

    version: Literal[1] = 1
    said: int = 0
    turns: tuple[Exchange, ...] = ()

    @property
    def pending(self) -> Pending | None:
        """The question that is open: the last turn's, which may have been asked before it."""
        return self.turns[-1].pending if self.turns else None

    def parts(self) -> Iterator[tuple[Exchange, Part]]:
        """Every answer with its turn, the newest first."""
        for turn in reversed(self.turns):
            for part in reversed(turn.parts):
                yield turn, part

    def for_translators(self) -> tuple[Turn, ...]:
        """The turns as translators see them. A further part of what a question cut has the program of the question."""
        asked: dict[int, str] = {}
        found = []
        for turn in self.turns:
            for part in turn.parts:
                program, at = part.program, part.execution
                if at is not None:
                    program = asked.setdefault(at.list, program) if at.base else program
                    asked.setdefault(at.list, program)
                said = turn.text if part.choices and turn.text != part.words else ""
                found.append(Turn(part.words, program, part.outcome, part.choices, turn.number, said))
        return tuple(found)

    def with_turn(self, turn: Exchange) -> History:
        """The history with one more turn, within its bounds."""
        turns = (*self.turns, turn)[-MOST_TURNS:]
        while True:
            longer = History(said=turn.number, turns=turns)
            if len(turns) == 1 or len(_text(as_json(longer)).encode(errors="surrogatepass")) <= MOST_BYTES:
                return longer
            turns = turns[max(1, len(turns) // 8) :]


def read_history(data: Mapping[str, Any] | None) -> History:
    """The history that plain JSON holds; None begins a new one. Raises HistoryError."""
    if data is None:
        return History()
    version = data.get("version") if isinstance(data, Mapping) else None
    if type(version) is not int:
        raise HistoryError("the history of this conversation is damaged: it has no version. Begin a new one")
    if version > VERSION:
        raise HistoryError(
            f"this conversation was written by a newer qlc (its history has version {version}, "
            f"and this qlc reads up to {VERSION}): update qlc, or begin a new conversation"
        )
    try:
        # By way of text, so that what was read from JSON and what was made in memory are judged alike.
        return History.model_validate_json(_text(data))
    except (ValidationError, ValueError, TypeError, RecursionError) as problem:
        raise HistoryError(f"the history of this conversation is damaged{_where(problem)}: begin a new one") from None


def as_json(history: History) -> dict[str, Any]:
    """Plain JSON: dicts, lists, texts, numbers. What has its default is left out."""
    return history.model_dump(mode="json", exclude_defaults=True) | {"version": VERSION}


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=True, allow_nan=False)


def _where(problem: Exception) -> str:
    if not isinstance(problem, ValidationError):
        return ""
    place = ".".join(str(one) for one in problem.errors()[0]["loc"])
    return f" at '{place}'" if place else ""


# --- outcomes --------------------------------------------------------------------------------------------------------

_LISTS = {"hits": MOST_HITS, "ids": MOST_IDS, "rows": MOST_ROWS, "options": MOST_OPTIONS, "suggestions": 10}
_LEFT_OUT = ("stats", "fields", "diagnostics", "cursor", "query", "columns", "units", "names")


def gist(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """What is remembered of an outcome: what was shown, cut to what a person reads."""
    return {
        name: _cut(value[: _LISTS[name]] if name in _LISTS and isinstance(value, list) else value)
        for name, value in outcome.items()
        if name not in _LEFT_OUT and value not in (None, [], {}, "")
    }


def _cut(value: Any) -> Any:
    match value:
        case str() if len(value) > LONGEST_TEXT:
            return value[: LONGEST_TEXT - 1] + "…"
        case Mapping():
            return {key: _cut(one) for key, one in value.items()}
        case Sequence() if not isinstance(value, str):
            return [_cut(one) for one in value[:MOST_IDS]]
        case _:
            return value
