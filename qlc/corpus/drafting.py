"""Drafts a `corpus.yaml` for files outside of a corpus: they are read as for adding, but not stored."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from qlc.base.extras import need

from .adding import Progress, Step
from .document import Extracted, Reader, Task
from .draft import draft
from .files import ListedFile, files_below
from .metadata import metadata_of
from .schema import GENERIC
from .work import Limits, done_apart


def draft_of(
    roots: Sequence[Path],
    *,
    processes: int | None = None,
    progress: Progress | None = None,
    most: int | None = None,
    metadata: Path | None = None,
    follow_links: bool = False,
    passed_over: Collection[Path] = (),
) -> str:
    """Return a `corpus.yaml` with the fields that the files seem to have. Unreadable files are skipped.

    `most`: how many files of a folder are read at most, spread evenly over their names. `passed_over`
    are left out.
    """
    need("corpus", "a corpus")
    by_folder: dict[str, list[Task]] = {}
    given = metadata_of(roots, metadata, follow_links=follow_links)
    for one in files_below(roots, follow_links=follow_links, passed_over={*given.files, *passed_over}):
        if isinstance(one, ListedFile):
            folder = _folder(one.name)
            by_folder.setdefault(folder, []).append(Task(one.path, one.name, folder, below=one.below))
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
    """Return the first folder in a file's name."""
    parts = PurePosixPath(name).parts
    return parts[0] if len(parts) > 1 else GENERIC
