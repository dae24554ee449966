"""Links words of a question to the fields, values and dates of a schema."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from qlc.answers.linking import link
from qlc.answers.terms import noun_stem, restricts_otherwise, terms
from qlc.corpus.schema import read_schema
from qlc.language.stems import stem
from tests.tables import rows

SCHEMA = read_schema("""version: 1
buckets:
  leases:
    description: Agreements with tenants
    words: [letting, tenancy]
    fields:
      tenant: {type: name}
      rent: {type: money, labels: [Monthly rent]}
      area: {type: number, unit: m²}
      notice_days: {type: duration, unit: days, labels: [notice period]}
      begins: {type: date, labels: [start of the tenancy]}
      heating: {type: choice, values: {gas: [gas boiler], electric: [heat pump, electricity]}}
  meters:
    fields:
      width: {type: number, unit: mm}
      secret: {type: number, unit: mm, sensitive: true, labels: [hidden width]}
""")


@pytest.mark.parametrize(("question", "intent", "measure"), rows(__file__, "test_what_is_to_be_done"))
def test_what_is_to_be_done(question: str, intent: str, measure: str) -> None:
    found = link(question, SCHEMA)
    assert (found.intent, found.measure) == (intent, measure)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("What is the monthly rent of Ada?", "rent"),
        ("How wide is the M-3?", "width"),
        ("When did the tenancy of Ada start?", "begins"),
        ("What notice period does Ada have?", "notice_days"),
    ],
)
def test_which_field_is_asked_for(question: str, field: str) -> None:
    assert link(question, SCHEMA).fields[0].name == field


def test_a_sensitive_field_is_never_linked() -> None:
    assert [one.name for one in link("What is the hidden width of the M-3?", SCHEMA).fields] == ["width"]


@pytest.mark.parametrize(("question", "bounds"), rows(__file__, "test_amounts_with_their_comparisons"))
def test_amounts_with_their_comparisons(question: str, bounds: list[list[str]]) -> None:
    found = [[one.operator, f"{one.quantity.number:f}", one.quantity.unit] for one in link(question, SCHEMA).bounds]
    assert found == bounds


def test_months_and_what_is_between_them() -> None:
    found = link("leases that began between June and August 2025", SCHEMA).bounds
    assert [(one.operator, one.period) for one in found] == [(">=", "2025-06"), ("<=", "2025-08")]


@pytest.mark.parametrize(("question", "bounds"), rows(__file__, "test_halves_and_quarters_of_a_year"))
def test_halves_and_quarters_of_a_year(question: str, bounds: list[list[str]]) -> None:
    found = link(question, SCHEMA)
    assert [[one.operator, one.period] for one in found.bounds] == bounds
    assert "half" not in found.rest
    assert "quarter" not in found.rest


def test_a_part_of_a_year_that_there_is_not_is_no_time() -> None:
    assert not any(one.period for one in link("leases of H3 2024", SCHEMA).bounds)


def test_a_closed_value_is_named_by_any_of_its_spellings() -> None:
    assert [(one.field, one.value) for one in link("leases with a heat pump", SCHEMA).chosen] == [
        ("heating", "electric")
    ]


@pytest.mark.parametrize(
    "text", ["not renewed", "without a cap", "per vendor", "the first", "since last May", "in April"]
)
def test_words_that_conditions_do_not_stand_for(text: str) -> None:
    assert restricts_otherwise(text)


def test_the_words_of_a_question_have_their_places() -> None:
    text = "What does Unit A's meter say?"
    assert [(one.raw, text[one.begin : one.end]) for one in terms(text)] == [
        ("Unit", "Unit"),
        ("A", "A"),
        ("meter", "meter"),
    ]


def test_forms_of_a_word_have_one_stem_and_codes_have_none() -> None:
    assert stem("contracts") == stem("contract")
    assert noun_stem("expired") == stem("expiry")
    assert stem("parts") != stem("party")
    assert stem("TO-220s") != stem("TO-220")


def test_words_have_the_same_stems_on_many_threads() -> None:
    words = [f"{start}{end}" for start in ("calibra", "terminat", "replac", "govern") for end in _ENDINGS]
    alone = [stem(word) for word in words]
    for _ in range(20):
        stem.cache_clear()
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(stem, words)) == alone


_ENDINGS = [
    f"{letter}{end}" for letter in "aeioubdglmnrst" for end in ("ations", "ing", "ed", "ments", "iveness", "able")
]
