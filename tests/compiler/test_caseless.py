"""Equality and patterns up to Unicode case: every query says the same as comparing folded texts."""

import re
from typing import Any

import pytest
from elasticsearch.dsl.query import Query
from hypothesis import given
from hypothesis import strategies as st

from qlc.compiler import caseless
from qlc.compiler.caseless import case_variants, equals_clause, fold_case, pattern_clause, same_case
from qlc.compiler.codegen import like_pieces
from tests.tables import rows

from .world import relaxed

_ODD = "aAéÉσςΣßİıKſ*?.\\[x"
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12) | st.text(_ODD, max_size=8)


def meets(query: Query, value: str) -> bool:
    """Whether a keyword value meets a query, from what Elasticsearch documents of each kind."""
    return _meets(query.to_dict(), value)


def _meets(query: dict[str, Any], value: str) -> bool:
    ((kind, body),) = query.items()
    if kind == "match_none":
        return False
    if kind == "bool":
        return all(_meets(part, value) for part in body["filter"])
    ((_, clause),) = body.items()
    if kind == "term":
        return clause["value"] == value or (
            clause.get("case_insensitive", False) and ascii_folded(clause["value"]) == ascii_folded(value)
        )
    if kind == "regexp":
        return re.fullmatch(clause["value"], value, re.DOTALL) is not None
    assert kind == "wildcard"
    parts = re.findall(r"\\.|.", ascii_folded(clause["value"]), re.DOTALL)
    pattern = "".join(".*" if p == "*" else "." if p == "?" else re.escape(p[-1]) for p in parts)
    return re.fullmatch(pattern, ascii_folded(value), re.DOTALL) is not None


def ascii_folded(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


@relaxed
@given(texts)
def test_a_text_equals_itself_in_every_case(text: str) -> None:
    query = equals_clause("f", text)
    assert meets(query, text)
    for other in {"".join(max(case_variants(c)) for c in text), "".join(min(case_variants(c)) for c in text)}:
        assert meets(query, other)
        assert same_case(text, other)


@relaxed
@given(texts, texts)
def test_equality_is_equality_of_folded_texts(text: str, value: str) -> None:
    if "K" in value or "ſ" in value:
        return  # the Kelvin sign and the long s: Elasticsearch's own folding leaves them apart from k and s
    assert meets(equals_clause("f", text), value) == (fold_case(text) == fold_case(value))


@relaxed
@given(texts, texts.filter(bool), texts)
def test_contains_finds_the_text_inside_in_any_case(before: str, text: str, behind: str) -> None:
    query = pattern_clause("f", [None, text, None])
    assert meets(query, before + text + behind)
    assert meets(query, before + "".join(max(case_variants(c)) for c in text) + behind)


def test_characters_fold_one_to_one() -> None:
    assert same_case("É", "é")
    assert same_case("Σ", "ς")
    assert not same_case("ß", "SS")
    assert not same_case("é", "e")
    assert case_variants("k") == ("K", "k")


@pytest.mark.parametrize("sign", list('.?+*|{}[]()"\\#@&<>~^$-'))
def test_signs_of_regular_expressions_are_characters_in_a_text(sign: str) -> None:
    query = equals_clause("f", f"é{sign}é")
    assert meets(query, f"É{sign}é")
    assert not meets(query, "ÉXé")


def test_no_regular_expression_is_longer_than_elasticsearch_takes() -> None:
    text = "Grüße an Zoë " * 200
    query = equals_clause("f", text).to_dict() if len(text) <= caseless.MAX_AUTOMATON_LENGTH else {}
    for part in query.get("bool", {}).get("filter", []):
        assert len(part["regexp"]["f"]["value"]) <= caseless.MAX_REGEXP_LENGTH


@relaxed
@given(st.integers(150, 900), st.integers(0, 899))
def test_a_long_text_is_compared_in_parts_that_together_say_the_same(length: int, wrong: int) -> None:
    text = ("Äö.x" * length)[:length]
    query = equals_clause("f", text)
    assert meets(query, text.lower())
    assert not meets(query, text[:-1])
    if wrong < length:
        assert not meets(query, text[:wrong] + "#" + text[wrong + 1 :])


def test_a_normalizer_leaves_the_case_to_the_index() -> None:
    assert equals_clause("f", "Ada", "lowercase").to_dict() == {"term": {"f": {"value": "Ada"}}}


def test_a_value_longer_than_any_term_is_in_no_index() -> None:
    assert equals_clause("f", "a" * 40_000).to_dict() == {"match_none": {}}


@pytest.mark.parametrize(("text", "pieces"), rows(__file__, "test_only_star_and_question_mark_are_wild_in_like"))
def test_only_star_and_question_mark_are_wild_in_like(text: str, pieces: list[str | None]) -> None:
    assert like_pieces(text) == pieces


@relaxed
@given(texts)
def test_an_escaped_text_is_like_itself_alone(text: str) -> None:
    escaped = "".join("\\" + c if c in "*?\\" else c for c in text)
    assert [piece for piece in like_pieces(escaped) if piece] == ([text] if text else [])
