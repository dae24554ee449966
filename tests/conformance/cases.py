"""The requests, read from `cases/*.yaml`.

A file holds groups, separated by `---`::

    about: Terms on keywords                       # what the group is about
    request: POST /things/_search                  # sent by every case that does not name one
    body: {size: 100, sort: [{id: asc}]}           # what the bodies of these cases do not say themselves
    tolerance: 0.05                                # numbers may differ by this part; else see comparing.py
    cases:
      one value: {query: {term: {kw: alpha}}}      # name and body
      how many:                                    # another request
        GET /things/_count: {query: {term: {kw: alpha}}}
      in steps:                                    # several; a list as body is sent as lines
        - POST /things/_pit?keep_alive=1m: null
          keep: {pit: id}                          # from here on "$pit" is the answer's `id`
        - POST /_search: {pit: {id: $pit}}
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.conformance.strict_yaml import load_all

FOLDER = Path(__file__).parent / "cases"
_REQUEST_LINE = re.compile(r"(GET|POST|PUT|DELETE|HEAD) (/\S*)")


@dataclass(frozen=True)
class Request:
    """One raw request; `keep` names parts of its answer for the requests after it."""

    method: str
    path: str
    body: Any
    keep: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """One or several requests in order."""

    topic: str
    about: str
    name: str
    requests: tuple[Request, ...]
    tolerance: float | None

    @property
    def key(self) -> str:
        """Its name among the cases of its topic."""
        return f"{self.about}: {self.name}"

    @property
    def digest(self) -> str:
        """Stands beside recorded answers, so that those to a request that has changed since are found."""
        asked = [[request.method, request.path, request.body] for request in self.requests]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:12]


@cache
def cases() -> tuple[Case, ...]:
    """All cases."""
    found = tuple(case for path in sorted(FOLDER.glob("*.yaml")) for case in _read(path))
    names = [(case.topic, case.key) for case in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"names used twice: {twice}")
    return found


def _read(path: Path) -> list[Case]:
    found = []
    for group in load_all(path):
        unknown = group.keys() - {"about", "request", "body", "tolerance", "cases"}
        if unknown:
            raise ValueError(f"{path.name}: a group has no {sorted(unknown)}")
        for name, written in group["cases"].items():
            steps = written if isinstance(written, list) else [written]
            requests = tuple(_request(group, step) for step in steps)
            found.append(Case(path.stem, group["about"], name, requests, group.get("tolerance")))
    return found


def _request(group: Mapping[str, Any], step: Mapping[str, Any] | None) -> Request:
    lines = [key for key in step or () if _REQUEST_LINE.fullmatch(key)]
    if step is None or not lines:
        method, path = _line(group["request"])
        return Request(method, path, {**group.get("body", {}), **(step or {})})
    (line,) = lines
    if step.keys() - {line, "keep"}:
        raise ValueError(f"beside the request line only `keep` may stand: {step}")
    method, path = _line(line)
    return Request(method, path, step[line], step.get("keep", {}))


def _line(text: str) -> tuple[str, str]:
    match = _REQUEST_LINE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a request line: {text!r}")
    return match[1], match[2]
