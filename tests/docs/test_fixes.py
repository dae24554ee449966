"""Programs apply a fix without reading the message: it must be a query that runs, and ask what was asked."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from qlc import Compiler
from qlc.base.diagnostics import Diagnostic
from qlc.base.units import find_unit
from qlc.outcome import Invalid
from qlc.translator.entry import Asker
from tests.tables import each

from .test_diagnostics import CHECKED, NOW, Program, rows
from .wrong import CORPUS as WRITTEN
from .wrong import Wrong


def corpus() -> Iterator[Program]:
    """Everything wrong that is written down somewhere."""
    for row in rows(CHECKED):
        yield row.wrong
    for one in WRITTEN:
        yield Program("", one.written, {})


CORPUS = list(dict.fromkeys((one.world, one.source) for one in corpus()))
Offered = list[tuple[Compiler, str, Diagnostic]]
"""Diagnostics of the corpus, with the program and its compiler."""


@pytest.fixture(scope="module")
def offered(worlds: Mapping[str, Compiler]) -> Offered:
    return [
        (worlds[world], source, found)
        for world, source in CORPUS
        for found in worlds[world].diagnose(source, now=NOW).diagnostics
    ]


def test_a_fixed_program_has_no_errors_and_asks_all_that_was_asked(offered: Offered) -> None:
    fixed = 0
    for compiler, source, found in offered:
        if found.fixed is not None:
            fixed += 1
            again = compiler.diagnose(found.fixed, now=NOW)
            assert not again.failed, (source, found.fixed, again.diagnostics)
            left_out = (found.code, source) not in SAID_OTHERWISE and lost(source, found.fixed)
            assert not left_out, (source, found.fixed)
    assert fixed > 100


def test_words_that_are_nearly_a_program_are_offered_no_program_with_errors(worlds: Mapping[str, Compiler]) -> None:
    """Words that are nearly a program are fixed as programs are, also without their first word."""
    fixed = 0
    for world, source in CORPUS:
        asker = Asker(worlds[world], ())
        for text in dict.fromkeys((source, source.removeprefix("find "))):
            said = asker.program_of(text, now=NOW)
            for note in said.diagnostics if isinstance(said, Invalid) else ():
                if note.fixed is not None:
                    fixed += 1
                    assert not worlds[world].diagnose(note.fixed, now=NOW).failed, (text, note.fixed)
    assert fixed > 100


def test_every_diagnostic_has_a_way_out(offered: Offered) -> None:
    assert [(source, found.message) for _, source, found in offered if not found.hint] == []


SAID_OTHERWISE = {
    ("wrong-type", "find documents where signed = 1"),
    ("missing-comma", "find documents where signed limit 5 show name and size"),
}
"""A truth value is a word, a list has commas."""


def test_a_suggestion_in_the_place_of_the_name_fixes_it(offered: Offered) -> None:
    """`did you mean`: what is named is known there, whatever else is wrong with the program."""
    for compiler, source, found in offered:
        if not found.hint.startswith("did you mean") or found.code not in ("unknown-field", "unknown-entity"):
            continue
        for name in found.suggestions:
            text = source[: found.span.start] + name + source[found.span.end :]
            again = compiler.diagnose(text, now=NOW).diagnostics
            assert all((one.code, one.span.start) != (found.code, found.span.start) for one in again), (source, name)


_CONNECTIVES = re.compile(r"\b(?:and|or)\b|&&?|\|\|", re.I)
_NEGATIONS = re.compile(r"\bnot\b|!|<>|n't\b", re.I)
_AMOUNTS = re.compile(r"[0-9]\s*([a-z%]+)", re.I)


def lost(source: str, fixed: str) -> Counter[str]:
    """The digits, texts, units, connectives and negations that a fixed program has no more."""
    before, after = parts(source), parts(fixed)
    return before - after


def parts(text: str) -> Counter[str]:
    bare = re.sub(r'"[^"\n]*"|\'[^\'\n]*\'', " ", text)
    found = Counter(character for character in text if character in "123456789")
    found["connective"] = len(_CONNECTIVES.findall(bare))
    found["negation"] = len(_NEGATIONS.findall(bare))
    found.update(unit.dimension for word in _AMOUNTS.findall(bare) if (unit := find_unit(word)) is not None)
    return found


def test_the_parts_of_a_program_are_compared() -> None:
    assert lost("find documents where size > 5 kB", "find documents where size > 5") == {"size": 1}
    assert lost("find documents where not signed and starred", "find documents where signed") == {
        "negation": 1,
        "connective": 1,
    }
    assert not lost("find documents where created = March 2024", "find documents where created = 2024-03")


@pytest.mark.parametrize(
    ("wrong", "fixed"),
    [
        ('find documents where type = "Invoic" and folderName = "Tax"', None),
        ('find documents where tpye = "Invoic"', 'find documents where type = "Invoice"'),
        ('find documents where tpye = "Invoic" sort crated', 'find documents where type = "Invoice" sort created'),
        ('find all documents where tpye = "Invoic"', 'find all documents where type = "Invoice"'),
        ("find all documents where nothing_like_it", None),
    ],
)
def test_several_fixes_are_made_together_or_not_at_all(
    worlds: Mapping[str, Compiler], wrong: str, fixed: str | None
) -> None:
    for found in worlds[""].diagnose(wrong, now=NOW).diagnostics:
        assert found.fixed == fixed


def test_what_people_write_is_accepted_or_answered(worlds: Mapping[str, Compiler]) -> None:
    def check(one: Wrong) -> None:
        found = worlds[""].diagnose(one.written, now=NOW)
        if not one.code:
            assert (found.diagnostics, found.text) == ((), one.text)
        else:
            assert [diagnostic.code for diagnostic in found.diagnostics] == [one.code, *one.others]
            assert found.diagnostics[0].fixed == one.text

    each([one for one in WRITTEN if not one.syntax], check)
