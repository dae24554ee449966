"""Asks a case, and judges the outcome by its expectations."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qlc import catalogs
from qlc.base.errors import UsageError, reason_of
from qlc.conversation import Conversation
from qlc.evaluation.by_program import gold_of
from qlc.evaluation.scoring import Verdict, score, together
from qlc.mapping.value_types import ValueTypes, with_properties
from qlc.outcome import AggregateOut, Count, Hits, Outcome, ValueOut
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.shared import index_names
from qlc.store.clients import connect
from qlc.testing.cases import Case, CaseFile, check_distinct
from qlc.translator.entry import Asker

SIZE = 1_000
"""Hits that are read of a list."""
NOT_ANSWERED = frozenset({"declined", "passages", "clarify", "invalid", "failed"})


@dataclass(frozen=True, slots=True)
class World:
    """The data and compiler for the cases of one file."""

    client: Any
    asker: Asker
    options: Mapping[str, Any]

    @classmethod
    def of(cls, file: CaseFile, folder: Path) -> World:
        """Load the data of a file. Raises UsageError, ConfigurationError."""
        catalog = _catalog(file.catalog, folder)
        client = connect(_place(file.data, folder), read_only=True) if file.data else connect(":memory:")
        compiler = Compiler(client, catalog, index=file.index or None)
        if not file.data:
            names = index_names(compiler.catalog) if compiler.catalog is not None else [file.index]
            if len(names) != 1:
                raise UsageError("the catalog speaks of several indices: name a folder as 'data'")
            _load(client, names[0], file, folder)
        return cls(client, Asker(compiler), file.options())

    def asked(self, case: Case) -> Outcome:
        options = {**self.options, "size": SIZE}
        if case.run:
            return self.asker.compiler.run(case.run, **options)
        if not case.after:
            return self.asker.ask(case.question, **options)
        talk = Conversation(self.asker, **options)
        for text in case.after:
            talk.turn(text)
        return talk.turn(case.question).outcome

    def judged(self, case: Case, outcome: Outcome) -> tuple[Verdict, list[str]]:
        """Return the verdict, and a message with expected and actual value for each failed expectation."""
        verdicts, lines = [], []
        for what, expected, found, is_met in self._compared(case, outcome):
            missed = Verdict.DECLINED if outcome.kind in NOT_ANSWERED else Verdict.WRONG
            verdicts.append(Verdict.RIGHT if is_met else missed)
            if not is_met:
                form = repr if str(expected) == str(found) else str  # a text is no number
                lines += [f"{what} expected: {form(expected)}", f"{' ' * len(what)} came out: {form(found)}"]
        return together(verdicts), lines

    def _compared(self, case: Case, outcome: Outcome) -> Iterator[tuple[str, Any, Any, bool]]:
        if case.outcome:
            yield "outcome", case.outcome, outcome.kind, case.outcome == outcome.kind
        if case.program:
            wanted = self._canonical(case.program)
            yield "program", wanted, outcome.query, wanted == outcome.query
        if case.answer:
            gold = gold_of(case.answer, self.asker.compiler, self.options)
            met = score(outcome.model_dump(mode="json"), gold) is Verdict.RIGHT
            yield "answer", f"that of {case.answer}", outcome.query or outcome.message, met
        if case.total is not None:
            total = outcome.total if isinstance(outcome, Hits) else getattr(outcome, "value", None)
            yield "total", case.total, total, case.total == total
        if case.value is not None:
            value = outcome.model_dump(mode="json").get("value") if isinstance(outcome, Count | ValueOut) else None
            yield "value", case.value, value, case.value == value
        if case.rows is not None:
            rows = rows_of(outcome)
            yield "rows", case.rows, rows, _same_rows(case.rows, rows)

    def _canonical(self, program: str) -> str:
        diagnosis = self.asker.compiler.diagnose(program, **self.options)
        if diagnosis.failed:
            messages = "; ".join(one.message for one in diagnosis.diagnostics)
            raise UsageError(f"the program that is expected has errors: {messages}")
        return diagnosis.text


def rows_of(outcome: Outcome) -> list[Any] | dict[str, Any]:
    """Return the content of a table as values by labels, of a list as the values of each hit with its id and name."""
    data = outcome.model_dump(mode="json")
    match outcome:
        case AggregateOut():
            return {_label(row["key"]): row["value"] for row in data["rows"]}
        case Hits():
            return [{**one["values"], "id": one["id"], "name": one["name"]} for one in data["hits"]]
        case _:
            return []


def _label(key: Any) -> str:
    if isinstance(key, dict):
        named = key.get("name", key.get("id"))
        return str(named) if named is not None else " / ".join(map(_label, key.values()))
    return str(key)


def _same_rows(wanted: list[Any] | dict[str, Any], found: list[Any] | dict[str, Any]) -> bool:
    """Whether a table has the same rows, or a list the same hits in order, each identified by id, name, or some
    values."""
    if isinstance(wanted, dict) or isinstance(found, dict):
        return isinstance(found, dict) and isinstance(wanted, dict) and {str(k): v for k, v in wanted.items()} == found
    return len(wanted) == len(found) and all(
        one.items() <= row.items() if isinstance(one, dict) else str(one) in (row["id"], row["name"])
        for one, row in zip(wanted, found, strict=True)
    )


def snapshot_of(outcome: Outcome) -> str:
    """Return the content of a snapshot: the program, else the message."""
    return outcome.query or f"{outcome.kind}: {outcome.message}"


# --- data ------------------------------------------------------------------------------------------------------------


def _catalog(name: str, folder: Path) -> Path | None:
    """Return a file beside the cases, or a catalog that comes with qlc."""
    if not name:
        return None
    path = folder / name
    if path.exists():
        return path
    if name not in catalogs.names():
        raise UsageError(f"there is no catalog '{name}' beside the cases; qlc has {', '.join(catalogs.names())}")
    return catalogs.path(name)


def _place(data: str, folder: Path) -> str | Path:
    return data if "://" in data else folder / data


def _load(client: Any, index: str, file: CaseFile, folder: Path) -> None:
    from elasticsearch.helpers import bulk

    body, documents = file.mapping, file.documents
    if isinstance(body, str):
        body = json.loads("".join(_lines(folder / body))) if body else {}
    lines: list[int] | range
    if isinstance(documents, str):
        name = documents
        numbered = [(at, _document(line, name, at)) for at, line in enumerate(_lines(folder / name), 1) if line.strip()]
        check_distinct(name, "documents", file.id, ((at, one.get(file.id)) for at, one in numbered))
        lines, documents = [at for at, _ in numbered], [one for _, one in numbered]
    else:
        lines = range(1, len(documents) + 1)
    types = ValueTypes(body.get("mappings") or {})
    for line, one in zip(lines, documents, strict=True):
        types.add(line, one)
    mappings = with_properties(body.get("mappings") or {}, types.properties())
    client.indices.create(index=index, **{**body, "mappings": mappings})
    actions = ({"_index": index, "_source": one, **({"_id": one[file.id]} if file.id in one else {})}
               for one in documents)  # fmt: skip
    bulk(client, actions, refresh=True)


def _document(text: str, name: str, line: int) -> dict[str, Any]:
    """Parse a document. Raises UsageError."""
    try:
        found = json.loads(text)
    except ValueError as problem:
        raise UsageError(f"line {line} of '{name}' is not JSON: {problem}") from None
    if not isinstance(found, dict):
        raise UsageError(f"line {line} of '{name}' is not a document: it has no keys")
    return found


def _lines(path: Path) -> list[str]:
    """Read the lines of a file. Raises UsageError if it cannot be read."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as file:
            return list(file)
    except OSError as problem:
        raise UsageError(f"'{path.name}' cannot be read: {reason_of(problem)}") from None
