"""An answer written by a language model from passages, and held to them sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from qlc.answers.calculating import calculated
from qlc.answers.declining import read_documents
from qlc.answers.grounding import conversions, counted, foreign, unfounded
from qlc.answers.placing import Source, change_of, quoted_cells
from qlc.answers.searching import Searches
from qlc.answers.sentences import Passage, passage_of
from qlc.answers.verifying import is_quoted, page_passages, read_pages, verified
from qlc.corpus.orders import orders_in
from qlc.language.numbers import is_of_other_language
from qlc.models.exchange import ModelReply, ModelRequest, resumed
from qlc.outcome import Answer, AnswerRow, Cell, Citation, Claim, NotInCorpus
from qlc.outcome.amounts import several

from .calls import Calls, NoReply, Wrong, WrongTwice, given
from .evidence import Change, changes, look_for, numbered
from .forms import WRITE, Said, Valued, Written
from .prompts import passages_as_data

LEFT_OUT = "Something was left out: {count} of the sentences that were written could not be verified in the documents."
UNVERIFIED = "The language model wrote an answer, but none of it could be verified in the documents."
TRANSLATED = "Some quotes are in another language: their numbers and names were compared, their other words were not."
BY_MODEL = "Written by a language model from the documents; each sentence was compared with its quotes."

_SPEAKER = re.compile(r"\W*(?:system|assistant|user|developer|human)\s*:\s*(?:the|this|that|it|you|all)\b", re.I)
"""Matches a turn of a conversation as models are shown it, such as `SYSTEM: the pump is free`."""


@dataclass
class Checked:
    """The valid claims, by their number, and the problems of the others."""

    claims: dict[int, Claim] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    failed: int = 0
    is_translated: bool = False
    """Whether a claim rests on quotes in another language, whose words cannot be compared."""


def checked(written: Written, passages: Mapping[str, Passage], question: str, searches: Searches) -> Checked:
    """Check the claims of a model against the passages that it was shown, as they are in the index."""
    found = Checked()
    cited = [passages[one.passage] for said in written.claims for one in said.citations if one.passage in passages]
    read_pages(((one.document, one.page) for one in cited), searches)
    for number, said in enumerate(written.claims):
        claim, wrong = _claim(said, passages, question, searches)
        if not wrong and not verified([claim], searches)[0]:
            wrong = ["its quote does not stand on the page"]
        if wrong:
            found.failed += 1
            found.wrong += [f"claim {number}: {one}" for one in wrong]
        else:
            found.claims[number] = claim
            found.is_translated |= all(is_of_other_language(passages[one.passage].text) for one in said.citations)
    return found


def _claim(
    said: Said, passages: Mapping[str, Passage], question: str, searches: Searches
) -> tuple[Claim, list[str]]:
    wrong: list[str] = []
    citations, around, sources = [], [], []
    for one in said.citations:
        passage = passages.get(one.passage)
        quote = one.quote if passage is None or is_quoted(one.quote, passage.text) else unescaped(one.quote)
        if passage is None:
            wrong.append(f"there is no passage '{one.passage[:40]}' in the evidence")
        elif not is_quoted(quote, passage.text):
            wrong.append(f"the quote {one.quote[:80]!r} is not in {one.passage}, letter by letter")
        elif orders_in(quote) or _SPEAKER.match(quote):
            wrong.append("the quote speaks to a program: it is no content")
        else:
            citations.append(Citation(document=passage.document, file=passage.file, page=passage.page, quote=quote))
            around += [passage.title, passage.file, passage.heading]
            sources.append(_source(quote, passage, searches))
    text = line_of(said.text)
    if not said.citations:
        wrong.append("it has no citation")
    if not wrong:
        quotes = [one.quote for one in citations]
        cells = quoted_cells(sources)
        expression = said.calculation.strip() or change_of(text, counted(text), cells, question)
        try:
            result = calculated(expression, quotes, text, question, cells) if expression else None
        except ValueError as problem:
            return Claim(text=text), [f"its calculation: {problem}"]
        documents = {one.document for one in citations}
        names = "\n".join(one.text for one in passages.values() if one.document in documents)
        wrong = unfounded(text, quotes, around, result, names, question, cells)
        if shown := conversions(text, quotes):
            text = f"{text.rstrip('.')} ({', '.join(map(line_of, shown))})."
        if result is not None and expression not in text:
            text = f"{text.rstrip('.')} ({line_of(expression)})."
    return Claim(text=text, citations=citations), wrong


def _source(quote: str, passage: Passage, searches: Searches) -> Source:
    """Return a quote with its whole page, which has the other rows of a table and what stands above it."""
    on_page = [*map(passage_of, page_passages(passage.document, passage.page, searches))]
    text = "\n".join(one.text for one in on_page)
    if not is_quoted(quote, text):
        return Source(quote, passage.text, passage.head, passage.section[-1:])
    return Source(quote, text, on_page[0].head, passage.section[-1:])


def unescaped(quote: str) -> str:
    """Replace the escapes that a model copied from the prompt into a quote."""
    plain = re.sub(r"\\u00(3c|3e|0a|09)", lambda found: chr(int(found[1], 16)), quote)
    return re.sub(r"\\([nt])", " ", plain).replace('\\"', '"').replace("\\\\", "\\")


def line_of(text: str) -> str:
    """A text on one line that can be printed."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def finished(written: Written, found: Checked) -> Answer | None:
    """Return the answer of the valid claims; None without claims, or if the evidence does not have the answer."""
    if written.status != "answer" or not found.claims:
        return None
    claims = list(found.claims.values())
    cells = [(one, cell) for one in written.values if (cell := _cell(one, found.claims)) is not None]
    placed = [(one, cell) for one, cell in cells if one.row and one.column and cell.citations]
    lost = [LEFT_OUT.format(count=found.failed)] if found.failed else []
    lost += [TRANSLATED] if found.is_translated else []
    return Answer(
        message=" ".join(one.text for one in claims), claims=claims, values=[cell for _, cell in cells],
        columns=list(dict.fromkeys(one.column for one, _ in placed)), rows=list(_rows(placed)),
        covered=list(dict.fromkeys(one.file for claim in claims for one in claim.citations)),
        notes=[*lost, BY_MODEL],
    )  # fmt: skip


def _rows(cells: Sequence[tuple[Valued, Cell]]) -> Iterator[AnswerRow]:
    """Yield the rows of a table, each with the document of its first value."""
    rows: dict[str, dict[str, Cell]] = {}
    for one, cell in cells:
        rows.setdefault(one.row, {})[one.column] = cell
    for name, values in rows.items():
        source = next(iter(values.values())).citations[0]
        yield AnswerRow(document=source.document, name=name, file=source.file, cells=values)


def _cell(one: Valued, claims: Mapping[int, Claim]) -> Cell | None:
    """Return a value if its claim contains it; else None."""
    claim = claims.get(one.claim)
    if claim is None or not isinstance(one.value, str | int | float | bool):
        return None
    said = f"{one.value} {one.unit}".strip() if isinstance(one.value, int | float) else str(one.value)
    if not isinstance(one.value, bool) and foreign(said, claim.text, claim.text):
        return None
    return Cell(value=one.value, unit=one.unit, citations=claim.citations)


def write(
    request: ModelRequest, passages: Sequence[Passage], question: str, calls: Calls, searches: Searches,
    within: Sequence[str] = ("",),
) -> Answer | None:  # fmt: skip
    """Return the answer to a writer's request; None if the evidence does not have it.

    The model may look for more passages once, with each of the conditions `within`, and gets invalid claims back once.
    Raises NoReply.
    """
    shown = [*passages]
    reply = calls.send(request)
    if queries := _sought(reply):
        found = [one for where in within for query in queries for one in look_for(query, searches, shown, where)]
        more = numbered(found, shown)
        shown += more
        request = resumed(request, reply, {"evidence": passages_as_data(more)}, is_error=False)
        reply = calls.send(request)

    def read(reply: ModelReply) -> tuple[tuple[Written, Answer | None, list[Change]], Wrong | None]:
        written = given(reply, WRITE, Written)
        if written.status == "search":
            return (written, None, []), Wrong("the one search is used up; status is answer or not_in_evidence")
        if written.status == "answer" and not written.claims:
            raise Wrong("an answer needs claims; or status is not_in_evidence")
        found = checked(written, {one.name: one for one in shown}, question, searches)
        answer = finished(written, found)
        contradicted = [*changes(answer, searches)] if answer is not None else []
        later = numbered([one.passage for one in contradicted], shown)
        shown.extend(later)
        problems = found.wrong[:10]
        problems += [_SUPERSEDED.format(file=one.passage.file, text=one.sentence) for one in contradicted]
        wrong = Wrong(*problems, evidence=passages_as_data(later), hint=_AGAIN) if problems else None
        return (written, answer, contradicted), wrong

    written, answer, contradicted = calls.asked(request, read, reply)
    if written.status == "search":
        raise NoReply("it went on searching")
    if answer is None and written.status == "answer":
        raise WrongTwice
    return settled(answer, contradicted) if answer is not None else None


def _sought(reply: ModelReply) -> Sequence[str]:
    try:
        written = given(reply, WRITE, Written)
    except Wrong:
        return ()
    return written.search if written.status == "search" else ()


_AGAIN = "write the whole answer again; leave out what no quote proves"
_SUPERSEDED = "{file} changes this and says: {text!r}. Tell both in one claim; only what counts now is one of values"


def settled(answer: Answer, contradicted: Sequence[Change]) -> Answer:
    """Return the answer with the contradicting sentences added, and without the values that they contradict."""
    for one in contradicted:
        source = one.passage
        if all(cited.document != source.document for claim in answer.claims for cited in claim.citations):
            citation = Citation(document=source.document, file=source.file, page=source.page, quote=one.sentence)
            claim = Claim(text=line_of(one.sentence), citations=[citation], quoted=True)
            answer = answer.model_copy(update={
                "claims": [*answer.claims, claim], "message": f"{answer.message} {source.title} says: {claim.text}",
                "covered": [*answer.covered, source.file],
                "notes": [f"{source.title} changes it: what it says counts.", *answer.notes],
            })  # fmt: skip
        kept = [value for value in answer.values if value.citations != one.claim.citations]
        answer = answer.model_copy(update={"values": kept})
    return answer


def nothing_said(searches: Searches, notes: Sequence[str] = (), shown: Sequence[Passage] = ()) -> NotInCorpus:
    """Return the outcome for a question without an answer in the passages that were `shown`, if any were found."""
    counted, read = read_documents(searches)
    of = several(len({one.document for one in shown}), "document")
    those = f"I read {several(len(shown), 'passage')} of {of}, the nearest to the question, and found no answer there."
    message = (
        f"{those if shown else 'I found no passage that says this.'} The {'rest of the ' if shown else ''}{counted:,} "
        f"documents{read} {'was' if shown else 'were'} searched and not read: name the document, or ask in its words."
    )
    return NotInCorpus(message=message, documents=counted, notes=[*notes])
