"""All rows of an answer with their citations as columns, for files: documents are read by the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError
from qlc.corpus.rights import MOST_QUOTING, Stopped, quoting_program, with_seen_places
from qlc.corpus.status import read_documents
from qlc.outcome import Answer, AnswerRow, Cell, Clarify, Hits, Outcome, Passages
from qlc.outcome.export import Format, export, export_rows
from qlc.outcome.tables import Rows, answer_columns, answer_row, table_of

from .cells import cell

if TYPE_CHECKING:
    from .corpora import Corpus

_PAGE = 500


def export_answer(
    outcome: Outcome, format: Format, corpus: Corpus, *, for_spreadsheets: bool = False, **options: Any
) -> Iterator[str]:
    """Yield the lines of an answer over a corpus: every row, with the unit, page and quote of each value as columns.

    A list that was too long to show is written, too. `options` are those of the run that returned the outcome. Raises
    UsageError as `export` does, and if a page cannot be read.
    """
    found = all_rows_of(outcome, corpus, options)
    if found is None:
        yield from export(outcome, format, for_spreadsheets=for_spreadsheets)
        return
    yield from export_rows(*found, format, for_spreadsheets=for_spreadsheets)


def all_rows_of(outcome: Outcome, corpus: Corpus, options: Mapping[str, Any]) -> Rows | None:
    """Return the columns and rows of an answer or a list, also of a list that is too long to show; None for other
    outcomes.

    Each value has its unit, page and quote. `options` are those of the run that returned the outcome. Raises UsageError
    if a page cannot be read.
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


def _documents(program: str, corpus: Corpus, options: Mapping[str, Any]) -> Rows:
    """Return all documents of a program, with all typed fields of their bucket."""
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
                yield answer_row(AnswerRow(document=one.id, name=one.title, file=one.files[0], cells=cells))
            if (cursor := page.cursor) is None:
                return

    return answer_columns([*units]), rows()
