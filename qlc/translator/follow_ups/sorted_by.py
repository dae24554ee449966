"""What things are sorted by, where parts of them were asked for: `newest first`, behind comments by somebody."""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import parse, tree
from qlc.grammar.walk import walked
from qlc.mapping.fields import FieldKind
from qlc.translator.follow_ups.editing import field_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.protocol import Translated
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.words.morphology import stem, stems
from qlc.translator.rules.words.tokens import name_key

OF_THE_THINGS = "Sorted by '{0}' of the {1}, not by when the {2} are from."


def told_of_the_order(said: Translated, base: Base | None) -> Translated:
    """A list that is put in order now by a date of the things, with a note where their parts have a date as well and
    were asked for by their noun."""
    statement = parse(said.program).statement
    if base is None or not isinstance(statement, tree.Find) or not isinstance(base.statement, tree.Find):
        return said
    if not statement.sort or statement.sort == base.statement.sort or not isinstance(statement.sort[0].key, tree.Path):
        return said
    field = field_of(base.entity, statement.sort[0].key)
    if field is None or field.kind is not FieldKind.DATE or statement.where is None:
        return said
    spoken = stems(name_key(base.earlier.turn.text))
    for one in walked(statement.where):
        many = base.entity.lists.get(one.segments[0].name.text) if isinstance(one, tree.Path) else None
        if many is None or not any(each.kind is FieldKind.DATE for each in many.fields.values()):
            continue
        if stem(many.name) in spoken:
            note = OF_THE_THINGS.format(spaced(field.name), spaced(base.entity.plural), spaced(many.name))
            return replace(said, notes=(*said.notes, note))
    return said
