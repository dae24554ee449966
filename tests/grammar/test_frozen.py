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


def test_the_frozen_texts_are_not_of_every_kind(texts: Texts) -> None:
    found = {kind: [said(text).accepted for text, _ in some[::10]] for kind, some in texts.items()}
    assert sum(map(len, texts.values())) > 25_000
    assert all(sum(accepted) > 200 for accepted in found.values())
    assert sum(not one for accepted in found.values() for one in accepted) > 600


def test_another_span_is_another_digest() -> None:
    assert said("find a where b = 1").digest != said("find a where  b = 1").digest
    assert said("find a where b =").digest != said("find a where  b =").digest
