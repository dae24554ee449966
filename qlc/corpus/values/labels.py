"""Similarity of labels: `Flash pt. (closed cup)` and `flash point`, `V(BR)CEO` and `vceo`, `b.p.`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from qlc.language.field_words import word_set

_ABBREVIATIONS = {
    "no": "number", "nr": "number", "num": "number", "nummer": "number", "qty": "quantity", "amt": "amount",
    "desc": "description",
    "temp": "temperature", "pt": "point", "wt": "weight", "ref": "number", "reference": "number", "acct": "account",
    "addr": "address", "dept": "department",
    "cert": "certificate", "inv": "invoice", "dia": "diameter", "approx": "approximate", "freq": "frequency",
    "vol": "volume",
    "spec": "specification", "mfr": "manufacturer", "mfg": "manufacturing", "exp": "expiry", "org": "organisation",
    "organization": "organisation", "daily": "day", "colour": "color", "id": "number",
}  # fmt: skip
_EMPTY = word_set(
    "a an and are as at be by for from has have in is it of on or per that the their this to with which what max min "
    "maximum minimum typ typical highest lowest total our your its was were will date datum grand payable de du des d "
    "la le les l et en au aux par pour der die das den dem und von vom zum zur im am mit für el los las del y por di"
)


_NUMERO = re.compile(r"\b[nN][°º]|№|#|\b(?:numéro|numero|número)\b")
_COMPOUND = re.compile(r"(?<![^\W\d_])([^\W\d_]{3,})(nummer|datum)\b")


@lru_cache(maxsize=16_384)
def words(text: str) -> tuple[str, ...]:
    """Return the stemmed content words of a label; without any, all its words."""
    found = re.findall(r"[^\W\d_]+", _COMPOUND.sub(r"\1 \2", _NUMERO.sub(" number ", text.lower())))
    kept = [_ABBREVIATIONS.get(word, word) for word in found if word not in _EMPTY]
    return tuple(map(_stem, kept or found))


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """Stem English plurals and common endings; the stem is equal for all forms of a word, but need not be a word."""
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    if len(word) > 5 and word.endswith("y") and not word.endswith(("ly", "ity")):
        return word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return _SAME.get(word[: -len(ending)], _stem(word[: -len(ending)]))
    return _SAME.get(word, word)


_ENDINGS = tuple(
    "ities ity ations ation ments ment able ances ance ages age ings ing est ly ed es s e".split()  # noqa: SIM905
)
_SAME = {
    "begin": "start", "beginn": "start", "beginnt": "start", "commenc": "start", "weigh": "weight", "mass": "weight",
    "paid": "pay", "expir": "end", "expiry": "end", "laps": "end",
}  # fmt: skip
"""Stems of synonyms."""


@lru_cache(maxsize=16_384)
def compact(text: str) -> str:
    """Return the letters and digits of a symbol: `V(BR)CEO max.` -> `vceo`."""
    text = re.sub(r"\([^)]*\)", "", text)
    return re.sub(r"[^a-z0-9]", "", re.sub(r"\b(?:max|min|typ)\b", "", text.lower()))


def initials(text: str) -> str:
    return "".join(word[0] for word in re.findall(r"[^\W\d_]+", text.lower()) if word not in _EMPTY)


_OTHER_KIND = 0.7
"""Similarity of two labels that share one word and have other words each."""
_OTHER_SMALL_WORDS = 0.92
"""Similarity of two labels that differ in function words only: `Order no.` is closer to `order number` than to `order
date`."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Weights of words: a word in many labels weighs little."""

    counts: Mapping[str, int]
    total: int

    def weight(self, word: str) -> float:
        return log(1 + self.total / (1 + self.counts.get(word, 0)))


def vocabulary(labels: Iterable[str]) -> Vocabulary:
    return vocabulary_of(frozenset(words(label)) for label in labels)


def vocabulary_of(texts: Iterable[frozenset[str]]) -> Vocabulary:
    """Return the weights of words in some texts, of each its words."""
    counts: Counter[str] = Counter()
    total = 0
    for said in texts:
        counts.update(said)
        total += 1
    return Vocabulary(counts, max(total, 1))


def likeness(label: str, phrase: str, known: Vocabulary) -> float:
    """Return a similarity from 0 to 1; 1 for equal words, equal symbols, or an abbreviation by initials."""
    if not label or not phrase:
        return 0.0
    if " / " in label:  # in two languages
        return max(likeness(part, phrase, known) for part in label.split(" / "))
    short = compact(label)
    if short and short == compact(phrase):
        return 1.0
    *_, symbol = label.split()
    if compact(symbol) == compact(phrase) and re.search(r"[^\W_a-z]", symbol):
        return 0.95  # Collector-emitter voltage VCEO
    bare, letters = _bare(label)
    if "." in bare and 2 <= len(letters) <= 4 and letters == initials(phrase):
        return 0.95
    return max(_overlap(words(label), words(phrase), known), _overlap(words(bare), words(phrase), known))


@lru_cache(maxsize=16_384)
def _bare(label: str) -> tuple[str, str]:
    """Return a label without conditions, `b.p. at 1013 hPa` -> `b.p.`, and its letters."""
    bare = re.sub(r"\([^)]*\)|\bat\b.*|\d.*|\b[A-Z]{3}$", "", label)
    return bare, re.sub(r"[^a-z]", "", bare.lower())


def _overlap(label: Sequence[str], phrase: Sequence[str], known: Vocabulary) -> float:
    """Return the weight of common words relative to all words; words of the phrase count more."""
    one, other = set(label), set(phrase)
    common = sum(known.weight(word) for word in one & other)
    if not common:
        return 0.0
    if len(one & other) == 1 and one - other and other - one:  # standby power is no rated power
        common *= _OTHER_KIND
    alike = common / (0.65 * sum(map(known.weight, other)) + 0.35 * sum(map(known.weight, one)))
    return min(alike, _OTHER_SMALL_WORDS)


def coverage(label: str, description: str, known: Vocabulary) -> float:
    """Return how much of a label occurs in a description, from 0 to 1; a single word counts less."""
    one, other = set(words(re.sub(r"\([^)]*\)", "", label))), set(words(description))
    total = sum(map(known.weight, one))
    found = sum(known.weight(word) for word in one & other)
    return found / total * (0.85 if len(one & other) > 1 else 0.45) if total else 0.0


_UNDONE = "refunded|returned|repaid|reimbursed|waived|deducted|released|forfeited|withheld|cancell?ed|reversed"
_TURNED = re.compile(
    rf"\b(?:{_UNDONE})\b"
    r"|(?<!after )(?<!before )(?<!less )(?<!with )\b(?:interest|increase|reduction|arrears|discount|rebate|refund)\W*$",
    re.IGNORECASE,
)
"""Words that change which amount a label is about: `deposit refunded` is not the deposit."""
_BEFORE = r"(?:former|previous|old|erstwhile|predecessor|vormals|bisher|ehemalig|ancien|précédent)(?:ly|e|er|es)?"
_FORMER = re.compile(rf"{_BEFORE}\b", re.IGNORECASE)


def is_turned(label: str, phrases: Iterable[str], *, is_money: bool) -> bool:
    """Whether a label is about what was before, or takes its amount back: `Former tenant`, `Deposit refunded`; and none
    of a field's phrases is."""
    said = " ".join(phrases)
    if _FORMER.match(label) and not _FORMER.search(said):
        return True
    found = _TURNED.search(label) if is_money else None
    return found is not None and not {*words(found[0])} & {*words(said)}


def is_turned_in(text: str, phrases: Sequence[str], *, is_money: bool) -> bool:
    """Whether a text names what a field means together with such a word: `the former tenant`, `the deposit refunded`;
    not of `the deposit is refunded`."""
    named = f"(?:{'|'.join(map(re.escape, phrases))})"
    forms = [rf"{_BEFORE}\s+{named}", *([rf"{named}\s+(?:{_UNDONE})", rf"(?:{_UNDONE})\s+{named}"] if is_money else [])]
    return any(re.search(rf"(?<!\w){form}(?!\w)", text, re.IGNORECASE) for form in forms)
