"""How much a mapping may hold by the settings of its index."""

from __future__ import annotations

from qlc_engine.effective_settings import Effective
from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.mapping import Mapping
from qlc_engine.segment_builder import ParsedDocument


def check_limits(mapping: Mapping, effective: Effective) -> None:
    """Raises EngineError for a mapping that has too much."""
    total = effective.whole("mapping.total_fields.limit")
    if _size(mapping) > total:
        raise illegal_argument(f"Limit of total fields [{total}] has been exceeded")
    _check_depth(mapping, effective)
    nested = effective.whole("mapping.nested_fields.limit")
    if sum(each.nested for each in mapping.objects.values()) > nested:
        raise illegal_argument(f"Limit of nested fields [{nested}] has been exceeded")


def check_index_sort(mapping: Mapping, effective: Effective) -> None:
    """Raises EngineError for an order of documents by a field that there is not."""
    given = effective.settings.get("sort.field") or []
    for name in given.split(",") if isinstance(given, str) else given:
        if mapping.field(name.strip()) is None:
            raise illegal_argument(f"unknown index sort field:[{name.strip()}]")


def check_limits_for_document(old: Mapping, new: Mapping, effective: Effective) -> None:
    """As `check_limits`, for fields that a document would add."""
    total = effective.whole("mapping.total_fields.limit")
    try:
        if _size(new) > total:
            added = _size(new) - _size(old)
            message = f"Limit of total fields [{total}] has been exceeded while adding new fields [{added}]"
            raise illegal_argument(message)
        check_limits(new, effective)
    except EngineError as error:
        reason = f"[1:1] failed to parse: {error.reason}"
        raise EngineError("document_parsing_exception", reason, caused_by=error) from None


def _size(mapping: Mapping) -> int:
    return len(mapping.fields) + len(mapping.objects) + len(mapping.aliases)


def _check_depth(mapping: Mapping, effective: Effective) -> None:
    limit = effective.whole("mapping.depth.limit")
    for path in mapping.objects:
        # a field is one level below the object that it is in
        if path.count(".") + 2 > limit:
            raise illegal_argument(f"Limit of mapping depth [{limit}] has been exceeded due to object field [{path}]")


def check_elements(document: ParsedDocument, effective: Effective) -> None:
    """Raises EngineError for a document with too many nested elements."""
    limit = effective.whole("mapping.nested_objects.limit")
    if _elements(document) > limit:
        reason = (
            f"[1:1] The number of nested documents has exceeded the allowed limit of [{limit}]. This limit can be set "
            "by changing the [index.mapping.nested_objects.limit] index level setting."
        )
        raise EngineError("document_parsing_exception", reason)


def _elements(document: ParsedDocument) -> int:
    return len(document.children) + sum(_elements(child) for _, child in document.children)
