"""Questions about all documents after one document was spoken of, and follow-ups that keep conditions."""

from itertools import product

import pytest

import qlc
from qlc.conversation import Conversation
from qlc.outcome import Answer, Outcome
from tests.amounts import some
from tests.answers.conftest import library
from tests.tables import table

__all__ = ["library"]

NOW = "2026-03-15T12:00:00Z"
PARTIES = {"Borden": "Cleaning Agreement", "Corvid": "Hosting", "Dunmore": "Lease"}
FIELDS = ("liability cap", "notice period", "effective date")
NEW = table(__file__, "NEW")
"""Questions that are not about the one document before."""


def last(library: qlc.Corpus, *messages: str) -> Outcome:
    talk = Conversation(library, now=NOW)
    return [talk.turn(one).outcome for one in messages][-1]


ASKED = [*product(PARTIES, NEW)]


@pytest.mark.parametrize("at", range(len(ASKED)), ids=map(" ".join, ASKED))
def test_a_question_about_all_is_not_bound_to_the_document_before(at: int, library: qlc.Corpus) -> None:
    """Two of six pairs of fields for each, each pair with each form; `make soak` has all."""
    (party, form), step = ASKED[at], some(3, 1)
    for before, field in [*product(FIELDS[:2], FIELDS)][(at + at // len(NEW)) % step :: step]:
        found = last(library, f"What is the {before} of {party}?", form.format(field=field))
        assert party not in found.query, (before, field, found.query, found.message)
        if isinstance(found, Answer):
            cited = {one.document for claim in found.claims for one in claim.citations}
            rows = {one.document for one in found.rows}
            assert found.computed or len(cited | rows) > 1, (before, field, found.message)


@pytest.mark.parametrize("party", PARTIES)
@pytest.mark.parametrize(
    "follow_up", ["and the notice period?", "what is its liability cap?", "when did it take effect?"]
)
def test_a_question_about_the_same_stays_bound(party: str, follow_up: str, library: qlc.Corpus) -> None:
    found = last(library, f"What is the liability cap of {party}?", follow_up)
    assert party in found.query, found


FIRST = ("Contracts since 2023", "contracts with a notice period under 60 days", "Which contracts renew?")
THEN = (
    "only those with a notice period over 20 days", "which of them renew?", "how many are there?", "with Borden",
    "and in 2024?", "what about over 100 days?", "how many contracts renew?", "Which contracts have a liability cap?",
    "only Corvid", "how many of them have a liability cap?", "and the ones since 2024?", "contracts with ACME",
)  # fmt: skip


@pytest.mark.parametrize(("first", "then"), [*product(FIRST, THEN)])
def test_a_condition_is_kept_or_the_first_line_says_that_it_is_not(first: str, then: str, library: qlc.Corpus) -> None:
    talk = Conversation(library, now=NOW)
    before = talk.turn(first).outcome.query.partition(" where ")[2].partition(" limit ")[0]
    found = talk.turn(then).outcome
    if found.kind in ("hits", "answer", "count"):
        kept = all(part in found.query for part in before.split(" and "))
        assert kept or before in found.message.partition(". ")[0], (before, found.query, found.message)
