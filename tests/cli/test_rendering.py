"""How answers read: one outcome of each kind, and the explanation of a query with two lookups."""

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from qlc.cli.render import Style, outcome, table
from qlc.outcome import (
    AggregateOut,
    Clarify,
    Count,
    Failed,
    Hit,
    Hits,
    Invalid,
    Named,
    Note,
    NotFound,
    Option,
    Outcome,
    RowOut,
    Unsupported,
    ValueOut,
)
from qlc.outcome.amounts import cell
from tests import tables
from tests.cli.conftest import Command

SOURCE = 'find documents where folderName = "Tax"'
KINDS: dict[str, Outcome] = {
    "hits": Hits(
        message="1,204 documents. 2 shown.", entity="document", ids=["a", "b"], total=1204, cursor="abc",
        hits=[
            Hit(id="a", name="Plan", values={"name": "Plan", "size": 1234567, "owner": {"id": "u1", "name": "Dana"},
                                             "created": "2026-03-01T08:30:00Z", "tags": ["x", "y"], "signed": True}),
            Hit(id="b", name="日本", values={"name": "日本\nzwei", "size": 5, "score": 0.5, "signed": False}),
        ],
        units={"size": "bytes"},
        notes=["No folder is called exactly 'Pln'; used 'Plan' (a near spelling)."],
    ),
    "no hits": Hits(message="No documents found.", entity="document"),
    "count": Count(message="5 documents.", value=5),
    "aggregate": AggregateOut(
        message="2 rows.", groups=["owner", "year"], measures=["count", "avg"],
        rows=[RowOut(key={"owner": {"id": "u1", "name": "Dana"}, "year": "2024"}, value={"count": 12345, "avg": 1.5}),
              RowOut(key={"owner": {"id": "u2"}, "year": "2023"}, value={"count": 1, "avg": None})],
    ),
    "value": ValueOut(message="owner: Dana, size: 5.", value={"owner": {"id": "u1", "name": "Dana"}, "size": 5}),
    "clarify": Clarify(
        message="There are 2 folders called 'Travel'. Which do you mean?", what="Travel", token="dG9rZW4",
        options=[Option(id="f1", label="Travel (root/Travel)"), Option(id="f2", label="Travel (root/Old/Travel)")],
    ),
    "not found": NotFound(message="There is no folder called 'Trvl'. Did you mean 'Travel'?", what="Trvl",
                          reason="no-such-name", suggestions=["Travel"]),
    "unsupported": Unsupported(message="A sub-query finds 200,000 documents. Narrow it.", what="set-too-large"),
    "invalid": Invalid(message="The query has errors.", diagnostics=[
        Note(code="unknown-field", severity="error", message="documents have no field 'folderName'",
             hint="did you mean 'folder'?", span=(21, 31), suggestions=["folder"])]),
    "failed": Failed(message="The search server cannot be reached. Try again in a moment.", reason="unreachable",
                     id="1da6be39c158", retryable=True),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_outcomes_as_text(kind: str, snapshot: SnapshotAssertion) -> None:
    assert outcome(KINDS[kind], SOURCE, Style()) == snapshot


def test_an_explanation_with_two_look_ups(demo: object, qlc: Command, snapshot: SnapshotAssertion) -> None:
    query = 'find documents where folder = document("Dock Permit.pdf").folder and created > folder("Recipes").created'
    told = qlc("explain", "--demo", query)
    assert told.code == 0
    without_times = re.sub(r"[\d.]+ ms", "0 ms", told.out)
    assert re.sub(r'"(cursor|id)": "[^"]{40,}"', r'"\1": "..."', without_times) == snapshot


def test_a_terminal_cuts_what_is_too_wide() -> None:
    rows = [["a" * 100, "1"], ["b", "22"]]
    narrow = table(["name", "n"], rows, Style(width=30)).splitlines()
    assert all(len(line) <= 30 for line in narrow)
    assert "…" in narrow[1]
    assert "a" * 100 in table(["name", "n"], rows, Style())


def test_wide_letters_keep_the_columns_straight() -> None:
    lines = table(["name", "n"], [["日本", "1"], ["cafe\u0301", "2"], ["ab", "3"]], Style()).splitlines()
    assert lines == ["name  n", "日本  1", "cafe\u0301  2", "ab    3"]
    assert table(["name"], [["日" * 40]], Style(width=80)).splitlines()[1] == "日" * 23 + "…"


@pytest.mark.parametrize(("value", "text"), [
    (None, ""), (True, "yes"), (False, "no"), (1234, "1,234"), (1.5, "1.5"), (2.0, "2"),
    (1e20, "1e+20"), (-0.00123, "-0.00123"),
    (1.0834, "1.0834"), (10 / 3, "3.33"), (0.1 + 0.2, "0.3"), (0.0567891234, "0.0568"),
    (0.0, "0"),
    ({"id": "x", "name": "N"}, "N"), ({"id": "x"}, "x"), ({"who": "a"}, '{"who": "a"}'), ([1, "b"], "1, b"),
    ("2026-03-01T08:30:00Z", "2026-03-01 08:30"), ("a\n b", "a b"), ([], ""),
])  # fmt: skip
def test_cells(value: object, text: str) -> None:
    assert cell(value) == text


@pytest.mark.parametrize(("value", "unit", "text"), [
    (0, "bytes", "0 bytes"), (1, "bytes", "1 byte"), (999, "bytes", "999 bytes"), (1000, "bytes", "1 kB"),
    (999_949, "bytes", "999.9 kB"), (999_950, "bytes", "1 MB"), (568306, "bytes", "568.3 kB"),
    (3 * 10**18, "bytes", "3,000 PB"), (2, "MiB", "2.1 MB"), (-5_000_000, "bytes", "-5 MB"),
    (738, "seconds", "12 min 18 s"), (3600, "seconds", "1 h"), (59.5, "seconds", "59.5 s"),
    (90, "minutes", "1 h 30 min"), (26 * 3600, "seconds", "1 day 2 h"), (36.5, "hours", "1 day 12 h 30 min"),
    (3599.6, "seconds", "1 h"), (172_800, "seconds", "2 days"),
    (250, "ms", "250 ms"), (1500, "ms", "1.5 s"),
    (90, "days", "90 days"), (1, "days", "1 day"), (0, "seconds", "0 seconds"), (1234.5, "km", "1,234.5 km"),
    (0.829787, "fraction", "82.98 %"), (12.5, "%", "12.5 %"), (3, "crates", "3 crates"),
])  # fmt: skip
def test_amounts_in_human_units(value: float, unit: str, text: str) -> None:
    assert cell(value, "x", unit) == text


def test_years_and_dates_as_people_read_them() -> None:
    assert cell(2024, "tax_year") == "2024"
    assert cell(2024, "pages") == "2,024"
    assert cell(12024, "tax_year") == "12,024"
    assert cell("2026-03-01T00:00:00Z", "due") == "2026-03-01"


def test_a_table_of_thousands_is_cut_for_the_eye_alone() -> None:
    rows = [RowOut(key=f"k{n}", value=n) for n in range(3_321)]
    found = AggregateOut(groups=["key"], measures=["count"], rows=rows, message="3,321 rows.")
    piped = outcome(found, "", Style()).splitlines()
    assert len(piped) == 3_323
    for told, how in (
        (outcome(found, "", Style(width=80)), "--all prints them"),
        (outcome(found, "", Style(), talking=True), ":save"),
    ):
        message, *table_, count, more = told.splitlines()
        assert message == "3,321 rows."
        assert len(table_) == 51
        assert count == "3,321 rows. 50 shown."
        assert how in more
    assert len(outcome(found, "", Style(width=80), every=True).splitlines()) == 3_323


def test_dates_of_a_column_are_all_days_or_have_all_a_time() -> None:
    hits = [Hit(id=str(n), values={"due": f"2026-03-0{n}T00:00:00Z", "left": f"2026-03-01T0{n - 1}:00:00Z"})
            for n in (1, 2)]  # fmt: skip
    told = outcome(Hits(message="2 flights.", total=2, ids=["1", "2"], hits=hits), "", Style()).splitlines()
    assert told[2:4] == ["2026-03-01  2026-03-01 00:00", "2026-03-02  2026-03-01 01:00"]


@pytest.mark.parametrize(("program", "told"), tables.rows(__file__, "test_single_values_are_reported_in_words"))
def test_single_values_are_reported_in_words(demo: object, qlc: Command, program: str, told: str) -> None:
    assert qlc("run", "--demo", program).out.startswith(told)


def test_where_named_things_lie_is_reported_where_the_answer_does_not() -> None:
    folder = Named(entity="folder", id="f", name="Tax", path="root/Personal/Tax")
    file = Named(entity="document", id="d", name="Plan.pdf", path="root/Work")
    person = Named(entity="person", id="p", name="Dana")
    count = Count(message="5 documents.", value=5, names=[folder, file, person])
    told = "5 documents.\n'Tax' is root/Personal/Tax.\n'Plan.pdf' is in root/Work."
    assert outcome(count, "", Style(), talking=True) == told
    assert outcome(count, "", Style()) == "5 documents."
    itself = Hits(message="1 folder.", entity="folder", ids=["f"], total=1, hits=[Hit(id="f")], names=[folder])
    assert "root/Personal/Tax" not in outcome(itself, "", Style(), talking=True)


def test_all_columns_are_below_one_another_where_they_are_too_wide() -> None:
    found = Hits(message="1 order.", total=1, columns=["no", "note"], labels={"no": "Order No"},
                 hits=[Hit(id="1", values={"no": "G-1", "note": "x" * 60})])  # fmt: skip
    long = outcome(found, "", Style(width=40, whole=True)).splitlines()[1:]
    assert long == ["Order No  G-1", f"note      {'x' * 60}"]
    assert outcome(found, "", Style(width=90, whole=True)).splitlines()[1].split() == ["Order", "No", "note"]
