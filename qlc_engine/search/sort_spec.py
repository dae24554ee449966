"""`sort` from its JSON: the sort keys, bound to the mapping of one index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import (
    EngineError,
    illegal_argument,
    no_scripts,
    not_implemented,
    parsing_error,
    query_shard_error,
)
from qlc_engine.mapping import DATE_TYPES, KEYWORD_TYPES, NUMERIC_TYPES, Field, check_doc_values
from qlc_engine.painless import Script, read_script
from qlc_engine.params import Params
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.parse import parse_query
from qlc_engine.reading import reading
from qlc_engine.search.sort_values import NestedSort
from qlc_engine.time_limit import timed
from qlc_engine.value_parsers import text_of

SCORE, DOC, SHARD_DOC = "_score", "_doc", "_shard_doc"
_MODES = ("min", "max", "sum", "avg", "median")


@dataclass(frozen=True, slots=True)
class SortKey:
    """One key. `kind`: `_score`, `_doc`, `_shard_doc`, `keyword`, `int`, `long`, `double`, `ip`."""

    kind: str
    path: str
    descending: bool
    mode: str = "min"
    #: "_last", "_first" or a value
    missing: Any = "_last"
    field: Field | None = None
    nested: NestedSort | None = None
    #: `numeric_type`
    cast: str | None = None
    #: in place of a field
    script: Script | None = None

    @property
    def flattened_key(self) -> str | None:
        return None if self.field is None else self.field.flattened_key

    @property
    def missing_first(self) -> bool:
        return bool(self.missing == "_first")


@reading("[sort]")
def parse_sort(
    spec: Any, context: QueryContext, *, with_pit: bool, after: Sequence[Any] | None = None
) -> list[SortKey]:
    """The keys in their order; with a point in time `_shard_doc` decides last of all.

    Not so if the values after which a page begins (`after`) are only those of the keys.
    """
    keys: list[SortKey] = []
    for entry in timed(spec if isinstance(spec, list) else [spec]):
        if isinstance(entry, str):
            keys.append(_key(entry, {}, context))
        elif isinstance(entry, dict):
            keys.extend(_key(path, options, context) for path, options in entry.items())
        elif isinstance(spec, list):
            raise illegal_argument(
                "malformed sort format, within the sort array, an object, or an actual string are allowed"
            )
        else:
            keys.append(_key(text_of(entry), {}, context))
    if not keys:
        # no keys are no sort
        return [SortKey(SCORE, SCORE, descending=True)]
    whole = after is not None and len(after) == len(keys)
    if with_pit and not whole and all(key.kind not in (SHARD_DOC, DOC) for key in keys):
        keys.append(SortKey(SHARD_DOC, SHARD_DOC, False))
    return keys


_UNMAPPED = NUMERIC_TYPES | KEYWORD_TYPES | DATE_TYPES | {"boolean", "ip"}


def _key(path: str, options: Any, context: QueryContext) -> SortKey:
    if isinstance(options, str):
        options = {"order": options}
    if not isinstance(options, dict):
        raise parsing_error(f"[{path}] malformed sort")
    if path == "_geo_distance":
        raise not_implemented("sort by [_geo_distance]")
    if path == "_script":
        return _script_key(options, context)
    params = Params("field_sort", options)
    order = _order(params.take("order", "desc" if path == SCORE else "asc"))
    if path in (SCORE, DOC, SHARD_DOC):
        params.finish()
        return SortKey(path, path, order)
    mode = params.take("mode")
    missing = params.take("missing", "_last")
    nested = params.take("nested")
    cast = params.take("numeric_type")
    unmapped = params.take("unmapped_type")
    if unmapped is not None and unmapped not in _UNMAPPED:
        raise not_implemented(f"sort [unmapped_type] of type [{unmapped}]")
    if "format" in params:
        raise not_implemented("sort [format]")
    params.finish()
    if cast is not None and cast not in ("long", "double", "date", "date_nanos"):
        allowed = "[long, double, date, date_nanos]"
        raise illegal_argument(f"invalid value for [numeric_type], must be {allowed}, got {cast}")
    field = context.field(path) or (Field(path, unmapped) if unmapped is not None else None)
    if path == "_id":
        raise illegal_argument(
            "Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster "
            "setting: indices.id_field_data.enabled"
        )
    if field is None:
        if path.startswith("_"):
            raise not_implemented(f"sort on [{path}]")
        raise query_shard_error(f"No mapping found for [{path}] in order to sort on")
    return _field_key(path, field, order, mode, missing, nested, cast, context)


def _script_key(options: dict[str, Any], context: QueryContext) -> SortKey:
    params = Params("_script", options)
    for key in ("script", "type"):
        if key not in params:
            raise illegal_argument(f"Required [{key}]")
    descending = _order(params.take("order", "asc"))
    kind, mode = params.take("type"), params.take("mode")
    if kind not in ("number", "string", "version"):
        raise params.failed("type", f"Unknown ScriptSortType [{kind}]")
    if kind != "number":
        raise no_scripts(f"sort by [_script] of type [{kind}]")
    if mode is not None:
        raise not_implemented("[mode] of sort by [_script]")
    if "nested" in params:
        raise not_implemented("[nested] of sort by [_script]")
    script = read_script(params.take("script"), context.mapping, null=False)
    params.finish()
    return SortKey("double", "_script", descending, script=script)


def _field_key(
    path: str,
    field: Field,
    descending: bool,
    mode: Any,
    missing: Any,
    nested: Any,
    cast: Any,
    context: QueryContext,
) -> SortKey:
    if mode is not None and str(mode).lower() not in _MODES:
        raise illegal_argument(f"Unknown SortMode [{mode}]")
    mode = str(mode).lower() if mode is not None else "max" if descending else "min"
    _check_sortable(field)
    kind = "int" if field.type in ("integer", "short", "byte") else "long"
    if field.is_keyword or field.type == "ip":
        kind = "ip" if field.type == "ip" else "keyword"
        if kind == "ip" and missing not in ("_first", "_last"):
            # the server compares the text with the 16 bytes of an address
            raise illegal_argument(f"{path} is of illegal length")
        if mode not in ("min", "max"):
            raise query_shard_error(
                "we only support MIN and MAX on string fields"
                if kind == "keyword"
                else f"[mode] [{mode}] is not supported on field [{path}] of type [ip]"
            )
    elif field.type in ("double", "float", "half_float", "scaled_float"):
        kind = "double"
    if kind in ("int", "long") and isinstance(missing, int | float) and not -(2.0**63) <= missing < 2.0**64:
        raise EngineError("number_format_exception", f'For input string: "{missing}"')
    return SortKey(
        kind=kind,
        path=field.path,
        descending=descending,
        mode=mode,
        missing=missing,
        field=field,
        nested=_nested(nested, field, mode, context),
        cast=cast,
    )


def _check_sortable(field: Field) -> None:
    if field.type in ("geo_point", "dense_vector"):
        reason = f"can't sort on {field.type} field without using specific sorting feature, like geo_distance"
        raise illegal_argument(reason)
    if field.is_extended or field.type == "binary":
        raise not_implemented(f"sort on [{field.path}] of type [{field.type}]")
    check_doc_values(field)


def _order(given: Any) -> bool:
    """True for descending."""
    text = str(given).lower()
    if text not in ("asc", "desc"):
        raise illegal_argument(f"No enum constant org.elasticsearch.search.sort.SortOrder.{str(given).upper()}")
    return text == "desc"


def _nested(spec: Any, field: Field, mode: str, context: QueryContext) -> NestedSort | None:
    """The elements to take values from."""
    if spec is None:
        if field.nested_path is not None and context.nested_path != field.nested_path:
            raise query_shard_error(
                f"it is mandatory to set the [nested] context on the nested sort field: [{field.path}]."
            )
        return None
    if mode == "median":
        raise illegal_argument("Unsupported sort mode: MEDIAN")
    params = Params("nested_sort", spec)
    path, filter_spec = str(params.require("path")), params.take("filter")
    for key in ("nested", "max_children"):
        if key in params:
            raise not_implemented(f"[{key}] of a nested sort")
    params.finish()
    if not context.mapping.is_nested(path):
        raise query_shard_error(f"[nested] failed to find nested object under path [{path}]")
    query = None if filter_spec is None else parse_query(filter_spec, context.below(path))
    return NestedSort(path, query)


_SORT_TYPES = {"keyword": "STRING", "ip": "STRING", "int": "INT", "long": "LONG", "double": "DOUBLE"}


def check_comparable(of_shards: Sequence[Sequence[SortKey]]) -> None:
    """Raises EngineError for keys that are texts in one index and numbers in another."""
    for keys in zip(*of_shards, strict=True) if of_shards else ():
        types = [_SORT_TYPES[key.kind] for key in keys if key.kind in _SORT_TYPES]
        other = next((one for one in types if (one == "STRING") != (types[0] == "STRING")), None)
        if other is not None:
            raise illegal_argument(
                f"Can't sort on field [{keys[0].path}]; the field has incompatible sort types: [{types[0]}] and "
                f"[{other}] across shards!"
            )
