"""The sample store and a small index, each in a folder; commands run in the process or as one of their own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from qlc.cli import demo_store
from qlc.cli.main import main
from tests import data_sets, engines
from tests.replies import check_text
from tests.tables import table

MAPPING = table(__file__, "MAPPING")
NOTES = [
    {"id": "n1", "title": "Äpfel & Öl", "pages": 3, "made": "2026-03-01"},
    {"id": "n2", "title": "日本出張", "pages": 12, "made": "2026-03-14"},
    {"id": "n3", "title": "Plan", "pages": 7, "made": "2025-01-01"},
]


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Ended]


@pytest.fixture(scope="session", autouse=True)
def sample_store_on_the_engine_under_test() -> Iterator[None]:
    """On a real server `--demo` of a command in this process reads the sample store from there."""
    with pytest.MonkeyPatch.context() as patch:
        if not engines.IS_EMBEDDED:
            patch.setattr(demo_store, "demo_client", _sample_store)
        yield


@cache
def _sample_store() -> Any:
    client = engines.open_client()
    demo_store.load_demo(client)
    return client


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the sample store; `--demo` uses it."""
    folder = tmp_path_factory.mktemp("demo") / "store"
    shutil.copytree(data_sets.stored("drive"), folder)
    before = os.environ.get("QLC_DEMO")
    os.environ["QLC_DEMO"] = str(folder)
    yield folder
    if before is None:
        del os.environ["QLC_DEMO"]
    else:
        os.environ["QLC_DEMO"] = before


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QLC_URL", "QLC_DATA", "QLC_CATALOG", "QLC_LOG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def qlc(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process."""

    def run(*arguments: str) -> Ended:
        try:
            code = main(arguments)
        except SystemExit as ended:  # argparse
            code = int(ended.code or 0)
        caught = capsys.readouterr()
        if "--json" in arguments:
            check_text(caught.out)
        return Ended(code, caught.out, caught.err)

    return run


def process(arguments: Sequence[str], stdin: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own."""
    ended = subprocess.run(
        [sys.executable, "-m", "qlc.cli.main", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )
    if "--json" in arguments:
        check_text(ended.stdout)
    return ended


@pytest.fixture
def notes(tmp_path: Path, qlc: Command) -> Path:
    """A folder of the embedded engine that holds three notes."""
    lines, mapping, data = tmp_path / "notes.ndjson", tmp_path / "mapping.json", tmp_path / "data"
    lines.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in NOTES) + "\n", encoding="utf-8")
    mapping.write_text(json.dumps(MAPPING), encoding="utf-8")
    loaded = qlc("index", str(lines), "--mapping", str(mapping), "--data", str(data), "--id", "id")
    assert (loaded.code, loaded.out) == (0, "3 documents in 'notes'.\n")
    return data
