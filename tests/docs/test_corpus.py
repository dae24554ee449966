"""docs/corpus.md says what there is: types, keys, reasons, commands, methods."""

import re
from typing import Any, get_args

import jsonschema
import pytest
import yaml

import qlc
from qlc.base.json_schema import schema_text
from qlc.cli.main import parser as command_line
from qlc.corpus.errors import Reason
from qlc.corpus.index import catalog_text
from qlc.corpus.json_schema import PUBLISHED, corpus_json_schema
from qlc.corpus.schema import FieldPart, read_schema
from qlc.corpus.values.fields import FieldType
from qlc.language.units import unit_of
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError

from .pages import ROOT, blocks, text

PAGE = "docs/corpus.md"


def test_the_schema_that_ships_is_current() -> None:
    """If not: python -m qlc.corpus.json_schema > qlc/corpus/corpus.schema.json"""
    assert PUBLISHED.read_text("utf-8") == schema_text(corpus_json_schema())


@pytest.mark.parametrize("source", [*blocks(PAGE, "yaml"), (ROOT / "examples/library.yaml").read_text("utf-8")])
def test_the_examples_are_valid_to_both_readers(source: str) -> None:
    read_catalog(catalog_text(read_schema(source), "corpus", has_vectors=True))
    jsonschema.Draft202012Validator(corpus_json_schema()).validate(yaml.safe_load(source))


@pytest.mark.parametrize("wrong", [{"fields": {"a": "numbr"}}, {"fields": {"a": {"typ": "text"}}}, {"file": "x"}])
def test_both_readers_refuse_the_same(wrong: dict[str, Any]) -> None:
    data = {"version": 1, "buckets": {"things": wrong}}
    assert not jsonschema.Draft202012Validator(corpus_json_schema()).is_valid(data)
    with pytest.raises(CatalogError):
        read_schema(yaml.safe_dump(data))


def test_types_keys_and_reasons_are_listed() -> None:
    rows = re.findall(r"^\| (`[^|]*) \|", text(PAGE), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert set(get_args(FieldType)) <= named
    assert set(FieldPart.model_fields) <= named
    assert set(get_args(Reason)) <= named


def test_every_action_and_option_is_listed() -> None:
    top = next(action for action in command_line()._actions if action.dest == "command")
    assert isinstance(top.choices, dict)
    actions = next(action for action in top.choices["corpus"]._actions if action.dest == "action")
    assert isinstance(actions.choices, dict)
    page, known = text(PAGE), text("docs/cli.md")
    for name, parser in actions.choices.items():
        assert f"`qlc corpus {name} " in page, name
        for option in parser._option_string_actions:
            assert option in ("-h", "--help") or option in page or f"`{option}" in known, option


@pytest.mark.parametrize("kind", [qlc.Corpus, qlc.AsyncCorpus])
def test_every_method_is_listed(kind: type[Any]) -> None:
    page = text(PAGE)
    public = {name for name, value in vars(qlc.Corpus).items() if not name.startswith("_") and callable(value)}
    assert [name for name in public if f"`{name}(" not in page and f".{name}(" not in page] == []
    assert public <= set(dir(kind))


@pytest.mark.parametrize(
    ("bucket", "code", "part"),
    [
        ({"fields": {"file": "text"}}, "corpus-field", "every document has 'file' already"),
        ({"fields": {"lab report": "text"}}, "corpus-value", "write 'lab_report'"),
        ({"fields": {"mass": {"type": "number", "unit": "kilogrms"}}}, "corpus-unit", "did you mean 'kilograms'"),
    ],
)
def test_a_name_that_cannot_be_used_is_answered_with_one_that_can(bucket: dict[str, Any], code: str, part: str) -> None:
    with pytest.raises(CatalogError, match=part) as caught:
        read_schema(yaml.safe_dump({"version": 1, "buckets": {"things": bucket}}))
    assert [one.code for one in caught.value.diagnostics] == [code]


def test_a_document_may_be_called_by_several_words() -> None:
    found = read_schema(yaml.safe_dump({"version": 1, "buckets": {"sheets": {"singular": "Data sheet"}}}))
    assert found.file.buckets["sheets"].singular == "data_sheet"


def test_every_unit_of_the_page_is_one() -> None:
    (listed,) = re.findall(r"^Units are written .*?A month counts", text(PAGE), re.MULTILINE | re.DOTALL)
    units = re.findall("`(.*?)`", listed)
    assert len(units) > 40
    assert [one for one in units if unit_of(one) is None] == []
