"""Collects and runs files of cases in pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from qlc.base.errors import QlcError
from qlc.base.import_path import imports_from_elsewhere
from qlc.evaluation.scoring import Verdict
from qlc.testing import PROPERTY
from qlc.testing.cases import Case, read_cases
from qlc.testing.judging import World, snapshot_of


class NotRight(Exception):
    """Raised for a declined or wrong case; the text says what was expected."""


class CaseFile(pytest.File):
    """A file of cases. The data is loaded when the first case runs, and shared by all cases."""

    _world: World | None = None

    def collect(self) -> Iterator[CaseItem]:
        with imports_from_elsewhere(self.path.parent):
            self.file = read_cases(self.path)
        seen: dict[str, int] = {}
        for case in self.file.cases:
            seen[case.title] = number = seen.get(case.title, 0) + 1
            name = case.title if number == 1 else f"{case.title} ({number})"
            yield CaseItem.from_parent(self, name=name, callobj=_call_of(case), case=case)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, QlcError) else super().repr_failure(excinfo)

    def world(self) -> World:
        if self._world is None:
            with imports_from_elsewhere(self.path.parent):
                self._world = World.of(self.file, self.path.parent)
            self.config.add_cleanup(self._world.client.close)
        return self._world


class CaseItem(pytest.Function):
    """A case as a function item, so that marks, fixtures and snapshots work as for other tests."""

    def __init__(self, *, case: Case, **more: Any) -> None:
        super().__init__(**more)
        self.case = case

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, NotRight | QlcError) else super().repr_failure(excinfo)


def _call_of(case: Case) -> Callable[..., None]:
    """Return the test function of a case. Only one with a snapshot needs syrupy's fixture."""

    def judged(request: pytest.FixtureRequest) -> None:
        _judge(request.node, case)

    def judged_and_kept(request: pytest.FixtureRequest, snapshot: Any) -> None:
        _judge(request.node, case, snapshot)

    return judged_and_kept if case.snapshot else judged


def _judge(item: Any, case: Case, snapshot: Any = None) -> None:
    world: World = item.parent.world()
    with imports_from_elsewhere(item.path.parent):
        outcome = world.asked(case)
        verdict, lines = world.judged(case, outcome)
    if snapshot is not None and verdict is Verdict.RIGHT:
        kept = snapshot_of(outcome)
        if kept != snapshot:
            if [one.recalled_data for one in snapshot.executions.values()][-1:] == [None]:
                raise NotRight(f"there is no stored snapshot yet; --snapshot-update stores it\ncame out: {kept}")
            verdict = Verdict.WRONG
            lines = ["the outcome differs from the stored snapshot; --snapshot-update replaces it", f"came out: {kept}"]
    item.user_properties.append((PROPERTY, verdict.value))
    if verdict is not Verdict.RIGHT:
        asked = [f"asked: {text}" for text in (*case.after, case.question or case.run)]
        problems = [f"problem: {one.message}" for one in outcome.diagnostics if one.severity == "error"]
        said = [f"message: {outcome.message}"] if outcome.message else []
        raise NotRight("\n".join([*asked, *lines, *said, *problems]))
