"""Values to which neither a label nor a word leads, but the meaning of a sentence."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from qlc.corpus.document import Reader, Task
from qlc.corpus.limits import Limits
from qlc.corpus.values import by_meaning
from qlc.corpus.values.fields import Wanted
from tests.corpora import made
from tests.tables import table

CAP = Wanted("liability_cap", "money")
SECRECY = Wanted("confidentiality_years", "duration", "year")
NOTICE = Wanted("notice", "duration", "d", description="how long before leaving the other side has to be told")
LOWEST = Wanted("storage", "number", "°C", description="lowest temperature for storage")
STORAGE = Wanted("storage", "number", "°C", description="highest temperature for storage")
EXPIRY = Wanted("expiry", "date", description="end of validity or next calibration")

CONTRACT = table(__file__, "CONTRACT")


def read(tmp_path: Path, text: str, *wanted: Wanted) -> dict[str, tuple[str, str, str]]:
    path = tmp_path / "a.md"
    path.write_text(text)
    found = Reader({"b": wanted})(Task(path, "a.md", "b"), Limits())
    return {
        value.field: (f"{value.value} {value.unit}".strip(), value.by, quote)
        for value, quote in zip(found.values, found.quotes, strict=True) if not value.is_disputed
    }


def test_a_sentence_without_a_word_of_the_field_tells_its_value(tmp_path: Path) -> None:
    found = read(tmp_path, CONTRACT, CAP, SECRECY)
    assert found["liability_cap"][:2] == ("75000 EUR", "meaning")
    assert found["liability_cap"][2].endswith("neither side owes the other more than EUR 75,000 in all.")
    assert found["confidentiality_years"][:2] == ("3 year", "meaning")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("# Sale\n\n## 12. Limits of liability\n\nNothing limits what a party owes.\n", CAP),  # a number of a heading
        ("# Sale\n\nEUR 400 is paid for each crate of apples.\n", CAP),  # it is far from what is asked
        ("# Box\n\nStorage temperature between 4 and 30 °C, humidity below 80 %.\n", LOWEST),  # the other end
        ("# Gauge\n\nDate of the last calibration was 3 May 2025.\n", EXPIRY),  # that is no end
        ("# Rules\n\nUpload speed: 5 Mbit/s\n", Wanted("speed", "number", "Mbit/s", ("download speed",))),
    ],
)
def test_what_is_not_sure_is_no_value(tmp_path: Path, text: str, wanted: Wanted) -> None:
    assert wanted.name not in read(tmp_path, text, wanted)


def test_a_sentence_that_is_nearer_to_another_field_is_left_to_it(tmp_path: Path) -> None:
    text = "# Deal\n\nWhat is confidential must not be passed on for 3 years after the end.\n"
    term = Wanted("term", "duration", "year", description="how long the deal runs")
    found = read(tmp_path, text, term, SECRECY)
    assert [*found] == ["confidentiality_years"]


def test_without_the_extra_nothing_is_read_by_meaning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_meaning, "_embedder", lambda: None)
    assert read(tmp_path, CONTRACT, CAP, SECRECY) == {}


def test_a_document_with_very_many_lines_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting:
        name, dimensions, texts = "counting", 1, 0

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            self.texts += len(texts)
            return [[1.0] for _ in texts]

    counting = Counting()
    monkeypatch.setattr(by_meaning, "_embedder", lambda: counting)
    lines = "\n\n".join(f"Crate {at} costs EUR {at}.00 in the shop." for at in range(100, 500))
    assert read(tmp_path, f"# Prices\n\n{lines}\n", CAP) == {}
    assert counting.texts == 0


def test_a_value_that_was_read_by_meaning_is_shown_and_decides_nothing(tmp_path: Path) -> None:
    schema = "version: 1\nbuckets:\n  contracts:\n    fields:\n      liability_cap: {type: money}\n"
    sure = "# Supply of ropes\n\nLiability cap: EUR 500\n"
    with made(tmp_path, {"contracts/chains.md": CONTRACT, "contracts/ropes.md": sure}, schema) as corpus:
        found = corpus.ask("What is the liability cap of the supply of chains?")
        said = "'liability_cap' was read by the meaning of a sentence in contracts/chains.md: look at the quote."
        assert (found.kind, found.values[0].value) == ("answer", 75_000)
        assert said in found.notes
        for asked in ("contracts with a liability cap over 100", "How many contracts have a liability cap under 600?"):
            found = corpus.ask(asked)  # neither listed nor left out
            assert found.kind == "declined"
            assert found.message.startswith("1 contract is sure to match (contracts/ropes.md), but contracts/chains.md")
            assert "neither side owes the other more than EUR 75,000 in all." in found.message
        assert corpus.compiler().run("count contracts where liability_cap exists").value == 1
        place = corpus.document("contracts/chains.md").places[0]  # type: ignore[union-attr]
        assert (place.by, place.value) == ("meaning", "75,000.00 EUR")


def test_a_clause_whose_heading_is_about_something_else_is_left_to_it(tmp_path: Path) -> None:
    notice = Wanted("notice", "duration", "d", ("notice period",), description="notice to end the lease")
    text = "# Lease\n\n## 2. {}\n\nA tenant who has been warned twice within eight weeks may be asked to leave.\n"
    assert read(tmp_path, text.format("Conduct"), notice) == {}
    assert "notice" in read(tmp_path, text.format("Leaving"), notice)
