"""Files of invented companies with what is true of them, in the formats, layouts and numbers of several countries.

    python make.py SET OUT        writes OUT/files/BUCKET/..., OUT/corpus.yaml and OUT/truth.jsonl

The kinds of documents of a set are in `SET.yaml`: how documents word each field, and how a user would declare it. Each
fact stands on its page, as it is written there: `text` in the truth.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
}
NUMERALS = {1: "one", 2: "two", 3: "three", 4: "four", 6: "six", 12: "twelve", 14: "fourteen", 24: "twenty-four",
30: "thirty",
            36: "thirty-six", 45: "forty-five", 60: "sixty", 90: "ninety"}  # fmt: skip
UNITS = {
    "en": {"day": "days", "month": "months", "year": "years", "week": "weeks"},
    "de": {"day": "Tage", "month": "Monate", "year": "Jahre", "week": "Wochen"},
    "fr": {"day": "jours", "month": "mois", "year": "ans", "week": "semaines"},
}
YES = {"en": ("Yes", "No"), "de": ("Ja", "Nein"), "fr": ("Oui", "Non")}


@dataclass(frozen=True)
class Country:
    """How numbers, money and dates are written."""

    language: str
    group: str
    point: str
    currency: str
    money: str
    day: str


COUNTRIES = {
    "us": Country("en", ",", ".", "USD", "${}", "{name} {d}, {y}|{m:02}/{d:02}/{y}"),
    "gb": Country("en", ",", ".", "GBP", "£{}|GBP {}", "{d} {name} {y}|{d:02}/{m:02}/{y}"),
    "ie": Country("en", ",", ".", "EUR", "EUR {}|€{}", "{d} {name} {y}|{y}-{m:02}-{d:02}"),
    "de": Country("de", ".", ",", "EUR", "{} €|{} EUR", "{d:02}.{m:02}.{y}|{d}. {name} {y}"),
    "fr": Country("fr", "\u202f", ",", "EUR", "{} €", "{d} {name} {y}|{d:02}/{m:02}/{y}"),
    "es": Country("en", ".", ",", "EUR", "{} €|EUR {}", "{d} {name} {y}|{d:02}.{m:02}.{y}"),
    "ch": Country("en", "'", ".", "CHF", "CHF {}|{} CHF", "{d:02}.{m:02}.{y}|{d} {name} {y}"),
    "se": Country("en", " ", ",", "SEK", "{} SEK|SEK {}", "{y}-{m:02}-{d:02}|{d} {name} {y}"),
}


class Writer:
    """Makes values, and writes them as a document of its country does."""

    def __init__(self, random_: random.Random, country: Country) -> None:
        self.random = random_
        self.country = country
        self.money_form = random_.choice(country.money.split("|"))
        self.day_form = random_.choice(country.day.split("|"))

    def number(self, value: Decimal) -> str:
        whole, _, rest = f"{value:,f}".partition(".")
        return whole.replace(",", self.country.group) + (self.country.point + rest if rest else "")

    def value(self, kind: str, spec: dict[str, Any]) -> tuple[Any, str, str]:
        """A value, its unit, and how it is written."""
        one = self.random
        if kind == "money":
            low, high = spec["range"]
            value = Decimal(one.randint(low * 100, high * 100)) / 100
            value = value.quantize(Decimal(1)) if spec.get("whole") else value.quantize(Decimal("0.01"))
            return str(value), self.country.currency, self.money_form.format(self.number(value))
        if kind == "date":
            day = date(*spec.get("from", (2022, 1, 1))) + timedelta(days=one.randint(0, spec.get("days", 900)))
            name = MONTHS[self.country.language][day.month - 1]
            return day.isoformat(), "", self.day_form.format(d=day.day, m=day.month, y=day.year, name=name)
        if kind == "duration":
            count, unit = one.choice(spec["choices"])
            word = UNITS[self.country.language][unit]
            word = (
                {"months": "month", "years": "year", "Jahre": "Jahr", "Monate": "Monat"}.get(word, word)
                if count == 1
                else word
            )
            forms = [f"{count} {word}"]
            if self.country.language == "en" and count in NUMERALS:
                forms += [f"{NUMERALS[count]} ({count}) {word}", f"{NUMERALS[count]} {word}"]
            return [count, unit], unit, one.choice(forms)
        if kind == "number":
            low, high, digits = spec["range"]
            value = Decimal(one.randint(int(low * 10**digits), int(high * 10**digits))).scaleb(-digits)
            unit = spec.get("unit", "")
            shown, factor = one.choice([(unit, 1), *map(tuple, spec.get("also", []))]) if unit else ("", 1)
            other = (value * Decimal(str(factor))).normalize() if factor != 1 else value
            space = one.choice([" ", " ", ""]) if shown not in ("%",) else one.choice(["", " "])
            return str(value), unit, f"{self.number(Decimal(f'{other:f}'))}{space}{shown}".strip()
        if kind == "boolean":
            value = one.random() < 0.5
            return value, "", YES[self.country.language][not value]
        if kind == "choice":
            name = one.choice([*spec["choices"]])
            return name, "", one.choice(spec["choices"][name])
        if kind == "list":
            names = one.sample(spec["names"], one.randint(2, 3))
            return names, "", ", ".join(names)
        pattern = one.choice(spec["names"])
        text = re.sub("#", lambda _: str(one.randint(0, 9)), pattern)
        return text, "", text


# --- documents -------------------------------------------------------------------------------------------------------

Block = tuple[str, Any]


def document(kind: dict[str, Any], writer: Writer) -> tuple[list[Block], list[dict[str, Any]]]:
    """The blocks of a document, and its facts."""
    one = writer.random
    language = writer.country.language
    facts, pairs, sentences, unlabelled = [], [], [], []
    for name, spec in kind["fields"].items():
        if spec["kind"] == "rows":
            continue
        if one.random() < spec.get("absent", 0.08):
            continue
        value, unit, text = writer.value(spec["kind"], spec)
        fact = {"field": name, "kind": spec["kind"], "value": value, "unit": unit, "text": text}
        said = spec.get("said", {}).get(language, [])
        labels = spec.get("written", {}).get(language) or spec["written"]["en"]
        if said and (not labels or one.random() < 0.4):
            sentences.append(one.choice(said).format(text))
        else:
            pairs.append((one.choice(labels), text))
        facts.append(fact)
    others = [
        pair
        for pair in kind.get("others", {}).get(language, kind.get("others", {}).get("en", []))
        if one.random() < 0.7
    ]
    for label, spec in others:
        pairs.append((label, writer.value(spec["kind"], spec)[2]))
    if one.random() < 0.5:
        one.shuffle(pairs)
    blocks: list[Block] = [("head", one.choice(kind["titles"].get(language, kind["titles"]["en"])))]
    blocks += unlabelled
    if kind.get("intro"):
        blocks.append(("text", one.choice(kind["intro"])))
    half = len(pairs) // 2 if one.random() < 0.4 else len(pairs)
    blocks.append((one.choice(["colon", "table", "wide", "two", "stacked", "headed"]), pairs[:half]))
    noise = list(kind.get("noise", {}).get(language, kind.get("noise", {}).get("en", [])))
    one.shuffle(noise)
    prose = sentences + noise[: one.randint(1, 3)]
    one.shuffle(prose)
    if pairs[half:]:
        blocks.append(("sub", one.choice(["Details", "Further particulars", "Summary", "Section B"])))
        blocks.append((one.choice(["colon", "table", "wide"]), pairs[half:]))
    for name, spec in kind["fields"].items():
        if spec["kind"] == "rows":
            head, rows = [], []
            columns = spec["columns"]
            for column in columns.values():
                labels = column["written"].get(language) or column["written"]["en"]
                head.append(one.choice(labels))
            for number in range(one.randint(2, 5)):
                row = []
                for key, column in columns.items():
                    value, unit, text = writer.value(column["kind"], column)
                    facts.append(
                        {
                            "field": f"{name}.{key}",
                            "kind": column["kind"],
                            "value": value,
                            "unit": unit,
                            "text": text,
                            "row": number,
                        }
                    )
                    row.append(text)
                rows.append(row)
            blocks.append(("rows", (head, rows)))
    if len(prose) > 2:
        blocks.append(("sub", one.choice(["Terms", "Notes", "Conditions", "Remarks"])))
    if one.random() < 0.3:
        blocks.append(("page", None))
    groups = [prose[i : i + 2] for i in range(0, len(prose), 2)] if one.random() < 0.5 else [[s] for s in prose]
    blocks += [("text", " ".join(group)) for group in groups]
    return blocks, facts


# --- formats ---------------------------------------------------------------------------------------------------------


def lines(blocks: list[Block], random_: random.Random) -> Iterator[str]:
    for kind, part in blocks:
        if kind in ("head", "sub"):
            yield part.upper() if random_.random() < 0.3 else part
        elif kind == "text":
            yield "\n".join(re.findall(r".{1,76}(?:\s|$)", part)).replace(" \n", "\n")
        elif kind == "page":
            continue
        elif kind == "rows":
            head, rows = part
            widths = [max(len(row[i]) for row in [head, *rows]) + 3 for i in range(len(head))]
            yield "\n".join(
                "".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in [head, *rows]
            )
        elif kind == "stacked":
            yield "\n\n".join(f"{label}\n{text}" for label, text in part)
        elif kind in ("wide", "table", "headed"):
            width = max((len(label) for label, _ in part), default=0) + 4
            yield "\n".join(label.ljust(width, "." if kind == "headed" else " ") + " " + text for label, text in part)
        elif kind == "two":
            cells = [f"{label}: {text}" for label, text in part]
            yield "\n".join(
                f"{cells[i].ljust(42)}{cells[i + 1] if i + 1 < len(cells) else ''}".rstrip()
                for i in range(0, len(cells), 2)
            )
        else:
            yield "\n".join(f"{label}: {text}" for label, text in part)
        yield ""


def write_txt(path: Path, blocks: list[Block], random_: random.Random) -> None:
    path.write_text("\n".join(lines(blocks, random_)), "utf-8")


def write_eml(path: Path, blocks: list[Block], random_: random.Random) -> None:
    message = EmailMessage()
    message["From"], message["To"] = "office@merrowdale.example", "archive@quillford.example"
    message["Date"], message["Subject"] = "Tue, 03 Jun 2025 09:14:00 +0200", blocks[0][1]
    message.set_content("\n".join(lines([one for one in blocks[1:] if one[0] != "head"], random_)))
    path.write_bytes(bytes(message))


def write_md(path: Path, blocks: list[Block], random_: random.Random) -> None:
    out = []
    for kind, part in blocks:
        if kind in ("head", "sub"):
            out.append(("# " if kind == "head" else "## ") + part)
        elif kind == "text":
            out.append(part)
        elif kind == "rows":
            head, rows = part
            out.append("\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]))
        elif kind in ("table", "headed", "wide"):
            out.append("\n".join(f"| {a} | {b} |" for a, b in [("Item", "Value"), ("---", "---"), *part]))
        elif kind == "stacked":
            out.append("\n\n".join(f"**{label}**\n{text}" for label, text in part))
        elif kind == "two":
            out.append("\n".join(f"**{label}:** {text}  " for label, text in part))
        elif kind != "page":
            out.append("\n".join(f"- {label}: {text}" for label, text in part))
    path.write_text("\n\n".join(out) + "\n", "utf-8")


def write_html(path: Path, blocks: list[Block], random_: random.Random) -> None:
    out = ["<!DOCTYPE html><html><head><meta charset='utf-8'><title>Document</title></head><body>"]
    for kind, part in blocks:
        if kind in ("head", "sub"):
            tag = "h1" if kind == "head" else "h2"
            out.append(f"<{tag}>{escape(part)}</{tag}>")
        elif kind == "text":
            out.append(f"<p>{escape(part)}</p>")
        elif kind == "rows":
            head, rows = part
            row = lambda cells, tag: "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"  # noqa: E731
            out.append("<table>" + row(head, "th") + "".join(row(one, "td") for one in rows) + "</table>")
        elif kind == "two":
            cells = [f"<td>{escape(label)}</td><td>{escape(text)}</td>" for label, text in part]
            out.append(
                "<table>"
                + "".join(f"<tr>{''.join(cells[i : i + 2])}</tr>" for i in range(0, len(cells), 2))
                + "</table>"
            )
        elif kind == "stacked":
            out.append(
                "".join(f"<div><span>{escape(label)}</span><br><b>{escape(text)}</b></div>" for label, text in part)
            )
        elif kind == "colon":
            out.append(
                "<dl>" + "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in part) + "</dl>"
            )
        elif kind == "wide":
            out.append("".join(f"<p><strong>{escape(label)}:</strong> {escape(text)}</p>" for label, text in part))
        elif kind != "page":
            out.append(
                "<table>" + "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in part) + "</table>"
            )
    path.write_text("\n".join([*out, "</body></html>"]), "utf-8")


def write_docx(path: Path, blocks: list[Block], random_: random.Random) -> None:
    import docx

    file = docx.Document()
    for kind, part in blocks:
        if kind in ("head", "sub"):
            file.add_heading(part, 1 if kind == "head" else 2)
        elif kind == "text":
            file.add_paragraph(part)
        elif kind == "page":
            file.add_page_break()
        elif kind == "rows":
            head, rows = part
            _docx_table(file, [head, *rows])
        elif kind in ("table", "headed"):
            _docx_table(file, [*([("Item", "Value")] if kind == "headed" else []), *part])
        elif kind == "two":
            cells = [cell for pair in part for cell in pair]
            _docx_table(file, [[*cells[i : i + 4], "", ""][:4] for i in range(0, len(cells), 4)])
        else:
            for label, text in part:
                between = {"colon": ": ", "wide": "\t", "stacked": "\n"}[kind]
                file.add_paragraph().add_run(f"{label}{between}{text}")
    file.save(str(path))


def _docx_table(file: Any, rows: Any) -> None:
    table = file.add_table(rows=0, cols=len(rows[0]) if rows else 1)
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text


def write_xlsx(path: Path, blocks: list[Block], random_: random.Random) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    for kind, part in blocks:
        if kind in ("head", "sub", "text"):
            sheet.append([part])
        elif kind == "rows":
            sheet.append([])
            for row in [part[0], *part[1]]:
                sheet.append(row)
        elif kind == "two":
            cells = [cell for pair in part for cell in pair]
            for i in range(0, len(cells), 4):
                sheet.append(cells[i : i + 4])
        elif kind != "page":
            for label, text in part:
                sheet.append([label, text])
            sheet.append([])
    book.save(path)


def write_pdf(path: Path, blocks: list[Block], random_: random.Random) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

    font = "Helvetica"
    for file in Path("/usr/share/fonts").rglob("DejaVuSans.ttf"):
        pdfmetrics.registerFont(TTFont("DejaVu", file))
        font = "DejaVu"
        break
    styles = getSampleStyleSheet()
    for style in styles.byName.values():
        if hasattr(style, "fontName") and (font != "Helvetica" or style.name == "BodyText"):
            style.fontName = font if style.name == "BodyText" or font == "Helvetica" else style.fontName
    body = styles["BodyText"]
    parts: list[Any] = []

    def table(rows: Any, grid: bool, widths: Any = None) -> None:
        style = [("FONT", (0, 0), (-1, -1), font, 9), *([("GRID", (0, 0), (-1, -1), 0.4, "black")] if grid else [])]
        parts.append(Table(rows, style=style, hAlign="LEFT", colWidths=widths))

    for kind, part in blocks:
        if kind in ("head", "sub"):
            parts.append(Paragraph(escape(part), styles["Heading1" if kind == "head" else "Heading2"]))
        elif kind == "text":
            parts.append(Paragraph(escape(part), body))
        elif kind == "page":
            parts.append(PageBreak())
        elif kind == "rows":
            table([part[0], *part[1]], random_.random() < 0.6)
        elif kind in ("table", "headed"):
            table([*([("Item", "Value")] if kind == "headed" else []), *part], True)
        elif kind == "wide":
            table(part, False, [170, 260])
        elif kind == "two":
            cells = [cell for pair in part for cell in pair]
            table([[*cells[i : i + 4], "", ""][:4] for i in range(0, len(cells), 4)], random_.random() < 0.5)
        else:
            for label, text in part:
                between = ": " if kind == "colon" else "<br/>"
                parts.append(Paragraph(f"{escape(label)}{between}{escape(text)}", body))
        parts.append(Spacer(1, 8))
    SimpleDocTemplate(str(path), pagesize=A4, title="").build(parts)


FORMATS = {
    "pdf": write_pdf, "docx": write_docx, "html": write_html, "md": write_md, "txt": write_txt, "eml": write_eml,
    "xlsx": write_xlsx,
}  # fmt: skip


def main(name: str, out: Path, each: int = 14) -> None:
    source = yaml.safe_load((HERE / f"{name}.yaml").read_text("utf-8"))
    random_ = random.Random(f"{name} 7")
    truth = []
    schema: dict[str, Any] = {"version": 1, "name": name, "buckets": {}}
    for bucket, kind in source["buckets"].items():
        schema["buckets"][bucket] = {
            "description": kind["description"],
            "fields": {field: spec["declared"] for field, spec in kind["fields"].items()},
        }
        (out / "files" / bucket).mkdir(parents=True, exist_ok=True)
        for number in range(each):
            suffix = ["pdf", "pdf", "docx", "html", "md", "txt", "eml", "xlsx", "pdf", "docx"][number % 10]
            country = COUNTRIES[random_.choice(kind.get("countries", [*COUNTRIES]))]
            blocks, facts = document(kind, Writer(random_, country))
            path = out / "files" / bucket / f"{bucket}_{number:03}.{suffix}"
            FORMATS[suffix](path, blocks, random_)
            broken = next((at for at, block in enumerate(blocks) if block[0] == "page"), len(blocks))
            later = " ".join(str(part) for _, part in blocks[broken:])
            for fact in facts:
                is_later = suffix == "pdf" and fact["text"] in later and fact["text"] not in str(blocks[:broken])
                truth.append({"file": f"{bucket}/{path.name}", "page": 2 if is_later else 1, **fact})
    (out / "corpus.yaml").write_text(yaml.safe_dump(schema, sort_keys=False, allow_unicode=True), "utf-8")
    (out / "truth.jsonl").write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in truth), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:4]))
