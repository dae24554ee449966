"""Made statements, and sentences about their cells: right ones in five wordings, and ten wrong ones for each cell.

`for_cell` changes one thing of a right sentence at a time: the column, the row, the scale, the sign, the currency, the
year. Everything is drawn from a seed, so that a failure can be repeated.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests import tables

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
SCALES = {10**3: "thousand", 10**6: "million", 10**9: "billion", 1: ""}
ROWS = tables.rows(__file__, "ROWS")
PLACES = ("Nordics", "Iberia", "Danube countries", "Overseas")


@dataclass(frozen=True)
class Column:
    """A column: its head, and how a sentence says it."""

    head: str
    said: str
    """`at December 31, 2022`, `in the Nordics`"""
    year: int = 0


@dataclass(frozen=True)
class Statement:
    """A table as the text of a page has it, with its truth."""

    name: str
    text: str
    head: str
    rows: tuple[str, ...]
    columns: tuple[Column, ...]
    values: tuple[tuple[int, ...], ...]
    written: tuple[tuple[str, ...], ...]
    """The cells as they are written, without the signs of currencies."""
    currency: str
    scale: int
    lines: tuple[str, ...]

    def quote(self, *rows: int) -> str:
        return "\n".join(" ".join(self.lines[row].split()) for row in rows)


def _columns(draw: random.Random, kind: str) -> tuple[Column, ...]:
    year = draw.randint(2008, 2024)
    years = [year - at for at in range(draw.choice((2, 3)))]
    years = years if draw.random() < 0.75 else years[::-1]
    if kind == "years":
        return tuple(Column(str(one), f"in {one}", one) for one in years)
    if kind == "days":
        day = draw.choice(("December 31", "June 30", "September 30"))
        return tuple(Column(f"{day}, {one}", f"at {day}, {one}", one) for one in years)
    if kind == "fiscal":
        return tuple(Column(f"FY{one}", f"in fiscal {one}", one) for one in years)
    if kind == "months":
        lengths = ("Three months", "Nine months")
        return tuple(
            Column(f"{length} ended September 30, {one}", f"in the {length.lower()} ended September 30, {one}", one)
            for length in lengths for one in years[:2]
        )  # fmt: skip
    if kind == "quarters":
        return tuple(Column(f"Q{at} {year}", f"in Q{at} {year}", year) for at in range(1, 5))
    return tuple(Column(place, f"in {place}") for place in PLACES)


def _cell(value: int) -> str:
    return f"({abs(value):,})" if value < 0 else f"{value:,}"


def _heads(columns: tuple[Column, ...], kind: str, stub: str, form: str) -> list[str]:
    if kind == "months" and form != "wide":
        size = len(columns) // 2
        groups = [columns[at * size].head.rpartition(" ")[0] for at in range(2)]
        above = [cell for group in groups for cell in (group, *[""] * (size - 1))]
        return ["\t".join(["", *above]), "\t".join([stub, *(one.head.rpartition(" ")[2] for one in columns)])]
    if kind == "days" and form == "two rows":
        day = columns[0].head.rpartition(" ")[0]
        above = ["", day, *[""] * (len(columns) - 1)]
        return ["\t".join(above), "\t".join([stub, *(str(one.year) for one in columns)])]
    return ["\t".join([stub, *(one.head for one in columns)])]


def statement(seed: int) -> Statement:
    """Return a statement of a layout that is drawn from a seed."""
    draw = random.Random(seed)
    topic = draw.choice([*ROWS])
    kind = "places" if topic == "regions" else draw.choice(("years", "days", "fiscal", "months", "quarters"))
    columns = _columns(draw, kind)
    rows = ROWS[topic]
    currency, scale = draw.choice([*SIGNS]), draw.choice((1, 10**3, 10**6))
    sign = SIGNS[currency]
    taken: set[int] = set()

    def value(label: str) -> int:
        while True:
            number = draw.randint(1_000, 9_999) if draw.random() < 0.5 else draw.randint(10_000, 99_999)
            if number % 10 and not {number, -number} & taken and not 1900 <= number < 2100:
                taken.add(number)
                return -number if label in ("Other income, net", "Free cash flow") else number

    values = tuple(tuple(value(label) for _ in columns) for label in rows)
    stated = {1: "", 10**3: "in thousands", 10**6: "in millions"}[scale]
    form = draw.choice(("stub", "above", "above with code", "two rows", "wide", "signs apart", "no tabs"))
    line = f"({stated})" if stated else ""
    if form == "above with code" or currency != "USD":
        line = f"({currency} {stated})".replace(" )", ")")
    is_above = form not in ("stub", "two rows")
    heads = _heads(columns, kind, "" if is_above else line, form)
    lines = []
    for label, held in zip(rows, values, strict=True):
        first = label in (rows[0], rows[-1])
        cells = [f"{sign} {_cell(one)}" if first and currency == "USD" else _cell(one) for one in held]
        if form == "signs apart" and currency == "USD":
            cells = [part for one in held for part in ("$" if first else _cell(one), _cell(one) if first else "")]
        lines.append("\t".join([label, *cells]))
    if form == "signs apart" and currency == "USD":
        heads = ["\t".join([head.split("\t")[0], *(part for one in head.split("\t")[1:] for part in (one, ""))])
                 for head in heads]  # fmt: skip
    above = [line] if is_above and line else []
    body = [*above, *heads, *lines]
    if form == "no tabs" and kind in ("years", "days"):
        heads = [" ".join(one.head for one in columns)]
        lines = [one.replace("\t", " ") for one in lines]
        body = [*above, *heads, *lines]
    title = draw.choice(("Consolidated statement", "Selected data", "The following table shows our figures:"))
    head = ""
    if draw.random() < 0.25:  # the table began on an earlier page
        head, body, title = "\n".join([*above, *heads]), [*lines], ""
    return Statement(
        f"{seed}: {topic}, {kind}, {form}", "\n".join([*([title, ""] if title else []), *body]), head, rows, columns,
        values, tuple(tuple(map(_cell, held)) for held in values), currency, scale, tuple(lines),
    )  # fmt: skip


# --- sentences -------------------------------------------------------------------------------------------------------


def money(number: float, scale: int, currency: str, draw: random.Random) -> str:
    """Write an amount that is `number` in a scale, as a sentence has it."""
    digits = f"{abs(number):,}" if isinstance(number, int) else f"{abs(number):,.10g}"
    word = SCALES[scale]
    form = draw.randrange(3)
    minus = "-" if number < 0 else ""
    text = f"{digits} {word}".strip()
    sign = {"USD": "$", "EUR": "€", "GBP": "£"}[currency]
    return (f"{minus}{sign}{text}", f"{minus}{currency} {text}", f"{minus}{text} {currency}")[form]


def _low(label: str) -> str:
    return label[0].lower() + label[1:]


@dataclass(frozen=True)
class Sentence:
    """A sentence about a cell, the quotes it is given, and what is wrong with it; empty if it is right."""

    text: str
    quotes: tuple[str, ...]
    wrong: str = ""


def for_cell(table: Statement, row: int, column: int, draw: random.Random) -> Iterator[Sentence]:
    """Yield five right sentences about a cell, and ten that differ from its truth in one thing each."""
    label, at, number = table.rows[row], table.columns[column], table.values[row][column]
    others = [one for one in range(len(table.columns)) if one != column]
    beside = draw.choice(others)
    other = table.columns[beside]
    near = draw.choice([one for one in range(len(table.rows)) if one != row])
    own, also = table.quote(row), table.quote(near)

    def said(value: float, scale: int = table.scale, currency: str = table.currency) -> str:
        return money(value, scale, currency, draw)

    verb = "were" if label.endswith("s") else "was"
    larger = table.scale * 1000
    if larger > 10**9:
        larger = table.scale
    in_larger = said(number / 1000, larger) if larger != table.scale else said(number)
    yield Sentence(f"{label} {verb} {said(number)} {at.said}.", (own,))
    yield Sentence(f"{at.said[0].upper()}{at.said[1:]}, {_low(label)} amounted to {in_larger}.", (own,))
    yield Sentence(f"The company reports {_low(label)} of {said(number)} {at.said}.", (own, also))
    pair = sorted((column, beside)) if draw.random() < 0.5 else sorted((column, beside))[::-1]
    first, last = (table.columns[one] for one in pair)
    amounts = [said(table.values[row][one]) for one in pair]
    yield Sentence(f"{label} {verb} {amounts[0]} {first.said} and {amounts[1]} {last.said}.", (own,))
    yield Sentence(f"{label} ({at.head}): {said(number)}", (own,))

    wrong_year = at.said.replace(str(at.year), str(at.year + 7)) if at.year else "in Antarctica"
    currency = draw.choice([one for one in SIGNS if one != table.currency])
    scales = [one for one in SCALES if one != table.scale]
    changed = number + draw.choice((-1, 1)) * draw.choice((1, 10, 100))
    yield Sentence(f"{label} {verb} {said(table.values[row][beside])} {at.said}.", (own,), "neighbour column")
    yield Sentence(f"{label} {verb} {said(number)} {other.said}.", (own,), "column")
    yield Sentence(f"{label} {verb} {said(table.values[near][column])} {at.said}.", (own, also), "neighbour row")
    yield Sentence(f"{table.rows[near]} {verb} {said(number)} {at.said}.", (own,), "row")
    yield Sentence(f"{label} {verb} {said(number, draw.choice(scales))} {at.said}.", (own,), "scale")
    yield Sentence(f"{label} {verb} {said(-number)} {at.said}.", (own,), "sign")
    yield Sentence(f"{label} {verb} {said(number, currency=currency)} {at.said}.", (own,), "currency")
    yield Sentence(f"{label} {verb} {said(number)} {wrong_year}.", (own,), "year")
    yield Sentence(f"{label} {verb} {amounts[1]} {first.said} and {amounts[0]} {last.said}.", (own, also), "swapped")
    yield Sentence(f"{label} {verb} {said(changed)} {at.said}.", (own,), "digit")
