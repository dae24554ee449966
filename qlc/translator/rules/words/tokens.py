"""Words of a question as tokens: lower case, accents removed, each with its place in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

_TOKEN = re.compile(
    r"""
      (?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w]) | \d+\.\d+(?![\w.]))
    | (?P<negation>n't\b)
    | (?P<clitic>'(?:s|t|re|ve|ll|d|m)\b)
    | (?P<word>[^\W_]+?(?=n't\b) | [^\W_]+)
    | (?P<mark>\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_QUOTE_PAIRS = {'"': '"', "“": "”", "„": "“”", "«": "»", "`": "`", "‘": "’", "'": "'"}
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'"})
_INSIDE = frozenset("-/.'&+(),:;#@!%*~[]{}_|\"<>=$?")


class TokenKind(StrEnum):
    WORD = "word"
    NUMBER = "number"
    CLITIC = "clitic"  # 's, n't
    QUOTED = "quoted"
    MARK = "mark"


_KINDS = {**{kind.value: kind for kind in TokenKind}, "negation": TokenKind.CLITIC}


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is folded, `raw` as written (of a quoted token: what is between the quotes)."""

    text: str
    raw: str
    start: int
    end: int
    kind: TokenKind


def fold(text: str) -> str:
    """Lower case without accents: what English words, names and values are compared by."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_STRAIGHT)


def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a question. Text in quotes is one token, whatever it holds."""
    tokens: list[Token] = []
    at, straight = 0, text.translate(_STRAIGHT)
    for start, end in _quoted(text):
        tokens += _plain(text, straight, at, start)
        inner = text[start + 1 : end - 1].replace(f"\\{text[end - 1]}", text[end - 1])
        tokens.append(Token(fold(inner), inner, start, end, TokenKind.QUOTED))
        at = end
    tokens += _plain(text, straight, at, len(text))
    if len(tokens) > 1 and tokens[-1].text == "/" and tokens[-2].end == tokens[-1].start:
        tokens.pop()  # `Tax Documents/` is the folder as a path ends
    return tuple(tokens)


@lru_cache(maxsize=8192)
def name_key(name: str) -> tuple[str, ...]:
    """What a name is looked up by: its words, without what is between them."""
    plain = _plain(name, name.translate(_STRAIGHT), 0, len(name))
    return tuple(t.text for t in plain if t.kind is not TokenKind.MARK)


def _plain(text: str, straight: str, start: int, end: int) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(straight, start, end):
        token_kind = _KINDS[match.lastgroup or "mark"]
        raw = text[match.start() : match.end()]
        found.append(Token(fold(raw), raw, match.start(), match.end(), token_kind))
    return found


def _quoted(text: str) -> list[tuple[int, int]]:
    """Where quoted texts begin and end. A single quote counts only where it cannot be an apostrophe."""
    found, at = [], 0
    ends: dict[str, tuple[list[int], list[int]]] = {}
    while at < len(text):
        closing = _QUOTE_PAIRS.get(text[at])
        if closing is not None and (at == 0 or not text[at - 1].isalnum()):
            if closing not in ends:
                ends[closing] = _closing(text, closing)
            end = _first_after(at + 1, ends[closing])
            if end is not None:
                found.append((at, end + 1))
                at = end
        at += 1
    return found


def _closing(text: str, closing: str) -> tuple[list[int], list[int]]:
    """Where a quoted text can end, the last place first: at marks without a backslash before them, and at all."""
    every = [
        at
        for at in range(len(text) - 1, 0, -1)
        if text[at] == closing and (closing not in ("'", "’") or at + 1 == len(text) or not text[at + 1].isalnum())
    ]
    return [at for at in every if text[at - 1] != "\\"], every


def _first_after(at: int, ends: tuple[list[int], list[int]]) -> int | None:
    """The first of these places, rather one without a backslash. What is passed is dropped: places are asked for in
    their order, so that all of a text takes one pass."""
    for places in ends:
        while places and places[-1] <= at:
            places.pop()
        if places:
            return places[-1]
    return None


def without_articles(words: tuple[str, ...]) -> tuple[str, ...]:
    """`anyone with link` of `anyone with a link`: the articles inside of three words or more are left out."""
    bare = tuple(one for one in words if one not in ("a", "an", "the"))
    return bare if len(bare) > 2 and words[0] == bare[0] else words


def spans(tokens: tuple[Token, ...], start: int, most: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The words from `start` on, with their end, as long as nothing but marks is between; at most so many."""
    words: list[str] = []
    for at in range(start, len(tokens)):
        token = tokens[at]
        if token.kind is TokenKind.QUOTED:
            return
        if token.kind is TokenKind.MARK:
            if token.text not in _INSIDE:
                return
            continue
        words.append(token.text)
        if len(words) > most:
            return
        yield at + 1, tuple(words)
