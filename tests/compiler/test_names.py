"""Names: what users call things is accepted, the canonical text has the catalog's names."""

from __future__ import annotations

import pytest

from .world import drive, ecommerce, flights, made

CANONICAL = [
    ("find docs where file_size > 5", "find documents where size > 5"),
    ("find files where `file size` > 5", "find documents where size > 5"),
    ("find documents where documents.size > 5", "find documents where size > 5"),
    ("find documents where document.size > 5", "find documents where size > 5"),
    ("find document where size > 5", "find documents where size > 5"),
    ('find documents where `created by` = "Ada"', 'find documents where creator = "Ada"'),
    ('find directories where parent = "x"', 'find folders where folder = "x"'),
    ('find documents where folder = directory("x")', 'find documents where folder = folder("x")'),
    ('find documents where folder.author = "Ada"', 'find documents where folder.creator = "Ada"'),
    ('find documents where permissions[principal = "A"]', 'find documents where shares[who = "A"]'),
    ('find documents where shares[access = "editor"]', 'find documents where shares[role = "editor"]'),
    ("count documents by `doc type`", "count documents by type"),
    ("count documents by month(uploaded)", "count documents by month(created)"),
    ("sum(total) of documents", "sum(amount) of documents"),
    ("find documents where signed sort title show ext", "find documents where signed sort name show extension"),
    ('find documents where size > document("x").file_size', 'find documents where size > document("x").size'),
    ("find documents where Size > 5", "find documents where size > 5"),
    ('find documents where systemAttributes.checksum = "x"', 'find documents where systemAttributes.checksum = "x"'),
    ("find documents where tags has 'a' and not (signed)", 'find documents where tags has "a" and not signed'),
]


@pytest.mark.parametrize(("source", "text"), CANONICAL)
def test_the_canonical_text_has_the_catalogs_names(source: str, text: str) -> None:
    assert drive().text(source) == text


@pytest.mark.parametrize("text", [text for _, text in CANONICAL])
def test_canonical_text_stays_as_it_is_and_means_the_same(text: str) -> None:
    assert drive().text(text) == text


@pytest.mark.parametrize(("source", "text"), CANONICAL)
def test_another_word_means_the_same(source: str, text: str) -> None:
    assert drive().body(source) == drive().body(text)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("count documents by `doc type` sort `doc type`", "count documents by type sort type"),
        ("count documents by folder.author sort author", "count documents by folder.creator sort creator"),
        ("count documents by day(uploaded) sort day(uploaded)", "count documents by day(created) sort day(created)"),
        ('count documents by `doc type` having `doc type` = "W2"', 'count documents by type having type = "W2"'),
        ("sum(total) of documents by type sort sum(total)", "sum(amount) of documents by type sort sum(amount)"),
    ],
)
def test_columns_of_rows_have_the_catalogs_names_too(source: str, text: str) -> None:
    assert drive().text(source) == text
    assert drive().codes(text) == []


def test_canonical_text_is_a_matter_of_names_and_never_of_meaning() -> None:
    assert drive().text("find documents where tags has \"a\"") == 'find documents where tags has "a"'
    assert drive().text("find documents where tags = \"a\"") == 'find documents where tags = "a"'
    assert drive().text('find documents where type = "w-2"') == 'find documents where type = "w-2"'


def test_what_the_catalog_leaves_out_is_reachable_by_its_mapping_path() -> None:
    assert drive().codes('find documents where systemAttributes.checksum exists') == []
    assert drive().codes('find documents where sharing.permissions.role = "editor"') == []


def test_look_ups_use_the_singular_and_statements_the_plural() -> None:
    assert drive().text('find folder where id = documents("x").folder') == (
        'find folders where id = document("x").folder'
    )


def test_an_entity_may_stand_for_all_kinds_in_an_index() -> None:
    assert "filter" not in str(drive().body("find entries limit 5")["query"])
    assert drive().codes('find entries where folder = "Legal"') == []


def test_without_a_catalog_every_index_works_by_its_mapping() -> None:
    world = made({"DestCityName": {"type": "keyword"}, "a": {"properties": {"b": {"type": "integer"}}}})
    assert world.query('DestCityName = "Rome"', "entries") == {
        "term": {"DestCityName": {"value": "Rome", "case_insensitive": True}}
    }
    assert world.query("a.b > 5", "entries") == {"range": {"a.b": {"gt": 5}}}
    assert world.codes("find entries where destcityname exists") in ([], ["unknown-field"])


# --- unknown names ---------------------------------------------------------------------------------------------------


def test_an_unknown_field_is_reported_with_the_near_ones() -> None:
    found = drive().finding('find documents where folderName = "Tax"')
    assert found.code == "unknown-field"
    assert "folder" in found.suggestions
    assert "'folder' (reference to folder)" in found.hint


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("commonAttributes.sizeInByte", "did you mean 'size' ('commonAttributes.sizeInBytes')?"),
        ("systemAttributes.checksun", "did you mean 'systemAttributes.checksum'?"),
        ("nope", "did you mean 'description' (also called 'note')?"),
        ("sise", "did you mean 'size'?"),
    ],
)
def test_what_is_near_is_reported_with_the_word_that_is(wrong: str, hint: str) -> None:
    assert drive().finding(f"find documents where {wrong} exists").hint == hint


def test_a_path_that_is_near_a_sensitive_one_is_not_reported() -> None:
    found = ecommerce().finding('find orders where emai.keywor = "x"')
    assert "email" not in found.hint + "".join(found.suggestions)


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("find documents where signed > 3", "it has '=', '!=', 'in', 'not in', 'missing' and 'exists'"),
        ('find documents where owner < "Tom"', "it has '=', '!=', 'in', 'not in', 'missing' and 'exists'"),
        ('find documents where created > document("x")', "take one of its fields, for example .created"),
        ("find documents where due > (find files where signed limit 1)", "take one of its fields, for example .due"),
        ('find documents where shares[about "x"]', "join it to the other conditions with 'and', or use 'mentions'"),
        ('find documents where extension = "PDF files"', "did you mean 'pdf' or 'zip'?"),
    ],
)
def test_the_way_out_is_one(source: str, hint: str) -> None:
    assert drive().finding(source).hint == hint


def test_the_span_of_a_finding_is_the_name_that_is_wrong() -> None:
    source = 'find documents where signed and folderName = "Tax"'
    span = drive().finding(source).span
    assert source[span.start : span.end] == "folderName"


@pytest.mark.parametrize("source", ["find documnets limit 5", 'find documents where id = documnet("x")'])
def test_an_unknown_entity_is_reported_with_the_near_ones(source: str) -> None:
    found = drive().finding(source)
    assert found.code == "unknown-entity"
    assert found.suggestions[0] in ("documents", "document")


def test_what_has_no_documents_is_no_statement() -> None:
    found = drive().finding('find people where name = "Ada"')
    assert found.code == "no-documents"
    assert "'owner'" in found.hint


def test_all_errors_are_reported_at_once_each_at_its_place() -> None:
    source = 'find documents where folderName = "x" and type = "Invoic" and size > 5 minutes sort nothing show none'
    found = drive().findings(source)
    assert [d.code for d in found] == [
        "unknown-field", "unknown-value", "wrong-unit", "unknown-field", "unknown-field",
    ]  # fmt: skip
    assert [d.span.start for d in found] == sorted(d.span.start for d in found)


def test_a_program_has_one_syntax_error() -> None:
    assert len(drive().findings("find documents wher size > and")) == 1


def test_sensitive_fields_are_neither_suggested_nor_listed() -> None:
    found = ecommerce().finding('find orders where emial = "x"')
    assert "email" not in found.hint
    assert "email" not in found.suggestions


def test_other_words_work_in_every_catalog() -> None:
    assert flights().text('find connections where airline = "Logstash"') == (
        'find flights where carrier = "Logstash"'
    )


def test_an_alias_is_the_stored_value_where_values_are_open() -> None:
    stored = flights().body('find flights where dest_city = "Los Angeles"')
    for said in ("LA", "la"):
        assert flights().body(f'find flights where dest_city = "{said}"') == stored
    assert flights().body('find flights where dest_city = "Lima"') != stored
