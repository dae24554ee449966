"""The parser's results for 27,000 texts are the same as when they were frozen: trees, spans, errors and fixes.

A run of the suite looks at every second one of this repository and every sixth drawn one; `make soak` at all.
"""

import pytest

from tests.amounts import some

from .frozen import GENERATED, frozen, said

Texts = dict[str, list[tuple[str, str]]]


@pytest.fixture(scope="module")
def texts() -> Texts:
    return frozen()


@pytest.mark.parametrize("kind", ["repository", *GENERATED])
def test_a_tree_a_span_or_an_error_is_not_as_it_was(texts: Texts, kind: str) -> None:
    """On purpose? Look at `python -m tests.grammar.frozen --changed`, then make the file anew without `--changed`."""
    step = some(2 if kind == "repository" else 6, 1)
    changed = [text for text, digest in texts[kind][::step] if said(text).digest != digest]
    assert changed == []
