"""The Python of docs/observability.md runs, and its tables have every name that is reported."""

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import opentelemetry.metrics._internal as metrics
import pytest
from elasticsearch import _otel
from opentelemetry import trace
from opentelemetry.util._once import Once

from qlc.telemetry import names
from tests import data_sets
from tests.docs.pages import blocks, text

PAGE = "docs/observability.md"


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the global settings that the page changes."""
    for module, name in ((trace, "_TRACER_PROVIDER"), (metrics, "_METER_PROVIDER")):
        monkeypatch.setattr(module, name, None)
        monkeypatch.setattr(module, f"{name}_SET_ONCE", Once())
    # The Elasticsearch client keeps the tracer of the first provider that it meets.
    monkeypatch.setattr(_otel._tracer, "_real_tracer", None)
    loggers = [logging.getLogger(name) for name in ("qlc.turn", "qlc.feedback")]
    yield
    for one in loggers:
        one.handlers.clear()
        one.setLevel(logging.NOTSET)


@pytest.mark.usefixtures("alone")
def test_the_python_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(data_sets.stored("drive"), tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {}
    for block in blocks(PAGE, "python"):
        exec(compile(block, PAGE, "exec"), known)
    lines = capsys.readouterr().err.splitlines()
    assert [one.count('"gen_ai.evaluation.result"') for one in lines] == [0, 0, 1, 1]
    shutil.rmtree(tmp_path / "demo")


def test_every_name_is_described() -> None:
    page = text(PAGE)
    inner = {names.PROVIDER, names.MODEL, names.OPERATION}
    own = {value for name, value in vars(names).items() if isinstance(value, str) and value.startswith("qlc.")}
    own -= {names.RIGHT_PROGRAM, names.VERSION_OF_QLC, names.__package__}
    assert [one for one in {*own, *names.METRICS} - inner if f"`{one}`" not in page] == []
