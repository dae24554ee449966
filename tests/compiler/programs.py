"""Programs over the document store's catalog that the checker accepts, as text.

    @given(programs())
    def test_...(source: str) -> None: ...

They may still contradict themselves (`size > 5 and size < 1`), which is told before anything runs.
"""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Any, ParamSpec, cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from qlc.grammar import print_value, tree

from .world import drive

Text = SearchStrategy[str]

NUMBERS = ("size", "pages", "words", "views", "amount", "depth", "version", "tax_year", "ocr_confidence", "duration")
UNITS = {"size": ("bytes", "kB", "MiB", "GB"), "duration": ("seconds", "min", "hours"), "ocr_confidence": ("%",)}
DATES = ("created", "modified", "last_viewed", "due", "expires")
BOOLEANS = ("signed", "starred", "locked", "pci", "ocr", "amended", "auto_renews")
TEXTS = ("name", "path", "vendor", "employer", "invoice_number", "mime", "owner_email", "law", "tags")
CLOSED = ("type", "kind", "app", "extension", "category", "review_status", "payment_status", "currency", "language")
PEOPLE = ("owner", "creator", "editor")
NAMED = ("overdue", "copy", "shared", "unsigned", "expired")
SORTED = (*NUMBERS, *DATES, "name", "vendor", "owner", "tags", "comments.created", 'shares[role = "editor"].who')
GROUPED = (*CLOSED, *PEOPLE, "folder", "vendor", "tags", "signed", "folder.owner", "shares.role", "comments.author",
           'shares[who_type = "group"].role', "month(created)", "year(due)", "weekday(created)",
           "hour_of_day(modified)", "bins(size, 1 kB, 1 MB)", "step(pages, 10)", "attributes.stage")  # fmt: skip
MEASURES = ("count", "sum(size)", "avg(pages)", "min(created)", "max(size)", "median(views)", "percentile(size, 95)",
            "distinct(owner)", "share(signed)", "distinct(tags)")  # fmt: skip
NAMES = ("Tax Documents", "Projects", "Dana Ortiz", "Q3 Report.pdf", "Clients/Contoso", "Müller & Söhne", "x")


Arguments = ParamSpec("Arguments")


def shared(build: Callable[Arguments, Text]) -> Callable[Arguments, Text]:
    """Built once for each depth, and opaque: choices among large choices are not laid flat over and over."""

    @cache
    def strategy(*args: Any, **kwargs: Any) -> Text:
        @st.composite
        def drawn(draw: st.DrawFn) -> str:
            return draw(built())

        built = cache(lambda: build(*args, **kwargs))
        return drawn()

    return cast(Callable[Arguments, Text], strategy)


def one(items: Sequence[str]) -> Text:
    return st.sampled_from(items)


def joined(*parts: Text | str) -> Text:
    """The parts with one space between them."""
    drawn = [st.just(part) if isinstance(part, str) else part for part in parts]
    return st.tuples(*drawn).map(" ".join)


def quoted(text: str) -> str:
    return print_value(tree.String(text))


def listed(items: Text) -> Text:
    return st.lists(items, min_size=1, max_size=3).map(lambda drawn: f"[{', '.join(drawn)}]")


# --- values ----------------------------------------------------------------------------------------------------------

_free = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=10)
strings = (st.sampled_from(NAMES) | _free.filter(lambda text: text.strip() not in ("", "root"))).map(quoted)
days = st.dates(date(2000, 1, 1), date(2030, 1, 1))
absolute = st.one_of(
    days.map(date.isoformat),
    days.map(lambda day: f"{day.year}"),
    days.map(lambda day: f"{day.year}-{day.month:02d}"),
    days.map(lambda day: f"{day.year}-Q{(day.month + 2) // 3}"),
    days.map(lambda day: f"{day.isoformat()}T15:30"),
)
relative = st.one_of(
    one(("today", "yesterday", "tomorrow", "now", "this week", "last month", "next quarter", "this year")),
    st.builds(
        lambda which, count, unit: f"{which} {count} {unit}{'s' if count > 1 else ''}",
        one(("last", "next")),
        st.integers(1, 90),
        one(("hour", "day", "week", "month", "year")),
    ),
)
periods = absolute | relative


@shared
def numbers(field: str) -> Text:
    plain = st.integers(0, 10**6).map(str) | st.floats(0, 1e6, allow_nan=False).map(lambda x: repr(round(x, 2)))
    amounts = st.integers(0, 10**5).map(str)  # in the largest unit still a number that the field can hold
    return plain | st.builds(lambda n, unit: f"{n} {unit}", amounts, one(UNITS[field])) if field in UNITS else plain


@shared
def closed(field: str) -> Text:
    known = drive().compiler.schema.entity("document").fields[field].values
    return one([quoted(value) for value in (*known.display, *known.group_names)])


def lookup(entity: str = "document") -> Text:
    return strings.map(lambda name: f"{entity}({name})")


# --- conditions ------------------------------------------------------------------------------------------------------


@shared
def _number(field: str) -> Text:
    values = numbers(field)
    low_high = st.lists(st.integers(0, 10**6), min_size=2, max_size=2).map(sorted)
    return st.one_of(
        joined(field, one(("=", "!=", "<", "<=", ">", ">=")), values),
        low_high.map(lambda ends: f"{field} between {ends[0]} and {ends[1]}"),
        joined(field, one(("in", "not in")), listed(values)),
        joined(field, one((">", "<", "=")), lookup().map(lambda found: f"{found}.{field}")),
        joined(field, one((">", "<")), one((f"(avg({field}) of documents)", f"(max({field}) of documents)"))),
    )


@shared
def _date(field: str) -> Text:
    ends = st.tuples(days, st.integers(0, 900)).map(lambda drawn: (drawn[0], drawn[0] + timedelta(drawn[1])))
    return st.one_of(
        joined(field, one(("=", "!=", "<", "<=", ">", ">=", "in", "not in")), periods),
        joined(field, "in", listed(absolute)),
        ends.map(lambda drawn: f"{field} between {drawn[0]} and {drawn[1]}"),
        joined(field, one(("<", ">", "in")), lookup().map(lambda found: f"{found}.{field}")),
        lookup().map(lambda found: f"{field} in month({found}.{field})"),
    )


@shared
def _text(field: str) -> Text:
    return st.one_of(
        joined(field, one(("=", "!=", "contains", "starts with", "ends with", "like", "not contains")), strings),
        joined(field, one(("in", "not in")), listed(strings)),
    )


@shared
def _reference(field: str, target: str) -> Text:
    entity = "person" if field in PEOPLE else target
    named = strings | lookup(entity)
    choices = [joined(field, one(("=", "!=")), named), joined(field, "in", listed(named)),
               joined(field, one(("=", "in")), lookup().map(lambda found: f"{found}.{field}"))]  # fmt: skip
    if field == "folder":
        choices += [
            one(("folder = root", "folder != root", "folder under root")),
            joined("folder under", strings),
            joined("folder under in", listed(strings)),
        ]
    return st.one_of(*choices)


@shared
def _element(depth: int) -> Text:
    share = st.one_of(
        one(('role = "editor"', 'role != "viewer"', 'who_type = "group"', "role exists", "role missing")),
        strings.map(lambda name: f"who = {name}"),
    )
    comment = st.one_of(
        one(("resolved", "not resolved", "author exists")),
        strings.map(lambda name: f"author = {name}"),
        strings.map(lambda text: f"text mentions {text}"),
        periods.map(lambda period: f"created >= {period}"),
    )
    return st.one_of(
        one(("shares exists", "comments missing", "attributes exists")),
        _combined(share, depth).map(lambda inside: f"shares[{inside}]"),
        _combined(comment, depth).map(lambda inside: f"comments[{inside}]"),
        share.map(lambda inside: f"shares.{inside}"),
        strings.map(lambda value: f"attributes.stage = {value}"),
    )


_CYCLES = ('weekday(created) = "Sunday"', 'weekday(due) in ["Saturday", "Sunday"]', "hour_of_day(created) < 9",
           "hour_of_day(modified) between 2 and 5", 'weekday(created) != "Monday"')  # fmt: skip
_SAME = ("vendor = employer", "owner = creator", "owner != editor", "signed = amended")


@shared
def atoms(depth: int) -> Text:
    """One condition, without `and` and `or` around it."""
    choices: list[Text] = [
        *(_number(field) for field in NUMBERS),
        *(_date(field) for field in DATES),
        *(_text(field) for field in TEXTS),
        *(joined(field, one(("=", "!=")), closed(field)) for field in CLOSED),
        *(joined(field, "in", listed(closed(field))) for field in CLOSED),
        *(_reference(field, "folder") for field in ("folder", *PEOPLE)),
        joined("copied_from", one(("=", "!=")), lookup()),
        joined("id", one(("=", "!=")), strings),
        joined("tags", one(("has all", "has any")), listed(strings)),
        lookup().map(lambda found: f"tags has any {found}.tags"),
        joined(one((*TEXTS, *NUMBERS, *DATES, *BOOLEANS, "owner", "shares.role")), one(("exists", "missing"))),
        joined(one(("content", "description")), one(("matches", "mentions", "contains")), strings),
        joined("mentions", strings),
        _element(depth),
        one((*BOOLEANS, *NAMED, *_CYCLES, *_SAME, "signed = false", "not starred")),
    ]
    if depth > 0:
        inner = st.deferred(lambda: conditions(depth - 1))
        choices += [
            inner.map(lambda inside: f"folder in (find folders where {inside})"),
            inner.map(lambda inside: f"type in (find documents where {inside} limit 20).type"),
            inner.map(lambda inside: f"vendor in (count documents where {inside} by vendor limit 3).vendor"),
            inner.map(lambda inside: f"size > (avg(size) of documents where {inside})"),
            one(("folder.starred", 'folder.owner = "Ada"', "folder.folder.depth > 2", "copied_from.size > 5")),
        ]
    return st.one_of(*choices)


@shared
def _combined(parts: Text, depth: int) -> Text:
    if depth <= 0:
        return parts
    inner = st.deferred(lambda: _combined(parts, depth - 1))
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        parts,
        inner.map(lambda inside: f"not ({inside})"),
        several.map(lambda items: " and ".join(f"({item})" for item in items)),
        several.map(lambda items: " or ".join(f"({item})" for item in items)),
    )


@shared
def conditions(depth: int = 2) -> Text:
    return _combined(atoms(depth), depth)


# --- statements ------------------------------------------------------------------------------------------------------

_maybe = st.none() | st.integers(1, 50)


@st.composite
def finds(draw: st.DrawFn, depth: int = 2) -> str:
    parts = [f"find {draw(one(('documents', 'folders', 'entries')))}"]
    where = draw(conditions(depth))
    ranked = draw(st.none() | strings)
    parts.append(f"where {where}" if ranked is None else f"where about {ranked} and ({where})")
    keys = draw(st.lists(one(SORTED), max_size=2))
    if keys:
        parts.append("sort " + ", ".join(f"{key}{draw(one(('', ' desc')))}" for key in keys))
    limit, offset = draw(_maybe), draw(_maybe)
    if limit is not None:
        parts.append(f"limit {limit}" + (f" offset {offset}" if offset is not None else ""))
    shown = draw(st.lists(one((*SORTED[:14], "type", "folder", "shares")), max_size=3, unique=True))
    if shown:
        parts.append(f"show {', '.join(shown)}")
    return " ".join(parts)


@st.composite
def aggregates(draw: st.DrawFn, depth: int = 2) -> str:
    measures = draw(st.lists(one(MEASURES), min_size=1, max_size=3, unique=True))
    head = "count" if measures == ["count"] else f"{', '.join(measures)} of"
    parts = [f"{head} {draw(one(('documents', 'folders', 'entries')))}"]
    where = draw(st.none() | conditions(depth))
    if where is not None:
        parts.append(f"where {where}")
    groups = draw(st.lists(one(GROUPED), max_size=2, unique=True))
    if not groups:
        return " ".join(parts)
    top = draw(st.none() | st.integers(1, 5))
    parts.append("by " + ", ".join(groups) + (f" top {top}" if top is not None else ""))
    if draw(st.booleans()):
        rows = one(("count >= 2", "avg(size) > 1 kB", "count between 1 and 9 or not count = 3"))
        parts.append(f"having {draw(rows)}")
    limit = draw(_maybe)
    if limit is not None or draw(st.booleans()):
        parts.append(f"sort {draw(one(measures))} desc")
    if limit is not None:
        parts.append(f"limit {limit}")
    return " ".join(parts)


def gets() -> Text:
    fields = one(("owner", "size", "folder", "folder.name", "type", "tags", "folder.owner", "created"))
    several = st.lists(fields, min_size=1, max_size=3, unique=True).map(", ".join)
    return st.builds(lambda found, items: f"get {found}.{items}", lookup(), several) | several.map(
        lambda items: f"get (find documents sort size desc limit 1).{items}"
    )


def bound() -> Text:
    """A program with a binding that is used more than once."""
    return st.builds(
        lambda found, inside: f"let d = {found}\nfind documents where folder = d.folder and id != d and ({inside})",
        lookup(),
        conditions(1),
    )


@shared
def programs(depth: int = 2) -> Text:
    return st.one_of(finds(depth), aggregates(depth), gets(), bound())
