"""Index mappings: from bodies, answers of a server and several indices to fields, as pairs of files in mappings/."""

import json
import time
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from qlc import catalogs
from qlc.mapping.errors import MappingError
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.index_mapping import load_mapping, mapping_from_responses, read_mapping
from tests.pairs import Case, check_beside, pairs, readable, report

KEYWORD = {"type": "keyword"}
DEFAULTS = {one.name: None if one.default is MISSING else one.default for one in fields(MappedField)}


@pairs(Path(__file__).parent / "mappings", "mapping")
def test_mappings_are_read_as_written_beside_them(path: Path, snapshot: SnapshotAssertion) -> None:
    check_beside(path, report(path, described), snapshot)


def described(case: Case) -> str:
    given = json.loads(case.source)
    try:
        match case.world:
            case "several":
                mapping = several(**given)
            case "body":
                mapping = read_mapping(given)
            case _:
                mapping = mapped(**given)
    except MappingError as problem:
        return f"error: {problem}"
    beside = {name: sorted(getattr(mapping, name)) for name in ("objects", "nested") if getattr(mapping, name)}
    normalizers = {name: one for name, one in mapping.normalizers.items() if name != "lowercase"}
    beside |= {"normalizers": normalizers} if normalizers else {}
    beside |= {"indices": mapping.indices} if case.world == "several" else {}
    lines = [f"{path}: {attributes(field)}" for path, field in mapping.fields.items()]
    return "\n".join([f"index {mapping.index}", *lines, *([readable(beside)] if beside else [])])


def attributes(field: MappedField) -> str:
    """The settings that differ from the default."""
    found = {one: getattr(field, one) for one in DEFAULTS if getattr(field, one) != DEFAULTS[one]}
    return readable({one: value for one, value in found.items() if one not in ("path", "term_path")})


def mapped(**properties: Any) -> IndexMapping:
    return read_mapping({"mappings": {"properties": properties}}, "things")


def several(**properties: dict[str, Any]) -> IndexMapping:
    """One name over several indices, each with its properties."""
    return mapping_from_responses("all", {n: {"mappings": {"properties": p}} for n, p in properties.items()}, {})


def test_sub_fields_can_be_asked_for_by_their_own_path() -> None:
    mapping = mapped(name={"type": "text", "fields": {"folded": KEYWORD | {"normalizer": "lowercase"}}})
    found = mapping.at("name.folded")
    assert found.normalizer == "lowercase"
    assert mapping.at("name.other") is None


def test_every_key_of_a_flattened_field_is_a_keyword() -> None:
    mapping = mapped(labels={"type": "flattened"}, other=KEYWORD)
    found = mapping.at("labels.env.name")
    assert (found.path, found.exact, found.kind) == ("labels.env.name", "labels.env.name", FieldKind.KEYWORD)
    assert mapping.at("labels.") is None
    assert mapping.at("other.env") is None


def test_the_name_that_is_given_is_used_before_that_in_a_body() -> None:
    assert read_mapping({"things": {"mappings": {"properties": {}}}}, "alias").index == "alias"


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="cannot be read"):
        load_mapping(tmp_path / "none.json")


def test_equal_mappings_have_equal_fingerprints() -> None:
    one, two = {"a": KEYWORD}, {"b": KEYWORD}
    assert several(one=one, two=two).fingerprint == several(two=two, one=one).fingerprint
    body = json.loads(catalogs.mapping_path("drive").read_text("utf-8"))
    again = json.loads(json.dumps(body, sort_keys=True))
    assert read_mapping(body).fingerprint == read_mapping(again).fingerprint
    again["mappings"]["properties"]["extra"] = KEYWORD
    assert read_mapping(body).fingerprint != read_mapping(again).fingerprint


def test_a_mapping_of_thousands_of_fields_is_read_quickly() -> None:
    """About 20 ms for 2,500 fields; the bound leaves room for a busy machine, the best of three for the collector."""
    group = {f"f{n}": {"type": "text", "fields": {"keyword": KEYWORD}} for n in range(50)}
    body = {"mappings": {"properties": {f"g{n}": {"properties": group} for n in range(50)}}}
    times = []
    for _ in range(3):
        start = time.thread_time()
        mapping = read_mapping(body)
        times.append(time.thread_time() - start)
        assert len(mapping.fields) == 2500
    assert min(times) < 0.5
