"""Whether the rules surely read words as a question to an index beside a corpus: it is asked first, then the papers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from qlc.base.words.sentences import listed
from qlc.grammar import tree
from qlc.grammar.tree import walked
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity
from qlc.outcome import Clarify, Declined, Outcome
from qlc.pipeline.compiler import Compiler
from qlc.translator.entry import Asker
from qlc.translator.programs import statement_of
from qlc.translator.protocol import Translated

if TYPE_CHECKING:
    from qlc.corpus.corpus import Corpus

_WORD = re.compile(r"\w+")


def by_rules(asker: Asker) -> Asker:
    """Return the asker with the rules alone: they account for every word, or decline."""
    return Asker(asker.compiler, asker.translators[:1])


def is_sure(found: Translated | Outcome) -> bool:
    """Whether rules have read the words: as one program, or as several to choose from."""
    return found.sure if isinstance(found, Translated) else isinstance(found, Clarify)


def tables_asked(found: Translated | Outcome, compiler: Compiler, corpus: Corpus) -> str:
    """Return a note that names what is asked, `Asked of orders.`, if a program, or each of those to choose from, is
    about another index than that of the corpus; else an empty text."""
    if isinstance(found, Clarify) and not found.query:
        programs = [one.id for one in found.options]
    else:
        programs = [found.program if isinstance(found, Translated) else found.query]
    named = [_entities(one, compiler) for one in programs]
    if not named or not all(named) or any(one.index == corpus.index for each in named for one in each):
        return ""
    return f"Asked of {listed(dict.fromkeys(one.plural.replace('_', ' ') for each in named for one in each))}."


def with_note(found: Translated | Outcome, note: str) -> Translated | Outcome:
    if not note:
        return found
    if isinstance(found, Translated):
        return replace(found, notes=(*found.notes, note))
    return found.model_copy(update={"notes": [*found.notes, note]})


def _entities(program: str, compiler: Compiler) -> list[Entity]:
    """Return the entities that a program searches; none for a text that is no program."""
    statement = statement_of(program)
    names = (one.entity for one in walked(statement) if hasattr(one, "entity")) if statement is not None else ()
    found = (find_entity(compiler.schema, one.text) for one in names if isinstance(one, tree.Name))
    return [one for one in found if one is not None]


def with_reason(outcome: Outcome, text: str, read: Translated | Outcome, compiler: Compiler, corpus: Corpus) -> Outcome:
    """Return what the papers say, with the reason why no table answers, if the question names the things in one. If the
    papers have no passage for it either, the reason is the answer."""
    if not isinstance(read, Declined):
        return outcome
    named = (find_entity(compiler.schema, word) for word in _WORD.findall(text.lower()))
    if all(one is None or one.index == corpus.index for one in named):
        return outcome
    if outcome.kind in ("declined", "not_in_corpus"):
        return read.model_copy(update={"notes": [*read.notes, "The papers do not answer it either."]})
    note = f"No table answers this: {read.message}"
    return outcome.model_copy(update={"notes": [*outcome.notes, note]})
