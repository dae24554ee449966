"""An answer that was kept, asked again: the same, or what changed since: the data, the program, the model's text.

Its searches run again, its citations are held to their pages of now, and the rules read the question again. What a
language model wrote is checked without the model, unless it is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from qlc.base.errors import UsageError
from qlc.base.version import VERSION
from qlc.corpus.rights import Stopped
from qlc.grammar.printer import print_string
from qlc.outcome import Answer, Cell, Citation, Count, Failed, Hit, Hits, NotInCorpus, Outcome, Passages, ValueOut
from qlc.outcome.tables import cell_text

from .answering import ask, raised, searches_of
from .searching import CHECK, Searches
from .trace import Checked
from .verifying import held, read_pages

if TYPE_CHECKING:
    from qlc.corpus.corpus import Corpus
    from qlc.models.budgets import Budget

    from .model import Reader

Part = Literal["data", "program", "model"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DocumentChange(_Frozen):
    """A document of one of the two answers alone. `removed`: it is not in the corpus, or not for this caller to see;
    `replaced`: its file has another content; `excluded`: it is there, and is not among the documents of the answer."""

    file: str
    change: Literal["added", "removed", "replaced", "excluded"]


class Change(_Frozen):
    """A change of a document's value, a search's matches, the program, or a sentence. None means that it is absent."""

    what: str
    was: str | None
    now: str | None


class Replay(_Frozen):
    """The result of asking a stored question again.

    `changed` is empty if the answer is the same, even if a search on the way to it finds another number. `searches` is
    the number of programs that ran again, and `matches` are those with other counts. `checked` is the number of
    citations that were looked up, and `citations` are those that were not found. `program` is the new reading of the
    question, if it changed, `text` are changed sentences. `now` is the new answer, or None if the question was not
    asked again.
    """

    question: str
    changed: list[Part]
    documents: list[DocumentChange] = []
    values: list[Change] = []
    checked: int = 0
    citations: list[Checked] = []
    searches: int = 0
    matches: list[Change] = []
    program: Change | None = None
    text: list[Change] = []
    notes: list[str] = []
    now: Outcome | None = None

    @property
    def is_same(self) -> bool:
        return not self.changed


def replay(
    outcome: Outcome, corpus: Corpus, options: Mapping[str, Any], reader: Reader | None = None,
    budget: Budget | None = None,
) -> Replay:  # fmt: skip
    """Ask again for a stored answer. With a `reader` the language model is asked again, too.

    `options` are those of a run; without a time, that of the answer is used. Raises UsageError if the outcome is not an
    answer from documents, and the errors of `decompose` if a search fails.
    """
    asked = outcome.stats.asked
    if asked is None and not (outcome.query or isinstance(outcome, Answer | NotInCorpus | Passages)):
        raise UsageError(f"there is nothing to replay: this is not an answer from documents, but '{outcome.kind}'")
    kept = {"now": asked.now, "timezone": asked.timezone, "choices": asked.choices} if asked is not None else {}
    given = {**kept, **options}
    with raised():
        searches = searches_of(corpus, given, None, budget)
        now = _answer_now(outcome, corpus, given, reader, budget, searches)
        documents = list(_documents(outcome, now, searches))
        cited = list(dict.fromkeys(_cited(outcome)))
        gone = _gone(outcome, cited, searches)
        programs = list(dict.fromkeys(_programs(outcome)))
        matches = list(_matches(programs, searches))
    values = list(_values(outcome, now))
    text = list(_text(outcome, now))
    program = None
    if now is not None and outcome.query and now.query and outcome.query != now.query:
        program = Change(what="program", was=outcome.query, now=now.query)
    is_otherwise = bool(values or text) or (now is not None and now.kind != outcome.kind)
    changed: list[Part] = ["data"] if documents or gone or (is_otherwise and matches) else []
    if reader is not None and text:
        changed.append("model")
    elif program is not None or (is_otherwise and not changed):
        changed.append("program")
    return Replay(
        question=asked.question if asked is not None else "", changed=changed, documents=documents, values=values,
        checked=len(cited), citations=gone, searches=len(programs), matches=matches, program=program, text=text,
        notes=list(_notes(outcome, now)), now=now,
    )  # fmt: skip


def _answer_now(
    outcome: Outcome, corpus: Corpus, options: Mapping[str, Any], reader: Reader | None, budget: Budget | None,
    searches: Searches,
) -> Outcome | None:  # fmt: skip
    """Return today's answer: of the model if it is asked again, else of the rules, else of the program. Raises Stopped.

    The rules count if they made the answer, or if they read the question as the model did.
    """
    asked = outcome.stats.asked
    found: Outcome | None = None
    if asked is not None:
        found = ask(asked.question, corpus, options, reader, budget)
        is_own = reader is not None or not asked.model
        if not is_own and (not outcome.query or found.query != outcome.query):
            found = None
    if found is None and isinstance(outcome, Hits | Count | ValueOut) and outcome.query:
        found = searches.run("run_query", outcome.query, "the program of the answer")
    if isinstance(found, Failed):
        raise Stopped(found)
    return found


def _notes(outcome: Outcome, now: Outcome | None) -> Iterator[str]:
    asked = outcome.stats.asked
    if asked is None:
        yield "The stored answer does not say what was asked: only its program and its citations were checked."
        return
    if asked.version != VERSION:
        yield f"It was made by qlc {asked.version}, and this is {VERSION}."
    if asked.model and now is None:
        yield f"The model {asked.model} was not asked again: what it wrote was checked against its sources."


# --- data ------------------------------------------------------------------------------------------------------------


def _cells(outcome: Outcome) -> Iterator[Cell]:
    if isinstance(outcome, Answer):
        yield from outcome.values
        yield from (cell for row in outcome.rows for cell in row.cells.values())


def _cited(outcome: Outcome) -> Iterator[Citation]:
    if isinstance(outcome, Answer):
        yield from (one for claim in outcome.claims for one in claim.citations)
    if isinstance(outcome, Passages):
        yield from outcome.passages
    yield from (one for cell in _cells(outcome) for one in cell.citations)


def _files(outcome: Outcome) -> dict[str, str]:
    """Return the documents that an outcome is based on, with their files."""
    found = {one.document: one.file for one in _cited(outcome)}
    if isinstance(outcome, Answer):
        found |= {row.document: row.file for row in outcome.rows if row.document}
    if isinstance(outcome, Hits):
        found |= {hit.id: _file(hit) for hit in outcome.hits}
    return found


def _file(hit: Hit) -> str:
    files = hit.values.get("file")
    return str((files[0] if isinstance(files, list) and files else files) or hit.name or hit.id)


def _documents(outcome: Outcome, now: Outcome | None, searches: Searches) -> Iterator[DocumentChange]:
    before = _files(outcome)
    after = _files(now) if now is not None else before
    there = _found("id", list(before), searches)
    replaced = _found("file", [file for id, file in before.items() if id not in there], searches)
    for id, file in before.items():
        if id not in there:
            yield DocumentChange(file=file, change="replaced" if file in replaced else "removed")
        elif id not in after and now is not None and now.kind == outcome.kind:
            yield DocumentChange(file=file, change="excluded")
    if now is not None and now.kind == outcome.kind:
        for id, file in after.items():
            if id not in before and file not in replaced:
                has_been = file in before.values()  # under another name its old content can be there, too
                yield DocumentChange(file=file, change="replaced" if has_been else "added")


def _found(field: str, names: Sequence[str], searches: Searches) -> set[str]:
    """Return the ids or files that still have a document."""
    programs = [f"count documents where {field} = {print_string(name)}" for name in names]
    counted = searches.together([(CHECK, program, "whether it is there") for program in programs])
    return {name for name, one in zip(names, counted, strict=True) if isinstance(one, Count) and one.value}


def _gone(outcome: Outcome, cited: Sequence[Citation], searches: Searches) -> list[Checked]:
    """Return the citations that are no longer at their places."""
    read_pages(((one.document, one.page) for one in cited if one.quote), searches)
    claims = outcome.claims if isinstance(outcome, Answer) else ()
    said = {one: claim.text for claim in reversed(claims) for one in claim.citations}
    checked = [held(one, said.get(one, ""), searches) for one in cited]
    return [one for one in checked if not one.is_verified]


def _programs(outcome: Outcome) -> Iterator[tuple[str, int]]:
    """Yield the searches of an answer with their numbers of matches, except the checks of its pages."""
    steps = outcome.steps if isinstance(outcome, Answer | NotInCorpus | Passages) else ()
    yield from ((one.program, one.matches) for one in steps if one.tool != CHECK)
    if isinstance(outcome, Hits) and outcome.query:
        yield outcome.query, outcome.total


def _matches(programs: Sequence[tuple[str, int]], searches: Searches) -> Iterator[Change]:
    searches.together([(CHECK, program, "a search of the answer") for program, _ in programs])
    now = {one.program: one.matches for one in searches.steps}
    for program, matches in programs:
        if now.get(program, matches) != matches:
            yield Change(what=program, was=f"{matches:,}", now=f"{now[program]:,}")


def _shown_values(outcome: Outcome | None) -> dict[str, str]:
    """Return the values of an outcome by a label: `a.pdf: rent`, `value 1`."""
    match outcome:
        case Hits():
            return {
                f"{_file(hit)}: {name}": _plain(value, outcome.units.get(name, ""))
                for hit in outcome.hits for name, value in hit.values.items() if name != "file"
            }  # fmt: skip
        case Answer(rows=[_, *_]):
            return {f"{row.file or row.name}: {name}": cell_text(one)
                    for row in outcome.rows for name, one in row.cells.items()}  # fmt: skip
        case Answer():
            return {f"value {number}": cell_text(one) for number, one in enumerate(outcome.values, 1)}
        case Count() | ValueOut():
            return {"value": _plain(outcome.value, "")}
        case _:
            return {}


def _plain(value: Any, unit: str) -> str:
    if isinstance(value, float | int) and not isinstance(value, bool):
        return cell_text(Cell(value=value, unit=unit))
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _values(outcome: Outcome, now: Outcome | None) -> Iterator[Change]:
    """Yield the values that are in both outcomes and differ."""
    before, after = _shown_values(outcome), _shown_values(now)
    for what, was in before.items():
        if what in after and after[what] != was:
            yield Change(what=what, was=was, now=after[what])


# --- text ------------------------------------------------------------------------------------------------------------


def _text(outcome: Outcome, now: Outcome | None) -> Iterator[Change]:
    """Yield the sentences that only one of two answers has; for outcomes of different kinds, both messages."""
    if isinstance(outcome, Answer) and isinstance(now, Answer):
        before, after = ([" ".join(one.text.split()) for one in some.claims] for some in (outcome, now))
        yield from (Change(what="sentence", was=one, now=None) for one in before if one not in after)
        yield from (Change(what="sentence", was=None, now=one) for one in after if one not in before)
    elif now is not None and (now.message, now.kind) != (outcome.message, outcome.kind):
        yield Change(what=f"{outcome.kind} -> {now.kind}", was=outcome.message, now=now.message)
