"""Questions about the files themselves: how many there are, of which kind and format, with how many pages.

What every document has is a field like any other here, and all documents are a bucket. A question is answered so only
where all of it is understood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from qlc.corpus.readers.detect import MEDIA_TYPES, Format
from qlc.corpus.schema import GENERIC, BucketPart, CorpusFile, CorpusSchema, FieldPart
from qlc.grammar.printer import print_string
from qlc.language.stems import stem
from qlc.outcome import AggregateOut, Answer, AnswerRow, Cell, Claim, Declined, Hits, Outcome, ValueOut

from . import structured
from .cells import asked_in_words, found_documents, program_of, read_as, several
from .changes import doubts
from .conditions import Condition
from .groups import Group, groups_in
from .linking import Chosen, Linked, link
from .naming import Name
from .planning import DOCUMENTS, Plan, plans
from .reviewing import no_results
from .searching import Searches
from .terms import Term, restricts_otherwise
from .vocabulary import HALF_NAMED, LinkedField, nouns_of

_SPOKEN: Mapping[Format, str] = {
    "pdf": "PDF|PDFs", "docx": "Word document|Word file|docx", "xlsx": "Excel|xlsx|spreadsheet",
    "pptx": "PowerPoint|pptx", "html": "HTML|web page", "markdown": "Markdown|md file", "csv": "CSV|CSVs",
    "email": "e-mail|email|eml", "mbox": "mbox|mailbox", "text": "plain text|text file|txt",
}  # fmt: skip
_FORMATS = {MEDIA_TYPES[name]: _SPOKEN[name].split("|") for name in MEDIA_TYPES}
_PAGES = FieldPart.model_validate({"type": "number", "words": ["page"]})
_FORMAT = FieldPart.model_validate(
    {"type": "choice", "words": ["format", "file type", "file format"], "values": _FORMATS}
)
_WORDS = frozenset(
    word.lower() for some in ["document file page format folder bucket kind type category", *_SPOKEN.values()]
    for phrase in some.split("|") for word in phrase.split()
)  # fmt: skip
"""Without any of these words a question is about no file."""
_FIELDS = {"pages": _PAGES, "media_type": _FORMAT}
_HAVING_PAGES = Condition("pages", "pages > 0", "")
_IN_TEXT = re.compile(r"\b(?:contain|say|state|specify|specifie|speak|talk|tell|refer)(?:s|ing)?\b", re.IGNORECASE)
MENTIONS = re.compile(
    r"^(?P<asked>how many |which |what |list |find |show (?:me )?|)(?:all )?(?:the )?"
    r"(?P<noun>[\w-]+(?: (?!that|which)[\w-]+)?)(?: that| which)? (?:mentions?|mentioning) "
    r"(?:the (?:words?|terms?|names?|phrase) )?"
    r"(?P<said>['\"“‘]?(?:(?!\b(?:and|or|not|but)\b).)+?)[?.!]*$",
    re.IGNORECASE,
)
"""`How many documents mention ACME?`, `contracts that mention lenses`: what the query language has a word for."""


def about_files(linked: Linked, searches: Searches) -> tuple[Plan, Outcome] | None:
    """Answer a question about files, with the plan that it was read as; None if it is about something else."""
    said = {word for one in linked.terms for word in (one.raw.lower(), one.raw.lower().removesuffix("s"))}
    within = replace(searches, schema=_with_files(searches.schema))
    if (plan := _mentioning(linked, within)) is None:
        plan = _plan(linked, within) if said & _WORDS else None
    outcome = _answered(plan, within) if plan is not None else None
    return (plan, outcome) if plan is not None and outcome is not None else None


def _mentioning(linked: Linked, searches: Searches) -> Plan | None:
    found = MENTIONS.match(linked.text.strip())
    kinds = {name: part for name, part in searches.schema.file.buckets.items() if name != DOCUMENTS}
    nouns = {noun: name for name, part in kinds.items() for noun in nouns_of(name, part, kinds)}
    nouns |= dict.fromkeys(("documents", "document", "files", "file"), DOCUMENTS)
    if found is None or (bucket := nouns.get(found["noun"].lower())) is None:
        return None
    said = found["said"].strip("'\"“”‘’ ")
    made = Name(said, frozenset({0}), (), (), frozenset(), f"mentions {print_string(said)}")
    is_count = found["asked"].lower().strip() == "how many"
    meant = replace(linked, intent="compute" if is_count else "list", measure="count" if is_count else "")
    plan = Plan(meant, bucket, (), (made,), (), (), (), "")
    return plan if searches.count(f"count {asked_in_words(plan)}", f"documents with {said!r}") else None


def _plan(linked: Linked, searches: Searches) -> Plan | None:
    """Return the plan of a question about files, if it covers the whole question."""
    bucket = linked.buckets[0] if len(linked.buckets) == 1 else DOCUMENTS
    buckets = {name: one for name, one in searches.schema.file.buckets.items() if name in (bucket, DOCUMENTS)}
    meant = link(linked.text, searches.schema.limited(buckets))
    if not _speaks_of_files(meant, linked) or _IN_TEXT.search(linked.text):
        return None
    fields, chosen = (tuple(one for one in some if one.bucket == bucket) for some in (meant.fields, meant.chosen))
    meant = replace(meant, buckets=(bucket,), fields=fields, chosen=chosen)  # type: ignore[arg-type]
    if meant.measure in ("", "count") and meant.intent != "list" and any(_is_of_pages(one) for one in fields):
        groups = tuple(groups_in(meant.rest, meant.fields, meant.buckets, searches.schema))
        meant = replace(meant, intent="compute", measure="sum", groups=groups)
    plan = plans(meant, searches)[0]
    plan = replace(plan, topic=tuple(one for one in plan.topic if not _is_noun_of_bucket(one, meant, bucket)))
    kinds = [one.name for one in (*plan.asked, *plan.shown) if one.part.type == "choice"]
    is_of_all = bool(meant.bucket_words) or {"buckets", "folders"} & {one.raw.lower() for one in meant.terms}
    if len(kinds) == 1 and bucket == DOCUMENTS and is_of_all and not meant.measure:  # `which kinds are there`
        every = replace(plan.linked, intent="compute", measure="count")
        plan = replace(plan, linked=every, asked=(), shown=(), groups=(Group(bucket, kinds[0], kinds[0], 0, 0),))
    is_understood = not (plan.topic or plan.unused)
    if not is_understood or restricts_otherwise(plan.rest) or plan.linked.intent not in ("compute", "list"):
        return None
    if any(one.part is not _PAGES for one in (*plan.asked, *plan.shown)) or (bucket == DOCUMENTS and _is_by_name(plan)):
        return None
    return plan


def _is_of_pages(one: LinkedField | Chosen) -> bool:
    return isinstance(one, LinkedField) and one.part is _PAGES and one.score >= HALF_NAMED


def _with_files(schema: CorpusSchema) -> CorpusSchema:
    """Return the schema with the fields of files in each bucket, and with a bucket of all documents."""

    def wider(file: CorpusFile) -> CorpusFile:
        kinds = {name: [*nouns_of(name, part, file.buckets)] for name, part in file.buckets.items()}
        bucket = FieldPart.model_validate(
            {"type": "choice", "words": ["folder", "kind", "type", "category"], "values": {GENERIC: [], **kinds}}
        )
        words = ["file", "files", *(word for some in _FORMATS.values() for word in some)]
        every = BucketPart.model_validate({"singular": "document", "words": words})
        every = every.model_copy(update={"fields": {**_FIELDS, "bucket": bucket}})
        buckets = {
            name: part.model_copy(update={"fields": {**_FIELDS, **part.fields}}) for name, part in file.buckets.items()
        }
        return file.model_copy(update={"buckets": {**buckets, DOCUMENTS: every}})

    whole = CorpusSchema(wider(schema.whole.file), schema.text)
    return CorpusSchema(wider(schema.file), schema.text, whole)


def _speaks_of_files(meant: Linked, linked: Linked) -> bool:
    """Whether a word stands for files, their format or their pages, and for nothing that the corpus declares."""
    taken = linked.bucket_words | {at for one in linked.chosen for at in one.used}
    taken |= {at for one in linked.fields if one.score >= HALF_NAMED for at in one.used}
    own = {at for one in meant.fields if one.name in (*_FIELDS, "bucket") and one.score >= HALF_NAMED
           for at in one.used}  # fmt: skip
    own |= {at for one in meant.chosen if one.field in _FIELDS for at in one.used}
    return bool((own | (meant.bucket_words if DOCUMENTS in meant.buckets else set())) - taken)


def _is_noun_of_bucket(term: Term, meant: Linked, bucket: str) -> bool:
    """Whether a word only marks the word beside it as a bucket (`the contracts folder`), or means all of them (`in the
    corpus`)."""
    if bucket == DOCUMENTS and re.search(r"\bin (?:the|this|our|my)\s+$", meant.text[: term.begin]):
        return term.stem in map(stem, ("corpus", "collection", "library", "archive"))
    beside = any(-1 <= one.begin - term.end < 2 or -1 <= term.begin - one.end < 2
                 for one in meant.terms if one.begin in meant.bucket_words)  # fmt: skip
    return beside and term.stem in (stem("bucket"), stem("folder"))


def _is_by_name(plan: Plan) -> bool:
    """Whether a name selects documents among all buckets, so that it is unknown which field has the name."""
    return bool(plan.names) and not (plan.asked and all(set(one.fields) <= {"title", "file"} for one in plan.names))


def _answered(plan: Plan, searches: Searches) -> Outcome | None:
    is_of_pages = bool(plan.asked or plan.shown)
    of_files = (*_FIELDS, "bucket")  # these no other document changes
    conditions = tuple(replace(one, constraint=None) if one.field in of_files else one for one in plan.conditions)
    plan = replace(plan, conditions=conditions)
    if plan.linked.intent == "list":
        found = structured.listing(plan, searches) if not is_of_pages else None
        return no_results(plan, searches) if isinstance(found, Hits) and not found.total and plan.where else found
    measure = plan.linked.measure
    if measure != ("sum" if is_of_pages else "count"):
        return None
    total, documents = found_documents(plan, searches)
    notes, unsure = doubts(plan, total, [one.id for one in documents], searches)
    if unsure is not None:
        return unsure
    notes = [*read_as(plan), *notes]
    covered = [one.files[0] for one in documents]
    if is_of_pages:
        plan, whole = replace(plan, conditions=(*plan.conditions, _HAVING_PAGES)), plan
        total_of_all, (total, documents) = total, found_documents(plan, searches)
        if total < total_of_all:
            more = several(total_of_all - total, plan.bucket, "more " if total else "")
            notes.append(f"{more} {'has' if total_of_all - total == 1 else 'have'} no pages that can be counted.")
        if not total:
            return Declined(message=notes[-1], query=program_of(whole))
    said = {one.raw.lower() for one in plan.linked.terms}
    are_files = not is_of_pages and bool(said & {"file", "files"}) and not said & {"document", "documents"}
    what = "sum(pages) of" if is_of_pages else "distinct(file) of" if are_files else "count"
    program = f"{what} {asked_in_words(plan)}"
    if plan.groups:
        by = f"{program} by {', '.join(one.program for one in plan.groups)}"
        return _grouped(plan, by, "pages" if is_of_pages else "count", notes, covered, searches)
    found = searches.run("annotations_aggregate", program, "what is counted")
    number = found.value if isinstance(found, ValueOut) else searches.count(program, "how many there are")
    text = f"{several(number, 'files' if are_files else plan.bucket)}."
    if is_of_pages:
        text = f"{number:,.10g} {'page' if number == 1 else 'pages'} in {several(total, plan.bucket)}."
    elif are_files and number != total:
        notes.append(f"They hold {several(total, plan.bucket)}.")
    return Answer(
        message=text, query=program, claims=[Claim(text=text, citations=[])], values=[Cell(value=number)],
        computed=True, covered=covered, notes=notes,
    )  # fmt: skip


def _grouped(
    plan: Plan, program: str, column: str, notes: list[str], covered: list[str], searches: Searches
) -> Outcome | None:
    found = searches.run("annotations_aggregate", program, "a number for each group")
    if not isinstance(found, AggregateOut) or plan.groups[0].extreme:
        return None
    rows = []
    for row in found.rows:
        keys = [*row.key.values()] if isinstance(row.key, Mapping) else [row.key]
        label = ", ".join(_FORMATS.get(str(one), [str(one)])[0].replace("_", " ") for one in keys)
        rows.append(AnswerRow(document="", name=label, file="", cells={column: Cell(value=row.value)}))
    said = "; ".join(f"{row.name}: {row.cells[column].value:,}" for row in rows)
    return Answer(message=f"{said}.", query=program, columns=[column], rows=rows, covered=covered, notes=notes)
