"""Find names and values of the index that occur in a question, or are similar to its words."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from qlc.grammar.printer import print_string
from qlc.mapping.schema import Entity, Schema
from qlc.outcome import Hits
from qlc.translator.model.contents import contents_text
from qlc.translator.model.described import MOST_VALUES
from qlc.translator.model.fields import Fields
from qlc.translator.model.ranking import Ranking, terms
from qlc.translator.model.sensitivity import names_are_sensitive
from qlc.translator.protocol import Need, Try
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, NameWord, ValueWord
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS
from qlc.translator.rules.words.tokens import Token, TokenKind, fold, tokenize

MOST = 40
MOST_RANKED = 15
WORTH = 0.5  # lowest share of the best score at which a text with common words is shown
MOST_LOOKED_UP = 8  # words of a question that are looked up in fields with too many values to be read
MOST_ALIKE = 6  # names of one kind, or values of one field, that share words with the question
MOST_KEYS = 60
LIKE = 84.0  # how alike two spellings are (0 to 100) for one to be offered for the other
_WORDS = re.compile(r"(?<![^\W_])[^\W\d_]{3}|[^\x00-\x7f]{2}")
"""Three letters that begin a word. A hexadecimal id has them seldom, a fraction never."""


@dataclass(frozen=True, slots=True)
class Match:
    """A text of the index with its role: a name of an entity, or a value of a field.

    `said` are the question's words if they differ. `entity` is set if the question has the whole name; `paths` lead to
    several documents of that name, and there may be `more`.
    """

    text: str
    of: str
    field: str = ""
    said: str = dataclasses.field(default="", compare=False)
    entity: str = dataclasses.field(default="", compare=False)
    paths: tuple[str, ...] = dataclasses.field(default=(), compare=False)
    more: bool = dataclasses.field(default=False, compare=False)


class Matcher:
    """Compare the names and values of a lexicon with questions. Sensitive values never match, whoever asks."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        schema = lexicon.schema
        self._hidden = {name for name, entity in schema.entities.items() if names_are_sensitive(entity, schema)}
        self._contents: str | None = None

    def matches(self, text: str) -> tuple[Match, ...]:
        """Return matches: exact ones (longest first), then similar spellings, then texts with common words."""
        tokens = tokenize(text)
        found = dict.fromkeys(self._meant(tokens))
        found |= dict.fromkeys(self._spelled_alike(tokens))
        ranked = self._ranking.best(self._distinctive(tokens), MOST_RANKED)
        alike: Counter[str] = Counter()
        for number, score in ranked:
            spelling, match = self._spellings[number]
            alike[match.of] += 1
            if score >= WORTH * ranked[0][1] and alike[match.of] <= MOST_ALIKE:
                found.setdefault(_as_spelled(match, spelling))
        named = {(match.text, match.of) for match in found if match.entity}
        parts = {match for match in found if (match.text, match.of.removeprefix("part of the ")) in named}
        return tuple(one for one in found if one.entity or one not in parts)[:MOST]

    def unread(self, text: str) -> tuple[str, ...]:
        """Words that may be values of fields with too many values to be read: quoted, or none that is known."""
        tokens = tokenize(text)
        found = dict.fromkeys(token.raw for token in tokens if token.kind is TokenKind.QUOTED)
        words = [word.strip(".,;:?!()'\"") for word in text.split()]
        for word in words:
            if fold(word) not in FUNCTION_WORDS and not self._lexicon.knows(fold(word)) and not _is_small(word):
                found[word] = None
        named = [f"{one} {other}" for one, other in pairwise(words) if one[:1].isupper() and other[:1].isupper()]
        return tuple(one for one in (*named, *found) if len(one) > 1)[:MOST_LOOKED_UP]

    def found(self, occurring: Iterable[tuple[FieldRef, str, str]]) -> tuple[Match, ...]:
        """Return the values that were looked up as matches."""
        named = ((".".join(ref.path), text) for ref, text, _ in occurring)
        return tuple(Match(text, f"value of {name}", name) for name, text in named)

    @property
    def many_valued(self) -> frozenset[tuple[str, ...]]:
        """The fields with too many values to be read."""
        paths = [ref.path for ref in self._lexicon.fields() if not _is_sensitive(ref)]
        return self._lexicon.values.partly & frozenset(paths)

    @property
    def empty(self) -> frozenset[str]:
        """The names of the fields that no document has."""
        return frozenset(".".join(path) for path in self._lexicon.values.empty)

    def contents(self, fields: Fields) -> str:
        """Return what the documents hold as text; the same for all questions until the index is read again."""
        if self._contents is None:
            self._contents = contents_text(fields, self._lexicon.values, self._hidden)
        return self._contents

    def keys(self) -> dict[str, tuple[str, ...]]:
        """The keys of key/value lists, by list."""
        hidden = {many.name for entity in self._lexicon.schema.entities.values() for many in entity.lists.values()
                  if many.sensitive or any(one.sensitive for one in many.fields.values())}
        found = self._lexicon.values.keys
        return {name: tuple(keys)[:MOST_KEYS] for name, keys in found.items() if name not in hidden and keys}

    def _distinctive(self, tokens: tuple[Token, ...]) -> list[str]:
        """Return the terms that tell texts apart: no kinds of things, and of numbers only years and codes."""
        kinds = {
            at
            for row in self._lexicon.lexemes(tokens)
            for one in row
            if isinstance(one.payload, EntityWord)
            for at in range(one.start, one.end)
        }
        return [
            term
            for at, token in enumerate(tokens)
            if at not in kinds and token.text not in FUNCTION_WORDS and not _is_small(token.text)
            for term in terms(token.raw)
            if len(term) > 1 and not _is_small(term)
        ]

    def _meant(self, tokens: tuple[Token, ...]) -> Iterator[Match]:
        quoted = [one for token in tokens if token.kind is TokenKind.QUOTED for one in self._lexicon.named(token.raw)]
        for word in quoted:
            yield from self._as_matches(word)
        lexemes = [one for row in self._lexicon.lexemes(tokens) for one in row]
        for one in sorted(lexemes, key=lambda one: (one.start - one.end, one.cost, one.start)):
            # A value that is a word of the language says nothing, `in` or `by`; but `Old` in a sentence is a name.
            named = one.start > 0 and tokens[one.start].raw[:1].isupper()
            if named or one.end - one.start > 1 or tokens[one.start].text not in FUNCTION_WORDS:
                yield from self._as_matches(one.payload, " ".join(t.text for t in tokens[one.start : one.end]))

    def _as_matches(self, payload: object, said: str = "") -> Iterator[Match]:
        match payload:
            case NameWord():
                for entity in payload.entities:
                    if entity not in self._hidden:
                        part = "" if payload.whole else "part of the "
                        whole = entity if payload.whole else ""
                        yield Match(payload.text, f"{part}name of a {entity}", entity=whole)
            case ValueWord() if not _is_sensitive(payload.ref) and not _shown_anyway(payload):
                name = ".".join(payload.ref.path)
                yield Match(payload.text, f"value of {name}", name, "" if said == fold(payload.text) else said)

    def _spelled_alike(self, tokens: tuple[Token, ...]) -> Iterator[Match]:
        from rapidfuzz import fuzz, process

        words = [token for token in tokens if token.kind is not TokenKind.MARK]
        for start in range(len(words)):
            for end in range(start + 1, min(start + 4, len(words)) + 1):
                span = words[start:end]
                unknown = any(not self._lexicon.knows(one.text) and one.text not in FUNCTION_WORDS for one in span)
                outside = span[0].text in FUNCTION_WORDS or span[-1].text in FUNCTION_WORDS
                text = " ".join(one.text for one in span)
                if unknown and not outside and len(text) >= 4:
                    near = process.extract(text, self._folded, scorer=fuzz.ratio, score_cutoff=LIKE, limit=3)
                    for spelling, _, number in near:
                        yield _as_spelled(self._spellings[number][1], spelling)

    @cached_property
    def _all(self) -> tuple[Match, ...]:
        found: dict[Match, None] = {}
        values = self._lexicon.values
        for entity, names in values.names.items():
            if entity not in self._hidden:
                found |= dict.fromkeys(Match(name, f"name of a {entity}") for name in names or () if _has_words(name))
        for ref in self._lexicon.fields():
            if not _is_sensitive(ref):
                name, texts = ".".join(ref.path), values.values.get(ref.path, ())
                found |= dict.fromkeys(Match(text, f"value of {name}", name) for text in texts if _has_words(text))
        return tuple(found)

    @cached_property
    def _spellings(self) -> list[tuple[str, Match]]:
        """All names and values as they are spelled, closed ones in all their spellings."""
        found = [(one.text, one) for one in self._all]
        for ref in self._lexicon.fields():
            if ref.field.values is not None and not _is_sensitive(ref):
                name = ".".join(ref.path)
                for spelling, stored in ref.field.values.spellings.items():
                    if _has_words(spelling):
                        found.append((spelling, Match(ref.field.values.label(stored), f"value of {name}", name)))
        return found

    @cached_property
    def _folded(self) -> list[str]:
        return [fold(text) for text, _ in self._spellings]

    @cached_property
    def _ranking(self) -> Ranking:
        texts = [spelling if match.of not in self._listed else "" for spelling, match in self._spellings]
        return Ranking([dict.fromkeys(terms(text), 1.0) for text in texts])

    @cached_property
    def _listed(self) -> frozenset[str]:
        """The closed fields all of whose values the catalog shows: a word in common with one says nothing more."""
        return frozenset(
            f"value of {'.'.join(ref.path)}"
            for ref in self._lexicon.fields()
            if ref.field.values is not None and len(ref.field.values.display) <= MOST_VALUES
        )


def _as_spelled(match: Match, spelling: str) -> Match:
    return dataclasses.replace(match, said="" if fold(spelling) == fold(match.text) else spelling)


def _has_words(text: str) -> bool:
    """Whether a text can be meant by a part of it or with a slip: an id, a code or a number is that only as a whole."""
    is_code = text.isupper() and " " not in text and any(map(str.isdecimal, text))
    return not is_code and _WORDS.search(text) is not None


def _is_small(text: str) -> bool:
    return text.isdecimal() and len(text) < 4


def _shown_anyway(word: ValueWord) -> bool:
    """Whether a part of a value stands for it that the catalog shows: a word in common says nothing of it."""
    return word.ref.field.values is not None and not word.whole and not word.closed


def _is_sensitive(ref: FieldRef) -> bool:
    return ref.field.sensitive or (ref.within is not None and ref.within.sensitive)


MOST_NAMES, MOST_PATHS = 4, 8  # names of one kind of thing whose paths are read, and how many paths


def with_paths(matches: Sequence[Match], schema: Schema) -> Generator[Need, Any, tuple[Match, ...]]:
    """The matches, names of several things with the paths of these: one search for each kind of thing."""
    named: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for one in matches:
        if one.entity and _has_paths(schema.entities[one.entity]):
            named[one.entity][one.text] = None
    paths: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    cut: set[str] = set()
    for name, texts in named.items():
        entity = schema.entities[name]
        assert entity.path is not None
        field, path = entity.names[0].name, entity.path.name
        listed = ", ".join(print_string(text) for text in list(texts)[:MOST_NAMES])
        outcome = yield Try(f"find {entity.plural} where {field} in [{listed}] limit {MOST_PATHS} show {field}, {path}")
        if not isinstance(outcome, Hits):
            continue
        for hit in outcome.hits:
            paths[name, fold(str(hit.values.get(field)))].append(str(hit.values.get(path)))
        if len(outcome.hits) == MOST_PATHS:
            cut.add(name)
    return tuple(
        dataclasses.replace(one, paths=tuple(found), more=one.entity in cut)
        if len(found := paths.get((one.entity, fold(one.text)), [])) > 1
        else one
        for one in matches
    )


def _has_paths(entity: Entity) -> bool:
    return entity.path is not None and not entity.path.sensitive and bool(entity.names) and not entity.virtual
