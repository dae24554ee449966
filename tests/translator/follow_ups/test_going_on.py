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


@pytest.mark.parametrize(
    ("data", "turns", "back", "meant"),
    [
        ("flights", ("delayed flights out of Chicago", "just the ones over 2 hours late", "group them by airline"),
         "ok back to the flights, most expensive first",
         'find flights where delayed = true and origin_city = "Chicago" and delay > 2 hours sort price desc'),
        ("ecommerce", ("orders from Cairo", "only over 100", "group by category"), "show the orders again",
         'find orders where city = "Cairo" and total > 100'),
        ("ecommerce", ("orders from Cairo", "only over 100", "how many per day?"), "back to the list please",
         'find orders where city = "Cairo" and total > 100'),
        ("drive", ("receipts", "only from 2025", "by vendor"), "back to the receipts",
         'find documents where type = "Receipt" and created = 2025'),
        ("drive", ("receipts", "only from 1990"), "back to the receipts", 'find documents where type = "Receipt"'),
        ("drive", ("NDAs", "only the signed ones", "which one is the largest?"), "back to the NDAs, oldest first",
         'find documents where type = "NDA" and signed = true sort created'),
        ("drive", ("NDAs", "only the signed ones"), "all NDAs again", 'find documents where type = "NDA"'),
    ],
)  # fmt: skip
def test_a_list_is_gone_back_to_as_it_was_left(
    talk: Talk, data: str, turns: tuple[str, ...], back: str, meant: str
) -> None:
    after = talk(data, *turns, back)[-1]
    assert after.query == meant
    assert after.notes[0].startswith("Back to: ")


@pytest.mark.parametrize(
    ("data", "turns", "kept"),
    [
        ("drive", ("receipts in Meals", "only the jpgs", "remove that condition once more"),
         'find documents where type = "Receipt" and folder = "Meals"'),
        ("drive", ("receipts in Meals", "only the jpgs", "how many are there?", "take the last condition away"),
         'count documents where type = "Receipt" and folder = "Meals"'),
        ("flights", ("flights from Vienna", "only cancelled", "drop that filter again"),
         'find flights where origin_city = "Vienna"'),
        ("ecommerce", ("orders from Cairo", "only over 100", "only of men", "take that last condition off again"),
         'find orders where city = "Cairo" and total > 100'),
    ],
)  # fmt: skip
def test_the_condition_that_came_last_is_taken_away(talk: Talk, data: str, turns: tuple[str, ...], kept: str) -> None:
    after = talk(data, *turns)[-1]
    assert after.query == kept
    assert after.notes[0].startswith("Left out: ")


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


@pytest.mark.parametrize(
    ("data", "turns", "meant"),
    [
        # an order by a degree and the noun
        ("drive", ("bank statements from 2024", "biggest file first please"),
         'find documents where type = "Bank Statement" and created = 2024 sort size desc'),
        ("ecommerce", ("orders over 200", "biggest order first"), "find orders where total > 200 sort total desc"),
        ("flights", ("flights from Vienna", "longest flight first"),
         'find flights where origin_city = "Vienna" sort duration desc'),
        ("drive", ("receipts in Meals", "put them in order of size"),
         'find documents where type = "Receipt" and folder = "Meals" sort size'),
        # what those cost
        ("drive", ("receipts in Meals", "what do those cost on average?"),
         'avg(amount) of documents where type = "Receipt" and folder = "Meals"'),
        ("flights", ("flights from Vienna", "how much do they cost on average?"),
         'avg(price) of flights where origin_city = "Vienna"'),
        ("ecommerce", ("orders from Cairo", "the total?", "and on average?"),
         'avg(total) of orders where city = "Cairo"'),
        # of each group as well
        ("ecommerce", ("revenue by category", "only from Cairo", "and the number of orders?"),
         'count orders where city = "Cairo" by categories'),
        ("flights", ("average delay by carrier", "only in January", "and how many flights?", "back to the delays"),
         "avg(delay) of flights where departure = 2018-01 by carrier"),
        # there
        ("drive", ("videos in HR > Policies", "why did that find nothing?", "ok then show me the docx files there"),
         'find documents where extension = "docx" and folder = "HR > Policies"'),
    ],
)  # fmt: skip
def test_what_is_asked_of_what_was_found(talk: Talk, data: str, turns: tuple[str, ...], meant: str) -> None:
    assert talk(data, *turns)[-1].query == meant


def test_a_thing_is_gone_back_to_by_a_word_of_its_name(talk: Talk) -> None:
    turns = ("find Warehouse Lease 2024.pdf", "who uploaded it?", "how many contracts has she uploaded?")
    after = talk("drive", *turns, "and when does that lease run out?")[-1]
    assert after.query.endswith(").expires")


def test_none_of_them_is_spoken_of(talk: Talk) -> None:
    turns = ("photos in Product Photos larger than 20 MB", "which one is the newest?", "where is it?")
    assert [one.kind for one in talk("drive", *turns)] == ["hits", "hits", "declined"]


@pytest.mark.parametrize(
    ("data", "turns", "query"),
    [
        ("drive", ("folders in Business", "how many NDAs are there", "and leases", "split that last one by owner"),
         'count documents where type = "Lease" by owner'),
        ("drive", ("contracts worth more than 100k", "and less than 200k"),
         'find documents where type = "Contract" and contract_value > 100000 and contract_value < 200000'),
    ],
)  # fmt: skip
def test_what_goes_on_is_of_the_last_answer(talk: Talk, data: str, turns: tuple[str, ...], query: str) -> None:
    assert talk(data, *turns)[-1].query == query


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
