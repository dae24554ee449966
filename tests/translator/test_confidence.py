"""Sure means sure: what rules answer alone, what a language model is asked first, and what is offered, not answered."""

import pytest

from qlc.grammar import parse as parsed
from qlc.outcome import Clarify
from qlc.translator.entry import Asker
from qlc.translator.protocol import Translated, Turn
from qlc.translator.rules.accounting import Said, unaccounted
from qlc.translator.rules.confidence import Confidence, unmet
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.vocabulary import IndexValues
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words.tokens import tokenize
from tests.reference import model
from tests.tables import rows, table

SURE = table(__file__, "SURE")
UNSURE = [
    "documents shared outside",  # a part of the name of a group is meant, or nobody at all
    "the newest invoices with a stapled cover",
]
OFFERED = [
    "documents mentioning pallets but not those from Northwind",
    "folders where all documents are reviewed",
    "every other invoice",
    "how many of these folders are there",
]


@pytest.mark.parametrize("text", SURE)
def test_a_reading_that_accounts_for_all_words_is_sure(drive: Asker, text: str) -> None:
    said = drive.program_of(text, now=model.NOW)
    assert isinstance(said, Translated)
    assert said.sure


@pytest.mark.parametrize("text", UNSURE)
def test_what_leaves_a_word_out_is_not_sure(drive: Asker, text: str) -> None:
    said = drive.program_of(text, now=model.NOW)
    assert not (isinstance(said, Translated) and said.sure)


@pytest.mark.parametrize("text", OFFERED)
def test_what_leaves_out_what_was_asked_for_is_offered(drive: Asker, text: str) -> None:
    outcome = drive.ask(text, now=model.NOW)
    assert isinstance(outcome, Clarify)
    assert len(outcome.options) == 1


def test_what_was_offered_is_run_when_it_is_chosen(drive: Asker) -> None:
    text = OFFERED[0]
    offered = drive.ask(text, now=model.NOW)
    assert isinstance(offered, Clarify)
    assert offered.token is not None
    outcome = drive.ask(text, now=model.NOW, choices={offered.token: offered.options[0].id})
    assert outcome.kind == "hits"


def test_a_change_that_leaves_out_by_a_guess_what_is_not_there_is_not_sure(drive: Asker) -> None:
    before = Turn("letters in French", 'find documents where type = "Letter" and language = "fr"', {"kind": "hits"})
    said = drive.program_of("but not those to Brightwater LLC", history=[before], now=model.NOW)
    assert not (isinstance(said, Translated) and said.sure)


HELD_AGAINST = rows(__file__, "HELD_AGAINST")


@pytest.mark.parametrize(("text", "program", "words", "missing"), HELD_AGAINST)
def test_a_program_is_held_against_the_words(
    drive: Asker, text: str, program: str, words: list[str], missing: list[str]
) -> None:
    schema = drive.compiler.schema
    p = Parse(tokenize(text), Lexicon(schema, IndexValues()), model.moment(model.NOW), text)
    said = Said(parsed(program).statement, schema)
    assert [p.tokens[at].raw for at in unaccounted(p, said)] == words
    assert list(unmet(p, said)) == missing


def test_a_program_without_a_condition_answers_no_words_that_it_leaves_out() -> None:
    assert Confidence(unaccounted=("stamp",)).answerable
    assert not Confidence(unaccounted=("stamp",), bare=True).answerable
