"""Random syntax trees: everything that the language can say, keyword names, odd letters and odd numbers included.

@given(programs())
def test_...(program: tree.Program) -> None: ...
"""

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar, cast, get_args

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from qlc.base.diagnostics import NO_SPAN
from qlc.base.units import UNITS
from qlc.grammar import tree
from qlc.grammar.lark_parser import words
from qlc.grammar.literals import number
from qlc.grammar.tree import RESERVED

DEEPEST = 2
Strategy = TypeVar("Strategy", bound=SearchStrategy[Any])
Arguments = ParamSpec("Arguments")


def _shared(build: Callable[Arguments, Strategy]) -> Callable[Arguments, Strategy]:
    """Built once per depth and only when drawn from, however many other strategies hold it."""

    @cache
    def strategy(*args: Any, **kwargs: Any) -> Any:
        @st.composite
        def one(draw: st.DrawFn) -> Any:
            return draw(built())

        built = cache(lambda: build(*args, **kwargs))
        return one()

    return wraps(build)(strategy)


# --- names and paths -------------------------------------------------------------------------------------------------

_KEYWORDS = sorted(words() | RESERVED)
_ODD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="`\n"), min_size=1, max_size=8)


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


@_shared
def name_texts() -> SearchStrategy[str]:
    """Plain names, every keyword in several cases, and whatever else back-quotes can hold."""
    plain = st.from_regex(r"[a-z_@][a-z0-9_]{0,6}", fullmatch=True)
    keyword = st.sampled_from(_KEYWORDS)
    letters = st.text(st.characters(categories=["L", "Mn", "Nd"]), min_size=1, max_size=5)
    return st.one_of(plain, keyword, keyword.map(str.upper), keyword.map(str.title), letters, _ODD).map(_normal)


@_shared
def names() -> SearchStrategy[tree.Name]:
    return st.builds(tree.Name, name_texts())


@_shared
def paths(depth: int = 0) -> SearchStrategy[tree.Path]:
    narrowed = st.none() | conditions(depth - 1) if depth > 0 else st.none()
    segments = st.lists(st.builds(tree.Segment, names(), narrowed), min_size=1, max_size=3)
    return st.builds(tree.Path, segments.map(tuple))


# --- values ----------------------------------------------------------------------------------------------------------


@_shared
def strings() -> SearchStrategy[tree.String]:
    return st.builds(tree.String, st.text(st.characters(exclude_categories=["Cs"]), max_size=12))


def _number(text: str, unit: str | None) -> tree.Number:
    value, canonical = number(text, NO_SPAN)
    return tree.Number(value, canonical, unit)


@_shared
def numbers(*, units: bool = True) -> SearchStrategy[tree.Number]:
    whole = st.integers(-(10**18), 10**18).map(str)
    written = st.from_regex(r"-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?(e-?[0-9]{1,2})?", fullmatch=True)
    other = written | st.floats(-1e12, 1e12, allow_nan=False).map(repr)
    unit = st.none() | st.sampled_from([unit.name for unit in UNITS]) if units else st.none()
    return st.builds(_number, whole | other, unit)


@_shared
def dates() -> SearchStrategy[tree.DateLiteral]:
    days = st.dates().map(lambda day: day.isoformat())
    times = st.builds(
        lambda day, time, zone: f"{day}T{time}{zone}",
        days,
        st.sampled_from(["15", "00:00", "23:59:59", "12:30:00.125"]),
        st.sampled_from(["", "Z", "+02:00", "-0530"]),
    )
    coarse = st.sampled_from(["2024-Q2", "0001-Q1", "2024-03", "9999-12", "2024-W10", "2020-W53"])
    return st.builds(tree.DateLiteral, days | times | coarse)


@_shared
def periods() -> SearchStrategy[tree.Value]:
    units = st.sampled_from(get_args(tree.CalendarUnit))
    return st.one_of(
        st.just(tree.Now()),
        st.builds(tree.Day, st.sampled_from(["yesterday", "today", "tomorrow"])),
        st.builds(tree.RelativePeriod, st.sampled_from(["this", "last", "next"]), units),
        st.builds(tree.RelativePeriod, st.sampled_from(["last", "next"]), units, st.integers(0, 10**6)),
        dates(),
    )


@_shared
def parameters() -> SearchStrategy[tree.Parameter]:
    texts = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True) | st.sampled_from(_KEYWORDS)
    return st.builds(tree.Parameter, texts)


@_shared
def lookups() -> SearchStrategy[tree.EntityLookup]:
    return st.builds(tree.EntityLookup, names(), strings() | parameters())


@_shared
def name_values() -> SearchStrategy[tree.NameValue]:
    return st.builds(tree.NameValue, paths())


@_shared
def literals() -> SearchStrategy[tree.Value]:
    return st.one_of(strings(), numbers(), st.builds(tree.Boolean, st.booleans()), periods())


@_shared
def values(depth: int = DEEPEST) -> SearchStrategy[tree.Value]:
    single = _single_values(depth) | calculations(depth - 1, right=True)
    return single | st.builds(tree.ListValue, st.lists(single, max_size=3).map(tuple))


@_shared
def _single_values(depth: int) -> SearchStrategy[tree.Value]:
    holders: SearchStrategy[Any] = parameters() | lookups()
    exact = st.builds(tree.Exactly, strings() | parameters())
    choices: list[SearchStrategy[Any]] = [literals(), name_values(), exact]
    if depth > 0:
        holders |= st.builds(tree.Subquery, finds(depth - 1) | aggregates(depth - 1))
        units = st.sampled_from(get_args(tree.CalendarUnit))
        choices.append(st.builds(tree.PeriodOf, units, st.deferred(lambda: values(depth - 1))))
    members = st.builds(tree.Member, holders, st.lists(names(), min_size=1, max_size=2).map(tuple))
    return st.one_of(*choices, holders, members)


# --- calculations ----------------------------------------------------------------------------------------------------


@_shared
def calculations(depth: int = DEEPEST, *, right: bool = False) -> SearchStrategy[Any]:
    """Calculations with fields, as on the left of a condition, or with values and measures, as on its `right`."""
    first = _operands(depth, right=right)
    holders = lookups() | parameters()
    elsewhere = holders | st.builds(tree.Member, holders, st.lists(names(), min_size=1, max_size=2).map(tuple))
    return _calculated(depth, first, first | numbers() | elsewhere, right=right)


def _operands(depth: int, *, right: bool) -> SearchStrategy[Any]:
    measured = st.builds(tree.Measure, st.sampled_from(["sum", "max"]), paths(0))
    if not right:
        return paths(max(depth - 1, 0)) | measured
    moments = periods().filter(_is_moment)
    years = st.builds(tree.PeriodOf, st.just("year"), moments)
    return st.one_of(name_values(), parameters(), lookups(), measured, moments, years)


def _is_moment(value: tree.Value) -> bool:
    return isinstance(value, tree.DateLiteral | tree.Now | tree.Day)


def _calculated(depth: int, first: SearchStrategy[Any], other: SearchStrategy[Any], *, right: bool) -> Any:
    if depth > 0:
        deeper = st.deferred(lambda: calculations(depth - 1, right=right))
        negative = st.builds(tree.Call, st.just("negative"), other)
        signed = st.one_of(deeper, negative)
        first, other = first | (deeper if right else signed), other | signed
    signs = st.sampled_from(get_args(tree.ArithmeticOperator))
    counted = st.builds(tree.Call, st.sampled_from(["length", "size"]), paths(0))
    rounded = st.builds(tree.Call, st.just("round"), first, st.none() | st.integers(0, 9))
    absolute = st.builds(tree.Call, st.just("abs"), first)
    return st.one_of(st.builds(tree.Arithmetic, signs, first, other), counted, rounded, absolute)


def _is_unsigned(key: Any) -> bool:
    while isinstance(key, tree.Arithmetic):
        key = key.left
    return not (isinstance(key, tree.Call) and key.function == "negative")


@_shared
def measure_calculations(depth: int = DEEPEST) -> SearchStrategy[tree.Measure]:
    made = st.builds(
        lambda one, alias: tree.Measure("calculation", expression=one, alias=alias),
        calculations(depth, right=True), st.none() | names(),
    )  # fmt: skip
    return made | st.builds(lambda one, alias: replace(one, alias=alias), measures(depth), names())


def shown_calculations(depth: int = DEEPEST, *, right: bool = False) -> SearchStrategy[tree.Calculated]:
    return st.builds(tree.Calculated, calculations(depth, right=right), st.none() | names())


# --- conditions ------------------------------------------------------------------------------------------------------


@_shared
def conditions(depth: int = DEEPEST, *, having: bool = False) -> SearchStrategy[tree.Condition]:
    simple = _simple_conditions(depth, having=having)
    if depth <= 0:
        return simple
    inner = st.deferred(lambda: conditions(depth - 1, having=having))

    def several(kind: Any) -> SearchStrategy[Any]:
        parts = inner.filter(lambda part: not isinstance(part, kind))
        return st.builds(kind, st.lists(parts, min_size=2, max_size=3).map(tuple))

    return st.one_of(simple, st.builds(tree.Not, inner), several(tree.And), several(tree.Or))


@_shared
def _simple_conditions(depth: int, *, having: bool) -> SearchStrategy[tree.Condition]:
    path = paths(depth)
    left: SearchStrategy[Any] = path | st.builds(tree.Cyclic, st.sampled_from(get_args(tree.CyclicUnit)), path)
    left |= calculations(depth - 1)
    if having:
        left |= measures(depth).filter(_is_measured)
    return st.one_of(
        st.builds(tree.Comparison, left, st.sampled_from(get_args(tree.ComparisonOperator)), values(depth)),
        st.builds(tree.Between, left, values(depth), values(depth)),
        st.builds(tree.Presence, path, st.booleans()),
        st.builds(tree.Spatial, path, st.sampled_from(get_args(tree.SpatialRelation)), _areas()),
        st.builds(tree.Overlaps, path, values(depth), st.none() | values(depth)),
        st.builds(tree.Bare, path),
        st.builds(tree.EntityText, st.sampled_from(["mentions", "about"]), strings() | parameters()),
        st.builds(lambda text, places: tree.EntityText("mentions", text, within=places), strings(), st.integers(0, 99)),
        st.builds(lambda text, places: tree.Comparison(tree.Path((tree.Segment(tree.Name("f")),)), "mentions", text,
                                                       places), strings() | parameters(), st.integers(0, 99)),
    )


@_shared
def _areas() -> SearchStrategy[tree.Area]:
    points = st.builds(tree.GeoPoint, numbers(units=False), numbers(units=False))
    return st.one_of(
        st.builds(tree.Circle, numbers(), points),
        st.builds(tree.Box, points, points),
        st.builds(tree.Polygon, st.lists(points, min_size=1, max_size=4).map(tuple)),
    )


# --- statements ------------------------------------------------------------------------------------------------------


@_shared
def measures(depth: int = DEEPEST) -> SearchStrategy[tree.Measure]:
    plain = st.sampled_from(["sum", "avg", "min", "max", "median", "distinct"])
    own = st.one_of(
        st.just(tree.Measure("count")),
        st.builds(lambda name: tree.Measure("named", tree.Path((tree.Segment(name),))), names()),
        st.builds(tree.Measure, plain, paths(depth)),
        st.builds(tree.Measure, st.just("percentile"), paths(depth), numbers()),
        st.builds(lambda condition: tree.Measure("share", condition=condition), conditions(depth - 1)),
    )
    return own | own.map(lambda measure: replace(measure, total=True))


def _is_measured(measure: tree.Measure) -> bool:
    """Whether a condition or a sort key can begin with it: `count` is a name there."""
    return measure.total or measure.function not in ("count", "named")


@_shared
def _functions(depth: int) -> SearchStrategy[tree.Group]:
    calendar = st.sampled_from(["year", "quarter", "month", "week", "day", "hour", *get_args(tree.CyclicUnit)])
    cuts = st.lists(numbers(), min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(tree.Group, paths(depth), calendar),
        st.builds(tree.Group, paths(depth) | calculations(depth - 1), st.just("bins"), cuts),
        st.builds(tree.Group, paths(depth) | calculations(depth - 1), st.just("step"),
                  numbers().map(lambda one: (one,))),
    )


@_shared
def groups(depth: int = DEEPEST) -> SearchStrategy[tree.Group]:
    def limited(group: tree.Group, top: int | None, empty: bool) -> tree.Group:
        return replace(group, top=top, empty=empty)

    tops = st.none() | st.integers(0, 99)
    return st.builds(limited, st.builds(tree.Group, paths(depth)) | _functions(depth), tops, st.booleans())


@_shared
def sort_keys(depth: int = DEEPEST) -> SearchStrategy[tree.SortKey]:
    measured = measures(depth).filter(_is_measured)
    calculated = calculations(depth - 1).filter(_is_unsigned)
    return st.builds(
        tree.SortKey, st.one_of(paths(depth), measured, _functions(depth), calculated), st.booleans()
    )


def _tuples(items: SearchStrategy[Any], least: int = 0) -> SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, min_size=least, max_size=2).map(tuple)


_slices = st.one_of(
    st.just((None, None, False)),
    st.tuples(st.integers(0, 10**6), st.none(), st.booleans()),
    st.tuples(st.integers(0, 99), st.integers(0, 99), st.booleans()),
)


@_shared
def _tops(depth: int) -> SearchStrategy[tree.Top]:
    keys = st.builds(tree.Group, paths(depth)) | _functions(depth)
    return st.builds(tree.Top, st.integers(0, 10**6), st.lists(keys, min_size=1, max_size=2).map(tuple))


@_shared
@st.composite
def finds(draw: st.DrawFn, depth: int = DEEPEST) -> tree.Find:
    limit, offset, ties = draw(_slices)
    return tree.Find(
        draw(cast(SearchStrategy[Any], names() | lookups())), draw(st.none() | conditions(depth)),
        draw(_tuples(sort_keys(depth - 1))), limit, offset,
        draw(_tuples(paths(depth - 1) | shown_calculations(depth - 1))),
        ties=ties, top_per=draw(st.none() | _tops(depth - 1)),
    )


@_shared
@st.composite
def aggregates(draw: st.DrawFn, depth: int = DEEPEST) -> tree.Aggregate:
    measured = (draw(measures(depth - 1)), *draw(_tuples(measures(depth - 1) | measure_calculations(depth - 1))))
    where = draw(st.none() | conditions(depth))
    by = draw(_tuples(groups(depth - 1)))
    if not by:
        return tree.Aggregate(measured, draw(names()), where)
    limit, offset, ties = draw(_slices)
    having = draw(st.none() | conditions(depth - 1, having=True))
    return tree.Aggregate(
        measured, draw(names()), where, by, having, draw(_tuples(sort_keys(depth - 1))), limit, offset, ties,
        counted=draw(st.booleans()),
    )


@_shared
def gets(depth: int = DEEPEST) -> SearchStrategy[tree.Get]:
    members = _single_values(depth).filter(lambda value: isinstance(value, tree.Member))
    calculated = shown_calculations(depth - 1, right=True).filter(_begins_without_measure)
    return st.builds(tree.Get, st.lists(st.one_of(members, paths(), calculated), min_size=1, max_size=3).map(tuple))


def _begins_without_measure(item: tree.Calculated) -> bool:
    """Whether an item of `get` can begin so: a measure there would be one of a statement."""
    first: tree.Operand = item.expression
    while isinstance(first, tree.Arithmetic):
        first = first.left
    return not isinstance(first, tree.Measure)


@_shared
def statements(depth: int = DEEPEST) -> SearchStrategy[tree.Statement]:
    calculated = st.builds(lambda rows, first: replace(rows, measures=(first, *rows.measures), counted=False),
                           aggregates(depth), measure_calculations(depth - 1))  # fmt: skip
    return st.one_of(finds(depth), aggregates(depth), gets(depth), calculated)


@_shared
def programs(depth: int = DEEPEST) -> SearchStrategy[tree.Program]:
    lets = st.builds(tree.Let, names(), values(depth - 1))
    return st.builds(tree.Program, _tuples(lets), statements(depth))
