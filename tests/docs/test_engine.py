"""docs/engine.md is what the engine's tables say."""

import json

from tests.docs.engine_page import PAGE, page
from tests.engine.conftest import Asked


def test_the_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.docs.engine_page"


def test_the_example_of_a_refusal() -> None:
    from qlc_engine import Engine

    with Engine.open(None) as engine:
        asked = Asked(engine)
        asked.put("i", {"1": {"a": 1}})
        status, answered = asked.ask("POST", "/i/_search", {"profile": True})
    example = json.loads(page().split("```json\n")[1].split("```")[0])
    assert (status, answered) == (example["status"], example)
