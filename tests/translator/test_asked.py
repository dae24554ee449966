"""Questions over small worlds and the programs that the rules make of them: a world with its questions is a file.

A world is a data set (`data`, of `tests.data_sets`) or has its indices in the file. `asked` has the questions by index
and by what they show: a question beside its program, or beside what holds of the outcome (`tests.tables.holds`), and
options of its own; or `texts` of which `each` has the same. A world without a catalog is asked over each index, by a
draft unless `draft` is false.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc.base.errors import ConfigurationError
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Count
from qlc.translator.entry import Asker
from tests import data_sets, tables
from tests.tables import holds

FOLDER = Path(__file__).parent / "asked"


def described(world: str) -> dict[str, Any]:
    return tables.described(FOLDER / f"{world}.yaml")


@cache
def asker_of(world: str, index: str = "") -> Asker:
    """Open an asker over a world, behind its catalog; without one over an index, by default its only one."""
    said = described(world)
    if "data" in said:
        return data_sets.asker(said["data"], said.get("catalog_file"))
    client = qlc.connect(":memory:")
    for name, body in said["indices"].items():
        client.indices.create(index=name, mappings=body["mappings"])
        for key, document in body["documents"].items():
            client.index(index=name, id=key, document=document)
        client.indices.refresh(index=name)
    catalog = read_catalog(said["catalog"]) if "catalog" in said else None
    index = "" if catalog else index or next(iter(said["indices"]))
    return Asker(qlc.Compiler(client, catalog, index or None, draft=said.get("draft", True)))


def rows_of(world: str) -> Iterator[Any]:
    for index, titles in described(world)["asked"].items():
        for title, group in titles.items():
            for row in tables.rows_of(group):
                yield pytest.param(world, index, *row, id=f"{index}, {title}: {row[0]}")


def rows(*, of_drive: bool) -> list[Any]:
    worlds = sorted(path.stem for path in FOLDER.glob("*.yaml"))
    return [row for world in worlds if (described(world).get("data") == "drive") is of_drive for row in rows_of(world)]


def check(world: str, index: str, text: str, expected: Any, options: dict[str, Any]) -> None:
    outcome = asker_of(world, index).ask(text, **{"now": described(world).get("now"), "size": 0, **options})
    holds(outcome, expected if isinstance(expected, dict) else {"query": expected})


ARGUMENTS = ("world", "index", "text", "expected", "options")


@pytest.mark.parametrize(ARGUMENTS, rows(of_drive=False))
def test_what_is_asked(world: str, index: str, text: str, expected: Any, options: dict[str, Any]) -> None:
    check(world, index, text, expected, options)


def test_without_a_draft_words_know_the_mapping_alone() -> None:
    client = asker_of("repairs").compiler.client
    outcome = Asker(qlc.Compiler(client, index="repairs", draft=False)).ask("how many entries are there")
    assert isinstance(outcome, Count)
    assert outcome.query == "count entries"


def test_an_index_that_is_not_there_is_reported_as_ever() -> None:
    client = asker_of("repairs").compiler.client
    assert Asker(qlc.Compiler(client, index="nothing")).ask("how many entries are there").kind == "failed"


def test_a_code_has_its_number_first() -> None:
    voyages = asker_of("voyages").compiler.client
    swapped = described("voyages")["catalog"].replace("80: [tanker]", "tanker: [80]")
    with pytest.raises(ConfigurationError, match="'tanker' is not a whole number"):
        qlc.Compiler(voyages, read_catalog(swapped)).run("count voyages")
