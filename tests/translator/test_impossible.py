"""Days that no calendar has."""

import pytest

from qlc.translator.entry import Asker
from qlc.translator.protocol import CannotSay
from qlc.translator.rules.quantities.spans import refuse_impossible_days
from tests.tables import rows


@pytest.mark.parametrize(("text", "sentence"), rows(__file__, "test_what_cannot_be_is_reported"))
def test_what_cannot_be_is_reported(text: str, sentence: str) -> None:
    assert refuse_impossible_days(CannotSay(), text) == CannotSay(cannot_be=f"{sentence} Name another one.")


@pytest.mark.parametrize("text", ["documents from 29 February 2024", "documents from 29 February", "before 3/25/2024",
                                  "before 25/3/2024", "March 2025", "1 to 3 May", "2025-02-28"])  # fmt: skip
def test_days_that_there_are(text: str) -> None:
    assert refuse_impossible_days(CannotSay(), text) == CannotSay()


@pytest.mark.parametrize(("text", "sentence"), [
    ("documents created after 2024-13-40", "There is no month 13."),
    ("documents created after 31-04-2024", "April 2024 has no day 31."),
    ("documents over 30 February 2024", "February 2024 has no day 30."),
    ("how many documents were modified before 2024/2/30", "February 2024 has no day 30."),
    ("documents created from 2024-01-01 to 2024-13-40", "There is no month 13."),
])  # fmt: skip
def test_nothing_is_read_in_their_place(drive: Asker, text: str, sentence: str) -> None:
    outcome = drive.ask(text)
    assert (outcome.kind, outcome.message) == ("declined", f"{sentence} Name another one.")


@pytest.mark.parametrize(("text", "program"), [
    ("documents created after 2024-2-5", "find documents where created > 2024-02-05"),
    ("documents created after 25-2-2024", "find documents where created > 2024-02-25"),
    ('documents named "31/02/2025"', 'find documents where name = "31/02/2025"'),
])  # fmt: skip
def test_days_in_other_manners_and_names_are_read(drive: Asker, text: str, program: str) -> None:
    assert drive.ask(text).query == program


@pytest.mark.parametrize("text", [
    'documents where size = "big"', 'documents where size > 5 and type = "Nonesuch"', 'find documents wher siz = "big"',
    "select * from documents where size = 'big'", 'fnd documents where folderName = "Tax"', 'documents | where a = "b"',
])  # fmt: skip
def test_a_fix_that_is_offered_has_no_errors_itself(drive: Asker, text: str) -> None:
    found = drive.ask(text).diagnostics
    assert found
    fixes = [one.fixed for one in found if one.fixed is not None]
    wrong = [one for fix in fixes for one in drive.compiler.check(fix).diagnostics if one.severity == "error"]
    assert wrong == []
