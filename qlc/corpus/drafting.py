"""Drafts a `corpus.yaml` for files outside of a corpus: they are read as for adding, but not stored."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from qlc.base.extras import need

from .adding import Progress, Step
from .document import Extracted, Reader, Task
from .draft import draft
from .files import ListedFile, files_below
from .limits import Limits
from .metadata import metadata_of
from .schema import GENERIC
from .work import done_apart

MOST_FILES = 100
MOST_PAGES = 20
"""Pages of a file that a draft is made of: its labels are the same on later ones."""


def draft_of(
    roots: Sequence[Path],
    *,
    processes: int | None = None,
    progress: Progress | None = None,
    most: int = MOST_FILES,
    metadata: Path | None = None,
    follow_links: bool = False,
    passed_over: Collection[Path] = (),
) -> str:
    """Return a `corpus.yaml` with the fields that the files seem to have. Unreadable files are skipped.

    `most`: how many files are read at most, at least one of each folder, spread evenly over their names, and of each
    the first pages. `passed_over` are left out.
    """
    need("corpus", "a corpus")
    by_folder: dict[str, list[Task]] = {}
    given = metadata_of(roots, metadata, follow_links=follow_links)
    for one in files_below(roots, follow_links=follow_links, passed_over={*given.files, *passed_over}):
        if isinstance(one, ListedFile):
            folder = _folder(one.name)
            by_folder.setdefault(folder, []).append(Task(one.path, one.name, folder, below=one.below))
    tasks = [*sampled(by_folder, most)]
    found: list[tuple[str, str, Extracted]] = []
    reader = Reader(every_reading=True, most_pages=MOST_PAGES)
    results = done_apart(tasks, reader, processes or os.cpu_count() or 1, Limits())
    for done, (task, result) in enumerate(results, 1):
        if isinstance(result, Extracted):
            found.append((task.name, task.bucket, replace(result, passages=())))
        if progress:
            progress(Step(done, len(tasks), task.name))
    return draft(sorted(found, key=lambda one: one[0]))


def sampled(by_folder: Mapping[str, Sequence[Task]], most: int) -> Iterator[Task]:
    """Yield files of each folder, together `most` of them: folders with few files leave their share to others."""
    left = most
    for at, held in enumerate(sorted(by_folder.values(), key=len)):
        count = min(len(held), max(1, left // (len(by_folder) - at)))
        left -= count
        yield from (held[place * len(held) // count] for place in range(count))


def _folder(name: str) -> str:
    """Return the first folder in a file's name."""
    parts = PurePosixPath(name).parts
    return parts[0] if len(parts) > 1 else GENERIC
