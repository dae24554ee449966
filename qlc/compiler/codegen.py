"""Code generation: typed conditions to queries of `elasticsearch.dsl`, one function per type of condition.

`emit` is the registry of this back end: `@emit.register` on a function of a typed condition. Another target would be
another file with its own registry for the same conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import singledispatch
from itertools import pairwise

from elasticsearch.dsl import query as dsl

from qlc.base.deadline import checkpoint
from qlc.compiler import caseless, scripts, typed
from qlc.compiler.area_and_range_clauses import range_test, spatial
from qlc.compiler.caseless import MAX_AUTOMATON_LENGTH, TextTooLong
from qlc.compiler.date_clauses import compare_date, in_period, on_cycle, swapped
from qlc.compiler.environment import Bindings, the_one
from qlc.compiler.literals import address_number
from qlc.compiler.numbers import FLOATS, beyond, held, is_number, kept, side, within
from qlc.compiler.request import CannotAnswer, Clause, conjunction, disjunction, filter_parts, on
from qlc.grammar.tree import Ranking
from qlc.mapping.fields import FieldKind, MappedField
from qlc.mapping.schema import Entity, Field, NestedList
from qlc.mapping.schema import Terms as StoredTerms
from qlc_search import requirement

MAX_TERMS = 65_536
"""Elasticsearch's default `index.max_terms_count` of one `terms` clause."""



@dataclass(slots=True)
class RunBindings(Bindings):
    """The environment of one run."""

    _scopes: dict[str, list[Clause]] = field(default_factory=dict)

    def query(self, condition: typed.Condition) -> Clause:
        return condition_clause(condition, self)

    def scope(self, entity: Entity) -> list[Clause]:
        key = entity.rule_key
        if key not in self._scopes:
            rule = self.access.get(key, typed.All())
            rules = [] if isinstance(rule, typed.All) else [condition_clause(rule, self.in_rules())]
            self._scopes[key] = [*map(_terms_filter, entity.filter), *rules]
        return self._scopes[key]


def condition_clause(condition: typed.Condition, env: Bindings) -> Clause:
    """Return the query of a condition. Only `About` scores.

    Raises CannotAnswer, BindingError, ContextMissing, InvalidDate; RequestFailed when the deadline has passed.
    """
    checkpoint()
    try:
        return emit(condition, env)
    except TextTooLong:
        message = f"a text of more than {MAX_AUTOMATON_LENGTH:,} characters cannot be compared ignoring case"
        raise CannotAnswer("text-too-long", message, "use a shorter part of it") from None


def search_clause(entity: Entity, where: typed.Condition, env: Bindings) -> Clause:
    """Return the whole query of a search. Everything filters except `about`, which ranks."""
    parts = conjuncts(where)
    ranked = [part for part in parts if isinstance(part, typed.About)]
    filters = [*env.scope(entity)]
    for part in parts:
        if type(part) not in _NO_FILTERS:
            filters += filter_parts(condition_clause(part, env))
    must = [_about(part, filters, env) for part in ranked]
    return dsl.Bool(filter=filters, must=must) if filters or must else dsl.MatchAll()


_NO_FILTERS = (typed.About, typed.All)


def conjuncts(condition: typed.Condition) -> list[typed.Condition]:
    """The parts of nested conjunctions."""
    if isinstance(condition, typed.And):
        return [part for item in condition.items for part in conjuncts(item)]
    return [condition]


def _terms_filter(terms: StoredTerms) -> Clause:
    path = terms.field.term_path
    if len(terms.values) == 1:
        return on(dsl.Term, path, {"value": terms.values[0]})
    return on(dsl.Terms, path, list(terms.values))


@singledispatch
def emit(condition: typed.Condition, env: Bindings) -> Clause:
    """Return the query of a condition by its type. A test checks that every type of condition is registered."""
    raise NotImplementedError(f"no query is emitted for {type(condition).__name__}")


# --- logic -----------------------------------------------------------------------------------------------------------


@emit.register
def _all(condition: typed.All, env: Bindings) -> Clause:
    return dsl.MatchAll()


@emit.register
def _and(condition: typed.And, env: Bindings) -> Clause:
    return conjunction([condition_clause(item, env) for item in dict.fromkeys(condition.items)])


@emit.register
def _or(condition: typed.Or, env: Bindings) -> Clause:
    return disjunction([condition_clause(item, env) for item in dict.fromkeys(condition.items)])


@emit.register
def _not(condition: typed.Not, env: Bindings) -> Clause:
    if isinstance(condition.item, typed.Not):
        return condition_clause(condition.item.item, env)
    return dsl.Bool(must_not=[condition_clause(condition.item, env)])


# --- equality --------------------------------------------------------------------------------------------------------


@emit.register
def _equals(condition: typed.Equals, env: Bindings) -> Clause:
    if isinstance(condition.field, typed.ComputedField):
        numbers = [_number(one) for value in condition.values for one in env.typed_scalars(value, condition.field)]
        return scripts.compared(condition.field, [[("=", number)] for number in numbers], env)
    return disjunction(_equal_queries(condition.field, condition.values, condition.folded, env))


@emit.register
def _has_all(condition: typed.HasAll, env: Bindings) -> Clause:
    clauses = []
    for value in condition.values:
        if isinstance(value, typed.Taken):
            clauses += [_exactly(condition.field, [scalar]) for scalar in env.scalars(value)]
        elif condition.field.kind is FieldKind.DATE:
            clauses.append(in_period(typed.InPeriod(condition.field, value), env))  # type: ignore[arg-type]
        elif isinstance(value, typed.Param):
            bound = [typed.Literal(scalar, value.exact) for scalar in env.typed_scalars(value, condition.field)]
            clauses += [disjunction(_equal_queries(condition.field, (one,), condition.folded, env)) for one in bound]
        else:
            clauses.append(disjunction(_equal_queries(condition.field, (value,), condition.folded, env)))
    if condition.element is not None:
        narrowed = [condition_clause(condition.narrowed, env)] if condition.narrowed is not None else []
        clauses = [_with_element(condition.element, conjunction([*narrowed, clause])) for clause in clauses]
    return conjunction(clauses) if clauses else dsl.MatchNone()


@emit.register
def _outside(condition: typed.Outside, env: Bindings) -> Clause:
    field, scalars = condition.field, list[tuple[typed.Scalar, bool]]()
    for value in condition.values:
        folds = condition.folded and _compares_caseless(value)
        scalars += [(one, folds) for one in env.typed_scalars(value, field)]
    texts = [(str(one), folds and caseless.has_case(str(one))) for one, folds in scalars]
    if field.mapped.normalizer is not None or any(folds for _, folds in texts):
        if field.mapped.normalizer is not None:
            raise CannotAnswer("no-exact-case", f"the index changes the values of '{field.name}', so that others than "
                               "these cannot be searched for", "ask with 'has any' or 'has all'")
        try:
            return caseless.other_clause(field.mapped.term_path, texts)
        except TextTooLong:
            raise CannotAnswer("text-too-long", f"these texts are too long together to search for other values of "
                               f"'{field.name}'", "write 'exactly' before each, or ask for fewer") from None
    ends = sorted({one for one, _ in scalars}, key=lambda one: str(one).encode() if isinstance(one, str) else one)
    if not ends:
        return dsl.Exists(field=field.mapped.path)
    gaps: list[tuple[tuple[typed.RangeOperator, typed.Value], ...]] = [
        (("<", typed.Literal(ends[0])),),
        *(((">", typed.Literal(low)), ("<", typed.Literal(high))) for low, high in pairwise(ends)),
        ((">", typed.Literal(ends[-1])),),
    ]
    return disjunction([condition_clause(typed.Compare(field, gap), env) for gap in gaps])


def _equal_queries(field: Field, values: tuple[typed.Value, ...], folded: bool, env: Bindings) -> list[Clause]:
    """Return alternative clauses: one for all exact terms, one for each text that is compared ignoring case."""
    exact: list[typed.Scalar] = []
    alike: list[Clause] = []
    for value in values:
        checkpoint()
        for scalar in env.typed_scalars(value, field):
            if is_number(scalar) and not beyond(field, scalar):
                near = kept(field.mapped, scalar)
                if scalar not in (near, held(field.mapped, scalar)):
                    env.tell(f"The index rounds '{field.title}': {scalar} is {near:.15g} there, as are all numbers "
                             "that round to it.")
            if folded and isinstance(scalar, str) and caseless.has_case(scalar) and _compares_caseless(value):
                equal = caseless.spelled_out_clause if field.mapped.es_type == "flattened" else caseless.equals_clause
                alike.append(equal(field.mapped.term_path, scalar, field.mapped.normalizer))
            else:
                exact.append(scalar)
    queries = [_exactly(field, exact)] if exact else []
    return queries + alike


def _exactly(field: Field, values: list[typed.Scalar]) -> Clause:
    """Return `exact_terms` without values that the field cannot hold; these come from documents and never match."""
    held = [value for value in values if not (is_number(value) and beyond(field, value))]
    return exact_terms(field.mapped, held) if held else dsl.MatchNone()


def _compares_caseless(value: typed.Value) -> bool:
    """Whether a value is compared ignoring case. Values from documents and from the access context are not."""
    if isinstance(value, typed.Literal | typed.Param) and value.exact:
        return False
    return not isinstance(value, typed.Taken) and not (isinstance(value, typed.Param) and value.context)


def exact_terms(mapped: MappedField, values: Iterable[typed.Scalar]) -> Clause:
    """Return the query for one of the values, without those that a field of this type cannot hold."""
    path = mapped.term_path
    distinct = [value for value in dict.fromkeys(values) if not is_number(value) or not side(mapped.es_type, value)]
    if mapped.es_type in FLOATS and 0 in distinct:
        distinct.append(-0.0)
    if mapped.path == "_id":
        return dsl.Ids(values=[str(value) for value in distinct])
    if not distinct:
        return dsl.MatchNone()
    return on(dsl.Term, path, {"value": distinct[0]}) if len(distinct) == 1 else any_of(path, distinct)


def any_of(path: str, values: Sequence[typed.Scalar]) -> Clause:
    """Return the query for one of these values, exactly as stored."""
    parts = [values[start : start + MAX_TERMS] for start in range(0, len(values), MAX_TERMS)]
    return disjunction([on(dsl.Terms, path, part) for part in parts])


@emit.register
def _same_value(condition: typed.SameValue, env: Bindings) -> Clause:
    """Return one clause per value that both fields share, in all spellings on either side."""
    pairs = condition.pairs
    by_value: dict[object, tuple[list[typed.Scalar], list[typed.Scalar]]] = {}
    flat = [_scalar(value) for value in env.found[pairs, None]]
    exact = pairs.left.exact_case or pairs.right.exact_case
    for left, right in zip(flat[::2], flat[1::2], strict=True):
        if exact and left != right:
            continue
        key = caseless.fold_case(left) if isinstance(left, str) and not exact else left
        lefts, rights = by_value.setdefault(key, ([], []))
        lefts.append(left)
        rights.append(right)
    first, second = pairs.left.mapped, pairs.right.mapped
    return disjunction([conjunction([exact_terms(first, ls), exact_terms(second, rs)]) for ls, rs in by_value.values()])


def _scalar(value: typed.Scalar | datetime) -> typed.Scalar:
    return value.isoformat() if isinstance(value, datetime) else value


@emit.register
def _exists(condition: typed.Exists, env: Bindings) -> Clause:
    """Return the query for any value, including values that the index left out (too long, malformed). Documents list
    the fields of such values in `_ignored`."""
    if isinstance(condition.field, typed.ComputedField):
        return scripts.has_value(condition.field, env)
    mapped = condition.field.mapped
    exists = dsl.Exists(field=mapped.path)
    if not mapped.may_ignore or mapped.path != mapped.term_path or mapped.nested:
        return exists
    return disjunction([exists, on(dsl.Term, "_ignored", mapped.path)])


# --- order -----------------------------------------------------------------------------------------------------------

_RANGE = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
_FROM_FIRST, _TO_LAST = {"gte": ""}, {"lte": "\U0010ffff"}
"""The ends of the order of texts: Elasticsearch takes a range on a key of a flattened field only with both bounds."""


@emit.register
def _compare(condition: typed.Compare, env: Bindings) -> Clause:
    field = condition.field
    if isinstance(field, typed.ComputedField):
        bounds = [(operator, _number(_end(value, operator, field, env))) for operator, value in condition.bounds]
        return scripts.compared(field, [bounds], env)
    limits = [(operator, _end(value, operator, field, env)) for operator, value in condition.bounds]
    if len(limits) == 2 and _is_reversed(field, limits[0][1], limits[1][1]):
        limits = swapped(limits, field, env)
    asked = {_RANGE[operator]: end for operator, end in limits}
    numbers = {name: end for name, end in asked.items() if is_number(end)}
    met = asked if len(numbers) < len(asked) else within(field.mapped, numbers)
    if met is None:
        return dsl.MatchNone()
    if field.mapped.es_type == "flattened":
        above, below = asked.keys() & {"gt", "gte"}, asked.keys() & {"lt", "lte"}
        met = {**asked, **({} if above else _FROM_FIRST), **({} if below else _TO_LAST)}
    return on(dsl.Range, field.mapped.term_path, met) if met else dsl.Exists(field=field.mapped.path)


def _end(value: typed.Value, operator: typed.RangeOperator, field: Field, env: Bindings) -> typed.Scalar:
    return the_one(env.typed_scalars(value, field, operator), value)


def _number(value: typed.Scalar) -> float:
    """Return a bound of a calculation. A whole number stays one: above 2^53 a double is another number."""
    return value if isinstance(value, int) else float(value)


def _is_reversed(field: Field, low: typed.Scalar, high: typed.Scalar) -> bool:
    if field.kind is FieldKind.IP:
        return address_number(str(low)) > address_number(str(high))
    if isinstance(low, str) or isinstance(high, str):
        return str(low).encode() > str(high).encode()
    return low > high


# --- text ------------------------------------------------------------------------------------------------------------


@emit.register
def _pattern(condition: typed.Pattern, env: Bindings) -> Clause:
    text, path = env.text(condition.text, blank=True), condition.field.mapped.term_path
    if condition.operator == "starts with" and not caseless.needs_regexp(text) and len(text) <= MAX_AUTOMATON_LENGTH:
        return on(dsl.Prefix, path, {"value": text, "case_insensitive": True})
    pieces: list[str | None]
    match condition.operator:
        case "contains":
            pieces = [None, text, None]
        case "starts with":
            pieces = [text, None]
        case "ends with":
            pieces = [None, text]
        case "like":
            pieces = like_pieces(text)
    return caseless.pattern_clause(path, pieces)


_PIECE = re.compile(r"\\([*?\\])|([*?])|(.)", re.DOTALL)


def like_pieces(text: str) -> list[str | None]:
    r"""Split a pattern at its wildcards: None for `*`, "" for `?`; `\*` and `\?` are plain characters."""
    pieces: list[str | None] = []
    for escaped, wildcard, character in _PIECE.findall(text):
        if wildcard:
            pieces.append(None if wildcard == "*" else "")
        elif pieces and pieces[-1]:
            pieces[-1] += escaped or character
        else:
            pieces.append(escaped or character)
    return pieces


@emit.register
def _matches(condition: typed.Matches, env: Bindings) -> Clause:
    path = condition.field.mapped.analysed
    assert path is not None
    text = _words(condition.text, env)
    match condition.words:
        case "prefix":
            return on(dsl.MatchBoolPrefix, path, {"query": text, "operator": "and"})
        case "roughly":
            return on(dsl.Match, path, {"query": text, "operator": "and", "fuzziness": "AUTO",
                                        "max_expansions": MOST_EXPANSIONS})
        case "any":
            return on(dsl.Match, path, {"query": text, "operator": "or"})
        case "all":
            return on(dsl.Match, path, {"query": text, "operator": "and"})


MOST_EXPANSIONS = 1_000
"""Most words of the index that a roughly spelled one can stand for; Elasticsearch's default is 50."""


def _words(text: typed.Literal | typed.Param, env: Bindings) -> str:
    """Return a text of words. Raises CannotAnswer for one that a caller bound and that looks like a pattern."""
    words = env.text(text)
    if isinstance(text, typed.Param) and typed.looks_wild(words):
        raise CannotAnswer("no-wildcards", f"${text.name} has '*' or '?', which no word contains",
                           "leave them out, or use 'matches prefix' for the beginning of a word")
    return words


@emit.register
def _mentions(condition: typed.Mentions, env: Bindings) -> Clause:
    phrase = {"query": _words(condition.text, env), **({"slop": condition.within} if condition.within else {})}
    paths = [field.mapped.analysed for field in condition.fields if field.mapped.analysed is not None]
    return disjunction([on(dsl.MatchPhrase, path, phrase) for path in paths])


NEAREST = 100
"""Nearest vectors that `about` finds, among documents that meet the other conditions and the access rule, at any page
size."""


def _about(condition: typed.About, filters: list[Clause], env: Bindings) -> Clause:
    ranking = ranking_of(condition, env)
    words = words_clause(condition, condition.fields, env)
    if ranking == "words":
        return words
    if condition.nearest is None:
        nearest = nearest_clause(condition, filters, env)
    else:
        nearest = on(dsl.Terms, id_path(condition.nearest.entity), list(env.found[condition.nearest, None]))
    return nearest if ranking == "meaning" else disjunction([words, nearest])


def ranking_of(condition: typed.About | typed.Nearest, env: Bindings) -> Ranking:
    """Return how `about` ranks in this run. Raises CannotAnswer for a ranking by vectors without an embedder."""
    if condition.by in ("meaning", "both") and env.embed is None:
        raise CannotAnswer("no-embedder", f"ranking by {condition.by} needs an embedder, and there is none",
                           f"install {requirement('semantic')}, pass an embedder, or write 'by words'")
    return condition.by or ("words" if condition.vector is None or env.embed is None else "both")


def words_clause(condition: typed.About, fields: Iterable[Field], env: Bindings) -> Clause:
    """Return the query that ranks documents by words in these fields: by the best field, and where one repeats the
    others, such as a passage with where it stands, by a share of the others too."""
    held = [field.mapped for field in fields]
    paths = [one.analysed for one in held if one.analysed is not None]
    found = dsl.MultiMatch(query=env.text(condition.text), fields=paths, type="best_fields")
    if any(one.is_copy for one in held):
        found.tie_breaker = _OF_OTHER_FIELDS
    return found


_OF_OTHER_FIELDS = 0.3


def nearest_clause(
    condition: typed.About | typed.Nearest, filters: list[Clause], env: Bindings, most: int = NEAREST
) -> Clause:
    """Return the query that ranks documents by meaning: the nearest vectors among documents that pass the filters."""
    assert condition.vector is not None
    vector = env.vector(env.text(condition.text))
    path = condition.vector.mapped.path
    return dsl.Knn(field=path, query_vector=vector, k=most, num_candidates=most, filter=filters)


def id_path(entity: Entity) -> str:
    """Return the path of the field that identifies a document of an entity."""
    return entity.id.mapped.term_path if entity.id is not None else "_id"


# --- lists and references -------------------------------------------------------------------------------------------


@emit.register
def _element(condition: typed.Element, env: Bindings) -> Clause:
    return _with_element(condition.list, condition_clause(condition.condition, env))


def _with_element(many: NestedList, query: Clause) -> Clause:
    """Return the query for documents with an element that matches. Indices without the list would refuse the search."""
    if all(one.mapped.in_part for one in many.fields.values()):
        return dsl.Nested(path=many.path, query=query, ignore_unmapped=True)
    return dsl.Nested(path=many.path, query=query)


@emit.register
def _under(condition: typed.Under, env: Bindings) -> Clause:
    above = [scalar for value in condition.values for scalar in env.scalars(value)]
    if not above:
        return dsl.MatchNone()
    if condition.ancestors is not None:
        itself = exact_terms(condition.field.mapped, above)
        return disjunction([exact_terms(condition.ancestors, above), itself])
    assert condition.below is not None
    below = [_scalar(value) for value in env.found[condition.below, None]]
    return exact_terms(condition.field.mapped, [*above, *below])


for elsewhere in (in_period, compare_date, on_cycle, spatial, range_test):
    emit.register(elsewhere)
