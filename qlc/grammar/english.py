"""Diagnostics for plain English that is nearly a query, each with the one way to write it."""

from __future__ import annotations

import re

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.fixes import repaired, replace
from qlc.grammar.rule import Check, Rule
from qlc.grammar.stop import Stop

_NO_WORD = "'{token}' is not a word of the language here"
_NEGATABLE = r"(has|contains|like|matches|mentions|under|in|starts\s+with|ends\s+with)"
_AGO = r"([0-9]+)\s+(minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b"
_MEASURE_WORDS = {
    "sum": "sum", "avg": "avg", "min": "min", "max": "max", "median": "median", "distinct": "distinct",
    "total": "sum", "average": "avg", "mean": "avg", "minimum": "min", "maximum": "max", "unique": "distinct",
    "count distinct": "distinct", "count unique": "distinct", "distinct count": "distinct",
    "number of distinct": "distinct", "number of unique": "distinct", "cardinality": "distinct",
}  # fmt: skip
_MEASURED = (
    rf"({'|'.join(sorted(_MEASURE_WORDS, key=len, reverse=True)).replace(' ', r'[ ]*[ (][ ]*')})"
    r"\s*(?:of\b|values\b)?\s*\(?\s*([\w.]+)(?:\s*\)){0,2}(?=\s*(?:,|of\b|>|<|=|!))"
)


def _measure(match: re.Match[str]) -> str:
    return f"{_MEASURE_WORDS[' '.join(match[1].lower().replace('(', ' ').split())]}({match[2]})"


def _direction_of_group(stop: Stop) -> Diagnostic | None:
    """Report a direction after a group, `count documents by type desc`; the order of rows is a clause of its own."""
    kinds = [token.kind for token in stop.before]
    if stop.word not in ("asc", "desc", "ascending", "descending") or "BY" not in kinds or "TOP" not in stop.accepted:
        return None
    if "SORT" in kinds or "ORDER" in kinds:
        return None
    text = None
    if stop.word.startswith("desc") and kinds[0] == "COUNT":
        text = repaired(stop.source, replace(*stop.token.span, "sort count desc"))
    hint = "write 'sort count desc' for the largest first, or 'sort' and a group"
    return stop.problem("direction-in-front", f"'{stop.token.text}' belongs to 'sort'", hint, text)


_PERIOD = re.compile(
    r"(?:the\s+)?(past|previous|coming|following|upcoming|current)\s+(?:([0-9]+)\s+)?"
    r"(minute|hour|day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)


def _other_period(stop: Stop) -> Diagnostic | None:
    """Report other words for periods: `in the previous month`. A past week may end now or with the last Sunday."""
    for token in (stop.token, *reversed(stop.before[-2:])):
        match = _PERIOD.match(stop.source, token.start)
        if match is None:
            continue
        word, count, unit = match[1].lower(), match[2], match[3]
        which = {"past": "last", "previous": "last", "current": "this"}.get(word, "next")
        if count is None and word in ("past", "coming", "upcoming", "following"):
            rolling = {"week": "7 days", "month": "30 days", "year": "365 days"}.get(unit.lower(), f"1 {unit}s")
            until = "up to now" if which == "last" else "from now on"
            hint = f"write '{which} {unit}' for the one in the calendar, '{which} {rolling}' for those {until}"
            text = None
        else:
            written = f"{which} {count} {unit}s" if count else f"{which} {unit}"
            hint, text = f"write '{written}'", repaired(stop.source, replace(*match.span(), written))
        message = f"'{match[1]}' is not a word of the language here"
        return stop.problem("other-word", message, hint, text, span=Span(*match.span()))
    return None


_NAMED = r"(?:of|by|in|from|with|for)\s+(?:the\s+)?([A-Za-z_][\w.]*)\s+(?=[\"'“‘$])"
_PLACE = "a place is its latitude and longitude in brackets"
_WITHIN = "WITHIN NUMBER UNIT OF|WITHIN NUMBER OF"
_POINT = r"(\([^()]*\))"
_WHERE = "conditions come after 'where'"

ENGLISH: tuple[Check, ...] = (
    # `avg price of flights`, `average of price of flights`
    Rule("measure-brackets", "a measure takes its field in brackets", pattern=_MEASURED, at=(0, 2, 1), fix=_measure,
         sure=True),
    Rule("operator-in-front", "'not' comes before '{last}'", token="not", pattern=rf"{_NEGATABLE}\s+not\b",
         at=(1, 2), fix=r"not \1", sure=True),
    _direction_of_group,
    Rule("other-word", "'from ... to ...' is not a range here", "write 'between ... and ...'", accepts="HAS",
         pattern=r"from\s+([^\s\"]+|\"[^\"\n]*\")\s+(?:to|until|till)\s+(?=\S)", fix=r"between \1 and ", sure=True),
    *(Rule("other-word", "an age is a period that ends now", accepts="HAS", pattern=pattern, fix=fix, sure=True)
      for pattern, fix in (
          (rf"(?:is\s+)?older\s+than\s+{_AGO}(?:\s+ago\b)?", r"< last \1 \2"),
          (rf"(?:is\s+)?(?:newer|younger)\s+than\s+{_AGO}(?:\s+ago\b)?", r"in last \1 \2"),
          (rf"(?:is\s+)?(?:more|longer)\s+than\s+{_AGO}\s+ago\b", r"< last \1 \2"),
          (rf"(?:is\s+)?(?:less|within)\s+(?:than\s+)?{_AGO}\s+ago\b", r"in last \1 \2"),
      )),
    Rule("other-word", "'within' is for places", "write 'in'", after="WITHIN", at=(1,),
         pattern=r"within\s+(?:the\s+)?", fix="in ", sure=True),
    _other_period,
    # `find documents of type "W2"`, `find documents by owner "Ada Byron"`, `in folder "Tax"`
    *(Rule("missing-where", _WHERE, "write 'where FIELD = ...'", pattern=_NAMED, fix=r"where \1 = ", at=at,
           accepts=accepts, after=after, sure=True)
      for at, accepts, after in (((0,), "WHERE", ""), ((0, 1), "", "BY"))),
    Rule("missing-where", _WHERE, "write 'where FIELD under ...'", accepts="WHERE",
         pattern=r"under\s+([A-Za-z_]\w*)\s+(?=[\"'“‘$])", fix=r"where \1 under ", sure=True),
    Rule("missing-comma", "what is listed is joined by commas", "write ',' instead of 'and'", token="AND|and",
         seen="SHOW|SORT|BY|GET", accepts="COMMA", part="gap", fix=","),
    Rule("other-word", _NO_WORD, "write 'of'", token="from|in|for|over", accepts="OF", fix="of"),
    Rule("direction-in-front", "the direction comes after the key", after="NAME", at=(1,),
         pattern=r"(asc|desc)\s+(?:by\s+)?([\w.]+)", fix=r"\2 \1", sure=True),
    *(Rule("direction-in-front", "the direction comes after the key", token=token, seen="SORT", lacks="STRING", at=(0,),
           pattern=rf"\{sign}\s*([\w.]+)", fix=rf"\1{direction}", sure=True)
      for token, sign, direction in (("MINUS", "-", " desc"), ("PLUS", "+", " asc"))),
    Rule("lookup-brackets", "a lookup takes its name in brackets", token="STRING", after="NAME", accepts="LPAR",
         part="both", fix="{last}({token})", span="both"),
    Rule("other-sign", "'{last}' takes no '='", "leave it out", token="EQUAL", after="LIMIT|OFFSET|TOP", part="gap",
         fix=" "),
    # `get document("x") owner`, `get owner of document("x")`
    Rule("get-needs-field", "a field comes after a dot", token="NAME", first="GET", accepts="DOT",
         lacks="COMMA", part="gap", fix=".{token}"),
    Rule("get-needs-field", "the field comes after the thing it belongs to", first="GET", at=("first",),
         pattern=r"get\s+(?:the\s+)?([\w.]+)\s+(?:of|from|for)\s+(.*\S)", fix=r"get \2.\1", sure=True),
    *(Rule("place-form", "an area is a box or a polygon", after=after, pattern=pattern, fix=fix, sure=True)
      for after, pattern, fix in (
          ("WITHIN|INTERSECTS|DISJOINT", rf"{_POINT}\s*(?:to|,|and)\s*{_POINT}", r"box \1 to \2"),
          ("POLYGON", rf"{_POINT}((?:\s*,?\s*{_POINT})+)", r"[\1\2]"),
      )),
    Rule("place-form", "a box goes from its top left corner to its bottom right one", "write 'to'", seen="BOX",
         accepts="TO", token="COMMA", pattern=r",\s*(?=\()", fix=" to ", sure=True),
    Rule("other-word", "'overlaps' has 'to' between its ends", "write 'to'", accepts="TO", at=(1,),
         pattern=r"(?:between|from)\s+(\S+)\s+(?:and|to)\s+(?=\S)", fix=r"\1 to ", sure=True),
    *(Rule("other-word", "'overlaps' has 'to' between its ends", "write 'to'", after=f"OVERLAPS {end} AND", at=(1,),
           pattern=r"and\s+", fix="to ", sure=True) for end in ("NUMBER", "DATE", "STRING")),
    Rule("place-form", _PLACE, after=_WITHIN, pattern=r"(-?[0-9.]+)\s*,?\s*(-?[0-9.]+)", fix=r"(\1, \2)", sure=True),
    Rule("place-form", _PLACE, "write 'within 5 km of (41.9, 12.5)'", after=_WITHIN),
    *(Rule("operator-in-front", "'{last}' comes after the field", after="NAME", at=(1,), pattern=pattern, fix=fix,
           sure=True)
      for pattern, fix in (
          (r"(exists|missing)\s*\(\s*([\w.]+)\s*\)", r"\2 \1"),
          (r"(exists|missing)\s+([\w.]+)", r"\2 \1"),
          (r"(?:has|have)\s+([\w.]+)(?=\s*(?:\Z|\)|and\b|or\b|sort\b|limit\b|show\b))", r"\1 exists"),
          (r"(has|contains|like|matches|mentions|under)\s+([\w.]+)(?=\s*[\"'\[$])", r"\2 \1"),
      )),
    Rule("quote-inside", "a quote inside a text ends it", 'write \\" inside the text', token="NAME|STRING",
         after="STRING", adjacent=True),
    Rule("filler-word", "'{last}' names nobody", "name the field that says whose they are: 'where FIELD = $me'",
         token="NAME", last="my|our", span="last"),
    Rule("filler-word", "'{m[marked]}' has no meaning here", "leave it out", at=(0, 1), fix="", sure=True,
         pattern=r"(?P<marked>the|all|any|every|each|of|me|please|is|are)(?!\w)\s*"),
)  # fmt: skip
