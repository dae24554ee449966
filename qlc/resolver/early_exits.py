"""Why a run stops before its answer: something is to be asked, or was not found. Data, rendered by the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qlc.compiler.environment import Found
from qlc.mapping.schema import Entity


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that is meant, perhaps. `details` tell it apart from the others."""

    id: Found
    label: str
    name: str | None = None
    entity: str | None = None
    details: Mapping[str, object] = field(default_factory=dict)


class EarlyExit(Exception):
    """The run ends here."""


@dataclass(eq=False)
class Ask(EarlyExit):
    """Several things fit; `token` names what was asked about, `message` asks.

    `ids_of` is set where the choices are bare ids: the entity whose they are, to be named before the user sees them.
    `total` counts what fits, where the choices are only the likeliest.
    """

    token: str
    what: str
    choices: tuple[Choice, ...]
    message: str
    ids_of: Entity | None = None
    total: int | None = None


@dataclass(eq=False)
class Missing(EarlyExit):
    """Something that the query needs is not there. `reason` is one of `outcome.NotFound`'s."""

    what: str
    reason: str
    message: str
    suggestions: tuple[str, ...] = ()
