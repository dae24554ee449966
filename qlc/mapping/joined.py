"""Joins a catalog with the entities of other indices: papers and tables of a folder are asked by one catalog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from qlc.mapping.catalog import Catalog, read_catalog


def joined_catalog(main: Catalog, other: Catalog, name: str = "catalog") -> Catalog:
    """Return a catalog with the entities of both; those of `other` name their index and their own fields.

    A word that an entity of `other` uses is removed from the words of `main`. Raises CatalogError if both have an
    entity of one name.
    """
    base, added = _data(main), _data(other)
    entities = {key: _by_itself(one, added) for key, one in added["entities"].items()}
    called = {
        word.casefold()
        for key, one in entities.items()
        for word in (key, one.get("plural") or f"{key}s", *one.get("words", ()))
    }
    for one in base["entities"].values():
        one["words"] = [word for word in one.get("words", ()) if word.casefold() not in called]
    base["entities"] = {**base["entities"], **entities}
    return read_catalog(yaml.safe_dump(base, sort_keys=False, allow_unicode=True, width=120), name)


def _data(catalog: Catalog) -> dict[str, Any]:
    data: dict[str, Any] = catalog.file.model_dump(mode="json", exclude_defaults=True)
    return {"version": catalog.file.version, **data}


def _by_itself(entity: dict[str, Any], catalog: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entity with its index, and with the fields and settings that it shares with the others of its
    catalog."""
    if entity.get("virtual") or entity.get("sources"):
        return entity
    is_own = entity.get("index") in (None, catalog["index"])
    shared: Mapping[str, Any] = catalog.get("defaults", {}) if is_own else {}
    own = {key: {**(catalog.get(key, {}) if is_own else {}), **entity.get(key, {})} for key in ("fields", "lists")}
    conditions = {**shared.get("conditions", {}), **entity.get("conditions", {})}
    return {"index": catalog["index"], **shared, **entity, **own, "conditions": conditions}
