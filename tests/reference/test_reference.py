"""Every program of the language must give the answer that plain Python finds in the documents."""

from itertools import groupby

import pytest

from tests.tables import each

from .case import CASES, Case
from .compare import compare
from .conftest import Run

TOPICS = {topic: tuple(some) for topic, some in groupby(CASES, lambda case: case.id.partition("/")[0])}


@pytest.mark.parametrize("topic", TOPICS)
def test_answers(topic: str, run: Run) -> None:
    def check(case: Case) -> None:
        complaints = compare(case, run(case))
        assert not complaints, "\n".join([case.program, *complaints])

    each(TOPICS[topic], check)
