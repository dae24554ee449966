"""Every program of the language must give the answer that plain Python finds in the documents."""

import pytest

from .case import CASES, Case
from .compare import compare
from .conftest import Run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_answer(case: Case, run: Run) -> None:
    complaints = compare(case, run(case))
    assert not complaints, "\n".join([case.program, *complaints])
