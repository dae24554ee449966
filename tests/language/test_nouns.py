"""One and several of a noun: names of indices, entities and buckets."""

import pytest

from qlc.corpus.schema import singular
from qlc.language.nouns import plural_of, singular_of
from qlc.mapping.draft.naming import entity_names
from qlc.translator.rules.words.phrases import stem
from tests.tables import table

NOUNS = table(__file__, "NOUNS")


@pytest.mark.parametrize(("one", "several"), NOUNS.items())
def test_singular_and_plural_are_each_others_inverse(one: str, several: str) -> None:
    assert (singular_of(several), plural_of(one)) == (one, several)


def test_a_noun_for_several_has_no_plural() -> None:
    assert entity_names("staff", is_table=True) == ("staff", "staff")


@pytest.mark.parametrize(("one", "several"), [pair for pair in NOUNS.items() if pair[0] not in ("person", "cache")])
def test_a_drafted_entity_is_called_by_its_noun(one: str, several: str) -> None:
    assert entity_names(several) == (one, several)


@pytest.mark.parametrize("one", ["movie", "cookie", "zombie", "calorie", "brownie", "company", "body", "delivery"])
def test_one_and_several_have_the_same_stem(one: str) -> None:
    assert stem(one) == stem(plural_of(one))


@pytest.mark.parametrize(("bucket", "one"), [
    ("movies", "movie"), ("policies", "policy"), ("leases", "lease"), ("boxes", "box"), ("series", "series_document"),
    ("staff", "staff_document"), ("cvs", "cv"),
])  # fmt: skip
def test_one_document_of_a_bucket(bucket: str, one: str) -> None:
    assert singular(bucket) == one
