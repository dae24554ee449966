"""Prompts stay short, however many buckets and fields there are, and have nothing that is confidential."""

from qlc.answers.model.prompts import planner, router, single_loop
from qlc.corpus.schema import BucketPart, CorpusFile, CorpusSchema, FieldPart

QUESTION = "Which of the contracts has a notice period under 60 days?"


def schema(buckets: int, fields: int) -> CorpusSchema:
    kinds = ["contracts", *(f"kind{number}" for number in range(buckets - 1))]
    parts = {
        name: FieldPart(type="number", unit="days", description="a period", labels=("Period",))  # type: ignore[call-arg]
        for name in ["notice_period", *(f"field{number}" for number in range(fields - 1))]
    }
    made = {
        name: BucketPart(description=f"Papers of the kind {name}", fields=parts)  # type: ignore[call-arg]
        for name in kinds
    }
    return CorpusSchema(CorpusFile(version=1, buckets=made), "")  # type: ignore[call-arg]


def test_a_thousand_buckets_cost_the_planner_no_more_than_three() -> None:
    few, many = (planner(QUESTION, ["contracts", "kind0", "kind1"], schema(n, 20), "2026-01-01") for n in (3, 1_000))
    assert few == many


def test_what_is_left_out_of_many_is_what_the_question_does_not_speak_of() -> None:
    wide = schema(1_000, 300)
    asked = planner(QUESTION, ["contracts", "kind0", "kind1"], wide, "2026-01-01")
    assert "notice_period" in asked.system[1]
    assert asked.characters < 22_000
    routed = router(QUESTION, wide)
    assert "contracts:" in routed.system[1]
    assert routed.characters < 12_000
    assert "notice_period" in single_loop(QUESTION, wide, "2026-01-01", 5).system[1]


def test_a_sensitive_field_is_in_no_prompt() -> None:
    secret = FieldPart(type="money", sensitive=True)  # type: ignore[call-arg]
    bucket = BucketPart(fields={"salary": secret, "role": FieldPart(type="text")})  # type: ignore[call-arg]
    people = CorpusSchema(CorpusFile(version=1, buckets={"people": bucket}), "")  # type: ignore[call-arg]
    for request in (planner("salary?", ["people"], people, "now"), single_loop("salary?", people, "now", 5)):
        assert "salary (" not in request.system[1]
        assert "role (" in request.system[1]


def test_what_is_stable_comes_first() -> None:
    one, other = (planner(words, ["contracts"], schema(2, 3), "2026-01-01") for words in ("one?", "two?"))
    assert (one.system, one.tools) == (other.system, other.tools)
