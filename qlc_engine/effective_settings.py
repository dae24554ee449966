"""Settings of an index that change its responses: limits, defaults of fields and queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: whole numbers: the default and the least
WHOLE: dict[str, tuple[int, int]] = {
    "number_of_shards": (1, 1),
    "number_of_replicas": (1, 0),
    "max_result_window": (10_000, 1),
    "max_inner_result_window": (100, 1),
    "max_terms_count": (65_536, 1),
    "max_regex_length": (1_000, 1),
    "highlight.max_analyzed_offset": (1_000_000, 1),
    "mapping.total_fields.limit": (1_000, 0),
    "mapping.depth.limit": (20, 1),
    "mapping.nested_fields.limit": (50, 0),
    "mapping.nested_objects.limit": (10_000, 0),
    "mapping.ignore_above": (2**31 - 1, 0),
}

FLAGS: dict[str, bool] = {
    "mapping.coerce": True,
    "mapping.ignore_malformed": False,
    "query_string.lenient": False,
}


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings of one index, with defaults for those that it does not set."""

    settings: Mapping[str, Any]

    def whole(self, name: str) -> int:
        given = self.settings.get(name)
        return WHOLE[name][0] if given is None else int(given)

    def flag(self, name: str) -> bool:
        given = self.settings.get(name)
        return FLAGS[name] if given is None else given in (True, "true")

    @property
    def default_fields(self) -> list[str]:
        """Return `query.default_field`, the fields of queries that name none."""
        given = self.settings.get("query.default_field")
        if given is None:
            return ["*"]
        return [part.strip() for part in given.split(",")] if isinstance(given, str) else [str(part) for part in given]


NEW = Effective({})
