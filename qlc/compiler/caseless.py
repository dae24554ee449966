"""Equality and patterns up to Unicode case, as Elasticsearch queries.

`case_insensitive` of term, wildcard and prefix queries folds ASCII letters only (Lucene's AutomatonQueries), so a text
with other letters becomes a `regexp` with a class of the case variants of each letter. Case is Unicode's simple case
folding (Unicode CaseFolding.txt, status C and S: one character to one, `É` is `é`, `σ` is `ς`, but `ß` is not `SS`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from math import prod

from elasticsearch.dsl.query import Bool, MatchNone, Regexp, Term, Wildcard

from qlc.compiler.request import Clause, disjunction, on

MAX_REGEXP_LENGTH = 1000
"""Elasticsearch's default `index.max_regex_length`, in characters."""

MAX_AUTOMATON_LENGTH = 1000
"""Characters of a text that Lucene still makes an automaton of ("input automaton is too large" beyond)."""

MAX_TERM_BYTES = 32766
"""Lucene's longest term: a longer value is in no index."""

MAX_SPELLINGS = 256
"""Spellings of one text that are asked for one by one."""

_REGEXP_OPERATORS = frozenset('.?+*|{}[]()"\\#@&<>~^$-')


_LAST_CASED = 0x1E943
"""The last character of Unicode that has case (Adlam)."""


def _folded(character: str) -> str:
    """Simple case folding: full folding where it is one character, else lower case where that is, else itself."""
    for form in (character.casefold(), character.lower()):
        if len(form) == 1:
            return form
    return character


@lru_cache(maxsize=1)
def _variants() -> dict[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = {}
    for character in map(chr, range(_LAST_CASED + 1)):
        groups.setdefault(_folded(character), []).append(character)
    return {folded: tuple(group) for folded, group in groups.items() if len(group) > 1}


def case_variants(character: str) -> tuple[str, ...]:
    """The characters that equal this one up to case, itself included, in code point order."""
    if character.isascii():
        # As Elasticsearch's own folding, which does not take the Kelvin sign for a K.
        return tuple(sorted({character.upper(), character.lower()}))
    return _variants().get(_folded(character), (character,))


def fold_case(text: str) -> str:
    """Equal for two texts that are equal up to case."""
    return text.lower() if text.isascii() else "".join(map(_folded, text))


def same_case(left: str, right: str) -> bool:
    """Whether two texts are equal up to case."""
    return left == right or fold_case(left) == fold_case(right)


def needs_regexp(text: str) -> bool:
    """Whether Elasticsearch's ASCII folding does not suffice."""
    return not text.isascii() and any(not c.isascii() and len(case_variants(c)) > 1 for c in text)


def has_case(text: str) -> bool:
    return text.lower() != text or text.upper() != text


def equals_clause(path: str, text: str, normalizer: str | None = None) -> Clause:
    """`path` (keyword) equals the text up to case. A field with a normalizer has its case folded by the index.

    Raises TextTooLong where Elasticsearch could only compare it exactly.
    """
    if 4 * len(text) > MAX_TERM_BYTES and len(text.encode("utf-8", "replace")) > MAX_TERM_BYTES:
        return MatchNone()
    if normalizer is not None or not has_case(text):
        return on(Term, path, {"value": text})
    if len(text) > MAX_AUTOMATON_LENGTH:
        raise TextTooLong
    if not needs_regexp(text):
        return _ascii_caseless(path, text)
    return _regexp(path, [_letter(c) for c in text])


def spelled_out_clause(path: str, text: str, normalizer: str | None = None) -> Clause:
    """As `equals_clause`, for fields that Elasticsearch has no regexp query on (keys of a flattened field).

    Letters beyond ASCII are asked for in each of their cases. Raises TextTooLong where those are too many.
    """
    if not needs_regexp(text):
        return equals_clause(path, text, normalizer)
    cases = [(c,) if c.isascii() else case_variants(c) for c in text]
    if prod(map(len, cases)) > MAX_SPELLINGS or len(text) > MAX_AUTOMATON_LENGTH:
        raise TextTooLong
    return disjunction([_ascii_caseless(path, "".join(letters)) for letters in product(*cases)])


def _ascii_caseless(path: str, text: str) -> Clause:
    return on(Term, path, {"value": text, "case_insensitive": True})


def pattern_clause(path: str, pieces: list[str | None]) -> Clause:
    """`path` (keyword) matches literal texts with wildcards between them: `None` is `*`, `""` is `?`.

    Raises TextTooLong.
    """
    literal = "".join(piece for piece in pieces if piece)
    if len(literal) + pieces.count("") > MAX_AUTOMATON_LENGTH:
        raise TextTooLong
    if not needs_regexp(literal):
        wild = "".join("*" if p is None else "?" if p == "" else re.sub(r"[*?\\]", r"\\\g<0>", p) for p in pieces)
        return on(Wildcard, path, {"value": wild, "case_insensitive": True})
    tokens: list[str] = []
    for piece in pieces:
        tokens += [".*"] if piece is None else ["."] if piece == "" else [_letter(c) for c in piece]
    return _regexp(path, tokens)


def other_clause(path: str, texts: list[tuple[str, bool]]) -> Clause:
    """`path` (keyword) is none of the texts, each with whether its case is ignored. Raises TextTooLong.

    The regular expression leaves the tree of the texts at any character: "ab" -> `([^a].*|[a]([^b].*|[b].+)?)?`
    """
    value = _outside_of(texts)
    if len(value) > MAX_REGEXP_LENGTH:
        raise TextTooLong
    return on(Regexp, path, {"value": value, "flags": "NONE"})


def _outside_of(texts: list[tuple[str, bool]]) -> str:
    """Return the expression of all texts but these."""
    children: dict[str, list[tuple[str, bool]]] = {}
    for text, folds in texts:
        if text:
            for character in case_variants(text[0]) if folds else (text[0],):
                children.setdefault(character, []).append((text[1:], folds))
    if not children:
        return ".+" if texts else ".*"
    branches: dict[tuple[tuple[str, bool], ...], str] = {}
    for character, rest in children.items():
        branches[tuple(rest)] = branches.get(tuple(rest), "") + _in_class(character)
    letters = "".join(map(_in_class, children))
    parts = [f"[^{letters}].*", *(f"[{some}]{_outside_of([*rest])}" for rest, some in branches.items())]
    return f"({'|'.join(parts)}){'' if any(not text for text, _ in texts) else '?'}"


def _in_class(character: str) -> str:
    return "\\" + character if character in _REGEXP_OPERATORS else character


def _letter(character: str) -> str:
    """Return a character of the text as a regular expression in Lucene's syntax."""
    variants = case_variants(character)
    if len(variants) == 1:
        return "\\" + character if character in _REGEXP_OPERATORS else character
    return "[" + "".join(variants) + "]"


def _regexp(path: str, tokens: list[str]) -> Clause:
    """Return one regexp; if it were too long, several that must all match, each testing one part of the value with
    `.{n}` before and after it. Raises TextTooLong if it is too long and has `.*`, after which no position is fixed.
    """
    whole = "".join(tokens)
    if len(whole) <= MAX_REGEXP_LENGTH:
        return on(Regexp, path, {"value": whole, "flags": "NONE"})
    if ".*" in tokens:
        raise TextTooLong
    clauses: list[Clause] = []
    position = 0
    while position < len(tokens):
        length, part = 0, ""
        while position + length < len(tokens) and len(part) < MAX_REGEXP_LENGTH - 60:
            part += tokens[position + length]
            length += 1
        after = len(tokens) - position - length
        value = (f".{{{position}}}" if position else "") + part + (f".{{{after}}}" if after else "")
        clauses.append(on(Regexp, path, {"value": value, "flags": "NONE"}))
        position += length
    return Bool(filter=clauses)


class TextTooLong(ValueError):
    """Elasticsearch cannot compare a text of this length ignoring case."""
