"""Standard words of many ASCII texts at once, in lower case: the rules of `word_break` as operations on arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_LETTER, _DIGIT, _UNDERSCORE = 1, 2, 4
#: A mark has the bits of what it joins, that much higher.
_MARK = 3
_WORD = _LETTER | _DIGIT | _UNDERSCORE

#: By code: what is in words, and the marks that join where letters, or digits, are on both sides.
_KINDS = np.zeros(128, np.uint8)
for _characters, _kind in (
    ("abcdefghijklmnopqrstuvwxyz", _LETTER),
    ("0123456789", _DIGIT),
    ("_", _UNDERSCORE),
    (":", _LETTER << _MARK),
    (",;", _DIGIT << _MARK),
    (".'", (_LETTER | _DIGIT) << _MARK),
):
    _KINDS[[ord(character) for character in _characters]] = _kind


def lower_words(texts: Sequence[str], max_length: int) -> tuple[list[str], NDArray[np.int64]] | None:
    """The words of all texts one after the other, and how many each text has.

    None where a word is longer than `max_length` characters. The texts are ASCII.
    """
    # a line break before, between and after them: every text begins and ends outside of a word
    raw = np.frombuffer("\n".join(["", *texts, ""]).lower().encode("ascii"), np.uint8)
    kinds = _KINDS[raw]
    inside = (kinds & _WORD) != 0
    marks = np.flatnonzero(kinds > _WORD)
    inside[marks] = (kinds[marks - 1] & kinds[marks + 1] & (kinds[marks] >> _MARK)) != 0
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    if (kinds == _UNDERSCORE).any():
        starts, ends = _without_bare_underscores(kinds, inside, starts, ends)
    if int((ends - starts).max(initial=0)) > max_length:
        return None
    bounds = np.cumsum([0, *(len(text) + 1 for text in texts)])
    counts = np.diff(np.searchsorted(starts, bounds))
    return np.where(inside, raw, ord(" ")).tobytes().decode("ascii").split(), counts


def _without_bare_underscores(
    kinds: NDArray[np.uint8], inside: NDArray[np.bool_], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The words that have more than underscores; the others are left out of `inside`."""
    passed = np.cumsum((kinds & (_LETTER | _DIGIT)) != 0)
    bare = passed[ends - 1] == passed[starts - 1]
    for start, end in zip(starts[bare].tolist(), ends[bare].tolist(), strict=True):
        inside[start:end] = False
    return starts[~bare], ends[~bare]
