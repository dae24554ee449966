"""An answer written by a language model from passages, and held to them sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qlc.answers.grounding import foreign, unfounded
from qlc.answers.searching import Searches
from qlc.answers.sentences import gives_orders
from qlc.answers.verifying import is_quoted, verified
from qlc.outcome import Answer, Cell, Citation, Claim
from qlc.translator.model.exchange import ModelReply, ModelRequest, resumed

from .calls import Calls, NoReply, Wrong, given
from .forms import WRITE, Said, Valued, Written
from .prompts import Passage

LEFT_OUT = "Something was left out: {count} of the sentences that were written could not be verified in the documents."
UNVERIFIED = "The language model wrote an answer, and none of it could be verified in the documents."
BY_MODEL = "Written by a language model from the documents; each sentence was compared with its quotes."


@dataclass
class Checked:
    """The claims that hold, by their number, and what is wrong with the others."""

    claims: dict[int, Claim] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    failed: int = 0


def checked(written: Written, passages: Mapping[str, Passage], searches: Searches) -> Checked:
    """Hold what a model wrote to the passages that it was shown, as they are in the index."""
    found = Checked()
    for number, said in enumerate(written.claims):
        claim, wrong = _claim(said, passages)
        if not wrong and not verified([claim], searches)[0]:
            wrong = ["its quote does not stand on the page"]
        if wrong:
            found.failed += 1
            found.wrong += [f"claim {number}: {one}" for one in wrong]
        else:
            found.claims[number] = claim
    return found


def _claim(said: Said, passages: Mapping[str, Passage]) -> tuple[Claim, list[str]]:
    wrong: list[str] = []
    citations, around = [], []
    for one in said.citations:
        passage = passages.get(one.passage)
        if passage is None:
            wrong.append(f"there is no passage '{one.passage[:40]}' in the evidence")
        elif not is_quoted(one.quote, passage.text):
            wrong.append(f"the quote {one.quote[:80]!r} is not in {one.passage}, letter by letter")
        elif gives_orders(one.quote):
            wrong.append("the quote speaks to a program: it is no content")
        else:
            citations.append(Citation(document=passage.document, file=passage.file, page=passage.page, quote=one.quote))
            around += [passage.title, passage.file, passage.section]
    text = line_of(said.text)
    if not said.citations:
        wrong.append("it has no citation")
    if not wrong:
        wrong = unfounded(text, [one.quote for one in citations], around)
    return Claim(text=text, citations=citations), wrong


def line_of(text: str) -> str:
    """A text on one line that can be printed."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def composed(reply: ModelReply, passages: Sequence[Passage], searches: Searches) -> tuple[Written, Checked]:
    """What a reply has of an answer, and what of it holds. Raises Wrong where it is none."""
    written = given(reply, WRITE, Written)
    if written.status == "answer" and not written.claims:
        raise Wrong("an answer needs claims; or status is not_in_evidence")
    return written, checked(written, {one.name: one for one in passages}, searches)


def finished(written: Written, found: Checked) -> Answer | None:
    """The answer of the claims that hold; None where nothing is left, or the evidence does not tell it."""
    if written.status == "not_in_evidence" or not found.claims:
        return None
    claims = list(found.claims.values())
    values = [cell for one in written.values if (cell := _cell(one, found.claims)) is not None]
    lost = [LEFT_OUT.format(count=found.failed)] if found.failed else []
    return Answer(
        message=" ".join(one.text for one in claims), claims=claims, values=values,
        covered=list(dict.fromkeys(one.file for claim in claims for one in claim.citations)),
        notes=[*lost, BY_MODEL],
    )  # fmt: skip


def _cell(one: Valued, claims: Mapping[int, Claim]) -> Cell | None:
    """A value that its claim says; None for any other."""
    claim = claims.get(one.claim)
    if claim is None or not isinstance(one.value, str | int | float | bool):
        return None
    said = f"{one.value} {one.unit}".strip() if isinstance(one.value, int | float) else str(one.value)
    if isinstance(one.value, bool) or foreign(said, claim.text, claim.text):
        return None
    return Cell(value=one.value, unit=one.unit, citations=claim.citations)


def write(request: ModelRequest, passages: Sequence[Passage], calls: Calls, searches: Searches) -> Answer | None:
    """The answer to a writer's request; what does not hold goes back once. None where the evidence does not tell it.

    Raises NoReply, and Wrong where nothing that was written could be verified.
    """
    reply = calls.send(request)
    first: tuple[Written, Checked] | None = None
    try:
        first = composed(reply, passages, searches)
        if not first[1].wrong:
            return finished(*first)
        wrong = Wrong(*first[1].wrong[:10], hint="write the whole answer again; leave out what no quote proves")
    except Wrong as problem:
        wrong = problem
    try:
        again = composed(calls.send(resumed(request, reply, wrong.told)), passages, searches)
    except (Wrong, NoReply):
        if first is None:
            raise
        again = first
    answer = finished(*again)
    if answer is None and again[0].status == "answer":
        raise Wrong("nothing that was written could be verified")
    return answer
