"""Scripts: a small part of Painless with exactly the meaning that it has on a server, evaluated over whole columns.

    script     = {statement} ["return"] expression [";"]
    statement  = "if" "(" expression ")" "{" "return" (expression | "null") ";" "}"
               | ("double" | "boolean") NAME "=" expression ";"
    expression = expression "?" expression ":" expression
               | expression ("||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/") expression
               | ("-" | "!" | "(double)") expression
               | "(" expression ")"
               | NUMBER | "true" | "false" | NAME | "params." NAME | "params['" NAME "']"
               | "Double." ("NaN" | "MAX_VALUE" | "POSITIVE_INFINITY" | "NEGATIVE_INFINITY")
               | "doc['" FIELD "']" (".value" | ".size()" | ".length")
               | "doc['" FIELD "'].value" (".toInstant().toEpochMilli()" | ".length()")
               | "Math." ("abs" | "ceil" | "floor" | "max" | "min" | "pow" | "round" | "signum" | "sqrt") "(" ... ")"
               | "BigDecimal.valueOf(" expression ").round(new MathContext(" (NUMBER | param)
                 ", RoundingMode.HALF_EVEN)).doubleValue()"

The last return of an aggregation may be "return null", too. Everything else is refused by its name.

- Whole numbers are Java's int and long and wrap as these. Their division is refused, and so are values of several types
  in one place (`a ? 1 : 2.5`), which a server keeps apart for each document.
- `.value` is the least value of a document. In a document without a value it is an error, but only where a server
  evaluates it: `||`, `&&`, `?:` and `if` decide for each document what is evaluated. So each expression gets a mask of
  the documents that count (None: all); elsewhere its values mean nothing.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context
from typing import Any, NamedTuple, TypeVar

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

#: `script.max_size_in_bytes`
_MAX_SIZE = 65_535


class Constant(NamedTuple):
    value: NDArray[Any]


class Param(NamedTuple):
    name: str


class Local(NamedTuple):
    name: str


class Doc(NamedTuple):
    """`what` of a field: `value`, `size`, `millis` (of a date) or `length` (of a text)."""

    path: str
    what: str


class Unary(NamedTuple):
    """`-`, `!` or `double`, the cast."""

    operator: str
    inner: Any


class Binary(NamedTuple):
    operator: str
    left: Any
    right: Any


class Choice(NamedTuple):
    test: Any
    yes: Any
    no: Any


class Call(NamedTuple):
    """A function of Math."""

    name: str
    arguments: tuple[Any, ...]


class Rounded(NamedTuple):
    """Rounded to so many significant digits."""

    inner: Any
    digits: Constant | Param


Node = Constant | Param | Local | Doc | Unary | Binary | Choice | Call | Rounded


class Let(NamedTuple):
    type: str
    name: str
    value: Node


class Return(NamedTuple):
    """`value` None is null; `test` None is always."""

    value: Node | None
    test: Node | None = None


@dataclass(frozen=True, slots=True)
class Program:
    steps: tuple[Let | Return, ...]
    docs: frozenset[Doc]

    @property
    def has_null(self) -> bool:
        return any(isinstance(step, Return) and step.value is None for step in self.steps)


def script_error(when: str, type: str, reason: str) -> EngineError:
    """Return the error of a script; `when` is `compile` or `runtime`."""
    return EngineError("script_exception", f"{when} error", caused_by=EngineError(type, reason))


def _cannot_cast(what: str) -> EngineError:
    return script_error("runtime", "class_cast_exception", f"Cannot cast {what}")


_TOKEN = re.compile(
    r"(?P<number>(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?[lLdD]?(?![\w.]))"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<text>'(?:[^'\\]|\\[\\'])*'|\"(?:[^\"\\]|\\[\\\"])*\")"
    r"|(?P<operator>--|\+\+|[<>=!]=|&&|\|\||[-+*/<>!?:;=(){}\[\],.])"
    r"|(?P<space>\s+)"
    r"|(?P<unknown>.)",
    re.ASCII,
)
#: From the loosest to the tightest; all join to the left.
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/"))
_RESERVED = frozenset(
    {
        "BigDecimal", "Double", "Math", "String", "boolean", "byte", "char", "def", "do", "doc", "double", "else",
        "false", "float", "for", "if", "int", "long", "new", "null", "params", "return", "short", "true", "while",
    }
)  # fmt: skip
_DOUBLES = {
    "NaN": np.nan,
    "POSITIVE_INFINITY": np.inf,
    "NEGATIVE_INFINITY": -np.inf,
    "MAX_VALUE": np.finfo(np.float64).max,
}
_INT, _LONG = np.iinfo(np.int32), np.iinfo(np.int64)


class _Parser:
    def __init__(self, source: str) -> None:
        self._tokens = [
            (str(found.lastgroup), found[0], found.start())
            for found in _TOKEN.finditer(source)
            if found.lastgroup != "space"
        ]
        self._tokens.append(("end", "the end", len(source)))
        self._at = 0
        self._locals: set[str] = set()
        self._docs: set[Doc] = set()

    def program(self) -> Program:
        steps: list[Let | Return] = []
        while (step := self._statement()) is not None:
            steps.append(step)
        returns = self._has("return")
        steps.append(Return(None if returns and self._has("null") else self._expression()))
        self._has(";")
        if self._tokens[self._at][0] != "end":
            raise self._unexpected()
        return Program(tuple(steps), frozenset(self._docs))

    def _statement(self) -> Let | Return | None:
        if self._has("if", "("):
            test = self._expression()
            self._expect(")", "{", "return")
            value = None if self._has("null") else self._expression()
            self._expect(";", "}")
            return Return(value, test)
        for kind in ("double", "boolean"):
            if self._has(kind):
                name = self._take("name")
                if name in self._locals or name in _RESERVED:
                    raise script_error("compile", "illegal_argument_exception", f"variable [{name}] is already defined")
                self._expect("=")
                value = self._expression()
                self._expect(";")
                self._locals.add(name)
                return Let(kind, name, value)
        return None

    def _expression(self) -> Node:
        test = self._joined(0)
        if not self._has("?"):
            return test
        yes = self._expression()
        self._expect(":")
        return Choice(test, yes, self._expression())

    def _joined(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        left = self._joined(level + 1)
        while (operator := next((one for one in _LEVELS[level] if self._has(one)), None)) is not None:
            left = Binary(operator, left, self._joined(level + 1))
        return left

    def _unary(self) -> Node:
        for operator in ("-", "!"):
            if self._has(operator):
                return Unary(operator, self._unary())
        if self._has("(", "double", ")"):
            return Unary("double", self._unary())
        return self._atom()

    def _atom(self) -> Node:
        kind, text, _ = self._tokens[self._at]
        if kind == "number":
            self._at += 1
            return Constant(_number(text))
        if self._has("("):
            inner = self._expression()
            self._expect(")")
            return inner
        if self._has("doc", "["):
            return self._doc()
        if self._has("params"):
            return self._param()
        if self._has("Math", "."):
            return self._call()
        if self._has("Double", "."):
            if (name := self._take("name")) not in _DOUBLES:
                raise self._unexpected(1)
            return Constant(np.array(_DOUBLES[name]))
        if self._has("BigDecimal", ".", "valueOf", "("):
            return self._rounded()
        if text in ("true", "false"):
            self._at += 1
            return Constant(np.array(text == "true"))
        if kind != "name" or text in _RESERVED:
            raise self._unexpected()
        if text not in self._locals:
            raise script_error("compile", "illegal_argument_exception", f"cannot resolve symbol [{text}]")
        self._at += 1
        return Local(text)

    def _doc(self) -> Doc:
        path = self._text()
        self._expect("]", ".")
        if self._has("size", "(", ")") or self._has("length"):
            what = "size"
        else:
            self._expect("value")
            what = "value"
            if self._has(".", "toInstant", "(", ")", ".", "toEpochMilli", "(", ")"):
                what = "millis"
            elif self._has(".", "length", "(", ")"):
                what = "length"
        found = Doc(path, what)
        self._docs.add(found)
        return found

    def _param(self) -> Param:
        if self._has("."):
            return Param(self._take("name"))
        self._expect("[")
        name = self._text()
        self._expect("]")
        return Param(name)

    def _call(self) -> Call:
        name = self._take("name")
        if name not in _MATH:
            raise self._unexpected(1)
        self._expect("(")
        arguments = [self._expression()]
        while self._has(","):
            arguments.append(self._expression())
        self._expect(")")
        if len(arguments) != _MATH[name][0]:
            reason = f"static method [java.lang.Math, {name}/{len(arguments)}] not found"
            raise script_error("compile", "illegal_argument_exception", reason)
        return Call(name, tuple(arguments))

    def _rounded(self) -> Rounded:
        inner = self._expression()
        self._expect(")", ".", "round", "(", "new", "MathContext", "(")
        digits = self._atom()
        if not isinstance(digits, Constant | Param):
            raise self._unexpected(1)
        self._expect(",", "RoundingMode", ".", "HALF_EVEN", ")", ")", ".", "doubleValue", "(", ")")
        return Rounded(inner, digits)

    def _has(self, *wanted: str) -> bool:
        """Whether these tokens come next, which are read then."""
        found = [text for _, text, _ in self._tokens[self._at : self._at + len(wanted)]]
        if found != list(wanted):
            return False
        self._at += len(wanted)
        return True

    def _expect(self, *wanted: str) -> None:
        for token in wanted:
            if not self._has(token):
                raise self._unexpected()

    def _take(self, kind: str) -> str:
        if self._tokens[self._at][0] != kind:
            raise self._unexpected()
        self._at += 1
        return self._tokens[self._at - 1][1]

    def _text(self) -> str:
        return re.sub(r"\\(.)", r"\1", self._take("text")[1:-1])

    def _unexpected(self, back: int = 0) -> EngineError:
        _, text, start = self._tokens[self._at - back]
        return no_scripts(f"[{text}] at offset {start} of a script")


def _number(text: str) -> NDArray[Any]:
    digits = text.rstrip("lLdD")
    if text[-1] in "dD" or not digits.isdigit():
        return np.array(float(digits))
    kind, bounds = (np.int64, _LONG) if text[-1] in "lL" else (np.int32, _INT)
    if int(digits) > bounds.max:
        raise script_error("compile", "illegal_argument_exception", f"Invalid constant [{text}].")
    return np.array(int(digits), kind)


@functools.lru_cache(maxsize=512)
def parse_program(source: str) -> Program:
    if (size := len(source.encode("utf-8", "surrogatepass"))) > _MAX_SIZE:
        reason = f"exceeded max allowed inline script size in bytes [{_MAX_SIZE}] with size [{size}] for script"
        raise illegal_argument(reason)
    return _Parser(source).program()


@dataclass(frozen=True, slots=True)
class Text:
    """Texts of a column by their ordinals in `terms`."""

    ords: NDArray[Any]
    terms: Sequence[str]


Value = NDArray[Any] | Text | str
"""Numbers, whole numbers and booleans by their dtype; without a dimension where all documents have the same one."""
Doubles = NDArray[np.float64]


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


_MATH: Mapping[str, tuple[int, Callable[..., NDArray[Any]]]] = {
    "abs": (1, np.abs),
    "ceil": (1, np.ceil),
    "floor": (1, np.floor),
    "max": (2, _greatest),
    "min": (2, lambda left, right: -_greatest(-left, -right)),
    "pow": (2, np.power),
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


def _with(mask: Mask | None, condition: NDArray[Any]) -> NDArray[Any]:
    return condition if mask is None else mask & condition


Found = TypeVar("Found", bound=np.generic)


class _Run:
    """One evaluation: in the documents `ids` of a space (None: in all)."""

    def __init__(self, script: Script, space: DocSpace, ids: Ordinals | None) -> None:
        self._script = script
        self._space = space
        self._ids = ids
        self._locals: dict[str, Value] = {}

    def results(self, active: Mask | None) -> list[tuple[Mask | None, NDArray[Any] | None]]:
        """What is returned, each with the documents that it is returned in."""
        found: list[tuple[Mask | None, NDArray[Any] | None]] = []
        for step in self._script.program.steps:
            if isinstance(step, Let):
                value = self._value(step.value, active)
                self._locals[step.name] = _double(value) if step.type == "double" else self._boolean(value)
                continue
            left: Mask | None = None
            taken = active
            if step.test is not None:
                test = self._boolean(self._value(step.test, active))
                if test.ndim or not test:
                    taken, left = _with(active, test), _with(active, ~test)
                    if not taken.any():
                        continue
            result = None if step.value is None else self._value(step.value, taken)
            if isinstance(result, Text | str):
                raise no_scripts("a text as the value of a script")
            found.append((taken, result))
            if left is None or not left.any():
                break
            active = left
        return found

    def _value(self, node: Node, active: Mask | None) -> Value:
        check_time()
        match node:
            case Constant(value):
                return value
            case Param(name):
                return self._script.param(name)
            case Local(name):
                return self._locals[name]
            case Doc():
                return self._of_doc(node, active)
            case Unary("!", inner):
                return ~self._boolean(self._value(inner, active))
            case Unary("-", inner):
                return -_numeric(self._value(inner, active))
            case Unary(_, inner):
                return _double(self._value(inner, active))
            case Binary("||" | "&&"):
                return self._logic(node, active)
            case Binary(operator, left, right):
                return _binary(operator, self._value(left, active), self._value(right, active))
            case Choice():
                return self._choice(node, active)
            case Call(name, arguments):
                return _MATH[name][1](*(_double(self._value(argument, active)) for argument in arguments))
            case Rounded(inner, digits):
                return _rounded(_double(self._value(inner, active)), self._script.digits(digits), active)

    def _boolean(self, value: Value) -> NDArray[np.bool_]:
        if isinstance(value, Text | str) or value.dtype.kind != "b":
            raise _cannot_cast("a number or a text to a boolean")
        return value

    def _logic(self, node: Binary, active: Mask | None) -> NDArray[Any]:
        left = self._boolean(self._value(node.left, active))
        either = node.operator == "||"
        undecided = ~left if either else left
        if left.ndim:
            undecided = _with(active, undecided)
        if not undecided.any():
            return left
        right = self._boolean(self._value(node.right, undecided if left.ndim else active))
        return left | right if either else left & right

    def _choice(self, node: Choice, active: Mask | None) -> Value:
        test = self._boolean(self._value(node.test, active))
        if not test.ndim:
            return self._value(node.yes if test else node.no, active)
        yes, no = _with(active, test), _with(active, ~test)
        if not yes.any() or not no.any():
            return self._value(node.yes if yes.any() else node.no, active)
        first, second = self._value(node.yes, yes), self._value(node.no, no)
        if isinstance(first, Text | str) or isinstance(second, Text | str) or first.dtype != second.dtype:
            raise no_scripts("a choice between texts, or between values of several types, in a script")
        return np.where(test, first, second)

    def _of_doc(self, node: Doc, active: Mask | None) -> Value:
        found = self._script.fields[node.path]
        column = self._space.columns.get(found.path)
        if node.what == "size":
            return self._sizes(column)
        if not isinstance(column, KeywordColumn | NumericColumn):
            raise _no_value()
        if isinstance(column, KeywordColumn):
            ords = self._first(column.starts, column.ords, active)
            return self._lengths(column)[ords] if node.what == "length" else Text(ords, column.terms)
        values = self._first(column.starts, column.values, active)
        if found.type == "date_nanos":
            return values // NANOS_PER_MS
        return np.not_equal(values, 0) if found.type == "boolean" else values

    def _sizes(self, column: Any) -> NDArray[np.int32]:
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
    """A script with its parameters, bound to the fields of a mapping."""

    program: Program
    params: Mapping[str, Any] = field(hash=False)
    fields: Mapping[str, Field] = field(hash=False)

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

    def digits(self, node: Constant | Param) -> int:
        value = node.value if isinstance(node, Constant) else self.param(node.name)
        if isinstance(value, Text | str) or value.dtype != np.int32:
            raise _cannot_cast("the number of digits to int")
        if value < 0:
            raise script_error("runtime", "illegal_argument_exception", "Digits < 0")
        return int(value)

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
    if program.has_null and not null:
        raise script_error("compile", "illegal_argument_exception", "Cannot cast null to a primitive type.")
    return Script(program, values, {doc.path: _field_of(doc, mapping) for doc in program.docs})


def _field_of(doc: Doc, mapping: FieldLookup) -> Field:
    each: Sequence[FieldLookup] = getattr(mapping, "mappings", (mapping,))
    found, *others = [one.field(doc.path) for one in each]
    if found is None:
        raise script_error("runtime", "illegal_argument_exception", f"No field found for [{doc.path}] in mapping")
    if any(other is None or (other.path, other.type) != (found.path, found.type) for other in others):
        raise no_scripts(f"a script over indices in which [{doc.path}] is of different types")
    check_doc_values(found)
    if found.type not in _TYPES[doc.what]:
        raise no_scripts(f"the {doc.what} of [{doc.path}], a field of type [{found.type}], in a script")
    return found
