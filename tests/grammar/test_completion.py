"""Completion at a cursor: `|` in these texts."""

from __future__ import annotations

import pytest

from qlc.grammar import complete
from qlc.grammar.completion import Completion


def at(text: str) -> Completion:
    return complete(text.replace("|", "", 1), text.index("|"))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("find |", {"entity", "lookup"}),
        ("count doc|", {"entity"}),
        ("avg(a) of |", {"entity"}),
        ("find a where |", {"field"}),
        ("find a where b and fo|", {"field"}),
        ("find a where b.|", {"field"}),
        ("find a sort b, |", {"field"}),
        ("find a show |", {"field"}),
        ("count a by |", {"field"}),
        ("avg(|) of a", {"field"}),
        ("find a where b = |", {"value", "text", "number", "lookup"}),
        ("find a where b in [1, |", {"value", "text", "number", "lookup"}),
        ('find a where b = "x|', {"value", "text"}),
        ('find a where b = document("x|', {"text"}),
        ("find a where b > 5 |", {"unit"}),
        ("find a limit |", {"number"}),
        ("let |", {"new name"}),
        ("get |", {"lookup"}),
        ('get document("x").|', {"field"}),
        ("find a -- where |", set()),
        ("find a wher b = |", set()),
    ],
)
def test_kinds(text: str, kinds: set[str]) -> None:
    assert at(text).kinds == kinds


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("fi|", ("find",)),
        ("find a |", ("limit", "show", "sort", "where")),
        ("find a where b sort c |", ("asc", "desc", "limit", "show")),
        ("find a where b s|", ("show", "sort", "starts with")),
        ("count a by m|", ("month",)),
        ("find a where b = t|", ("this", "today", "tomorrow", "true")),
        ("find a where b in last m|", ("minute", "minutes", "month", "months")),
        ("count a by b having me|", ("median",)),
        ("find a where me|", ("mentions",)),
    ],
)
def test_keywords(text: str, keywords: tuple[str, ...]) -> None:
    assert at(text).keywords == keywords


def test_signs_and_units() -> None:
    assert at("find a where b |").signs == ("=", "!=", "<", "<=", ">", ">=", "[")
    assert at("find a where b > 5 Mi|").units == (
        "MiB", "us", "ms", "minutes", "um", "mm", "miles", "mg", "ml", "mW", "mV", "mA", "mohm",
    )  # fmt: skip


def test_what_is_replaced() -> None:
    found = at("find a where fold|er = 1")
    assert (found.start, found.word) == (13, "fold")
    quoted = at('find a where b = "Tax Do|cuments"')
    assert (quoted.start, quoted.word, quoted.quote) == (17, "Tax Do", '"')


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("find documents where |", "documents"),
        ("avg(|) of flights", "flights"),
        ("avg(price), max(|), count of flights by x", "flights"),
        ("find a where b in (find folders where |", "folders"),
        ("find a where b in (find folders where c) and |", "a"),
        ("let s = find folders where x find documents where |", "documents"),
        ("let s = find folders where x |", "folders"),
        ("|", None),
    ],
)
def test_the_statement_around(text: str, entity: str | None) -> None:
    assert at(text).around.entity == entity


def test_the_path_so_far() -> None:
    assert at("find a where folder.owner.na|").around.path == ("folder", "owner")
    assert at('find a where shares[who = "x"].|').around.path == ("shares",)


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ('get document("x").|', "document"),
        ("find a where b = $me.|", "$me"),
        ("find a where b = (find folders).|", "folders"),
    ],
)
def test_whose_field(text: str, of: str) -> None:
    assert at(text).around.of == of


@pytest.mark.parametrize(
    ("text", "field", "operator"),
    [
        ("find a where folder.name = |", ("folder", "name"), "="),
        ('find a where tags has any ["x", "|', ("tags",), "has any"),
        ('find a where name starts with "|', ("name",), "starts with"),
        ("find a where b not in [|", ("b",), "not in"),
        ("find a where b between 1 and |", ("b",), "between"),
        ('find a where weekday(created) = "|', ("created",), "="),
    ],
)
def test_the_field_whose_value_is_typed(text: str, field: tuple[str, ...], operator: str) -> None:
    around = at(text).around
    assert (around.field, around.operator) == (field, operator)


def test_inside_a_nested_list() -> None:
    assert at("find a where shares[|").around.lists == ("shares",)
    assert at("find a where x.shares[b and |").around.lists == ("x", "shares")


def test_the_entity_that_is_looked_up_and_the_lets_so_far() -> None:
    assert at('find a where b = document("Rep|').around.lookup == "document"
    assert at("let x = 5 let y = 6 find a where b = |").around.lets == ("x", "y")
