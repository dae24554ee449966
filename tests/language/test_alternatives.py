"""Words as one regular expression."""

import re

from qlc.language.alternatives import one_of
from qlc.language.units import SPELLINGS


def test_the_longest_word_is_matched() -> None:
    form = re.compile(one_of(["mar", "may", "march", "m.", "sept"]))
    found = [match[0] for match in form.finditer("march mar marc may m. mx sep sept")]
    assert found == ["march", "mar", "mar", "may", "m.", "sept"]


def test_every_word_is_matched_as_a_whole() -> None:
    form = re.compile(one_of(SPELLINGS))
    assert [one for one in SPELLINGS if not form.fullmatch(one)] == []
