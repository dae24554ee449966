"""Words that people shorten as they type, written out: `px`, `cnt`, `top3`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from qlc.translator.rules.words.tokens import Token, TokenKind

_WRITTEN_OUT = {
    "px": "pixels", "pics": "pictures", "pic": "picture", "cnt": "count", "amt": "amount", "qty": "quantity",
    "pgs": "pages", "pg": "page", "num": "number", "btw": "between", "bw": "between", "thru": "through",
    "yr": "year", "yrs": "years", "mth": "month", "mths": "months", "wks": "weeks", "appts": "appointments",
    "appt": "appointment", "msgs": "messages", "imgs": "images", "img": "image", "vids": "videos", "vid": "video",
    "incl": "including", "excl": "excluding", "sth": "something", "smth": "something", "sthg": "something",
    "smthg": "something", "sb": "somebody", "smb": "somebody", "abt": "about",
}  # fmt: skip
_PLAIN = frozenset(["count", "number", "between", "through", "year", "years", "month", "months", "weeks", "including",
                    "excluding", "something", "somebody", "about"])  # fmt: skip
"""What is written out whatever the catalog speaks of."""
_TWO_WORDS = {"commonest": ("most", "common"), "rarest": ("least", "common")}
_TOP = re.compile(r"(top)(\d{1,3})")


def written_out(tokens: tuple[Token, ...], known: Callable[[str], bool]) -> tuple[Token, ...]:
    """The tokens of a question without the short forms that `known` knows nothing of."""
    found: list[Token] = []
    tokens = _with_a_slash(tokens)
    for at, one in enumerate(tokens):
        glued = (at > 0 and tokens[at - 1].end == one.start) or (at + 1 < len(tokens) and _joins(one, tokens[at + 1]))
        if one.kind is not TokenKind.WORD or glued or known(one.text):
            found.append(one)
            continue
        full = _WRITTEN_OUT.get(one.text)
        if full is not None and (full in _PLAIN or known(full)):
            found.append(replace(one, text=full))
        elif one.text in _TWO_WORDS:
            found += [replace(one, text=word) for word in _TWO_WORDS[one.text]]
        elif (top := _TOP.fullmatch(one.text)) is not None:
            middle = one.start + len(top[1])
            found.append(replace(one, text=top[1], raw=one.raw[:3], end=middle))
            found.append(replace(one, text=top[2], raw=one.raw[3:], start=middle))
        else:
            found.append(one)
    return tuple(found)


def _with_a_slash(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """`w/ comments`, `w/o comments`: with and without. Other letters behind the slash are no such word (`w/c`)."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        one, slash, behind = (tokens[i] if i < len(tokens) else None for i in range(at, at + 3))
        assert one is not None
        begun = one.raw == "w" and (at == 0 or tokens[at - 1].end < one.start)
        end, text = at + 1, one.text
        if begun and slash is not None and slash.raw == "/" and slash.start == one.end:
            glued = behind is not None and behind.start == slash.end
            if glued and behind is not None and behind.text in ("o", "out"):
                after = tokens[at + 3] if at + 3 < len(tokens) else None
                whole = after is None or after.start > behind.end
                end, text = (at + 3, "without") if whole else (end, text)
            elif not glued or (behind is not None and len(behind.text) > _LETTERS_OF_ANOTHER):
                end, text = at + 2, "with"
        last = tokens[end - 1]
        raw = "".join(part.raw for part in tokens[at:end])
        found.append(replace(one, text=text, raw=raw, end=last.end))
        at = end
    return tuple(found)


_LETTERS_OF_ANOTHER = 2
"""The most letters behind the slash of a short form that is not `with`: `w/c`, `w/e`."""


def _joins(one: Token, following: Token) -> bool:
    """Whether a mark makes a word a part of a name: `pics.zip`."""
    return following.start == one.end and following.raw in "._-/"
