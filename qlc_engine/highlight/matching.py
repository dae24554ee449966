"""Finds the tokens of a text that a query matches."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from qlc_engine.analysis import Analyzer
from qlc_engine.docset import DocSet
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import Query
from qlc_engine.queries.blended import BlendedTerm
from qlc_engine.queries.compound import Bool, Boosted, Boosting, ConstantScore, DisMax, Nested
from qlc_engine.queries.function_score import FunctionScore
from qlc_engine.queries.fuzzy import Fuzzy
from qlc_engine.queries.phrase import Phrase, PrefixOfText
from qlc_engine.queries.terms import AnyTerm, FoldedTerm, Prefix, Regexp, Term, TermPattern, TermRange
from qlc_engine.terms import encode_term


@dataclass(frozen=True, slots=True)
class TextToken:
    """One token of a text; offsets count characters."""

    term: bytes
    start: int
    end: int
    position: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A part of the text that matched. `key` names what matched it: repeats of one key count less."""

    start: int
    end: int
    key: object
    frequency: int = 1


def wanted_terms(query: Query) -> set[str] | None:
    """Return the terms that a query looks for; None if it may match others: `fox OR qui*` -> None."""
    if isinstance(query, Boosted | ConstantScore):
        return wanted_terms(query.inner)
    if isinstance(query, Term | BlendedTerm):
        term = query.term.decode()
        return None if "\ufffd" in term else {term}  # a text may have half of a surrogate pair instead
    if not isinstance(query, Bool | DisMax):
        return None
    parts = query.queries if isinstance(query, DisMax) else [*query.must, *query.filter, *query.should, *query.must_not]
    found = [wanted_terms(part) for part in parts]
    return None if None in found else {term for some in found for term in some or ()}


def tokens_of(
    analyzer: Analyzer | None, normalize: Callable[[str], str], values: Sequence[str], query: Query
) -> list[TextToken]:
    """Return the tokens of several values that are joined by one character; without an analyser each value is a token.

    Tokens that the query cannot match may be left out.
    """
    wanted = wanted_terms(query) if len(values) == 1 else None
    out: list[TextToken] = []
    base = offset = 0
    for value in values:
        if analyzer is None:
            out.append(TextToken(encode_term(normalize(value)), offset, offset + len(value), base))
            base += 1
        else:
            position = base
            for token in analyzer.tokens(value, wanted):
                position = base + token.position
                out.append(TextToken(encode_term(token.term), offset + token.start, offset + token.end, position))
            base = position + 1 + analyzer.position_increment_gap
        offset += len(value) + 1
    return out


@dataclass(frozen=True)
class Matcher:
    """Finds the parts of one text of a document that a query matched.

    `accepts` tells which fields count. With `whole` a phrase is one part, and clauses that do not match the document
    (`leaf`, `doc`) give none; else each term of a phrase is a part, and every clause gives what it can. With `loose`
    the begin of a word that ends a phrase counts wherever it is.
    """

    tokens: Sequence[TextToken]
    accepts: Callable[[str], bool]
    leaf: Leaf
    doc: int
    whole: bool
    loose: bool = False
    #: the documents of each query in each leaf by their identities; the query is there so that it lives as long
    documents: dict[tuple[int, int], tuple[Query, DocSet]] = field(default_factory=dict)
    #: below a nested query, whose elements are not documents of `leaf`
    everywhere: bool = False
    #: by the identity of a query, which is there so that it lives as long
    _known: dict[int, tuple[Query, bool]] = field(default_factory=dict)
    _by_term: dict[bytes, list[TextToken]] = field(default_factory=dict)

    def hits(self, query: Query) -> list[Hit]:
        for token in () if self._by_term else self.tokens:
            self._by_term.setdefault(token.term, []).append(token)
        found = sorted(self._of(query), key=lambda hit: (hit.start, hit.end))
        if self.whole:
            return found
        # several clauses may give one token; each term counts as often as it is in the text
        return list(dict.fromkeys(found))

    def _of(self, query: Query) -> Iterator[Hit]:
        if self.whole and not self._fits(query):
            return
        if isinstance(query, Boosted | ConstantScore):
            yield from self._of(query.inner)
        elif isinstance(query, Bool):
            for clause in (*query.must, *query.filter, *query.should):
                yield from self._of(clause)
        elif isinstance(query, DisMax):
            for clause in query.queries:
                yield from self._of(clause)
        elif isinstance(query, Boosting):
            yield from self._of(query.positive)
        elif isinstance(query, FunctionScore):
            yield from self._of(query.query)
        elif isinstance(query, Nested):
            yield from dataclasses.replace(self, everywhere=True, _known={})._of(query.inner)
        elif isinstance(query, BlendedTerm):
            for path, _ in query.fields:
                yield from self._of(Term(path, query.term))
        elif isinstance(query, Phrase):
            yield from self._phrase(query)
        else:
            yield from self._single(query)

    def _fits(self, query: Query) -> bool:
        """Whether a query matches the document, of the highlighted field judged by its tokens."""
        if id(query) not in self._known:
            self._known[id(query)] = query, self._fits_anew(query)
        return self._known[id(query)][1]

    def _fits_anew(self, query: Query) -> bool:
        if isinstance(query, Boosted | ConstantScore):
            return self._fits(query.inner)
        if isinstance(query, Bool):
            needed = all(self._fits(clause) for clause in (*query.must, *query.filter))
            excluded = needed and any(self._fits(clause) for clause in query.must_not)
            return needed and not excluded and sum(map(self._fits, query.should)) >= query.minimum
        if isinstance(query, DisMax):
            return any(map(self._fits, query.queries))
        if isinstance(query, BlendedTerm):
            return any(self._fits(Term(path, query.term)) for path, _ in query.fields)
        path = getattr(query, "path", None)
        if isinstance(path, str) and self.accepts(path) and not isinstance(query, Nested):
            hits = self._phrase(query) if isinstance(query, Phrase) else self._single(query)
            if next(hits, None) is not None:
                return True
        if self.everywhere or isinstance(query, Nested):
            return True
        place = id(query), id(self.leaf)
        if place not in self.documents:
            self.documents[place] = query, query.docs(self.leaf)
        return bool(self.documents[place][1].contains_each(np.array([self.doc]))[0])

    def _single(self, query: Query) -> Iterator[Hit]:
        path = getattr(query, "path", None)
        fits = term_test(query)
        if fits is None or path is None or not self.accepts(path):
            return
        if isinstance(query, Term):
            found = self._by_term.get(query.term, [])
        else:
            found = [token for token in self.tokens if fits(token.term)]
        for token in found:
            if self.whole:
                yield Hit(token.start, token.end, query)
            elif self.loose and not isinstance(query, Term):
                yield Hit(token.start, token.end, query, len(found))
            else:
                yield Hit(token.start, token.end, token.term, sum(t.term == token.term for t in found))

    def _phrase(self, query: Phrase) -> Iterator[Hit]:
        if not self.accepts(query.path):
            return
        slots: list[list[TextToken]] = []
        for number, (term, _) in enumerate(query.slots):
            last = query.last_prefix and number == len(query.slots) - 1
            slots.append([t for t in self.tokens if (t.term.startswith(term) if last else t.term == term)])
        offsets = [offset for _, offset in query.slots]
        if self.loose and query.last_prefix:
            for token in slots[-1]:
                yield Hit(token.start, token.end, token.term, sum(t.term == token.term for t in slots[-1]))
        if query.slop and not self.whole:
            for token in _near(slots, query.slop):
                yield Hit(token.start, token.end, token.term, sum(t.term == token.term for t in self.tokens))
            return
        for group in _occurrences(slots, offsets, query.slop):
            if self.whole:
                yield Hit(min(t.start for t in group), max(t.end for t in group), query)
            else:
                for token in group:
                    yield Hit(token.start, token.end, token.term, sum(t.term == token.term for t in self.tokens))


def _occurrences(slots: list[list[TextToken]], offsets: list[int], slop: int) -> Iterator[list[TextToken]]:
    """Tokens in the order of the phrase, up to the slop; each first one with its nearest others."""
    if not all(slots):
        return
    by_place = [{token.position: token for token in slot} for slot in slots]
    for first in slots[0]:
        group = [first]
        for slot, offset in zip(by_place[1:], offsets[1:], strict=True):
            wanted = first.position + offset - offsets[0]
            if slop == 0:
                exact = slot.get(wanted)
                if exact is None:
                    break
                group.append(exact)
                continue
            free = [token for token in slot.values() if token not in group]
            if not free:
                break
            group.append(min(free, key=lambda token: (abs(token.position - wanted), token.position)))
        if len(group) < len(slots):
            continue
        places = [token.position - offset for token, offset in zip(group, offsets, strict=True)]
        if max(places) - min(places) <= slop:
            yield group


def _near(slots: list[list[TextToken]], slop: int) -> list[TextToken]:
    """Tokens, one of each slot in any order, as near together as the slop allows."""
    found: set[TextToken] = set()
    every = sorted({token for slot in slots for token in slot}, key=lambda token: token.position)
    for at, first in enumerate(every):
        window = [token for token in every[at:] if token.position - first.position + 1 - len(slots) <= slop]
        group: list[TextToken] = []
        for slot in slots:
            free = next((token for token in window if token in slot and token not in group), None)
            if free is None:
                break
            group.append(free)
        if len(group) == len(slots) and first in group:
            found.update(group)
    return sorted(found, key=lambda token: token.position)


def term_test(query: Query) -> Callable[[bytes], bool] | None:
    """Return a test for terms that a query matches; None for queries that are not on terms."""
    if isinstance(query, Term):
        return lambda term: term == query.term
    if isinstance(query, AnyTerm):
        return lambda term: term in query.terms
    if isinstance(query, FoldedTerm):
        return lambda term: term.lower() == query.folded
    if isinstance(query, TermRange):
        return lambda term: _in_range(term, query)
    if isinstance(query, Prefix | PrefixOfText):
        return lambda term: term.startswith(query.prefix)
    if isinstance(query, Regexp):
        return lambda term: query.pattern.fullmatch(term.decode())
    if isinstance(query, Fuzzy):
        return lambda term: bool(query.near([term]))
    if isinstance(query, TermPattern):
        return lambda term: _fits_pattern(term, query)
    return None


def _in_range(term: bytes, query: TermRange) -> bool:
    above = query.low is None or term > query.low or (query.include_low and term == query.low)
    below = query.high is None or term < query.high or (query.include_high and term == query.high)
    return above and below


def _fits_pattern(term: bytes, query: TermPattern) -> bool:
    text = term.lower() if query.folded else term
    return query.literal in text if query.pattern is None else query.pattern.fullmatch(text) is not None
