"""Programs drawn from catalogs, mappings and data: compiled once, the embedded engine and a real server answer alike.

`python -m tests.differential soak` runs more of them.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from elasticsearch import Elasticsearch

from tests.differential import drawing as drawing_
from tests.differential import found, running, worlds
from tests.differential.comparing import differences
from tests.differential.coverage import ENOUGH, has_node, lacking, node_names
from tests.differential.drawing import Drawing
from tests.differential.engines import Engine
from tests.differential.estimates import estimated, split, strays
from tests.differential.running import Bench, Report
from tests.servers.fixtures import RealElasticsearch

IN_CI = os.environ.get("CI") == "true"
COUNT = 480 if IN_CI else 120
"""Programs of a run. `make soak` runs two hundred times as many."""
MOST_MORE = 1_200
"""Programs that a run in CI may go on with while a cell has none: what the checker refuses changes what is drawn."""
MOST_SLOW = 4
"""Programs of a run that an engine may be too slow for: rows by hours of lists read thousands of ranges."""
MOST_TOO_LARGE = 2
"""Programs of a run that a server of 1 GB may have no memory for: percentiles in each of many thousand groups."""
MAJORS = (8, 9) if IN_CI else (8,)


SEED = 2
"""The same programs in every run, so that a run can be repeated and every cell is met; `soak` draws others."""


def seed() -> int:
    """QLC_DIFFERENTIAL_SEED draws other programs."""
    return int(os.environ.get("QLC_DIFFERENTIAL_SEED", SEED))


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return drawing_.drawing()


@pytest.fixture(scope="module")
def embedded(drawing: Drawing) -> Engine:
    return Engine("embedded", worlds.embedded(), drawing.compilers)


@pytest.fixture(scope="module")
def servers(request: pytest.FixtureRequest, drawing: Drawing) -> Iterator[list[Engine]]:
    """Real servers with the indices in them."""
    with ExitStack() as stack:
        made = []
        for major in MAJORS:
            real: RealElasticsearch = request.getfixturevalue(f"real_elasticsearch_{major}")
            client = stack.enter_context(Elasticsearch(real.url, request_timeout=120))
            made.append(Engine(f"Elasticsearch {real.version}", client, drawing.compilers))
            made[-1].load()
            stack.callback(made[-1].unload)
        yield made


@pytest.mark.timeout(2400 if IN_CI else 600)
def test_both_engines_answer_alike(
    drawing: Drawing, embedded: Engine, servers: list[Engine], record_property: Callable[[str, object], None]
) -> None:
    bench, report, start = Bench(drawing, embedded, servers), Report(), seed()
    for program in found.programs().values():
        finding = bench.check(program)
        assert finding is None, (program.text, finding.lines)
    for _ in bench.run(report, start, COUNT):
        pass
    missing = lacking(report.cells, drawing.possible)
    while IN_CI and ENOUGH in missing.values() and report.count < COUNT + MOST_MORE:
        for _ in bench.run(report, start, report.count + running.CHUNK):
            pass
        missing = lacking(report.cells, drawing.possible)
    on = " and ".join(f"{times:,} on {name}" for name, times in report.on.items())
    told = (
        f"differential: {report.count:,} programs (seed {start}) on the embedded engine, {on}: "
        f"{report.answered:,} with an answer, {report.searches:,} searches, {len(report.findings)} differences, "
        f"{len(report.slow)} too slow and {len(bench.too_large)} too large to be compared\n"
        f"coverage: {len(drawing.possible):,} cells can occur, {len(missing):,} have less than {ENOUGH} programs"
    )
    record_property("told", told)
    if IN_CI:
        assert [cell for cell, wanted in missing.items() if wanted == ENOUGH] == [], "cells without any program"
    assert len(report.slow) <= MOST_SLOW, [program.text for program in report.slow]
    assert len(bench.too_large) <= MOST_TOO_LARGE, [program.text for program in bench.too_large]
    assert not report.findings, "\n\n".join(
        "\n".join([found.as_case(one.program), *one.lines[:10]]) for one in report.findings
    )


@pytest.mark.parametrize("about", found.programs())
def test_once_different(drawing: Drawing, embedded: Engine, about: str) -> None:
    bench, program = Bench(drawing, embedded, []), found.programs()[about]
    positions = estimated(program.text)
    ours, exact = split(bench.answer(embedded, program), positions)
    theirs, estimates = split(found.recorded()[about], positions)
    assert ours["kind"] != "failed"
    assert differences(theirs, ours) == []
    run = lambda text: bench.exactly(program, text)  # noqa: E731
    assert strays(program.text, positions, exact, estimates, run) == []


def test_every_node_of_the_language_is_met(drawing: Drawing) -> None:
    assert [name for name in sorted(node_names()) if not has_node(name, drawing.possible)] == []
    assert len(drawing.possible) > 1_000
