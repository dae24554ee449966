"""The parser's results for 27,000 texts are the same as when they were frozen: trees, spans, errors and fixes."""

import pytest

from .frozen import GENERATED, frozen, said

Texts = dict[str, list[tuple[str, str]]]


@pytest.fixture(scope="module")
def texts() -> Texts:
    return frozen()


@pytest.mark.parametrize("kind", ["repository", *GENERATED])
def test_a_tree_a_span_or_an_error_is_not_as_it_was(texts: Texts, kind: str) -> None:
    """On purpose? Look at `python -m tests.grammar.frozen --changed`, then make the file anew without `--changed`."""
    changed = [text for text, digest in texts[kind] if said(text).digest != digest]
    assert changed == []
