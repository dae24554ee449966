"""Questions to begin with: each names fields and values that are there, and was answered before it is offered."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

from qlc.base.beside import beside
from qlc.base.options import access_key
from qlc.corpus.schema import BucketPart
from qlc.grammar.printer import print_string
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Entity, Field
from qlc.outcome import AggregateOut, Answer, Count, Hits, Outcome, Passages, ValueOut, is_empty
from qlc.pipeline.compiler import Compiler
from qlc.translator.entry import Asker
from qlc.translator.model.sensitivity import open_examples
from qlc.translator.programs import parsed
from qlc.translator.protocol import Translated

from .backend import Backend

Kind = Literal["list", "count", "group", "latest", "value", "measure", "highest", "quote"]

MOST = 6
"""Questions that are offered."""
_OF_PAPERS = 1
"""How many of them are about papers, at least, if there are tables too."""
_MOST_ENTITIES = 6
_OF_EXAMPLES = 3
"""How many of them are examples of the catalog, at most: the others are each of another kind."""
_MOST_EXAMPLES = 30
"""Examples of the catalog that are tried."""
_MOST_FIELDS = 4
"""Fields of an entity that are tried for a kind of question."""
_MOST_ASKED = 12
"""Questions to papers that are tried."""
_GROUPS = range(2, 31)
"""How many groups an answer by group should have."""
_LONGEST_VALUE = 40
_MOST_NAMES = 3
"""Things that are tried by their names."""
_MOST_LISTED = 50
_PLAIN_NAME = re.compile(r"\w[\w .-]{1,39}")
"""Matches names that people would type: those without signs."""
_MOST_CALLERS = 100


class Starter(BaseModel):
    kind: Kind
    text: str


async def starters(backend: Backend, access: Mapping[str, Any]) -> list[Starter]:
    """Return up to MOST questions of different kinds that have answers for a caller. They are made once for each set of
    rights.

        -> "orders with status paid", "how many tickets are there?", "tickets per priority", "the latest order"
    """
    asker = await backend.asker()
    await asker.compiler.load()
    key = (asker.compiler.reading_now(), access_key(access))
    if key not in backend.starters:
        if len(backend.starters) >= _MOST_CALLERS:
            backend.starters.clear()
        backend.starters[key] = await _made(backend, asker, access)
    found: list[Starter] = backend.starters[key]
    return found


async def _made(backend: Backend, asker: Asker, access: Mapping[str, Any]) -> list[Starter]:
    of_corpus = backend.corpus.corpus.index if backend.corpus is not None else None
    entities = [
        one for one in asker.compiler.schema.entities.values()
        if not one.virtual and one.index != of_corpus and any(not each.sensitive for each in one.fields.values())
    ]  # fmt: skip
    by_rules = Asker(asker.compiler, asker.translators[:1])
    tables = await _largest_first([_Table(one, by_rules, access) for one in entities[:_MOST_ENTITIES]])
    places = MOST if backend.corpus is None else MOST - _OF_PAPERS
    found = [one async for one in _examples(asker, by_rules, access)]
    if tables and len(found) < places:
        kinds = [one for one in _CANDIDATES if one not in [each.kind for each in found]]
        found += await _of_tables(tables, kinds, places - len(found))
    found.sort(key=lambda one: list(_CANDIDATES).index(one.kind))
    if backend.corpus is not None:
        if not tables:
            found += [one async for one in _of_bucket(backend, access)]
        found += [one async for one in _of_papers(backend, access, MOST - len(found))]
    return found


async def _examples(asker: Asker, by_rules: Asker, access: Mapping[str, Any]) -> AsyncIterator[Starter]:
    """Yield examples of the catalog that have an answer, each of another kind: as the rules read them, or as the
    catalog says where a language model is connected, which is shown them."""
    has_model = len(asker.translators) > len(by_rules.translators)
    found: set[Kind] = set()
    for one in open_examples(asker.compiler.schema)[:_MOST_EXAMPLES]:
        said = await by_rules.program_of_async(one.words, read_as="words", **access)
        program = said.program if isinstance(said, Translated) else one.query if has_model else None
        outcome = await asker.compiler.run_async(program, **{**access, "size": 1}) if program is not None else None
        kind = _KIND_OF.get(outcome.kind) if outcome is not None else None
        if outcome is None or kind is None or kind in found or not _is_full(outcome):
            continue
        yield Starter(kind=kind, text=one.words)
        found.add(kind)
        if len(found) == _OF_EXAMPLES:
            return


_KIND_OF: Mapping[str, Kind] = {"hits": "list", "count": "count", "aggregate": "group"}
"""Kinds of examples, by their outcomes."""


async def _largest_first(tables: Sequence[_Table]) -> list[_Table]:
    """Return the tables by their numbers of things. One that joins the kinds of its index (entries: documents and
    folders) is left out."""
    parts = {one.entity.index for one in tables if one.entity.filter}
    own = [one for one in tables if one.entity.filter or one.entity.index not in parts]
    counts = [await one.run(f"count {one.entity.plural}") for one in own]
    sizes = {id(one): got.value if isinstance(got, Count) else 0 for one, got in zip(own, counts, strict=True)}
    return sorted(own, key=lambda one: -sizes[id(one)])


async def _of_tables(tables: Sequence[_Table], kinds: Sequence[Kind], places: int) -> list[Starter]:
    """Return questions of different kinds; each begins with the next table, the largest first."""
    found: list[Starter] = []
    for kind in kinds:
        first = len(found) % len(tables)
        for table in (*tables[first:], *tables[:first]):
            starter = await table.starter(kind)
            if starter is not None:
                found.append(starter)
                break
        if len(found) == places:
            break
    return found


# --- tables ----------------------------------------------------------------------------------------------------------


@dataclass
class _Table:
    """An entity whose questions are read by rules, and kept if they are read as they are meant."""

    entity: Entity
    asker: Asker
    access: Mapping[str, Any]
    groups: dict[str, AggregateOut] = field(default_factory=dict)

    @property
    def compiler(self) -> Compiler:
        return self.asker.compiler

    async def starter(self, kind: Kind) -> Starter | None:
        """Return a question of a kind that has an answer; None if there is none."""
        async for text, program in _CANDIDATES[kind](self):
            said = await self.asker.program_of_async(text, read_as="words", **self.access)
            is_meant = isinstance(said, Translated) and parsed(said.program) == parsed(program)
            if is_meant and _is_full(await self.run(program)):
                return Starter(kind=kind, text=text)
        return None

    async def run(self, program: str) -> Outcome:
        return await self.compiler.run_async(program, **{**self.access, "size": _MOST_NAMES})

    def fields(self, *kinds: FieldKind) -> list[Field]:
        """Return the fields of some kinds that every caller may see, those of the usual answer first."""
        entity = self.entity
        usual = {name: place for place, name in enumerate(entity.show)}
        found = [
            one for one in entity.fields.values()
            if one.kind in kinds and not (one.is_id or one.sensitive or one.reference) and "." not in one.name
            if not one.mapped.is_added
        ]  # fmt: skip
        return sorted(found, key=lambda one: usual.get(one.name, len(usual)))[:_MOST_FIELDS]

    async def grouped(self) -> list[tuple[Field, AggregateOut]]:
        """Return fields with few values, each with the counts of these."""
        found = []
        for one in self.fields(FieldKind.KEYWORD, FieldKind.BOOLEAN):
            if one.name not in self.groups:
                counted = await self.compiler.run_async(f"count {self.entity.plural} by {one.name}", **self.access)
                self.groups[one.name] = counted if isinstance(counted, AggregateOut) else AggregateOut(message="")
            if len(self.groups[one.name].rows) in _GROUPS:
                found.append((one, self.groups[one.name]))
        return found


_Candidates = AsyncIterator[tuple[str, str]]


async def _lists(table: _Table) -> _Candidates:
    for one, counted in await table.grouped():
        for row in counted.rows[:2]:
            value = row.key[0] if isinstance(row.key, list | tuple) else row.key
            if isinstance(value, str) and 0 < len(value) <= _LONGEST_VALUE:
                yield (f"{_plural(table)} with {_words(one)} {value}",
                       f"find {table.entity.plural} where {one.name} = {print_string(value)}")  # fmt: skip


async def _counts(table: _Table) -> _Candidates:
    yield f"how many {_plural(table)} are there?", f"count {table.entity.plural}"


async def _groups(table: _Table) -> _Candidates:
    for one, _ in await table.grouped():
        yield f"{_plural(table)} per {_words(one)}", f"count {table.entity.plural} by {one.name}"
    if date := table.entity.default_date:
        yield f"{_plural(table)} per month", f"count {table.entity.plural} by month({date})"


async def _latest(table: _Table) -> _Candidates:
    if date := table.entity.default_date:
        noun = table.entity.name.replace("_", " ")
        yield f"the latest {noun}", f"find {table.entity.plural} sort {date} desc limit 1"


async def _values(table: _Table) -> _Candidates:
    entity = table.entity
    named = [one for one in entity.names or (entity.id,) if one is not None and not one.sensitive]
    others = [one for one in table.fields(FieldKind.DATE, *NUMERIC, FieldKind.KEYWORD) if one not in named]
    for by in dict.fromkeys(named):
        program = f"find {entity.plural} where {by.name} exists limit {_MOST_LISTED} show {by.name}"
        found = await table.compiler.run_async(program, **{**table.access, "size": _MOST_LISTED})
        plain = [one for one in _values_of(found, by.name) if isinstance(one, str) and _PLAIN_NAME.fullmatch(one)]
        for value in plain[:_MOST_NAMES]:
            for one in others:
                yield (f"what is the {_words(one)} of {value}?",
                       f"get {entity.name}({print_string(value)}).{one.name}")  # fmt: skip


async def _highest(table: _Table) -> _Candidates:
    for one in _numbers(table):
        yield f"what is the highest {_words(one)} of {_plural(table)}?", f"max({one.name}) of {table.entity.plural}"


async def _measures(table: _Table) -> _Candidates:
    for one in _numbers(table):
        for by, _ in await table.grouped():
            yield (f"average {_words(one)} of {_plural(table)} per {_words(by)}",
                   f"avg({one.name}) of {table.entity.plural} by {by.name}")  # fmt: skip
        yield f"average {_words(one)} of {_plural(table)}", f"avg({one.name}) of {table.entity.plural}"


_CANDIDATES: Mapping[Kind, Callable[[_Table], _Candidates]] = {
    "list": _lists, "count": _counts, "group": _groups, "latest": _latest, "value": _values, "measure": _measures,
    "highest": _highest,
}  # fmt: skip
"""Texts and the programs that they mean, by kind, the best first."""


def _numbers(table: _Table) -> list[Field]:
    """Return the numbers of a table: those with a unit or a default first."""
    default = table.entity.default_number
    return sorted(table.fields(*NUMERIC), key=lambda one: (one.name != default, not one.shown_unit))


def _plural(table: _Table) -> str:
    return table.entity.plural.replace("_", " ")


def _words(one: Field) -> str:
    return one.name.replace("_", " ")


def _is_full(outcome: Outcome) -> bool:
    """Whether an outcome shows something: rows, a number, a value."""
    match outcome:
        case AggregateOut():
            return bool(outcome.rows) and outcome.rows[0].value is not None
        case ValueOut():
            return outcome.value is not None
        case _:
            return outcome.kind in ("hits", "count") and not is_empty(outcome)


# --- papers ----------------------------------------------------------------------------------------------------------


async def _of_bucket(backend: Backend, access: Mapping[str, Any]) -> AsyncIterator[Starter]:
    """Yield a list, a number and an average of the largest bucket, if they have answers."""
    async for bucket, part in _buckets(backend, access):
        things = bucket.replace("_", " ")
        numbers = [name for name, one in part.fields.items() if one.type in _NUMBERS and not one.is_confidential]
        texts: list[tuple[Kind, str]] = [("list", f"list all {things}"), ("count", f"how many {things} are there?")]
        texts += [("measure", f"average {name.replace('_', ' ')} of {things}") for name in numbers[:1]]
        for kind, text in texts:
            outcome = await backend.ask(text, "auto", access)
            if _is_full(outcome) or isinstance(outcome, Answer):
                yield Starter(kind=kind, text=text)
        return


_NUMBERS = ("number", "money", "duration")


async def _buckets(backend: Backend, access: Mapping[str, Any]) -> AsyncIterator[tuple[str, BucketPart]]:
    """Yield the buckets of the corpus, the largest first."""
    assert backend.corpus is not None
    schema = await beside(backend.corpus.corpus.schema_with_buckets)
    counted = await (await backend.asker()).compiler.run_async("count documents by bucket", **access)
    for row in counted.rows if isinstance(counted, AggregateOut) else ():
        if str(row.key) in schema.file.buckets:
            yield str(row.key), schema.file.buckets[str(row.key)]


async def _of_papers(backend: Backend, access: Mapping[str, Any], most: int) -> AsyncIterator[Starter]:
    """Yield questions about values of documents, then about sections; each was answered with a quote."""
    asked: set[str] = set()
    found = 0
    async for text, is_of_text in _about_papers(backend, access):
        if text in asked or len(asked) >= _MOST_ASKED:
            continue
        asked.add(text)
        outcome = await backend.ask(text, "auto", access)  # as the page asks it
        if _has_quote(outcome) or (is_of_text and isinstance(outcome, Passages) and outcome.passages):
            yield Starter(kind="quote", text=text)
            found += 1
        if found == most:
            return


async def _about_papers(backend: Backend, access: Mapping[str, Any]) -> AsyncIterator[tuple[str, bool]]:
    """Yield questions, each with whether passages answer it: for the values that documents have, each field with other
    documents, then for what sentences, sections and documents are about."""
    compiler = (await backend.asker()).compiler
    fields = [
        (bucket, name) async for bucket, part in _buckets(backend, access) for name, one in part.fields.items()
        if one.type not in ("rows", "boolean") and not one.is_confidential
    ]  # fmt: skip
    for at, (bucket, name) in enumerate(fields[:_MOST_ASKED]):
        program = f"find {bucket} where {name} exists sort title limit {_MOST_TITLES} show title"
        found = await compiler.run_async(program, **access)
        titles = [one for one in _values_of(found, "title") if isinstance(one, str) and len(one) <= _LONGEST_TITLE]
        for title in titles[at % len(titles) :][:1] if titles else ():
            yield f"What is the {name.replace('_', ' ')} of {title}?", False
    program = f"find passages limit {_MOST_PASSAGES} show title, section, text"
    found = await compiler.run_async(program, **{**access, "size": _MOST_PASSAGES})
    for passage in _values_of(found, "text"):
        for said in _SAID.finditer(str(passage)):
            yield f"What is the {said[1]} of {said[2]}?", True
    titles = _values_of(found, "title")
    for title, sections in zip(titles, _values_of(found, "section"), strict=True):
        for section in sections if isinstance(sections, list) else ():
            named = section.lstrip("0123456789. ")
            if isinstance(title, str) and named and title != named and len(named) <= _LONGEST_VALUE:
                yield f"What does {title} say about {named}?", True
    for title in titles:
        if isinstance(title, str) and len(title) <= _LONGEST_TITLE:
            yield f"What does {title} say?", True


_SAID = re.compile(r"\bthe ([a-z][a-z -]{2,30}) of ((?:the )?[\w-]+(?: [\w-]+){0,3}?) is\b", re.IGNORECASE)
"""A sentence that gives a property of something: "The notice period of the lease is 3 months"."""
_MOST_TITLES = 4
_LONGEST_TITLE = 80
_MOST_PASSAGES = 20


def _values_of(found: Outcome, name: str) -> list[Any]:
    return [hit.values.get(name) for hit in found.hits] if isinstance(found, Hits) else []


def _has_quote(outcome: Outcome) -> bool:
    return isinstance(outcome, Answer) and any(claim.citations for claim in outcome.claims)
