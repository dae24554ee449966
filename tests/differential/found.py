"""Programs whose answers once differed: `found.yaml` holds them, `found.json` what a real server answers.

They run always: on the embedded engine against the recorded answers, and on real servers where there are some.
`python -m tests.differential record` writes the answers anew.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.differential.engines import Answer
from tests.differential.programs import Program
from tests.differential.worlds import worlds

PATH = Path(__file__).parent / "found.yaml"
ANSWERS = Path(__file__).parent / "found.json"


@cache
def programs() -> dict[str, Program]:
    """Return the programs that once found a defect, by subject."""
    content: dict[str, dict[str, Any]] = yaml.load(PATH.read_text(encoding="utf-8"), yaml.CSafeLoader)
    now = {world.name: world.now for world in worlds()}
    return {
        about: Program(
            world=one["world"], text=one["program"], timezone=one.get("timezone", "UTC"),
            now=one.get("now", now[one["world"]]), params=one.get("params", {}), size=one.get("size", 10),
        )
        for about, one in content.items()
    }


@cache
def recorded() -> dict[str, Answer]:
    found: dict[str, Answer] = json.loads(ANSWERS.read_text(encoding="utf-8"))
    return found


def record(answers: dict[str, Answer]) -> None:
    lines = [f"{_dumps(about)}: {_dumps(answer)}" for about, answer in answers.items()]
    ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    recorded.cache_clear()


def as_case(program: Program) -> str:
    """A program as it is written into `found.yaml`."""
    case = {"world": program.world, "program": program.text, "timezone": program.timezone, "now": program.now}
    more = {"params": program.params} if program.params else {}
    return yaml.safe_dump(
        {"what it is about": {**case, **more, "size": program.size}}, allow_unicode=True, sort_keys=False
    )


def _dumps(value: Any) -> str:
    """With names in the order of the answer: estimates are known by their position."""
    return json.dumps(value, ensure_ascii=False)
