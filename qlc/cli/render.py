"""Outcomes, diagnostics and explanations as text for people: tables and colour on a terminal, plain in a pipe."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import IO, TYPE_CHECKING, Any

from qlc.base.diagnostics import Diagnostic
from qlc.base.diagnostics import render as render_diagnostic
from qlc.base.options import zone_of
from qlc.base.texts import escaped, width_of
from qlc.cli.settings import Run, When
from qlc.cli.terminal import CSI, sign_of
from qlc.outcome import (
    AggregateOut,
    Answer,
    Citation,
    Clarify,
    Count,
    Declined,
    Explain,
    Failed,
    Hits,
    Note,
    NotInCorpus,
    Outcome,
    Passages,
    Several,
    Unsupported,
)
from qlc.outcome.tables import answer_cells, hits_cells, rows_cells
from qlc.resolver.names.wording import MOST_READ

if TYPE_CHECKING:
    from datetime import tzinfo

    from qlc.compiler.completion import Candidate
    from qlc.conversation import Reply

RED, YELLOW, BOLD, DIM = "31", "33", "1", "2"
MAX_COLUMN = 48
MOST_ROWS = 50
"""Rows of a table on a terminal and in a conversation."""


@dataclass(frozen=True, slots=True)
class Style:
    """Whether to colour, how wide the terminal is (None: a pipe, nothing is cut), what colours begin with, and whether
    the numbers of groups are drawn as bars; `whole`: hits have all columns, and none is cut. Times are shown in the
    `zone` that the question was read in."""

    colour: bool = False
    width: int | None = None
    sign: str = CSI
    bars: bool = False
    whole: bool = False
    zone: tzinfo | None = None

    @classmethod
    def of(cls, stream: IO[str]) -> Style:
        """Return the style for a stream. `NO_COLOR` and pipes turn colour off."""
        if not stream.isatty():
            return cls()
        return cls("NO_COLOR" not in os.environ, shutil.get_terminal_size().columns, sign_of(stream))

    @classmethod
    def asked(cls, options: When) -> Style:
        """Return the style of an answer on standard output, by the options of the command."""
        zone = zone_of(options.tz) if options.tz else None
        style = replace(cls.of(sys.stdout), zone=zone)
        return replace(style, bars=options.chart, whole=options.all_columns) if isinstance(options, Run) else style

    def paint(self, text: str, code: str) -> str:
        return f"{self.sign}{code}m{text}{self.sign}0m" if self.colour else text


_FIRST = "Left out: "
"""Beginning of notes that are printed before the answer, because a part of the question was left out."""


def diagnostic(found: Diagnostic, source: str, style: Style) -> str:
    text = render_diagnostic(found, source)
    head, _, rest = text.partition("\n")
    head = style.paint(head, RED if found.severity == "error" else YELLOW)
    fixed = f"\n  fixed: {found.fixed}" if found.fixed else ""
    return (f"{head}\n{rest}" if rest else head) + fixed


def outcome(
    found: Outcome, source: str, style: Style, *, talking: bool = False, every: bool = False, alone: bool = True
) -> str:
    """Return the whole answer as text: findings, the answer itself, notes.

    `talking`: in a conversation; `every`: with all rows; `alone`: it is the only answer of a command, which can be
    repeated with a choice or a cursor.
    """
    parts = [diagnostic(note.diagnostic(), source, style) for note in found.diagnostics]
    if found.notes and found.message.startswith(lead := found.notes[0]):  # what became of the conditions before
        parts.append(style.paint(lead, BOLD))
        found = found.model_copy(update={"message": found.message.removeprefix(lead).strip(), "notes": found.notes[1:]})
    parts += [f"Note: {note}" for note in found.notes if note.startswith(_FIRST)]
    message = style.paint(found.message, BOLD)
    match found:
        case Hits():
            parts += [message, hits_table(found, style)] if found.hits else [message]
            if found.cursor:
                further = "--size N or --all; --json prints a cursor for --cursor" if alone else "--size N or --all"
                how = "say 'show more'" if talking else further
                parts.append(style.paint(f"More: {how}.", DIM))
        case AggregateOut():
            parts += _rows(found, style, talking=talking, every=every)
        case Clarify():
            parts += _question(found, style, talking=talking, alone=alone)
        case Several():
            parts += [outcome(one, source, style, talking=talking, every=every, alone=False) for one in found.outcomes]
        case Failed() if found.id:
            shown = "'qlc explain', or " if alone and not talking else ""
            details = f"Details: {shown}the file that $QLC_LOG names (id {found.id})."
            parts += [message, style.paint(details, DIM)]
        case Answer():
            parts += _answer(found, style)
        case Passages():
            parts.append(message)
            parts += [_source(n, one.file, one.page, one.quote, style) for n, one in enumerate(found.passages, 1)]
        case _:
            parts.append(message)
            if isinstance(found, Declined) and found.rows:
                columns = dict.fromkeys(name for row in found.rows for name in row.cells)
                parts += ["Sure to match:", *_answer(Answer(columns=[*columns], rows=found.rows), style)]
    perhaps = [f"  {one}" for one in getattr(found, "suggestions", ())]
    perhaps = ["Perhaps:", *perhaps] if perhaps else []
    parts += perhaps if isinstance(found, Passages | Declined | Unsupported | Explain | NotInCorpus) else []
    if talking or style.width is not None:
        parts += [style.paint(cell_text, DIM) for cell_text in _places(found)]
    parts += [f"Note: {note}" for note in found.notes if not note.startswith(_FIRST)]
    parts += perhaps if isinstance(found, Hits | Count) else []
    return "\n".join(part for part in parts if part)


def _answer(found: Answer, style: Style) -> list[str]:
    """Return the text with the numbers of its sources, a table if there is one, and the sources with their quotes."""
    sources: dict[tuple[str, int | None, str], int] = {}

    def marks(citations: Iterable[Citation]) -> str:
        numbers = [sources.setdefault((c.file, c.page, c.quote), len(sources) + 1) for c in citations]
        return "".join(f" [{number}]" for number in dict.fromkeys(numbers))

    lines = []
    if found.rows and not found.computed:
        lines.append(table(*answer_cells(found, marks), style))
    else:
        lines += [f"{style.paint(claim.text, BOLD)}{marks(claim.citations)}" for claim in found.claims]
    lines += [_source(number, *one, style) for one, number in sources.items()]
    return lines


def _source(number: int, file: str, page: int | None, quote: str, style: Style) -> str:
    where = file if page is None else f"{file}, page {page}"
    said = f': "{" ".join(quote.split())}"' if quote else " (given, not read)"
    return style.paint(f"[{number}] {where}{said}", DIM)


def _question(found: Clarify, style: Style, *, talking: bool, alone: bool) -> list[str]:
    """Return a clarification, its options, and how to answer it here."""
    if not found.options:
        return [style.paint(found.message, BOLD)]  # it is answered by asking again, with a name
    options = [f"  {n}. {option.label}" for n, option in enumerate(found.options, 1)]
    if talking:
        how = "Answer with a number, a name, or a word that only one has."
        how += " ':save FILE.csv' writes all." if found.what == "overload" else ""
    elif not alone:
        how = "Ask this question by itself to choose."
    else:
        options = [f"{text}  [{option.id}]" for text, option in zip(options, found.options, strict=True)]
        how = f"Choose with --choose NUMBER --token {found.token}"
        how += ", or write all with --csv or --ndjson" if found.what == "overload" else ""
    if found.what != "overload" and len(options) > MOST_READ:
        total = found.total or len(options)
        options = [*options[:OPTIONS_SHOWN], f"  ... and {total - OPTIONS_SHOWN:,} more"]
    return [style.paint(found.message, BOLD), *options, style.paint(how, DIM)]


OPTIONS_SHOWN = 10
"""Options that are printed of a question that has more of them than `MOST_READ`."""


def _places(found: Outcome) -> list[str]:
    """Return sentences with the paths of the named things, without those that the answer itself shows."""
    shown = set(found.ids) if isinstance(found, Hits) else set()
    places = []
    for one in found.names:
        if one.path and one.id not in shown:
            inside = "" if one.path.endswith(one.name) else "in "
            places.append(f"'{one.name}' is {inside}{one.path}.")
    return places


def _rows(found: AggregateOut, style: Style, *, talking: bool, every: bool) -> list[str]:
    """Return a table of rows; on a terminal only the first ones."""
    most = MOST_ROWS if (talking or style.width is not None) and not every else len(found.rows)
    message = style.paint(found.message, BOLD)
    if len(found.rows) <= most:
        return [message, rows_table(found, style)] if found.rows else [message]
    how = "':save FILE.csv' writes them all" if talking else "--all prints them, --csv writes them"
    text = f"{len(found.rows):,} rows. {most:,} shown."
    return [message, rows_table(found, style, most), text, style.paint(f"More: {how}.", DIM)]


def reply(found: Reply, style: Style, *, talking: bool = True, every: bool = False) -> str:
    """Return all outcomes of a message: one text over those that it covers, then the others.

    Without `talking` they are the answers of a command, which cannot be followed up. `every`: with all rows.
    """
    parts = [style.paint(found.narrative, BOLD)] if found.narrative else []
    for place, one in enumerate(found.outcomes):
        if found.origin == "earlier":  # what it has places in is in an earlier message
            one = one.model_copy(update={"diagnostics": []})
        parts += [asked_as(one, style)] if found.origin in ("words", "choice") else []
        if place in found.narrated:
            parts += [f"Note: {note}" for note in one.notes]
        else:
            parts.append(outcome(one, found.text, style, talking=talking, every=every, alone=False))
    parts += [f"Note: {note}" for note in found.notes]
    return "\n".join(part for part in parts if part)


def asked_as(found: Outcome, style: Style) -> str:
    """Return the query of words as a line for a terminal; empty for a pipe, which gets the answer alone."""
    is_terminal = style.width is not None
    return style.paint(found.query, DIM) if is_terminal and found.query and found.kind != "explain" else ""


# --- tables ----------------------------------------------------------------------------------------------------------


def hits_table(found: Hits, style: Style) -> str:
    """Return the hits as a table; with all columns, below one another where they are wider than the terminal."""
    names, rows = hits_cells(found, style.zone)
    if style.whole and style.width is not None:
        widths = (max(map(width_of, map(escaped, column))) + 2 for column in zip(names, *rows, strict=True))
        if sum(widths) > style.width + 2:
            return "\n\n".join(_record(names, row, style) for row in rows)
    return table(names, rows, style)


def _record(names: Sequence[str], row: Sequence[str], style: Style) -> str:
    """Return the values of one hit, each on its own line beside its name; empty ones are left out."""
    room = max(map(width_of, map(escaped, names)))
    lines = ((escaped(name), escaped(text)) for name, text in zip(names, row, strict=True) if text)
    return "\n".join(f"{style.paint(_filled(name, room, right=False), BOLD)}  {text}" for name, text in lines)


def rows_table(found: AggregateOut, style: Style, most: int | None = None) -> str:
    names, rows = rows_cells(found, most, style.zone)
    if style.bars:
        from qlc.cli.chart import NARROWEST, WIDEST, bars, numbers
        from qlc.outcome.chart import can_draw

        if can_draw(found):
            taken = max(map(width_of, table(names, rows, replace(style, colour=False)).splitlines()))
            room = WIDEST if style.width is None else min(WIDEST, style.width - taken - 2)
            if room < NARROWEST:
                return f"{table(names, rows, style)}\nThe terminal is too narrow for a chart."
            names = [*names, ""]
            rows = [[*row, bar] for row, bar in zip(rows, bars(numbers(found)[:most], room), strict=True)]
    return table(names, rows, style)


_NUMBER = re.compile(r"-?[\d,]+(\.\d+)?(e[+-]?\d+)?( (%|[a-zA-Z]{1,7}))*( \d+ [a-zA-Z]+)?")
"""Cells that are aligned to the right: a number, with its unit."""


def table(names: Sequence[str], rows: Sequence[Sequence[str]], style: Style) -> str:
    """Return columns side by side. On a terminal long cells are cut with an ellipsis, in a pipe they are not."""
    if style.width is not None:  # as it is going to be shown
        cells = [[_cut(escaped(text), MAX_COLUMN) for text in row] for row in (names, *rows)]
    else:
        cells = [list(row) for row in (names, *rows)]
    widths = [max(width_of(row[n]) for row in cells) for n in range(len(names))]
    right = [all(_NUMBER.fullmatch(row[n]) for row in rows if row[n]) for n in range(len(names))]
    lines = [
        "  ".join(_filled(text, w, r) for text, w, r in zip(row, widths, right, strict=True)).rstrip()
        for row in cells
    ]
    if style.width is not None:
        lines = [_cut(line, style.width) for line in lines]
    return "\n".join([style.paint(lines[0], BOLD), *lines[1:]])


def _filled(text: str, width: int, right: bool) -> str:
    blank = " " * (width - width_of(text))
    return blank + text if right else text + blank


def _cut(text: str, limit: int) -> str:
    if width_of(text) <= limit:
        return text
    wide = list(accumulate(width_of(character) for character in text))
    return text[: bisect_right(wide, limit - 1)] + "…"


# --- explain and completion ------------------------------------------------------------------------------------------


def explanation(record: Mapping[str, Any], style: Style) -> str:
    """Return the records of the stages, one below the other."""
    parts = [_section("words", record["source"], style)] if "translation" in record else []
    parts += [_section(step["by"], _step_text(step), style) for step in record.get("translation", ())]
    if record.get("fixed"):
        parts.append(_section("fixed", "\n".join(record["fixed"]), style))
    if "translation" not in record or "canonical" in record:
        parts.append(_section("query", record.get("canonical") or record["source"], style))
    findings = [Note(**note).diagnostic() for note in record.get("diagnostics", ())]
    parts += [diagnostic(found, record["source"], style) for found in findings]
    if record.get("computed"):
        meanings = "\n".join(f"{name}: {text}" for name, text in record["computed"].items())
        parts.append(_section("computed", meanings, style))
    if record.get("fields"):
        parts.append(_section("fields", "\n".join(record["fields"]), style))
    if "typed" in record:
        parts.append(_section("typed", _json(record["typed"]), style))
    if record.get("plan"):
        lines = [
            f"level {n}: [{step['step']}] {step['reads']} -> {', '.join(step['takes'])}"
            + (f"  (needs {', '.join(map(str, step['needs']))})" if step["needs"] else "")
            for n, level in enumerate(record["plan"])
            for step in level
        ]
        parts.append(_section("plan", "\n".join(lines), style))
    for request in record.get("requests", ()):
        place = f"round trip {request['round trip']}" if "round trip" in request else f"level {request['level']}"
        took = f", {request['milliseconds']} ms" if "milliseconds" in request else ""
        index = request["index"]
        parts.append(_section(f"{place}: {request['purpose']} ({index}{took})", _json(request["body"]), style))
    if "milliseconds" in record:
        times = ", ".join(f"{stage} {ms} ms" for stage, ms in record["milliseconds"].items())
        parts.append(_section("time", times, style))
    if "outcome" in record:
        shown = {**record["outcome"]}
        if shown.get("hits"):
            shown["hits"], shown["ids"] = f"{len(shown['hits'])} hits", shown["ids"][:3]
        parts.append(_section("outcome", _json(shown), style))
    if "failure" in record:
        parts.append(_section("failure", record["failure"], style))
    return "\n".join(parts)


def _step_text(step: Mapping[str, Any]) -> str:
    """Return a step of a translator as text. Readings stand on lines of their own, with their costs."""
    if "readings" in step:
        lines = [f"{cost:5.2f}  {program}" for program, cost in step["readings"]]
        if lines:
            return "\n".join([f"{step['what']}, surest first", *lines])
        words = [f"{word}: {', or '.join(meanings) or 'not understood'}" for word, meanings in step.get("words", ())]
        return "\n".join(["no reading accounts for all words", *words])
    detail = [f"{key}: {value}" for key, value in step.items() if key not in ("by", "what")]
    return "\n".join([step["what"], *detail])


def _section(title: str, text: str, style: Style) -> str:
    body = "\n".join(f"  {line}" for line in text.splitlines())
    return f"{style.paint(title, BOLD)}\n{body}"


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def completions(found: Sequence[Candidate], style: Style) -> str:
    width = max((len(c.text) for c in found), default=0)
    return "\n".join(f"{c.text.ljust(width)}  {style.paint(f'{c.kind}  {c.detail}'.rstrip(), DIM)}" for c in found)
