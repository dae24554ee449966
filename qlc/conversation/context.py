"""Reads a message as one context, from any source of its query: (message, history) -> `Context`.

Pure: it reads no index and sends no requests. Later stages depend on the tasks, never on the origin.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from qlc.conversation.history import Pending, Remembered
from qlc.pasted.recognise import Want

Origin = Literal["words", "program", "pasted", "earlier", "choice", "more", "nothing"]
"""The source of a query: words, a program, a pasted Elasticsearch request, one pasted earlier, an option that was
chosen, a further page of a list; or nothing, because the message takes a question back."""


class Task(Remembered):
    """One thing to do: a program, a pasted request, or words that have to become a program first.

    `words` are those that are answered. `want` overrules what the words around a request ask for. `choices` bind names
    of the program; `now` is set where an earlier instant counts. The rest says which page: `size` hits (None: as many
    as the caller's), read with `cursor`; the first `skip` of them are left out. The page begins at `first` in the list,
    of which the program yields what is after `base`; `list` is the number of the turn where it began (None: this one).
    What `waits` speaks of the tasks before it, and is translated when they are answered. What does not `ask` may only
    say what the question after it is about.
    """

    words: str
    program: str = ""
    request: str = ""
    want: Want | None = None
    choices: dict[str, str] = Field(default_factory=dict)
    now: str = ""
    size: int | None = None
    cursor: str | None = None
    skip: int = 0
    first: int = 0
    base: int = 0
    list: int | None = None
    follows: int | None = None
    waits: bool = False
    asks: bool = True


class Context(Remembered):
    """The tasks of a message. Without tasks, `reply` is the outcome. `otherwise` replaces the outcome if all are
    declined.

    `pending` is the question that then stays open; `paged` says that the size of the page was asked for. `whole` is the
    message as one task, used if it is understood as a whole.
    """

    origin: Origin
    tasks: tuple[Task, ...] = ()
    whole: Task | None = None
    reply: dict[str, Any] | None = None
    otherwise: dict[str, Any] | None = None
    pending: Pending | None = None
    paged: bool = False
