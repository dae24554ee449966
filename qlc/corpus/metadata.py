"""Values that people give: in the front matter of Markdown, in `metadata.csv` or `metadata.json` beside the files.

They win over what is read. `metadata.csv` has a column `file` and one for each field; `metadata.json` is an object of
files, each with its fields. Both name files as they are called from their own folder.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from qlc.errors import UsageError

FILES = ("metadata.csv", "metadata.json")
_LONGEST_FRONT_MATTER = 100_000

Given = Mapping[str, Any]
"""Of one file: values by field."""


def metadata_of(root: Path) -> dict[str, dict[str, Any]]:
    """What is given for the files below a folder, by their names from there.

    Raises UsageError for a file with errors.
    """
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(one for name in FILES for one in root.rglob(name)):
        folder = path.parent.relative_to(root)
        for name, values in _read(path).items():
            found.setdefault((folder / name).as_posix(), {}).update(values)
    return found


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        text = path.read_text("utf-8-sig")
        return _csv(text) if path.suffix == ".csv" else _json(text)
    except (OSError, ValueError, csv.Error) as error:
        raise UsageError(f"'{path}' cannot be used: {error}") from None


def _csv(text: str) -> dict[str, dict[str, Any]]:
    rows = csv.DictReader(text.splitlines())
    if "file" not in (rows.fieldnames or ()):
        raise ValueError("it has no column 'file'")
    return {row["file"]: {key: value for key, value in row.items() if key and key != "file" and value} for row in rows}


def _json(text: str) -> dict[str, dict[str, Any]]:
    data = json.loads(text)
    if not isinstance(data, dict) or not all(isinstance(one, dict) for one in data.values()):
        raise ValueError("it is not a JSON object of files, each with an object of its fields")
    return data


def front_matter(path: Path) -> dict[str, Any]:
    """The YAML that a Markdown file begins with; nothing where there is none, or it is no mapping."""
    if path.suffix.lower() not in (".md", ".markdown"):
        return {}
    with path.open("r", encoding="utf-8", errors="replace") as file:
        head = file.read(_LONGEST_FRONT_MATTER)
    found = re.match(r"\ufeff?---\r?\n(.*?)\r?\n(?:---|\.\.\.)\r?\n", head, re.DOTALL)
    try:
        data = yaml.load(found[1], Loader=yaml.BaseLoader) if found else {}
    except yaml.YAMLError:
        return {}
    return data if isinstance(data, dict) else {}
