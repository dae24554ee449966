"""What most money goes to: `which vendor do we pay the most`, `what categories did we spend the most on in 2024`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import path
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nouns.clauses import group
from qlc.translator.rules.nouns.noun_phrases import NounPhrase
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions.amounts_meant import money_beside
from qlc.translator.rules.questions.rankings import first_row
from qlc.translator.rules.words.phrases import phrases, words

_PAYING_MOST = phrases(
    "(do | did | have | are | were) (we | i | you | they) (pay | paid | paying | spend | spent | spending) [the] (most "
    "| least) [money] [to | for | on | at | with | in]"
)


@rule
def paid_most(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The groups by what they cost all together, the dearest first; one where one is asked for."""
    leading = p.past(at, words("on in at to for with"))
    if p.word(leading) not in ("which", "what"):
        return
    for entity in (e for e in p.schema.entities.values() if not e.virtual):
        for by in group(p, leading + 1, entity):
            money = money_beside(entity, by.value)
            field = entity.fields.get(by.value.path.segments[0].name.text)
            if by.value.function is not None or money is None or field is None or field.kind is not FieldKind.KEYWORD:
                continue
            for end in p.phrases(by.end, _PAYING_MOST):
                falling = any(p.word(i) == "most" for i in range(by.end, end))
                narrowed: list[Found[Condition | None]] = [Found(end, None, 0.0)]
                narrowed += [Found(*one) for one in modifiers(p, end, entity.name)]
                for one in narrowed:
                    measure = tree.Measure("sum", path(*money.path))
                    limit = None if p.plural(by.end) else 1
                    things = NounPhrase(entity.name, one.value)
                    rows = first_row(p, things, measure, by.value, falling, limit)
                    yield Found(one.end, rows, one.cost + by.cost + 0.1)
