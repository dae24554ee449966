"""Prints the JSON Schema of the catalog file, for editors: `python -m qlc.mapping.json_schema`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from qlc.base.json_schema import json_schema, schema_text
from qlc.mapping.catalog_model import CatalogFile

PUBLISHED = Path(__file__).with_name("catalog.schema.json")
"""The published schema file."""


def catalog_json_schema() -> dict[str, Any]:
    """The schema of the catalog."""
    return json_schema(CatalogFile, "qlc catalog")


if __name__ == "__main__":
    sys.stdout.write(schema_text(catalog_json_schema()))
