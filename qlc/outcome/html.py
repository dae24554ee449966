"""Outcomes as HTML, as a cell of a notebook shows them. It knows their attributes and none of their types (`Any`)."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from qlc.base.diagnostics import render
from qlc.outcome.chart import svg_chart
from qlc.outcome.tables import answer_cells, hits_cells, rows_cells

MOST_ROWS = 50
"""Most rows of a table in a cell."""


def html(found: Any) -> str:
    """Return the message, the table, the options of a clarification, sources, errors and notes, and the query in a
    fold."""
    if found.kind == "several":
        return "\n<hr>\n".join(map(html, found.outcomes))
    parts = [*_body(found)]
    parts += [f"<p>{escape(note)}</p>" for note in found.notes]
    if suggestions := getattr(found, "suggestions", None):
        parts.append(f"<p>Perhaps:</p>{_list(suggestions)}")
    if found.query and found.kind != "invalid":
        parts.append(f"<details><summary>Query</summary><pre>{escape(found.query)}</pre></details>")
    return f'<div class="qlc-outcome">{"".join(parts)}</div>'


def _body(found: Any) -> Iterable[str]:
    if found.kind != "answer" or not found.claims:
        yield f"<p><strong>{escape(found.message)}</strong></p>"
    for note in found.diagnostics:
        yield f"<pre>{escape(render(note.diagnostic(), found.query))}</pre>"
    match found.kind:
        case "hits" if found.hits:
            yield _table(*hits_cells(found))
        case "aggregate" if found.rows:
            if (chart := svg_chart(found)) is not None:
                yield f"<figure>{chart}</figure>"
            yield _table(*rows_cells(found, MOST_ROWS))
            if len(found.rows) > MOST_ROWS:
                yield f"<p>{MOST_ROWS} of {len(found.rows):,} rows shown.</p>"
        case "answer":
            yield from _answer(found)
        case "clarify":
            yield _list(f"{one.label} ({one.id})" for one in found.options)
            yield f"<p>Ask again with <code>choices={{{escape(repr(found.token))}: ID}}</code>.</p>"
        case "passages":
            yield f"<ol>{''.join(f'<li>{escape(_source(one))}</li>' for one in found.passages)}</ol>"


def _answer(found: Any) -> Iterable[str]:
    sources: dict[tuple[str, int | None, str], Any] = {}

    def marks(citations: Iterable[Any]) -> str:
        keys = {(one.file, one.page, one.quote): one for one in citations}
        for key, one in keys.items():
            sources.setdefault(key, one)
        return "".join(f" [{list(sources).index(key) + 1}]" for key in keys)

    if found.rows and not found.computed:
        yield _table(*answer_cells(found, marks))
    else:
        for claim in found.claims:
            yield f"<p><strong>{escape(claim.text)}</strong>{marks(claim.citations)}</p>"
    if sources:
        yield f"<ol>{''.join(f'<li>{escape(_source(one))}</li>' for one in sources.values())}</ol>"


def _source(one: Any) -> str:
    where = one.file if one.page is None else f"{one.file}, page {one.page}"
    return f"{where}: {one.quote}" if one.quote else where


def _list(texts: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def _table(names: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class AsHtml:
    """The method by which a notebook shows an outcome."""

    def _repr_html_(self) -> str:
        return html(self)
