"""Options with boxes: which of them is checked."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unsure:
    """The reason why a text beside a label has no value of the field."""

    why: str


MARKED = re.compile(
    r"(?P<on>[☑☒✓✔✗✘⊠⦿◉●■]|\[[xX✓]\]|\([xX]\))|(?P<off>[☐□○◯⬜]|\[\s?\]|\(\s?\))"
)
"""A box that is checked, or one that is not."""


def ticked_in(text: str) -> str | Unsure:
    """Return the option whose box is checked: `☐ Female ☒ Male`, `Female ☐ Male ☑`; a text without boxes as it is."""
    options = options_in(text)
    if options is None:
        return Unsure("nothing shows which text belongs to which box")
    ticked = [one for one, is_on in options if is_on]
    if len(ticked) == 1:
        return ticked[0]
    return Unsure("several boxes are checked" if ticked else "no box is checked") if options else text


def options_in(text: str) -> list[tuple[str, bool]] | None:
    """Return the options that have boxes, and whether these are checked: `☐ Female ☒ Male` -> `[("Female", False),
    ("Male", True)]`. None if nothing shows which text belongs to which box."""
    marks = [*MARKED.finditer(text)]
    if not marks or (all(each[0] in "●■" for each in marks)):
        return []
    if marks[0].start() <= 2:
        ends = [*(each.start() for each in marks[1:]), len(text)]
        parts = [text[each.end() : end] for each, end in zip(marks, ends, strict=True)]
    elif not text[marks[-1].end() :].strip(" ."):
        begins = [0, *(each.end() for each in marks)]
        parts = [text[begin : each.start()] for begin, each in zip(begins, marks, strict=False)]
    else:
        return None
    return [(part.strip(" ,;"), bool(each["on"])) for part, each in zip(parts, marks, strict=True)]
