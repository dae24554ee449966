"""Conditions on parts and words of texts: what each form compiles to, and who it is refused to."""

from __future__ import annotations

import pytest

from .world import Body, drive

NAME = "commonAttributes.name.keyword"
SIZE = "commonAttributes.sizeInBytes"
TEXT = "contentAttributes.extractedText"


# --- patterns --------------------------------------------------------------------------------------------------------


def wildcard(value: str) -> Body:
    return {"wildcard": {NAME: {"value": value, "case_insensitive": True}}}


def test_contains_is_anywhere_in_the_value_without_regard_to_case() -> None:
    assert drive().query('name contains "Plan"') == wildcard("*Plan*")


def test_starts_with_is_a_prefix_without_regard_to_case() -> None:
    assert drive().query('name starts with "Plan"') == {"prefix": {NAME: {"value": "Plan", "case_insensitive": True}}}


def test_ends_with_is_the_end_of_the_value() -> None:
    assert drive().query('name ends with ".pdf"') == wildcard("*.pdf")


def test_like_is_about_the_whole_value_and_its_signs_are_wild() -> None:
    assert drive().query('name like "Pay*_202?"') == wildcard("Pay*_202?")


@pytest.mark.parametrize("operator", ["contains", "starts with", "ends with"])
def test_signs_are_wild_only_in_like(operator: str) -> None:
    (body,) = next(iter(drive().query(rf'name {operator} "a*b?c\\d"').values())).values()
    plain = body["value"].replace("*a", "a").replace("d*", "d")
    assert plain in (r"a\*b\?c\\d", r"a*b?c\d")  # a prefix takes its text as it is


def test_an_escaped_sign_in_like_is_the_character() -> None:
    assert drive().query(r'name like "50\\*\\?"') == wildcard(r"50\*\?")


@pytest.mark.parametrize("operator", ["contains", "starts with", "ends with", "like"])
def test_patterns_fold_letters_beyond_ascii(operator: str) -> None:
    (body,) = drive().query(f'name {operator} "Ä"').values()
    assert "[Ää]" in body[NAME]["value"]


def test_contains_on_analysed_text_is_mentions() -> None:
    assert drive().where('content contains "new roof"') == drive().where('content mentions "new roof"')


@pytest.mark.parametrize("condition", ['size contains "5"', 'content like "x"', 'signed starts with "x"'])
def test_patterns_need_texts_with_whole_values(condition: str) -> None:
    found = drive().finding(f"find documents where {condition}")
    assert found.code == "wrong-operator"
    assert "exists" in found.suggestions


def test_a_pattern_on_a_reference_means_the_name_beside_it() -> None:
    query = drive().query('owner contains "Ada"')
    assert list(query["wildcard"]) == ["systemAttributes.owner.ownerName.keyword"]


# --- full text -------------------------------------------------------------------------------------------------------


def test_matches_is_all_words() -> None:
    assert drive().query('content matches "new roof"') == {"match": {TEXT: {"query": "new roof", "operator": "and"}}}


def test_mentions_is_the_adjacent_words_in_order() -> None:
    assert drive().query('content mentions "new roof"') == {"match_phrase": {TEXT: {"query": "new roof"}}}


def test_mentions_alone_looks_into_one_of_the_text_fields() -> None:
    clauses = drive().query('mentions "roof"')["bool"]["should"]
    paths = [next(iter(clause["match_phrase"])) for clause in clauses]
    assert paths == [TEXT, "commonAttributes.description", "commonAttributes.name"]


def test_about_ranks_and_with_no_sort_the_best_come_first() -> None:
    body = drive().body('find documents where about "roof repair" and signed')
    (ranked,) = body["query"]["bool"]["must"]
    assert ranked["multi_match"]["query"] == "roof repair"
    assert body["sort"][0] == {"_score": {"order": "desc"}} or body["sort"][0] == "_score"


def test_about_with_a_sort_does_not_order() -> None:
    body = drive().body('find documents where about "roof" sort size desc')
    assert list(body["sort"][0]) == [SIZE]


@pytest.mark.parametrize("operator", ["contains", "starts with", "ends with", "like"])
def test_a_space_is_a_part_of_a_value(operator: str) -> None:
    assert drive().codes(f'find documents where name {operator} ""') == ["empty-text"]
    assert drive().codes(f'find documents where name {operator} " "') == []
    assert drive().query(f'name {operator} " "') == drive().query(f"name {operator} $text", text=" ")


def test_nothing_but_about_is_scored() -> None:
    for condition in ('name = "a"', 'mentions "a"', 'content matches "a"', 'folder under "a"', "shares exists"):
        assert "must" not in drive().body(f"find documents where {condition}")["query"]["bool"]
