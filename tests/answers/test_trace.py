"""The record that an answer makes of its stages, and `qlc explain --corpus`."""

import pytest

import qlc
from qlc.cli.main import main


def test_each_stage_writes_what_it_did(library: qlc.Corpus) -> None:
    question = "What is the notice period in the Borden cleaning agreement?"
    trace = library.explain(question)
    assert trace.outcome.kind == "answer"
    assert trace.decomposition == library.decompose(question)
    (route,) = trace.routes
    assert (route.route, route.bucket, route.ended) == ("structured", "contracts", "answer")
    assert route.signals["asked"].keys() == {"notice"}
    assert [(one.file, one.quote, one.is_verified) for one in trace.checked] == [
        ("contracts/borden_cleaning.docx", "Notice period: three months", True)
    ]
    compiler = library.compiler()
    assert {compiler.run(step.program).kind for step in trace.steps} <= {"hits", "count"}
    assert trace.milliseconds["all"] > 0


def test_what_is_left_of_the_question_is_written_down(library: qlc.Corpus) -> None:
    trace = library.explain("What does the travel policy say about hotels?")
    assert trace.outcome.kind == "passages"
    assert (trace.routes[-1].route, trace.routes[-1].ended) == ("passages", "passages")
    assert any("parts of the question are left" in one.why for one in trace.pruned)


def test_explain_prints_routes_steps_and_checks(library: qlc.Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(library._folder)
    assert main(["explain", "--corpus", folder, "How wide is the AS-330?"]) == 0
    told = capsys.readouterr().out
    for part in ("Route: structured, datasheets", "find datasheets where", "true width", "Outcome", "992"):
        assert part in told
