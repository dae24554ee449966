"""Every program of the language must give the answer that plain Python finds in the documents."""

import pytest

from .case import Case
from .compare import compare
from .conftest import Run
from .everything import CASES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_answer(case: Case, run: Run) -> None:
    complaints = compare(case, run(case))
    said = "\n".join([case.program, *complaints, *([f"(open to reading: {case.why})"] if case.open_to_reading else [])])
    assert not complaints, said
