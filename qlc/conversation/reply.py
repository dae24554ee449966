"""The reply to a message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qlc.outcome import Hits, Outcome


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a message. Most have one outcome; "both" as the answer to a clarification may have several.

    `origin`: words, program, pasted, earlier, choice, more or nothing (see `qlc.conversation.context`). `number` counts
    the turns from 1. `paged`: the message said which page, or how large one is. `choices` are the meanings chosen for
    names in the last outcome's query. `history` is the conversation with this turn, as plain JSON.

    `narrative` is one text over the outcomes at the places `narrated`, with its `notes`. It is empty for one outcome,
    for tables only, or without a language model. Outcomes at other places are to be shown beside it.
    """

    number: int
    text: str
    origin: str
    outcomes: tuple[Outcome, ...]
    paged: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    history: dict[str, Any] = field(default_factory=dict, repr=False)
    narrative: str = ""
    narrated: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """Last outcome, most often the only one."""
        return self.outcomes[-1]

    @property
    def has_more(self) -> bool:
        """Whether "show more" has something to show of this answer."""
        return any(isinstance(one, Hits) and (one.has_more or one.matching is not None) for one in self.outcomes)

    @property
    def cursor(self) -> str | None:
        """Return the cursor from which the list continues; None at its end, or without a list."""
        return next((one.cursor for one in reversed(self.outcomes) if isinstance(one, Hits)), None)
