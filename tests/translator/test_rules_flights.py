"""Translates questions about flights: another catalog, the same rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import qlc
from qlc.translator.entry import Asker
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.vocabulary import IndexValues
from qlc.translator.rules.words.tokens import tokenize
from tests.tables import table

from .cases_flights import CASES
from .cases_flights_more import CASES as MORE


@pytest.mark.parametrize(("text", "program"), CASES, ids=range(len(CASES)))
def test_the_program(flights: Asker, text: str, program: str) -> None:
    assert flights.ask(text, now="2018-02-11T23:55:00Z", size=0).query == program


@pytest.mark.parametrize(("text", "program"), MORE, ids=range(len(MORE)))
def test_the_program_of_more(flights: Asker, text: str, program: str) -> None:
    assert flights.ask(text, now="2018-02-11T23:55:00Z", size=0).query == program


UNSURE = table(__file__, "UNSURE")


@pytest.mark.parametrize("text", UNSURE)
def test_a_verb_that_says_more_is_not_passed_over(flights: Asker, text: str) -> None:
    assert flights.ask(text, now="2018-02-11T23:55:00Z").kind in ("declined", "clarify")


def test_names_of_fields_say_what_their_parts_say(flights: Asker, tmp_path: Path) -> None:
    """A catalog of names alone: `AvgTicketPrice` is the ticket price, `FlightDelayMin` the delay in minutes."""
    names = ("Carrier", "AvgTicketPrice", "DestCityName", "OriginCityName", "FlightDelayMin", "FlightDelay")
    written = "version: 1\nindex: flights\nentities:\n  flight: {}\nfields:\n"
    written += "".join(f"  {one}: {{path: {one}}}\n" for one in names)
    catalog = tmp_path / "names.yaml"
    catalog.write_text(written)
    asker = Asker(qlc.Compiler(flights.compiler.client, catalog))
    asked = {
        "average ticket price by carrier": "avg(AvgTicketPrice) of flights by Carrier",
        "flights to Rome": 'find flights where DestCityName = "Rome"',
        "flights with destination city Rome": 'find flights where DestCityName = "Rome"',
        "flights with a delay over 300": "find flights where FlightDelayMin > 300",
    }
    for text, program in asked.items():
        assert asker.ask(text, size=0).query == program


def test_a_value_of_two_fields_is_asked_about(flights: Asker) -> None:
    outcome = flights.ask("flights in bad weather", now="2018-02-11T23:55:00Z")
    assert outcome.kind == "clarify"
    assert {option.id for option in outcome.options} == {
        'find flights where origin_weather = "bad weather"',
        'find flights where dest_weather = "bad weather"',
    }


def test_a_value_of_a_field_with_too_many_to_read_is_looked_up(flights: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qlc.translator.rules.lexicon.vocabulary.MAX_VALUES", 3)
    asked = Asker(flights.compiler).ask("flights from Rome to Xi'an", now="2018-02-11T23:55:00Z", size=0)
    assert asked.query == """find flights where origin_city = "Rome" and dest_city = "Xi'an\""""


def test_a_code_in_capitals_is_not_taken_for_a_word(flights: Asker) -> None:
    lexicon = Lexicon(flights.compiler.schema, IndexValues(values={("origin_city",): ("OLD",)}))
    small, capital = (lexicon.lexemes(tokenize(word))[0][0].cost for word in ("old", "OLD"))
    assert small > 1.0 > capital


@pytest.mark.parametrize("text", ["morning flights", "good weather flights"])
def test_greetings_are_greetings_only_at_the_beginning(flights: Asker, text: str) -> None:
    assert flights.ask("good morning, flights to Rome", size=0).query == 'find flights where dest_city = "Rome"'
    assert flights.ask(text, size=0).query == ""
