"""Runs the tools: each makes a program from its arguments, runs it with the caller's rights, and returns the result as
data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import BaseModel, ValidationError

from qlc.answers.cells import several
from qlc.answers.searching import Searches, matches_of
from qlc.answers.sentences import passage_of
from qlc.answers.terms import term_stems
from qlc.answers.vocabulary import phrases
from qlc.answers.working_days import noted
from qlc.base.driving import drive, in_place
from qlc.corpus.searching import Ranking, passages_about
from qlc.corpus.status import Document
from qlc.grammar import tree
from qlc.grammar.printer import print_string
from qlc.language.stems import stem
from qlc.outcome import Failed, Hit, Hits, Invalid, Outcome
from qlc.translator.programs import statement_of

from .arguments import (
    AnnotationsAggregate,
    AnnotationsSearch,
    GetDocumentMetadata,
    RunQuery,
    SearchSemantic,
    SearchText,
)
from .conditions import Wrong, amount, bucket_of, condition, field_of, joined
from .results import (
    Annotations,
    DocumentMetadata,
    Documents,
    FoundAnnotation,
    FoundPassage,
    KnownValue,
    Passages,
    Ran,
    Result,
    ToolProblem,
)

_SHOWN = ("label", "text", "page", "number", "unit", "date")
_MOST_ANNOTATIONS = 5
"""Most annotations of one document in a result."""


def search_text(given: SearchText, searches: Searches) -> Result:
    """Find passages by the words of a text."""
    return _passages(given, "words", "search_text", searches)


def search_semantic(given: SearchSemantic, searches: Searches) -> Result:
    """Find passages by the meaning of a text, or by both; return a problem if the passages have no vectors."""
    return _passages(given, given.by, "search_semantic", searches)


def _passages(given: SearchText, by: Ranking, tool: str, searches: Searches) -> Result:
    bucket = bucket_of(given.bucket, searches)
    inner = condition(given.where, bucket, searches, "passages")
    where = " and ".join(
        one for one in (f"bucket = {print_string(bucket)}" if bucket not in ("", "documents") else "", inner) if one
    )
    outcome = drive(
        passages_about(given.query, by, where, given.top_k, given.per_document, {}),
        lambda asked: in_place(partial(searches.run, tool, asked[0], f"passages about {given.query!r}", **asked[1])),
    )
    if not isinstance(outcome, Hits):
        raise _wrong(outcome)
    searches.kept(tool, len(outcome.hits))
    found = [_passage(hit, given, searches.schema.file.language) for hit in outcome.hits]
    notes = [*outcome.notes, *filter(None, [searches.unread(bucket) if outcome.total <= len(found) else ""])]
    return Passages(program=outcome.query, matches=matches_of(outcome), passages=found, notes=notes)


def _passage(hit: Hit, given: SearchText, language: str) -> FoundPassage:
    its = passage_of(hit)
    begin, end = snippet_of(its.text, given.query, given.context_chars, language)
    return FoundPassage(
        document=hit.id.rpartition("-")[0], file=its.file, passage=hit.id, page=its.page, section=[*its.section],
        title=its.title, score=hit.score, snippet=its.text[begin:end], begin=begin, end=end,
    )  # fmt: skip


def snippet_of(text: str, query: str, length: int, language: str = "english") -> tuple[int, int]:
    """Return the begin and end of the part of a text with most words of a query, cut between words."""
    if len(text) <= length:
        return 0, len(text)
    asked = term_stems(query, language)
    places = [(one.start(), one.end(), stem(one[0], language)) for one in re.finditer(r"\w+", text)]
    marks = [one for one in places if one[2] in asked]
    best, most = 0, -1
    for begin, _, _ in marks or places[:1]:
        had = len({one[2] for one in marks if begin <= one[0] and one[1] <= begin + length})
        if had > most:
            best, most = begin, had
    begin = max(0, min(best - length // 5, len(text) - length))
    end = begin + length
    begin = next((one[0] for one in places if one[0] >= begin), begin) if begin else 0
    end = next((one[1] for one in reversed(places) if one[1] <= end), end) if end < len(text) else end
    return begin, end


def annotations_search(given: AnnotationsSearch, searches: Searches) -> Result:
    """Find labelled values, and the documents that have them."""
    bucket = bucket_of(given.bucket, searches) or "documents"
    path = f"annotations[{print_string(given.label)}]"
    wanted = f"{path} exists"
    if given.operator is not None and given.value is not None:
        number, unit = amount(str(given.value), given.label)
        wanted = f"{path}.number {given.operator} {number} {unit}".rstrip()
    where = joined([wanted, condition(given.where, bucket, searches, bucket)])
    program = f"find {bucket}{where} limit {given.top_k} show title, file, annotations"
    outcome = searches.run("annotations_search", program, f"values called {given.label!r}")
    if not isinstance(outcome, Hits):
        raise _wrong(outcome)
    labels = _labels_like(given.label, searches)
    found = [one for hit in outcome.hits for one in _annotations(hit, labels, searches.schema.file.language)]
    searches.kept("annotations_search", len(found))
    notes = [*outcome.notes, *_coverage(outcome.query, searches)]
    return Annotations(program=outcome.query, matches=matches_of(outcome), annotations=found, notes=notes)


def _labels_like(label: str, searches: Searches) -> list[frozenset[str]]:
    """Return the words of a label, and of other labels of the same field in the schema."""
    language = searches.schema.file.language
    words = term_stems(label, language)
    found = [words]
    for bucket in searches.schema.file.buckets.values():
        for name, part in bucket.fields.items():
            names = [term_stems(text, language) for text in (*phrases(name, part),)]
            if words in names and not part.sensitive:
                found += [one for one in names if one and one not in found]
    return found


def _annotations(hit: Hit, labels: Sequence[frozenset[str]], language: str) -> list[FoundAnnotation]:
    listed = hit.values.get("annotations") or []
    shown = [one for one in listed if isinstance(one, Mapping)]
    stems = [term_stems(str(one.get("label", "")), language) for one in shown]
    of_label = [one for one, had in zip(shown, stems, strict=True) if any(words <= had for words in labels)]
    file = (hit.values.get("file") or [""])[0]
    return [
        FoundAnnotation(
            document=hit.id, file=file, title=str(hit.values.get("title") or hit.name or ""),
            **{key: one[key] for key in _SHOWN if one.get(key) is not None},
        )
        for one in of_label[:_MOST_ANNOTATIONS]
    ]  # fmt: skip


def annotations_aggregate(given: AnnotationsAggregate, searches: Searches) -> Result:
    """Count values of a field or a label, or measure them, by groups if asked."""
    bucket = bucket_of(given.bucket, searches) or "documents"
    where = joined([condition(given.where, bucket, searches, bucket)])
    by = f" by {field_of(given.by)}" if given.by else ""
    if given.measure == "count":
        return _ran("annotations_aggregate", f"count {bucket}{where}{by}", "how many there are", searches)
    if bool(given.field) == bool(given.label):
        hint = "Give 'field' for a typed field, or 'label' for labelled values."
        raise Wrong("no-field", "A measure is of one field or one label.", hint)
    of = field_of(given.field) if given.field else f"annotations[{print_string(given.label)}].number"
    program = f"{given.measure}({of}) of {bucket}{where}{by}"
    return _ran("annotations_aggregate", program, f"the {given.measure} of {of}", searches)


def get_document_metadata(given: GetDocumentMetadata, searches: Searches) -> Result:
    """Return the values of documents with their places. Names without a document are listed in `unknown`."""
    found: dict[str, Document] = {}
    unknown = []
    for name in given.documents:
        told = print_string(name)
        program = f"find documents where id = {told} or file = {told} or title = {told} limit 5"
        _, hits = searches.hits("get_document_metadata", program, f"the document {name!r}")
        if not hits:
            unknown.append(name)
        for one in searches.documents([hit.id for hit in hits]):
            found[one.id] = one
    return Documents(documents=[_metadata(one) for one in found.values()], unknown=unknown)


def _metadata(one: Document) -> DocumentMetadata:
    values = [
        KnownValue(
            field=place.field, value=place.value, page=place.page or None, quote=place.quote,
            is_disputed=place.is_disputed, why=place.why,
        )
        for place in one.places
    ]  # fmt: skip
    return DocumentMetadata(
        document=one.id, title=one.title, files=list(one.files), bucket=one.bucket, pages=one.pages, values=values
    )


def run_query(given: RunQuery, searches: Searches) -> Result:
    """Run a program, and return its outcome."""
    return _ran("run_query", given.program, "a program", searches, size=given.size)


def _ran(tool: str, program: str, why: str, searches: Searches, **options: Any) -> Result:
    outcome = noted(searches.run(tool, program, why, **options), program, searches)
    if isinstance(outcome, Invalid | Failed):
        raise _wrong(outcome)
    left_out = {"stats", "fields", "diagnostics"}
    told = outcome.model_dump(mode="json", exclude=left_out, exclude_defaults=True) | {"kind": outcome.kind}
    if notes := [*outcome.notes, *_coverage(outcome.query or program, searches)]:
        told["notes"] = notes
    return Ran(program=outcome.query or program, outcome=told)


def _coverage(program: str, searches: Searches) -> list[str]:
    """Return a note for each field of a program that some documents do not tell, and the files that could not be read:
    `2 contracts.` -> `'law' is known in 10 of 17 contracts.`"""
    statement = statement_of(program)
    entity = getattr(statement, "entity", None)
    bucket = entity.text if isinstance(entity, tree.Name) else ""
    fields = [one for one in dict.fromkeys(re.findall(r"\w+", program)) if one in searches.schema.fields(bucket)]
    known = searches.coverage(bucket, fields)
    gaps = [f"'{name}' is known in {count:,} of {several(whole, bucket)}." for name, (count, whole) in known.items()
            if count < whole]  # fmt: skip
    return [*gaps, *filter(None, [searches.unread(bucket)])]


def _wrong(outcome: Outcome) -> Wrong:
    """Return the error of a program for the caller of the tool, who gave only the arguments."""
    if not outcome.diagnostics:
        return Wrong(getattr(outcome, "reason", "") or outcome.kind, outcome.message, "")
    first = outcome.diagnostics[0]
    return Wrong(first.code, first.message, first.hint, first.suggestions)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its name, its description, the type of its arguments, and the function."""

    name: str
    description: str
    arguments: type[BaseModel]
    function: Callable[[Any, Searches], Result]

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments."""
        return self.arguments.model_json_schema()


TOOLS: Mapping[str, Tool] = {
    function.__name__: Tool(function.__name__, " ".join((arguments.__doc__ or "").split()), arguments, function)
    for function, arguments in (
        (search_text, SearchText),
        (search_semantic, SearchSemantic),
        (annotations_search, AnnotationsSearch),
        (annotations_aggregate, AnnotationsAggregate),
        (get_document_metadata, GetDocumentMetadata),
        (run_query, RunQuery),
    )
}


def _arguments(tool: Tool, given: Mapping[str, Any] | str) -> BaseModel:
    """Raises Wrong."""
    try:
        if isinstance(given, str):
            return tool.arguments.model_validate_json(given)
        return tool.arguments.model_validate(dict(given))
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False, include_context=False)[0]
        known = tool.arguments.model_fields
        place = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or part in known)
        message = f"{tool.name}: {f'{place}: ' if place else ''}{first['msg'][:200]}."
        raise Wrong("bad-arguments", message, f"The arguments are {json.dumps([*known])}.") from None


def call(name: str, arguments: Mapping[str, Any] | str, searches: Searches) -> Result:
    """Run a tool. Wrong arguments lead to a ToolProblem; a failed search raises Stopped."""
    tool = TOOLS.get(name)
    if tool is None:
        message = f"There is no tool '{name[:60]}'."
        return ToolProblem(code="unknown-tool", message=message, hint="Use one of these.", suggestions=[*TOOLS])
    try:
        return tool.function(_arguments(tool, arguments), searches)
    except Wrong as wrong:
        return wrong.problem
