"""Finds which fields occur on which entities; after a failure it is asked again."""

import pytest

from qlc.outcome import Failed, ValueOut
from qlc.translator.entry import Asker
from qlc.translator.protocol import Try
from qlc.translator.rules.lexicon.occurrence import Known, occurring


def test_a_failure_is_asked_again(drive: Asker) -> None:
    entity = drive.compiler.schema.entities["document"]
    known: Known = {}
    for outcome in (Failed(reason="too-large"), ValueOut(value={})):
        asked = occurring(entity, None, known)
        assert isinstance(next(asked), Try)
        with pytest.raises(StopIteration) as ended:
            asked.send(outcome)
        assert ended.value.value is None
    assert known == {"find documents": None}
