"""Reasons to stop a run before its answer: a question to the user, or something that was not found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qlc.compiler.environment import StoredValue
from qlc.mapping.schema import Entity


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible meaning. `details` distinguish it from the others."""

    id: StoredValue
    label: str
    name: str | None = None
    entity: str | None = None
    details: Mapping[str, object] = field(default_factory=dict)


class EarlyExit(Exception):
    """Raised to end the run."""


@dataclass(eq=False)
class Ask(EarlyExit):
    """Raised if several things match; `token` identifies the question, `message` asks it.

    `ids_of`: the entity of choices that are bare ids, to which names are added for the user. `total`: how many match,
    if the choices are only the likeliest.
    """

    token: str
    what: str
    choices: tuple[Choice, ...]
    message: str
    ids_of: Entity | None = None
    total: int | None = None


@dataclass(eq=False)
class Missing(EarlyExit):
    """Raised if something that the query needs does not exist. `reason` is one of `outcome.NotFound`'s."""

    what: str
    reason: str
    message: str
    suggestions: tuple[str, ...] = ()
