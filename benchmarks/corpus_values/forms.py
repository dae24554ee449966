"""Files in other layouts than those of make.py, with what is true of them: boxes of labels above values, cells with
both, numbered sections, tables that go over a page, sheets with typed cells, mail in HTML.

    python forms.py SET OUT [COUNT]     writes OUT/files/BUCKET/..., OUT/corpus.yaml and OUT/truth.jsonl

`SET.yaml` has the kinds of documents. `measure.py` compares. A fact of page 0 can be on any page.
"""

from __future__ import annotations

import json
import random
import re
import sys
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from html import escape
from pathlib import Path
from typing import Any

import yaml
from make import MONTHS

HERE = Path(__file__).parent
TIMES = {
    "en": {"day": ("day", "days"), "week": ("week", "weeks"), "month": ("month", "months"), "year": ("year", "years")},
    "de": {
        "day": ("Tag", "Tage"),
        "week": ("Woche", "Wochen"),
        "month": ("Monat", "Monate"),
        "year": ("Jahr", "Jahre"),
    },
    "fr": {"day": ("jour", "jours"), "week": ("semaine", "semaines"), "month": ("mois", "mois"), "year": ("an", "ans")},
}
ANSWERS = {"en": ("yes", "no"), "de": ("ja", "nein"), "fr": ("oui", "non")}


@dataclass(frozen=True)
class Place:
    """How a country writes; `address` is the line that tells where a document is from."""

    language: str
    group: str
    point: str
    currency: str
    money: tuple[str, ...]
    day: tuple[str, ...]
    address: str
    indian: bool = False


PLACES = (
    Place(
        "en",
        ",",
        ".",
        "USD",
        ("${}", "USD {}"),
        ("{m}/{d}/{y}", "{name} {d}, {y}", "{abc} {d}, {y}"),
        "1200 Elm Street, Dallas, TX 75201",
    ),
    Place(
        "en",
        ",",
        ".",
        "GBP",
        ("£{}", "{} GBP"),
        ("{d}/{m}/{y}", "{d} {abc} {y}", "{d}th {name} {y}"),
        "4 Mill Lane, Leeds LS1 4AB",
    ),
    Place(
        "en",
        ",",
        ".",
        "INR",
        ("₹{}", "INR {}", "Rs. {}"),
        ("{d:02}-{abc}-{y}", "{d:02}/{m:02}/{y}"),
        "14 MG Road, Pune 411001",
        True,
    ),
    Place(
        "de",
        ".",
        ",",
        "EUR",
        ("{} €", "EUR {}"),
        ("den {d}. {name} {y}", "{d}.{m}.{y}", "{d:02}.{m:02}.{y2}"),
        "Hauptstr. 3, 80331 München",
    ),
    Place(
        "de", "'", ".", "CHF", ("CHF {}", "Fr. {}"), ("{d}. {name} {y}", "{d:02}.{m:02}.{y}"), "Seeweg 8, 8001 Zürich"
    ),
    Place(
        "fr",
        " ",
        ",",
        "EUR",
        ("{} €", "{} EUR"),
        ("{d} {name} {y}", "le {d} {name} {y}", "{d:02}/{m:02}/{y}"),
        "12 rue des Lilas, 69002 Lyon",
    ),
)

MORE_PLACES = (
    Place(
        "en", ",", ".", "AUD", ("A${}", "AUD {}"), ("{d}/{m}/{y}", "{d} {name} {y}"), "7 Wharf Road, Hobart TAS 7000"
    ),
    Place("de", ".", ",", "EUR", ("€ {}", "{} Euro"), ("{d:02}.{m:02}.{y}", "am {d}. {name} {y}"), "Ring 5, 1010 Wien"),
)
"""Of the fourth set."""


class Pen:
    """Makes values and writes them as its country does, a document in one style."""

    def __init__(self, dice: random.Random, place: Place) -> None:
        self.dice, self.place = dice, place
        self.money, self.day = dice.choice(place.money), dice.choice(place.day)

    def number(self, value: Decimal) -> str:
        whole, _, rest = f"{abs(value):f}".partition(".")
        groups = []
        size = 3
        while whole:
            groups.insert(0, whole[-size:])
            whole = whole[:-size]
            size = 2 if self.place.indian else 3
        return ("-" if value < 0 else "") + self.place.group.join(groups) + (self.place.point + rest if rest else "")

    def __call__(self, spec: dict[str, Any]) -> dict[str, Any]:
        kind, dice = spec["kind"], self.dice
        unit, typed = "", None
        if kind == "money":
            typed = Decimal(dice.randint(*(100 * end for end in spec["range"]))) / 100
            typed = typed.quantize(Decimal("0.01"))
            value, unit, text = str(typed), self.place.currency, self.money.format(self.number(typed))
        elif kind == "date":
            typed = date(*spec.get("from", (2022, 1, 1))) + timedelta(dice.randint(0, spec.get("days", 1100)))
            name = MONTHS[self.place.language][typed.month - 1]
            parts = {"d": typed.day, "m": typed.month, "y": typed.year, "y2": f"{typed.year % 100:02}"}
            text = self.day.format(name=name, abc=name[:3], **parts)
            text = re.sub(
                r"\b(\d?)([123])th",
                lambda m: m[0] if m[1] == "1" else m[1] + m[2] + {"1": "st", "2": "nd", "3": "rd"}[m[2]],
                text,
            )
            value = typed.isoformat()
        elif kind == "duration":
            count, unit = dice.choice(spec["choices"])
            value, text = [count, unit], f"{count} {TIMES[self.place.language][unit][count > 1]}"
        elif kind == "number":
            low, high, digits = spec["range"]
            typed = Decimal(dice.randint(int(low * 10**digits), int(high * 10**digits))).scaleb(-digits)
            unit = spec.get("unit", "")
            value, text = str(typed), f"{self.number(typed)} {unit}".strip()
        elif kind == "boolean":
            value = dice.random() < 0.5
            text = ANSWERS[self.place.language][not value]
        elif kind == "choice":
            value = dice.choice([*spec["choices"]])
            text = dice.choice(spec["choices"][value])
        else:
            value = text = re.sub("#", lambda _: str(dice.randint(0, 9)), dice.choice(spec["names"]))
        return {"kind": kind, "value": value, "unit": unit, "text": text, "typed": typed}


Part = tuple[str, Any]
Fact = dict[str, Any]


def document(kind: dict[str, Any], pen: Pen) -> tuple[list[Part], list[Fact]]:
    """What a document has, part by part, and its facts."""
    dice, language = pen.dice, pen.place.language
    facts, pairs, said, tables = [], [], [], []
    for name, spec in kind["fields"].items():
        if "columns" in spec:
            head = [dice.choice(column["as"].get(language, column["as"]["en"])) for column in spec["columns"].values()]
            rows = []
            for number in range(dice.randint(*spec.get("rows", (2, 5)))):
                cells = {key: pen(column) for key, column in spec["columns"].items()}
                facts += [{"field": f"{name}.{key}", "row": number, "page": 0, **cell} for key, cell in cells.items()]
                rows.append([*cells.values()])
            tables.append(("rows", (head, rows)))
        elif dice.random() < 0.92:
            fact = {"field": name, "page": 1, **pen(spec)}
            facts.append(fact)
            sentences = spec.get("said", {}).get(language)
            if sentences and dice.random() < 0.35:
                said.append(dice.choice(sentences).format(fact["text"]))
            else:
                fact["label"] = dice.choice(spec["as"].get(language, spec["as"]["en"]))
                pairs.append((fact["label"], fact))
    for label, spec in kind.get("others", {}).get(language, {}).items():
        if dice.random() < 0.7:
            pairs.append((label, pen(spec)))
    dice.shuffle(pairs)
    parts: list[Part] = [
        ("address", pen.place.address),
        ("title", dice.choice(kind["titles"].get(language, kind["titles"]["en"]))),
    ]
    cut = dice.choice([len(pairs), len(pairs) // 2])
    layouts = kind.get("layouts", LAYOUTS)
    parts.append((dice.choice(layouts), pairs[:cut]))
    noise = [*kind.get("noise", {}).get(language, [])]
    dice.shuffle(noise)
    prose = said + noise[:2]
    dice.shuffle(prose)
    parts += [("text", " ".join(prose))] if prose else []
    parts += [(dice.choice(layouts), pairs[cut:])] if pairs[cut:] else []
    return parts + tables, facts


LAYOUTS = ("boxes", "cells", "sections", "gap", "below", "dash", "bracket")
"""Labels above values in rows of a table; both in one cell; numbered lines; no colon; value indented below; `–`; the
unit in brackets at the label.
"""


def in_three(pairs: list[Any]) -> list[list[tuple[str, str]]]:
    return [[*((label, fact["text"]) for label, fact in pairs[at : at + 3])] for at in range(0, len(pairs), 3)]


def as_lines(layout: str, pairs: list[Any]) -> list[str]:
    """The lines of the layouts that are no tables; the others as tables of text."""
    rows = [(label, fact["text"]) for label, fact in pairs]
    if layout == "sections":
        return [f"{1 + at // 3}.{1 + at % 3} {label}: {text}" for at, (label, text) in enumerate(rows)]
    if layout == "inline":
        return ["; ".join(f"{label}: {text}" for label, text in rows) + "."]
    if layout == "pipes":
        return [" | ".join(f"{label}: {text}" for label, text in rows[at : at + 3]) for at in range(0, len(rows), 3)]
    if layout == "capitals":
        return [f"{label.upper()}  {text}" for label, text in rows]
    if layout == "dash":
        return [f"{label} – {text}" for label, text in rows]
    if layout == "bracket":
        return [_bracketed(label, fact) for label, fact in pairs]
    if layout == "below":
        return [f"{label}:\n    {text}" for label, text in rows]
    return [f"{label:<38}{text}" for label, text in rows]


def _bracketed(label: str, fact: Fact) -> str:
    """`Weight (kg): 12.5`."""
    unit = fact["unit"] if fact["kind"] in ("number", "money") else ""
    number = re.search(r"-?\d[\d.,'’  ]*", fact["text"])
    return f"{label} ({unit}): {number[0].strip()}" if unit and number else f"{label}: {fact['text']}"


def write_txt(path: Path, parts: list[Part], dice: random.Random) -> None:
    path.write_text("\n\n".join(_plain(parts)) + "\n", dice.choice(["utf-8", "utf-8", "utf-16", "utf-8-sig"]))


def _plain(parts: list[Part]) -> list[str]:
    out = []
    for kind, part in parts:
        if kind in ("address", "title", "text"):
            out.append(part)
        elif kind == "rows":
            head, rows = part[0], [[cell["text"] for cell in row] for row in part[1]]
            widths = [max(map(len, column)) + 3 for column in zip(head, *rows, strict=True)]
            out.append("\n".join("".join(map(str.ljust, row, widths)).rstrip() for row in (head, *rows)))
        elif kind in ("boxes", "cells"):
            for row in in_three(part):
                widths = [max(len(label), len(text)) + 4 for label, text in row]
                out.append("\n".join("".join(map(str.ljust, one, widths)).rstrip() for one in zip(*row, strict=True)))
        else:
            out.append("\n".join(as_lines(kind, part)))
    return out


def _html(parts: list[Part]) -> str:
    out = []

    def table(rows: Any, tag: str = "td") -> None:
        cells = ("".join(f"<{tag}>{cell}</{tag}>" for cell in row) for row in rows)
        out.append("<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>")

    for kind, part in parts:
        if kind in ("address", "title", "text"):
            tag = {"address": "div", "title": "h2", "text": "p"}[kind]
            out.append(f"<{tag}>{escape(part)}</{tag}>")
        elif kind == "rows":
            table(
                [
                    [f"<b>{escape(cell)}</b>" for cell in part[0]],
                    *([escape(cell["text"]) for cell in row] for row in part[1]),
                ]
            )
        elif kind == "boxes":
            for row in in_three(part):
                table(zip(*(map(escape, one) for one in row), strict=True))
        elif kind == "cells":
            table(
                [[f"<small>{escape(label)}</small><br>{escape(text)}" for label, text in row] for row in in_three(part)]
            )
        elif kind == "gap":
            cells = ((escape(label), escape(fact["text"])) for label, fact in part)
            out.append("".join(f"<div><span>{label}</span><span>{text}</span></div>" for label, text in cells))
        elif kind == "below":
            cells = ((escape(label), escape(fact["text"])) for label, fact in part)
            out.append("".join(f"<div><div>{label}</div><div>{text}</div></div>" for label, text in cells))
        else:
            out.append("<ul>" + "".join(f"<li>{escape(line)}</li>" for line in as_lines(kind, part)) + "</ul>")
    return "<html><body>" + "\n".join(out) + "</body></html>"


def write_html(path: Path, parts: list[Part], dice: random.Random) -> None:
    path.write_text("<!doctype html>" + _html(parts), "utf-8")


def write_eml(path: Path, parts: list[Part], dice: random.Random) -> None:
    message = MIMEMultipart("alternative") if dice.random() < 0.5 else MIMEText(_html(parts), "html", "utf-8")
    message["From"], message["To"], message["Subject"] = "a@brackwater.example", "b@hollin.example", parts[1][1]
    message["Date"] = "Fri, 13 Jun 2025 09:14:00 +0200"
    if isinstance(message, MIMEMultipart):
        message.attach(MIMEText("This message is shown in HTML only.", "plain", "utf-8"))
        message.attach(MIMEText(_html(parts), "html", "utf-8"))
    path.write_bytes(bytes(message))


def write_csv(path: Path, parts: list[Part], dice: random.Random) -> None:
    lines = []
    for kind, part in parts:
        if kind == "rows":
            lines += [";".join(part[0]), *(";".join(cell["text"] for cell in row) for row in part[1])]
        elif kind not in ("address", "title", "text"):
            lines += [f"{label};{fact['text']}" for label, fact in part]
        else:
            lines.append(f"{part};")
    path.write_text("\n".join(lines) + "\n", "utf-8")


def write_docx(path: Path, parts: list[Part], dice: random.Random) -> None:
    import docx

    file = docx.Document()

    def table(rows: Any) -> None:
        rows = [[*row] for row in rows]
        made = file.add_table(rows=0, cols=len(rows[0]))
        for row in rows:
            for cell, text in zip(made.add_row().cells, row, strict=True):
                cell.text = text

    for kind, part in parts:
        if kind == "title":
            file.add_heading(part, 1)
        elif kind in ("address", "text"):
            file.add_paragraph(part)
        elif kind == "rows":
            table([part[0], *([cell["text"] for cell in row] for row in part[1])])
        elif kind == "boxes":
            for row in in_three(part):
                table(zip(*row, strict=True))
                file.add_paragraph("")
        elif kind == "cells":
            for row in in_three(part):
                table([[f"{label}\n{text}" for label, text in row]])
                file.add_paragraph("")
        elif kind == "below":
            for label, fact in part:
                file.add_paragraph(label).runs[0].bold = True
                file.add_paragraph(fact["text"])
        elif kind == "gap":
            for label, fact in part:
                file.add_paragraph(f"{label}\t\t{fact['text']}")
        else:
            for line in as_lines(kind, part):
                file.add_paragraph(line)
    file.save(str(path))


def write_xlsx(path: Path, parts: list[Part], dice: random.Random) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    at = 2

    def put(row: int, column: int, fact: Any) -> None:
        typed = fact["typed"] if isinstance(fact, dict) else None
        cell = sheet.cell(row, column, fact if isinstance(fact, str) else fact["text"])
        if isinstance(typed, date):
            cell.value, cell.number_format = typed, "DD/MM/YYYY"
        elif isinstance(typed, Decimal):
            cell.value = float(typed)
            unit = fact["unit"]
            sign = {"EUR": "[$€-407]", "GBP": "[$£-809]", "USD": '"$"', "INR": "[$₹-4009]", "CHF": "[$CHF]"}.get(
                unit, ""
            )
            cell.number_format = f"{sign}#,##0.00" if sign else f'0.######" {unit}"' if unit else "General"

    for kind, part in parts:
        if kind in ("address", "title", "text"):
            sheet.cell(at, 2, part)
            at += 2
        elif kind == "rows":
            for column, text in enumerate(part[0], 2):
                sheet.cell(at, column, text)
            for row in part[1]:
                at += 1
                for column, fact in enumerate(row, 2):
                    put(at, column, fact)
            at += 2
        elif kind in ("boxes", "cells"):
            for start in range(0, len(part), 3):
                for column, (label, fact) in enumerate(part[start : start + 3]):
                    sheet.cell(at, 2 + 2 * column, label)
                    put(at + 1, 2 + 2 * column, fact)
                at += 3
        else:
            for label, fact in part:
                sheet.cell(at, 2, label + (":" if kind == "sections" else ""))
                put(at, 4, fact)
                at += 1
            at += 1
    book.save(path)


def write_pdf(path: Path, parts: list[Part], dice: random.Random) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    font = next(Path("/usr/share/fonts").rglob("DejaVuSans.ttf"))
    pdfmetrics.registerFont(TTFont("Sans", font))
    body = ParagraphStyle("body", fontName="Sans", fontSize=9.5, leading=13)
    small = ParagraphStyle("small", fontName="Sans", fontSize=7, leading=9)
    big = ParagraphStyle("big", fontName="Sans", fontSize=17, leading=24)
    out: list[Any] = []
    has_grid = dice.random() < 0.5
    repeats = dice.random() < 0.5

    def table(rows: Any, **options: Any) -> None:
        style = [
            ("FONT", (0, 0), (-1, -1), "Sans", 9),
            *([("GRID", (0, 0), (-1, -1), 0.4, "black")] if has_grid else []),
        ]
        out.append(Table([[*row] for row in rows], style=style, hAlign="LEFT", **options))

    for kind, part in parts:
        if kind in ("address", "title", "text"):
            out.append(Paragraph(escape(part), big if kind == "title" else body))
        elif kind == "rows":
            table([part[0], *([cell["text"] for cell in row] for row in part[1])], repeatRows=int(repeats))
        elif kind == "boxes":
            for row in in_three(part):
                table(zip(*row, strict=True), colWidths=[165] * len(row))
                out.append(Spacer(1, 6))
        elif kind == "cells":
            for row in in_three(part):
                cells = [[Paragraph(escape(label), small), Paragraph(escape(text), body)] for label, text in row]
                table([cells], colWidths=[165] * len(row))
        elif kind == "gap":
            table([(label, fact["text"]) for label, fact in part], colWidths=[190, 240])
        else:
            out += [Paragraph(escape(line).replace("\n", "<br/>"), body) for line in as_lines(kind, part)]
        out.append(Spacer(1, 9))
    SimpleDocTemplate(str(path), pagesize=A4, title="").build(out)


WRITERS = {"pdf": write_pdf, "docx": write_docx, "html": write_html, "txt": write_txt, "eml": write_eml,
           "xlsx": write_xlsx, "csv": write_csv}  # fmt: skip


def main(name: str, out: Path, each: int = 16) -> None:
    source = yaml.safe_load((HERE / f"{name}.yaml").read_text("utf-8"))
    dice = random.Random(f"{name} 3")
    truth = []
    places = PLACES + MORE_PLACES if source.get("more_places") else PLACES
    schema: dict[str, Any] = {"version": 1, "name": name, "buckets": {}}
    for bucket, kind in source["buckets"].items():
        declared = {field: spec["declared"] for field, spec in kind["fields"].items()}
        schema["buckets"][bucket] = {"description": kind["description"], "fields": declared}
        (out / "files" / bucket).mkdir(parents=True, exist_ok=True)
        for number in range(each):
            suffix = ["pdf", "docx", "html", "xlsx", "txt", "eml", "pdf", "docx", "csv", "pdf"][number % 10]
            parts, facts = document(kind, Pen(dice, dice.choice(places)))
            path = out / "files" / bucket / f"{bucket}_{number:03}.{suffix}"
            WRITERS[suffix](path, parts, dice)
            for fact in facts:
                del fact["typed"]
                truth.append({"file": f"{bucket}/{path.name}", **fact})
    (out / "corpus.yaml").write_text(yaml.safe_dump(schema, sort_keys=False, allow_unicode=True), "utf-8")
    (out / "truth.jsonl").write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in truth), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:4]))
