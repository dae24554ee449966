"""What is found before anything runs: contradictions, what is always true, reversed ranges; and no false alarms."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from qlc.compiler.consistency import inconsistencies

from .world import World, drive, ecommerce, made

CONTRADICTIONS = [
    "size > 5 MB and size < 1 MB",
    "size > 5 and size < 5",
    "size >= 5 and size < 5",
    "size = 5 and size = 6",
    "size = 5 and size != 5",
    "size = 5 and size > 5",
    "size in [1, 2] and size in [3, 4]",
    "size between 1 and 2 and size between 3 and 4",
    'type = "W2" and type = "NDA"',
    'type = "W2" and type != "w-2"',
    'type = "W2" and type missing',
    'type = "1099s" and type = "bills"',
    'vendor = "A" and vendor = "B"',
    "created = 2024 and created = 2025",
    "created > 2025 and created < 2024",
    "created in last month and created in this month",
    "created < 2024-03 and created > 2024-02-29",
    "created between 2024 and 2025 and created > 2026",
    "due = today and due = tomorrow",
    "signed and not signed",
    "signed = true and signed = false",
    "size exists and size missing",
    "folder = root and folder != root",
    'overdue and payment_status = "paid"',
    'shares[role = "editor" and role = "viewer"]',
    "starred or (size > 5 and size < 1)",
    "not (size > 5 and size < 1)",
    "not (starred or (size > 5 and size < 1))",
    "starred and (locked and (size > 5 and size < 1))",
    'folder in (find folders where depth > 3 and depth < 2)',
    'size = (max(size) of documents where pages > 3 and pages < 2)',
    'tags has "a" and not tags has "a"',
]


@pytest.mark.parametrize("condition", CONTRADICTIONS)
def test_conditions_that_contradict_each_other_are_an_error(condition: str) -> None:
    found = drive().finding(f"find documents where {condition}")
    assert (found.code, found.severity) == ("contradiction", "error")


def test_the_finding_is_at_one_of_the_conditions() -> None:
    source = "find documents where signed and size > 5 MB and size < 1 MB"
    span = drive().finding(source).span
    assert source[span.start : span.end] in ("size > 5 MB", "size < 1 MB")


def test_two_keys_of_one_element_are_an_error_that_says_how_to_write_them() -> None:
    found = drive().finding('find documents where attributes[stage = "draft" and client = "A"]')
    assert found.code == "contradiction"
    assert found.hint.endswith("attributes.stage = ... and attributes.client = ...")


MEANT = [
    'attributes[stage = "draft" or client = "A"]',
    'attributes[stage = "draft" and stage != "final"]',
    # lists: each condition may be met by another element
    'tags = "a" and tags = "b"',
    'tags = "a" and tags != "b"',
    'tags > "x" and tags < "b"',
    'shares.role = "editor" and shares.role = "viewer"',
    'shares[role = "editor"] and shares[role = "viewer"]',
    "comments[created > 2025] and comments[created < 2024]",
    'attributes.stage = "draft" and attributes.stage = "final"',
    'attributes.stage = "draft" and attributes.client = "A"',
    # single values that may be met
    "size > 5 and size < 6",
    "size >= 5 and size <= 5",
    "size in [1, 2] and size in [2, 3]",
    'name = "a" and name = "A"',
    'vendor = "É" and vendor = "é"',
    "created >= 2024 and created <= 2024",
    "created > 2024-02 and created < 2024-04",
    "created in last 30 days and created in this month",
    "size != 5 and size != 6",
    "size missing and created exists",
    "not (size > 5) and not (size < 5)",
    'type = "W2" or type = "NDA"',
    'folder = "a" and folder = "b"',
    'folder = "a" and folder = root',
    'folder.depth > 5 and depth < 2',
    "size > $low and size < $high",
    'created > document("A").created and created < document("B").created',
    'size > (avg(size) of documents) and size < (max(size) of documents)',
    'name starts with "a" and name starts with "b"',
    "expires < today and due > today",
    'weekday(created) in ["Saturday", "Sunday"] and hour_of_day(created) < 9',
]


@pytest.mark.parametrize("condition", MEANT)
def test_what_can_be_met_is_no_contradiction(condition: str) -> None:
    assert drive().codes(f"find documents where {condition}", low=5, high=6) == []


def test_without_knowing_that_a_field_is_single_nothing_is_merged() -> None:
    world = made({"size": {"type": "long"}, "kind": {"type": "keyword"}})
    assert world.codes('find entries where size > 5 and size < 1 and kind = "a" and kind = "b"') == []


@pytest.mark.parametrize("condition", ["created between yesterday and today", "created between 2024 and 2024"])
def test_dates_in_order_are_none(condition: str) -> None:
    assert drive().codes(f"find documents where {condition}") == []


@pytest.mark.parametrize(
    "condition",
    ["signed or not signed", "size exists or size missing", 'type = "W2" or type != "W2"',
     "starred or (signed or not signed)", "not (signed and not signed)"],
)  # fmt: skip
def test_a_where_that_is_always_true_is_a_warning(condition: str) -> None:
    found = [d for d in drive().findings(f"find documents where {condition}") if d.severity == "warning"]
    if condition.startswith("not"):
        return  # the bracket that can never match is the error there
    assert [d.code for d in found] == ["always-true"]


@pytest.mark.parametrize("condition", ["size > 5 or size <= 5", "signed = true or signed = false", "folder under root"])
def test_a_missing_value_meets_neither_side(condition: str) -> None:
    assert drive().codes(f"find documents where {condition}") == []


@pytest.mark.parametrize(
    ("world", "source"),
    [
        (drive, 'find documents where name = "B" and name < "a"'),
        (ecommerce, "find orders where products.price > 100 and products.price < 50"),
        (ecommerce, 'find orders where products.category = "shoes" and products.category = "clothing"'),
    ],
)
def test_order_is_by_stored_texts_and_lists_of_objects_are_lists(world: Callable[[], World], source: str) -> None:
    assert world().codes(source) == []


def test_addresses_are_ordered_as_addresses() -> None:
    world = made({"ip": {"type": "ip"}})
    assert world.codes('find entries where ip between "10.0.0.9" and "10.0.0.10"') == []


def test_a_large_condition_is_left_alone() -> None:
    parts = " and ".join(f"(size = {n} or pages = {n})" for n in range(40))
    assert drive().codes(f"find documents where {parts}") in ([], ["contradiction"])


@pytest.mark.parametrize(
    ("each", "joint"),
    [("size = {}", " or "), ('name != "a{}"', " and "), ('not shares[who = "x{}"]', " and "),
     ('not (size = {} and pages = 2)', " or ")],
)  # fmt: skip
def test_the_work_grows_with_the_condition_and_not_with_its_square(each: str, joint: str) -> None:
    def calls(parts: int) -> int:
        source = f"find documents where {joint.join(each.format(n) for n in range(parts))}"
        checked, env = drive().compiled(source)[0], drive().compiler.environment({"now": drive().now})
        made = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal made
            made += event == "call"

        sys.setprofile(count)
        try:
            inconsistencies(checked, env)
        finally:
            sys.setprofile(None)
        return made

    calls(10)  # imports
    assert calls(400) < 5 * calls(100)
