"""Several lists in one conversation: each is read on, gone back to and asked about by its place."""

from __future__ import annotations

import pytest

from .conftest import Talk

TOGETHER = "list all NDAs. And list all leases"
NDAS = 'find documents where type = "NDA"'
LEASES = 'find documents where type = "Lease"'


def test_each_list_goes_on_where_it_was_left(talk: Talk) -> None:
    turns = (TOGETHER, "show more of the first", "show more of the second", "show more of the first")
    ids = [getattr(one, "ids", []) for one in talk("drive", *turns)]
    assert len({id for page in (ids[0], ids[2], ids[4]) for id in page}) == 30
    assert len({id for page in (ids[1], ids[3]) for id in page}) == 20


def test_a_list_beside_a_question_back_is_read_on_and_the_question_stays_open(talk: Talk) -> None:
    asked, listed, more, chosen = talk("drive", "documents of Dana. And list all leases", "show more", "1")
    assert asked.kind == "clarify"
    assert (more.kind, more.query) == ("hits", listed.query)
    assert (chosen.kind, chosen.query) == ("hits", asked.query)


@pytest.mark.parametrize("then", ["the other list", "show more of the other"])
def test_there_is_no_other_list_among_three(talk: Talk, then: str) -> None:
    assert talk("drive", "NDAs", "leases", "quotes", then)[-1].kind in ("declined", "clarify")
