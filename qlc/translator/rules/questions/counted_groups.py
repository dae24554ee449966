"""Groups by how many there are in each: `customers with more than 5 orders`, `people who own more than 50 folders`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import path
from qlc.translator.rules.lexicon.lexemes import has_field
from qlc.translator.rules.nouns.clauses import group
from qlc.translator.rules.nouns.names import entity_words
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.nouns.references import of_another_kind, of_their_kind, verbs
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.numbers import cardinal, quantity_test
from qlc.translator.rules.questions.aggregates import COUNT, aggregate
from qlc.translator.rules.questions.rankings import first_row, has_a_number
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words


@rule
def groups_with(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`customers with more than 5 orders`, `the 5 cities with the most delayed flights`."""
    start = p.past(at, words("the which what are show me list find all"))
    limits: list[tuple[int, int | None]] = [(start, None)]
    limits += [(one.end, int(one.value.value)) for one in cardinal(p, start)]
    for begin, limit in limits:
        for entity in (e for e in p.schema.entities.values() if not e.virtual):
            for by in group(p, begin, entity):
                link = p.past(by.end, words("with having that which have has who had"))
                link = _past_deed(p, link, by.value, entity)
                if link == by.end:
                    continue
                extreme = p.past(link, ("the",))
                if p.word(extreme) in ("most", "fewest") and limit is not None:
                    for things in noun_phrase(p, extreme + 1):
                        if (
                            things.value.entity == entity.name
                            and things.value.fixed is None
                            and things.value.limit is None
                        ):
                            most = p.word(extreme) == "most"
                            row = first_row(p, things.value, COUNT, by.value, most, limit)
                            numbered = has_a_number(p, extreme + 1, by.value, entity)
                            yield Found(things.end, row, things.cost + by.cost + numbered)
                named_so = by.value.function is None and limit is None and len(by.value.path.segments) == 1
                if named_so and p.plural(by.end) and by.value.path.segments[0].name.text != entity.parent:
                    for things in noun_phrase(p, link):
                        such = things.value.where is not None and things.value.headed and things.value.fixed is None
                        if such and things.value.entity == entity.name and things.value.limit is None:
                            rows = aggregate(p, things.value, (COUNT,), (by.value,))
                            yield Found(things.end, rows, things.cost + by.cost + 0.3)  # those that have any
                above = 0.3 if by.value.path.segments[0].name.text == entity.parent else 0.0
                for test in quantity_test(p, link):
                    if not test.value.compared or test.value.amount.unit or test.value.amount.money or test.value.until:
                        continue
                    if above and test.value.relation == ">=" and test.value.amount.value == 1:
                        continue  # folders with at least one invoice are folders
                    for things in noun_phrase(p, test.end):
                        if (
                            things.value.entity == entity.name
                            and things.value.fixed is None
                            and things.value.limit is None
                        ):
                            having = tree.Comparison(COUNT, test.value.relation, test.value.amount.node)
                            counted_rows = aggregate(p, things.value, (COUNT,), (by.value,))
                            if isinstance(counted_rows, tree.Aggregate):
                                rows = replace(counted_rows, having=having)
                                yield Found(things.end, rows, things.cost + by.cost + test.cost + above)


@rule
def people_with(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`people who own more than 50 folders`, `who uploaded over 300 documents`: those with such a number of them."""
    start = p.past(at, words("the which what are show me list find all"))
    for target in (e for e in p.schema.entities.values() if e.virtual):
        nouns = [*entity_words(p, start, target.name), *([start + 1] if p.word(start) == "who" else [])]
        for noun in nouns:
            verb = p.past(noun, english.RELATIVE_PRONOUNS | english.AUXILIARIES)
            for end, ref in verbs(p, verb, target.name):
                for test in quantity_test(p, end):
                    bare = test.value.amount.unit is None and test.value.amount.money is None
                    if not (bare and test.value.compared and test.value.until is None):
                        continue
                    for things in noun_phrase(p, test.end):
                        own = has_field(p.entity(things.value.entity), ref) and not of_another_kind(p, start, ref)
                        if own and things.value.fixed is None and things.value.limit is None:
                            having = tree.Comparison(COUNT, test.value.relation, test.value.amount.node)
                            such = things.value.also(of_their_kind(p, start, ref))
                            rows = aggregate(p, such, (COUNT,), (tree.Group(path(*ref.path)),))
                            assert isinstance(rows, tree.Aggregate)
                            yield Found(things.end, replace(rows, having=having), things.cost + test.cost + 0.05)


def _past_deed(p: Parse, at: int, by: tree.Group, entity: Entity) -> int:
    """Behind the verb of those who are grouped by: `customers who opened`, where a field is called `opened by`."""
    field = entity.fields.get(by.path.segments[0].name.text)
    if field is None or field.reference is None or len(by.path.segments) > 1:
        return at
    return next((end for end, ref in verbs(p, at, field.reference.entity) if ref.path == (field.name,)), at)
