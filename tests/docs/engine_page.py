"""Writes docs/engine.md from the tables of the engine: `python -m tests.docs.engine_page`."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from qlc_engine import implemented
from qlc_engine.queries.vectors import EXACT, RESCORED
from qlc_engine.vector_column import LEAST_DIMENSIONS
from tests.conformance.comparing import FLOAT_TOLERANCE, SCORE_TOLERANCE
from tests.differential.comparing import SUMS
from tests.differential.estimates import RANK

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"

HEAD = """# The embedded engine

`qlc.connect("folder")` and `qlc.connect(":memory:")` return the official client, with an engine that runs inside the
process and responds like Elasticsearch 8.19. This page lists what the engine implements.
`python -m tests.docs.engine_page` generates the page from the engine's own tables; a test fails if it is out of date.

The engine refuses everything else, with the status 400 and an error in Elasticsearch's format that names the feature:

```json
{"error": {"root_cause": [{"type": "illegal_argument_exception",
                           "reason": "search [profile] is not implemented in the embedded engine"}],
           "type": "illegal_argument_exception",
           "reason": "search [profile] is not implemented in the embedded engine"},
 "status": 400}
```

The engine implements only what programs of the query language, pasted requests (docs/pasted.md) and the storage of
documents need. A malformed request also has the status 400. A 500 is a defect of the engine, unless a server gives the
same response. If the client stops waiting, the request ends with `task_cancelled_exception`; a search that reaches its
`timeout` returns the results so far. The limits are those of Elasticsearch, except that `max_clause_count`, which a
server derives from its machine, is 32,768, and aggregations nest at most 50 deep.

## What is compared with real servers, and how exactly

Two suites compare the engine with real servers of 8.x and 9.x: raw requests (`tests/conformance/`; `make soak` sends
all of them to the servers, `make test` a part), and programs of the query language generated from catalogs and data
(`tests/differential/`; `make soak` runs many). The results are equal except:
"""


SCRIPTS = """
## Scripts

Scripts of Painless run in queries (`script`), in sorts (`_script` of type `number`) and in place of `field` in the
aggregations `avg`, `cardinality`, `extended_stats`, `histogram`, `max`, `median_absolute_deviation`, `min`,
`percentiles`, `range`, `stats`, `sum`, `terms` and `value_count`, and in the sources `histogram` and `terms` of a
`composite`. Terms need `value_type` `double` or `long`. Scripts read numbers (of `unsigned_long` only `size()`),
booleans, dates and keywords.

A script means what it means on a server, as comparisons with OpenSearch 2.19 show (`tests/engine/scripts.py`): whole
numbers wrap, and the value of a field without one is a `script_exception`, unless `if`, `?:`, `&&` or `||` avoid it in
that document. Other scripts are refused with the construct that is not known. So are the division of whole numbers,
several types in one place (`a ? 1 : 2.5`), and NaN in a sort or an aggregation. `pow` may
differ in the last bit.

This is the grammar:
"""


def tolerances() -> list[str]:
    single = f"scores: {SCORE_TOLERANCE:g} (relative), since they are single floats"
    sums = f"sums, averages and variances of floats: {max(FLOAT_TOLERANCE, SUMS):g} (relative), added in another order"
    ranks = (
        "`percentiles`, `median_absolute_deviation`: exact here, estimated by the server (t-digest). In programs the "
        f"server's answer is within {RANK:g} percentage points of rank of the exact one; each raw request states its "
        "own tolerance"
    )
    different = (
        "`cardinality`: exact here, estimated by the server (HyperLogLog) above its precision threshold. Programs do "
        "not use it; `distinct` reads the buckets"
    )
    nearest = (
        f"`knn`: exact here up to {EXACT:,} documents of a segment that pass the filter, and for fewer than "
        f"{LEAST_DIMENSIONS} dimensions. Of more documents, bits of their vectors choose at least {RESCORED:,}, which "
        "are scored exactly (for `cosine` and `dot_product`); a few neighbours may be missed, as by the server's graph "
        "of quantised vectors. As many as `k` are found if so many pass the filter"
    )
    ties = "the order of hits that tie in every sort key, and what errors say: their status is the same"
    return [single, sums, ranks, different, nearest, ties]


def page() -> str:
    """The whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield HEAD
    yield from (f"- {line}" for line in tolerances())
    yield from _section("Queries", implemented.queries())
    yield from _section("Aggregations", implemented.aggregations())
    yield SCRIPTS
    yield f"```lark\n{implemented.scripts()}\n```"
    yield "\n## Field types\n\n| type | parameters |\n|---|---|"
    without_effect = implemented.parameters_without_effect()
    yield from _rows(
        (f"`{kind}`", _listed(name for name in names if name not in without_effect))
        for kind, names in implemented.field_types().items()
    )
    yield (
        f"\nTypes also have those of {_listed(without_effect)} that they have in Elasticsearch. These are stored and "
        "returned, but do not affect searches."
    )
    yield from _section("Parameters of a mapping", implemented.mapping_parameters())
    yield from _section("Settings of an index", implemented.settings())
    yield "\nSettings about speed, space and allocation are stored and returned; all others are refused."
    yield "\n## Text analysis\n"
    for kind, names in implemented.analysis().items():
        yield f"- {kind}: {_listed(names)}"
    yield "\nAnalyzers, tokenizers, token filters and normalizers in the settings of an index are built from these."
    strict = {name for name in implemented.date_formats() if name.startswith("strict_")}
    loose = [name for name in implemented.date_formats() if name not in strict]
    yield from _section("Named date formats", (name for name in loose if f"strict_{name}" not in strict))
    yield f"\nThese may also begin with `strict_`: {_listed(name for name in loose if f'strict_{name}' in strict)}"
    yield f"\nOnly strict: {_listed(sorted(strict - {f'strict_{name}' for name in loose}))}"
    yield "\nPatterns of Java's `DateTimeFormatter` work too, and so do several formats joined by `||`."
    yield "\n## API\n\n| requests | URL parameters |\n|---|---|"
    yield from _rows((f"`{methods} {path}`", _listed(names)) for path, methods, names in implemented.routes())


def _rows(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A row for each right cell, with all left cells that it belongs to."""
    left: dict[str, list[str]] = {}
    for name, described in pairs:
        left.setdefault(described, []).append(name)
    yield from (f"| {', '.join(names)} | {described} |" for described, names in left.items())


def _section(title: str, names: Iterable[str]) -> Iterator[str]:
    yield f"\n## {title}\n\n{_listed(names)}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
