"""What a table of questions is made of: a text, and its right answer as a plain predicate over the documents.

A table module fills `TABLE` by calling `ask` (one text) and `talk` (turns). Nothing here knows the query language: the
program beside a question is only for the cross-check (`cross_check.py`), never for the gold.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from tests.reference import model
from tests.reference.case import groups
from tests.reference.model import Row

Gold = dict[str, Any]
Answer = Callable[[], Gold]
Test = Callable[[Row], Any]
Rows = Callable[[], Sequence[Row]]


@dataclass(frozen=True)
class Turn:
    text: str
    answer: Answer
    program: str | None = None


@dataclass(frozen=True)
class Question:
    id: str
    turns: tuple[Turn, ...]
    single: bool

    @property
    def category(self) -> str:
        return self.id.rsplit("-", 1)[0]


@dataclass
class Table:
    """The questions of one data set, in the order in which they were written."""

    questions: list[Question] = field(default_factory=list)

    def ask(self, id: str, text: str, answer: Answer, program: str | None = None) -> None:
        self.questions.append(Question(id, (Turn(text, answer, program),), single=True))

    def talk(self, id: str, *turns: tuple[Any, ...]) -> None:
        self.questions.append(Question(id, tuple(Turn(*turn) for turn in turns), single=False))


# ---- answers -----------------------------------------------------------------------------------------------------


def accept(answer: Answer, *others: Answer) -> Answer:
    """The answer, or else one of the others."""

    def build() -> Gold:
        gold = answer()
        return {**gold, "also_accept": [*gold.get("also_accept", []), *(other() for other in others)]}

    return build


def hits(
    rows: Rows,
    test: Test,
    *,
    sort: Test | None = None,
    desc: bool = False,
    limit: int | None = None,
    offset: int = 0,
    empty: bool = False,
) -> Answer:
    """All the rows that pass the test; in the order of `sort`, those that lack it last; or a slice of them."""
    return partial(_hits, rows, test, sort, desc, limit, offset, empty)


def _hits(rows: Rows, test: Test, sort: Test | None, desc: bool, limit: int | None, offset: int, empty: bool) -> Gold:
    found = [row for row in rows() if test(row)]
    total = len(found)
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
    if total == len(rows()) and limit is None:
        raise ValueError("an answer of everything")
    if found and empty:
        raise ValueError("not empty")
    ids = [row["_id"] for row in found]
    gold: Gold = {"kind": "hits", "ids": ids if sort else sorted(ids), "ordered": sort is not None, "total": total}
    if limit is not None:
        gold["limit"] = limit
    if offset:
        gold["offset"] = offset
    if empty:
        gold["may_be_empty"] = True
    return gold


def none_of(rows: Rows, test: Test) -> Answer:
    """An empty list is right; so is to say that there are none."""
    return accept(hits(rows, test, empty=True), count(rows, test), value("no", "none"))


def these(*found: Callable[[], Row]) -> Answer:
    return lambda: hits(lambda: [row() for row in found] + [Row(_id="")], lambda row: row["_id"] != "")()


def count(rows: Rows, test: Test) -> Answer:
    return lambda: {"kind": "count", "value": sum(1 for row in rows() if test(row))}


def number(of: Callable[[], int]) -> Answer:
    return lambda: {"kind": "count", "value": of()}


def value(*any_of: str | Callable[[], Iterable[str]]) -> Answer:
    def build() -> Gold:
        found: list[str] = []
        for item in any_of:
            found.extend([item] if isinstance(item, str) else item())
        return {"kind": "value", "any_of": found}

    return build


def buckets(
    rows: Rows,
    test: Test,
    *keys: Test,
    measure: Callable[[list[Row]], Any] = len,
    having: Callable[[Any], bool] = lambda _: True,
    top: int | None = None,
    lowest: bool = False,
) -> Answer:
    """Groups and their measure; only those whose measure passes `having`; only the first `top`."""

    def build() -> Gold:
        found = groups([row for row in rows() if test(row)], *keys)
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

    return build


def measure(name: str, of: Callable[[], Any]) -> Answer:
    """One number, under a nominal label."""

    def build() -> Gold:
        amount = rounded(of())
        if amount is None:
            raise ValueError("no number")
        return {"kind": "aggregate", "buckets": {name: amount}}

    return build


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


def clarify(candidates: Callable[[], Iterable[Row]]) -> Answer:
    def build() -> Gold:
        ids = sorted({row["_id"] for row in candidates()})
        if len(ids) < 2:
            raise ValueError("nothing to choose from")
        return {"kind": "clarify", "candidates": ids}

    return build


def did_you_mean(target: Callable[[], Row]) -> Answer:
    """To ask whether this one is meant: accepted where the wording is not exact."""
    return lambda: {"kind": "clarify", "candidates": [target()["_id"]]}


def which_person(*names: str) -> Answer:
    return lambda: {
        "kind": "clarify",
        "candidates": sorted(model.person(name) for name in names),
        "candidate_kind": "account",
    }


def not_found(what: str) -> Answer:
    return lambda: {"kind": "not_found", "what": what}


def refuse(intent: str, *others: str) -> Answer:
    gold: Gold = {"kind": "refuse", "intent": intent}
    if others:
        gold["also_accept"] = [{"kind": "refuse", "intent": other} for other in others]
    return lambda: gold


def unsupported(attribute: str) -> Answer:
    return lambda: {"kind": "unsupported", "attribute": attribute}


def explain(about: str, *must_mention: list[str]) -> Answer:
    return lambda: {"kind": "explain", "about": about, "must_mention": list(must_mention)}


def rejected(reason: str, detail: str) -> Answer:
    return lambda: {"kind": "rejected_query", "reason": reason, "detail": detail}


def exhausted() -> Gold:
    return {"kind": "exhausted"}


# ---- plain values, in the ways in which they are written ---------------------------------------------------------


def dates(when: Callable[[], datetime]) -> Callable[[], list[str]]:
    """The day of a moment, as people and programs write it."""

    def written() -> list[str]:
        day = when()
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

    return written


def bytes_of(size: Callable[[], int]) -> Callable[[], list[str]]:
    """A size in bytes and in the usual units, decimal and binary, with none to two decimals."""

    def written() -> list[str]:
        amount = size()
        found = [str(amount), f"{amount:,}"]
        units = [("kB", 10**3), ("KB", 10**3), ("KB", 2**10), ("KiB", 2**10)]
        units += [("MB", 10**6), ("MB", 2**20), ("MiB", 2**20), ("GB", 10**9), ("GiB", 2**30)]
        for unit, base in units:
            if amount / base >= 0.1:
                found += [f"{amount / base:.{places}f} {unit}" for places in (0, 1, 2)]
        return list(dict.fromkeys(found))

    return written


def figures(of: Callable[[], float]) -> Callable[[], list[str]]:
    """A number as it is written with and without separators, whole or with decimals."""

    def written() -> list[str]:
        amount = of()
        if float(amount).is_integer():
            return list(dict.fromkeys([str(int(amount)), f"{int(amount):,}", f"{amount:.2f}", f"{amount:,.2f}"]))
        return list(
            dict.fromkeys([f"{amount:g}", f"{amount:.2f}", f"{amount:,.2f}", f"{amount:.1f}", f"{amount:,.1f}"])
        )

    return written
