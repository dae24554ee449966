"""A taught form answers the same words with other fillers, and no other question."""

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import qlc
from qlc import catalogs
from qlc.base.errors import UsageError
from qlc.pipeline.trace import Trace
from qlc.translator.by_rules import ByRules
from qlc.translator.entry import Asker
from qlc.translator.forms.file import Forms
from qlc.translator.forms.translator import FormTranslator
from qlc.translator.protocol import Question, Step, Translated, Translating, Turn
from qlc.translator.rules.translator import RuleTranslator
from tests import data_sets
from tests.tables import table

from .conftest import OPTIONS, School, stored_pairs

EXAMPLES = int(os.environ.get("QLC_EXAMPLES", "25"))
STEADY = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip


# --- the form of a pair, and its question ----------------------------------------------------------------------------


@STEADY
@given(pair=st.sampled_from(stored_pairs()))
def test_a_form_answers_its_own_question_with_its_own_program(pair: tuple[str, str], rules: RuleTranslator) -> None:
    school = School(rules)
    school.teach(*pair)
    if len(school.forms):
        assert school.ask(pair[0]) == school.asker.diagnosis(pair[1], OPTIONS).text
        (form,) = school.forms.all
        literals = [part for part in form.program.split('"')[1::2] if part.casefold() in pair[0].casefold()]
        assert not literals, "what the question says is a slot, and is not kept"


def test_most_stored_pairs_can_be_taught(schools: Callable[[], School]) -> None:
    school = schools()
    some = stored_pairs()[::7]
    for pair in some:
        school.teach(*pair)
    assert len(school.forms) >= 0.7 * len(some)


CHANGES: tuple[Callable[[str], str], ...] = (
    lambda text: text + " or Elena Petrova",
    lambda text: text + " and not signed",
    lambda text: text + " before 2020",
    lambda text: text + " larger than 3 MB",
    lambda text: "not " + text,
    lambda text: "how many " + text,
    lambda text: "the newest " + text,
    lambda text: text + " by folder",
    lambda text: text + " except invoices",
    lambda text: text + " last year",
)


@STEADY
@given(pair=st.sampled_from(stored_pairs()), change=st.sampled_from(CHANGES))
def test_a_word_more_is_another_question(
    pair: tuple[str, str], change: Callable[[str], str], rules: RuleTranslator
) -> None:
    school = School(rules)
    school.teach(*pair)
    assert school.ask(change(pair[0])) is None


# --- fillers ---------------------------------------------------------------------------------------------------------


TAUGHT = table(__file__, "TAUGHT")
"""Pairs to teach, each with its form, and the programs of other questions, or null."""


@pytest.mark.parametrize("about", TAUGHT)
def test_what_a_form_answers(school: School, about: str) -> None:
    for question, program, form in TAUGHT[about]["pairs"]:
        made = school.teach(question, program)
        assert form is None or made == form
    assert {question: school.ask(question) for question in TAUGHT[about]["asked"]} == TAUGHT[about]["asked"]


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("question", "program", "code"), [
    ("big documents", "find documents where sizze > 5 MB", "form-program"),
    ("big documents", "find documents where (", "form-program"),
    ("papers of our lawyers", 'find documents where folder = "Legal"', "form-name"),
    ("documents of the spring", "find documents where created = 2025-04", "form-date"),
    ("documents from Acme", 'find documents where vendor = "Acme Corp"', "form-value"),
    ("documents of 2024", "find documents where extension = \"pdf\"", "form-not-in-program"),
    ('documents like "that"', "find documents where extension = \"pdf\"", "form-not-in-program"),
    ("documents that Xaver needs", "find documents where extension = \"pdf\"", "form-not-in-program"),
    ("show me Legal", 'find documents where folder = "Legal"', "form-only-slots"),
    ("documents over 5 MB or over 5 MB in folders", "find documents where size > 5 MB", "form-ambiguous"),
    ("documents speaking of not paid", 'find documents where mentions "not paid"', "form-not-read"),
    ("a " * 3000, "find documents where size > 5 MB", "form-too-long"),
    ("  ", "find documents where size > 5 MB", "form-empty"),
])  # fmt: skip
def test_pairs_that_are_refused(school: School, question: str, program: str, code: str) -> None:
    made = school.asker.teach(question, program, **OPTIONS)
    assert made.form is None
    (found,) = made.diagnostics
    assert (found.code, bool(found.message), bool(found.hint)) == (code, True, True)
    assert len(school.forms) == 0


@pytest.mark.parametrize("context", [{}, {"sensitive": True}])
def test_what_is_confidential_is_in_no_form(context: dict[str, bool]) -> None:
    asker = Asker(qlc.Compiler(data_sets.client("ecommerce"), catalogs.path("ecommerce")), [ByRules(Forms())])
    made = asker.teach('orders of "a@b.example"', 'find orders where email = "a@b.example"', context=context)
    assert made.form is None
    assert made.diagnostics[0].code == "form-sensitive"


# --- beside the rules ------------------------------------------------------------------------------------------------


class Rules:
    """Rules that are sure of one program."""

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        yield from ()
        return Translated("count documents")


def over_rules(rules: RuleTranslator, *, learn: bool = False) -> Asker:
    keeping = ByRules()
    keeping.taught = FormTranslator(Rules(), rules, Forms(learn=learn))
    return Asker(data_sets.drive(), [keeping])


def test_a_form_overrules_the_rules_where_a_person_confirmed_it(rules: RuleTranslator) -> None:
    asker = over_rules(rules)
    asker.teach("heaviest papers", "find documents where size > 5 MB", origin="qa", **OPTIONS)
    assert asker.program_of("heaviest papers", **OPTIONS).program == "find documents where size > 5 MB"  # type: ignore[union-attr]


def test_what_a_model_said_does_not(rules: RuleTranslator) -> None:
    asker = over_rules(rules, learn=True)
    asker.teach("heaviest papers", "find documents where size > 5 MB", origin="model", **OPTIONS)
    trace = Trace()
    said = asker.program_of("heaviest papers", trace=trace, **OPTIONS)
    assert said.program == "count documents"  # type: ignore[union-attr]
    assert [step.what for step in trace.translation] == [
        "matched", "not used: the rules are sure of something else",
    ]  # fmt: skip


def test_after_other_questions_the_rules_come_first(rules: RuleTranslator) -> None:
    asker = over_rules(rules)
    asker.teach("heaviest papers", "find documents where size > 5 MB", **OPTIONS)
    before = (Turn("folders", "find folders"),)
    assert asker.program_of("heaviest papers", history=before, **OPTIONS).program == "count documents"  # type: ignore[union-attr]


def test_nothing_is_learned_from_models_unless_it_is_allowed(rules: RuleTranslator) -> None:
    with pytest.raises(UsageError, match="learn=True"):
        over_rules(rules).teach("heaviest papers", "find documents where size > 5 MB", origin="model", **OPTIONS)


def test_no_translator_keeps_forms() -> None:
    with pytest.raises(UsageError, match="keeps forms"):
        Asker(data_sets.drive(), [RuleTranslator()]).teach("x", "count documents")


def test_two_forms_that_disagree_are_not_used(school: School) -> None:
    school.teach("heaviest papers", "find documents where size > 5 MB")
    school.teach("the heaviest papers please", "find documents where size > 50 MB")
    trace = Trace()
    school.asker.ask("heaviest papers", trace=trace, **OPTIONS)
    assert [step.what for step in trace.translation] == ["not used: forms disagree"]
    assert school.ask("heaviest papers") is None


def test_the_examples_of_a_catalog_are_forms(school: School) -> None:
    words = "the ten biggest spreadsheets anywhere under Archive"
    assert words in [one.words for one in data_sets.drive().schema.examples]
    trace = Trace()
    school.asker.ask("the 3 biggest images anywhere under Legal", trace=trace, **OPTIONS)
    (step,) = trace.translation
    assert (step.by, step.what, step.detail["program"]) == (
        "form", "matched", 'find documents where extension = "images" and folder under "Legal" sort size desc limit 3',
    )  # fmt: skip
