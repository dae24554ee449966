"""The use of a tool in a model's reply, validated against the JSON Schema that the model was sent with the tool.

Every tool of every stage is validated here, so that the code behind it can rely on its schema. A reply is hostile: its
size and depth are bounded before the validator sees it, and its errors while they are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from qlc.models.excess import excess
from qlc.models.exchange import ModelReply, Tool, ToolUse

_MOST_ERRORS = 100
"""Most errors among which the best is chosen: a million wrong values would have as many."""
_BEGIN, _END = 120, 180
"""Characters of an error that are sent back: it begins with the value, which can be long, and ends with the reason."""


class WrongUse(Exception):
    """The reply does not use a tool as its schema says. The text, one sentence, is for the model."""


def used_tool(reply: ModelReply, tools: Sequence[Tool]) -> ToolUse:
    """Return the first use of a tool in a reply; its input fits the schema of the tool.

    `tools` are those that the request had. Raises WrongUse:
    {"program": 7} -> the input of submit_query is wrong at $.program: 7 is not of type 'string'
    """
    names = ", ".join(tool.name for tool in tools)
    if reply.stop == "max_tokens":
        raise WrongUse("the answer was cut off because it was too long; use one tool, and write less")
    if not reply.uses:
        raise WrongUse(f"there was no use of a tool; answer with one of: {names}")
    use = reply.uses[0]
    tool = next((one for one in tools if one.name == use.name), None)
    if tool is None:
        raise WrongUse(f"there is no tool {use.name[:40]!r}; the tools are: {names}")
    if problem := excess(use.input) or _error(use.input, tool.schema):
        raise WrongUse(f"the input of {tool.name} is wrong{problem}")
    return use


def _error(value: Any, schema: Mapping[str, Any]) -> str:
    """Return where and why a value does not fit a schema; empty if it does."""
    # Not at the top: a command that asks no model must not wait for it.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    errors = islice(Draft202012Validator(schema).iter_errors(value), _MOST_ERRORS)
    error = best_match(errors)
    if error is None:
        return ""
    message = error.message
    if len(message) > _BEGIN + _END:
        message = f"{message[:_BEGIN]}...{message[-_END:]}"
    return f" at {error.json_path[:_BEGIN]}: {message}"
