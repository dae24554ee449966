"""Reading of JSON: what is right comes out as it is, what is nearly right with the edits that make it right."""

import json
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qlc.pasted.json_tree import Unreadable, fixed, plain, read_json
from tests.tables import rows

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=map(chr, (*range(9), *range(10, 32)))))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([None, 2]))
def test_json_is_read_as_python_reads_it(value: Any, indent: int | None) -> None:
    for ascii_only in (True, False):
        text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        read = read_json(text)
        assert (plain(read.node), read.fixes, read.end) == (value, [], len(text))


MISTAKES = rows(__file__, "MISTAKES")


@pytest.mark.parametrize(("text", "value", "right"), MISTAKES)
def test_a_mistake_is_fixed(text: str, value: Any, right: str) -> None:
    read = read_json(text)
    assert read.fixes
    assert plain(read.node) == value
    assert fixed(text, read.fixes) == right
    assert json.loads(right) == value


RIGHT = rows(__file__, "RIGHT")


@pytest.mark.parametrize(("text", "value"), RIGHT)
def test_what_consoles_take_is_no_mistake(text: str, value: Any) -> None:
    read = read_json(text)
    assert (plain(read.node), read.fixes) == (value, [])


UNREADABLE = rows(__file__, "UNREADABLE")


@pytest.mark.parametrize(("text", "at"), UNREADABLE)
def test_what_can_mean_several_things_is_reported_with_its_place(text: str, at: int) -> None:
    with pytest.raises(Unreadable) as problem:
        read_json(text)
    assert problem.value.message
    assert problem.value.span.start == at
    assert problem.value.span.end > problem.value.span.start


_PIECES = st.lists(st.sampled_from([*'{}[],:"\'\\ \n;=#/', "a", "1", ".", "-", "true", "None", "\u201c", "\u201d", '"x"',
                                    '"""', "//", "=>"]), max_size=25).map("".join)  # fmt: skip


@settings(max_examples=int(os.environ.get("QLC_EXAMPLES", "150")))
@given(_PIECES)
def test_any_text_is_read_fixed_or_refused(text: str) -> None:
    try:
        read = read_json(text)
    except Unreadable:
        return
    result = fixed(text[: read.end], read.fixes)
    again = read_json(result)
    assert (plain(again.node), again.fixes) == (plain(read.node), [])
