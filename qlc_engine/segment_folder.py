"""The segment files of one index."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterable
from pathlib import Path

from qlc_engine.segment import Segment
from qlc_engine.segment_file import read_segment, sync_folder, write_segment

_SUFFIX = ".segment"


class SegmentFolder:
    """Which of its files count is said by the store; others are left over from a crash or a merge."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, name: str) -> Path:
        return self._folder / (name + _SUFFIX)

    def save(self, segment: Segment) -> Segment:
        """Writes the segment and gives it back over the mapped file, so that its arrays leave the memory."""
        if not self._folder.exists():
            self._folder.mkdir(parents=True)
            sync_folder(self._folder.parent)
        write_segment(segment, self._path(segment.name))
        mapped = self.read(segment.name)
        return dataclasses.replace(mapped, space=dataclasses.replace(mapped.space, live=segment.space.live))

    def read(self, name: str) -> Segment:
        return read_segment(self._path(name), name)

    def keep_only(self, names: Iterable[str]) -> None:
        """Removes all other files; who has them mapped keeps them until he lets go."""
        kept = {self._path(name) for name in names}
        if self._folder.exists():
            for path in self._folder.iterdir():
                if path not in kept:
                    path.unlink(missing_ok=True)

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
