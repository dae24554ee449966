"""`under` where nobody stores ancestors: parents are walked, through whichever reference the question is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from elasticsearch import helpers

from qlc.mapping.catalog import read_catalog
from qlc.pipeline.compiler import Compiler
from tests import engines

KEYWORD = {"type": "keyword"}
CATALOG = """
version: 1
index: files
entities:
  file: {id: id, fields: {id: id, folder: {path: folder, refers_to: folder}}}
  folder: {index: folders, id: id, names: [name], parent: inside,
           fields: {id: id, name: name, inside: {path: inside, refers_to: folder}}}
"""
FOLDERS = {"f1": ("Work", None), "f2": ("2026", "f1"), "f3": ("March", "f2"), "f4": ("Private", None)}


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with engines.open_client() as client:
        for index, names in (("files", ("id", "folder")), ("folders", ("id", "name", "inside"))):
            client.indices.create(index=index, mappings={"properties": dict.fromkeys(names, KEYWORD)})
        actions = [{"_index": "folders", "_id": key, "_source": {"id": key, "name": name, "inside": inside}}
                   for key, (name, inside) in FOLDERS.items()]  # fmt: skip
        actions += [{"_index": "files", "_id": f"in-{key}", "_source": {"id": f"in-{key}", "folder": key}}
                    for key in FOLDERS]  # fmt: skip
        helpers.bulk(client, actions, refresh=True)
        yield Compiler(client, read_catalog(CATALOG))


@pytest.mark.parametrize(("program", "expected"), [
    ('find files where folder under "Work"', {"in-f1", "in-f2", "in-f3"}),
    ('find files where folder under "2026"', {"in-f2", "in-f3"}),
    ('find files where folder under in ["March", "Private"]', {"in-f3", "in-f4"}),
    ('find files where not folder under "2026"', {"in-f1", "in-f4"}),
    ('find folders where inside under "Work"', {"f2", "f3"}),
])  # fmt: skip
def test_what_lies_below(compiler: Compiler, program: str, expected: set[str]) -> None:
    outcome = compiler.run(program)
    assert outcome.kind == "hits", outcome
    assert set(outcome.ids) == expected
