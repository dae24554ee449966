"""Who those spoken of are with, or from: `who are they with?`, behind contracts: the other parties of them."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone
from qlc.translator.follow_ups.merging import is_cut, the_set
from qlc.translator.rules.build import path
from qlc.translator.rules.lexicon.lexemes import FieldWord, has_field
from qlc.translator.rules.questions.aggregates import COUNT
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import words


def _by(c: Content, slot: tuple[str, ...]) -> tree.Aggregate:
    assert c.base is not None
    return tree.Aggregate((COUNT,), tree.Name(c.base.entity.plural), the_set(c.base), (tree.Group(path(*slot)),))


def _is_said_with(late: str, field: Field) -> bool:
    """`contract with`, `made by`; what is `signed with` something is not therefore with it."""
    if late not in ("with", "by") and field.reference is None:
        return False  # a file from an app is from nobody
    for phrase in (field.name, *field.words):
        *before, last = phrase.casefold().replace("_", " ").split()
        if last == late and not (late == "with" and before and is_participle(before[-1])):
            return True
    return False


_LATE = words("with from by to")


def who_they_are_with(c: Content) -> Iterator[Meaning]:
    """How many there are by each field that is said with just this preposition: `contract with`."""
    base, p = c.base, c.p
    if base is None or c.said.mode not in ("", "narrow") or is_cut(base):
        return
    for start in range(c.at + 1):
        for end in p.phrases(start, english.WHO_ARE_THEY):
            for lexeme in p.starting(end, FieldWord):  # "who are they assigned to?"
                ref = lexeme.payload.ref
                told = ref.kind is FieldKind.KEYWORD and ref.within is None and has_field(base.entity, ref)
                if told and lexeme.end > end + 1 and finished(p, lexeme.end) and p.word(lexeme.end - 1) in _LATE:
                    yield alone(_by(c, ref.path), lexeme.cost + 0.1)
            late = p.word(end)
            if late not in _LATE or not finished(p, end + 1):
                continue
            for one in base.entity.fields.values():
                if _is_said_with(late, one) and one.kind is FieldKind.KEYWORD and not one.sensitive:
                    yield alone(_by(c, (one.name,)), 0.1)


