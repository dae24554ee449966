"""Every outcome in a reply that a test receives is validated against the schema that is published."""

import json
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from qlc.outcome.schema import PUBLISHED

SCHEMA = json.loads(PUBLISHED.read_text("utf-8"))
KINDS = SCHEMA["discriminator"]["mapping"]
_VALIDATORS = {kind: Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": KINDS[kind]}]}) for kind in KINDS}
"""Only the alternative that `kind` names: its error is the one that matters, and it takes a tenth of the time."""

checked = 0
"""Outcomes so far: that they are seen at all is a test."""


def check_outcome(given: Any) -> None:
    global checked
    checked += 1
    error = best_match(_VALIDATORS[given["kind"]].iter_errors(given))
    assert error is None, f"an outcome does not fit outcome.schema.json at {error.json_path}: {error.message}"


def check_reply(reply: Any) -> Any:
    """Check the outcomes in the JSON of a reply, which is returned."""
    for one in outcomes_in(reply):
        check_outcome(one)
    return reply


def check_text(text: str) -> None:
    """Check what a command printed, or a service sent: JSON, JSON by lines, or events."""
    lines = [line.removeprefix("data:") for line in text.splitlines()]
    for part in (text, *lines):
        if part.lstrip().startswith(("{", "[")):
            try:
                reply = json.loads(part)
            except ValueError:
                continue
            check_reply(reply)
            if part is text:
                return


def outcomes_in(reply: Any, key: str = "") -> Iterator[dict[str, Any]]:
    """Find the outcomes: objects with a kind and what all have; under the key `outcome` what is empty is left out."""
    if isinstance(reply, dict):
        kind = reply.get("kind")
        is_whole = key == "outcome" or {"message", "diagnostics", "stats"} <= reply.keys()
        if isinstance(kind, str) and kind in KINDS and is_whole:
            yield reply
        else:
            for name, part in reply.items():
                yield from outcomes_in(part, name)
    elif isinstance(reply, list):
        for part in reply:
            yield from outcomes_in(part)
