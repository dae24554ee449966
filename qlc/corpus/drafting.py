"""A first `corpus.yaml` of files that no corpus has yet: they are read as files that are added are, and not kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from qlc.extras import need

from .adding import Progress, Step, files_below
from .document import Extracted, Reader, Task
from .draft import draft
from .schema import GENERIC
from .work import Limits, done_apart


def draft_of(
    roots: Sequence[Path],
    *,
    processes: int | None = None,
    progress: Progress | None = None,
    most: int | None = None,
) -> str:
    """The text of a `corpus.yaml` with the fields that the files seem to have. What cannot be read is passed over.

    `most`: of the files of a folder that are read at most, evenly over their names.
    """
    need("corpus", "a corpus")
    by_folder: dict[str, list[Task]] = {}
    for path, name in files_below(roots):
        by_folder.setdefault(_folder(name), []).append(Task(path, name, _folder(name)))
    tasks = [one for held in by_folder.values() for one in (held[:: -(-len(held) // most)] if most else held)]
    found: list[tuple[str, str, Extracted]] = []
    results = done_apart(tasks, Reader(every_reading=True), processes or os.cpu_count() or 1, Limits())
    for done, (task, result) in enumerate(results, 1):
        if isinstance(result, Extracted):
            found.append((task.name, task.bucket, replace(result, passages=())))
        if progress:
            progress(Step(done, len(tasks), task.name))
    return draft(sorted(found, key=lambda one: one[0]))


def _folder(name: str) -> str:
    """The first folder of a file's name."""
    parts = PurePosixPath(name).parts
    return parts[0] if len(parts) > 1 else GENERIC
