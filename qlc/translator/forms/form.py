"""What a form is, as data."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from qlc.diagnostics import Diagnostic
from qlc.translator.forms.places import Kind

Origin = Literal["person", "qa", "catalog", "model"]
CONFIRMED = frozenset(["person", "qa", "catalog"])
"""Who looked at what a form says. Others are believed only where no rule is sure."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of the question that another filler may take.

    `of`: the entity of a name; entity and field of the rest. `unit` and `money` are those that an amount was said with.
    """

    name: str
    kind: Kind
    of: str = ""
    unit: str = ""
    money: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A question with `{slots}` and its program with `$slots`; a slot called `limit` is the limit of the program.

    `test` is a question with made-up fillers, and the program that it has to give.
    """

    question: str
    program: str
    slots: tuple[Slot, ...]
    origin: Origin
    date: str
    test: tuple[str, str] = ("", "")

    @property
    def id(self) -> str:
        return blake2b(f"{self.question}\n{self.program}".encode(), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class Taught:
    """What became of a pair: its form, or why there is none."""

    form: Form | None
    diagnostics: tuple[Diagnostic, ...] = ()


class NotTaught(Exception):
    """A pair that cannot be a form."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, hint=hint)
