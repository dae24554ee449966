"""Former names of `qlc.language.numbers`."""

from typing import NamedTuple

from qlc.language.numbers import NUMBER_IN_WORDS
from qlc.language.numbers import parse_words as _parse_words


class InWords(NamedTuple):
    value: int
    is_ordinal: bool


def parse_words(text: str) -> InWords:
    return InWords(*_parse_words(text)[-1][:2])


__all__ = ["NUMBER_IN_WORDS", "InWords", "parse_words"]
