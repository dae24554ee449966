"""What the settings of an index change in its answers: limits, defaults of fields and queries, blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError

#: whole numbers: the default and the least
WHOLE: dict[str, tuple[int, int]] = {
    "number_of_shards": (1, 1),
    "number_of_replicas": (1, 0),
    "max_result_window": (10_000, 1),
    "max_inner_result_window": (100, 1),
    "max_docvalue_fields_search": (100, 0),
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
    "hidden": False,
    "mapping.coerce": True,
    "mapping.ignore_malformed": False,
    "query_string.lenient": False,
    "blocks.read_only": False,
    "blocks.read": False,
    "blocks.write": False,
    "blocks.metadata": False,
    "blocks.read_only_allow_delete": False,
}

#: what each block forbids, its status and how it is told
_BLOCKS: tuple[tuple[str, frozenset[str], int, str], ...] = (
    ("read_only", frozenset({"write", "change"}), 403, "FORBIDDEN/5/index read-only (api)"),
    ("read", frozenset({"read"}), 403, "FORBIDDEN/7/index read (api)"),
    ("write", frozenset({"write"}), 403, "FORBIDDEN/8/index write (api)"),
    ("metadata", frozenset({"change", "look", "write"}), 403, "FORBIDDEN/9/index metadata (api)"),
    (
        "read_only_allow_delete", frozenset({"write"}), 429,
        "TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Effective:
    """Of one index; what its settings do not name is as in a new one."""

    settings: Mapping[str, Any]

    def whole(self, name: str) -> int:
        given = self.settings.get(name)
        return WHOLE[name][0] if given is None else int(given)

    def flag(self, name: str) -> bool:
        given = self.settings.get(name)
        return FLAGS[name] if given is None else given in (True, "true")

    @property
    def default_fields(self) -> list[str]:
        """`query.default_field`: what is searched where a query names no field."""
        given = self.settings.get("query.default_field")
        if given is None:
            return ["*"]
        return [part.strip() for part in given.split(",")] if isinstance(given, str) else [str(part) for part in given]

    def check_blocks(self, index: str, doing: str) -> None:
        """Raises EngineError where a block forbids to `read`, to `write`, or to `look` at or `change` the mapping."""
        if not any(name.startswith("blocks.") for name in self.settings):
            return
        for name, forbidden, status, told in _BLOCKS:
            if doing in forbidden and self.flag(f"blocks.{name}"):
                reason = f"index [{index}] blocked by: [{told}];"
                raise EngineError("cluster_block_exception", reason, status=status)


NEW = Effective({})
