"""Index mappings: from bodies, answers of a server and several indices to fields."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from qlc import catalogs
from qlc.mapping.errors import MappingError
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.index_mapping import load_mapping, mapping_from_responses, read_mapping

KEYWORD = {"type": "keyword"}


def mapped(**properties: Any) -> IndexMapping:
    return read_mapping({"mappings": {"properties": properties}}, "things")


def only(definition: dict[str, Any]) -> MappedField:
    return mapped(it=definition).fields["it"]


@pytest.mark.parametrize(("es_type", "kind"), [
    ("keyword", FieldKind.KEYWORD), ("constant_keyword", FieldKind.KEYWORD), ("wildcard", FieldKind.KEYWORD),
    ("flattened", FieldKind.KEYWORD), ("text", FieldKind.TEXT), ("match_only_text", FieldKind.TEXT),
    ("integer", FieldKind.WHOLE_NUMBER), ("unsigned_long", FieldKind.WHOLE_NUMBER), ("scaled_float", FieldKind.NUMBER),
    ("half_float", FieldKind.NUMBER), ("date", FieldKind.DATE), ("date_nanos", FieldKind.DATE),
    ("boolean", FieldKind.BOOLEAN), ("ip", FieldKind.IP), ("geo_point", FieldKind.GEO_POINT),
    ("dense_vector", FieldKind.VECTOR), ("date_range", FieldKind.UNSUPPORTED), ("geo_shape", FieldKind.UNSUPPORTED),
    ("completion", FieldKind.UNSUPPORTED), ("a_type_of_next_year", FieldKind.UNSUPPORTED),
])  # fmt: skip
def test_kinds(es_type: str, kind: FieldKind) -> None:
    field = only({"type": es_type})
    assert (field.kind, field.es_type) == (kind, es_type)
    compared = kind not in (FieldKind.TEXT, FieldKind.GEO_POINT, FieldKind.VECTOR, FieldKind.UNSUPPORTED)
    assert field.exact == ("it" if compared else None)


def test_text_with_a_keyword_is_compared_by_the_keyword() -> None:
    field = only({"type": "text", "fields": {"raw": {"type": "keyword", "ignore_above": 256}}})
    assert (field.kind, field.exact, field.analysed, field.ignore_above) == (FieldKind.KEYWORD, "it.raw", "it", 256)


def test_which_keyword_sub_field_is_taken() -> None:
    """An indexed sub-field is preferred, then one without a normalizer, then the one with the longest values."""
    limited, folded = KEYWORD | {"ignore_above": 64}, KEYWORD | {"normalizer": "lowercase"}
    for subs in ({"short": limited, "taken": KEYWORD}, {"folded": folded, "taken": limited},
                 {"kept": KEYWORD | {"index": False}, "taken": limited}, {"taken": folded}):
        assert only({"type": "text", "fields": subs}).exact == "it.taken"
    assert only({"type": "text", "fields": {"folded": folded}}).normalizer == "lowercase"


def test_a_keyword_with_a_text_sub_field_is_analysed_by_the_plain_one() -> None:
    subs = {"typed": {"type": "search_as_you_type"}, "parts": {"type": "text", "analyzer": "x"},
            "text": {"type": "text"}}
    field = only(KEYWORD | {"fields": subs})
    assert (field.exact, field.analysed) == ("it", "it.text")


def test_sub_fields_can_be_asked_for_by_their_own_path() -> None:
    mapping = mapped(name={"type": "text", "fields": {"folded": KEYWORD | {"normalizer": "lowercase"}}})
    found = mapping.at("name.folded")
    assert found is not None
    assert found.normalizer == "lowercase"
    assert mapping.at("name.other") is None


def test_nested_paths_are_outermost_first() -> None:
    inner = {"type": "nested", "properties": {"c": KEYWORD}}
    mapping = mapped(a={"type": "nested", "properties": {"x": {"properties": {"b": inner}}, "d": KEYWORD}})
    assert mapping.fields["a.x.b.c"].nested == ("a", "a.x.b")
    assert mapping.fields["a.x.b.c"].nested_path == "a.x.b"
    assert mapping.fields["a.d"].nested == ("a",)
    assert mapping.nested == {"a", "a.x.b"}
    assert mapping.objects == {"a.x"}


def test_aliases_are_resolved_to_their_targets() -> None:
    mapping = mapped(
        **{"@timestamp": {"type": "alias", "path": "time.at"}, "time": {"properties": {"at": {"type": "date"}}}}
    )
    assert mapping.fields["@timestamp"] == mapping.fields["time.at"]


def test_an_alias_of_nothing_is_reported() -> None:
    with pytest.raises(MappingError, match="the alias a stands for 'b'"):
        mapped(a={"type": "alias", "path": "b"})


def test_every_key_of_a_flattened_field_is_a_keyword() -> None:
    mapping = mapped(labels={"type": "flattened"}, other=KEYWORD)
    found = mapping.at("labels.env.name")
    assert found is not None
    assert (found.path, found.exact, found.kind) == ("labels.env.name", "labels.env.name", FieldKind.KEYWORD)
    assert mapping.at("labels.") is None
    assert mapping.at("other.env") is None


def test_what_is_not_indexed() -> None:
    assert not only(KEYWORD | {"index": False}).indexed
    assert not only(KEYWORD | {"doc_values": False}).doc_values
    assert only({"type": "text", "index": False}).analysed is None
    disabled = only({"type": "object", "enabled": False, "properties": {"x": KEYWORD}})
    assert (disabled.kind, disabled.indexed) == (FieldKind.UNSUPPORTED, False)


def test_objects_without_properties_hold_no_fields() -> None:
    mapping = mapped(free={"type": "object", "dynamic": True}, list={"type": "nested"})
    assert (mapping.fields, mapping.objects, mapping.nested) == ({}, {"free"}, {"list"})


def test_date_formats_are_kept() -> None:
    assert only({"type": "date", "format": "epoch_second||yyyy"}).date_format == "epoch_second||yyyy"
    assert only({"type": "date"}).date_format is None


def test_runtime_fields_hide_mapped_ones() -> None:
    runtime = {"n": {"type": "long"}, "geo": {"type": "composite", "fields": {"lat": {"type": "double"}}}}
    mapping = read_mapping({"runtime": runtime, "properties": {"n": KEYWORD}})
    assert mapping.fields["n"].kind is FieldKind.WHOLE_NUMBER
    assert mapping.fields["geo.lat"].kind is FieldKind.NUMBER


BODY = {"mappings": {"properties": {"a": KEYWORD}}}


@pytest.mark.parametrize(
    "body", [BODY, {"things": BODY}, BODY["mappings"], {"template": BODY, "index_patterns": ["t*"]}]
)
def test_forms_of_a_body(body: dict[str, Any]) -> None:
    assert list(read_mapping(body).fields) == ["a"]


def test_the_name_in_a_body_is_used_where_none_is_given() -> None:
    assert read_mapping({"things": BODY}).index == "things"
    assert read_mapping({"things": BODY}, "alias").index == "alias"


FOLD = {"type": "custom", "filter": ["lowercase", "asciifolding"]}


@pytest.mark.parametrize(
    "settings",
    [
        {"index": {"analysis": {"normalizer": {"fold": FOLD}}}},
        {"analysis": {"normalizer": {"fold": FOLD}}},
        {"index.analysis.normalizer.fold.filter": FOLD["filter"]},
    ],
)
def test_normalizers(settings: dict[str, Any]) -> None:
    assert read_mapping({**BODY, "settings": settings}).normalizers["fold"] == ("lowercase", "asciifolding")


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="cannot be read"):
        load_mapping(tmp_path / "none.json")


def test_a_pattern_without_an_index_is_reported() -> None:
    with pytest.raises(MappingError, match="'none-\\*'"):
        mapping_from_responses("none-*", {}, {})


def several(**properties: dict[str, Any]) -> IndexMapping:
    """One name over several indices, each with its properties."""
    return mapping_from_responses("all", {n: {"mappings": {"properties": p}} for n, p in properties.items()}, {})


def test_fields_of_one_index_alone_are_kept() -> None:
    mapping = several(one={"a": KEYWORD}, two={"b": {"type": "date"}})
    assert (mapping.index, mapping.indices) == ("all", ("one", "two"))
    assert {path: field.kind for path, field in mapping.fields.items()} == {"a": FieldKind.KEYWORD, "b": FieldKind.DATE}


@pytest.mark.parametrize(("one", "two", "conflict"), [
    (KEYWORD, {"type": "long"}, ("keyword", "long")),
    ({"type": "text", "fields": {"keyword": KEYWORD}}, {"type": "text"}, ("text with a.keyword", "text")),
    (KEYWORD, {"properties": {"b": KEYWORD}}, ("keyword", "object")),
])  # fmt: skip
def test_conflicting_types_are_named(one: dict[str, Any], two: dict[str, Any], conflict: tuple[str, str]) -> None:
    assert several(one={"a": one}, two={"a": two}).fields["a"].conflict == (("one", conflict[0]), ("two", conflict[1]))


def test_types_that_a_search_treats_alike_are_no_conflict() -> None:
    mapping = several(one={"a": {"type": "integer"}, "b": KEYWORD | {"ignore_above": 10}, "c": {"type": "wildcard"}},
                      two={"a": {"type": "long"}, "b": KEYWORD, "c": KEYWORD})
    assert not any(field.conflict for field in mapping.fields.values())
    assert mapping.fields["b"].ignore_above == 10


def test_the_order_of_the_answer_does_not_matter() -> None:
    one, two = {"a": KEYWORD}, {"b": KEYWORD}
    assert several(one=one, two=two).fingerprint == several(two=two, one=one).fingerprint


def test_equal_mappings_have_equal_fingerprints() -> None:
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
