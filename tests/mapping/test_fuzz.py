"""Any catalog or mapping file gives a result or a finding, never another exception."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from qlc.mapping import yaml_source
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError, MappingError
from qlc.mapping.index_mapping import KINDS, load_mapping, read_mapping
from qlc.mapping.names import find_field
from qlc.pipeline.compiler import Compiler
from tests.amounts import some
from tests.mapping.mangling import mangle
from tests.tables import rows

TYPES = st.sampled_from([*KINDS, "object", "nested", "alias", "shape", "passthrough"])
PROPERTIES = st.recursive(
    st.fixed_dictionaries({"type": TYPES}, optional={"index": st.booleans(), "ignore_above": st.integers(0, 99)}),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES,
            "path": st.sampled_from(["a", "a.b", "c"]),
            "enabled": st.booleans(),
            "properties": st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
            "fields": st.dictionaries(st.sampled_from(["keyword", "text"]), inner, max_size=2),
        },
    ),
    max_leaves=8,
)


@settings(max_examples=int(os.environ.get("QLC_EXAMPLES", "30")), deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "b", "c", "d.e"]), PROPERTIES, max_size=4))
def test_any_mapping_makes_a_schema(properties: dict[str, Any]) -> None:
    try:
        mapping = read_mapping({"mappings": {"properties": properties}}, "things")
    except MappingError:
        return
    entity = build_schema(None, mapping).entity("entry")
    for path, mapped in mapping.fields.items():
        found = find_field(entity, tuple(path.split(".")))
        assert found is not None
        assert mapped.nested == tuple(one for one in mapped.nested if one in mapping.nested)


@pytest.mark.parametrize("first", range(0, some(160, 4_000), 20))
def test_mangled_catalogs_and_mappings(first: int) -> None:
    for seed in range(first, first + 20):
        mangle(seed)


LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
)
MERGES = "fields:\n  a0: &a0 {path: a}\n" + "".join(
    f"  a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, 9)
)
WORDS = (
    "defaults: {show: &w ["
    + ", ".join(["a"] * 1000)
    + "]}\nfields:\n"
    + "".join(f"  f{n}: {{path: f{n}, words: *w}}\n" for n in range(1000))
)
HEAD = "version: 1\nindex: things\nentities:\n  thing: {}\n"
BOMBS = {
    "laughs": (HEAD + LAUGHS, "this stands for more than 200,000 values, as often as aliases repeat it"),
    "merges": (HEAD + MERGES, "this stands for more than 200,000 values, as often as aliases repeat it"),
    "words": (HEAD + WORDS, "this stands for more than 200,000 values, as often as aliases repeat it"),
    "levels": (HEAD + "fields: " + "{a: " * 900 + "x" + "}" * 900, "this is nested more than 30 levels deep"),
    "brackets": (HEAD + "fields: " + "[" * 100_000, "this is not YAML"),
    "length": (HEAD + "description: " + "x" * 3_000_000, "the catalog is longer than 2,000,000 characters"),
    "many wrong values": (HEAD + "fields:\n" + "".join(f"  f{n}: [{n}]\n" for n in range(20_000)), "'f0' of"),
    "many keys": (HEAD + "".join(f"k{n}: {n}\n" for n in range(20_000)), "there is no key 'k0'"),
    "a long key": (HEAD + "k" * 900 + ": 1\n", "there is no key 'kkkk"),
    "merged into itself": (HEAD + "fields: &a\n  <<: *a\n  b: [1]\n", "'b' of"),
    "a list as a key": (HEAD + "fields:\n  ? [a, b]\n  : c\n", "a key is a text, not a list or map"),
    "half a character": (HEAD + "description: a\ud800b\n", "this is an unpaired surrogate"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_catalog_has_bounds(name: str) -> None:
    text, told = BOMBS[name]
    began = time.thread_time()
    with pytest.raises(CatalogError) as found:
        read_catalog(text)
    assert time.thread_time() - began < 15
    assert told in str(found.value)
    assert len(found.value.diagnostics) <= 101
    for one in found.value.diagnostics:
        assert 0 <= one.span.start < one.span.end <= len(text) + 1


TEXTS_OF_THE_LANGUAGE = rows(__file__, "TEXTS_OF_THE_LANGUAGE")


@pytest.mark.parametrize("part", TEXTS_OF_THE_LANGUAGE)
@pytest.mark.parametrize("place", ["entities", "defaults"])
def test_a_text_of_the_language_that_cannot_be_read_is_reported_with_its_place(place: str, part: str) -> None:
    code, message = TEXTS_OF_THE_LANGUAGE[part]
    own = part if place == "entities" else "{}"
    text = f"version: 1\nindex: things\nentities:\n  thing: {own}\n" + (f"defaults: {part}\n" if own != part else "")
    with pytest.raises(CatalogError) as found:
        read_catalog(text)
    (one,) = found.value.diagnostics
    assert one.code == code
    assert one.message.startswith(message)
    assert text.index(part) < one.span.start < text.index(part) + len(part)
    assert "^" in str(found.value)


def test_an_access_rule_that_means_nothing_is_reported_with_its_place() -> None:
    text = "version: 1\nindex: things\nentities:\n  thing: {access: nosuch = 1}\nfields: {a: a}\n"
    mapping = read_mapping({"mappings": {"properties": {"a": {"type": "keyword"}}}}, "things")
    with pytest.raises(CatalogError) as found:
        Compiler(None, read_catalog(text), mapping=mapping)
    (one,) = found.value.diagnostics
    assert one.code == "catalog-condition"
    assert text[one.span.start : one.span.end] == "nosuch = 1"
    assert "the access rule of things is wrong" in str(found.value)


def deep(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "keyword"}
    for _ in range(levels):
        inner = {"properties": {"a": inner}}
    return {"mappings": inner}


def test_a_mapping_that_is_too_deep_is_reported() -> None:
    """Others that are wrong are in mappings/wrong.mapping."""
    with pytest.raises(MappingError, match="the mapping is nested more than 100 levels deep"):
        read_mapping(deep(300))


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, "", "{", "\x00", "NaN", "1" * 5000])
def test_a_file_that_is_no_mapping_is_reported(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mapping.json"
    file.write_text(text)
    with pytest.raises(MappingError):
        load_mapping(file)


NO_YAML = [
    "a: " + "[" * 5000, 'a: "\\UFFFFFFFF"', 'a: "\\ud800"', "%YAML 99999999999999999999.1\n---\na: b", "a: !<tag:\n",
]


@pytest.mark.parametrize("loader", ["CBaseLoader", "BaseLoader"])
@pytest.mark.parametrize("text", NO_YAML)
def test_what_is_no_yaml_is_reported_with_and_without_the_c_library(
    monkeypatch: pytest.MonkeyPatch, loader: str, text: str
) -> None:
    monkeypatch.setattr(yaml_source, "_LOADER", getattr(yaml, loader, yaml.BaseLoader))
    with pytest.raises(CatalogError) as found:
        read_catalog(text)
    assert "error[catalog-" in str(found.value)
