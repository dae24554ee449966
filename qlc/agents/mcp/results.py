"""Results of tools as the protocol has them: structured, with a schema, and as text."""

from __future__ import annotations

from typing import Any

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, ConfigDict, Field

from qlc.agents.describing import Description, plain_text
from qlc.outcome import Outcome
from qlc.outcome.reply import data_of, is_error, reply, text_of


class Checked(BaseModel):
    """The diagnostics of a program, which was not run."""

    model_config = ConfigDict(extra="forbid")

    ok: bool
    program: str = Field("", description="in canonical form")
    diagnostics: list[dict[str, Any]] = []
    next: str = ""


def lean(schema: dict[str, Any], *, has_null: bool) -> None:
    """Shorten a JSON Schema in place, since the context of every agent holds all tools.

    `anyOf [T, null]` becomes `[T, "null"]` with `has_null` (for results), else `T`: some hosts reject a union of types
    in arguments.
    """
    for name in ("title", "description", "additionalProperties"):
        schema.pop(name, None)
    for one in schema.get("properties", {}).values():
        kinds = one.pop("anyOf", ())
        one |= next((kind for kind in kinds if kind["type"] != "null"), {})
        if kinds and has_null:
            one["type"] = [one["type"], "null"]
        for name in ("title", "additionalProperties", "default"):
            if not (name == "default" and one.get(name)):
                one.pop(name, None)


def result(made: BaseModel, *, failed: bool = False) -> CallToolResult:
    """Return structured content, and the same as text for hosts that show a model only text. Data in the text stands
    between delimiters."""
    text = plain_text(made) if isinstance(made, Description) else text_of(made)
    return CallToolResult(content=[TextContent(text=text)], structured_content=data_of(made), is_error=failed)


def of_outcome(outcome: Outcome, cursor: str | None = None) -> CallToolResult:
    return result(reply(outcome, cursor), failed=is_error(outcome))


def error(message: str, next_step: str) -> CallToolResult:
    """Return the result of a call that failed, with what to do next."""
    return CallToolResult(content=[TextContent(text=f"{message} {next_step}")], is_error=True)
