"""Any message after any other has an outcome, which never reports a defect."""

import os
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from qlc.translator.entry import Asker
from qlc.translator.protocol import Turn
from qlc.translator.rules.words.phrases import words
from tests.tables import table

from .dialogues import NOW

WORDS = sorted(
    words(
        "it this that those them they she her his its their one ones the first second last of in by from and or not "
        "only just what about instead also too except without forget any all newest top 3 2024 under 300 how many "
        "which who owns is documents folders invoices signed Legal Costco Grace Kim size owner date sort group per "
        "year back to my search again ? , ' ( ) - 's same for make include drop other there most oldest"
    )
)
PROGRAMS = table(__file__, "PROGRAMS")
turns = st.lists(st.sampled_from(PROGRAMS), min_size=1, max_size=3)


@settings(max_examples=int(os.environ.get("QLC_EXAMPLES", "15")))
@given(said=st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), programs=turns)
def test_any_words_have_an_outcome(asker: Callable[[str], Asker], said: list[str], programs: list[str]) -> None:
    drive = asker("drive")
    history = []
    for number, program in enumerate(programs, 1):
        outcome = drive.compiler.run(program, now=NOW["drive"]).model_dump(mode="json") if program else {}
        history.append(Turn("what was asked", program, outcome, number=number))
    became = drive.program_of(" ".join(said), history=history, now=NOW["drive"])
    assert getattr(became, "kind", "") != "failed"
    program = getattr(became, "program", None)
    if program is not None:
        assert not drive.compiler.diagnose(program, now=NOW["drive"]).failed
