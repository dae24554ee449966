"""Diagnostics for text that the lexer cannot read: an unclosed string, an operator of another language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.fixes import LONGEST, Edit, insert, only_fix, outside_strings, repaired, replace
from qlc.grammar.openings import STATEMENTS

_OTHER_SIGNS = {
    "&&": "and", "&": "and", "||": "or", "|": "or", "≤": "<=", "≥": ">=", "≠": "!=", ":=": "=", ":": "=",
    "~": "contains", "=~": "contains", "~=": "contains", "!": "not",
}  # fmt: skip
_SURE_SIGNS = frozenset({":=", "&&", "||", "&", "|", "≤", "≥", "≠", "!"})
"""Operators with one meaning in every language that has them."""

_NUMERIC_DATE = re.compile(r"[0-9]{1,4}[/.][0-9]{1,2}[/.][0-9]{1,4}")
_LONGEST_WORD = 200
_QUOTES = "\"'“”„‘’«»"
_CLOSING = {"“": "”", "”": "”", "„": "“", "‘": "’", "’": "’", "«": "»"}


def unreadable(source: str, position: int) -> Diagnostic:
    """The diagnostic for a text in which no token begins at `position` (white space may come first)."""
    position += len(source[position:]) - len(source[position:].lstrip())
    return next(found for rule in _RULES if (found := rule(source, position)) is not None)


def _reported(code: str, message: str, start: int, end: int, hint: str, text: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, Span(start, end), hint, fixed=text)


def _open_string(source: str, place: int) -> Diagnostic | None:
    quote = source[place]
    if quote not in _QUOTES:
        return None
    end = _line_end(source, place)
    closing = _CLOSING.get(quote, quote)
    if quote == "«" and closing in source[place:end]:
        text = repaired(source, *(replace(*match.span(), '"') for match in outside_strings(source, "[«»]")))
        return _reported("other-sign", "texts need double quotes", place, place + 1, 'write "..."', text)
    ends = (insert(at, closing) for at in _word_ends(source, place, end))
    tries = chain(ends, (insert(at, quote) for at in _word_starts(source, place)))
    hint = f"write {closing} after it; inside a text {closing} is \\{closing}, a line break \\n"
    return _reported("missing-quote", f"this text has no closing {closing}", place, end, hint, only_fix(source, tries))


def _line_end(source: str, place: int) -> int:
    end = source.find("\n", place)
    return len(source.rstrip()) if end < 0 else len(source[:end].rstrip())


def _word_ends(source: str, place: int, end: int) -> Iterator[int]:
    """Yield places where the string could have been meant to end: the end of the line, before a keyword or bracket."""
    yield end
    for match in re.finditer(r"\s+(?:and|or|sort|limit|show|by|having)\b|\s*[\])]+(?=\s|[\])]|$)", source[place:end]):
        if match.start() > 1:
            yield place + match.start()


def _word_starts(source: str, place: int) -> Iterator[int]:
    """Yield places for a missing opening quote: before the word that ends at `place`."""
    match = re.search(r"[^\s\"(\[,=<>]+$", source[max(0, place - _LONGEST_WORD) : place])
    if match is not None:
        yield place - len(match[0])


def _code_fence(source: str, place: int) -> Diagnostic | None:
    """Report a code fence (three backticks), as language models write code."""
    if not source.startswith("```", place):
        return None
    found = re.finditer(r"```(?:\w*[ ]*(?=\n))?", source) if len(source) <= LONGEST else ()
    text = repaired(source, *[replace(*match.span(), "") for match in found])
    return _reported("code-fence", "a query has no code fences", place, place + 3, "leave them out", text)


def _open_name(source: str, place: int) -> Diagnostic | None:
    if source[place] != "`":
        return None
    if source.startswith("``", place):
        message = "there is no name between these backticks"
        return _reported("empty-name", message, place, place + 2, "write a name there")
    word = re.compile(r"`[\w@.-]*").match(source, place)
    text = only_fix(source, [insert(word.end(), "`")]) if word and len(word[0]) > 1 else None
    message = "this name has no closing `"
    return _reported("missing-back-quote", message, place, _line_end(source, place), "write ` after it", text)


def _half_character(source: str, place: int) -> Diagnostic | None:
    if not "\ud800" <= source[place] <= "\udfff":
        return None
    message = f"\\u{ord(source[place]):04x} is an unpaired surrogate"
    hint = "the text was cut, or decoded with the wrong encoding"
    return _reported("half-character", message, place, place + 1, hint)


def _currency(source: str, place: int) -> Diagnostic | None:
    match = re.compile(r"[$€£¥]\s*(?=-?[0-9])").match(source, place)
    if match is None and source[place] in "$€£¥" and re.search(r"[0-9]\s*\Z", source[:place]):
        match = re.compile(r"[$€£¥]").match(source, place)
    if match is None:
        return None
    text = repaired(source, replace(place, match.end(), ""), *_groups_joined(source, match.end()))
    hint = "write the number alone; a currency is a field of its own"
    return _reported("currency-sign", "amounts are written without a currency sign", *match.span(), hint, text)


def _groups_joined(source: str, place: int) -> list[Edit]:
    match = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])").match(source, place)
    return [replace(place, match.end(), match[0].replace(",", ""))] if match else []


def _numeric_date(source: str, place: int) -> Diagnostic | None:
    start = len(source[:place].rstrip("0123456789./"))
    match = _NUMERIC_DATE.match(source, start)
    if source[place] != "/" or match is None:
        return None
    text, hint = repaired(source, *_year_first(match)), "write the year first: 2024-03-05"
    return _reported("date-form", f"'{match[0]}' is not how dates are written", *match.span(), hint, text)


def _year_first(match: re.Match[str]) -> list[Edit]:
    """Rewrite a date that begins with its year: `2024/3/5` -> `2024-03-05`. Others have two readings."""
    parts = re.split("[/.]", match[0])
    if len(parts[0]) != 4:
        return []
    return [replace(match.start(), match.end(), f"{parts[0]}-{parts[1]:0>2}-{parts[2]:0>2}")]


def _division(source: str, place: int) -> Diagnostic | None:
    if source[place] != "/" or not re.match(r"[0-9]/[0-9]", source[max(0, place - 1) : place + 2]):
        return None
    message = "a division of numbers has spaces around its sign: without them it could be a date"
    return _reported("other-sign", message, place, place + 1, "write a space on both sides",
                     repaired(source, replace(place, place + 1, " / ")))  # fmt: skip


def _comment(source: str, place: int) -> Diagnostic | None:
    sign = next((one for one in ("//", "/*", "#", "--") if source.startswith(one, place)), None)
    if sign is None:
        return None
    hint, text = ("put a space before it", " --") if sign == "--" else ("write '-- ' before it", "--")
    # `a--b` could be anything, and a `/* */` has an end: there the rest of the line is not surely a comment.
    certain = sign in ("//", "#") or source[place + 2 : place + 3].isspace()
    end = place + len(sign)
    message = "a comment is '--' at the start of a line or after a space"
    return _reported("comment-form", message, place, end, hint,
                     repaired(source, replace(place, end, text)) if certain else None)  # fmt: skip


def _other_sign(source: str, place: int) -> Diagnostic | None:
    bound = re.compile(r":([A-Za-z_]\w*)").match(source, place)
    if bound is not None and re.search(r"[=<>]\s*\Z", source[:place]):
        written = f"${bound[1]}"
        text = repaired(source, replace(*bound.span(), written))
        return _reported("other-sign", f"'{bound[0]}' is not a parameter", *bound.span(), f"write {written}", text)
    sign = next((one for one in _LONGEST_FIRST if source.startswith(one, place)), None)
    if sign is None:
        return None
    word = _OTHER_SIGNS[sign]
    choices = "'contains', 'like' or 'matches'" if word == "contains" else f"'{word}'"
    if sign == ":" and (bounds := re.compile(_COLON).match(source, place)) and bounds[0].strip() != ":":
        choices = f"'{_without_colon(bounds).strip()}' instead"
    message, text = f"'{sign}' is not a symbol of this language", _all_replaced(source, sign)
    return _reported("other-sign", message, place, place + len(sign), f"write {choices}", text)


_LONGEST_FIRST = sorted(_OTHER_SIGNS, key=len, reverse=True)


def _all_replaced(source: str, sign: str) -> str | None:
    if sign == ":":
        found = outside_strings(source, _COLON)
        return repaired(source, *(replace(*match.span(), _without_colon(match)) for match in found))
    if sign not in _SURE_SIGNS:
        return None
    signs = "|".join(re.escape(one) for one in _LONGEST_FIRST if one in _SURE_SIGNS)
    found = outside_strings(source, rf"\s*({signs})(?!=)\s*")
    return repaired(source, *(replace(*match.span(), f" {_OTHER_SIGNS[match[1]]} ") for match in found))


_COLON = r"\s*:\s*(?:(<=|>=|<|>)\s*|\[\s*([^\s\[\]]+)\s+(?:TO|to)\s+([^\s\[\]]+)\s*\])?"
"""A colon with what Lucene and KQL write after it: a comparison, a range."""


def _without_colon(match: re.Match[str]) -> str:
    operator, low, high = match.groups()
    if operator:
        return f" {operator} "
    if low is None:
        return " = "
    if "*" in (low, high):
        return " exists" if low == high else f" <= {high}" if low == "*" else f" >= {low}"
    return f" between {low} and {high}"


def _braces(source: str, place: int) -> Diagnostic | None:
    if source[place] not in "{}":
        return None
    if not source[:place].strip():
        message = "this is JSON or GraphQL, and queries are written in words"
        return _reported("other-language", message, place, place + 1, STATEMENTS)
    edits = [replace(*match.span(), "[" if match[0] == "{" else "]") for match in outside_strings(source, "[{}]")]
    message = f"'{source[place]}' is not a symbol of this language"
    return _reported("other-sign", message, place, place + 1, 'lists are written ["a", "b"]', repaired(source, *edits))


def _unquoted(source: str, place: int) -> Diagnostic | None:
    """Quote a word with a sign in it: `foo-bar`, `R&D`, `a/b`."""
    before = re.search(r"[^\s()\[\],=<>\"'`]+$", source[max(0, place - _LONGEST_WORD) : place])
    after = re.compile(r"[^\s()\[\],\"'`]{2,}").match(source, place)
    if before is None or after is None:
        return None
    text = before[0] + after[0]
    start, end = place - len(before[0]), after.end()
    if re.fullmatch(r"[0-9]+:[0-9]{2}(?::[0-9]{2})?", text):
        hint = "write a number with its unit, such as 90 minutes; a text needs quotes"
        return _reported("number-form", f"'{text}' is not how lengths of time are written", start, end, hint)
    program = repaired(source, replace(start, end, f'"{text}"'))
    if program is None:
        return None
    return _reported("unquoted-text", f"'{text}' must be in quotes", start, end, f'write "{text}"', program)


def _unknown(source: str, place: int) -> Diagnostic:
    character = source[place]
    name = repr(character)[1:-1] if not character.isprintable() else character
    hint = 'texts need quotes: "..."; unusual names in backticks: `...`'
    return _reported("unreadable-character", f"'{name}' means nothing here", place, place + 1, hint)


_RULES: tuple[Callable[[str, int], Diagnostic | None], ...] = (
    _open_string, _code_fence, _open_name, _half_character, _currency, _numeric_date, _division, _comment,
    _unquoted, _other_sign, _braces, _unknown,
)  # fmt: skip
