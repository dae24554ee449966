"""Prints the JSON Schema of the catalog file, for editors: `python -m qlc.mapping.json_schema`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from qlc.mapping.catalog_model import CatalogFile

PUBLISHED = Path(__file__).with_name("catalog.schema.json")
"""The published schema file."""


def catalog_json_schema() -> dict[str, Any]:
    """The schema of the catalog."""
    return json_schema(CatalogFile, "qlc catalog")


def json_schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    """Return the schema of a model without the titles that pydantic derives from names."""
    schema = without_titles(model.model_json_schema())
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def without_titles(node: Any) -> Any:
    """Return a JSON Schema without titles."""
    if isinstance(node, dict):
        # Under `properties` the keys are the catalog's own, and one of them could be called title.
        return {
            key: {name: without_titles(one) for name, one in value.items()}
            if key == "properties"
            else without_titles(value)
            for key, value in node.items()
            if not (key == "title" and isinstance(value, str))
        }
    return [without_titles(item) for item in node] if isinstance(node, list) else node


def schema_text(schema: dict[str, Any] | None = None) -> str:
    return json.dumps(schema or catalog_json_schema(), indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
