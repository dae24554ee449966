"""`qlc replay`: the same, or what changed; with exit codes."""

import json
from pathlib import Path

import pytest

from tests.tables import rows

from .conftest import Command
from .test_corpus import library, made

__all__ = ["library", "made"]

COUNT = "how many contracts with ACME Corp"


@pytest.fixture
def kept(made: Path, qlc: Command, tmp_path: Path) -> str:
    """An answer in a file."""
    (tmp_path / "kept.json").write_text(qlc("ask", COUNT, "--corpus", str(made), "--json").out, "utf-8")
    return str(tmp_path / "kept.json")


def test_an_answer_that_is_the_same(made: Path, qlc: Command, kept: str) -> None:
    shown = qlc("replay", kept, "--corpus", str(made))
    assert (shown.code, shown.out) == (0, f"{COUNT}\nThe same: 4 programs and 2 citations checked.\n")
    found = qlc("replay", kept, "--corpus", str(made), "--json").json
    assert (found["changed"], found["question"], found["now"]["message"]) == ([], COUNT, "2 contracts.")


def test_an_answer_that_changed(library: str, qlc: Command, kept: str) -> None:
    qlc("corpus", "remove", library, "contracts/acme_services.pdf")
    shown = qlc("replay", kept, "--corpus", library)
    assert shown.code == 1
    assert shown.out.splitlines()[:6] == [
        COUNT,
        "The data changed.",
        "  removed: contracts/acme_services.pdf",
        "  value 1: 2 -> 1",
        '  not there: contracts/acme_services.pdf, page 1: "Supplier: ACME Corp"',
        "  said: 2 contracts.",
    ]
    assert qlc("replay", kept, "--corpus", library, "--json").json["changed"] == ["data"]


def test_what_explain_and_chat_print_can_be_replayed(made: Path, qlc: Command, tmp_path: Path) -> None:
    traced = qlc("explain", COUNT, "--corpus", str(made), "--json").out
    answer = json.loads(traced)["outcome"]
    (tmp_path / "trace.json").write_text(traced, "utf-8")
    lines = [json.dumps({"number": 1, "outcomes": [answer]}), json.dumps({"number": 2, "outcomes": [answer]})]
    (tmp_path / "chat.jsonl").write_text("\n".join(lines), "utf-8")
    assert qlc("replay", str(tmp_path / "trace.json"), "--corpus", str(made)).out.count("The same") == 1
    assert qlc("replay", str(tmp_path / "chat.jsonl"), "--corpus", str(made)).out.count("The same") == 2


@pytest.mark.parametrize(("text", "arguments", "told"), rows(__file__, "test_what_cannot_be_replayed"))
def test_what_cannot_be_replayed(
    made: Path,
    qlc: Command,
    kept: str,
    text: str | None,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    if text is not None:
        Path(kept).write_text(text, "utf-8")
    shown = qlc("replay", kept, *(str(made) if one == "CORPUS" else one for one in arguments))
    assert shown.code == 2
    assert told in shown.err
    missing = qlc("replay", "none.json", "--corpus", str(made))
    assert missing.err == "qlc: 'none.json': there is no such file or folder\n"
