"""The JSON Schema of an outcome, for programs that read its JSON: `python -m qlc.outcome.schema` prints it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from qlc.base.json_schema import schema_text, without_titles
from qlc.outcome.model import OUTCOME

PUBLISHED = Path(__file__).with_name("outcome.schema.json")
"""The published schema file."""


def outcome_json_schema() -> dict[str, Any]:
    """Return the schema that the types make. Every outcome has its `kind`; an agent gets it without what is empty."""
    schema = without_titles(OUTCOME.json_schema())
    for name in schema["discriminator"]["mapping"].values():
        schema["$defs"][name.rpartition("/")[2]]["required"] = ["kind"]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "qlc outcome", **schema}


if __name__ == "__main__":
    sys.stdout.write(schema_text(outcome_json_schema()))
