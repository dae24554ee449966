"""People asked for by what happened to them: the records that are of them answer (`who was discharged yesterday`)."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.tree import Statement
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.referring import recorded
from qlc.translator.rules.nouns.nominals import OF_RECORDS
from qlc.translator.rules.nouns.noun_phrases import NounPhrase, find
from qlc.translator.rules.nouns.references import they_do_something
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.words import english


@rule
def people(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who was discharged yesterday`: the records that are of such people."""
    if any(p.word(i) in english.AT_PRESENT for i in range(at, p.end)):
        return  # which records are of today is not said
    if p.word(at) == "who" and p.word(at + 1) in english.COPULAS | english.AUXILIARIES | {"came"}:
        for entity, ref in recorded(p):
            for said in modifiers(p, at + 1, entity.name):
                if not they_do_something(p, at + 1, said.end, ref):
                    yield Found(said.end, find(p, NounPhrase(entity.name, said.value)), said.cost + OF_RECORDS)
