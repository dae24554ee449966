"""Scripts: those that qlc makes are read back to the same answers, all others are refused."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from qlc import Compiler
from qlc.outcome import Explain, Hits, Outcome
from qlc.pasted.entry import run_pasted
from tests import engines
from tests.pairs import Case, read_cases
from tests.pasted.test_round_trip import Sent
from tests.small_worlds import compiler_of

NOW = "2026-03-15T12:00:00Z"
PROGRAMS = [
    case
    for case in read_cases(Path(__file__).parents[1] / "pipeline" / "outcomes" / "arithmetic.qlc")
    if case.world == "shop" and case.source.startswith(("find", "let"))
]
pytestmark = pytest.mark.skipif(engines.IS_ELASTICSEARCH, reason="the built servers of Elasticsearch have no Painless")


@pytest.fixture
def shop() -> Compiler:
    return compiler_of("shop")


def emitted(compiler: Compiler, case: Case, monkeypatch: pytest.MonkeyPatch) -> tuple[Outcome, dict[str, Any]]:
    """The outcome of a program, and its query and its order as they were sent."""
    with monkeypatch.context() as patched:
        sent = Sent(patched)
        found = compiler.run(case.source, **{"now": NOW, **case.options})
    body = next((one for one in reversed(sent.bodies) if "_source" in one), {})
    return found, {name: body[name] for name in ("query", "sort") if name in body}


def pasted(compiler: Compiler, body: dict[str, Any], before: str = "", **options: Any) -> Outcome:
    options = {"now": NOW, **options}
    options.pop("params", None)
    (found,) = run_pasted(before + json.dumps(body), compiler, **options)
    return found


def script_count(body: dict[str, Any]) -> int:
    return json.dumps(body).count('"painless"')


def test_each_program_with_a_script_is_translated_back(shop: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    translated = 0
    for case in PROGRAMS:
        first, body = emitted(shop, case, monkeypatch)
        if not isinstance(first, Hits) or not script_count(body):
            continue
        again = pasted(shop, body, **case.options)
        assert isinstance(again, Hits), (case.source, again)
        assert (again.ids[: len(first.ids)], again.query != "") == (first.ids, " where " in case.source), case.source
        explained = pasted(shop, body, "explain ", **case.options)
        assert isinstance(explained, Explain)
        assert "In the query language: " in explained.message, (case.source, explained.message, explained.notes)
        back = shop.run(explained.query, **{"now": NOW, **case.options})
        assert isinstance(back, Hits), (case.source, explained.query)
        assert back.ids[: len(first.ids)] == first.ids, (case.source, explained.query)
        print(case.source, "|", explained.query)
        translated += 1
    assert translated > 20
