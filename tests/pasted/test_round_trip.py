"""Pastes the requests of compiled programs and translates them back: exact translations give equal answers.

The hits of a pasted request always equal those of its program.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc import Compiler
from qlc.compiler import typed
from qlc.outcome import Explain, Hits
from qlc.pasted.entry import run_pasted
from qlc.resolver import field_notes
from qlc.resolver.driver import Traffic
from tests import engines
from tests.differential.drawing import Drawing, compiled
from tests.differential.drawing import drawing as made
from tests.differential.worlds import embedded, load, worlds

PROGRAMS = int(os.environ.get("QLC_PASTED", 30))
"""`make soak` takes many more."""


class Sent:
    """Records the searches that are sent for one program."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bodies: list[dict[str, Any]] = []
        taken = Traffic.record

        def record(traffic: Traffic, batch: Any, seconds: float) -> None:
            asked = [request for request in batch if request.action == "search"]
            self.bodies += [request.body for request in asked if request.purpose != field_notes.PURPOSE]
            taken(traffic, batch, seconds)

        monkeypatch.setattr(Traffic, "record", record)


@pytest.fixture(scope="module")
def client() -> Iterator[Elasticsearch]:
    if engines.IS_EMBEDDED:
        yield embedded()
        return
    with engines.open_client() as made:
        for data in ("awkward", "drive", "ecommerce", "flights"):
            load(made, data)
        yield made


def drawn(drawing: Drawing, count: int) -> Iterator[Any]:
    """Programs that find or count, and are answered by one search once their lookups are done."""
    random_ = random.Random(7)
    cells: Counter[Any] = Counter()
    found = 0
    while found < count:
        program, own = drawing.program(cells, random_)
        cells.update(own)
        statement = compiled(drawing.compilers[program.world], program)[1][0].statement
        plain = isinstance(statement, typed.Find) and not any(isinstance(one, typed.Chain) for one in statement.show)
        if program.world != "logs" and not program.params and plain:
            found += 1
            yield program


def test_programs_pasted_and_translated_back(client: Elasticsearch, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = made()
    compilers = {name: Compiler(client, world.catalog, world.index) for name, world in drawing.worlds.items()}
    sent = Sent(monkeypatch)
    told: Counter[str] = Counter()
    for program in drawn(drawing, PROGRAMS):
        compiler = compilers[program.world]
        options = {"now": program.now, "timezone": program.timezone}
        sent.bodies.clear()
        first = compiler.run(program.text, **options, size=100)
        if not isinstance(first, Hits) or not sent.bodies or "_source" not in sent.bodies[-1]:
            told["no hits"] += 1
            continue
        body = next(one for one in reversed(sent.bodies) if "_source" in one)
        pasted_body = {name: body[name] for name in ("query", "sort", "from") if name in body}
        if "pit" in body:
            pasted_body["sort"] = pasted_body["sort"][:-1]  # the place in a point in time is no field
        text = f"GET {drawing.worlds[program.world].index}/_search\n{json.dumps({**pasted_body, 'size': 100})}"
        (again,) = run_pasted(text, compiler, **options, size=100)
        if again.kind == "rejected_query":
            reasons = {one.code for one in again.diagnostics}
            assert reasons <= {"pasted-not-allowed", "pasted-too-large"}, (program, again.diagnostics)
            told["rejected"] += 1
            continue
        assert isinstance(again, Hits), (program, again)
        if len(first.ids) == first.total:
            assert Counter(again.ids[: len(first.ids)]) == Counter(first.ids) or again.total > first.total, program
        (explained,) = run_pasted("explain " + text, compiler, **options)
        assert isinstance(explained, Explain)
        assert explained.message
        if not again.query:
            told["not said"] += 1
            everything = "all of them" in explained.message  # of which there is no list without a limit
            assert everything or any("cannot say" in note or "not the same" in note for note in explained.notes), (
                program
            )
            continue
        back = compiler.run(again.query, **options, size=100)
        if back.kind == "not_found":
            told["an id that is none"] += 1
            continue
        sliced = " limit " in again.query  # everything is asked for with a limit alone
        behind = max(0, again.total - body.get("from", 0)) if sliced else again.total
        assert back.total == (min(behind, 100) if sliced else behind), (program.text, again.query)
        if behind <= 100 and not body.get("from"):
            assert Counter(back.ids) == Counter(again.ids), (program.text, again.query)
        told["the same"] += 1
    assert told["the same"] >= PROGRAMS // 4, told


def test_counts_pasted_and_translated_back(client: Elasticsearch, monkeypatch: pytest.MonkeyPatch) -> None:
    world = next(one for one in worlds() if one.name == "drive")
    compiler = Compiler(client, world.catalog, world.index)
    sent = Sent(monkeypatch)
    for program in ('count documents where type = "W2" and not tags exists', "count folders where document_count = 0",
                    'count documents where folder under "Projects"', "count entries where created in last year",
                    'count documents where shares[role = "editor"] or comments exists'):  # fmt: skip
        sent.bodies.clear()
        first = compiler.run(program, now=world.now)
        body = {"query": sent.bodies[-1]["query"], "size": 0}
        (again,) = run_pasted(json.dumps(body), compiler, now=world.now)
        back = compiler.run(again.query, now=world.now)
        assert first.value == again.value == back.value
