"""Distorts catalogs and mappings by a seed, as texts and as data.

`python -m tests.mapping.mangling FIRST COUNT` reads many of them.
"""

import datetime
import json
import math
import random
import sys
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from qlc import catalogs
from qlc.base.diagnostics import render
from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError, MappingError
from qlc.mapping.index_mapping import load_mapping, load_mappings, mapping_from_responses, read_mapping
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.shared import index_names
from tests.fuzz.changing import changed, changed_text
from tests.fuzz.running import soak
from tests.pipeline import world

SHIPPED = ("ecommerce", "flights", "drive")
NAMES = ("tenants",) * 6 + SHIPPED
"""The small one more often: it has everything and is soon read."""
TEXTS = {"tenants": world.CATALOG, **{name: catalogs.path(name).read_text("utf-8") for name in SHIPPED}}
BODIES = {"tenants": {"mappings": world.MAPPING},
          **{name: json.loads(catalogs.mapping_path(name).read_text("utf-8")) for name in SHIPPED}}  # fmt: skip
DATA = {name: yaml.load(text, yaml.CSafeLoader) for name, text in TEXTS.items()}
MAPPINGS = {name: read_mapping(body, str(DATA[name]["index"])) for name, body in BODIES.items()}
SIGNS = [
    *"{}[]:,-#&*!|>'\"%@`~? \n\tx0é=()$", "\x00", "\x07", "\x85", "\u202e", "\ufeff", "\ud800", "null", "<<: ",
    "<<: *a", "&a ",
    "*a", "- ", "? ", "? [a, b]\n: c\n", "---\n", "...\n", "%YAML 1.1\n", "!!binary ", "!!python/object:os.system ",
    "!!set ",
    "!!float ", "!", ".nan", ".inf", "1e999", "2024-03-05", "0x1F", "9" * 5000, "[" * 40, "{a: " * 40,
    "'" + "x" * 3000 + "'",
    "path", "words: ", "true", "1.5", "access: ", "'a ='", "where", " limit 1", "\\ud800", '"\\x00"',
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1.5, math.nan, math.inf, 10**400, "", " ", "x", "a.b", ".", "a ..b", "=", "a = ",
    "size >", "\x00",
    "x" * 3000, "\ud800", [], {}, [[]], [None], ["a", ["b"]], {"": ""}, {"a": {"b": {"c": {}}}}, {"path": None},
    {"path": []},
    {"type": "nested"}, {"type": 5}, {"type": []}, {"type": "alias", "path": "x"}, {"properties": []}, {"fields": "x"},
    datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1), b"x", "true", "false", "[]", "keyword", 2**63,
]  # fmt: skip


KEYS = ("", "a b", "a.b", "\ud800", "type", "properties", "fields", "path", "x" * 300)


def mangled_text(chance: random.Random) -> tuple[str, str]:
    """The name of a shipped catalog, and its text with a few characters, words or lines exchanged, doubled or lost."""
    name = chance.choice(NAMES)
    return name, changed_text(TEXTS[name], chance, SIGNS)


def mangled_data(chance: random.Random, data: Any) -> Any:
    """The data with a few of its parts exchanged for what does not belong there."""
    made = deepcopy(data)
    for _ in range(chance.randint(1, 3)):
        made = changed(made, chance, VALUES, KEYS)
    return made


def try_catalog(name: str, text: str) -> None:
    """Read, check and use a catalog that may be anything; whatever is wrong with it is told in one way."""
    mapping = MAPPINGS[name]
    try:
        catalog = read_catalog(text)
        found = check_catalog(catalog, mapping)
        for one in found:
            assert 0 <= one.span.start <= one.span.end <= len(catalog.text)
            assert render(one, catalog.text)
        compiler = Compiler(None, catalog, mapping=dict.fromkeys(index_names(catalog), mapping))
        for entity in list(compiler.schema.entities.values())[:2]:
            compiler.diagnose(f"find {entity.plural} limit 1")
    except CatalogError as error:
        told = f"{error}" if error.diagnostics else ""
    else:
        return
    assert "error[catalog-" in told


def try_mapping(body: Any) -> None:
    """Read the mapping of a file and of a server that may be anything."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "mapping.json"
        file.write_text(
            body if isinstance(body, str) else json.dumps(body, default=str), "utf-8", errors="surrogatepass"
        )
        for read in (lambda: load_mapping(file, "things"), lambda: load_mappings(file, ["a", "b"])):
            try:
                mapping = read()
            except MappingError:
                continue
            if not isinstance(mapping, dict):
                compiler = Compiler(None, index="things", mapping=mapping)
                compiler.diagnose("find entries limit 1")
    given = json.loads(json.dumps(body, default=str)) if not isinstance(body, str) else {}
    with suppress(MappingError):
        mapping_from_responses("things", {"things": given}, {"things": given})


def mangle(seed: int) -> None:
    """One catalog or mapping. Raises what nothing may raise."""
    chance = random.Random(seed)
    match seed % 4:
        case 0 | 1:
            try_catalog(*mangled_text(chance))
        case 2:
            name = chance.choice(NAMES)
            data = mangled_data(chance, DATA[name])
            try:
                text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
            except (yaml.YAMLError, UnicodeError, ValueError):
                return
            try_catalog(name, text)
        case _:
            body = BODIES[chance.choice(NAMES)]
            if chance.random() < 0.2:
                text = json.dumps(body)
                at = chance.randrange(len(text))
                put = chance.choice(["", chance.choice(SIGNS), "[" * 5000, '{"properties":' * 500, "NaN"])
                try_mapping(text[:at] + put + text[at + chance.randrange(9) :])
            else:
                try_mapping(mangled_data(chance, body))


if __name__ == "__main__":
    for line in soak(mangle, int(sys.argv[1]), int(sys.argv[2]), 2.0):
        print(line, flush=True)
