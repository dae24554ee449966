"""Reading catalogs: forms, short forms, and every error with its line."""

from __future__ import annotations

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


class TestForms:
    def test_a_plain_text_is_the_path_of_a_field(self) -> None:
        assert read("fields: {size: a.b}").file.fields["size"].path == "a.b"

    def test_a_plain_text_is_the_path_of_a_list(self) -> None:
        assert read("lists: {shares: a.b}").file.lists["shares"].path == "a.b"

    def test_one_word_or_several(self) -> None:
        fields = read("fields: {a: {path: a, words: one}, b: {path: b, words: [one, two]}}").file.fields
        assert (fields["a"].words, fields["b"].words) == (("one",), ("one", "two"))

    def test_values_as_a_list_or_with_their_spellings(self) -> None:
        fields = read(
            "fields: {a: {path: a, values: [x, y]}, b: {path: b, values: {x: , y: z, w: [u, v]}}}"
        ).file.fields
        assert fields["a"].values == {"x": (), "y": ()}
        assert fields["b"].values == {"x": (), "y": ("z",), "w": ("u", "v")}

    def test_constants_by_one_name_several_or_with_their_stored_values(self) -> None:
        text = "fields: {{a: {{path: a, refers_to: thing, constants: {}}}}}"
        for constants in ("root", "[root]", "{root: root}"):
            assert read(text.format(constants)).file.fields["a"].constants == {"root": "root"}

    def test_values_are_read_as_they_are_written(self) -> None:
        """What YAML 1.1 takes for switches, times, octal numbers and dates is text here."""
        field = read("fields: {a: {path: a, values: [NO, 12:30, 007, 2024-03-05, on, 1.10]}}").file.fields["a"]
        assert list(field.values or {}) == ["NO", "12:30", "007", "2024-03-05", "on", "1.10"]

    def test_quoted_nulls_are_text(self) -> None:
        assert list(read("fields: {a: {path: a, values: ['null', '~']}}").file.fields["a"].values or {}) == [
            "null",
            "~",
        ]

    def test_anchors_and_merge_keys(self) -> None:
        catalog = read("fields:\n  a: &a {path: a, list: true, words: [x]}\n  b: {<<: *a, path: b}\n")
        field = catalog.file.fields["b"]
        assert (field.path, field.list, field.words) == ("b", True, ("x",))

    def test_a_byte_order_mark_is_no_part_of_the_catalog(self) -> None:
        assert read_catalog("\ufeff" + HEAD).file.index == "things"


SYNTAX = {
    "fields: [a": (6, "this is not YAML: a list in brackets is not closed"),
    "fields:\n\ta: b": (6, "this is not YAML: a line is indented with a tab"),
    "description: a: b": (5, "this is not YAML: there is a colon where no key can be"),
    "description: 'a": (6, "this is not YAML: a quote is not closed"),
    "description: *a": (5, "this is not YAML: this '*name' has no '&name' before it"),
}


@pytest.mark.parametrize("rest", SYNTAX)
def test_syntax_errors_have_their_line(rest: str) -> None:
    (found,) = told(HEAD + rest)
    assert found[1] == SYNTAX[rest][1]
    assert abs(found[0] - SYNTAX[rest][0]) <= 1  # the end of the text is its last line or the one after it


WRONG = {
    "fields: {a: {pth: x}}": ["the field 'a' has no 'path'", "there is no key 'pth' for the field 'a'"],
    "lists: {a: {path: x, fields: {b: {path: y, lst: true}}}}": ["there is no key 'lst' for the field 'b'"],
    "fields: {a: {path: x, list: maybe}}": ["'list' of the field 'a' must be true or false"],
    "fields: {a: [x]}": ["'a' of the catalog must be a mapping: keys, each with ':' and its value, on lines"],
    "fields: {a: {path: [x]}}": ["'path' of the field 'a' must be a text"],
    "fields: {a: {path: x, name_at: y}}": ["the field 'a': 'name_at' is for a reference, and 'refers_to' is"],
    "fields: {a: {path: x, groups: {g: [x]}}}": ["the field 'a': 'groups' names some of the 'values', and 'values'"],
    "lists: {a: {path: x, key: k}}": ["the list 'a': a key/value list has 'key' and 'value', and 'value' is missing"],
    "bounds: {rows: many}": ["'rows' of 'bounds' must be a whole number"],
    "bounds: {rows: 0}": ["'rows' of 'bounds' must be more than 0"],
    "week_start: mon": ["'week_start' of the catalog cannot be 'mon'; it is one of: monday, tuesday, wednesday,"],
    "defaults: {match_steps: [fuzzy]}": [
        "'match_steps' of 'defaults' cannot be 'fuzzy'; it is one of: folded, extension, words, near"
    ],
    "field: {}": ["there is no key 'field' for the catalog"],
    "fields: {a: x, a: y}": ["the key 'a' occurs twice in one mapping"],
    "fields: {[a]: x}": ["a key is a text, not a list or map"],
}


@pytest.mark.parametrize("rest", WRONG)
def test_errors_of_form(rest: str) -> None:
    found = told(HEAD + rest)
    assert [line for line, _ in found] == [5] * len(WRONG[rest])
    for (_, message), beginning in zip(found, WRONG[rest], strict=True):
        assert message.startswith(beginning)


def test_an_empty_catalog_is_reported() -> None:
    assert told("") == [(1, "the catalog must be a mapping: keys, each with ':' and its value, on lines of their own")]


def test_what_is_missing_is_reported_where_it_belongs() -> None:
    assert told("version: 1\nentities: {}\n") == [
        (1, "the catalog has no 'index'"),
        (2, "'entities' of the catalog is empty"),
    ]


def test_another_version_is_reported() -> None:
    assert told(HEAD.replace("1", "2")) == [(1, "'version' of the catalog cannot be '2'; it is one of: 1")]


def test_all_errors_at_once_in_the_order_of_the_file() -> None:
    text = HEAD + "fields:\n  a: {path: 1, unt: b}\n  b: {path: x, list: 7}\nsort: name\n"
    assert [line for line, _ in told(text)] == [6, 7, 8]


def test_unknown_keys_have_near_ones() -> None:
    (found,) = findings(HEAD + "fields: {a: {path: x, whole_day: true}}")
    assert (found.suggestions, found.hint) == (("whole_days",), "did you mean 'whole_days'?")
    (found,) = findings(HEAD + "fields: {a: {path: x, zzz: true}}")
    assert found.hint.startswith("the keys are: path, words,")


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
