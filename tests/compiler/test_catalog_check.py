"""The conditions of a catalog are compiled when it is checked, and told by their names when they are used."""

from typing import Any

import pytest

from qlc import Compiler
from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.index_mapping import read_mapping
from tests.tables import rows, table

KEYWORD: dict[str, Any] = {"type": "keyword"}
MAPPING = read_mapping(
    {"mappings": {"properties": {"code": KEYWORD, "name": KEYWORD, "delay": {"type": "long"}, "secret": KEYWORD}}},
    "flights",
)
CATALOG = table(__file__, "CATALOG")


def catalog(late: str = "delay > 5", later: str = "late", access: str = "name = $who") -> str:
    return CATALOG.format(late=repr(late), later=repr(later), access=repr(access))


def told(text: str) -> list[tuple[str, str]]:
    """Return the messages of the check, each with the text that it points to."""
    found = check_catalog(read_catalog(text), MAPPING)
    return [(one.message, text[one.span.start : one.span.end]) for one in found]


def test_conditions_that_compile_are_fine() -> None:
    assert told(catalog()) == []


@pytest.mark.parametrize(
    ("condition", "message"),
    rows(__file__, "test_a_condition_that_cannot_compile_is_reported_on_its_line"),
)
def test_a_condition_that_cannot_compile_is_reported_on_its_line(condition: str, message: str) -> None:
    assert (f"the condition 'late': {message}", repr(condition)) in told(catalog(late=condition))


def test_conditions_in_a_circle_are_reported() -> None:
    assert len(told(catalog(late="later", later="late"))) == 2


def test_an_access_rule_is_compiled_too() -> None:
    text = catalog(access="delay > $most and delay > true")
    assert [message for message, _ in told(text)] == ["the access rule: 'delay' is a number, and true is not"]


def test_what_is_wrong_inside_a_condition_points_to_its_name_in_the_program() -> None:
    compiler = Compiler(None, read_catalog(catalog(late="delay > true and name = nope")), mapping=MAPPING)
    source = "find flights where name exists and late limit 1"
    found = compiler.diagnose(source).diagnostics
    assert [source[one.span.start : one.span.end] for one in found] == ["late", "late"]
    assert all(one.message.startswith("in the condition 'late' of the catalog: ") for one in found)
    assert all(one.fixed is None for one in found)


def test_a_condition_that_cannot_be_read_is_reported_where_it_is() -> None:
    text = catalog(late="delay >")
    with pytest.raises(CatalogError) as problem:
        read_catalog(text)
    (found,) = problem.value.diagnostics
    assert (found.code, text[found.span.start : found.span.end]) == ("catalog-condition", "'delay >'")
    assert found.message.startswith("the condition 'late' cannot be read: the text ends where a value")


def test_a_contradiction_with_a_condition_points_into_the_program() -> None:
    compiler = Compiler(None, read_catalog(catalog()), mapping=MAPPING)
    source = "find flights where delay < 2 and late"
    (found,) = compiler.diagnose(source).diagnostics
    assert (found.code, source[found.span.start : found.span.end]) == ("contradiction", "late")


def test_the_canonical_text_keeps_the_name_of_a_condition() -> None:
    late = "flight.delay > 5 and name in (find flight where delay > 7).name"
    compiler = Compiler(None, read_catalog(catalog(late=late)), mapping=MAPPING)
    assert compiler.diagnose("find flight where late").text == "find flights where late"


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("fields:\n  code:\n", "'code' of the catalog is empty", "code"),
        ("fields:\n\tcode: code\n", "this is not YAML: a line is indented with a tab", "\t"),
        ("words: [a, b\nfields: {code: code}\n", "this is not YAML: a list in brackets is not closed", "["),
    ],
)
def test_yaml_that_is_wrong_is_reported_where_it_is(text: str, message: str, place: str) -> None:
    whole = "version: 1\nindex: flights\nentities: {flight: {}}\n" + text
    with pytest.raises(CatalogError) as wrong:
        read_catalog(whole)
    (found,) = wrong.value.diagnostics
    assert (found.message, whole[found.span.start : found.span.start + len(place)]) == (message, place)


def test_a_name_that_is_a_number_is_given_a_letter() -> None:
    text = "version: 1\nindex: flights\nentities: {flight: {}}\nfields:\n  5: code\n"
    (found,) = check_catalog(read_catalog(text), MAPPING)
    assert found.hint == "write n_5"


SECRETS = """version: 1
index: people
entities: {person: {plural: people}}
fields:
  email: {path: email, sensitive: true}
"""


def test_an_alias_of_a_sensitive_field_is_not_reported() -> None:
    properties = {"email": KEYWORD, "contact": {"type": "alias", "path": "email"}, "city": KEYWORD}
    mapping = read_mapping({"mappings": {"properties": properties}}, "people")
    compiler = Compiler(None, read_catalog(SECRETS), mapping=mapping)
    for wrong in ("contac", "contacts", "emial", "e_mail_"):
        (found,) = compiler.diagnose(f'find people where {wrong} = "x"').diagnostics
        assert "contact'" not in found.hint
        assert "email'" not in found.hint
        assert (found.suggestions, found.fixed) == ((), None)
    assert [one.code for one in compiler.diagnose('find people where contact = "x"').diagnostics] == ["not-permitted"]
    shown = {one.text for one in compiler.complete("find people where ")}
    assert not {"contact", "email"} & shown


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("find flights where delay > 5 and name = $mine", None),
        ("find flights where dellay > 5", "flights have no field 'dellay'"),
        ("find flights where", ""),
        ("find flights where hidden exists", "'hidden'"),
    ],
)
def test_queries_of_examples_are_checked_as_anybody_may_ask_them(query: str, message: str | None) -> None:
    hidden = "  hidden: {path: secret, sensitive: true}\n"
    found = told(catalog() + f"{hidden}examples:\n  - words: late ones\n    query: {query!r}\n")
    if message is None:
        assert found == []
    else:
        ((sentence, place),) = found
        assert sentence.startswith("the example 'late ones': ")
        assert message in sentence
        assert place == repr(query)


@pytest.mark.parametrize(
    ("shown", "messages"), [("onward.name", []), ("onward.nome", ["'show': flights have no field 'nome'"])]
)
def test_what_is_shown_after_references_is_looked_at(shown: str, messages: list[str]) -> None:
    text = "version: 1\nindex: flights\nentities: {{flight: {{id: code, show: [name, {}]}}}}\n"
    fields = "fields: {code: code, name: name, onward: {path: secret, refers_to: flight}}\n"
    found = check_catalog(read_catalog(text.format(shown) + fields), MAPPING)
    assert [one.message for one in found] == messages


SHELVES = table(__file__, "SHELVES")
WITH_STOPS = read_mapping(
    {"mappings": {"properties": {"code": KEYWORD, "delay": {"type": "long"}, "secret": KEYWORD,
                                 "stops": {"type": "nested", "properties": {"port": KEYWORD}}}}},
    "flights",
)  # fmt: skip


@pytest.mark.parametrize(
    ("label", "messages"),
    rows(__file__, "test_what_tells_apart_is_a_field_here_or_after_a_reference"),
)
def test_what_tells_apart_is_a_field_here_or_after_a_reference(label: str, messages: list[str]) -> None:
    found = check_catalog(read_catalog(SHELVES.format(label=label)), WITH_STOPS)
    assert [one.message for one in found] == messages
