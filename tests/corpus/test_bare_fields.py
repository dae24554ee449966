"""Fields that have no more than a name, a type, a unit and a description."""

from pathlib import Path

import pytest

from qlc.corpus.document import Reader, Task
from qlc.corpus.limits import Limits
from qlc.corpus.schema import read_schema
from qlc.corpus.values.fields import Wanted
from tests.tables import table

INVOICE = table(__file__, "INVOICE")
AGREEMENT = table(__file__, "AGREEMENT")
SHEET = "# Otter 12\n\nPropeller pump of bronze.\n\n| Item | Value |\n|---|---|\n| Mass | 4 kg |\n| Wattage | 90 |\n"


def values(tmp_path: Path, text: str, *wanted: Wanted, name: str = "paper.md") -> dict[str, str]:
    (tmp_path / name).write_text(text, "utf-8")
    found = Reader({"papers": wanted})(Task(tmp_path / name, name, "papers"), Limits())
    return {one.field: str(one.value) for one in found.values if not one.is_disputed}


@pytest.mark.parametrize(
    ("text", "wanted", "value"),
    [
        (INVOICE, Wanted("total", "money"), "119.50"),
        (INVOICE, Wanted("tax", "money"), "19.50"),
        (INVOICE, Wanted("date", "date"), "2024-05-03"),
        (INVOICE, Wanted("number", "name"), "4471-B"),
        (INVOICE, Wanted("currency", "name"), "EUR"),
        (INVOICE, Wanted("vendor", "name"), "Crane & Sons Ltd"),
        (INVOICE, Wanted("buyer", "name"), "Harbour Office"),
        (AGREEMENT, Wanted("title", "text"), "Berth Lease"),
        (AGREEMENT, Wanted("party", "name", keeper="harbour, the Harbour Office"), "Ines Roth Marine GmbH"),
        (AGREEMENT, Wanted("party", "name"), None),  # of two it is not said which
        (AGREEMENT, Wanted("term_months", "number", "month"), "18"),
        (AGREEMENT, Wanted("governing_law", "name"), "Norwegian"),
        (AGREEMENT, Wanted("termination_notice", "duration", "d"), "60"),
        (SHEET, Wanted("product", "name"), "Otter 12"),
        (SHEET, Wanted("kind", "name", description="pump, valve or pipe"), "pump"),
        (SHEET, Wanted("metal", "name", description="iron or bronze"), None),  # its sentence does not speak of metal
        (SHEET, Wanted("weight", "number", "kg"), "4"),
        (SHEET, Wanted("power", "number", "W"), "90"),
        (SHEET, Wanted("depth", "number", "m"), None),
        ("Acid\n\nThe acid is inorganic.", Wanted("is_organic", "boolean"), "False"),
        ("Wax\n\nIt is an organic wax.", Wanted("is_organic", "boolean"), "True"),
    ],
)  # fmt: skip
def test_a_name_and_a_type_lead_to_a_value(tmp_path: Path, text: str, wanted: Wanted, value: str | None) -> None:
    assert values(tmp_path, text, wanted).get(wanted.name) == value


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Shipping price: EUR 4.00", Wanted("price", "money")),
        ("Price (total): EUR 4.00", Wanted("price", "money")),
        ("Insured: Crane Ltd", Wanted("insurance_class", "name")),
        ("Delivery note\n\nCustomer no.: K-97", Wanted("number", "name")),
        ("Oil\n\nSolubility: hardly at all", Wanted("solubility", "name", description="high or low")),
        ("Rules\n\nDuring the term and for two years after it nobody speaks.", Wanted("term", "duration", "year")),
        ("Rules\n\nThe lessor may enter after 24 hours of warning.", Wanted("notice", "duration", "d")),
    ],
)
def test_what_is_something_else_is_no_value(tmp_path: Path, text: str, wanted: Wanted) -> None:
    assert values(tmp_path, f"{text}\n", wanted, name="a.txt") == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The fee is raised from EUR 5.00 to EUR 6.00.", "6.00"),
        ("The fee of EUR 5.00 becomes EUR 6.00.", "6.00"),
        ("The fee is EUR 6.00 in place of EUR 5.00.", "6.00"),
        ("Fee: changed from EUR 5.00 to EUR 6.00", "6.00"),
    ],
)
def test_of_a_change_the_new_amount_counts(tmp_path: Path, text: str, value: str) -> None:
    assert values(tmp_path, f"Letter\n\n{text}\n", Wanted("fee", "money"), name="a.txt") == {"fee": value}


def test_a_range_has_two_ends(tmp_path: Path) -> None:
    text = "Permit\n\nValid: 3 May 2024 - 9 May 2024\n\nTemperature: -4 to +30 °C\n"
    wanted = (
        Wanted("start", "date"),
        Wanted("last_day", "date"),
        Wanted("min_temperature", "number", "°C"),
        Wanted("max_temperature", "number", "°C"),
    )
    assert values(tmp_path, text, *wanted, name="a.txt") == {
        "start": "2024-05-03",
        "last_day": "2024-05-09",
        "min_temperature": "-4",
        "max_temperature": "30",
    }


def test_one_line_has_several_labels(tmp_path: Path) -> None:
    wanted = (Wanted("zinc", "number", "mg/l"), Wanted("ph", "number"))
    found = values(tmp_path, "Water\n\nZinc: 1.5 mg/l. pH: 7.25. Taste: none.\n", *wanted, name="a.txt")
    assert found == {"zinc": "1.5", "ph": "7.25"}


def test_a_file_called_by_its_number(tmp_path: Path) -> None:
    text = "Works\n\nDone as agreed under KX-2041 on the quay.\n"
    assert values(tmp_path, text, Wanted("number", "name"), name="kx 2041 quay.txt") == {"number": "KX-2041"}
    assert values(tmp_path, text, Wanted("number", "name"), name="quay.txt") == {}


def test_the_keeper_of_a_corpus_is_what_it_is_called() -> None:
    schema = read_schema("version: 1\nname: Quay Ltd\nbuckets: {a: {fields: {party: name}}}\n")
    assert schema.wanted["a"][0].keeper.strip() == "Quay Ltd"
