"""`simple_query_string`: a small syntax in which nothing is an error (`"quick brown" +fox -dog*`).

Source: org.apache.lucene.queryparser.simple.SimpleQueryParser and
org.elasticsearch.index.search.SimpleQueryStringQueryParser.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import illegal_argument, parsing_error
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchAll, MatchNone, Query
from qlc_engine.queries.compound import Bool
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.parse_fulltext import MatchOptions
from qlc_engine.queries.parse_multi_match import weighted_fields
from qlc_engine.queries.parse_query_string import with_minimum
from qlc_engine.queries.text_fields import TextFields

_SPACES = " \t\n\r"
#: flag -> the characters that it gives a meaning
_FLAGS = {
    "AND": "+", "OR": "|", "NOT": "-", "PREFIX": "*", "PHRASE": '"', "PRECEDENCE": "()", "ESCAPE": "\\",
    "WHITESPACE": _SPACES, "FUZZY": "~", "NEAR": "n", "SLOP": "n",
}  # fmt: skip


def parse_simple_query_string(body: Any, context: QueryContext) -> Query:
    params = Params("simple_query_string", body)
    text = params.take("query")
    fields = params.take("fields", [])
    operator = str(params.take("default_operator", "or")).lower()
    flags = _operators(params.take("flags", "ALL"))
    lenient, minimum = params.take("lenient"), params.take("minimum_should_match")
    analyzer = params.take("analyzer")
    fuzzy = MatchOptions(
        prefix_length=params.integer("fuzzy_prefix_length", 0),
        max_expansions=params.integer("fuzzy_max_expansions", 50),
        transpositions=params.boolean("fuzzy_transpositions", True),
    )
    params.take("auto_generate_synonyms_phrase_query")
    analyzes_prefixes = params.boolean("analyze_wildcard", False)
    params.finish()
    if text is None:
        raise parsing_error("[simple_query_string] query text missing")
    if operator not in ("or", "and"):
        raise illegal_argument(f"operator needs to be either OR or AND, but not [{operator.upper()}]")
    patterns = [str(field) for field in (fields if isinstance(fields, list) else [fields])]
    patterns = patterns or context.settings.default_fields
    if lenient is None:
        lenient = patterns == ["*"]
    options = MatchOptions(operator=operator, analyzer=analyzer, lenient=lenient in (True, "true"))
    fields = weighted_fields(patterns, context)
    where = TextFields(fields, context, options, words_tie=1.0, other_tie=1.0, analyzes_prefixes=analyzes_prefixes)
    if str(text).strip() == "*":
        return MatchAll()
    parser = _Parser(where, "must" if operator == "and" else "should", flags, fuzzy)
    return with_minimum(parser.parse(str(text)) or MatchNone(), minimum)


def _operators(given: Any) -> frozenset[str]:
    found: set[str] = set()
    for flag in str(given).split("|"):
        name = flag.strip().upper()
        if name == "ALL":
            return frozenset("".join(_FLAGS.values()))
        if name == "NONE":
            return frozenset()
        if name not in _FLAGS:
            raise illegal_argument(f"Unknown simple_query_string flag [{flag}]")
        found.update(_FLAGS[name])
    return frozenset(found)


@dataclass(slots=True)
class _State:
    text: str
    at: int = 0
    top: Query | None = None
    #: how the next part is joined; None: nothing is said
    joined: str | None = None
    previous: str | None = None
    negations: int = 0


class _Parser:
    def __init__(self, where: TextFields, operator: str, flags: frozenset[str], fuzzy: MatchOptions) -> None:
        self._where = where
        self._operator = operator
        self._flags = flags
        self._fuzzy = fuzzy

    def parse(self, text: str) -> Query | None:
        state = _State(text)
        while state.at < len(text):
            character = text[state.at]
            if character == "-" and "-" in self._flags:
                state.negations += 1
                state.at += 1
                continue
            if character not in self._flags or character in "*~\\":
                self._word(state)
            elif character == "(":
                self._group(state)
            elif character == '"':
                self._phrase(state)
            else:
                if character in "+|" and state.joined is None and state.top is not None:
                    state.joined = "must" if character == "+" else "should"
                # a closing parenthesis without an opening one is nothing
                state.at += 1
            state.negations = 0
        return state.top

    def _group(self, state: _State) -> None:
        begin = state.at + 1
        end, depth = begin, 1
        while end < len(state.text):
            character = state.text[end]
            if character == "\\" and "\\" in self._flags:
                end += 2
                continue
            depth += (character == "(") - (character == ")")
            if depth == 0:
                break
            end += 1
        if depth or end >= len(state.text):
            state.at = begin
            return
        if end == begin:
            state.joined = None
        else:
            self._add(state, self.parse(state.text[begin:end]))
        state.at = end + 1

    def _phrase(self, state: _State) -> None:
        begin = end = state.at + 1
        copied: list[str] = []
        while end < len(state.text) and state.text[end] != '"':
            if state.text[end] == "\\" and "\\" in self._flags and end + 1 < len(state.text):
                end += 1
            copied.append(state.text[end])
            end += 1
        if end >= len(state.text):
            state.at = begin
            return
        if not copied:
            state.joined = None
            state.at = end + 1
            return
        slop, state.at = 0, end + 1
        if "n" in self._flags and state.text[state.at : state.at + 1] == "~":
            number, state.at = self._number(state.text, state.at + 1)
            slop = number or 0
        self._add(state, self._where.phrase("".join(copied), slop))

    def _word(self, state: _State) -> None:
        text, at = state.text, state.at
        copied: list[str] = []
        prefix, edits = False, None
        while at < len(text):
            character = text[at]
            if character == "\\" and "\\" in self._flags:
                if at + 1 >= len(text):
                    at += 1
                    break
                copied.append(text[at + 1])
                prefix = False
                at += 2
                continue
            if self._ends_a_word(character):
                break
            if copied and character == "~" and "~" in self._flags:
                number, after = self._number(text, at + 1)
                if after >= len(text) or self._ends_a_word(text[after]):
                    edits, at = 2 if number is None else number, after
                    break
            prefix = bool(copied) and character == "*" and "*" in self._flags
            copied.append(character)
            at += 1
        state.at = at
        if not copied:
            return
        word = "".join(copied)
        query: Query | None
        if edits:
            query = self._where.fuzzy(word, str(min(edits, 2)), self._fuzzy)
        elif prefix:
            query = self._where.prefix(word[:-1])
        else:
            query = self._where.words(word)
        self._add(state, query)

    def _ends_a_word(self, character: str) -> bool:
        return character in '"|+()' + _SPACES and character in self._flags

    @staticmethod
    def _number(text: str, at: int) -> tuple[int | None, int]:
        end = at
        while end < len(text) and text[end].isdigit():
            end += 1
        return (int(text[at:end]) if end > at else None), end

    def _add(self, state: _State, query: Query | None) -> None:
        if query is not None:
            if state.negations % 2:
                query = Bool(should=[MatchAll()], must_not=[query], minimum=1)
            if state.top is None:
                state.top = query
            else:
                joined = state.joined or self._operator
                top = state.top
                if state.previous != joined or not isinstance(top, Bool):
                    top = Bool(must=[top]) if joined == "must" else Bool(should=[top], minimum=1)
                if joined == "must":
                    state.top = dataclasses.replace(top, must=[*top.must, query])
                else:
                    state.top = dataclasses.replace(top, should=[*top.should, query])
                state.previous = joined
        state.joined = None
