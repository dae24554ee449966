"""Files of cases under pytest: collected, counted as right, declined and wrong, kept as snapshots."""

import textwrap

import pytest

from tests.tables import rows, table

pytest_plugins = "pytester"

DATA = table(__file__, "DATA")
PLUGINS = (
    "-p", "qlc.testing.plugin", "-p", "syrupy", "-p", "no:cacheprovider",
    "-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning",  # by the run around it
)  # fmt: skip


class Runs:
    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester

    def __call__(self, cases: str, *arguments: str, head: str = DATA) -> pytest.RunResult:
        path = self.pytester.path / "things.qlc.yaml"
        path.write_text(head + textwrap.indent(textwrap.dedent(cases), "  "), encoding="utf-8")
        return self.again(*arguments)

    def again(self, *arguments: str) -> pytest.RunResult:
        return self.pytester.runpytest_inprocess(*PLUGINS, *arguments)  # a process would import all of it again


@pytest.fixture
def runs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Runs:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it may be installed, and is named here
    return Runs(pytester)


def test_every_expectation_can_be_met(runs: Runs) -> None:
    found = runs(
        """
        - {run: 'count things where colour = "red"', value: 2, outcome: count, total: 2}
        - {run: count things by colour, rows: {red: 2, blue: 1}}
        - {run: find things where price > 4 sort price desc, rows: [c, {id: b, colour: red}], total: 2}
        - {run: count things where colur = "red", outcome: invalid}
        - {question: things made last month, answer: find things where made in last month}
        - {question: how many things, program: count things}
        - {question: "and the blue ones?", after: [how many things], program: 'count things where colour = "blue"'}
        """
    )
    assert found.parseoutcomes() == {"passed": 7}
    assert found.ret == 0
    found.stdout.fnmatch_lines(["7 right, 0 declined, 0 wrong"])


MISSED = table(__file__, "MISSED")


def test_declined_and_wrong_are_results_of_their_own(runs: Runs) -> None:
    cases = [*MISSED, "{run: count things, value: 3}"]
    found = runs("\n".join(f"- {case}" for case in cases), "--qlc-penalty", "3", "-v")
    assert found.parseoutcomes() == {"passed": 1, "wrong": 7, "declined": 2}
    assert found.ret == 1
    words = ["*count things (3) RIGHT*", "*how many things WRONG*", "*zork the gnusto DECLINED*"]
    found.stdout.fnmatch_lines_random([*MISSED.values(), *words])
    found.stdout.fnmatch_lines(["1 right, 2 declined, 7 wrong; score -2.000 with a penalty of 3 for a wrong answer"])


def test_a_program_is_kept_as_a_snapshot(runs: Runs) -> None:
    case = "- {{question: how many {}, outcome: count, snapshot: true, name: the question}}"
    first = runs(case.format("things"))
    assert first.parseoutcomes() == {"failed": 1}  # nothing is stored yet: no answer is wrong
    first.stdout.fnmatch_lines(["there is no stored snapshot yet; --snapshot-update stores it"])
    assert runs.again("--snapshot-update").parseoutcomes() == {"passed": 1}
    assert runs.again().parseoutcomes() == {"passed": 1}
    other = runs(case.format("red things"))
    assert other.parseoutcomes() == {"wrong": 1}
    other.stdout.fnmatch_lines(['came out: count * where colour = "red"'])


REFUSED = [
    ("- {run: count things}", DATA, "*a case expects something*"),
    ("- {run: count things, valu: 3}", DATA, "*valu in line *: there is no such key*"),
    ("- {question: all, run: count things, value: 3}", DATA, "*either a 'question' or a program to 'run'*"),
    ("- {run: count things, value: 3}", "index: things\ncases:\n", "*say where the documents are*"),
    ("- {run: [}", DATA, "*is not YAML*"),
    ("- {run: count things, program: 'count things where nothing = 1'}", DATA, "*that is expected has errors*"),
]


def test_a_file_that_is_wrong_is_an_error_with_a_reason(runs: Runs) -> None:
    for number, (cases, head, _) in enumerate(REFUSED):
        (runs.pytester.path / f"{number}.qlc.yaml").write_text(f"{head}  {cases}\n", encoding="utf-8")
    found = runs.again("--continue-on-collection-errors")
    assert found.parseoutcomes() == {"errors": 5, "failed": 1}
    found.stdout.fnmatch_lines_random([line for _, _, line in REFUSED])


@pytest.mark.parametrize(("text", "said"), rows(__file__, "test_what_is_wrong_is_said_in_a_sentence"))
def test_what_is_wrong_is_said_in_a_sentence(runs: Runs, text: str, said: str) -> None:
    (runs.pytester.path / "things.qlc.yaml").write_text(text, encoding="utf-8")
    (runs.pytester.path / "twice.ndjson").write_text('{"id": "a"}\n\n{"id": "a"}\n', encoding="utf-8")
    (runs.pytester.path / "broken.ndjson").write_text('{"id": "a"}\n{"id": \n', encoding="utf-8")
    out = runs.again().stdout.str()
    assert said in out
    assert "Traceback" not in out
    assert "Error:" not in out


def test_nothing_and_zero_can_be_expected(runs: Runs) -> None:
    found = runs(
        """
        - {run: 'count things where colour = "green"', value: 0}
        - {run: 'find things where colour = "green"', total: 0}
        - {run: 'find things where colour = "green"', rows: []}
        - {run: count things, value: "3"}
        """
    )
    found.assert_outcomes(passed=3)
    found.stdout.fnmatch_lines(["value expected: '3'", "*came out: 3"])


def test_a_run_without_such_a_file_imports_nothing_of_it(runs: Runs) -> None:
    runs.pytester.makepyfile(
        """
        import sys

        def test_nothing_is_imported():
            own = {one for one in sys.modules if one.partition(".")[0] in ("qlc", "qlc_engine", "elasticsearch")}
            assert own <= {
                "qlc", "qlc.base", "qlc.base.import_path", "qlc.base.lazy", "qlc.base.old_paths", "qlc.base.version",
                "qlc.testing", "qlc.testing.plugin",
            }
        """
    )
    found = runs.pytester.runpytest_subprocess(*PLUGINS)
    assert found.parseoutcomes() == {"passed": 1}
    assert "questions and programs" not in found.stdout.str()
