"""Every example of docs/catalog.md, executed; and every key and code that exists, described."""

import json
import re
from pathlib import Path

import pytest

from qlc import Compiler
from qlc.base.diagnostics import render
from qlc.compiler import catalog_check
from qlc.compiler.catalog_check import check_catalog
from qlc.mapping import catalog_model
from qlc.mapping.catalog import Catalog, read_catalog
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.stored import stored_unit
from qlc.mapping.yaml_source import YamlSource
from tests import engines
from tests.docs.test_language import in_short

TEXT = (Path(__file__).parents[2] / "docs" / "catalog.md").read_text("utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```([a-z ]+)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
MAPPINGS = {
    index: read_mapping(json.loads(text), index)
    for index, text in zip(("library", "members"), (text for kind, text in BLOCKS if kind == "json"), strict=True)
}
EXAMPLES = [text for kind, text in BLOCKS if kind == "yaml"]
REST = {"version": "version: 1\n", "index": "index: library\n", "entities": "entities: {book: {}}\n"}


def whole(example: str) -> Catalog:
    """The example with what every catalog has and it leaves out."""
    given = YamlSource(example).data
    return read_catalog(example + "".join(text for key, text in REST.items() if key not in given))


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_examples_have_no_findings(number: int) -> None:
    example = whole(EXAMPLES[number])
    assert [render(one, example.text) for one in check_catalog(example, MAPPINGS)] == []


def test_wrong_examples_are_reported_as_shown() -> None:
    pairs = [(text, BLOCKS[number + 1][1]) for number, (kind, text) in enumerate(BLOCKS) if kind == "yaml wrong"]
    assert pairs
    for text, shown in pairs:
        found = check_catalog(read_catalog(text), MAPPINGS)
        assert "\n".join(render(one, text) for one in found) + "\n" == shown


@pytest.mark.parametrize("part", [*catalog_model.Part.__subclasses__(), catalog_model.EntityPart])
def test_every_key_is_described(part: type[catalog_model.Part]) -> None:
    assert [key for key in part.written_keys() if f"`{key}`" not in TEXT] == []
    assert all(field.description for field in part.model_fields.values())


def test_every_code_is_described() -> None:
    modules = [Path(str(catalog_check.__file__)), *Path(str(catalog_model.__file__)).parent.rglob("*.py")]
    used = {code for module in modules for code in re.findall(r'"(catalog-[a-z]+)"', module.read_text("utf-8"))}
    assert used == set(re.findall(r"^\| `(catalog-[a-z]+)` \|", TEXT, re.MULTILINE))


def test_programs_over_the_example_answer_as_written() -> None:
    """The first example with documents: its catalog, the documents and programs below it."""
    number = next(number for number, (kind, _) in enumerate(BLOCKS) if kind == "json documents")
    catalog, documents, programs = (text for _, text in BLOCKS[number - 1 : number + 2])
    client = engines.open_client()
    client.indices.create(index="library", mappings=json.loads(next(text for kind, text in BLOCKS if kind == "json"))
                          ["mappings"])  # fmt: skip
    for line in documents.splitlines():
        client.index(index="library", document=json.loads(line), refresh=True)
    compiler = Compiler(client, whole(catalog))
    for line in programs.splitlines():
        program, _, expected = line.partition(" -- ")
        assert in_short(compiler.run(program.strip())) == expected, program


def test_units_that_are_named_exist() -> None:
    (listed,) = re.findall(r"can be asked: (.*?) \|", TEXT)
    for unit in re.split(r"[,;] | \.\.\. ", listed):
        assert stored_unit(unit), unit
