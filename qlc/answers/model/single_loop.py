"""One conversation with a language model that searches with tools and then writes: held to the same as the stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from qlc.answers.grounding import foreign
from qlc.answers.linking import Linked
from qlc.answers.searching import Searches
from qlc.answers.sentences import Passage
from qlc.answers.tools import TOOLS, call
from qlc.answers.tools.results import Annotations, Documents, Passages, Ran, Result, ToolProblem
from qlc.answers.verifying import page_text
from qlc.models.exchange import ModelReply, Tool, resumed
from qlc.models.tool_input import WrongUse, used_tool
from qlc.outcome import Claim, Declined, Outcome

from .calls import Calls, Wrong, given
from .decomposing import today
from .forms import WRITE, Written
from .prompts import single_loop, tool_result
from .writing import UNVERIFIED, Checked, checked, finished, line_of, nothing_said


@dataclass
class Seen:
    """The results of tools so far: passages by id, documents with file and title, and computed values."""

    passages: dict[str, Passage] = field(default_factory=dict)
    documents: dict[str, tuple[str, str]] = field(default_factory=dict)
    computed: dict[str, Ran] = field(default_factory=dict)

    def add(self, name: str, result: Result) -> None:
        match result:
            case Passages():
                for one in result.passages:
                    known = self.passages.get(one.passage)
                    text = f"{known.text}\n{one.snippet}" if known is not None else one.snippet
                    self.passages[one.passage] = Passage(
                        one.passage, one.document, one.file, one.title, one.page, tuple(one.section), text
                    )
                    self.documents[one.document] = (one.file, one.title)
            case Annotations():
                for some in result.annotations:
                    self.documents[some.document] = (some.file, some.title)
            case Documents():
                for document in result.documents:
                    self.documents[document.document] = (document.files[0], document.title)
            case Ran():
                self.computed[name] = result
            case _:
                pass

    def cited(self, written: Written, searches: Searches) -> Mapping[str, Passage]:
        """Return the passages that may be cited: those shown to the model, and pages of documents that were shown."""
        found = dict(self.passages)
        for name in {one.passage for claim in written.claims for one in claim.citations}:
            document, _, page = name.rpartition("/")
            if document in self.documents and page.isdecimal():
                file, title = self.documents[document]
                text = page_text(document, int(page), searches)
                found[name] = Passage(name, document, file, title, int(page), (), text)
        return found


def single_looped(linked: Linked, calls: Calls, searches: Searches) -> Outcome:
    """Answer in one conversation with tools. Raises NoReply."""
    seen = Seen()
    reply: ModelReply | None = None
    most = searches.meter.budget.tools
    request = single_loop(linked.text, searches.schema, today(searches), most, searches.coverage)
    for number in range(1, most + 1):
        reply = calls.send(request)
        if not reply.uses or reply.uses[0].name not in TOOLS:
            break
        result = _called(reply, request.tools, searches)
        seen.add(f"r{number}", result)
        told = dict(tool_result(result, f"r{number}"))
        request, reply = resumed(request, reply, told, is_error=result.kind == "problem"), None
    last = replace(request, tools=(WRITE,))
    return calls.asked(last, lambda one: _read(one, seen, linked.text, searches), reply)


def _called(reply: ModelReply, tools: Sequence[Tool], searches: Searches) -> Result:
    """Run the tool that the model used, and return its result, or the problem of its input."""
    try:
        use = used_tool(reply, tools)
    except WrongUse as wrong:
        return ToolProblem(code="bad-arguments", message=str(wrong), hint="")
    return call(use.name, use.input, searches)


def _read(reply: ModelReply, seen: Seen, question: str, searches: Searches) -> tuple[Outcome, Wrong | None]:
    """Return the outcome of the valid claims, and the problems of the others. Raises Wrong if the reply is not an
    answer."""
    written = given(reply, WRITE, Written)
    if written.status == "not_in_evidence":
        return nothing_said(searches, shown=[*seen.passages.values()]), None
    if written.status == "search" or not written.claims:
        raise Wrong("search with the other tools; an answer needs claims; or status is not_in_evidence")
    is_computed = all(claim.citations and claim.citations[0].passage in seen.computed for claim in written.claims)
    found = _computed(written, seen) if is_computed else checked(
        written, seen.cited(written, searches), question, searches
    )  # fmt: skip
    answer = finished(written, found)
    if answer is not None and is_computed:
        programs = list(dict.fromkeys(seen.computed[one.citations[0].passage].program for one in written.claims))
        notes = [*(f"Computed by: {one}" for one in programs), *answer.notes]
        answer = answer.model_copy(update={"computed": True, "query": programs[0], "notes": notes})
    wrong = Wrong(*found.wrong[:10], hint="write the whole answer again") if found.wrong else None
    return answer or Declined(message=UNVERIFIED), wrong


def _computed(written: Written, seen: Seen) -> Checked:
    """Check sentences about computed values: all their numbers must be in the outcome, which is shown with them."""
    found = Checked()
    for number, said in enumerate(written.claims):
        ran = [seen.computed[one.passage] for one in said.citations if one.passage in seen.computed]
        text = line_of(said.text)
        known = "\n".join(
            f"{one.outcome.get('message', '')} {one.outcome.get('value', '')} {one.program}" for one in ran
        )
        if problems := foreign(text, known, known):
            found.failed += 1
            found.wrong += [f"claim {number}: {one}" for one in problems]
        else:
            found.claims[number] = Claim(text=text)
    return found
