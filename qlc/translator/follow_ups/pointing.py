"""Resolve words that point back (`it`, `those`); each possible way gives a parse of its own.

`it`, `that lease` and `the second one` become one token for a document of an earlier answer, `those` one for the
condition of the earlier search. A question about each of them (`who owns them?`), or about the one that a query found,
is read with a placeholder for its name, which is replaced afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement, mapped, walked
from qlc.mapping.fields import FieldKind
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import field_of
from qlc.translator.follow_ups.history import (
    CLOSING,
    EACH,
    FOUND_BY,
    OPENING,
    Base,
    Earlier,
    Meant,
    nth,
    people,
    thing_called,
    things,
)
from qlc.translator.follow_ups.joining import no_set, the_set
from qlc.translator.programs import statement_of
from qlc.translator.rules.build import COUNT, path
from qlc.translator.rules.lexicon.lexemes import (
    EntityWord,
    FieldWord,
    Lexeme,
    NameWord,
    ThingWord,
    ThoseWord,
    ValueWord,
)
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.numbers import ordinal
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.tokens import Token, TokenKind

MOST_WAYS = 8
_LONGEST_PLACE = 3  # digits of a place in a list


@dataclass(frozen=True, slots=True)
class _Said:
    """Tokens up to `end` in other words: what stands for them, and what the mark among these points to."""

    end: int
    tokens: tuple[Token, ...]
    payload: ThingWord | ThoseWord | None = None
    cost: float = 0.0

    @property
    def place(self) -> int:
        return next((at for at, token in enumerate(self.tokens) if token.kind is TokenKind.MARK), 0)


@dataclass(frozen=True, slots=True)
class Way:
    """The tokens with one way to take each pronoun; `points` at the places of those that point back."""

    tokens: tuple[Token, ...]
    points: tuple[tuple[int, ThingWord | ThoseWord], ...] = ()
    cost: float = 0.0

    def parse(self, p: Parse, found: Sequence[Lexeme[NameWord | ValueWord]]) -> Parse:
        """The parse of these tokens, with what was looked up for the text at the same places."""
        made = Parse(self.tokens, p.lexicon, p.now, p.text)
        for at, payload in self.points:
            made.lexemes[at].append(Lexeme(at, at + 1, payload))
        starts = {token.start: at for at, token in enumerate(made.tokens)}
        ends = {token.end: at + 1 for at, token in enumerate(made.tokens)}
        for one in found:
            start, end = starts.get(p.tokens[one.start].start), ends.get(p.tokens[one.end - 1].end)
            if start is not None and end is not None:
                made.lexemes[start].append(Lexeme(start, end, one.payload, one.cost))
        made.before, made.measured = p.before, p.measured
        return made


class Pronouns:
    """Resolve the pronouns of one text to documents, people and conditions of earlier turns."""

    def __init__(self, p: Parse, earlier: Sequence[Earlier], base: Base | None) -> None:
        self.p = p
        self._earlier = earlier
        self._base = base
        self._things = things(earlier, p.schema)
        self._people = people(earlier, p.schema)

    def ways(self, start: int) -> list[Way]:
        """Every way to take the pronouns from a place on, surest first."""
        open_ways = [(Way(self.p.tokens[:start]), start)]
        done: list[Way] = []
        while open_ways:
            way, here = open_ways.pop(0)
            if here >= self.p.end:
                done.append(way)
                continue
            for said in self._said(here, start):
                point = ((len(way.tokens) + said.place, said.payload),) if said.payload is not None else ()
                longer = Way((*way.tokens, *said.tokens), (*way.points, *point), way.cost + said.cost)
                open_ways.append((longer, said.end))
            if len(open_ways) > MOST_WAYS:
                open_ways = sorted(open_ways, key=lambda one: one[0].cost)[:MOST_WAYS]
        return sorted(done, key=lambda one: one.cost)[:MOST_WAYS]

    def _said(self, at: int, start: int) -> list[_Said]:
        p, word = self.p, self.p.word(at)
        as_it_is = _Said(at + 1, (p.tokens[at],))
        if not word:
            return [as_it_is]
        before = p.word(at - 1) if at > start else ""
        if before in english.NOT_AFTER and before not in ("of", "show", "list", "count"):
            return [as_it_is]
        listed = list(self._nth(at, start))
        if listed:
            return listed
        if word in ("of", "in", "among", "from") and p.word(at + 1) in english.SEVERAL and at > start and self._base:
            after = self._with_noun(at + 2)
            those = self._those(at + 1, after)
            return [self._those(at, after), replace(those, tokens=(p.tokens[at], *those.tokens))]
        if word in english.WHOSE:
            return self._whose(at) or [self._unknown(at)]
        if word in english.PERSON:
            return self._pointing(at, at + 1, self._people) or [self._unknown(at)]
        if word in english.SEVERAL:
            return self._several(at) or [self._unknown(at)]
        if word in english.ONES and p.word(at + 1) == "first":
            return [as_it_is]  # "largest ones first"
        if word in english.ONES or (word in english.ONE and self._is_noun(at)):
            return [self._those(at, at + 1)] if self._base is not None else [self._unknown(at)]
        if word == "there" and at > start and not {before, p.word(at + 1)} & plain.COPULAS:
            meant = self._things if before in plain.PREPOSITIONS else []
            return self._pointing(at, at + 1, meant) or [self._unknown(at)]
        return self._thing(at) or [as_it_is]

    def _is_noun(self, at: int) -> bool:
        """`the signed one`, `which one`, but not `one document`."""
        before = self.p.word(at - 1) if at else ""
        entity = any(self.p.starting(at + 1, EntityWord))
        return before not in ("", "top", "first", "last") and not entity and before not in plain.PREPOSITIONS

    def _those(self, at: int, end: int) -> _Said:
        assert self._base is not None
        return _Said(end, (self._mark(at, end),), ThoseWord(self._base.entity.name))

    def _mark(self, at: int, end: int) -> Token:
        """One token for words that point back, so that nothing else is read into them."""
        first, last = self.p.tokens[at], self.p.tokens[end - 1]
        raw = self.p.text[first.start : last.end]
        return Token(f"{OPENING}{raw.casefold()}{CLOSING}", raw, first.start, last.end, TokenKind.MARK)

    def _with_noun(self, at: int) -> int:
        """After the noun of `those documents`."""
        for lexeme in self.p.starting(at, EntityWord) if self._base is not None else ():
            if self._base is not None and lexeme.payload.entity == self._base.entity.name:
                return lexeme.end
        return at + 1 if self.p.word(at) in english.RESULTS | english.ONES else at

    def _pointing(self, at: int, end: int, meant: Sequence[Meant], *, whose: bool = False) -> list[_Said]:
        token = self._mark(at, end)
        after = (Token("'s", "'s", token.end, token.end, TokenKind.CLITIC),) if whose else ()
        return [_Said(end, (token, *after), word, cost) for word, cost in meant]

    def _unknown(self, at: int) -> _Said:
        """A pronoun for nothing that is known: no rule reads it."""
        return _Said(at + 1, (self._mark(at, at + 1),))

    def _whose(self, at: int) -> list[_Said]:
        word = self.p.word(at)
        kind = english.WHOSE[word]
        found = self._pointing(at, at + 1, self._people, whose=True) if kind != "thing" else []
        if word == "her":
            found += self._pointing(at, at + 1, [(one, cost + 0.05) for one, cost in self._people])
        if kind != "person":
            found += self._pointing(at, at + 1, self._things, whose=True)
        if kind == "any" and self._base is not None:
            found.append(self._those(at, at + 1))
            found += self._pointing(at, at + 1, self._each(), whose=True)
        return found

    def _several(self, at: int) -> list[_Said]:
        found: list[_Said] = []
        if self._base is not None:
            end = self._with_noun(at + 1)
            found = [self._those(at, end), *self._pointing(at, end, self._each())]
        if self.p.word(at) in ("they", "them"):
            found += self._pointing(at, at + 1, [(one, cost + 0.05) for one, cost in self._people])
        return found

    def _thing(self, at: int) -> list[_Said]:
        """`it`, `that one`, `this folder`, `that lease`, `the same person`, `the results`."""
        p, word = self.p, self.p.word(at)
        if word == "it":
            return self._pointing(at, at + 1, self._things) or [self._unknown(at)]
        same = p.word(at + 1) == "same"
        begins = word in english.DEMONSTRATIVES or (word == "the" and same)
        if not begins and word != "the":
            return []
        noun = at + 2 if same else at + 1
        for lexeme in (one for one in p.starting(noun, EntityWord) if not p.plural(one.end)):
            name = lexeme.payload.entity
            known = self._people if p.entity(name).virtual else self._things
            fitting = [(one, cost) for one, cost in known if self._fits(one, name)]
            if fitting and (begins or self._is_alone(lexeme.end)):
                return self._pointing(at, lexeme.end, fitting)
            # "that folder", after a document: the one that it is in
            holders = [(one, cost) for one, cost in self._things if self._refers_to(one, name)]
            if begins and not fitting and holders and not same:
                return self._pointing(at, at + 1, holders, whose=True)
        called = self._called(noun) if begins else []
        if called:
            return called
        if begins and p.word(noun) in english.ONE:
            return self._pointing(at, noun + 1, self._things) or [self._unknown(at)]
        if p.word(noun) in english.RESULTS and self._base is not None and self._is_alone(noun + 1):
            return [self._those(at, noun + 1)]
        before, asking = (p.word(at - back) if at >= back else "" for back in (1, 2))
        led = before in plain.PREPOSITIONS | plain.COPULAS | plain.AUXILIARIES or asking in ("who", "when")
        if word in english.DEMONSTRATIVES and led and self._is_alone(at + 1):
            return self._pointing(at, at + 1, self._things)  # else it begins a clause: "those that expire"
        return []

    def _called(self, noun: int) -> list[_Said]:
        """`that lease`: a noun that the thing was found by, or has in its name, where no field is called so."""
        p = self.p
        for lexeme in p.starting(noun, ValueWord):
            if not p.plural(lexeme.end) and not p.starting(lexeme.end, EntityWord):
                word = thing_called(self._earlier, p.tokens[noun : lexeme.end], p.schema)
                if word is not None:
                    return self._pointing(noun - 1, lexeme.end, [(word, 0.0)])
        return []

    def _is_alone(self, at: int) -> bool:
        """Whether nothing after a noun says more about it: the end, a verb, the property of a thing."""
        p = self.p
        if at >= p.end or p.word(at) in english.AFTER_THING or p.word(at) in plain.POSSESSIVES:
            return True
        return bool(p.starting(at, FieldWord)) and not p.starting(at, ValueWord)

    def _fits(self, word: ThingWord, name: str) -> bool:
        """Whether what is known to be one of these kinds may be of a kind. A history may name kinds that are gone."""
        of = [self.p.schema.entities[one] for one in word.entities if one in self.p.schema.entities]
        kinds = {one.name for one in of}
        return name in kinds or bool(set(self.p.entity(name).kinds) & kinds) or any(name in one.kinds for one in of)

    def _refers_to(self, word: ThingWord, name: str) -> bool:
        """Whether a thing has one reference to things of a kind."""
        if len(word.entities) != 1 or word.entities[0] not in self.p.schema.entities:
            return False
        fields = self.p.entity(word.entities[0]).fields.values()
        return sum(one.reference is not None and one.reference.entity == name for one in fields) == 1

    def _each(self) -> list[Meant]:
        """The word for each of the things found."""
        fits = self._base is not None and self._base.rows is None
        return [(ThingWord((self._base.entity.name,), EACH), 0.0)] if fits and self._base is not None else []

    def _nth(self, at: int, start: int) -> Iterator[_Said]:
        """`the first one`, `the second document`, `the last of them`, `number 2`, `the 3rd`."""
        p = self.p
        begin = at + 1 if p.word(at) == "the" else at
        place, end = place_at(p, begin)
        if not place:
            return
        nouns = (one.end for one in p.starting(end, EntityWord) if not p.plural(one.end))
        noun = end + 1 if p.word(end) in english.ORDINAL_NOUNS else next(nouns, end)
        of = noun + 2 if p.word(noun) == "of" and p.word(noun + 1) in english.SEVERAL else noun
        if of == end and not (self._is_alone(end) and (begin > at or at == start)):
            return  # "newest first"
        if of == noun > end and p.word(noun) in plain.PREPOSITIONS - {"in"}:
            return  # "the first document in Legal": said of other things
        yield _Said(of, (self._mark(at, of),), nth(self._earlier, place, p.schema))


def place_at(p: Parse, at: int) -> tuple[int, int]:
    """The place of `second`, `last` (-1), `number 2`, and where that ends; 0 where none is named."""
    if p.word(at) == "last":
        return -1, at + 1
    found = ordinal(p, at)
    if found is not None:
        return found.value, found.end
    named = p.word(at + 1) if p.word(at) in ("number", "#", "no") else ""
    return (int(named), at + 2) if named.isdecimal() and len(named) < _LONGEST_PLACE else (0, at)


_OVER_A_QUERY: dict[str, tree.ComparisonOperator] = {"=": "in", "under": "under in"}


def points_by_name(way: Way) -> bool:
    """Whether a word stands for what has no name: each of those found, or the one that a query found."""
    return any(
        isinstance(payload, ThingWord) and payload.text.startswith((EACH, FOUND_BY)) for _, payload in way.points
    )


def with_what_it_means(statement: Statement, base: Base | None) -> Statement | None:
    """The statement with what was found in the place of the word for it; None where it cannot be there."""
    if any(_name(one) == EACH for one in walked(statement)):
        return _asked_of_each(statement, base)
    if isinstance(statement, tree.Find) and (query := _query(statement.entity)) is not None:
        return query if statement.where is None and not statement.show else None

    def changed(node: tree.Node) -> tree.Node | None:
        if isinstance(node, tree.Comparison) and (query := _query(node.right)) is not None:
            operator = _OVER_A_QUERY.get(node.operator)
            return replace(node, operator=operator, right=tree.Subquery(query)) if operator else None
        if isinstance(node, tree.Member) and (query := _query(node.base)) is not None:
            return replace(node, base=tree.Subquery(query))
        return None

    found = mapped(statement, changed)
    return None if any(_query(one) is not None for one in walked(found)) else found


def _asked_of_each(statement: Statement, base: Base | None) -> Statement | None:
    """`who owns them?`: who it is in groups, all else as a column of the list."""
    if base is None or not isinstance(statement, tree.Get) or no_set(base):
        return None
    asked = [path(*(name.text for name in item.names)) for item in statement.items
             if isinstance(item, tree.Member) and isinstance(item.base, tree.EntityLookup)]  # fmt: skip
    fields = [field_of(base.entity, one) for one in asked]
    field = fields[0] if fields else None
    if len(asked) < len(statement.items) or None in fields or field is None:
        return None
    if len(asked) == 1 and (field.reference is not None or field.kind in (FieldKind.KEYWORD, FieldKind.BOOLEAN)):
        return tree.Aggregate((COUNT,), base.name, the_set(base), (tree.Group(asked[0]),))
    before = base.statement
    found = before if isinstance(before, tree.Find) else tree.Find(base.name, before.where)
    return replace(found, show=tuple(asked))


def _name(node: tree.Node) -> str:
    name = node.name if isinstance(node, tree.EntityLookup) else node
    return name.value if isinstance(name, tree.String) else ""


def _query(node: tree.Node) -> tree.Find | None:
    name = _name(node)
    query = statement_of(name.removeprefix(FOUND_BY)) if name.startswith(FOUND_BY) else None
    return query if isinstance(query, tree.Find) else None
