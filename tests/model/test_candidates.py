"""Names that several things have come with the paths of these."""

from __future__ import annotations

from qlc import Compiler
from qlc.cli.prompt import first_request
from tests import data_sets

NOW = "2026-03-15T12:00:00Z"


def user(compiler: Compiler, text: str, **more: object) -> str:
    return str(first_request(compiler, text, now=NOW, **more).messages[0]["content"])  # type: ignore[arg-type]


def test_several_things_of_a_name_have_their_paths() -> None:
    told = user(data_sets.drive(), "what is in the folder Old?")
    (line,) = [one for one in told.splitlines() if one.startswith('"Old": name of a folder')]
    assert line.startswith('"Old": name of a folder, of several: "root/')
    assert line.endswith(" and more")


def test_the_only_thing_of_a_name_has_none() -> None:
    told = user(data_sets.drive(), "what is in the folder Tax Documents?")
    assert '"Tax Documents": name of a folder\n' in told


def test_no_path_is_sent_where_no_value_is() -> None:
    assert "root/" not in user(data_sets.drive(), "what is in the folder Old?", values=False)
