"""Each rung is a function of the name asked for and a name that there is."""

import pytest

from qlc.mapping.schema import Rungs
from qlc.resolver.names import RUNGS
from qlc.resolver.names.rungs import (
    LOWER_RUNGS,
    Fits,
    Spelling,
    every_word,
    exact,
    folded,
    missing_extension,
    near_spelling_or_stem,
    on_first_of,
    rungs_of,
)


def far(fits: Fits, asked: str, name: str) -> int | None:
    return fits(Spelling.of(asked), Spelling.of(name))


def test_the_order_of_the_ladder() -> None:
    assert RUNGS == ("id", "exact", "path", "folded", "extension", "words", "near")


@pytest.mark.parametrize(
    ("asked", "name", "fits"),
    [
        ("tax documents", "Tax Documents", True),
        ("ÉMIGRÉ", "émigré", True),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", True),
        ("Emigre", "Émigré", False),
        ("Tax  Documents", "Tax Documents", False),
    ],
)
def test_exact_is_up_to_unicode_case(asked: str, name: str, fits: bool) -> None:
    assert (far(exact, asked, name) is not None) == fits


@pytest.mark.parametrize(
    ("asked", "name", "fits"),
    [
        ("Emigre Archive", "Émigré Archive", True),
        ("Mei Ling Chen", "Mei-Ling Chen", True),
        ("???", "!!!", False),
        ("C Course", "C++ Course", False),
    ],
)
def test_folded(asked: str, name: str, fits: bool) -> None:
    assert (far(folded, asked, name) is not None) == fits


@pytest.mark.parametrize(
    ("asked", "name", "fits"),
    [
        ("Q3 Report", "Q3 Report.pdf", True),
        ("q3_report", "Q3 Report.pdf", True),
        ("Q3 Report.pdf", "Q3 Report", False),
        ("Report", "Q3 Report.pdf", False),
        ("Report v1", "Report v1.2", False),
        ("", ".txt", False),
    ],
)
def test_missing_extension(asked: str, name: str, fits: bool) -> None:
    assert (far(missing_extension, asked, name) is not None) == fits


@pytest.mark.parametrize(
    ("asked", "name", "fits"),
    [
        ("Omar", "Omar Haddad", True),
        ("haddad omar", "Omar Haddad", True),
        ("harvest grant", "Harvest Grant Application.docx", True),
        ("Oma", "Omar Haddad", False),
        ("Omar Haddad junior", "Omar Haddad", False),
        ("Omar Omar", "Omar Haddad", False),
        ("???", "what???", False),
    ],
)
def test_every_word_of_it_is_a_word_of_the_name(asked: str, name: str, fits: bool) -> None:
    assert (far(every_word, asked, name) is not None) == fits


def test_near_spellings_of_the_name_and_of_the_name_without_extension() -> None:
    nearer, farther = (
        far(near_spelling_or_stem, "Q3 Reprt", "Q3 Report"),
        far(near_spelling_or_stem, "Q3 Reprt", "Q3 Report.pdf"),
    )
    assert nearer is not None
    assert farther is not None
    assert nearer < farther


def test_rungs_can_be_switched_off() -> None:
    assert rungs_of(Rungs()) == LOWER_RUNGS
    assert [rung.name for rung in rungs_of(Rungs(folded=False, near=False))] == ["extension", "words"]
    assert rungs_of(Rungs(False, False, False, False)) == ()


def test_without_extensions_near_spellings_are_of_the_whole_name() -> None:
    (rung,) = rungs_of(Rungs(folded=False, extension=False, words=False))
    assert far(rung.fits, "Q3 Reprt", "Q3 Report") is not None
    assert far(rung.fits, "Q3 Reprt", "Q3 Report.pdf") is None


def test_a_name_counts_on_the_first_rung_that_it_fits() -> None:
    fits = on_first_of(LOWER_RUNGS)
    distances = [far(fits, "tax documents", name) for name in ("Tax Documents", "Tax-Documents", "Tax Docments")]
    assert distances == [0, 1, 4]
    assert far(fits, "tax documents", "Recipes") is None
