"""Reads all rows of some columns with their statistics, in the way that fits their number.

- whole: a tree of buckets that is small by its kind (one group of values or of months, any number of bins).
- paged: a composite aggregation, for any number of rows in pages. It counts a document twice that has several numbers
  or
dates in one bucket, so fields that might be lists are checked in the same request.
- sliced: for everything else (several lists, fields with several values, conditions as keys): the keys are read first,
then trees over as many of them as fit into one response.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from elasticsearch.dsl.aggs import ValueCount
from elasticsearch.dsl.query import Exists

from qlc.base.deadline import checkpoint, timed
from qlc.compiler.aggregations.groupings import Calendar, Chosen, Grouping, Truncated, Values
from qlc.compiler.aggregations.scope import Scope
from qlc.compiler.aggregations.slices import Slice, cut, shares
from qlc.compiler.aggregations.statistics import Cell, Leaf, Percentile, Statistic
from qlc.compiler.aggregations.tree import (
    PAGE,
    Keys,
    Level,
    Only,
    Page,
    Step,
    answer_at,
    build,
    into,
    out_of,
    read,
)
from qlc.compiler.environment import Bindings
from qlc.compiler.request import CannotAnswer, Clause
from qlc.compiler.typed import Scalar
from qlc.resolver.rows.asking import Answer, BucketReading, ask, together
from qlc.resolver.rows.columns import Column

FEW = 32
"""Keys of a level with room at first, if most combinations are expected not to occur."""

Take = Callable[[Keys, Cell], None]
"""Receives each row: its keys in the order of the columns, and its cell. Rows with equal keys must be added up."""


@dataclass(frozen=True, slots=True)
class Block:
    """Columns of one scope (documents, or elements of one list), by their positions among all columns."""

    scope: Scope
    columns: tuple[tuple[int, Column], ...]


@dataclass(frozen=True, slots=True)
class CellReading:
    """A request for rows: columns, statistics, and whether documents are counted (otherwise only the keys matter).

    `home`: the scope of the columns whose elements are measured; its buckets come innermost. `buckets`: most buckets in
    one response. `among`: a condition on the documents, None for all.
    """

    columns: tuple[Column, ...]
    env: Bindings
    buckets: int
    statistics: tuple[Statistic, ...] = ()
    counted: bool = True
    home: Scope | None = None
    among: Clause | None = None

    def start(self) -> tuple[Step, ...]:
        """Return the first step, which restricts the documents if there is a condition."""
        return () if self.among is None else (Only(self.among, "among"),)

    def blocks(self) -> list[Block]:
        """Return the blocks: documents first, then each list, the one whose elements are measured last."""
        scopes = dict.fromkeys(column.scope for column in self.columns)
        ordered = sorted(scopes, key=lambda scope: (scope == self.home, scope.path is not None))
        positions = list(enumerate(self.columns))
        return [Block(scope, tuple((n, c) for n, c in positions if c.scope == scope)) for scope in ordered]

    def leaf(self, blocks: Sequence[Block]) -> Leaf:
        return Leaf(blocks[-1].scope if blocks else Scope(), self.statistics, counted=self.counted)

    def check_needed(self, column: Column) -> bool:
        """Whether a document with several values would be counted twice."""
        counts_once = column.grouping.sourced_once and column.derivation is None  # for each key, in pages too
        return self.counted and column.many is not False and not counts_once


def read_cells(wanted: CellReading, take: Take) -> BucketReading[None]:
    """Pass every row to `take`. Raises CannotAnswer."""
    blocks = wanted.blocks()
    if (steps := _whole(wanted, blocks)) is not None:
        try:
            rows = yield from _rows_of(wanted, blocks, steps)
        except Truncated:
            pass
        else:
            for keys, cell in rows:
                take(keys, cell)
            return
    open_blocks = [block for block in blocks if any(_is_open(column) for _, column in block.columns)]
    if len(open_blocks) == 1 and _pageable(wanted, blocks, open_blocks[0]):
        others = [block for block in blocks if block is not open_blocks[0]]
        if (yield from _read_pages(wanted, [open_blocks[0], *others], take)):
            return
    yield from _read_slices(wanted, blocks, take)


# --- whole -----------------------------------------------------------------------------------------------------------


def _whole(wanted: CellReading, blocks: Sequence[Block]) -> list[Step] | None:
    """Return the steps of a tree that is small by its kind; one level of values may still turn out too long."""
    columns = [column for block in blocks for _, column in block.columns]
    if any(column.derivation is not None for column in columns):
        return None
    known = prod(len(column.grouping.known or (0,)) for column in columns)
    if sum(map(_is_open, columns)) > 1:
        return None
    if not all(_few(column.grouping) for column in columns if _is_open(column)):
        return None
    size = min(PAGE, wanted.buckets // (known * (len(columns) or 1)))
    return _tree(wanted, blocks, size=size) if size else None


def _few(grouping: Grouping) -> bool:
    return isinstance(grouping, Values) or (
        isinstance(grouping, Calendar) and grouping.unit in ("year", "quarter", "month")
    )


def _tree(wanted: CellReading, blocks: Sequence[Block], size: int) -> list[Step]:
    steps: list[Step] = [*wanted.start()] if blocks else [*wanted.start(), Only()]
    for number, block in enumerate(blocks):
        steps += out_of(blocks[number - 1].scope) if number else ()
        steps += into(block.scope, wanted.env)
        steps += [Level(column.grouping, size=size) for _, column in block.columns]
    return steps


def _rows_of(
    wanted: CellReading, blocks: Sequence[Block], steps: Sequence[Step]
) -> BucketReading[list[tuple[Keys, Cell]]]:
    leaf = wanted.leaf(blocks)
    answer = yield from ask(build(steps, leaf.aggs(wanted.env)))
    return [(_in_order(blocks, keys), cell) for keys, cell in read(steps, leaf, answer)]


def _in_order(blocks: Sequence[Block], keys: Keys) -> Keys:
    """Reorder keys from the order of the blocks to that of the columns."""
    positions = [position for block in blocks for position, _ in block.columns]
    return tuple(key for _, key in sorted(zip(positions, keys, strict=True), key=lambda pair: pair[0]))


# --- paged -----------------------------------------------------------------------------------------------------------


def _pageable(wanted: CellReading, blocks: Sequence[Block], paged: Block) -> bool:
    if wanted.home == paged.scope and len(blocks) > 1:
        return False
    for _, column in paged.columns:
        if _is_open(column) and column.grouping.source() is None:
            return False
        if column.derivation is not None and not _adds_up(wanted, column):
            return False
        if column.many and wanted.check_needed(column):
            return False
    return True


def _adds_up(wanted: CellReading, column: Column) -> bool:
    """Whether rows of base keys may be added up to rows of derived keys.

    Elements may not: two of one document may have different base keys and the same derived one.
    """
    assert column.derivation is not None
    if not column.derivation.exact:
        return False
    is_additive = not any(isinstance(one, Percentile) for one in wanted.statistics)
    return not wanted.counted or (column.scope.path is None and is_additive)


def _read_pages(wanted: CellReading, blocks: Sequence[Block], take: Take) -> BucketReading[bool]:
    """Read pages, and return whether they were correct; if not, `take` was not called."""
    first = blocks[0]
    open_columns = tuple((n, column) for n, column in first.columns if _is_open(column))
    known_columns = tuple((n, column) for n, column in first.columns if not _is_open(column))
    blocks = [Block(first.scope, open_columns + known_columns), *blocks[1:]]
    inner = prod(len(c.grouping.known or ()) for block in blocks for _, c in block.columns if not _is_open(c))
    start = (*wanted.start(), *into(first.scope, wanted.env))
    page = Page(
        tuple(column.grouping for _, column in open_columns), max(1, min(PAGE, wanted.buckets // (1 + 2 * inner)))
    )
    rest = _tree(wanted, [replace(blocks[0], columns=known_columns), *blocks[1:]], size=PAGE)[len(start) :]
    leaf = wanted.leaf(blocks)
    checks = [_valued(wanted, column) for _, column in open_columns if wanted.check_needed(column)]
    columns = [column for block in blocks for _, column in block.columns]
    while True:
        steps = (*start, page, *rest)
        answer, *single = yield from together([ask(build(steps, leaf.aggs(wanted.env))), *checks])
        if not all(valued["values"]["value"] == valued["doc_count"] for valued in single):
            return False
        rows = list(read(steps, leaf, answer))
        yield from _learn(columns, [keys for keys, _ in rows])
        for keys, cell in rows:
            checkpoint()
            for derived in _derived(columns, keys):
                take(_in_order(blocks, derived), cell)
        after = page.next(answer_at(steps[: len(start) + 1], answer))
        if after is None:
            return True
        page, checks = replace(page, after=after), []


def _valued(wanted: CellReading, column: Column) -> BucketReading[Answer]:
    """Return how many documents (or elements) have the field, and how many values they have."""
    steps = (*wanted.start(), *into(column.scope, wanted.env), Only(Exists(field=column.path), "valued"))
    answer = yield from ask(build(steps, {"values": ValueCount(field=column.path)}))
    return answer_at(steps, answer)


def _learn(columns: Sequence[Column], rows: Sequence[Keys]) -> BucketReading[None]:
    for number, column in enumerate(columns):
        if column.derivation is not None:
            yield from column.derivation.learn({keys[number] for keys in rows})


def _derived(columns: Sequence[Column], keys: Keys) -> Iterable[Keys]:
    return product(*(
        (key,) if column.derivation is None else column.derivation.keys(key)
        for column, key in zip(columns, keys, strict=True)
    ))  # fmt: skip


# --- sliced ----------------------------------------------------------------------------------------------------------


def _read_slices(wanted: CellReading, blocks: Sequence[Block], take: Take) -> BucketReading[None]:
    share = replace(wanted, buckets=wanted.buckets // len(blocks))
    found = yield from together([_combinations(share, block) for block in blocks])
    # Conditions have a bucket for every key within each bucket around them: they come first, where there are none.
    found.sort(key=lambda one: (one[0].scope == wanted.home, not _has_conditions(one[0])))
    tree = _SlicedTree(wanted, tuple(block for block, _ in found))
    keys = [combinations for _, combinations in found]
    if prod(map(len, keys)) > tree.room and tree.can_be_capped:
        yield from _read_capped(tree, keys, take, FEW)
    else:
        yield from _read_products(tree, keys, take)


def _has_conditions(block: Block) -> bool:
    return any(isinstance(column.grouping, Chosen) for _, column in block.columns)


def _read_products(tree: _SlicedTree, keys: Sequence[set[Keys]], take: Take) -> BucketReading[None]:
    """Read slices with room for every combination of the blocks' keys, whether it occurs or not."""
    limits = shares([len(combinations) for combinations in keys], tree.room)
    for parts in product(*(cut(sorted(of_block), limit) for of_block, limit in zip(keys, limits, strict=True))):
        for row in (yield from _rows_of(tree.wanted, tree.blocks, tree.steps(parts))):
            take(*row)


def _read_capped(tree: _SlicedTree, keys: Sequence[set[Keys]], take: Take, cap: int) -> BucketReading[None]:
    """Read slices of the first block with room for `cap` keys on each level below, since most combinations do not
    occur.

    If a level has more, its slice is read again in smaller slices with more room.
    """
    first, *others = keys
    sizes = [min(cap, len(column)) for of_block in others for column in map(set, zip(*of_block, strict=True))]
    if not first or prod(sizes) > tree.room:
        yield from _read_products(tree, keys, take)
        return
    for part in cut(sorted(first), tree.room // prod(sizes)):
        try:
            rows = yield from _rows_of(tree.wanted, tree.blocks, tree.steps([part], sizes))
        except Truncated:
            within = {combination for combination in first if all(map(frozenset.__contains__, part, combination))}
            yield from _read_capped(tree, [within, *others], take, cap * 8)
        else:
            for row in rows:
                take(*row)


@dataclass(frozen=True, slots=True)
class _SlicedTree:
    """The tree of some blocks, read in slices."""

    wanted: CellReading
    blocks: tuple[Block, ...]

    @property
    def room(self) -> int:
        """The most rows of one response."""
        return max(1, self.wanted.buckets // sum(len(block.columns) for block in self.blocks))

    @property
    def can_be_capped(self) -> bool:
        """Whether all levels below the first block have a configurable number of buckets."""
        columns = [column for block in self.blocks[1:] for _, column in block.columns]
        return bool(columns) and all(isinstance(column.grouping, Values) for column in columns)

    def steps(self, parts: Sequence[Slice], sizes: Sequence[int] = ()) -> list[Step]:
        """Return the steps for these slices of the first blocks, and at most `sizes` keys for each level of the
        others."""
        steps: list[Step] = [*self.wanted.start()]
        remaining = iter(sizes)
        for number, block in enumerate(self.blocks):
            steps += out_of(self.blocks[number - 1].scope) if number else ()
            steps += into(block.scope, self.wanted.env)
            for at, (_, column) in enumerate(block.columns):
                if number >= len(parts):
                    steps.append(Level(column.grouping, size=next(remaining)))
                    continue
                query = column.grouping.narrowing(parts[number][at])
                steps += [Only(query, f"within-{at}")] if query is not None else ()
                steps.append(Level(column.grouping, parts[number][at]))
        return steps


def _combinations(wanted: CellReading, block: Block) -> BucketReading[tuple[Block, set[Keys]]]:
    """Return the combinations of keys in the block's columns, and the block with derived keys replaced by
    conditions."""
    paged = [(n, column) for n, column in block.columns if column.grouping.source() is not None and _is_open(column)]
    # Conditions have a bucket for every key within each bucket around them: they come first, where there are none.
    paged.sort(key=lambda one: one[1].derivation is None)
    listed = [(n, column) for n, column in block.columns if column.grouping.source() is None and _is_open(column)]
    known = [(n, column) for n, column in block.columns if not _is_open(column)]
    columns = [column for _, column in paged]
    bases = (yield from _paged_keys(wanted, columns)) if columns else [()]
    yield from _learn(columns, bases)
    further: list[Iterable[Scalar]] = []
    for _, column in listed:
        further.append((yield from _listed_keys(wanted, column)))
    further += [column.grouping.known or () for _, column in known]
    derived = {keys for base in timed(bases) for keys in _derived(columns, base)}
    derived |= _empty(derived, sum(column.derivation is not None for column in columns))
    combinations = {keys + others for keys in timed(derived) for others in product(*further)}
    chosen = [(n, _as_conditions(c, {keys[at] for keys in timed(bases)})) for at, (n, c) in enumerate(paged)]
    return Block(block.scope, (*chosen, *listed, *known)), combinations


def _empty(combinations: set[Keys], conditional: int) -> set[Keys]:
    """Return a combination for each of the first `conditional` keys that does not occur: a response has buckets for
    these too, which take room."""
    if conditional < 2 or not combinations:
        return set()
    occurring = {keys[:conditional] for keys in combinations}
    rest = next(iter(combinations))[conditional:]
    every = product(*({keys[at] for keys in occurring} for at in range(conditional)))
    return {keys + rest for keys in every if keys not in occurring}


def _is_open(column: Column) -> bool:
    return column.grouping.known is None


def _paged_keys(wanted: CellReading, columns: Sequence[Column]) -> BucketReading[list[Keys]]:
    plain = tuple(replace(column, derivation=None) for column in columns)
    bases: list[Keys] = []
    reading = replace(wanted, columns=plain, statistics=(), counted=False, home=None)
    yield from read_cells(reading, lambda keys, _: bases.append(keys))
    return bases


def _listed_keys(wanted: CellReading, column: Column) -> BucketReading[list[Scalar]]:
    """Return all values of a field that cannot be paged. Raises CannotAnswer if there are too many."""
    steps = (*wanted.start(), *into(column.scope, wanted.env), Level(column.grouping, size=wanted.buckets))
    leaf = Leaf(column.scope, (), counted=False)
    answer = yield from ask(build(steps, {}))
    try:
        return [keys[0] for keys, _ in read(steps, leaf, answer)]
    except Truncated:
        raise CannotAnswer(
            "too-many-rows",
            f"'{column.path}' has more than {wanted.buckets:,} different values here",
            "narrow the documents with 'where'",
        ) from None


def _as_conditions(column: Column, bases: Collection[Scalar]) -> Column:
    if column.derivation is None:
        return column
    column.derivation.check_conditions(bases)
    origins: dict[Scalar, list[Scalar]] = {}
    for base in bases:
        checkpoint()
        for key in column.derivation.keys(base):
            origins.setdefault(key, []).append(base)
    conditions = {key: column.derivation.condition(key, origin) for key, origin in timed(origins.items())}
    return replace(column, grouping=Chosen(conditions), derivation=None)
