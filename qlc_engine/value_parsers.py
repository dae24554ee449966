"""Values of a document to what the columns hold, by field type. What does not fit raises `MalformedValueError`."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.dates import NANOS_PER_MS, date_format
from qlc_engine.errors import EngineError, MalformedValueError, illegal_argument
from qlc_engine.geo import normalized, parse_point, quantize
from qlc_engine.ip import encode_ip
from qlc_engine.mapping import INTEGER_RANGES, KEYWORD_TYPES, Field
from qlc_engine.queries.vectors import check_vector
from qlc_engine.range_types import RANGE_TYPES, as_term, range_of
from qlc_engine.segment_builder import ParsedDocument, TextIndexing
from qlc_engine.shapes import encoded, parse_shape
from qlc_engine.terms import MAX_TERM_BYTES

AddValue = Callable[[Any, ParsedDocument], None]


def malformed(reason: str, type: str = "illegal_argument_exception") -> MalformedValueError:
    return MalformedValueError(EngineError(type, reason))


def value_parser(field: Field, analysis: AnalysisRegistry) -> AddValue:
    """Return the function that adds one value (not null, not a list) of the field to a parsed document."""
    kind = field.type
    if kind in KEYWORD_TYPES:
        return _keyword(field, analysis)
    if field.is_text:
        return _text(field, analysis)
    if kind in INTEGER_RANGES:
        return _integer(field)
    if kind == "date":
        return _date(field)
    if kind == "date_nanos":
        return _date_nanos(field)
    if kind in RANGE_TYPES:
        return _range(field)
    if kind == "binary":
        return _binary
    if kind == "boolean":
        return _boolean(field)
    if kind == "ip":
        return _ip(field)
    if kind == "geo_point":
        return _geo_point(field)
    if kind == "geo_shape":
        return _geo_shape(field)
    if kind == "flattened":
        return _flattened(field)
    return _float(field)


def text_of(value: Any) -> str:
    """A JSON scalar as text, as the document has it."""
    if isinstance(value, str):
        return value
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, dict | list):
        raise malformed("Can't get text on a START_OBJECT", "illegal_state_exception")
    return format_float(value) if isinstance(value, float) else str(value)


def format_float(value: float) -> str:
    """A double as Java prints it: `1.0E10` from ten million, `1.0E-4` below a thousandth."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    mantissa, _, exponent = f"{value!r}".partition("e")
    if not exponent:
        digits = f"{value:.17e}"
        for precision in range(17):
            digits = f"{value:.{precision}e}"
            if float(digits) == value:
                break
        mantissa, _, exponent = digits.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(exponent)}"


def to_long(value: Any, low: int, high: int, type_name: str, *, coerce: bool = True) -> int:
    """A JSON value as a whole number; decimals are cut and strings read if `coerce`."""
    if isinstance(value, bool | dict | list):
        raise malformed(f'For input string: "{text_of(value)}"')
    number: int | float = value if isinstance(value, int | float) else _number_of_text(value, coerce)
    if isinstance(number, float):
        if not math.isfinite(number):
            raise malformed(f"Value [{value}] is out of range for a {type_name}")
        if number != int(number) and not coerce:
            raise malformed(f"Value [{value}] has a decimal part")
        # 2^63 as a double is the greatest long to Java
        number = high if number == high + 1 == 2**63 else int(number)
    if not low <= number <= high:
        article = "an" if type_name == "integer" else "a"
        raise malformed(f"Value [{text_of(value)}] is out of range for {article} {type_name}")
    return number


def _number_of_text(text: str, coerce: bool) -> int | float:
    if not coerce:
        raise malformed("Integer value passed as String")
    try:
        return int(text) if "_" not in text else _bad_number(text)
    except ValueError:
        try:
            return float(text) if "_" not in text and text.lower() not in _WORDS else _bad_number(text)
        except ValueError:
            return _bad_number(text)


_WORDS = frozenset({"nan", "inf", "-inf", "infinity", "-infinity", "+inf", "+infinity", "+nan", "-nan"})


def _bad_number(text: str) -> int:
    raise malformed(f'For input string: "{text}"')


def to_double(value: Any, type_name: str, *, coerce: bool = True) -> float:
    """A JSON value as a number with decimals, rounded to the precision of its type."""
    if isinstance(value, bool | dict | list):
        raise malformed(f'For input string: "{text_of(value)}"', "number_format_exception")
    if isinstance(value, str):
        if not coerce:
            raise malformed("Double value passed as String")
        try:
            number = float(_JAVA_SUFFIX.sub("", value)) if "_" not in value else math.nan
        except ValueError:
            reason = "empty String" if not value else f'For input string: "{value}"'
            raise malformed(reason, "number_format_exception") from None
    else:
        number = float(value)
    rounded = round_to_type(number, type_name)
    if not math.isfinite(rounded):
        raise malformed(f"[{type_name}] supports only finite values, but got [{value}]")
    return rounded


#: Java reads the letter of a type after a number
_JAVA_SUFFIX = re.compile(r"(?<=[\d.])[dDfF]\s*\Z")


def round_to_type(number: float, type_name: str) -> float:
    """The nearest value that the type can hold; infinite where it is out of range."""
    code = {"float": "f", "half_float": "e"}.get(type_name)
    if code is None:
        return number
    try:
        rounded: float = struct.unpack(code, struct.pack(code, float(number)))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return rounded


def utf16_length(text: str) -> int:
    """Java's length of a text: characters beyond the basic plane count two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _keyword(field: Field, analysis: AnalysisRegistry) -> AddValue:
    path, normalizer = field.path, field.normalizer
    limit = field.ignore_above if field.ignore_above is not None else 2**31
    constant = field.constant

    def add(value: Any, out: ParsedDocument) -> None:
        text = value if isinstance(value, str) else text_of(value)
        if len(text) * 2 > limit and utf16_length(text) > limit:
            out.keywords += ("_ignored", path)
            return
        if normalizer is not None:
            text = analysis.normalize(normalizer, text)
        if constant is not None and text != constant:
            raise malformed(
                f"[constant_keyword] field [{path}] only accepts values that are equal to the value defined in the "
                f"mappings [{constant}], but got [{text}]"
            )
        if len(text) * 4 > MAX_TERM_BYTES and len(text.encode("utf-8", "replace")) > MAX_TERM_BYTES:
            raise malformed(
                f'Document contains at least one immense term in field="{path}" (whose UTF8 encoding is longer than '
                f"the max length {MAX_TERM_BYTES}), all of which were skipped."
            )
        out.keywords += (path, text)

    short = short_keyword(field)

    def add_plain(value: Any, out: ParsedDocument) -> None:
        if type(value) is str and len(value) <= short:
            out.keywords += (path, value)
        else:
            add(value, out)

    return add if short < 0 else add_plain


def short_keyword(field: Field) -> int:
    """The length up to which each text is a term of the field as it is, whatever its characters are; or -1."""
    if field.type not in KEYWORD_TYPES or field.normalizer is not None or field.constant is not None:
        return -1
    limit = field.ignore_above if field.ignore_above is not None else 2**31
    return min(limit // 2, MAX_TERM_BYTES // 4)


def _text(field: Field, analysis: AnalysisRegistry) -> AddValue:
    path = field.path
    analyzer = analysis.analyzer(field.analyzer)
    if analyzer is None:
        raise illegal_argument(f"analyzer [{field.analyzer}] not found")
    indexing = TextIndexing(
        analyzer=analyzer,
        norms=field.norms and field.type == "text",
        freqs=field.index_options != "docs",
        gap=field.position_increment_gap,
    )

    def add(value: Any, out: ParsedDocument) -> None:
        out.texts += (path, value if isinstance(value, str) else text_of(value), indexing)

    return add


def _integer(field: Field) -> AddValue:
    path, coerce, kind = field.path, field.coerce, field.type
    low, high = INTEGER_RANGES[kind]
    offset = field.stored_offset

    def add(value: Any, out: ParsedDocument) -> None:
        if type(value) is not int or not low <= value <= high:
            if value == "" and coerce:
                return
            value = to_long(value, low, high, kind, coerce=coerce)
        out.longs += (path, value - offset)

    return add


def _float(field: Field) -> AddValue:
    path, coerce, kind = field.path, field.coerce, field.type
    if kind == "scaled_float":
        factor, inverse = field.scaling_factor, 1.0 / field.scaling_factor

        def add_scaled(value: Any, out: ParsedDocument) -> None:
            number = to_double(value, kind, coerce=coerce)
            # Java's Math.round: halves go up
            out.doubles += (path, math.floor(number * factor + 0.5) * inverse)

        return add_scaled

    def add(value: Any, out: ParsedDocument) -> None:
        if kind == "double" and type(value) is float and -math.inf < value < math.inf:
            out.doubles += (path, value)
        elif value != "" or not coerce:
            out.doubles += (path, to_double(value, kind, coerce=coerce))

    return add


def _date(field: Field) -> AddValue:
    path, source = field.path, field.format
    parse = date_format(source).parse
    plain = _PLAIN_ISO.get(source.partition("||")[0])

    def add(value: Any, out: ParsedDocument) -> None:
        if plain is not None and type(value) is str and plain.fullmatch(value):
            try:
                out.longs += (path, _iso_millis(value))
            except ValueError:
                # a day that there is not
                pass
            else:
                return
        try:
            out.longs += (path, parse(value if isinstance(value, str) else _as_written(value)))
        except EngineError as error:
            reason = f"failed to parse date field [{value}] with format [{source}]"
            raise malformed(reason) from error

    return add


def _as_written(value: Any) -> str:
    """A number as the document has it, as far as that is known."""
    return repr(value) if isinstance(value, float) else text_of(value)


def _date_nanos(field: Field) -> AddValue:
    path, source = field.path, field.format
    parse = date_format(source).parse_nanos

    def add(value: Any, out: ParsedDocument) -> None:
        try:
            millis, beyond = parse(value if isinstance(value, str) else text_of(value))
        except EngineError as error:
            reason = f"failed to parse date field [{value}] with format [{source}]"
            raise malformed(reason) from error
        nanos = millis * NANOS_PER_MS + beyond
        if nanos < 0:
            raise malformed(f"date[{value}] is before the epoch in 1970 and cannot be stored in nanosecond resolution")
        if nanos > _LAST_NANO:
            raise malformed(
                f"date[{value}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution"
            )
        out.longs += (path, nanos)

    return add


_LAST_NANO = 2**63 - 1


def _range(field: Field) -> AddValue:
    path, kind, format = field.path, field.type, field.format

    def add(value: Any, out: ParsedDocument) -> None:
        try:
            low, high = range_of(kind, value, format)
        except EngineError as error:
            raise MalformedValueError(error) from None
        except ValueError as error:
            raise malformed(str(error)) from None
        out.keywords += (path, as_term(low, high))

    return add


def _binary(value: Any, out: ParsedDocument) -> None:
    """Kept in the document only."""


_DAY, _TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}"
_MILLIS = r"\.[0-9]{3}"
_ISO_DAY = re.compile(f"{_DAY}(?:{_TIME}(?:{_MILLIS})?Z?)?")
_PLAIN_ISO = {
    **dict.fromkeys(["strict_date_optional_time", "strict_date_optional_time_nanos", "date_optional_time"], _ISO_DAY),
    **dict.fromkeys(["strict_date_time", "date_time"], re.compile(f"{_DAY}{_TIME}{_MILLIS}Z")),
}
"""The most common ways to write an instant, by the formats that have them."""


def _iso_millis(text: str) -> int:
    """Read such an instant ten times as fast. Raises ValueError for an impossible date."""
    found = datetime.fromisoformat(text)
    return ((found if found.tzinfo is not None else found.replace(tzinfo=UTC)) - _EPOCH) // _MILLISECOND


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def _boolean(field: Field) -> AddValue:
    path = field.path

    def add(value: Any, out: ParsedDocument) -> None:
        out.longs += (path, int(to_boolean(value)))

    return add


def to_boolean(value: Any) -> bool:
    if value is True or value == "true":
        return True
    if value is False or value in ("false", ""):
        return False
    raise malformed(f"Failed to parse value [{text_of(value)}] as only [true] or [false] are allowed.")


def _ip(field: Field) -> AddValue:
    path = field.path

    def add(value: Any, out: ParsedDocument) -> None:
        try:
            out.keywords += (path, encode_ip(text_of(value)))
        except ValueError as error:
            raise malformed(str(error)) from None

    return add


def _geo_point(field: Field) -> AddValue:
    path, lenient = field.path, field.ignore_malformed

    def add(value: Any, out: ParsedDocument) -> None:
        try:
            lat, lon = parse_point(value)
        except ValueError as error:
            raise malformed(str(error), "parse_exception") from None
        if lenient:
            lat, lon = normalized(lat, lon)
        for number, bound, name in ((lat, 90, "latitude"), (lon, 180, "longitude")):
            if not -bound <= number <= bound:
                raise malformed(f"illegal {name} value [{number}] for {path}")
        out.points.append((path, *quantize(lat, lon)))

    return add


def _geo_shape(field: Field) -> AddValue:
    path = field.path

    def add(value: Any, out: ParsedDocument) -> None:
        try:
            shape = parse_shape(value)
        except (ValueError, TypeError, IndexError) as error:
            raise malformed(f"failed to parse a shape of {path}: {error}") from None
        if shape:
            out.keywords += (path, encoded(shape))

    return add


def _flattened(field: Field) -> AddValue:
    path, limit = field.path, field.ignore_above if field.ignore_above is not None else 2**31
    depth_limit, null_value = field.depth_limit, field.null_value

    def add(value: Any, out: ParsedDocument) -> None:
        if not isinstance(value, dict):
            raise malformed("Failed to parse object: expecting token of type [START_OBJECT] but found a value")
        walk(value, "", out, 1)

    def walk(value: Any, key: str, out: ParsedDocument, depth: int) -> None:
        if isinstance(value, dict):
            if depth > depth_limit:
                reason = f"The provided [flattened] field [{path}] exceeds the maximum depth limit of [{depth_limit}]."
                raise malformed(reason)
            for name, part in value.items():
                walk(part, f"{key}.{name}" if key else name, out, depth + 1)
        elif isinstance(value, list):
            for part in value:
                walk(part, key, out, depth)
        else:
            if value is None:
                value = null_value
            if value is None:
                return
            text = text_of(value)
            if utf16_length(text) > limit:
                # of these nothing is reported
                return
            if len(text) * 4 > MAX_TERM_BYTES and len(f"{key} {text}".encode("utf-8", "replace")) > MAX_TERM_BYTES:
                reason = f"Flattened field [{path}] contains one immense field whose keyed encoding is longer than the "
                raise malformed(f"{reason}allowed max length of {MAX_TERM_BYTES} bytes. Key length: {len(key)}")
            out.keywords += (path, text)
            out.keywords += (f"{path}._keyed", f"{key}\x00{text}")

    return add


def vector_of(field: Field, value: Any) -> NDArray[np.float32]:
    """The vector of a dense_vector field, checked against its dimensions."""
    if not isinstance(value, list) or not {*map(type, value)} <= {int, float, bool}:
        # Elasticsearch's own exception, not Java's
        kind = "parsing_exception"
        raise malformed("Failed to parse object: expecting token of type [VALUE_NUMBER] but found another", kind)
    if field.dims and len(value) != field.dims:
        more = "more" if len(value) > field.dims else "fewer"
        raise malformed(
            f"The [dense_vector] field [{field.path}] has {more} dimensions than defined in the mapping "
            f"[{field.dims}]: it has [{len(value)}]"
        )
    vector = np.array(value, np.float64)
    try:
        if field.index:
            check_vector(vector, field.similarity or "cosine")
    except EngineError as error:
        raise MalformedValueError(error) from None
    return vector.astype(np.float32)
