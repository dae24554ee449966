"""People asked for by what happened to them: the records that are of them answer (`who was discharged yesterday`)."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.tree import Statement
from qlc.translator.rules.lexicon.lexemes import FieldWord, has_field
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


@rule
def whose_own(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`whose licence expires in March?`: the only kind of things that has what is asked about."""
    if p.word(at) != "whose":
        return
    real = [e for e in p.schema.entities.values() if not e.virtual]
    for lexeme in p.starting(at + 1, FieldWord):
        having = [e for e in real if has_field(e, lexeme.payload.ref)]
        for one in modifiers(p, at, having[0].name) if len(having) == 1 else ():
            if one.end > lexeme.end:
                yield Found(one.end, find(p, NounPhrase(having[0].name, one.value)), one.cost + 0.1)
