"""What a draft says for stored values, and which objects only some documents have."""

from __future__ import annotations

import pytest

from qlc.mapping.draft.codes import words_of_codes
from qlc.mapping.draft.objects import objects_of_some
from qlc.mapping.draft.other_words import kinds_of, names_of_languages
from qlc.mapping.draft.sample import FieldSample, Sample
from tests.tables import rows


@pytest.mark.parametrize(("values", "field", "called"), [
    (["sv", "fi"], ["lang"], {"sv": ("Swedish",), "fi": ("Finnish",)}),
    (["sv-SE", "EN_gb"], ["locale"], {"sv-SE": ("Swedish",), "EN_gb": ("English",)}),
    (["pt-BR", "pt-PT", "el"], ["language"], {"pt-BR": (), "pt-PT": (), "el": ("Greek",)}),
    (["sv", "fi"], ["country"], {}), (["sv", "xx"], ["language"], {}), ([], ["language"], {}),
])  # fmt: skip
def test_languages(values: list[str], field: list[str], called: dict[str, tuple[str, ...]]) -> None:
    assert names_of_languages(values, field) == called


@pytest.mark.parametrize(("values", "field", "kinds"), rows(__file__, "test_values_of_one_kind"))
def test_values_of_one_kind(values: list[str], field: str, kinds: dict[str, list[str]]) -> None:
    assert kinds_of(values, [field], {field}) == kinds


def sample(**having: int) -> Sample:
    """Twenty documents, of which so many have each path; `__` stands for a dot."""
    seen = {
        path.replace("__", "."): FieldSample(filled=count, by_place={(str(n),): ["x"] for n in range(count)})
        for path, count in having.items()
    }
    return Sample({}, 20, [str(n) for n in range(20)], seen)


def objects(read: Sample, *taken: str) -> dict[str, str]:
    return dict(objects_of_some(read.seen, read, taken))


def test_objects_that_some_documents_have() -> None:
    assert objects(sample(recall__note=6, recall__at=9, at=20)) == {"recall": "recall.at"}
    assert objects(sample(recalls__at=9)) == {"recall": "recalls.at"}
    assert objects(sample(recall__at=9), "Recall") == objects(sample(recall__at=9), "recalls") == {}
    assert objects(sample(recall__at=19)) == objects(sample(recall__at=3)) == objects(sample(details__at=9)) == {}


def test_an_object_without_a_field_that_is_always_there() -> None:
    read = sample(recall__at=9, recall__note=9)
    read.seen["recall.note"].by_place = {(str(n),): ["x"] for n in range(5, 14)}
    assert objects(read) == {}


@pytest.mark.parametrize("beside", [
    {"SEK": "Lindqvist AB", "EUR": "Europa Handel"}, {"SEK": "sektor nord", "EUR": "paid in euro notes"},
])  # fmt: skip
def test_a_code_has_no_words_from_values_beside_it(beside: dict[str, str]) -> None:
    codes = ["SEK", "EUR"] * 10
    places = {(str(n),): [code] for n, code in enumerate(codes)}
    texts = {(str(n),): [beside[code]] for n, code in enumerate(codes)}
    seen = {"pay_unit": FieldSample(filled=20, by_place=places), "buyer": FieldSample(filled=20, by_place=texts)}
    read = Sample({}, 20, [str(n) for n in range(20)], seen, terms={"pay_unit": ("EUR", "SEK")})
    assert words_of_codes(read, "pay_unit") == {}


def test_a_code_has_the_words_that_such_codes_are_short_for() -> None:
    read = Sample({}, 0, [], terms={"freight": ("STD", "PRIO")})
    assert words_of_codes(read, "freight") == {"STD": ("standard",), "PRIO": ("priority",)}
