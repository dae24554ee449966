"""Read the words beside an amount that make it more or less than a plain value.

`up to EUR 30` -> upper, `3 x EUR 50` -> product, `30 days after 1 May 2024` -> relative, `EUR 40 per unit` -> nothing.
The words are those of closed classes: prepositions, adverbs and signs that belong to a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias, cast

from .comparisons import LESS, MORE
from .numbers import NUMBER_IN_WORDS
from .quantities import CURRENCY, Quantity

Qualifier: TypeAlias = Literal[
    "", "lower end", "upper end", "product", "sum", "relative", "upper", "lower", "approximate", "credit", "identifier",
    "several", "since",
]


_WRAPPED = re.compile(r"\n +")


def _forms(forms: dict[str, str], ahead: str, behind: str) -> re.Pattern[str]:
    return re.compile(
        "|".join(rf"(?P<{name}>{ahead}(?:{re.sub(_WRAPPED, '', form)}){behind})" for name, form in forms.items()),
        re.IGNORECASE,
    )


_THROUGH = r"[-–—…→～〜]|(?<!~)~(?!~)|->|\.\.\.?|\b(?:to|until|till|bis)\b|à"
_ENDS = {
    "upper_end": rf"\d(?:\s?[^\W\d_]{{1,4}}|(?:st|nd|rd|th|\.))?\s*(?:{_THROUGH})\s*(?:{CURRENCY})?"
    r"|\b(?:between|zwischen|entre)\s\D{0,8}\d\S*\s(?:and|und|et|y)",
    "lower_end": r"\b(?:between|zwischen|entre)",
}
_DENIED = r"(?:not?|never|nor|neither|nobody|none)\b[^.;\d]{0,60}?\b"
_BEFORE = _forms(
    {
        **_ENDS,
        "upper": rf"""[<≤≦]=?|\b(?:up to|at most|{_DENIED}(?:(?!later)(?:{MORE})\sthan|above|over|exceed(?:s|ing)?)
            |(?:{LESS})\sthan|below|under|(?:max\.?|maximum|maximal)(?:\sof)?|bis\szu|höchstens|unter
            |weniger\sals|jusqu['’]à|au\splus|moins\sde|hasta|como\smáximo|menos\sde)""",
        "lower": rf"""[>≥≧]=?|\b(?:at least|{_DENIED}(?:(?:{LESS})\sthan|below|under)|(?!later)(?:{MORE})\sthan|above
            |over|exceed(?:s|ing)?|in\sexcess\sof|(?<!\d\s)(?<!\d)(?:min\.?|minimum|minimal)(?:\sof)?
            |(?:(?:starting|beginning)\s)?from
            |starting\sat|mindestens|über|mehr\sals|ab|au\smoins|à\spartir\sde|plus\sde|desde|al\smenos|más\sde)""",
        "approximate": r"""(?<!~)~(?!~)|[≈∼]|\b(?:approx(?:\.|imately|imate)?|about|around|circa|ca\.?|c\.|roughly
            |nearly|almost|est\.|estimated(?:\sat)?|provisional(?:ly)?|some|expected|planned|possibly|perhaps|probably|close\sto
            |rund|etwa|zirka|ungefähr|environ|env\.|unos
            |aproximadamente|aprox\.):?""",
        "product": r"""\d\s*[x×*·@]|\b(?:twice|thrice|half|double|triple|doppelt)
            (?:\s(?:of|the|an?|its|this|that)\b[^.;:,\d]{0,30})?""",
        "credit": r"\b(?:credit(?:\snote)?|refund|overpayment|debit|gutschrift|avoir)(?:\sof)?:?",
        "identifier": r"\b(?:no|nr|num)\b\.?|[#№]",
    }, "", r"\s*$",
)  # fmt: skip
_UNSURE = r"""(?:[,;(–-]\s?)?(?:[^\W\d_]+\s){0,2}(?:approx\.|approximate(?:ly)?\b|ca\.|circa\b|est\.|estimated?\b
    |provisional\b|preliminary\b|tentative\b|tb[cda]\b|to\sbe\s(?:confirmed|agreed|determined|defined)\b
    |subject\sto\s(?:change|confirmation)\b|indicative\b|geschätzt\b|vorläufig\b|unverbindlich\b|provisoire\b|estimé\b
    |estimado\b|planned\b|expected\b|proposed\b|disputed\b|projected\b|forecast\b|budgeted\b|possibly\b|perhaps\b
    |probabl[ey]\b|not\syet\b|or\sso\b|geplant\b|erwartet\b|prévue?\b)|\?|ish\b"""
_AFTER = _forms(
    {
        "lower_end": rf"(?:{_THROUGH})\s*(?:{CURRENCY})?\s*\d",
        "upper": rf"(?:or|and)\s(?:{LESS})\b|(?:max\.|maximum\b|max\b)|at\smost\b|oder\sweniger\b|ou\smoins\b"
        r"|o\smenos\b",
        "several": r"/\d",
        "lower": rf"""\+(?!\s?[\d.,])|(?:or|and)\s(?:{MORE}|upwards)\b|upwards\b|(?:min\.|minimum\b|min\b)|at\sleast\b
            |(?:oder|und)\smehr\b|(?:ou|et)\splus\b|o\smás\b""",
        "product": rf"(?:[x×*·]|times\b|multiplied\sby\b)\s*(?:{CURRENCY})?\s*\d"
        rf"|\(?(?:(?:\d+|{NUMBER_IN_WORDS})\s?(?:[x×]|times|mal|fois|veces)|twice|thrice)"
        r"(?!\w|\s(?:an?|per|each|every|pro|im|par)\b)",
        "credit": r"\(?(?:to\sbe\s)?(?:CR|DR|credit(?!\scards?\b)|debit(?!\scards?\b)|refund(?:ed)?|haben|soll)\b",
        "sum": r"(?:off|discount|rebate|rabatt|skonto|remise)\b",
        "approximate": _UNSURE,
    }, r"\s*", "",
)  # fmt: skip
_DATE_BEFORE = _forms(
    {
        **_ENDS,
        "lower": r"\b(?:(?:no|not)\s(?:before|earlier\sthan)|nicht\svor)",
        "upper": r"(?<!on\sor\s)\b(?:before|prior\sto|preceding|earlier\sthan|vor|avant|antes\sde)",
        "relative": r"\b(?:(?<!on\sor\s)after|following|(?<!no\s)(?<!not\s)later\sthan|nach|après|después\sde)",
        "approximate": r"(?<!~)~(?!~)|≈|\b(?:approx(?:\.|imately)?|about|around|circa|ca\.?|c\.|etwa|ungefähr"
        r"|environ|vers|expected|planned|possibly|perhaps|probably)(?:\s(?:for|on|at|am|le))?:?",
        "several": r"\d\s?/",
    }, "", r"\s*$",
)  # fmt: skip
_DATE_AFTER = _forms(
    {
        "lower": r"or\s(?:later|after)\b", "upper": r"or\s(?:earlier|before)\b",
        "sum": r"[+]\s*\d",
        "approximate": _UNSURE,
    }, r"\s*", "",
)  # fmt: skip
_FARTHEST = 80
"""Characters before an amount in which a word belongs to it."""

THROUGH = re.compile(r"\s*(?:[-–—…→～〜~]|->|\.\.\.?|to|until|till|up to|bis|à)(?: and including)?\s*")
"""The words and signs between the ends of a range."""
_AND = re.compile(r"\s*(?:and|und|et|y)\s*")
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre)\s+$", re.IGNORECASE)
_OR = re.compile(r"\s*(?:/|\bor\b|\boder\b|\bou\b)\s*", re.IGNORECASE)
_PLUS = re.compile(
    r"\s*(?:and\s)?(?:\+|plus|minus|less|zuzüglich|zzgl\.?|abzüglich|abzgl\.?|moins|más|menos)\s(?:an?\s|the\s)?"
    r"(?:additional\s|further\s)?",
    re.IGNORECASE,
)
_TAX = re.compile(r"\s?(?:VAT|MwSt|USt|TVA|IVA|GST|BTW|(?:sales\s)?tax)\b", re.IGNORECASE)
_TIMES_OF = re.compile(
    r"\s*(?:(?:(?!an?\b|the\b|in\b|on\b|to\b|per\b|and\b|or\b)[^\W\d_][\w-]*\s+){1,3}of\s+(?:an?\s)?"
    r"|(?:[^\W\d_][\w-]*\s+){0,2}(?:at|je|à|zu je|times|mal|fois)\s+)",
    re.IGNORECASE,
)
_SHARE_OF = re.compile(r"\s*(?:[^\W\d_][\w-]*\s+){0,4}of\s+(?:an?\s|the\s)?", re.IGNORECASE)
_RELATIVE = re.compile(
    r"['’]?\s*(?:[^\W\d_][\w'’-]*\s+){0,2}?(?:after|before|following|of|prior to|nach|vor|après|avant|from|ab)\b"
    r"[^.;]{0,40}",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:from|ab)(?: the)?(?: date of)?\s+$", re.IGNORECASE)
"""The end of what leads to a beginning: `for 3 years from 1 May 2024`."""
_TIMES = ("min", "h", "d", "week", "month", "year", "working days", "business days", "banking days")


def without_qualifier(text: str, one: Quantity) -> str:
    """Return the words before an amount without those that `qualifier` understands: `store up to` -> `store`."""
    return (_DATE_BEFORE if one.kind == "date" else _BEFORE).sub("", _DEADLINE.sub("", text))


_UP_TO = re.compile(r"\b(?:up to|bis zu)\s+$", re.IGNORECASE)
_AHEAD = re.compile(r"['’]?\s(?:before|prior|ahead|in advance|vor)\b", re.IGNORECASE)
"""`up to 14 days before` is a last day, and no bound of a time."""
_DEADLINE = re.compile(r"\b(?:(?:no|not) later than|on or (?:before|after))$", re.IGNORECASE)


def qualifier(text: str, held: Sequence[Quantity], at: int) -> Qualifier:
    """Return what a text says of the amount at a place of `held`, its amounts in order."""
    one = held[at]
    if at and (said := _after_another(text, held[at - 1], one)):
        return said
    if at + 1 < len(held) and (said := _before_another(text, one, held[at + 1])):
        return said
    before, after = (_DATE_BEFORE, _DATE_AFTER) if one.kind == "date" else (_BEFORE, _AFTER)
    is_deadline = one.unit in _TIMES and _AHEAD.match(text, one.end) and _UP_TO.search(text, one.start - 9, one.start)
    if is_deadline:
        return ""
    for found in (before.search(text, max(0, one.start - _FARTHEST), one.start), after.match(text, one.end)):
        if found is not None and (found.lastgroup != "identifier" or one.kind == "number"):
            return cast(Qualifier, (found.lastgroup or "").replace("_", " "))
    return ""


def is_range(text: str, one: Quantity, other: Quantity) -> bool:
    """Whether two amounts that follow each other are the ends of a range; the first can lack its unit: `5 to 6 kg`."""
    if one.kind not in (other.kind, "number"):
        return False
    if THROUGH.fullmatch(text, one.end, other.start):
        return True
    return bool(_AND.fullmatch(text, one.end, other.start) and _BETWEEN.search(text, max(0, one.start - 12), one.start))


def _after_another(text: str, last: Quantity, one: Quantity) -> Qualifier:
    gap = text[last.end : one.start]
    if is_range(text, last, one):
        return "upper end"
    if _PLUS.fullmatch(gap):
        return "sum"
    if last.kind == "number" and (_OR.fullmatch(gap) or (one.kind == "date" and _AND.fullmatch(gap))):
        return "several"
    if one.kind == "date":
        is_counted = last.unit in _TIMES and _RELATIVE.fullmatch(gap)
        return "" if not is_counted else "since" if _SINCE.search(gap) else "relative"
    if last.unit == "%" and _SHARE_OF.fullmatch(gap):
        return "product"
    is_count = last.kind == "number" and not 1900 <= last.number <= 2100
    return "product" if is_count and one.kind != "number" and _TIMES_OF.fullmatch(gap) else ""


def _before_another(text: str, one: Quantity, other: Quantity) -> Qualifier:
    gap = text[one.end : other.start]
    if is_range(text, one, other):
        return "lower end"
    if _PLUS.fullmatch(gap) and not (other.unit == "%" and _TAX.match(text, other.end)):
        return "sum"
    if one.kind == "money" and other.kind == "number" and not gap.strip():
        return "several"
    if other.unit == "%" and _OR.fullmatch(gap) and one.unit != "%":
        return "several"
    return "product" if gap.strip() == "/" and other.kind == "number" != one.kind else ""
