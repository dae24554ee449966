"""JSON Schemas as qlc publishes them: what pydantic makes of models, without titles."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel


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


def schema_text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1) + "\n"
