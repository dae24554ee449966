"""The memory of a conversation: bounded plain JSON with a version, owned by the host."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from qlc.base.errors import UsageError
from qlc.base.options import moment
from qlc.base.texts import whole
from qlc.mapping.schema import Schema
from qlc.outcome import OUTCOME, Option
from qlc.pasted.recognise import Want, recognise
from qlc.translator.protocol import Turn
from qlc.translator.rights import Rights, may_be_shown

VERSION = 1

MOST_TURNS = 50
MOST_BYTES = 256 * 1024
"""Turns and bytes (as UTF-8 JSON) of a history. Beyond either the oldest turns are forgotten."""

LONGEST_KEPT = 20_000
"""Characters of the longest message or program that is remembered. What is longer answered one turn, and no other."""

MOST_HITS = 20
MOST_IDS = 100
MOST_ROWS = 50
MOST_OPTIONS = 100
LONGEST_TEXT = 300
LONGEST_READ = 16 * MOST_BYTES
MOST = 10**12
LAST_TURN = 10**9
"""Bounds of the remembered part of one outcome, which is the part that people saw; then of the characters of a history,
of a number in it, and of its turns."""


class HistoryError(UsageError):
    """A history that cannot be read: damaged, or of a newer version."""


class Remembered(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _instant(text: str) -> str:
    try:
        moment(text)
    except UsageError as problem:
        raise ValueError(str(problem)) from None
    return text


Number = Annotated[int, Field(ge=0, le=MOST)]
Instant = Annotated[str, AfterValidator(_instant)]


class Execution(Remembered):
    """How a list was run, and where it goes on.

    `list` is the number of the list (`list_number`). The page was read with the cursor `start`, the first `skipped`
    hits were left out; `cursor` reads on. `first` and `shown` are the place of the page in the list and its hits;
    `base` is the place where the program itself begins (not 0 where more was asked for than the question's own limit).
    `size` is how many a page has; `now` the instant that relative dates are counted from.
    `follows` is the number of the list that this one took the place of; `paged`: its pages were spoken of.
    """

    list: Number
    now: Instant
    size: Number
    first: Number = 0
    shown: Number = 0
    total: Number = 0
    base: Number = 0
    start: str | None = None
    skipped: Number = 0
    cursor: str | None = None
    follows: Number | None = None
    paged: bool = False

    @property
    def read(self) -> int:
        """Number of hits up to the end of this page."""
        return self.first + self.shown


class Pending(Remembered):
    """A question back that the next message may answer.

    `what` is `name`, `reading` or `list`; `words` are those of the question that it is about. A `name` is bound by its
    token in `program`, the id of a `reading` is a program, that of a `list` is its number.
    `asked` counts how often it was asked. `size` and `all` are what was asked of a list; `now` is that of the question.
    """

    what: Literal["name", "reading", "list"]
    message: str
    options: tuple[Option, ...]
    words: str
    token: str = ""
    program: str = ""
    choices: dict[str, str] = {}
    asked: Number = 1
    now: Instant | Literal[""] = ""
    size: Number | None = None
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
    """One message and its answers. `origin` is the source of its query; `narrative` is one text over several answers.

    `rights` are those of the caller who asked: with fewer rights, the turn is hidden.
    """

    number: Number
    text: str
    origin: str
    parts: tuple[Part, ...] = ()
    pending: Pending | None = None
    narrative: str = ""
    rights: Rights = Rights()

    def may_be_shown(self, rights: Rights, schema: Schema | None) -> bool:
        """Whether the turn may be shown with these rights."""
        answers: list[tuple[str, Mapping[str, Any]]] = [(part.program, part.outcome) for part in self.parts]
        asked = self.pending
        if asked is not None:
            answers.append((asked.program, {"options": [one.model_dump() for one in asked.options]}))
            answers += [(one.id, {}) for one in asked.options if asked.what == "reading"]
        return may_be_shown(rights, schema, answers, (part.request for part in self.parts), self.rights)


class History(Remembered):
    """All that is remembered, oldest first. `said` counts all turns, also those that are forgotten."""

    version: Literal[1] = 1
    said: Number = 0
    turns: tuple[Exchange, ...] = ()

    @property
    def pending(self) -> Pending | None:
        """Open question after the last turn; it may have been asked before it."""
        return self.turns[-1].pending if self.turns else None

    def shown_to(self, rights: Rights, schema: Schema | None) -> History:
        """Return the history without turns that these rights do not cover, and without the questions open before
        them."""
        visible = [one.may_be_shown(rights, schema) for one in self.turns]
        if all(visible):
            return self
        last = len(visible) - 1 - visible[::-1].index(False)
        turns = (
            turn.model_copy(update={"pending": None}) if at < last else turn
            for at, turn in enumerate(self.turns) if visible[at]
        )  # fmt: skip
        if all(turn.rights.who != rights.who for turn in self.turns):
            return History()  # not even how many there were
        return self.model_copy(update={"turns": tuple(turns)})

    def parts(self) -> Iterator[tuple[Exchange, Part]]:
        """Yield every answer with its turn, the newest first."""
        for turn in reversed(self.turns):
            for part in reversed(turn.parts):
                yield turn, part

    def for_translators(self) -> tuple[Turn, ...]:
        """Return the turns as translators see them. All parts of one list have the program of the question."""
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
        """Return the history with one more turn, within its bounds."""
        turns = (*self.turns, turn)[-MOST_TURNS:]
        while True:
            longer = History(said=turn.number, turns=turns)
            if len(turns) == 1 or len(json.dumps(as_json(longer))) <= MOST_BYTES:
                return longer
            turns = turns[max(1, len(turns) // 8) :]


def read_history(data: Mapping[str, Any] | None) -> History:
    """Read a history from plain JSON; None begins a new one. Raises HistoryError."""
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
        text = _text(data)
        if len(text) > LONGEST_READ:
            message = f"the history of this conversation is longer than {LONGEST_READ:,} characters"
            raise HistoryError(f"{message}: begin a new one")
        history = History.model_validate_json(text)
        if history.said > LAST_TURN:
            raise ValueError
        for _, part in history.parts():
            if part.outcome:  # what is remembered of one is one
                OUTCOME.validate_json(_text(part.outcome), strict=True)
            if part.request and recognise(part.request) is None:
                raise ValueError
        return history
    except (ValidationError, ValueError, TypeError, RecursionError) as problem:
        raise HistoryError(f"the history of this conversation is damaged{_where(problem)}: begin a new one") from None


def list_number(turn: int, place: int) -> int:
    """Return the number of a list: by the turn in which it began, and its place among that turn's answers.

    A message may ask for several lists. The first list of a turn has the number of the turn.
    """
    return turn + place * LAST_TURN


def as_json(history: History) -> dict[str, Any]:
    """Return the history as plain JSON: dicts, lists, texts, numbers. Default values are left out."""
    return history.model_dump(mode="json", exclude_defaults=True) | {"version": VERSION}


def _text(data: Any) -> str:
    return whole(json.dumps(data, ensure_ascii=False, allow_nan=False))


def _where(problem: Exception) -> str:
    if not isinstance(problem, ValidationError):
        return ""
    place = ".".join(str(one) for one in problem.errors()[0]["loc"])
    return f" at '{place}'" if place else ""


# --- outcomes --------------------------------------------------------------------------------------------------------

_LISTS = {"hits": MOST_HITS, "ids": MOST_IDS, "rows": MOST_ROWS, "options": MOST_OPTIONS, "suggestions": 10}
_LEFT_OUT = ("stats", "fields", "diagnostics", "cursor", "query", "columns", "units", "names", "steps")


def gist(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Return the remembered part of an outcome: the shown part, cut to a length that a person reads."""
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
