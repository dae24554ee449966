"""Words of a question as tokens: lower case, accents removed, each with its place in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from qlc.base.frozen import unguarded_dataclass
from qlc.translator.rules.words.phrases import words

_TOKEN = re.compile(
    r"""
      (?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w]) | \d+\.\d+(?![\w.]))
    | (?P<negation>n't\b)
    | (?P<clitic>'(?:s|t|re|ve|ll|d|m)\b)
    | (?P<word>[^\W_]+?(?=n't\b) | [^\W_]+ | °[cf]\b)
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


@unguarded_dataclass(frozen=True, slots=True)
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


@lru_cache(maxsize=64)
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


# A lexicon asks for all names of an index in their order: a cache that is smaller than that would never hit.
@lru_cache(maxsize=65_536)
def name_key(name: str) -> tuple[str, ...]:
    """Return the words of a name without marks, as a key for look-ups: `O'Neil, Ann` -> `o'neil`, `ann`."""
    found = _TOKEN.finditer(name.translate(_STRAIGHT))
    return tuple(fold(name[match.start() : match.end()]) for match in found if match.lastgroup != "mark")


_DENYING = words("not no non never without")


def with_more_words(texts: Iterable[str], wanted: Collection[tuple[str, ...]]) -> list[str]:
    """Return the texts with all words of a wanted key and more, none denying: `Clay` -> `Clay (i)`, `Red Clay`."""
    keys = {text: name_key(text) for text in texts}
    return [text for text, key in keys.items() if key not in wanted and _DENYING.isdisjoint(key)
            and any(key[at : at + len(one)] == one for one in wanted for at in range(len(key) - len(one) + 1))]


def _plain(text: str, straight: str, start: int, end: int) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(straight, start, end):
        token_kind = _KINDS[match.lastgroup or "mark"]
        raw = text[match.start() : match.end()]
        found.append(Token(fold(raw), raw, match.start(), match.end(), token_kind))
    return found


def _quoted(text: str) -> list[tuple[int, int]]:
    """Return start and end of each quoted text. A single quote counts only if it cannot be an apostrophe."""
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
    """Return the ends a quoted text can have, last first: marks without a backslash before them, and all marks."""
    every = [at for at in range(len(text) - 1, 0, -1) if text[at] == closing
             and (closing not in ("'", "’") or at + 1 == len(text) or not text[at + 1].isalnum())]
    return [at for at in every if text[at - 1] != "\\"], every


def _first_after(at: int, ends: tuple[list[int], list[int]]) -> int | None:
    """Return the first place after `at`, rather without a backslash; drops what is passed, for a single pass."""
    for places in ends:
        while places and places[-1] <= at:
            places.pop()
        if places:
            return places[-1]
    return None


def without_articles(words: tuple[str, ...]) -> tuple[str, ...]:
    """`anyone with link` of `anyone with a link`: the articles inside of three words or more are left out."""
    bare = tuple([one for one in words if one not in ("a", "an", "the")]) if len(words) > 2 else words
    return bare if len(bare) > 2 and words[0] == bare[0] else words


def spans(tokens: tuple[Token, ...], start: int, most: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The words from `start` on, with their end, as long as nothing but marks is between; at most so many."""
    words: list[str] = []
    for at in range(start, len(tokens)):
        token = tokens[at]
        if token.kind is TokenKind.MARK:
            if token.text not in _INSIDE:
                return
            continue
        words += name_key(token.raw) if token.kind is TokenKind.QUOTED else (token.text,)
        if len(words) > most:
            return
        yield at + 1, tuple(words)


_DEEDS = (
    "expire, lapse, run out, go out of date",
    "view, open, access, look at, consult",
    "edit, modify, change, update, alter, revise, amend, rework, tweak",
    "create, upload, author, compose, pen",
    "copy, duplicate, clone, replicate",
    "own, possess",
    "approve, okay, sign off, green-light",
    "cancel, call off, axe",
    "pay, settle",
    "delay, hold up",
    "buy, purchase",
    "start, begin, commence, kick off",
    "end, finish, conclude, wrap up, run out",
    "return, bring back, hand back, give back",
    "borrow, check out, take out, loan",
    "hire, recruit, take on",
    "discharge, send home",
)
"""Each line: verbs that say the same. Those of two words are joined."""
_IRREGULAR = {
    "run": ("runs", "running", "ran", "run"), "go": ("goes", "going", "went", "gone"),
    "begin": ("begins", "beginning", "began", "begun"), "hold": ("holds", "holding", "held", "held"),
    "pay": ("pays", "paying", "paid", "paid"), "buy": ("buys", "buying", "bought", "bought"),
    "bring": ("brings", "bringing", "brought", "brought"), "give": ("gives", "giving", "gave", "given"),
    "take": ("takes", "taking", "took", "taken"), "cancel": ("cancels", "cancelling", "cancelled", "cancelled"),
    "pen": ("pens", "penning", "penned", "penned"), "send": ("sends", "sending", "sent", "sent"),
    "wrap": ("wraps", "wrapping", "wrapped", "wrapped"), "kick": ("kicks", "kicking", "kicked", "kicked"),
}  # fmt: skip
_UNUSED = {"unused": "used", "unopened": "opened", "unviewed": "viewed", "unread": "read", "unedited": "edited",
           "unmodified": "modified", "unchanged": "changed"}  # fmt: skip
_SINCE = words("since for in during")
_DENIED = words("not never n't last nobody noone")
_USED = ("viewed", "opened", "accessed")  # verbs that `used` means if it is negated or refers to the last time
_SAID: dict[tuple[str, ...], list[tuple[int, int]]] = {}
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
"""Words that are spelled out in any domain."""
_TWO_WORDS = {"commonest": ("most", "common"), "rarest": ("least", "common")}
_TOP = re.compile(r"(top)(\d{1,3})")
_LETTERS_OF_ANOTHER = 2  # the most letters after the slash of a short form that is not `with`: `w/c`, `w/e`


def _forms(verb: str) -> tuple[tuple[str, ...], ...]:
    """A verb with its `-s`, `-ing`, past and participle, each as words."""
    first, *rest = verb.split()
    if first in _IRREGULAR:
        forms = _IRREGULAR[first]
    elif first.endswith("e"):
        forms = (first + "s", first[:-1] + "ing", first + "d", first + "d")
    elif first.endswith("y") and first[-2] not in "aeiou":
        forms = (first[:-1] + "ies", first + "ing", first[:-1] + "ied", first[:-1] + "ied")
    else:
        forms = (first + ("es" if first.endswith(("s", "x", "sh", "ch")) else "s"), first + "ing", first + "ed",
                 first + "ed")
    return tuple((one, *rest) for one in (first, *forms))


_CLASSES = [[_forms(verb.strip()) for verb in line.split(",")] for line in _DEEDS]
for _class, _verbs in enumerate(_CLASSES):
    for _verb in _verbs:
        for _form, _words in enumerate(_verb):
            _SAID.setdefault(_words, []).append((_class, _form))
_LONGEST = max(map(len, _SAID))
_ASKING = words("are were is was there do did have had we you i they")


def one_or_the_other(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """`are there more invoices than receipts` as `more invoices or receipts`: of which of them there are more."""
    first = next((at for at, one in enumerate(tokens) if one.text not in _ASKING), len(tokens))
    said = [at for at, one in enumerate(tokens) if one.text == "than" and one.kind is TokenKind.WORD]
    more = first < len(tokens) and tokens[first].text in ("more", "fewer", "less")
    if not more or len(said) != 1 or said[0] <= first + 1 or said[0] + 1 == len(tokens):
        return tokens
    than, other = said[0], tokens[said[0] + 1]
    if other.kind is not TokenKind.WORD or other.text[:1].isdecimal():
        return tokens
    return (*tokens[:than], replace(tokens[than], text="or"), *tokens[than + 1 :])


def same_deeds(tokens: tuple[Token, ...], knows: Callable[[str], bool],
               refs_of: Callable[[str], frozenset[object]]) -> tuple[Token, ...]:
    """The tokens with unknown verbs (see `knows`) as those for which the catalog has fields (`refs_of`)."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        end, text = _said_otherwise(tokens, at, knows, refs_of) or (at + 1, "")
        one = tokens[at]
        if text:
            found.append(replace(one, text=text, end=tokens[end - 1].end))
        elif one.text in _UNUSED and at + 1 < len(tokens) and tokens[at + 1].text in _SINCE and not knows(one.text):
            found.append(replace(one, text="not"))
            found.append(replace(one, text=_used(_UNUSED[one.text], refs_of), start=one.end))
        else:
            found.append(one)
        at = end
    return tuple(found)


def _used(verb: str, refs_of: Callable[[str], frozenset[object]]) -> str:
    known = [one for one in _USED if refs_of(one)] if verb == "used" else []
    return known[0] if known and not refs_of(verb) else verb


def _said_otherwise(tokens: tuple[Token, ...], at: int, knows: Callable[[str], bool],
                    refs_of: Callable[[str], frozenset[object]]) -> tuple[int, str] | None:
    if tokens[at].kind is not TokenKind.WORD:
        return None
    before = [one.text for one in tokens[max(0, at - 3) : at]]
    if tokens[at].text == "used" and not refs_of("used") and not _DENIED.isdisjoint(before):
        known = _used("used", refs_of)
        return (at + 1, known) if known != "used" else None
    for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
        said = tuple(one.text for one in tokens[at : at + length])
        plain = all(one.kind is TokenKind.WORD for one in tokens[at : at + length])
        if said not in _SAID or not plain or (length == 1 and knows(said[0])):
            continue
        forms = dict(reversed(_SAID[said]))  # `run out` is what it does before it is what it has done
        meant = [word for place in forms.items() for word in _known(*place, refs_of)]
        if meant and frozenset.intersection(*map(refs_of, meant)):  # both speak of one date
            return at + length, meant[-1]
    return None


def _known(which: int, form: int, refs_of: Callable[[str], frozenset[object]]) -> Iterator[str]:
    """The form of the first verb of a class that the catalog has, where most of those that it has tell of the same."""
    verbs = [verb[form][0] for verb in _CLASSES[which] if len(verb[form]) == 1]
    fields = [(one, refs_of(one)) for one in verbs if refs_of(one)]
    for verb, refs in fields:
        if 2 * sum(bool(refs & others) for _, others in fields) > len(fields):
            yield verb
            return


def written_out(tokens: tuple[Token, ...], known: Callable[[str], bool]) -> tuple[Token, ...]:
    """The tokens of a question without the short forms that `known` knows nothing of."""
    found: list[Token] = []
    tokens = _with_a_slash(tokens)
    for at, one in enumerate(tokens):
        joined = at + 1 < len(tokens) and tokens[at + 1].start == one.end and tokens[at + 1].raw in "._-/"  # `pics.zip`
        glued = joined or (at > 0 and tokens[at - 1].end == one.start)
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
    """`w/ comments`, `w/o comments`: with and without. Other letters after the slash are no such word (`w/c`)."""
    if all(one.raw != "/" for one in tokens):
        return tokens
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        one, slash, second = (tokens[i] if i < len(tokens) else None for i in range(at, at + 3))
        assert one is not None
        begun = one.raw == "w" and (at == 0 or tokens[at - 1].end < one.start)
        end, text = at + 1, one.text
        if begun and slash is not None and slash.raw == "/" and slash.start == one.end:
            glued = second is not None and second.start == slash.end
            if glued and second is not None and second.text in ("o", "out"):
                after = tokens[at + 3] if at + 3 < len(tokens) else None
                whole = after is None or after.start > second.end
                end, text = (at + 3, "without") if whole else (end, text)
            elif not glued or (second is not None and len(second.text) > _LETTERS_OF_ANOTHER):
                end, text = at + 2, "with"
        last = tokens[end - 1]
        raw = "".join(part.raw for part in tokens[at:end])
        found.append(replace(one, text=text, raw=raw, end=last.end))
        at = end
    return tuple(found)
