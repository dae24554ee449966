"""Reads names of fields by their parts, values that are looked up, and codes."""

from pathlib import Path

import pytest

import qlc
from qlc.translator.entry import Asker
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.vocabulary import IndexValues
from qlc.translator.rules.words.tokens import tokenize


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


def test_a_value_of_a_field_with_too_many_to_read_is_looked_up(flights: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qlc.translator.rules.lexicon.vocabulary.MAX_VALUES", 3)
    asked = Asker(flights.compiler).ask("flights from Rome to Xi'an", now="2018-02-11T23:55:00Z", size=0)
    assert asked.query == """find flights where origin_city = "Rome" and dest_city = "Xi'an\""""


def test_a_code_in_capitals_is_not_taken_for_a_word(flights: Asker) -> None:
    lexicon = Lexicon(flights.compiler.schema, IndexValues(values={("origin_city",): ("OLD",)}))
    small, capital = (lexicon.lexemes(tokenize(word))[0][0].cost for word in ("old", "OLD"))
    assert small > 1.0 > capital
