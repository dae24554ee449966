"""Scripts: a small part of Painless with exactly the meaning that it has on a server, evaluated over whole columns.

`GRAMMAR` is all that is read; everything else is refused by its name.

- Whole numbers are Java's int and long and wrap as these. Their division is refused, and so are values of several types
  in one place (`a ? 1 : 2.5`), which a server keeps apart for each document.
- `.value` is the least value of a document. In a document without a value it is an error, but only where a server
  evaluates it: `||`, `&&`, `?:` and `if` decide for each document what is evaluated. So each expression gets a mask of
  the documents that count (None: all); elsewhere its values mean nothing.
"""

from __future__ import annotations

import functools
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import DocSpace, KeywordColumn, NumericColumn
from qlc_engine.dates import NANOS_PER_MS
from qlc_engine.derived import derived
from qlc_engine.docset import Mask, Ordinals
from qlc_engine.errors import EngineError, illegal_argument, no_scripts, not_implemented
from qlc_engine.mapping import DATE_TYPES, NUMERIC_TYPES, Field, FieldLookup, check_doc_values
from qlc_engine.params import Params
from qlc_engine.time_limit import check_time

if TYPE_CHECKING:
    from lark import Lark

GRAMMAR = r"""
script: statement* result
?statement: "if" "(" expression ")" "{" "return" expression ";" "}" -> guard
          | "if" "(" expression ")" "{" "return" "null" ";" "}" -> guard
          | "double" NAME "=" expression ";" -> double
          | "boolean" NAME "=" expression ";" -> boolean
?result: "return"? expression ";"? -> returned
       | "return" "null" ";"? -> returned

?expression: either | either "?" expression ":" expression -> choice
?either: both | either OR both -> logic
?both: equality | both AND equality -> logic
?equality: relation | equality EQUALITY relation -> binary
?relation: sum | relation RELATION sum -> binary
?sum: product | sum ADDITIVE product -> binary
?product: unary | product FACTOR unary -> binary
?unary: atom | "(" "double" ")" unary -> cast | MINUS unary -> negative | "!" unary -> negation
?atom: "(" expression ")"
     | digits
     | "true" -> true
     | "false" -> false
     | NAME -> local
     | "Double" "." NAME -> limit
     | "doc" "[" TEXT "]" "." "value" -> value
     | "doc" "[" TEXT "]" "." "value" "." "toInstant" "(" ")" "." "toEpochMilli" "(" ")" -> millis
     | "doc" "[" TEXT "]" "." "value" "." "length" "(" ")" -> length
     | "doc" "[" TEXT "]" "." ("size" "(" ")" | "length") -> size
     | "Math" "." NAME "(" expression ("," expression)* ")" -> call
     | "BigDecimal" "." "valueOf" "(" expression ")" "." "round" "(" _context ")" "." "doubleValue" "(" ")" -> rounded
_context: "new" "MathContext" "(" digits "," "RoundingMode" "." "HALF_EVEN" ")"
?digits: NUMBER -> number | "params" "." NAME -> param | "params" "[" TEXT "]" -> param

OR: "||"
AND: "&&"
EQUALITY: "==" | "!="
RELATION: /[<>]=?/
ADDITIVE: /\+(?!\+)|-(?!-)/
MINUS: /-(?!-)/
FACTOR: "*" | "/"
NUMBER: /(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?[lLdD]?(?![0-9A-Za-z_.])/
NAME: /[A-Za-z_][0-9A-Za-z_]*/
TEXT: /'([^'\\]|\\[\\'])*'|"([^"\\]|\\[\\"])*"/
%ignore /[ \t\r\n]+/
"""

#: `script.max_size_in_bytes`
_MAX_SIZE = 65_535
_INT, _LONG = np.iinfo(np.int32), np.iinfo(np.int64)


@dataclass(frozen=True, slots=True)
class Text:
    """Texts of a column by their ordinals in `terms`."""

    ords: NDArray[Any]
    terms: Sequence[str]


Value = NDArray[Any] | Text | str
"""Numbers, whole numbers and booleans by their dtype; without a dimension where all documents have the same one."""
Doubles = NDArray[np.float64]
Expression = Callable[["_Run", Mask | None], Value]
"""Computes a value in all documents of a run; the mask tells which of them count."""


class Let(NamedTuple):
    name: str
    value: Expression


class Return(NamedTuple):
    """`value` None is null; `test` None is always."""

    value: Expression | None
    test: Expression | None = None


Program = Sequence[Let | Return]


def script_error(when: str, type: str, reason: str) -> EngineError:
    """Return the error of a script; `when` is `compile` or `runtime`."""
    return EngineError("script_exception", f"{when} error", caused_by=EngineError(type, reason))


def _cannot_cast(what: str) -> EngineError:
    return script_error("runtime", "class_cast_exception", f"Cannot cast {what}")


class _Builder:
    """Makes functions of the rules of the grammar."""

    def script(self, *steps: Let | Return) -> Program:
        return steps

    def guard(self, test: Expression, value: Expression | None = None) -> Return:
        if test in (_true, _false):
            raise script_error("compile", "illegal_argument_exception", "extraneous if block")
        return Return(value, test)

    def double(self, name: str, value: Expression) -> Let:
        return Let(str(name), self.cast(value))

    def boolean(self, name: str, value: Expression) -> Let:
        return Let(str(name), lambda run, active: _boolean(value(run, active)))

    def returned(self, value: Expression | None = None) -> Return:
        return Return(value)

    def choice(self, test: Expression, yes: Expression, no: Expression) -> Expression:
        return functools.partial(_choice, test, yes, no)

    def logic(self, left: Expression, operator: str, right: Expression) -> Expression:
        return functools.partial(_logic, left, operator == "||", right)

    def binary(self, left: Expression, operator: str, right: Expression) -> Expression:
        return lambda run, active: _binary(str(operator), left(run, active), right(run, active))

    def cast(self, inner: Expression) -> Expression:
        return lambda run, active: _double(inner(run, active))

    def negative(self, _: str, inner: Expression) -> Expression:
        return lambda run, active: -_numeric(inner(run, active))

    def negation(self, inner: Expression) -> Expression:
        return lambda run, active: ~_boolean(inner(run, active))

    def true(self) -> Expression:
        return _true

    def false(self) -> Expression:
        return _false

    def number(self, text: str) -> Expression:
        value = _number(text)
        return lambda run, active: value

    def param(self, name: str) -> Expression:
        key = _unquoted(name)
        return lambda run, active: run.script.param(key)

    def local(self, name: str) -> Expression:
        return lambda run, active: run.local(str(name))

    def limit(self, name: str) -> Expression:
        if name not in _LIMITS:
            raise no_scripts(f"[Double.{name}] in a script")
        value = np.array(_LIMITS[name])
        return lambda run, active: value

    def value(self, path: str) -> Expression:
        return _of_doc(path, "value")

    def millis(self, path: str) -> Expression:
        return _of_doc(path, "millis")

    def length(self, path: str) -> Expression:
        return _of_doc(path, "length")

    def size(self, path: str) -> Expression:
        name = _unquoted(path)
        return lambda run, active: run.size(name)

    def call(self, name: str, *arguments: Expression) -> Expression:
        if name not in _MATH:
            raise no_scripts(f"[Math.{name}] in a script")
        number, function = _MATH[name]
        if number != len(arguments):
            reason = f"static method [java.lang.Math, {name}/{len(arguments)}] not found"
            raise script_error("compile", "illegal_argument_exception", reason)
        return lambda run, active: function(*(_double(argument(run, active)) for argument in arguments))

    def rounded(self, inner: Expression, digits: Expression) -> Expression:
        return lambda run, active: _rounded(_double(inner(run, active)), _digits(digits(run, active)), active)


_LIMITS = {
    "NaN": np.nan,
    "POSITIVE_INFINITY": np.inf,
    "NEGATIVE_INFINITY": -np.inf,
    "MAX_VALUE": np.finfo(np.float64).max,
}


def _unquoted(token: str) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:-1]) if token[0] in "'\"" else str(token)


def _true(run: _Run, active: Mask | None) -> Value:
    return np.array(True)


def _false(run: _Run, active: Mask | None) -> Value:
    return np.array(False)


def _of_doc(path: str, what: str) -> Expression:
    name = _unquoted(path)
    return lambda run, active: run.of_doc(name, what, active)


def _number(text: str) -> NDArray[Any]:
    digits = text.rstrip("lLdD")
    if text[-1] in "dD" or not digits.isdigit():
        return np.array(float(digits))
    kind, bounds = (np.int64, _LONG) if text[-1] in "lL" else (np.int32, _INT)
    if int(digits) > bounds.max:
        raise script_error("compile", "illegal_argument_exception", f"Invalid constant [{text}].")
    return np.array(int(digits), kind)


@functools.cache
def _parser() -> Lark:
    from lark import Lark, Transformer, v_args  # only for scripts: without it the engine has everything else

    rules = {name: rule for name, rule in vars(_Builder).items() if not name.startswith("_")}
    builder: Any = v_args(inline=True)(type("Builder", (Transformer,), rules))
    return Lark(GRAMMAR, start="script", parser="lalr", transformer=builder())


@functools.lru_cache(maxsize=512)
def parse_program(source: str) -> Program:
    """Parse a script. Raises EngineError for all that the grammar does not have."""
    if (size := len(source.encode("utf-8", "surrogatepass"))) > _MAX_SIZE:
        reason = f"exceeded max allowed inline script size in bytes [{_MAX_SIZE}] with size [{size}] for script"
        raise illegal_argument(reason)
    try:
        from lark import UnexpectedInput

        parser = _parser()
    except ImportError:
        raise not_implemented("a script, without the package lark,") from None
    try:
        program: Program = parser.parse(source)  # type: ignore[assignment]
    except UnexpectedInput as error:
        at = error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(source)
        found = re.match(r"\w+|\S", source[at:])
        raise no_scripts(f"[{found[0] if found else 'the end'}] at offset {at} of a script") from None
    names = [step.name for step in program if isinstance(step, Let)]
    for name in names:
        if names.count(name) > 1:
            raise script_error("compile", "illegal_argument_exception", f"variable [{name}] is already defined")
    return program


def as_longs(doubles: Doubles) -> NDArray[np.int64]:
    """Cut to long as Java casts: 1e300 -> 9223372036854775807, NaN -> 0."""
    inside = (doubles > -(2.0**63)) & (doubles < 2.0**63)
    cut = np.where(inside, doubles, 0.0).astype(np.int64)
    cut = np.where(doubles >= 2.0**63, _LONG.max, cut)
    return np.where(doubles <= -(2.0**63), _LONG.min, cut)


def _round(values: Doubles) -> NDArray[np.int64]:
    whole = np.floor(values)
    return as_longs(whole + (values - whole >= 0.5))


def _greatest(left: Doubles, right: Doubles) -> Doubles:
    """Java's order of zeros: max(-0.0, 0.0) -> 0.0."""
    return np.where((left == 0) & (right == 0), left + right, np.maximum(left, right))


def _signum(values: Doubles) -> Doubles:
    return np.where(values == 0, values, np.sign(values))


def _power(left: Doubles, right: Doubles) -> Doubles:
    """Compute powers by the C library, which differs from Java in the last bit of one value in a thousand.

    Numpy does so in one of twenty. One to the power of infinity is NaN in Java only.
    """
    left, right = np.broadcast_arrays(left, right)
    out = np.asarray(np.power(left, right))
    exact = np.abs(out) < _ALMOST_INFINITE
    out[exact] = np.frompyfunc(math.pow, 2, 1)(left[exact], right[exact])
    return np.where((np.abs(left) == 1) & ~np.isfinite(right), np.nan, out)


#: Java may round a greater power to infinity.
_ALMOST_INFINITE = 1e308

_MATH: Mapping[str, tuple[int, Callable[..., NDArray[Any]]]] = {
    "abs": (1, np.abs),
    "ceil": (1, np.ceil),
    "floor": (1, np.floor),
    "max": (2, _greatest),
    "min": (2, lambda left, right: -_greatest(-left, -right)),
    "pow": (2, _power),
    "round": (1, _round),
    "signum": (1, _signum),
    "sqrt": (1, np.sqrt),
}
_OPERATORS: Mapping[str, Callable[..., NDArray[Any]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


def _numeric(value: Value) -> NDArray[Any]:
    if not isinstance(value, Text | str) and value.dtype.kind != "b":
        return value
    raise _cannot_cast("a boolean or a text to a number")


def _double(value: Value) -> Doubles:
    return _numeric(value).astype(np.float64, copy=False)


def _equal_texts(left: Value, right: Value) -> NDArray[Any]:
    if isinstance(left, str) and isinstance(right, str):
        return np.array(left == right)
    if isinstance(left, str):
        left, right = right, left
    if not isinstance(left, Text) or not isinstance(right, Text | str):
        return np.array(False)
    if isinstance(right, str):
        at = bisect_left(left.terms, right)
        wanted: Any = at if at < len(left.terms) and left.terms[at] == right else -1
    else:
        numbers = {term: number for number, term in enumerate(left.terms)}
        others = np.fromiter((numbers.get(term, -1) for term in right.terms), np.int64, len(right.terms))
        wanted = others[right.ords]
    equal: NDArray[Any] = np.equal(left.ords, wanted)
    return equal


def _boolean(value: Value) -> NDArray[np.bool_]:
    if isinstance(value, Text | str) or value.dtype.kind != "b":
        raise _cannot_cast("a number or a text to a boolean")
    return value


def _digits(value: Value) -> int:
    if isinstance(value, Text | str) or value.dtype != np.int32:
        raise _cannot_cast("the number of digits to int")
    if value < 0:
        raise script_error("runtime", "illegal_argument_exception", "Digits < 0")
    return int(value)


def _with(mask: Mask | None, condition: NDArray[Any]) -> NDArray[Any]:
    return condition if mask is None else mask & condition


Found = TypeVar("Found", bound=np.generic)


class _Run:
    """One evaluation of a script, in the documents `ids` of a space (None: in all)."""

    def __init__(self, script: Script, space: DocSpace, ids: Ordinals | None) -> None:
        self.script = script
        self._space = space
        self._ids = ids
        self._locals: dict[str, Value] = {}

    def results(self, active: Mask | None) -> list[tuple[Mask | None, NDArray[Any] | None]]:
        """Run the script: the values that are returned, each with a mask of its documents."""
        found: list[tuple[Mask | None, NDArray[Any] | None]] = []
        for step in self.script.program:
            if isinstance(step, Let):
                self._locals[step.name] = step.value(self, active)
                continue
            left: Mask | None = None
            taken = active
            if step.test is not None:
                test = _boolean(step.test(self, active))
                if test.ndim or not test:
                    taken, left = _with(active, test), _with(active, ~test)
                    if not taken.any():
                        continue
            result = None if step.value is None else step.value(self, taken)
            if isinstance(result, Text | str):
                raise no_scripts("a text as the value of a script")
            found.append((taken, result))
            if left is None or not left.any():
                break
            active = left
        return found

    def local(self, name: str) -> Value:
        if name not in self._locals:
            raise no_scripts(f"[{name}] in a script")
        return self._locals[name]

    def of_doc(self, path: str, what: str, active: Mask | None) -> Value:
        """`value`, `millis` (of a date) or `length` (of a text). Raises EngineError where a document has no value."""
        check_time()
        found = self.script.field(path, what)
        column = self._space.columns.get(found.path)
        if not isinstance(column, KeywordColumn | NumericColumn):
            raise _no_value()
        if isinstance(column, KeywordColumn):
            ords = self._first(column.starts, column.ords, active)
            return self._lengths(column)[ords] if what == "length" else Text(ords, column.terms)
        values = self._first(column.starts, column.values, active)
        if found.type == "date_nanos":
            return values // NANOS_PER_MS
        return np.not_equal(values, 0) if found.type == "boolean" else values

    def size(self, path: str) -> NDArray[np.int32]:
        column = self._space.columns.get(self.script.field(path, "size").path)
        if column is None:
            return np.array(0, np.int32)
        starts = column.starts
        if self._one_each(starts):
            return np.array(1, np.int32)
        counts: NDArray[np.int32] = derived((starts,), "counts", lambda: np.diff(starts).astype(np.int32))
        return counts if self._ids is None else counts.take(self._ids)

    def _one_each(self, starts: NDArray[Any]) -> bool:
        n = self._space.n_docs
        return bool(starts[-1] == n) and derived((starts,), "one each", lambda: bool((np.diff(starts) == 1).all()))

    def _first(self, starts: NDArray[Any], values: NDArray[Found], active: Mask | None) -> NDArray[Found]:
        """The first value of each document. Raises EngineError where one that counts has none."""
        if self._one_each(starts):
            return values if self._ids is None else values.take(self._ids)
        ids = self._ids
        absent = starts[1:] == starts[:-1] if ids is None else starts[ids + 1] == starts[ids]
        if _with(active, absent).any():
            raise _no_value()
        last = len(values) - 1
        if ids is None:
            firsts = derived((starts,), "firsts", lambda: np.minimum(starts[:-1], last))
        else:
            firsts = np.minimum(starts[ids], last)
        found: NDArray[Found] = values.take(firsts)
        return found

    def _lengths(self, column: KeywordColumn) -> NDArray[np.int32]:
        """The length of each term as Java counts it, in units of UTF-16."""
        terms = column.terms
        return derived(
            (column.ords,),
            "lengths",
            lambda: np.fromiter((len(term.encode("utf-16-le")) // 2 for term in terms), np.int32, len(terms)),
        )


def _logic(left: Expression, either: bool, right: Expression, run: _Run, active: Mask | None) -> Value:
    first = _boolean(left(run, active))
    undecided = ~first if either else first
    if first.ndim:
        undecided = _with(active, undecided)
    if not undecided.any():
        return first
    second = _boolean(right(run, undecided if first.ndim else active))
    return first | second if either else first & second


def _choice(test: Expression, yes: Expression, no: Expression, run: _Run, active: Mask | None) -> Value:
    chosen = _boolean(test(run, active))
    if not chosen.ndim:
        return yes(run, active) if chosen else no(run, active)
    positive, negative = _with(active, chosen), _with(active, ~chosen)
    if not negative.any():
        return yes(run, positive)
    if not positive.any():
        return no(run, negative)
    first, second = yes(run, positive), no(run, negative)
    if isinstance(first, Text | str) or isinstance(second, Text | str) or first.dtype != second.dtype:
        raise no_scripts("a choice between texts, or between values of several types, in a script")
    return np.where(chosen, first, second)


def _no_value() -> EngineError:
    reason = "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing"
    return script_error("runtime", "illegal_state_exception", f"{reason} a field!")


def _binary(operator: str, left: Value, right: Value) -> NDArray[Any]:
    if operator in ("==", "!="):
        if isinstance(left, Text | str) or isinstance(right, Text | str):
            equal = _equal_texts(left, right)
            return equal if operator == "==" else np.logical_not(equal)
        if left.dtype.kind == right.dtype.kind == "b":
            return _OPERATORS[operator](left, right)
    first, second = _numeric(left), _numeric(right)
    kind = np.result_type(first.dtype, second.dtype)
    if operator == "/" and kind.kind == "i":
        raise no_scripts("the division of whole numbers in a script")
    return _OPERATORS[operator](first.astype(kind, copy=False), second.astype(kind, copy=False))


_TENS = np.array([10.0**power for power in range(23)])
"""The powers of ten that are exact as doubles."""
_MOST_DIGITS = 15


def _rounded(values: Doubles, digits: int, active: Mask | None) -> Doubles:
    """Each value rounded to so many digits of the shortest decimal that stands for it, halves to even."""
    counted = values if active is None or not values.ndim else values[active]
    if not np.isfinite(counted).all():
        raise script_error("runtime", "number_format_exception", "Infinite or NaN")
    finite = np.where(np.isfinite(values), values, 0.0)
    # a BigDecimal has no minus zero
    out = np.atleast_1d(finite) + 0.0
    if not digits:
        return out.reshape(values.shape)
    # moved to whole numbers of so many digits; what is near a half, or not exact, is read as decimals
    moved = digits - 1 - np.floor(np.log10(np.where(out == 0, 1.0, np.abs(out))))
    tens = _TENS[np.minimum(np.abs(moved), len(_TENS) - 1).astype(np.int64)]
    scaled = np.where(moved < 0, out / tens, out * tens)
    size = np.abs(scaled)
    exact = (np.abs(moved) < len(_TENS)) & (digits <= _MOST_DIGITS) & (size < 10.0**digits)
    exact &= (size >= 10.0 ** (digits - 1)) & (np.abs(size - np.floor(size) - 0.5) > np.spacing(size))
    whole = np.rint(scaled)
    others = np.flatnonzero(~exact & (out != 0))
    distinct, places = np.unique(out[others], return_inverse=True)
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    decimals = np.array([float(context.create_decimal(repr(value))) for value in distinct.tolist()], np.float64)
    out = np.where(exact, np.where(moved < 0, whole * tens, whole / tens), out)
    out[others] = decimals[places]
    return out.reshape(values.shape)


#: what -> the types of fields that have it
_TYPES = {
    "value": (NUMERIC_TYPES - {"unsigned_long"}) | {"boolean", "keyword"},
    "size": NUMERIC_TYPES | DATE_TYPES | {"boolean", "keyword", "ip"},
    "millis": DATE_TYPES,
    "length": frozenset({"keyword"}),
}


@dataclass(frozen=True, slots=True)
class Script:
    """A script with its parameters and the mapping that its fields are of."""

    program: Program
    params: Mapping[str, Any] = field(hash=False)
    mapping: FieldLookup = field(compare=False)

    def param(self, name: str) -> Value:
        value = self.params.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, bool | float):
            return np.array(value)
        if value is None:
            raise script_error("runtime", "null_pointer_exception", f"params.{name} is null")
        if not isinstance(value, int):
            raise no_scripts(f"a list or an object as params.{name} of a script")
        if not _LONG.min <= value <= _LONG.max:
            raise no_scripts(f"the number [{value}] as a parameter of a script")
        return np.array(value, np.int32 if _INT.min <= value <= _INT.max else np.int64)

    def field(self, path: str, what: str) -> Field:
        """Return a field by its name. Raises EngineError if it has no `value`, `size`... (`what`) for a script."""
        each: Sequence[FieldLookup] = getattr(self.mapping, "mappings", (self.mapping,))
        found, *others = [one.field(path) for one in each]
        if found is None:
            raise script_error("runtime", "illegal_argument_exception", f"No field found for [{path}] in mapping")
        if any(other is None or (other.path, other.type) != (found.path, found.type) for other in others):
            raise no_scripts(f"a script over indices in which [{path}] is of different types")
        check_doc_values(found)
        if found.type not in _TYPES[what]:
            raise no_scripts(f"the {what} of [{path}], a field of type [{found.type}], in a script")
        return found

    def matches(self, space: DocSpace, ids: Ordinals | None, active: Mask | None = None) -> Mask:
        """Whether each document matches; meaningless outside of `active`. Raises EngineError, as `numbers` does."""
        results = self._results(space, ids, active)
        for _, value in results:
            if value is None or value.dtype.kind != "b":
                raise _cannot_cast("the value of a script to boolean")
        n = space.n_docs if ids is None else len(ids)
        out = np.zeros(n, np.bool_)
        for mask, value in results:
            np.copyto(out, value, where=True if mask is None else mask)  # type: ignore[arg-type]
        return out

    def numbers(self, space: DocSpace, ids: Ordinals | None, *, doubles: bool = False) -> tuple[NDArray[Any], Mask]:
        """The value of each document, and which have one. Whole numbers are int64, if not only `doubles` count."""
        results = self._results(space, ids, None)
        values = [value for _, value in results if value is not None]
        if doubles:
            values = [_double(value) for value in values]
        if len({value.dtype.kind for value in values}) > 1:
            raise no_scripts("values of several types, returned by a script")
        n = space.n_docs if ids is None else len(ids)
        out = np.zeros(n, np.int64 if values and values[0].dtype.kind == "i" else np.float64)
        present = np.zeros(n, np.bool_)
        for mask, value in results:
            if value is not None:
                where: Any = True if mask is None else mask
                np.copyto(out, value, where=where)
                np.copyto(present, True, where=where)
        return out, present

    def _results(
        self, space: DocSpace, ids: Ordinals | None, active: Mask | None
    ) -> list[tuple[Mask | None, NDArray[Any] | None]]:
        nothing = space.n_docs == 0 if ids is None else len(ids) == 0
        if nothing or (active is not None and not active.any()):
            return []
        try:
            with np.errstate(all="ignore"):
                return _Run(self, space, ids).results(active)
        except RecursionError:
            raise no_scripts("so deep an expression in a script") from None


def read_script(given: Any, mapping: FieldLookup, *, null: bool) -> Script:
    """The script of a request, as text or as an object; `null` says whether it may return it. Raises EngineError."""
    params = Params("script", {"source": given} if isinstance(given, str) else given)
    language = params.take("lang", "painless")
    if language != "painless":
        raise illegal_argument(f"script_lang not supported [{language}]")
    if "id" in params:
        raise not_implemented("a stored [script]")
    source = params.take("source")
    if not isinstance(source, str):
        raise illegal_argument("must specify either [source] for an inline script or [id] for a stored script")
    values = params.take("params", {})
    if not isinstance(values, dict):
        raise params.wrong("params", values)
    if params.take("options", {}) != {}:
        raise not_implemented("[options] of a script")
    params.finish()
    program = parse_program(source)
    if not null and any(isinstance(step, Return) and step.value is None for step in program):
        raise script_error("compile", "illegal_argument_exception", "Cannot cast null to a primitive type.")
    return Script(program, values, mapping)
