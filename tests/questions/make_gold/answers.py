"""The right answers as the gold files have them, made from the rows that pass plain predicates.

Nothing here knows the query language.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from tests.reference import model
from tests.reference.model import Row
from tests.reference.tables import groups, mean, total

from .words import Test, both_of

Gold = dict[str, Any]
Rows = Sequence[Row]


def accept(answer: Gold, *others: Gold) -> Gold:
    """The answer, or else one of the others."""
    return {**answer, "also_accept": [*answer.get("also_accept", []), *others]}


def hits(
    rows: Rows,
    test: Test,
    *,
    sort: Test | None = None,
    desc: bool = False,
    limit: int | None = None,
    offset: int = 0,
    empty: bool = False,
) -> Gold:
    """All the rows that pass the test; in the order of `sort`, those that lack it last; or a slice of them."""
    found = [row for row in rows if test(row)]
    whole = len(found)
    if sort is not None:
        have = sorted((row for row in found if sort(row) is not None), key=sort, reverse=desc)
        found = have + [row for row in found if sort(row) is None]
        last = len(found) if limit is None else offset + limit
        keys = [sort(row) for row in found[: last + 1]]
        if len(set(keys)) < len(keys):
            raise ValueError("a tie in an ordered answer")
        found = found[offset:last]
    if not found and not empty:
        raise ValueError("an empty answer")
    if whole == len(rows) and limit is None:
        raise ValueError("an answer of everything")
    if found and empty:
        raise ValueError("not empty")
    ids = [row["_id"] for row in found]
    gold: Gold = {"kind": "hits", "ids": ids if sort else sorted(ids), "ordered": sort is not None, "total": whole}
    if limit is not None:
        gold["limit"] = limit
    if offset:
        gold["offset"] = offset
    if empty:
        gold["may_be_empty"] = True
    return gold


def these(*found: Row) -> Gold:
    return hits([*found, Row(_id="")], lambda row: row["_id"] != "")


def number(amount: int) -> Gold:
    return {"kind": "count", "value": amount}


def value(*any_of: str | Iterable[str]) -> Gold:
    spellings = [text for item in any_of for text in ([item] if isinstance(item, str) else item)]
    return {"kind": "value", "any_of": spellings}


def told(row: Row, *any_of: str | Iterable[str]) -> Gold:
    """A plain value of a row; the row itself as well."""
    return accept(value(*any_of), these(row))


def buckets(
    rows: Rows,
    test: Test,
    *keys: Test,
    measure: Callable[[list[Row]], Any] = len,
    having: Callable[[Any], bool] = lambda _: True,
    top: int | None = None,
    lowest: bool = False,
) -> Gold:
    """Groups and their measure; only those whose measure passes `having`; only the first `top`."""
    found = groups([row for row in rows if test(row)], *keys)
    table = {label(key): rounded(measure(group)) for key, group in found.items()}
    table = {key: amount for key, amount in table.items() if amount is not None and having(amount)}
    order = sorted(table, key=lambda key: (table[key] if lowest else -table[key], key))
    if top is not None:
        if len(order) > top and table[order[top - 1]] == table[order[top]]:
            raise ValueError("a tie at the cut")
        order = order[:top]
    if not order:
        raise ValueError("an empty aggregate")
    return {"kind": "aggregate", "buckets": {key: table[key] for key in (order if top else sorted(order))}}


def measure(name: str, amount: Any) -> Gold:
    """One number, under a nominal label."""
    if amount is None:
        raise ValueError("no number")
    return {"kind": "aggregate", "buckets": {name: rounded(amount)}}


def label(key: Any) -> str:
    if isinstance(key, tuple):
        return " / ".join(label(part) for part in key)
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, float) and key.is_integer():
        return str(int(key))
    return str(key)


def rounded(amount: Any) -> Any:
    return round(amount, 4) if isinstance(amount, float) else amount


def clarify(candidates: Iterable[Row]) -> Gold:
    ids = sorted({row["_id"] for row in candidates})
    if len(ids) < 2:
        raise ValueError("nothing to choose from")
    return {"kind": "clarify", "candidates": ids}


def did_you_mean(target: Row) -> Gold:
    """To ask whether this one is meant: accepted where the wording is not exact."""
    return {"kind": "clarify", "candidates": [target["_id"]]}


def which_person(*names: str) -> Gold:
    return {"kind": "clarify", "candidates": sorted(map(model.person, names)), "candidate_kind": "account"}


def not_found(what: str) -> Gold:
    return {"kind": "not_found", "what": what}


def refuse(intent: str, *others: str) -> Gold:
    gold = {"kind": "refuse", "intent": intent}
    return accept(gold, *map(refuse, others)) if others else gold


def unsupported(attribute: str) -> Gold:
    return {"kind": "unsupported", "attribute": attribute}


def explain(about: str, *must_mention: list[str]) -> Gold:
    return {"kind": "explain", "about": about, "must_mention": list(must_mention)}


def rejected(reason: str, detail: str) -> Gold:
    return {"kind": "rejected_query", "reason": reason, "detail": detail}


def exhausted() -> Gold:
    return {"kind": "exhausted"}


class About:
    """The answers about one kind of rows; several tests have to pass together."""

    def __init__(self, rows: Callable[[], Rows]) -> None:
        self.rows = rows

    def found(self, *tests: Test) -> list[Row]:
        return [row for row in self.rows() if both_of(*tests)(row)]

    def hits(self, *tests: Test, **more: Any) -> Gold:
        return hits(self.rows(), both_of(*tests), **more)

    def none(self, *tests: Test) -> Gold:
        """An empty list is right; so is to say that there are none."""
        return accept(self.hits(*tests, empty=True), self.count(*tests), value("no", "none"))

    def count(self, *tests: Test) -> Gold:
        return number(len(self.found(*tests)))

    def per(self, key: Test | str, *tests: Test, **more: Any) -> Gold:
        return buckets(self.rows(), both_of(*tests), keyed(key), **more)

    def per2(self, first: Test | str, second: Test | str, *tests: Test, **more: Any) -> Gold:
        return buckets(self.rows(), both_of(*tests), keyed(first), keyed(second), **more)

    def sum_of(self, field: str, *tests: Test) -> Any:
        return total(field)(self.found(*tests))

    def mean_of(self, field: str, *tests: Test) -> Any:
        return mean(field)(self.found(*tests))


def keyed(key: Test | str) -> Test:
    return key if callable(key) else lambda row: row[key]


# ---- plain values, in the ways in which they are written ---------------------------------------------------------


def dates(day: datetime) -> list[str]:
    """The day of a moment, as people and programs write it."""
    full, short = day.strftime("%B"), day.strftime("%b")
    return [
        day.strftime("%Y-%m-%d"),
        f"{full} {day.day}, {day.year}",
        f"{short} {day.day}, {day.year}",
        f"{day.day} {full} {day.year}",
        f"{day.day} {short} {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        day.strftime("%m/%d/%Y"),
    ]


def bytes_of(amount: int) -> list[str]:
    """A size in bytes and in the usual units, decimal and binary, with none to two decimals."""
    found = [str(amount), f"{amount:,}"]
    units = [("kB", 10**3), ("KB", 10**3), ("KB", 2**10), ("KiB", 2**10)]
    units += [("MB", 10**6), ("MB", 2**20), ("MiB", 2**20), ("GB", 10**9), ("GiB", 2**30)]
    for unit, base in units:
        if amount / base >= 0.1:
            found += [f"{amount / base:.{places}f} {unit}" for places in (0, 1, 2)]
    return list(dict.fromkeys(found))


def figures(amount: float) -> list[str]:
    """A number as it is written with and without separators, whole or with decimals."""
    if float(amount).is_integer():
        found = [str(int(amount)), f"{int(amount):,}", f"{amount:.2f}", f"{amount:,.2f}"]
    else:
        found = [f"{amount:g}", f"{amount:.2f}", f"{amount:,.2f}", f"{amount:.1f}", f"{amount:,.1f}"]
    return list(dict.fromkeys(found))
