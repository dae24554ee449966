"""Term-level queries by field type: what `term`, `terms`, `range`, `exists` and patterns mean for each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from qlc_engine.dates import parse_date, parse_date_nanos
from qlc_engine.errors import EngineError, MalformedValueError, illegal_argument, not_implemented, query_shard_error
from qlc_engine.ip import encode_ip, network_range
from qlc_engine.lucene_regexp import compile_regexp, operators_of
from qlc_engine.mapping import IGNORED, INTEGER_RANGES, Field, matches_pattern
from qlc_engine.queries.base import MatchAll, MatchNone, Query, checked_term
from qlc_engine.queries.compound import Bool, ConstantScore
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.numeric import AnyNumber, BooleanTerm, HasValues, HasVector, IdSet, NumberRange
from qlc_engine.queries.spatial import RangeRelation, Relation
from qlc_engine.queries.terms import AnyTerm, FoldedTerm, HasTerms, Prefix, Regexp, Term, TermPattern, TermRange
from qlc_engine.range_types import searched_end, whole_line
from qlc_engine.terms import encode_term
from qlc_engine.value_parsers import format_float, round_to_type, text_of, to_double

_EXACT_INTEGER = re.compile(r"[+-]?[0-9]+")
#: states of the automaton of a wildcard: its characters and one
_MAX_AUTOMATON = 1_000


#: fields that every document has without being mapped
METADATA = frozenset({"_id", "_index", "_seq_no", "_source", "_version"})


def metadata_query(path: str, kind: str, values: list[Any], context: QueryContext) -> Query | None:
    """Return a query on `_id` or `_index`, which have one value per document; None if `path` is not a metadata
    field."""
    if path == "_id" and kind in ("term", "terms"):
        return ConstantScore(id_query(values))
    if path == "_index" and kind in ("term", "terms"):
        found = any(matches_pattern(text_of(value), context.index) for value in values)
        return ConstantScore(MatchAll()) if found else MatchNone()
    if path in METADATA:
        raise not_implemented(f"query [{kind}] on [{path}]")
    return None


def search_text(field: Field, value: Any, context: QueryContext) -> str:
    """A value as it would be among the terms of a keyword or text field."""
    text: str = checked_term(text_of(value))
    if field.flattened_key is not None:
        return f"{field.flattened_key}\x00{text}"
    return context.analysis.normalize(field.normalizer, text)


def check_searchable(field: Field) -> None:
    if not field.index and not field.has_doc_values:
        raise illegal_argument(f"Cannot search on field [{field.path}] since it is not indexed nor has doc values.")


def term_query(field: Field, value: Any, context: QueryContext, *, case_insensitive: bool = False) -> Query:
    check_searchable(field)
    kind = field.type
    if field.is_range:
        return range_relation(field, context, value, value, True, True, None, None, "intersects")
    if field.is_keyword or field.is_text:
        text = search_text(field, value, context)
        if kind == "constant_keyword" and case_insensitive:
            return _on_constant(field, lambda constant: encode_term(constant).lower() == encode_term(text).lower())
        if case_insensitive and text:
            return FoldedTerm(field.path, encode_term(text).lower())
        if kind == "constant_keyword":
            return MatchAll() if text == field.constant else MatchNone()
        exact = Term(field.path, encode_term(text))
        return exact if field.index else ConstantScore(exact)
    if case_insensitive:
        raise query_shard_error(
            f"[{field.path}] field which is of type [{kind}], does not support case insensitive term queries"
        )
    if kind == "boolean":
        return BooleanTerm(field.path, boolean_of(value))
    if field.is_date:
        return date_range(field, context, value, value, True, True, None, None)
    if kind == "ip":
        return _ip_term(field, text_of(value))
    if field.is_numeric:
        number = _stored_number(field, value)
        return MatchNone() if number is None else NumberRange(field.path, number, number)
    raise _unsupported(field)


def terms_query(field: Field, values: list[Any], context: QueryContext) -> Query:
    most = context.settings.whole("max_terms_count")
    if len(values) > most:
        raise illegal_argument(
            f"The number of terms [{len(values)}] used in the Terms Query request has exceeded the allowed maximum of "
            f"[{most}]. This maximum can be set by changing the [index.max_terms_count] index level setting."
        )
    check_searchable(field)
    if field.is_range:
        raise not_implemented(f"query [terms] on [{field.path}] of type [{field.type}]")
    if field.type == "constant_keyword":
        return _on_constant(field, lambda constant: constant in [text_of(value) for value in values])
    if field.is_keyword or field.is_text:
        return AnyTerm(field.path, tuple(dict.fromkeys(encode_term(search_text(field, v, context)) for v in values)))
    if field.is_numeric:
        for value in values:
            _check_in_terms(field, value)
        numbers = (_stored_number(field, value) for value in values)
        return AnyNumber(field.path, tuple(number for number in numbers if number is not None))
    if field.type == "ip" and not any("/" in text_of(value) for value in values):
        return AnyTerm(field.path, tuple(encode_term(_address(text_of(value))) for value in values))
    return ConstantScore(Bool(should=[term_query(field, value, context) for value in values], minimum=1))


def boolean_of(value: Any) -> bool:
    if value is True or value == "true":
        return True
    if value is False or value == "false":
        return False
    raise illegal_argument(f"Can't parse boolean value [{text_of(value)}], expected [true] or [false]")


def _unsupported(field: Field) -> EngineError:
    if field.type == "geo_point":
        reason = (
            f"Geometry fields do not support exact searching, use dedicated geometry queries instead: [{field.path}]"
        )
        return query_shard_error(reason)
    return illegal_argument(f"Field [{field.path}] of type [{field.type}] doesn't support term queries")


def _number(value: Any) -> int | float:
    """A JSON value or text as a number, whole ones exactly."""
    if isinstance(value, bool) or value is None:
        raise EngineError("number_format_exception", f'For input string: "{text_of(value)}"')
    if isinstance(value, int | float):
        return value
    if _EXACT_INTEGER.fullmatch(value):
        return int(value)
    try:
        return to_double(value, "double")
    except MalformedValueError as error:
        raise error.cause from None


def _exact(value: Any) -> int | float | Decimal:
    """As `_number`, with all the digits that a text has."""
    number = _number(value)
    try:
        return Decimal(value) if isinstance(value, str) else number
    except InvalidOperation:
        return number


def _check_in_terms(field: Field, value: Any) -> None:
    """`term` finds nothing for a number that the type cannot hold; `terms` refuses it. Raises EngineError."""
    number = _number(value)
    if field.type in INTEGER_RANGES:
        if number == math.floor(number):
            _check_range(field, value)
    elif field.type in ("float", "half_float") and not math.isfinite(round_to_type(number, field.type)):
        single = round_to_type(number, "float")
        raise illegal_argument(f"[{field.type}] supports only finite values, but got [{format_float(single)}]")


def _check_range(field: Field, bound: Any) -> None:
    """The small whole numbers are read as an integer. Raises EngineError."""
    parsed = "long" if field.type == "long" else "integer"
    least, most = INTEGER_RANGES[parsed]
    if field.type != "unsigned_long" and not least <= _number(bound) <= most:
        article = "an" if parsed == "integer" else "a"
        raise illegal_argument(f"Value [{text_of(bound)}] is out of range for {article} {parsed}")


def _stored_number(field: Field, value: Any) -> int | float | None:
    """The number as the column of the field has it; None where no value of the type can equal it."""
    number = _number(value)
    bounds = INTEGER_RANGES.get(field.type)
    if bounds is not None:
        if number != math.floor(number) or not bounds[0] <= number <= bounds[1]:
            return None
        return int(number) - field.stored_offset
    if field.type == "scaled_float":
        return math.floor(_as_long(number * field.scaling_factor) + 0.5) * (1.0 / field.scaling_factor)
    rounded = round_to_type(float(number), field.type)
    return rounded if math.isfinite(rounded) else None


def _as_long(scaled: float) -> float:
    """Clamp a scaled number to the range of a long, in which it is stored."""
    return min(max(scaled, -(2.0**63)), 2.0**63)


def _address(text: str) -> str:
    try:
        return encode_ip(text)
    except ValueError as error:
        raise illegal_argument(str(error)) from None


def _ip_term(field: Field, text: str) -> Query:
    if "/" not in text:
        return ConstantScore(AnyTerm(field.path, (encode_term(_address(text)),)))
    try:
        low, high = network_range(text)
    except ValueError as error:
        raise illegal_argument(str(error)) from None
    return TermRange(field.path, low.encode("utf-8", "surrogatepass"), high.encode("utf-8", "surrogatepass"))


def range_query(
    field: Field,
    context: QueryContext,
    low: Any,
    high: Any,
    include_low: bool,
    include_high: bool,
    format: str | None,
    time_zone: str | None,
    relation: Relation = "intersects",
) -> Query:
    """A range; None is an open end. `relation` is of fields of ranges."""
    check_searchable(field)
    kind = field.type
    if field.is_range:
        return range_relation(field, context, low, high, include_low, include_high, format, time_zone, relation)
    if field.is_date:
        return date_range(field, context, low, high, include_low, include_high, format, time_zone)
    if time_zone is not None and not field.is_numeric:
        raise illegal_argument(f"Field [{field.path}] of type [{kind}] does not support custom time zones")
    if field.is_keyword or field.is_text:
        bounds = [None if bound is None else encode_term(search_text(field, bound, context)) for bound in (low, high)]
        return _term_range(field, bounds[0], bounds[1], include_low, include_high)
    if kind == "ip":
        ends = [None if bound is None else _address(text_of(bound)).encode() for bound in (low, high)]
        return TermRange(field.path, ends[0], ends[1], include_low, include_high)
    if kind == "boolean":
        first = 0 if low is None else int(boolean_of(low)) + (not include_low)
        last = 1 if high is None else int(boolean_of(high)) - (not include_high)
        return NumberRange(field.path, first, last)
    if field.is_numeric:
        return _number_range(field, low, high, include_low, include_high)
    raise illegal_argument(f"Field [{field.path}] of type [{kind}] does not support range queries")


def _term_range(field: Field, low: bytes | None, high: bytes | None, include_low: bool, include_high: bool) -> Query:
    if field.flattened_key is not None and (low is None or high is None):
        raise illegal_argument(
            "[range] queries on keyed [flattened] fields must include both an upper and a lower bound."
        )
    return TermRange(field.path, low, high, include_low, include_high)


def _number_range(field: Field, low: Any, high: Any, include_low: bool, include_high: bool) -> Query:
    if field.type in INTEGER_RANGES:
        return _integer_range(field, low, high, include_low, include_high)
    first: float | None = None
    last: float | None = None
    if low is not None:
        first = _float_bound(field, _float_end(low), include_low, up=True)
    if high is not None:
        last = _float_bound(field, _float_end(high), include_high, up=False)
    return NumberRange(field.path, first, last)


def _float_end(bound: Any) -> float:
    """The end of a range may be infinite, which no value is."""
    return float(bound) if str(bound).lstrip("+-") == "Infinity" else _number(bound)


def _float_bound(field: Field, number: float, include: bool, *, up: bool) -> float:
    """The bound in the precision of the type; an excluded one moves to the next value of the type."""
    towards = math.inf if up else -math.inf
    if number == 0 and not include and (math.copysign(1, number) < 0) == up:
        # minus zero comes directly before zero
        return -float(number)
    if field.type == "scaled_float":
        scaled = _as_long(number * field.scaling_factor)
        if not include:
            scaled = math.nextafter(scaled, towards)
        return (math.ceil(scaled) if up else math.floor(scaled)) * (1.0 / field.scaling_factor)
    if field.type == "double":
        return float(number) if include else math.nextafter(number, towards)
    if field.type == "half_float":
        half = np.float16(number)
        inside = float(half) >= number if up else float(half) <= number
        if not inside or (float(half) == number and not include):
            half = np.nextafter(half, np.float16(towards))
        return float(half)
    bound = np.float32(number)
    return float(bound if include else np.nextafter(bound, np.float32(towards)))


def _integer_range(field: Field, low: Any, high: Any, include_low: bool, include_high: bool) -> Query:
    least, most = INTEGER_RANGES[field.type]
    first, last = least, most
    for bound in (low, high):
        if bound is not None:
            _check_range(field, bound)
    if low is not None:
        number = _exact(low)
        if number > most:
            return MatchNone()
        first = max(least, math.ceil(number) + (1 if number == math.floor(number) and not include_low else 0))
    if high is not None:
        number = _exact(high)
        if number < least:
            return MatchNone()
        last = min(most, math.floor(number) - (1 if number == math.floor(number) and not include_high else 0))
    if first > last:
        return MatchNone()
    return NumberRange(field.path, first - field.stored_offset, last - field.stored_offset)


def date_range(
    field: Field,
    context: QueryContext,
    low: Any,
    high: Any,
    include_low: bool,
    include_high: bool,
    format: str | None,
    time_zone: str | None,
) -> NumberRange:
    """Bounds are rounded down for `gte` and `lt`, up for `gt` and `lte`, as DateFieldMapper does."""

    if format is None and any(isinstance(end, int | float) and not isinstance(end, bool) for end in (low, high)):
        # one end that is a number makes both milliseconds
        format = "epoch_millis"

    read = parse_date_nanos if field.type == "date_nanos" else parse_date

    def millis(bound: Any, round_up: bool) -> int:
        text = text_of(bound)
        at = read(text, format or field.format, now_ms=context.now_ms, round_up=round_up, tz=time_zone)
        if field.type == "date_nanos" and at >= 2**63:
            latest = "2262-04-11T23:47:16.854775807"
            reason = f"date[{text}] is after {latest} and cannot be stored in nanosecond resolution"
            raise illegal_argument(reason)
        if field.type == "date_nanos" and at < 0:
            reason = f"date[{text}] is before the epoch in 1970 and cannot be stored in nanosecond resolution"
            raise illegal_argument(reason)
        return at

    first = None if low is None else millis(low, not include_low) + (not include_low)
    last = None if high is None else millis(high, include_high) - (not include_high)
    return NumberRange(field.path, first, last)


def range_relation(
    field: Field,
    context: QueryContext,
    low: Any,
    high: Any,
    include_low: bool,
    include_high: bool,
    format: str | None,
    time_zone: str | None,
    relation: Relation,
) -> Query:
    """Ranges that lie so to another range. Dates are rounded as for a field of dates."""
    kind = field.type
    if not field.index:
        raise illegal_argument(f"Cannot search on field [{field.path}] since it is not indexed.")
    least, most = whole_line(kind)
    if kind == "date_range":
        dates = date_range(field, context, low, high, include_low, include_high, format, time_zone)
        first = least if dates.low is None else dates.low
        last = most if dates.high is None else dates.high
    else:
        first = searched_end(kind, low, least, included=include_low, above=True)
        last = searched_end(kind, high, most, included=include_high, above=False)
    if first > last:
        raise query_shard_error(
            f"failed to create query: Range query `from` value ({first}) is greater than `to` value ({last})"
        )
    return ConstantScore(RangeRelation(field.path, kind, first, last, relation))


def exists_query(path: str, context: QueryContext) -> Query:
    """`exists` of a field, of an object (any field below it) or of a pattern."""
    mapping = context.mapping
    if path == "_id":
        return MatchAll()
    if path == IGNORED.path:
        return ConstantScore(_exists(IGNORED))
    if path in METADATA:
        raise not_implemented(f"query [exists] on [{path}]")
    if mapping.object(path) is not None:
        names: Iterable[str] = [name for name in mapping.names() if name.startswith(path + ".")]
    else:
        names = mapping.expand(path)
    queries = [_exists(found) for name in names if (found := mapping.field(name)) is not None]
    if len(queries) == 1:
        return ConstantScore(queries[0])
    return ConstantScore(Bool(should=queries, minimum=1)) if queries else MatchNone()


def _exists(field: Field) -> Query:
    if field.type == "constant_keyword":
        return MatchAll()
    if field.type == "dense_vector":
        return HasVector(field.path)
    if not field.index and not field.has_doc_values:
        return MatchNone()
    if field.type == "binary":
        raise not_implemented(f"query [exists] on [{field.path}] of type [binary]")
    if field.flattened_key is not None:
        return Prefix(field.path, field.flattened_key.encode("utf-8", "surrogatepass") + b"\x00")
    if field.is_keyword or field.is_text or field.is_extended or field.type == "ip":
        return HasTerms(field.path, by_norms=field.is_text)
    return HasValues(field.path)


def pattern_field(field: Field, query: str, supported: str) -> Field:
    """The field, if queries by pattern work on its type."""
    if field.is_keyword or field.is_text:
        if query != "prefix" and field.flattened_key is not None:
            raise illegal_argument(f"[{query}] queries are not currently supported on keyed [flattened] fields.")
        check_searchable(field)
        return field
    raise query_shard_error(
        f"Can only use {query} queries on {supported} fields - not on [{field.path}] which is of type [{field.type}]"
    )


def prefix_query(field: Field, value: Any, context: QueryContext, *, case_insensitive: bool) -> Query:
    pattern_field(field, "prefix", "keyword, text and wildcard")
    check_pattern_length("prefix", "Prefix", text_of(value), context)
    text = search_text(field, value, context)
    if field.type == "constant_keyword":
        return _on_constant(
            field, lambda constant: _cased(constant, case_insensitive).startswith(_cased(text, case_insensitive))
        )
    if not case_insensitive:
        return Prefix(field.path, encode_term(text))
    folded = encode_term(text).lower()
    return TermPattern(field.path, re.compile(re.escape(folded) + b".*", re.DOTALL), folded, folded=True)


def wildcard_query(field: Field, value: Any, context: QueryContext, *, case_insensitive: bool) -> Query:
    pattern_field(field, "wildcard", "keyword, text and wildcard")
    text = search_text(field, value, context)
    if not text:
        return MatchNone()
    if len(text) > _MAX_AUTOMATON:
        raise illegal_argument(f"input automaton is too large: {_MAX_AUTOMATON + 1}")
    pattern, literal = wildcard_pattern(text, folded=case_insensitive)
    if field.type == "constant_keyword":

        def fits(constant: str) -> bool:
            value = _cased(constant, case_insensitive)
            return literal in value if pattern is None else bool(pattern.fullmatch(value))

        return _on_constant(field, fits)
    return TermPattern(field.path, pattern, literal, folded=case_insensitive)


def wildcard_pattern(text: str, *, folded: bool) -> tuple[re.Pattern[bytes] | None, bytes]:
    """A pattern over the bytes of a term, and the longest run that it contains literally.

    The pattern is None where containing the run is all that is asked (`*run*`).
    """
    parts: list[bytes] = [b""]
    """Between the stars."""
    runs: list[bytes] = [b""]
    at = 0
    while at < len(text):
        character = text[at]
        at += 1
        if character == "*":
            parts.append(b"")
            runs.append(b"")
        elif character == "?":
            parts[-1] += _ONE_CHARACTER
            runs.append(b"")
        else:
            if character == "\\" and at < len(text):
                character = text[at]
                at += 1
            encoded = _cased(character, folded)
            parts[-1] += re.escape(encoded)
            runs[-1] += encoded
    literal = max(runs, key=len)
    if literal and len(parts) == len(runs) == 3 and not parts[0] and not parts[2]:
        return None, literal
    # The first place where a part between two stars fits will do: no other one is tried, as in `fnmatch.translate`.
    first, *others = parts
    inner = b"".join(b"(?>.*?%b)" % part for part in others[:-1] if part)
    return re.compile(first + inner + (b".*" + others[-1] if others else b""), re.DOTALL), literal


_ONE_CHARACTER = rb"(?:[\x00-\x7f]|[\xc0-\xfe][\x80-\xbf]*+)"


def regexp_query(
    field: Field, value: Any, context: QueryContext, *, case_insensitive: bool, flags: str = "ALL"
) -> Query:
    pattern_field(field, "regexp", "keyword and text")
    text = text_of(value)
    check_pattern_length("regex", "Regexp", text, context)
    pattern = compile_regexp(
        search_text(field, text, context), case_insensitive=case_insensitive, operators=operators_of(flags)
    )
    if field.type == "constant_keyword":
        return _on_constant(field, lambda constant: pattern.fullmatch(constant))
    return Regexp(field.path, pattern, encode_term(pattern.prefix))


def check_pattern_length(kind: str, query: str, text: str, context: QueryContext) -> None:
    """Raises EngineError for a pattern beyond `index.max_regex_length`."""
    most = context.settings.whole("max_regex_length")
    if len(text) > most:
        raise illegal_argument(
            f"The length of {kind} [{len(text)}] used in the {query} Query request has exceeded the allowed maximum of "
            f"[{most}]. This maximum can be set by changing the [index.max_regex_length] index level setting."
        )


def _cased(text: str, folded: bool) -> bytes:
    """The bytes of a text, ASCII letters in lower case where case does not count."""
    return encode_term(text).lower() if folded else encode_term(text)


def _on_constant(field: Field, fits: Callable[[str], bool]) -> Query:
    return ConstantScore(MatchAll()) if field.constant is not None and fits(field.constant) else MatchNone()


def id_query(values: Iterable[Any]) -> Query:
    return IdSet(tuple(dict.fromkeys(text_of(value) for value in values)))
