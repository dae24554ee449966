"""The requests of a turn to its driver: checkpoints, translations, runs, one text over several answers."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from qlc.conversation.history import History
from qlc.conversation.working import Working
from qlc.models.budgets import Ledger
from qlc.pasted.recognise import Want
from qlc.translator.protocol import Fact, Turn


@dataclass(frozen=True, slots=True)
class Save:
    """Keep how far the turn is; the history is another one where the turn is done."""

    working: Working
    history: History


@dataclass(frozen=True, slots=True)
class Translate:
    """Translate words into a program. The result is `Translated`, or the outcome.

    `choices` hold for readings that are run on trial.
    """

    words: str
    history: tuple[Turn, ...]
    choices: dict[str, str]
    ledger: Ledger
    by_rules: bool = False
    """Only the first translator is asked, which needs no model."""
    message: str = ""
    """The whole message around the words."""


@dataclass(frozen=True, slots=True)
class Run:
    """Run a program, or a pasted request where there is one: answered with its outcome, or those of the request."""

    program: str
    request: str
    want: Want | None
    choices: dict[str, str]
    now: str
    size: int
    cursor: str | None
    further: bool = False
    """Whether the page is not the first one."""


@dataclass(frozen=True, slots=True)
class Together:
    """Run several programs in the same round: answered with the outcomes of each."""

    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Narrate:
    """Put several answers into one text. The result is `Narrated`, or None without a model that may do it."""

    facts: tuple[Fact, ...]
    ledger: Ledger


Need = Save | Translate | Run | Together | Narrate

Doing = Generator[Need, Any, Any]
