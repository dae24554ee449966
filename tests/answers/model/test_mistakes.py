"""A model that calculates wrongly, calls tools without end, or is cut off in the middle: each ends as documented."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc.answers.answering import searches_of
from qlc.answers.model.evidence import changes
from qlc.models.budgets import Budget
from qlc.outcome import Answer, Citation, Claim
from tests.answers.model.conftest import Scripted, judges, plans, writes
from tests.answers.model.test_orchestrator import NOTICE, ROOMS
from tests.corpora import made
from tests.model.messages_api import Said, uses
from tests.tables import rows

PRICES = "A hotel costs at most EUR 140 a night; in London GBP 170."
TO_WRITE = plans(topic_terms=["hotel", "travel policy"])


def _calculates(text: str, calculation: str) -> Said:
    claim = {"text": text, "citations": [{"passage": "p1", "quote": PRICES}], "calculation": calculation}
    return uses("write_answer", {"status": "answer", "claims": [claim]})


@pytest.mark.parametrize(
    ("text", "calculation"),
    [
        ("The costs of hotels differ by 30.", "170 - 140"),
        ("The costs of a hotel are 310 together.", "sum(140, 170)"),
        ("A hotel costs 155 on average.", "avg(140, 170)"),
        ("There are 2 costs of a hotel.", "count(140, 170)"),
    ],
)
def test_a_result_is_shown_with_its_calculation(
    text: str, calculation: str, library: qlc.Corpus, scripted: Scripted
) -> None:
    reader, _ = scripted(TO_WRITE, _calculates(text, calculation))
    found = library.ask(ROOMS, reader=reader)
    assert isinstance(found, Answer), found
    assert found.message == f"{text.rstrip('.')} ({calculation})."


@pytest.mark.parametrize(
    ("text", "calculation", "why"),
    rows(__file__, "test_a_calculation_that_does_not_hold_goes_back_with_the_reason"),
)
def test_a_calculation_that_does_not_hold_goes_back_with_the_reason(
    text: str, calculation: str, why: str, library: qlc.Corpus, scripted: Scripted
) -> None:
    reader, server = scripted(TO_WRITE, _calculates(text, calculation))
    found = library.ask(ROOMS, reader=reader)
    assert found.kind == "declined"
    assert why in str(server.requests[2]["messages"][-1]).replace("\\\\'", "'").replace("\\'", "'")


CUT = Said({"type": "message", "content": [{"type": "text", "text": "x" * 500}]}, cut=True)
SEARCH = uses("search_text", {"query": "hotel"})


@pytest.mark.parametrize(
    ("script", "options"),
    [
        ([TO_WRITE, CUT], {}),
        ([TO_WRITE, writes(status="search", search=["hotel"]), CUT], {}),
        ([CUT], {"mode": "single_loop"}),
        ([SEARCH, CUT], {"mode": "single_loop"}),
    ],
    ids=["the writer", "after its search", "the first call of a loop", "after a tool"],
)
def test_a_stream_that_is_cut_leaves_the_answer_of_the_rules(
    script: Sequence[Said], options: dict[str, Any], library: qlc.Corpus, scripted: Scripted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("qlc.models.client_model.FIRST_PAUSE", 0.001)
    reader, server = scripted(*script, **options)
    found, by_rules = library.ask(ROOMS, reader=reader), library.ask(ROOMS)
    assert (found.kind, found.message) == (by_rules.kind, by_rules.message)
    assert any("it could not be asked: unreachable" in note for note in found.notes)
    assert len(server.requests) == len(script) + 3


def test_a_cut_judge_leaves_the_exact_answer(
    library: qlc.Corpus, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qlc.models.client_model.FIRST_PAUSE", 0.001)
    reader, _ = scripted(CUT)
    assert library.ask(NOTICE, reader=reader).message == library.ask(NOTICE).message


def test_a_writer_that_searches_without_end_is_not_taken_for_one_that_found_nothing(
    library: qlc.Corpus, scripted: Scripted
) -> None:
    reader, server = scripted(TO_WRITE, writes(status="search", search=["hotel"]))
    found, by_rules = library.ask(ROOMS, reader=reader), library.ask(ROOMS)
    assert (found.kind, found.message) == (by_rules.kind, by_rules.message)
    assert any("it went on searching" in note for note in found.notes)
    assert len(server.requests) == 4


def test_a_loop_that_only_calls_tools_ends_with_its_budget(library: qlc.Corpus, scripted: Scripted) -> None:
    budget = Budget(tools=3)
    reader, server = scripted(SEARCH, mode="single_loop")
    found = library.ask(ROOMS, reader=reader, budget=budget)
    assert found.kind == library.ask(ROOMS).kind
    assert len(server.requests) == 5
    assert any("wrong twice" in note for note in found.notes)


# --- what a judge is shown, and what follows from it -----------------------------------------------------------------


def test_a_judge_sees_the_text_around_a_quote(library: qlc.Corpus, scripted: Scripted) -> None:
    reader, server = scripted(judges(True))
    library.ask("Which contracts have a notice period under 20 days?", reader=reader)
    content = server.requests[0]["messages"][0]["content"]
    assert 'quote="Notice period: 14 days"' in content or 'quote="14 days"' in content, content
    assert "Renews automatically" in content


def test_values_that_a_judge_doubts_restrict_no_evidence(library: qlc.Corpus, scripted: Scripted) -> None:
    constraint = {"field": "notice", "operator": "<", "value": "20 days", "raw_text": "under 20 days"}
    reader, server = scripted(
        judges(False, "another notice"), plans("contracts", "list", constraints=[constraint]),
        writes(status="not_in_evidence"),
    )  # fmt: skip
    found = library.ask("Which contracts have a notice period under 20 days?", reader=reader)
    assert len(server.requests) == 3, "the same outcome is judged once"
    evidence = server.requests[-1]["messages"][0]["content"]
    assert "contracts/borden_cleaning.docx" in evidence
    assert "three months" in evidence
    assert found.kind == "not_in_corpus"


def test_documents_without_text_do_not_stand_in_the_way(library: qlc.Corpus, scripted: Scripted) -> None:
    reader, _ = scripted(
        plans("contracts", "list", topic_terms=["filter mats are delivered", "bring mats in a week"]),
        writes(status="not_in_evidence"),
    )  # fmt: skip
    found = library.ask("Which agreements bring mats in a week?", reader=reader)
    assert "Narrow the question" not in found.message
    assert "could not be read, and may belong to this: contracts/cut_off.pdf and contracts/locked.pdf" in found.message


def test_a_day_of_an_amendment_changes_no_other_day(library: qlc.Corpus) -> None:
    document = library.document("contracts/acme_supply.md")
    quote = "Effective Date: 15 September 2023"
    cited = Citation(document=document.id, file="contracts/acme_supply.md", page=1, quote=quote)
    claim = Claim(text="The supply agreement takes effect on 15 September 2023.", citations=[cited])
    answer = Answer(message=claim.text, claims=[claim])
    assert not list(changes(answer, searches_of(library, {})))


REPORTS = {
    "r1.txt": "Service report 618\n\nTechnician: Greta Holm\nFree chlorine: 0.3 mg/l\n\nFilter cleaned.\n",
    "r2.txt": "Service report 614\n\nTechnician: Greta Holm\nFree chlorine: 0.5 mg/l\nWater temperature: 32.0 C\n"
          "Hours: 3.5\nParts fitted: dosing hose\n\nThe dosing hose was brittle and was replaced.\n",
    "r3.txt": "Correction\n\nTechnician: Greta Holm\nReport 618 is replaced. Free chlorine was 0.6 mg/l.\n",
    "r4.txt": "Stock of report 618\n\nTechnician: Greta Holm\n618 screws in 4 boxes. The motor was replaced.\n",
}  # fmt: skip


BY_TECHNICIAN = """{version: 1, name: s, language: english, buckets: {reports: {description: Reports, singular: report,
  files: ['*.txt'], fields: {technician: {type: name, labels: [Technician]}}}}}"""


def test_a_report_in_which_a_part_was_replaced_changes_no_other_report(tmp_path: Path) -> None:
    with made(tmp_path, REPORTS, BY_TECHNICIAN) as corpus:
        quoted = Citation(document=corpus.document("r1.txt").id, file="r1.txt", page=1, quote="Free chlorine: 0.3 mg/l")
        claim = Claim(text="Free chlorine was 0.3 mg/l (report 618).", citations=[quoted])
        found = changes(Answer(message=claim.text, claims=[claim]), searches_of(corpus, {}))
        assert {one.passage.file for one in found} == {"r3.txt"}
