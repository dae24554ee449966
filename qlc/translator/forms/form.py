"""Types of taught forms: in memory, and in the file that people review."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from qlc.base.diagnostics import Diagnostic
from qlc.translator.forms.places import Kind

Origin = Literal["person", "qa", "catalog", "model"]
CONFIRMED = frozenset(["person", "qa", "catalog"])
"""Origins that were checked by a person. Other forms are used only if no rule is sure."""
SLOT = re.compile(r"\{(\w+)\}")
Text = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Slot(_Part):
    """A place for other fillers: `of` an entity or field, with the `unit` and `money` of an amount."""

    type: Kind
    of: str = ""
    unit: str = ""
    money: str = ""


class Sample(_Part):
    """A question with made-up fillers, and the program that it has to give."""

    question: Text
    program: Text


class Form(_Part):
    """A question with `{slots}` and its program with `$slots`; a slot called `limit` is the limit of the program."""

    id: Text
    question: Text
    program: Text
    slots: dict[Annotated[str, Field(pattern=r"^\w+$", max_length=100)], Slot] = {}
    origin: Origin
    date: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    test: Sample


def id_of(question: str, program: str) -> str:
    return blake2b(f"{question}\n{program}".encode(), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class Taught:
    """Result of teaching a pair: its form, or diagnostics that say why there is none."""

    form: Form | None
    diagnostics: tuple[Diagnostic, ...] = ()


class NotTaught(Exception):
    """A pair that cannot be a form."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, hint=hint)
