"""The recorded answers of real servers: one file for each topic, one line for each case."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tests.conformance.asking import Answer
from tests.conformance.cases import Case

FOLDER = Path(__file__).parent / "answers"


class StaleAnswerError(LookupError):
    """A case has no recorded answer, or one to a request that has changed since."""


def recorded(case: Case, major: int = 8) -> list[Answer]:
    """The answers of Elasticsearch 8.x; of 9.x where they are others."""
    found = _read(FOLDER / f"{case.topic}.json").get(case.key)
    if major != 8:
        found = _read(FOLDER / str(major) / f"{case.topic}.json").get(case.key, found)
    if found is None or found["request"] != case.digest:
        raise StaleAnswerError(f"record this case first: python -m tests.conformance record --topic {case.topic}")
    answers: list[Answer] = found["answers"]
    return answers


def differs(case: Case, major: int) -> bool:
    """Whether this major version answers in its own way."""
    return case.key in _read(FOLDER / str(major) / f"{case.topic}.json")


def write(topic: str, major: int, answers: Iterable[tuple[Case, list[Answer]]]) -> None:
    """Record the answers of a topic; of 9.x those that are not as 8.x gives them."""
    folder = FOLDER if major == 8 else FOLDER / str(major)
    path = folder / f"{topic}.json"
    lines = [f"{_dumps(case.key)}: {_dumps({'request': case.digest, 'answers': found})}" for case, found in answers]
    _read.cache_clear()
    if not lines:
        path.unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


@cache
def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found
