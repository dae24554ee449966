"""Writes docs/engine.md from the tables of the engine: `python -m tests.docs.engine_page`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from qlc_engine import implemented
from tests.conformance.comparing import FLOAT_TOLERANCE, SCORE_TOLERANCE
from tests.differential.comparing import SUMS
from tests.differential.estimates import RANK

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"

HEAD = """# The embedded engine

`qlc.connect("folder")` and `qlc.connect(":memory:")` give the official client of an engine that runs inside the process
and answers as an Elasticsearch 8.19 does. This page lists what it implements. It is made from the engine's own tables
by `python -m tests.docs.engine_page`; a test says when it is out of date.

Everything else is refused with status 400 in Elasticsearch's own form of an error, which names it:

```json
{"error": {"root_cause": [{"type": "illegal_argument_exception",
                           "reason": "search [profile] is not implemented in the embedded engine"}],
           "type": "illegal_argument_exception",
           "reason": "search [profile] is not implemented in the embedded engine"},
 "status": 400}
```

It has what programs of the query language and pasted requests (docs/pasted.md) need, and what keeps a folder of
documents: no more. A malformed request is a 400 as well, and 500 is a defect of the engine (or what a server answers
so, too). A request ends with `task_cancelled_exception` when its client no longer waits for it, a search by its
`timeout` with what it has. The limits are those of Elasticsearch; of those that it takes from its machine,
`max_clause_count` is 32,768 here, and an aggregation stands in at most 50 others.

## What is compared with real servers, and how exactly

Two suites compare the engine with real servers of 8.x and 9.x: raw requests (`tests/conformance/`) and programs of the
query language, drawn from catalogs and data (`tests/differential/`; `make soak` runs many). Everything is equal but:
"""


def tolerances() -> list[str]:
    single = f"scores: {SCORE_TOLERANCE:g} (relative), for they are single floats"
    sums = f"sums, averages and variances of floats: {max(FLOAT_TOLERANCE, SUMS):g} (relative), added in another order"
    ranks = (
        "`percentiles`, `median_absolute_deviation`: exact here, estimated by the server (t-digest). In programs the "
        f"server's answer lies between the exact values {RANK:g} percentage point of rank below and above; raw "
        "requests state a tolerance each"
    )
    different = (
        "`cardinality`: exact here, estimated by the server (HyperLogLog) above its precision threshold. Programs do "
        "not use it: `distinct` reads the buckets"
    )
    nearest = "`knn`: exact here; the server's graph of quantised vectors may miss neighbours"
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
    yield "\n## Field types\n\n| type | parameters |\n|---|---|"
    for kind, names in implemented.field_types().items():
        yield f"| `{kind}` | {_listed(names)} |"
    without_effect = _listed(implemented.parameters_without_effect())
    yield f"\nOf these the following are kept and shown, and change no answer of a search: {without_effect}."
    yield "\nOf fields of ranges (`integer_range`, `date_range` ...) `exists` is all that can be asked."
    yield from _section("Parameters of a mapping", implemented.mapping_parameters())
    yield from _section("Settings of an index", implemented.settings())
    yield "\nSettings about speed, space and allocation are kept and printed; all others are refused."
    yield "\n## Text analysis\n"
    for kind, names in implemented.analysis().items():
        yield f"- {kind}: {_listed(names)}"
    yield "\nAnalysers, tokenizers, token filters and normalizers of an index's settings are made of these."
    yield from _section("Named date formats", implemented.date_formats())
    yield "\nPatterns of Java's `DateTimeFormatter` are read too, and several formats joined by `||`."
    yield "\n## Searches\n"
    yield "`fields` prints dates; `_source` takes paths to include, with a `*` in steps. Hits are highlighted as"
    yield "the `unified` highlighter does it. `top_hits` takes `size` and `_source`, and is of no nested elements."
    yield "\n## API\n\n| path | methods | URL parameters |\n|---|---|---|"
    for path, methods, parameters in implemented.routes():
        yield f"| `{path}` | {methods} | {_listed(parameters)} |"


def _section(title: str, names: Iterable[str]) -> Iterator[str]:
    yield f"\n## {title}\n\n{_listed(names)}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
