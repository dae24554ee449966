"""Prints the JSON Schema of `corpus.yaml`, for editors: `python -m qlc.corpus.json_schema`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from qlc.base.json_schema import json_schema, schema_text

from .schema import CorpusFile

PUBLISHED = Path(__file__).with_name("corpus.schema.json")
"""The published schema file."""
_FIELD = {"$ref": "#/$defs/FieldPart"}


def corpus_json_schema() -> dict[str, Any]:
    """Return the schema of the models; a field may also be just the name of its type."""
    schema = json_schema(CorpusFile, "qlc corpus")
    short = {"anyOf": [{"enum": schema["$defs"]["FieldPart"]["properties"]["type"]["enum"]}, _FIELD]}
    for part in schema["$defs"].values():
        for place in part["properties"].values():
            patterns = place.get("patternProperties", {})
            patterns.update({pattern: short for pattern, value in patterns.items() if value == _FIELD})
    return schema


if __name__ == "__main__":
    sys.stdout.write(schema_text(corpus_json_schema()))
