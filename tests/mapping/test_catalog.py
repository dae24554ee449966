"""Reading catalogs: forms, short forms, and every error with its line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from qlc.base.diagnostics import Diagnostic
from qlc.corpus.schema import read_schema
from qlc.mapping.catalog import Catalog, load_catalog, read_catalog
from qlc.mapping.errors import MOST_PRINTED, CatalogError

HEAD = "version: 1\nindex: things\nentities:\n  thing: {}\n"


def read(rest: str) -> Catalog:
    return read_catalog(HEAD + rest)


def findings(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(CatalogError) as caught:
        read_catalog(text)
    return caught.value.diagnostics


def told(text: str) -> list[tuple[int, str]]:
    """Line and message of each finding."""
    return [(text.count("\n", 0, one.span.start) + 1, one.message) for one in findings(text)]


def test_a_byte_order_mark_is_no_part_of_the_catalog() -> None:
    assert read_catalog("\ufeff" + HEAD).file.index == "things"


def test_an_empty_catalog_is_reported() -> None:
    assert told("") == [(1, "the catalog must be a mapping: keys, each with ':' and its value, on lines of their own")]


@pytest.mark.parametrize("read", [read_catalog, read_schema])
def test_of_many_errors_the_first_are_printed_and_the_others_counted(read: Callable[[str], object]) -> None:
    with pytest.raises(CatalogError) as caught:
        read("".join(f"wrong_{at}: 1\n" for at in range(60)))
    printed, found = str(caught.value).splitlines(), caught.value.diagnostics
    assert "'wrong_0'" in next(line for line in printed if "no key" in line)
    assert len(found) > 60
    assert printed[-1] == f"and {len(found) - MOST_PRINTED} more: fix these first"
    assert len(printed) < 100


def test_errors_are_shown_with_line_and_caret() -> None:
    with pytest.raises(CatalogError) as caught:
        read_catalog(HEAD + "fields:\n  size: {path: a, unitt: bytes}\n", "things.yaml")
    assert str(caught.value) == (
        "things.yaml has errors:\n"
        "error[catalog-key]: there is no key 'unitt' for the field 'size'\n"
        "  6 |   size: {path: a, unitt: bytes}\n"
        "    |                   ^^^^^ did you mean 'unit'?"
    )


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="cannot be read"):
        load_catalog(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(CatalogError, match="is not UTF-8 text"):
        load_catalog(tmp_path / "bad.yaml")


def test_places_in_the_text() -> None:
    catalog = read("fields:\n  a: {path: x, words: [one, two]}\n")

    def text(*location: str | int, key: bool = False) -> str:
        span = catalog.span(location, key=key)
        return catalog.text[span.start : span.end]

    assert text("fields", "a", "path") == "x"
    assert text("fields", "a", "path", key=True) == "path"
    assert text("fields", "a", "words", 1) == "two"
    assert text("fields", "a", "unit") == "{path: x, words: [one, two]}"
    assert text("fields") == "fields"
