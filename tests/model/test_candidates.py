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


def test_a_name_that_is_said_whole_is_no_part_as_well() -> None:
    told = user(data_sets.drive(), "what lies beside Hotel Nice.jpg?")
    assert '"Hotel Nice.jpg": name of a document' in told
    assert '"Hotel Nice.jpg": part of' not in told


def test_words_in_common_with_values_that_the_catalog_shows_say_nothing() -> None:
    told = user(data_sets.drive(), "design of the new website")
    assert '"Design Asset": value of type, for "design"' in told
    assert '"Real Estate": value of category' not in user(data_sets.drive(), "what is real about it?")
