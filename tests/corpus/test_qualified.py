"""A value accounts for all of the text beside its label: `qualified.txt` has an example per line."""

from decimal import Decimal
from pathlib import Path

import pytest

from qlc.corpus.pages import Page, without_struck
from qlc.corpus.readers.plain import paragraphs
from qlc.corpus.values.fields import Value, Wanted, field_values
from qlc.corpus.values.labelling import labelled_values
from qlc.language.compounds import joined
from qlc.language.qualifiers import qualifier
from qlc.language.quantities import Style, quantities, style_of
from tests.tables import rows

LINES = Path(__file__).with_name("qualified.txt").read_text("utf-8").splitlines()
EXAMPLES = [tuple(line.split(" | ")) for line in LINES if " | " in line and not line.startswith("#")]


def read(kind: str, text: str, **more: str) -> list[Value]:
    name, _, unit = kind.partition(" ")
    one = Wanted("stated", name, unit, labels=("Stated value",), **more)  # type: ignore[arg-type]
    page = f"# Paper 7\n\nStated value: {text}\n"
    style = style_of([page, "EUR 12.50"])
    pages = [without_struck(Page(1, page, tuple(paragraphs(page))))]
    return field_values((one,), pages, [*labelled_values(pages, style)], style)


def shown(one: Value) -> str:
    if isinstance(one.value, Decimal):
        return f"{one.value.normalize() + 0:f} {one.unit}".strip()
    return str(one.value)


@pytest.mark.parametrize(("kind", "text", "right"), EXAMPLES, ids=[f"{kind}: {text}" for kind, text, _ in EXAMPLES])
def test_what_a_text_says(kind: str, text: str, right: str) -> None:
    (found,) = read(kind, text)
    if right in ("-", "?"):
        assert found.is_disputed
        assert found.why
    else:
        number, _, unit = right.partition(" ")
        assert not found.is_disputed
        assert shown(found) == (right if kind == "date" else f"{Decimal(number).normalize() + 0:f} {unit}".strip())


@pytest.mark.parametrize(
    ("text", "description", "value"),
    [
        ("up to EUR 9,000", "the liability cap", "9000 EUR"),
        ("at least EUR 9,000", "the liability cap", ""),
        ("at least EUR 9,000", "the lowest order value", "9000 EUR"),
        ("not more than EUR 9,000", "the highest price", "9000 EUR"),
    ],
)
def test_a_bound_is_the_value_of_a_field_that_means_a_bound(text: str, description: str, value: str) -> None:
    (found,) = read("money", text, description=description)
    assert ("" if found.is_disputed else shown(found)) == value


@pytest.mark.parametrize(("text", "said"), rows(__file__, "test_what_is_said_of_the_last_amount"))
def test_what_is_said_of_the_last_amount(text: str, said: str) -> None:
    held = quantities(text, Style())
    assert qualifier(text, held, len(held) - 1) == said


def test_amounts_that_are_no_parts_of_one_another_stay_apart() -> None:
    for text in ("1 year 18 months", "3 kg 2 m", "6 months 1 year", "runs 3 h, 30 min to charge", "3 working days 4 h"):
        found = quantities(text, Style())
        assert len(found) == 2
        assert joined(text, found) == found
