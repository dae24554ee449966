"""Values given by people: in front matter of Markdown, and for all files of a folder in a metadata file.

They override values that are read. The metadata file is passed by the caller, or it is `metadata.csv` or
`metadata.json` at the top of the folder. Files of these names further down are ordinary files, since someone who may
write in a subfolder must not decide about the rest. The CSV has a column `file` and one for each field; the JSON maps
files to objects with their fields. Both name files as the corpus does.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from qlc.base.errors import UsageError

from .errors import Unreadable
from .files import ListedFile, Problem, Readable, opened, prefixes
from .limits import Limits
from .work import done_apart

FILES = ("metadata.csv", "metadata.json")
_MOST_BYTES = 20_000_000
_LONGEST_FRONT_MATTER = 100_000
_LONGEST_CELL = 131_072
_MOST_LEVELS = 10
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

Given = Mapping[str, Any]
"""The given values of a file by field, each a text, a number, or a list of these."""


@dataclass(slots=True)
class Metadata:
    """The given values for all added files."""

    values: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Values by the name of the file in the corpus."""
    files: set[Path] = field(default_factory=set)
    """The metadata files, which are not documents themselves."""
    unused: list[Problem] = field(default_factory=list)
    """Files named like metadata, with the reason why they are read as documents."""


def metadata_of(
    roots: Sequence[Path], named: Path | None = None, *, follow_links: bool = False, limits: Limits | None = None
) -> Metadata:
    """Read the values for files below some folders: from the passed file, else from one at the top of each folder.

    They are read in a separate process, as all files. Raises UsageError if the passed file cannot be used.
    """
    found = Metadata()
    if named is not None:
        if not named.is_file():
            raise UsageError(f"there is no file '{named}' with metadata")
        if isinstance(read := _read_apart(named, None, limits), Unreadable):
            raise UsageError(f"the metadata '{named}' cannot be used: {read.message}")
        found.values, found.files = read, {named.resolve()}
        return found
    for root, prefix in prefixes(roots):
        place = root.resolve()
        # Links and devices are reported when files are listed.
        there = [path for path in (place / name for name in FILES)
                 if path.is_file() and (follow_links or not path.is_symlink())]
        if len(there) == 2:
            message = "There are metadata.csv and metadata.json: remove one, or name one with --metadata."
            found.unused += [_unused(prefix + path.name, message) for path in there]
        elif there:
            read = _read_apart(there[0], None if follow_links else place, limits)
            if isinstance(read, Unreadable):
                found.unused.append(_unused(prefix + there[0].name, read.message))
            else:
                found.values |= {prefix + name: values for name, values in read.items()}
                found.files.add(there[0])
    return found


def _unused(name: str, message: str) -> Problem:
    return Problem(name, "metadata", f"{message} Its values are not used, and it is read as a document.")


def is_unused(name: str) -> Problem | None:
    """Return why the values of a file named like metadata are not used; None for other files."""
    if PurePosixPath(name).name not in FILES:
        return None
    return _unused(name, "Only one file gives values: at the top of the folder, or named with --metadata.")



def _read_apart(path: Path, below: Path | None, limits: Limits | None) -> Any:
    file = ListedFile(Path(os.path.abspath(path)), path.name, below)
    ((_, read),) = done_apart([file], _read, 1, limits or Limits())
    return read


def _read(task: ListedFile, limits: Limits) -> dict[str, dict[str, Any]]:
    """Read metadata, as a job for a separate process. Raises Unreadable."""
    with opened(task.path, task.below) as file:
        if file.size > _MOST_BYTES:
            raise Unreadable("too_large", f"The file has {file.size:,} bytes, and metadata may have {_MOST_BYTES:,}.")
        data = file.read_bytes()
    try:
        text = data.decode("utf-8-sig")
        pairs = _csv(text) if task.path.suffix.lower() == ".csv" else _json(text)
        return _distinct((PurePosixPath(name).as_posix(), dict(_plain(values))) for name, values in pairs)
    except RecursionError:
        raise Unreadable("metadata", "It is nested too deeply.") from None
    except UnicodeDecodeError:
        raise Unreadable("metadata", "It is not UTF-8 text.") from None
    except (ValueError, csv.Error) as error:
        raise Unreadable("metadata", f"It cannot be read as metadata: {error}.") from None


def _csv(text: str) -> Iterator[tuple[str, Given]]:
    rows = csv.DictReader(io.StringIO(text, newline=""))
    if "file" not in (rows.fieldnames or ()):
        raise ValueError("it has no column 'file'")
    for row in rows:  # the limit of the csv module is one for the whole process, which tables raise
        if any(len(value) > _LONGEST_CELL for value in row.values() if isinstance(value, str)):
            raise ValueError(f"field larger than {_LONGEST_CELL:,} characters")
        if name := row.pop("file", None):
            yield name, {key: value for key, value in row.items() if key and value}


def _json(text: str) -> Iterable[tuple[str, Given]]:
    data = json.loads(text, object_pairs_hook=_distinct)
    if not isinstance(data, dict) or not all(isinstance(one, dict) for one in data.values()):
        raise ValueError("it is not a JSON object of files, each with an object of its fields")
    return data.items()


def _distinct(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"'{name[:200]}' is there twice")
        found[name] = value
    return found


def _plain(data: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of a mapping that a field can have."""
    for key, value in data.items():
        if all(isinstance(one, str | int | float) for one in (value if isinstance(value, list) else [value])):
            yield str(key), value


def front_matter(file: Readable) -> dict[str, Any]:
    """Return the YAML at the beginning of a Markdown file; empty if there is none, or it is not a mapping.

    Raises Unreadable for aliases, which can expand beyond any memory, and for deep nesting.
    """
    if file.suffix.lower() not in (".md", ".markdown"):
        return {}
    with io.TextIOWrapper(file.open("rb"), encoding="utf-8", errors="replace") as content:
        head = content.read(_LONGEST_FRONT_MATTER)
    found = re.match(r"\ufeff?---\r?\n(.*?)\r?\n(?:---|\.\.\.)\r?\n", head, re.DOTALL)
    if found is None:
        return {}
    try:
        _check_events(found[1])
        data = yaml.load(found[1], Loader=_LOADER)
    except yaml.YAMLError:
        return {}
    return dict(_plain(data)) if isinstance(data, dict) else {}


def _check_events(text: str) -> None:
    """Check for aliases and deep nesting. Raises Unreadable, YAMLError."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise Unreadable("metadata", f"Its front matter has an alias (*{event.anchor}): write what it stands for.")
        if depth > _MOST_LEVELS:
            raise Unreadable("metadata", f"Its front matter is nested more than {_MOST_LEVELS} levels deep.")
