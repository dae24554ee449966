"""Going on from where a conversation stands: what is gone back to, what is taken away again, what cannot be known."""

from __future__ import annotations

import pytest

from .conftest import Talk


@pytest.mark.parametrize(
    ("data", "unknown", "fragment"),
    [
        ("drive", "how many pages did Omar Haddad frobnicate?", "and Dana Ortiz?"),
        ("drive", "how many pages did Omar Haddad frobnicate?", "what about the NDAs?"),
        ("flights", "how many sandwiches did BeatsWest serve?", "and Logstash Airways?"),
        ("flights", "how many sandwiches did BeatsWest serve?", "same for Vienna"),
        ("ecommerce", "how many complaints came from Cairo?", "and women's shoes?"),
    ],
)
def test_another_of_what_was_not_understood_is_not_looked_up(
    talk: Talk, data: str, unknown: str, fragment: str
) -> None:
    before, after = talk(data, unknown, fragment)
    assert (before.kind, after.kind) == ("declined", "declined")
    assert after.message.startswith("Nothing was searched for: the message before this one was not understood.")


def test_a_whole_question_after_what_was_not_understood_is_answered(talk: Talk) -> None:
    after = talk("drive", "how many pages did Omar Haddad frobnicate?", "and how many NDAs are there?")[-1]
    assert after.query == 'count documents where type = "NDA"'
    after = talk("flights", "how many sandwiches did BeatsWest serve?", "but show me flights from Vienna")[-1]
    assert after.query == 'find flights where origin_city = "Vienna"'


@pytest.mark.parametrize("whole", ["what can Ann edit?", "who frobnicated the scan of the lease, and when"])
def test_a_whole_question_is_declined_as_if_it_were_the_first(talk: Talk, whole: str) -> None:
    (alone,) = talk("drive", whole)
    after = talk("drive", "how many pages did Omar Haddad frobnicate?", whole)[-1]
    assert (after.kind, after.message) == ("declined", alone.message)


def test_a_number_that_names_no_things_is_read_by_itself(talk: Talk) -> None:
    after = talk("drive", "how many pages did Omar Haddad frobnicate?", "total size by owner")[-1]
    assert after.query.startswith("sum(size) of ")
    assert after.notes[-1].startswith("The message before this one was not understood")


def test_a_bound_after_a_measure_is_of_its_number(talk: Talk) -> None:
    after = talk("ecommerce", "average quantity of orders", "over 3")[-1]
    assert after.query == "avg(quantity) of orders where quantity > 3"


def test_which_condition_is_to_go_is_not_guessed(talk: Talk) -> None:
    after = talk("drive", "receipts in Meals from 2025", "remove the last filter")[-1]
    assert after.kind == "explain"
    assert after.message.startswith("It is not clear which filter to drop")


def test_without_its_only_condition_a_list_is_of_all_things(talk: Talk) -> None:
    after = talk("flights", "flights from Vienna", "forget the origin city", "how many are there?")
    assert after[1].notes[0] == "Left out: origin city is 'Vienna'."
    assert [one.query for one in after[1:]] == ["find all flights", "count flights"]


def test_after_a_question_things_without_more_may_be_its_own(talk: Talk) -> None:
    after = talk("drive", "W2s from 2024", "list documents", "list all documents")
    assert [one.query for one in after[1:]] == ["", "find all documents"]
    assert after[1].suggestions == ["find all documents"]


def test_all_things_of_another_kind_are_no_filter_that_goes(talk: Talk) -> None:
    after = talk("drive", "documents in Kitchen Remodel", "list all folders", "newest first")
    assert [one.query for one in after[1:]] == ["find all folders", "find all folders sort created desc"]


def test_none_of_them_is_spoken_of(talk: Talk) -> None:
    turns = ("photos in Product Photos larger than 20 MB", "which one is the newest?", "where is it?")
    assert [one.kind for one in talk("drive", *turns)] == ["hits", "hits", "declined"]


def test_the_last_one_after_a_number_is_of_no_older_list(talk: Talk) -> None:
    turns = ("folders in Properties", "how many leases are there", "who owns the last one?")
    assert talk("drive", *turns)[-1].kind == "declined"


def test_a_place_that_stays_is_reported(talk: Talk) -> None:
    after = talk("flights", "the second cheapest flight to Rome", "and to Paris?")[-1]
    assert after.query.endswith("sort price limit 1 offset 1")
    assert "Number 2 in the same order, as before." in after.notes


def test_a_part_of_what_was_not_understood_is_no_question(talk: Talk) -> None:
    turns = ("orders from Cairo", "how many complaints came from there?", "on shoes")
    assert talk("ecommerce", *turns)[-1].kind == "declined"
