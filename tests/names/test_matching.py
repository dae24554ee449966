"""Each step is a function of the name asked for and a name that there is."""

import pytest

from qlc.mapping.schema import Rungs
from qlc.resolver.names import STEPS
from qlc.resolver.names.matching import (
    LATER_STEPS,
    Fits,
    Spelling,
    every_word,
    exact,
    folded,
    later_steps,
    missing_extension,
    near_spelling_or_stem,
    on_first_of,
)


def far(fits: Fits, asked: str, name: str) -> int | None:
    return fits(Spelling.of(asked), Spelling.of(name))


def test_the_order_of_the_steps() -> None:
    assert STEPS == ("id", "exact", "path", "folded", "extension", "words", "near")


@pytest.mark.parametrize(
    ("step", "asked", "name", "fits"),
    [
        (exact, "tax documents", "Tax Documents", True),
        (exact, "ΣΊΣΥΦΟΣ", "σίσυφος", True),
        (exact, "Emigre", "Émigré", False),
        (exact, "Tax  Documents", "Tax Documents", False),
        (folded, "Mei Ling Chen", "Mei-Ling Chen", True),
        (folded, "???", "!!!", False),
        (folded, "C Course", "C++ Course", False),
        (missing_extension, "q3_report", "Q3 Report.pdf", True),
        (missing_extension, "Q3 Report.pdf", "Q3 Report", False),
        (missing_extension, "Report v1", "Report v1.2", False),
        (missing_extension, "", ".txt", False),
        (every_word, "haddad omar", "Omar Haddad", True),
        (every_word, "harvest grant", "Harvest Grant Application.docx", True),
        (every_word, "Oma", "Omar Haddad", False),
        (every_word, "Omar Omar", "Omar Haddad", False),
        (every_word, "???", "what???", False),
    ],
)
def test_what_fits(step: Fits, asked: str, name: str, fits: bool) -> None:
    assert (far(step, asked, name) is not None) == fits


def test_near_spellings_of_the_name_and_of_the_name_without_extension() -> None:
    nearer, farther = (
        far(near_spelling_or_stem, "Q3 Reprt", "Q3 Report"),
        far(near_spelling_or_stem, "Q3 Reprt", "Q3 Report.pdf"),
    )
    assert nearer is not None
    assert farther is not None
    assert nearer < farther


def test_steps_can_be_switched_off() -> None:
    assert later_steps(Rungs()) == LATER_STEPS
    assert [step.name for step in later_steps(Rungs(folded=False, near=False))] == ["extension", "words"]
    assert later_steps(Rungs(False, False, False, False)) == ()


def test_without_extensions_near_spellings_are_of_the_whole_name() -> None:
    (step,) = later_steps(Rungs(folded=False, extension=False, words=False))
    assert far(step.fits, "Q3 Reprt", "Q3 Report") is not None
    assert far(step.fits, "Q3 Reprt", "Q3 Report.pdf") is None


def test_a_name_counts_on_the_first_step_that_it_fits() -> None:
    fits = on_first_of(LATER_STEPS)
    distances = [far(fits, "tax documents", name) for name in ("Tax Documents", "Tax-Documents", "Tax Docments")]
    assert distances == [0, 1, 4]
    assert far(fits, "tax documents", "Recipes") is None
