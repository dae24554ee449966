"""The words beside an amount in a cell or behind a label: whether they leave it as it is.

`per unit`, `net of tax`, `Forty euros (EUR 40)` do; `reduced by EUR 30` is not the price, `free (worth EUR 30)` takes
the amount back, and of `EUR 40; children EUR 20` nothing tells which is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qlc.language.qualifiers import without_qualifier
from qlc.language.quantities import Quantity

from .labels import words
from .synonyms import in_common_words
from .topics import Named

_TAKES_BACK = re.compile(
    r"\W{0,3}(?:n\s?/\s?a|none|nil|no(?=[\s,;(:](?!more|less|fewer|later|earlier|longer|sooner|\.)\D*\d)"
    r"|not (?:applicable|yet|known|agreed|stated|available|charged|due|payable)|waived|cancell?ed|free(?: of charge)?"
    r"|gratis|included|refused|declined|rejected|suspended|withdrawn|void(?:ed)?|superseded|expired|postponed|pending|open"
    r"|unlimited|unknown|tb[acd]|keine?|entfällt|abgesagt|storniert|inbegriffen|kostenlos|aucune?|annulée?|gratuit"
    r"|ninguna?|cancelado)(?![^\W_])",
    re.IGNORECASE,
)
"""An answer without an amount: what stands behind it does not hold: `cancelled (was 1 May 2024)`."""
_NEUTRAL = frozenset(
    # articles, prepositions and verbs that only lead to an amount
    "a an the at of on in for to by is are be am as it its within per with which within until till since"  # noqa: SIM905
    " der die das den dem des am im ein eine vom zum ist sind beträgt für mit le la les l du de d est el los"
    " amount amounts sum total totals price rate currency value worth exactly precisely only just now currently new"
    " set fixed agreed limited capped restricted payable paid pay pays due charged invoiced equal equals comes"
    " net gross netto brutto ht ttc excl incl excluding including flat all inclusive plus"
    " daily weekly monthly quarterly annual annually yearly calendar hourly"
    " rated nominal typical average standard normal measured actual"
    " dated issued effective valid from ends end expires expiry starts start begins every"
    " monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun"
    " montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so"
    " lundi mardi mercredi jeudi vendredi samedi dimanche".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[,;:(\[|/\n]|\s[-–—]\s")
_MOST_WORDS = 4
"""Words that may belong to an amount; more are a clause of their own."""
_SYMBOL = re.compile(r"(?:[A-Z]{1,3}|[^\W\d_]\.?)\W*")
_NAME = re.compile(r"(?:[^\W\d_a-z][\w.'’-]*[\s,]*)+")
_SEPARATOR = re.compile(r"[,;|/&\n]|(?<!\w)(?:and|or|then|und|oder|dann|et|ou)(?!\w)")
_OF_A_PART = re.compile(r"\(|\b(?:of which|incl(?:\.|uding|usive)?|davon|dont|enthält|excl(?:\.|uding|usive)?)(?!\w)",
                        re.IGNORECASE)


def taken_back(text: str) -> str:
    """Return why no amount of a text holds; empty if nothing takes them back."""
    found = _TAKES_BACK.match(text)
    return f"it begins with '{found[0].strip()}'" if found else ""


def misread(one: Named, text: str, every: Sequence[Quantity], held: Sequence[Quantity], at: int) -> str:
    """Return why words before an amount change it; empty if they are understood, or are a clause of their own.

    `every` are the amounts of the text, `held` those that are in force: `raised from EUR 5 to EUR 6` tells of both.
    """
    amount = held[at]
    before = [other for other in every if other.end <= amount.start]
    if before and before[-1] not in held:
        return ""
    said = _PARTS.split(text[before[-1].end if before else 0 : amount.start])[-1].strip()
    said = without_qualifier(said, amount).strip()
    found = _WORD.findall(said.lower())
    if not found or len(found) > _MOST_WORDS or _SYMBOL.fullmatch(said):
        return ""
    unknown = [word for word in found if word not in _NEUTRAL]
    if not unknown or (one.type == "date" and _NAME.fullmatch(said)):
        return ""
    names = " ".join((*one.phrases, one.description))
    own = {*words(names), *words(in_common_words(names, one.type))}
    if {*words(" ".join(unknown))} <= own or {*words(in_common_words(said, one.type))} <= own:
        return ""
    return f"'{said}' before it may change it"


def is_one_of_several(text: str, amount: Quantity, other: Quantity) -> bool:
    """Whether another amount stands beside an amount with no words before it: `EUR 40 for adults, EUR 20 for children`;
    not of `EUR 40, the cleaning deposit is EUR 20`."""
    between = text[amount.end : other.start]
    if _OF_A_PART.search(between):
        return False
    parts = _SEPARATOR.split(between)
    return len(parts) > 1 and not parts[-1].strip()
