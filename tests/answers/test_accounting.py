"""The conditions of an answer account for each content word of the question; else it has no count, list, sum, group or
extreme."""

from itertools import product

import pytest

import qlc
from qlc.outcome import AggregateOut, Answer, Clarify, Declined, Hits, NotInCorpus, Outcome, Passages
from tests.amounts import some
from tests.answers.model.conftest import Scripted, judges, plans, scripted, writes
from tests.tables import rows, table

__all__ = ["scripted"]

NO_ANSWER = Declined | Passages | NotInCorpus | Clarify
FIELDS = {
    "contracts": {"notice period": "notice", "liability cap": "liability_cap", "party": "party",
                  "effective date": "effective", "supplier": "party"},
    "invoices": {"vendor": "vendor", "total": "total"},
    "datasheets": {"width": "width", "nominal voltage": "voltage", "model": "model"},
}  # fmt: skip
"""Names of the example's fields in questions, and in the schema."""
VERBS = (
    "were filed", "were paid", "were signed", "were used", "are held", "were found", "were kept", "were carried out",
    "were modelled", "were valued", "were named", "were terminated", "were listed", "were renewed twice",
    "allow subletting", "mention sanctions", "forbid parking", "lapse within 30 days", "terminated in 2023", "bind us",
    "expired early", "need a notary", "were set", "have charges filed", "took longer than planned",
)  # fmt: skip
"""Verbs that no field of the example expresses."""
FORMS = table(__file__, "FORMS")
SAID = {"contracts": ("supplier", "notice period"), "invoices": ("vendor", "total in EUR")}


def number(found: Outcome) -> object:
    return found.values[0].value if isinstance(found, Answer) else found.total if isinstance(found, Hits) else None


ASKED = [*product(FORMS, SAID)]


@pytest.mark.parametrize("at", range(len(ASKED)), ids=map(" ".join, ASKED))
def test_a_verb_that_no_field_says_is_not_left_out(at: int, library: qlc.Corpus) -> None:
    """Every fifth verb in each form, and each verb in several forms; `make soak` has each in each."""
    form, bucket = ASKED[at]
    field, amount = SAID[bucket]
    step = some(5, 1)
    for verb in VERBS[at % step :: step]:
        question = form.format(bucket=bucket, verb=verb, field=field, amount=amount)
        found = library.ask(question)
        assert isinstance(found, NO_ANSWER), (question, found.query, found.message)


@pytest.mark.parametrize(
    ("form", "bucket", "said"),
    [
        (form, bucket, said)
        for form in ("How many {bucket} have {a} {said}?", "number of {bucket} with {a} {said}",
                     "count {bucket} having {a} {said}", "List the {bucket} with {a} {said}")
        for bucket, fields in FIELDS.items() for said in fields
    ],
)  # fmt: skip
def test_what_has_a_field_is_counted_or_declined(form: str, bucket: str, said: str, library: qlc.Corpus) -> None:
    right = library.compiler().run(f"count {bucket} where {FIELDS[bucket][said]} exists")
    article = "an" if said[0] in "aeiou" else "a"
    found = library.ask(form.format(bucket=bucket, a=article, said=said))
    assert isinstance(found, NO_ANSWER) or number(found) == right.value, found.query


@pytest.mark.parametrize(("question", "program"), rows(__file__, "test_a_condition_that_a_field_says_is_counted"))
def test_a_condition_that_a_field_says_is_counted(question: str, program: str, library: qlc.Corpus) -> None:
    right = library.compiler().run(program)
    assert number(library.ask(question)) == right.value


@pytest.mark.parametrize(
    "question",
    [
        "how many contracts with whom", "how many contracts and when", "how many kinds of contracts are there",
        "how many vendors have invoices", "how many names do the contracts have",
        "how many contracts have the longest notice period",
        "Which contract has no liability cap?", "Do all contracts have a cap?", "Is no contract renewed?",
    ],
)
def test_two_questions_other_nouns_and_questions_about_all_are_not_answered(question: str, library: qlc.Corpus) -> None:
    assert isinstance(library.ask(question), NO_ANSWER)


def test_a_group_keeps_its_condition(library: qlc.Corpus) -> None:
    found = library.ask("contracts by supplier that renew")
    right = library.compiler().run("count contracts where renews by party")
    assert isinstance(found, Answer)
    assert isinstance(right, AggregateOut)
    assert {row.name: row.cells["count"].value for row in found.rows} == {row.key: row.value for row in right.rows}


@pytest.mark.parametrize("intent", ["compute", "list"])
def test_a_plan_of_a_model_that_leaves_a_verb_out_counts_nothing(
    intent: str, library: qlc.Corpus, scripted: Scripted
) -> None:
    measure = {"measure": "count"} if intent == "compute" else {}
    reader, server = scripted(
        plans("contracts", intent, **measure), plans("contracts", intent, **measure), writes(status="not_in_evidence")
    )  # fmt: skip
    found = library.ask("How many contracts were terminated by a court?", reader=reader)
    assert isinstance(found, NO_ANSWER), found
    told = str(server.requests[1]["messages"][-1])
    assert "nothing in the plan stands for" in told
    assert "terminated" in told.split("stands for")[1]


def test_a_plan_of_a_model_that_says_all_is_counted(library: qlc.Corpus, scripted: Scripted) -> None:
    constraint = {"field": "renews", "operator": "=", "value": True, "raw_text": "prolonged by themselves"}
    reader, _ = scripted(plans("contracts", "compute", measure="count", constraints=[constraint]), judges(True))
    found = library.ask("How many contracts are prolonged by themselves?", reader=reader)
    assert number(found) == 3
