"""All rows of an answer with their citations as columns, for files: documents are read by the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from qlc.corpus.rights import MOST_QUOTING, Stopped, quoting_program, with_seen_places
from qlc.corpus.status import read_documents
from qlc.base.errors import UsageError
from qlc.outcome import Answer, AnswerRow, Cell, Clarify, Hits, Outcome, Passages

from .cells import cell

if TYPE_CHECKING:
    from .corpora import Corpus

_PAGE = 500
Rows = tuple[list[str], Iterator[Mapping[str, Any]]]


def all_rows_of(outcome: Outcome, corpus: Corpus, options: Mapping[str, Any]) -> Rows | None:
    """The columns and the rows of an answer, of a list of documents, or of one that is too long to be shown: of each
    value its unit, page and quote. None where an outcome has no rows of this kind.

    `options` are those of the run that the outcome came of. Raises UsageError where a page cannot be read.
    """
    match outcome:
        case Answer() if outcome.rows or outcome.claims:
            return table_of(outcome)
        case Passages():
            return table_of(outcome)
        case Hits() if outcome.query and outcome.entity not in ("passage", ""):
            return _documents(outcome.query, corpus, options)
        case Clarify(what="overload"):
            return _documents(outcome.query, corpus, options)
        case _:
            return None


def table_of(outcome: Answer | Passages) -> Rows:
    """The documents of an answer with their values; its sentences, where it is no table; passages that were found."""
    if isinstance(outcome, Passages):
        columns = ["document", "file", "page", "quote"]
        return columns, (one.model_dump(include={*columns}) for one in outcome.passages)
    if not outcome.rows:
        return ["statement", "file", "page", "quote"], _claims(outcome)
    has_files = all(row.file for row in outcome.rows)
    return _columns(outcome.columns, has_files=has_files), map(_row, outcome.rows)


def _claims(outcome: Answer) -> Iterator[Mapping[str, Any]]:
    for claim in outcome.claims:
        for one in claim.citations:
            yield {"statement": claim.text, "file": one.file, "page": one.page, "quote": one.quote}


def _columns(fields: list[str], *, has_files: bool = True) -> list[str]:
    """The columns of a table; rows that are of several documents (groups) have the files of each value."""
    parts = ("", "_unit", *(() if has_files else ("_file",)), "_page", "_quote")
    return ["document", "name", "file", *(f"{name}{part}" for name in fields for part in parts)]


def _row(row: AnswerRow) -> dict[str, Any]:
    found: dict[str, Any] = {"document": row.document, "name": row.name, "file": row.file}
    for name, one in row.cells.items():
        whole = isinstance(one.value, float) and one.value.is_integer()
        found |= {name: int(one.value) if whole else one.value, f"{name}_unit": one.unit}
        if one.citations:
            found |= {f"{name}_page": _each([cited.page for cited in one.citations]),
                      f"{name}_quote": _each([cited.quote for cited in one.citations])}  # fmt: skip
            found |= {} if row.file else {f"{name}_file": _each([cited.file for cited in one.citations])}
    return found


def _each(values: list[Any]) -> Any:
    """The one value, or several in the order of the citations."""
    return values[0] if len(values) == 1 else "; ".join("" if one is None else str(one) for one in values)


def _documents(program: str, corpus: Corpus, options: Mapping[str, Any]) -> Rows:
    """Every document that a program finds, with all typed fields of its bucket."""
    try:
        schema, compiler = corpus.reachable(options)
    except Stopped as stopped:
        raise UsageError(stopped.outcome.message) from None
    fields = schema.fields(program.split()[1])
    units = {name: part.unit for name, part in fields.items() if part.type != "rows" and not part.sensitive}
    program = re.sub(r" limit \d+$", "", program)
    if " where " not in program:
        program += " where file exists"  # every document has one; without a condition a program needs a limit
    given = {name: value for name, value in options.items() if name not in ("choices", "cursor")} | {"size": _PAGE}

    def rows() -> Iterator[Mapping[str, Any]]:
        cursor = None
        while True:
            page = compiler.run(program, **given, cursor=cursor)
            if not isinstance(page, Hits):
                raise UsageError(f"the list ends here, the rest could not be read: {page.message}")
            documents = read_documents(corpus.client, corpus.index, schema, page.ids)
            if documents and corpus.hides_passages:
                found = compiler.run(quoting_program(page.ids), **{**given, "size": MOST_QUOTING})
                documents = with_seen_places(documents, found)
            for one in documents:
                cells: dict[str, Cell] = {}
                for place in one.places:
                    if place.field not in units or place.is_disputed:
                        continue
                    new, known = cell(one, place, units[place.field]), cells.get(place.field)
                    if known is None:
                        cells[place.field] = new
                    elif fields[place.field].list:
                        both = {"value": f"{known.value}; {new.value}", "citations": [*known.citations, *new.citations]}
                        cells[place.field] = known.model_copy(update=both)
                yield _row(AnswerRow(document=one.id, name=one.title, file=one.files[0], cells=cells))
            if (cursor := page.cursor) is None:
                return

    return _columns([*units]), rows()
