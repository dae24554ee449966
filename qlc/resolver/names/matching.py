"""The steps of name resolution that compare spellings, each a function of the name asked for and a name there is.

A step says how far the two are apart, or None where they do not fit. Of the names that fit on a step, those least far
apart count: one edit away is meant before two edits away, and a path before another with more parts fixed.
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
    """Equal up to Unicode case."""
    return 0 if same_case(asked.text, name.text) else None


def folded(asked: Spelling, name: Spelling) -> int | None:
    """Equal but for accents, kinds of quotes, punctuation and white space."""
    return 1 if asked.folded and asked.folded == name.folded else None


def missing_extension(asked: Spelling, name: Spelling) -> int | None:
    """The name without its extension."""
    return 2 if asked.folded and asked.folded == name.stem else None


def every_word(asked: Spelling, name: Spelling) -> int | None:
    """Every word of it is a word of the name, one that occurs twice, twice."""
    return 3 if asked.words and Counter(asked.folded.split()) <= Counter(name.folded.split()) else None


def near_spelling(asked: Spelling, name: Spelling) -> int | None:
    """A few typos away."""
    typos = edits(asked.folded, name.folded)
    return None if typos is None else 3 + typos


def near_spelling_or_stem(asked: Spelling, name: Spelling) -> int | None:
    """A few typos away from the name, or from the name without its extension."""
    whole = near_spelling(asked, name)
    if whole is not None or not name.stem:
        return whole
    typos = edits(asked.folded, name.stem)
    return None if typos is None else 4 + typos


@unguarded_dataclass(frozen=True, slots=True)
class MatchStep:
    """`how` says in brackets how a name was found that is not the one asked for, `meant` what several of them are."""

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
"""The steps below id, exact name and path, in their order."""


def later_steps(switches: MatchSwitches) -> tuple[MatchStep, ...]:
    """The later steps that the catalog leaves on for an entity. Extensions count on the near one as they do above."""
    steps = (step for step in LATER_STEPS if getattr(switches, step.name))
    if switches.extension:
        return tuple(steps)
    return tuple(replace(step, fits=near_spelling) if step.name == "near" else step for step in steps)


def on_first_of(steps: Iterable[MatchStep]) -> Fits:
    """How far a name is from the one asked for on the first step that it fits: exact, or one of these."""
    allowed = [exact, *(step.fits for step in steps)]

    def fits(asked: Spelling, name: Spelling) -> int | None:
        return next((far for compare in allowed if (far := compare(asked, name)) is not None), None)

    return fits
