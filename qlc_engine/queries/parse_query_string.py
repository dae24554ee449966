"""`query_string`: the query syntax of Lucene (`title:(quick OR brown) AND price:[5 TO 10]`).

Source: org.apache.lucene.queryparser.classic.QueryParser (with words that are not split at white space) and
org.elasticsearch.index.query.QueryStringQueryParser.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import illegal_argument, not_implemented, parsing_error, query_shard_error
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchAll, MatchNone, Query
from qlc_engine.queries.by_type import exists_query
from qlc_engine.queries.compound import Bool, minimum_should_match
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.parse_fulltext import MatchOptions, checked_fuzziness
from qlc_engine.queries.parse_multi_match import boosted, check_kind, default_tie, weighted_fields
from qlc_engine.queries.text_fields import TextFields

_SPACE = r"[ \t\n\r\u3000]"
_START = r"(?:[^ \t\n\r\u3000+\-!():^\[\]\"{}~*?\\/]|\\.)"
_NEXT = rf"(?:{_START}|[-+])"
_TOKENS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.DOTALL))
    for kind, pattern in (
        ("AND", r"AND|&&"),
        ("OR", r"OR|\|\|"),
        ("NOT", r"NOT|!"),
        ("PLUS", r"\+"),
        ("MINUS", r"-"),
        ("BARE", rf"[-+!]{_SPACE}"),
        ("(", r"\("),
        (")", r"\)"),
        (":", r":"),
        ("STAR", r"\*"),
        ("QUOTED", r'"(?:[^"\\]|\\.)*"'),
        ("TERM", rf"{_START}{_NEXT}*"),
        ("FUZZY", r"~(?:[0-9]+(?:\.[0-9]+)?)?"),
        ("PREFIX", rf"{_START}{_NEXT}*\*"),
        ("WILD", rf"(?:{_START}|[*?])(?:{_NEXT}|[*?])*"),
        ("REGEXP", r"/(?:[^/\\]|\\.)*/"),
        ("[", r"\["),
        ("{", r"\{"),
        ("BOOST", r"\^[0-9]+(?:\.[0-9]+)?"),
    )
)
_RANGE = re.compile(
    rf"{_SPACE}*(\"(?:[^\"\\]|\\.)*\"|[^ \]}}]+){_SPACE}+TO{_SPACE}+(\"(?:[^\"\\]|\\.)*\"|[^ \]}}]+){_SPACE}*([\]}}])"
)
#: words before these are no part of a run of words
_ENDS_A_RUN = frozenset({":", "STAR", "FUZZY", "BOOST", "AND", "OR"})


class _SyntaxError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    end: int


@dataclass(slots=True)
class _Clause:
    occur: str
    query: Query


def parse_query_string(body: Any, context: QueryContext) -> Query:
    params = Params("query_string", body)
    text = params.take("query")
    fields, default_field = params.take("fields"), params.take("default_field")
    operator = str(params.take("default_operator", "or")).lower()
    lenient, analyzer = params.take("lenient"), params.take("analyzer")
    minimum = params.take("minimum_should_match")
    slop = params.integer("phrase_slop", 0)
    kind = str(params.take("type", "best_fields"))
    check_kind(kind)
    tie = params.number("tie_breaker", default_tie(kind))
    zone = params.take("time_zone")
    leading = params.boolean("allow_leading_wildcard", True)
    fuzziness = checked_fuzziness(params.take("fuzziness", "AUTO"))
    fuzzy = MatchOptions(
        prefix_length=params.integer("fuzzy_prefix_length", 0),
        max_expansions=params.integer("fuzzy_max_expansions", 50),
        transpositions=params.boolean("fuzzy_transpositions", True),
    )
    for ignored in ("auto_generate_synonyms_phrase_query", "enable_position_increments", "max_determinized_states"):
        params.take(ignored)
    quote_analyzer = params.take("quote_analyzer")
    analyzes_prefixes = params.boolean("analyze_wildcard", False)
    if params.boolean("escape", False):
        raise not_implemented("[escape] of query [query_string]")
    params.finish()
    if text is None:
        raise parsing_error("[query_string] must be provided with a [query]")
    if operator not in ("or", "and"):
        raise illegal_argument(f"operator needs to be either OR or AND, but not [{operator.upper()}]")
    if fields is not None and default_field is not None:
        raise illegal_argument("[query_string] cannot use [fields] parameter in conjunction with [default_field]")
    patterns = [str(field) for field in fields] if fields else [str(default_field)] if default_field else []
    patterns = patterns or context.settings.default_fields
    if lenient is None:
        lenient = patterns == ["*"] or context.settings.flag("query_string.lenient")
    options = MatchOptions(operator=operator, analyzer=analyzer, lenient=lenient in (True, "true"), slop=slop)
    where = TextFields(
        weighted_fields(patterns, context),
        context,
        options,
        words_tie=tie,
        other_tie=tie,
        phrase_tie=tie,
        time_zone=None if zone is None else str(zone),
        kind=kind,
        quote_analyzer=quote_analyzer,
        analyzes_prefixes=analyzes_prefixes,
    )
    if not str(text).strip():
        return MatchNone()
    named = patterns[0] if len(patterns) == 1 and (default_field is not None or not fields) else None
    parser = _Parser(str(text), where, named, operator, slop, fuzziness, fuzzy, leading)
    try:
        query = parser.whole()
    except (_SyntaxError, RecursionError):
        raise query_shard_error(f"Failed to parse query [{text}]") from None
    return with_minimum(query, minimum)


def with_minimum(query: Query, minimum: Any) -> Query:
    """A query with `minimum_should_match` for the optional clauses at its top."""
    if minimum is None or not isinstance(query, Bool) or not query.should:
        return query
    return dataclasses.replace(query, minimum=minimum_should_match(minimum, len(query.should)))


class _Parser:
    def __init__(
        self,
        source: str,
        where: TextFields,
        named: str | None,
        operator: str,
        slop: int,
        fuzziness: str,
        fuzzy: MatchOptions,
        leading: bool,
    ) -> None:
        self._source = source
        self._at = 0
        self._where = where
        #: the one default field or pattern; None: several
        self._named = named
        self._and = operator == "and"
        self._slop = slop
        self._fuzziness = fuzziness
        self._fuzzy = fuzzy
        self._leading = leading

    # --- tokens

    def _peek(self, at: int | None = None) -> _Token:
        begin = self._at if at is None else at
        while begin < len(self._source) and re.match(_SPACE, self._source[begin]):
            begin += 1
        if begin >= len(self._source):
            return _Token("END", "", begin)
        best: _Token | None = None
        for kind, pattern in _TOKENS:
            found = pattern.match(self._source, begin)
            # of tokens of one length the first in the grammar
            if found is not None and (best is None or found.end() > best.end):
                best = _Token(kind, found.group(), found.end())
        if best is None:
            raise _SyntaxError(f"Lexical error at column {begin}")
        return best

    def _take(self) -> _Token:
        token = self._peek()
        self._at = token.end
        return token

    # --- grammar

    def whole(self) -> Query:
        query = self._query(None)
        if self._peek().kind != "END":
            raise _SyntaxError(f'Encountered "{self._peek().text}" at column {self._at}')
        return MatchNone() if query is None else query

    def _query(self, field: str | None) -> Query | None:
        clauses: list[_Clause] = []
        only: Query | None = None
        first = True
        while first or self._peek().kind not in ("END", ")"):
            run = self._run_of_words()
            if run is not None:
                query = self._words(field, run)
                self._add_run(clauses, query)
                first, only = False, query if first else None
                continue
            joined = "" if first else self._conjunction()
            modifier = self._modifier()
            query = self._clause(field)
            only = query if first and not modifier else None
            first = False
            self._add(clauses, joined, modifier, query)
        if only is not None and len(clauses) == 1:
            return only
        return _boolean(clauses)

    def _run_of_words(self) -> str | None:
        """Several words in a row, which are analysed together."""
        first = self._peek()
        if first.kind != "TERM":
            return None
        words = [first.text]
        end = first.end
        while True:
            word = self._peek(end)
            if word.kind != "TERM" or self._peek(word.end).kind in _ENDS_A_RUN:
                break
            words.append(word.text)
            end = word.end
        if len(words) == 1:
            return None
        self._at = end
        return unescaped(" ".join(words))

    def _conjunction(self) -> str:
        return self._take().kind if self._peek().kind in ("AND", "OR") else ""

    def _modifier(self) -> str:
        return self._take().kind if self._peek().kind in ("PLUS", "MINUS", "NOT") else ""

    def _clause(self, field: str | None) -> Query | None:
        head = self._peek()
        if head.kind in ("TERM", "STAR") and self._peek(head.end).kind == ":":
            self._at = self._peek(head.end).end
            field = unescaped(head.text)
        if self._peek().kind == "(":
            self._take()
            query = self._query(field)
            if self._take().kind != ")":
                raise _SyntaxError('Encountered "<EOF>", was expecting ")"')
            return self._boosted(query)
        return self._term(field)

    def _term(self, field: str | None) -> Query | None:
        token = self._take()
        if token.kind in ("[", "{"):
            return self._boosted(self._range(field, token.kind))
        if token.kind == "QUOTED":
            slop = self._slop
            if self._peek().kind == "FUZZY":
                number = re.match(r"~([0-9]+)", self._take().text)
                slop = int(number.group(1)) if number else slop
            return self._boosted(self._fields(field).phrase(unescaped(token.text[1:-1]), slop))
        if token.kind not in ("TERM", "STAR", "PREFIX", "WILD", "REGEXP", "BARE"):
            raise _SyntaxError(f'Encountered "{token.text or "<EOF>"}" at column {self._at}')
        fuzzy = self._take().text if self._peek().kind == "FUZZY" else None
        boost = self._take() if self._peek().kind == "BOOST" else None
        if fuzzy is None and boost is not None and self._peek().kind == "FUZZY":
            fuzzy = self._take().text
        query = self._bare(field, token, fuzzy)
        return query if boost is None or query is None else boosted(query, float(boost.text[1:]))

    def _boosted(self, query: Query | None) -> Query | None:
        if query is None or self._peek().kind != "BOOST":
            return query
        return boosted(query, float(self._take().text[1:]))

    # --- meaning

    def _fields(self, field: str | None) -> TextFields:
        if field is None or field == self._named:
            return self._where
        return self._where.of(field)

    def _bare(self, field: str | None, token: _Token, fuzzy: str | None) -> Query | None:
        if token.kind in ("STAR", "WILD"):
            return self._wildcard(field, token.text)
        if token.kind == "PREFIX":
            if field == "_exists_":
                raise not_implemented("[_exists_] of a pattern in query [query_string]")
            return self._fields(field).prefix(unescaped(token.text[:-1]))
        if token.kind == "REGEXP":
            return self._fields(field).regexp(token.text[1:-1])
        if fuzzy is not None:
            edits = fuzzy[1:] or self._fuzziness
            if fuzzy[1:] and float(edits) not in (0.0, 1.0, 2.0):
                raise illegal_argument(f"fuzziness needs to be one of 0.0, 1.0 or 2.0 but was {float(edits)}")
            return self._fields(field).fuzzy(unescaped(token.text), checked_fuzziness(edits), self._fuzzy)
        return self._words(field, unescaped(token.text))

    def _words(self, field: str | None, text: str) -> Query | None:
        if field == "_exists_":
            return exists_query(text, self._where.context)
        field = self._named if field is None else field
        if field is not None and len(text) > 1 and text[0] in "<>":
            inclusive = text[1] == "="
            bound = text[2:] if inclusive and len(text) > 2 else text[1:]
            if text[0] == ">":
                return self._fields(field).range(bound, None, inclusive, True)
            return self._fields(field).range(None, bound, True, inclusive)
        return self._fields(field).words(text)

    def _wildcard(self, field: str | None, text: str) -> Query:
        actual = self._named if field is None else field
        if field == "_exists_":
            raise not_implemented("[_exists_] of a pattern in query [query_string]")
        if text == "*" and actual is not None:
            return MatchAll() if actual == "*" else exists_query(actual, self._where.context)
        if text[0] in "*?" and not self._leading:
            raise _SyntaxError("'*' or '?' not allowed as first character in WildcardQuery")
        return self._fields(field).wildcard(text)

    def _range(self, field: str | None, opening: str) -> Query:
        found = _RANGE.match(self._source, self._at)
        if found is None:
            raise _SyntaxError(f"Encountered a malformed range at column {self._at}")
        self._at = found.end()
        low, high = (_bound(part) for part in found.groups()[:2])
        return self._fields(field).range(low, high, opening == "[", found.group(3) == "]")

    def _add(self, clauses: list[_Clause], joined: str, modifier: str, query: Query | None) -> None:
        last = clauses[-1] if clauses else None
        if last is not None and last.occur != "must_not":
            if joined == "AND":
                last.occur = "must"
            elif joined == "OR" and self._and:
                last.occur = "should"
        if query is None:
            return
        negated = modifier in ("MINUS", "NOT")
        if self._and:
            required = not negated and joined != "OR"
        else:
            required = modifier == "PLUS" or (joined == "AND" and not negated)
        clauses.append(_Clause("must_not" if negated else "must" if required else "should", query))

    def _add_run(self, clauses: list[_Clause], query: Query | None) -> None:
        """Words for one field become clauses beside the others."""
        if query is None:
            return
        if isinstance(query, Bool):
            clauses.extend(_Clause("must", part) for part in query.must)
            clauses.extend(_Clause("should", part) for part in query.should)
        else:
            clauses.append(_Clause("must" if self._and else "should", query))


def _boolean(clauses: list[_Clause]) -> Query | None:
    if not clauses:
        return None
    by_occur: dict[str, list[Query]] = {"must": [], "should": [], "must_not": []}
    for clause in clauses:
        by_occur[clause.occur].append(clause.query)
    must, should, must_not = by_occur["must"], by_occur["should"], by_occur["must_not"]
    if not must and not should:
        return Bool(filter=[MatchAll()], must_not=must_not)
    return Bool(must, [], should, must_not, 0 if must else 1)


def _bound(text: str) -> str | None:
    if text.startswith('"'):
        return unescaped(text[1:-1])
    return None if text == "*" else unescaped(text)


def unescaped(text: str) -> str:
    """Without the backslashes that take a character's meaning away."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
