"""Verbs for one deed: where the catalog has a word for it, another verb of the same meaning is read as that word.

Only verbs that nothing else is known of, and only where the words of the catalog leave one deed to be meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import Token, TokenKind

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
_USED = ("viewed", "opened", "accessed")
"""What `used` says of what is kept, where it is denied or said of the last time: that somebody looked at it."""


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
        forms = (
            first + ("es" if first.endswith(("s", "x", "sh", "ch")) else "s"),
            first + "ing",
            first + "ed",
            first + "ed",
        )
    return tuple((one, *rest) for one in (first, *forms))


_CLASSES = [[_forms(verb.strip()) for verb in line.split(",")] for line in _DEEDS]
_SAID: dict[tuple[str, ...], list[tuple[int, int]]] = {}
for _class, _verbs in enumerate(_CLASSES):
    for _verb in _verbs:
        for _form, _words in enumerate(_verb):
            _SAID.setdefault(_words, []).append((_class, _form))
_LONGEST = max(map(len, _SAID))


def same_deeds(
    tokens: tuple[Token, ...], knows: Callable[[str], bool], told: Callable[[str], frozenset[object]]
) -> tuple[Token, ...]:
    """The tokens with verbs that nothing is known of (`knows`) as those for which the catalog has fields (`told`)."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        end, text = _said_otherwise(tokens, at, knows, told) or (at + 1, "")
        one = tokens[at]
        if text:
            found.append(replace(one, text=text, end=tokens[end - 1].end))
        elif one.text in _UNUSED and at + 1 < len(tokens) and tokens[at + 1].text in _SINCE and not knows(one.text):
            found.append(replace(one, text="not"))
            found.append(replace(one, text=_used(_UNUSED[one.text], told), start=one.end))
        else:
            found.append(one)
        at = end
    return tuple(found)


def _used(verb: str, told: Callable[[str], frozenset[object]]) -> str:
    known = [one for one in _USED if told(one)] if verb == "used" else []
    return known[0] if known and not told(verb) else verb


def _said_otherwise(
    tokens: tuple[Token, ...], at: int, knows: Callable[[str], bool], told: Callable[[str], frozenset[object]]
) -> tuple[int, str] | None:
    if tokens[at].kind is not TokenKind.WORD:
        return None
    before = [one.text for one in tokens[max(0, at - 3) : at]]
    if tokens[at].text == "used" and not told("used") and not _DENIED.isdisjoint(before):
        known = _used("used", told)
        return (at + 1, known) if known != "used" else None
    for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
        said = tuple(one.text for one in tokens[at : at + length])
        plain = all(one.kind is TokenKind.WORD for one in tokens[at : at + length])
        if said not in _SAID or not plain or (length == 1 and knows(said[0])):
            continue
        forms = dict(reversed(_SAID[said]))  # `run out` is what it does before it is what it has done
        meant = [word for place in forms.items() for word in _known(*place, told)]
        if meant and frozenset.intersection(*map(told, meant)):  # both speak of one date
            return at + length, meant[-1]
    return None


def _known(which: int, form: int, told: Callable[[str], frozenset[object]]) -> Iterator[str]:
    """The form of the first verb of a class that the catalog has, where most of those that it has tell of the same."""
    verbs = [verb[form][0] for verb in _CLASSES[which] if len(verb[form]) == 1]
    fields = [(one, told(one)) for one in verbs if told(one)]
    for verb, refs in fields:
        if 2 * sum(bool(refs & others) for _, others in fields) > len(fields):
            yield verb
            return
