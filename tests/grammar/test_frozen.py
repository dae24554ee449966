"""The parser says of 27,000 texts what it said when they were frozen: the same trees, spans, errors and fixes."""

from __future__ import annotations

import pytest

from .frozen import frozen, said

FROZEN = frozen()


@pytest.mark.parametrize("kind", FROZEN)
def test_a_tree_a_span_or_an_error_is_not_as_it_was(kind: str) -> None:
    """On purpose? Look at `python -m tests.grammar.frozen --changed`, then make the file anew without `--changed`."""
    changed = [text for text, digest in FROZEN[kind] if said(text).digest != digest]
    assert changed == []


def test_the_frozen_texts_are_of_every_kind() -> None:
    found = {kind: [said(text).accepted for text, _ in texts[::10]] for kind, texts in FROZEN.items()}
    assert sum(map(len, FROZEN.values())) > 25_000
    assert all(sum(accepted) > 200 for accepted in found.values())
    assert sum(not one for accepted in found.values() for one in accepted) > 600


def test_another_span_is_another_digest() -> None:
    assert said("find a where b = 1").digest != said("find a where  b = 1").digest
    assert said("find a where b =").digest != said("find a where  b =").digest
