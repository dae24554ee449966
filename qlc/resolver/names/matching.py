"""Matching steps of name resolution, each a function of the name asked for and an existing name.

A step returns a distance, or None without a match. Of the names that match on a step, those with the least distance
count: one edit before two edits, and a path before another with more corrected parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from qlc.base.frozen import unguarded_dataclass
from qlc.base.words.folding import fold, stem
from qlc.base.words.spelling import edits
from qlc.compiler.caseless import same_case
from qlc.mapping.schema import MatchSwitches


@unguarded_dataclass(frozen=True, slots=True)
class Spelling:
    """A name in the forms that the steps compare. `stem` is folded, empty where the name has no extension."""

    text: str
    folded: str
    stem: str
    words: frozenset[str]

    @staticmethod
    def of(text: str) -> Spelling:
        folded = fold(text)
        without = stem(text)
        return Spelling(text, folded, fold(without) if without else "", frozenset(folded.split()))


Fits = Callable[[Spelling, Spelling], int | None]


def exact(asked: Spelling, name: Spelling) -> int | None:
    """Match names that are equal up to Unicode case."""
    return 0 if same_case(asked.text, name.text) else None


def folded(asked: Spelling, name: Spelling) -> int | None:
    """Match names that are equal without accents, kinds of quotes, punctuation and white space."""
    return 1 if asked.folded and asked.folded == name.folded else None


def missing_extension(asked: Spelling, name: Spelling) -> int | None:
    """Match a name without its extension: `report` -> `Report.pdf`."""
    return 2 if asked.folded and asked.folded == name.stem else None


def every_word(asked: Spelling, name: Spelling) -> int | None:
    """Match a name that contains every word; a word that occurs twice must occur twice in it."""
    return 3 if asked.words and Counter(asked.folded.split()) <= Counter(name.folded.split()) else None


def near_spelling(asked: Spelling, name: Spelling) -> int | None:
    """Match a name a few typos away."""
    typos = edits(asked.folded, name.folded)
    return None if typos is None else 3 + typos


def near_spelling_or_stem(asked: Spelling, name: Spelling) -> int | None:
    """Match a name a few typos away, with or without its extension."""
    whole = near_spelling(asked, name)
    if whole is not None or not name.stem:
        return whole
    typos = edits(asked.folded, name.stem)
    return None if typos is None else 4 + typos


@unguarded_dataclass(frozen=True, slots=True)
class MatchStep:
    """A step. `how` explains in brackets how a different name was found, `meant` how several names match."""

    name: Literal["folded", "extension", "words", "near"]
    fits: Fits
    how: str
    meant: str

    @property
    def order(self) -> int:
        return [step.name for step in LATER_STEPS].index(self.name)


LATER_STEPS = (
    MatchStep("folded", folded, "the same but for accents, punctuation or spaces",
              "called '{text}' but for accents, punctuation or spaces"),
    MatchStep("extension", missing_extension, "the name with its extension", "called '{text}' with an extension"),
    MatchStep("words", every_word, "a name with all its words", "with all words of '{text}' in the name"),
    MatchStep("near", near_spelling_or_stem, "a near spelling", "with a name close to '{text}'"),
)
"""The steps after id, exact name and path, in order."""


def later_steps(switches: MatchSwitches) -> tuple[MatchStep, ...]:
    """Return the later steps that the catalog enables for an entity. If extensions are ignored, so they are for
    typos."""
    steps = (step for step in LATER_STEPS if getattr(switches, step.name))
    if switches.extension:
        return tuple(steps)
    return tuple(replace(step, fits=near_spelling) if step.name == "near" else step for step in steps)


def on_first_of(steps: Iterable[MatchStep]) -> Fits:
    """Return a function for the distance on the first matching step: exact, or one of these."""
    allowed = [exact, *(step.fits for step in steps)]

    def fits(asked: Spelling, name: Spelling) -> int | None:
        return next((far for compare in allowed if (far := compare(asked, name)) is not None), None)

    return fits
