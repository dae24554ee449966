"""The results of tools, as data: rows with their places and the program that found them, or the reason for having
none."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FoundPassage(_Result):
    """A passage that was found. `begin` and `end` are the place of the snippet in its text, in characters."""

    document: str
    file: str
    passage: str
    page: int | None
    section: list[str]
    title: str
    score: float | None
    snippet: str
    begin: int
    end: int


class FoundAnnotation(_Result):
    """A value of a document. `number` is in the base unit `unit`, `text` is as written."""

    document: str
    file: str
    title: str
    label: str
    text: str
    page: int | None = None
    number: float | None = None
    unit: str = ""
    date: str = ""


class KnownValue(_Result):
    """A value of a document. `is_disputed`: the field has no sure value, for the reason in `why`."""

    field: str
    value: Any
    page: int | None
    quote: str
    is_disputed: bool = False
    why: str = ""


class DocumentMetadata(_Result):
    document: str
    title: str
    files: list[str]
    bucket: str
    pages: int
    values: list[KnownValue]


class Passages(_Result):
    """The best passages; `matches` counts all that match."""

    kind: Literal["passages"] = "passages"
    program: str
    matches: int
    passages: list[FoundPassage]
    notes: list[str] = []


class Annotations(_Result):
    """`matches` counts the documents that have one."""

    kind: Literal["annotations"] = "annotations"
    program: str
    matches: int
    annotations: list[FoundAnnotation]
    notes: list[str] = []


class Documents(_Result):
    """`unknown` are names that no document has, as far as the caller may see them."""

    kind: Literal["documents"] = "documents"
    documents: list[DocumentMetadata]
    unknown: list[str] = []


class Ran(_Result):
    """The outcome of a program, as JSON."""

    kind: Literal["ran"] = "ran"
    program: str
    outcome: dict[str, Any]


class ToolProblem(_Result):
    """Why a tool gave nothing, and what to do: `hint` is the next step, `suggestions` are what can stand instead."""

    kind: Literal["problem"] = "problem"
    code: str
    message: str
    hint: str = ""
    suggestions: list[str] = []


Result: TypeAlias = Passages | Annotations | Documents | Ran | ToolProblem
