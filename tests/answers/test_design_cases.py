"""The cases that the design began with, over files that are made here."""

import csv
from collections.abc import Iterator

import pytest

import qlc
from qlc.answers.rows import export_answer
from qlc.outcome import Answer, Clarify, Outcome, Passages
from tests.corpora import made
from tests.tables import table

SCHEMA = table(__file__, "SCHEMA")
RECEIPTS = 120
TIRES = 110
STEPS = ("Switch the cabinet off.", "Clean the air filter.", "Tighten the terminals to 12 Nm.")


def contract(title: str, party: str, day: str, notice: str) -> str:
    return (
        f"# {title}\n\nSupplier: {party}\n\nEffective date: {day}\n\nTermination notice period: {notice}\n\n"
        "Renews automatically: yes\n"
    )


def sheet(product: str, kind: str, **values: str) -> str:
    lines = [f"{name.replace('_', ' ')}: {value}" for name, value in values.items()]
    return "\n\n".join([f"# {product}", f"Product: {product}", f"Type: {kind}", *lines]) + "\n"


def transistor(product: str, polarity: str, package: str, vceo: str, power: str) -> str:
    rows = {"Product": product, "Type": "transistor", "Polarity": polarity, "Package": package, "Vceo": vceo}
    cells = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows.items())
    return f"<title>{product}</title><h1>{product}</h1><table>{cells}<tr><td>Power dissipation</td><td>{power}</td></tr></table>"  # noqa: E501


def receipt(number: int) -> str:
    made = ("Winter tire" if number % 2 else "Trailer tyre") if number < TIRES else "Lamp"
    made = "Hammer" if number == RECEIPTS - 1 else made
    return (
        f"# Receipt {number}\n\nShop: {('Gumdrop', 'Redline')[number % 2]}\n\n"
        f"| Description | Quantity | Amount |\n|---|---|---|\n| {made} | 2 | EUR {number + 50}.00 |\n\n"
        f"Total due: EUR {number + 50}.00\n"
    )


FILES = {
    "contracts/acme_parts.md": contract("Parts agreement", "ACME Corp", "2023-02-01", "30 days"),
    "contracts/acme_paint.md": contract("Paint agreement", "ACME Corp", "2023-09-15", "90 days"),
    "contracts/acme_older.md": contract("Older agreement", "ACME Corp", "2022-03-01", "30 days"),
    "contracts/zenith.md": contract("Zenith agreement", "Zenith Ltd", "2023-05-01", "45 days"),
    "contracts/corvid.md": contract("Corvid hosting agreement", "Corvid Hosting", "2021-04-01", "20 days"),
    "contracts/corvid_2.md": contract("Amendment 1 to the Corvid hosting agreement", "Corvid Hosting", "2024-04-01",
                                      "75 days") + "\nThe notice period of the agreement is replaced by this one.\n",
    "datasheets/BD135.html": transistor("BD135", "NPN", "TO-220", "45 V", "1 W"),
    "datasheets/BD139.html": transistor("BD139", "NPN", "TO-220", "80 V", "1 W"),
    "datasheets/BD140.html": transistor("BD140", "PNP", "TO-220", "80 V", "1 W"),
    "datasheets/TIP41.html": transistor("TIP41", "NPN", "TO-220", "60 V", "2 W"),
    "datasheets/ZX2.html": transistor("ZX2", "NPN", "TO-92", "60 V", "1 W"),
    "datasheets/glycol.md": sheet("Glycolane", "organic solvent", Boiling_point="197 °C",
                                  Solubility_in_water="highly soluble", Toxicity="low toxicity"),
    "datasheets/ethanol.md": sheet("Ethalane", "organic solvent", Boiling_point="78 °C",
                                   Solubility_in_water="miscible", Toxicity="low toxicity"),
    "datasheets/decane.md": sheet("Decalane", "organic solvent", Boiling_point="174 °C",
                                  Solubility_in_water="insoluble", Toxicity="low toxicity"),
    "datasheets/phenol.md": sheet("Phenolane", "organic solvent", Boiling_point="182 °C",
                                  Solubility_in_water="highly soluble", Toxicity="toxic if swallowed"),
    "datasheets/AS-330.md": sheet("AlphaSolar AS-330", "solar panel", Panel_width="992 mm"),
    "datasheets/AS-405.md": sheet("AlphaSolar AS-405", "solar panel", Panel_width="113.4 cm"),
    "datasheets/BX-9.md": sheet("BetaSun BX-9", "solar panel", Panel_width="800 mm"),
    "manuals/B-120.md": "# Battery cabinet B-120\n\n## Maintenance steps\n\n"
                        + "".join(f"{at}. {step}\n" for at, step in enumerate(STEPS, 1))
                        + "\n## Storage\n\nKeep the cabinet dry.\n",
    "receipts/loose.md": "# Receipt 500\n\nShop: Gumdrop\n\nOne hammer, paid in cash.\n",
    "manuals/P-7.md": "# Pump P-7\n\n## Maintenance steps\n\n1. Drain the pump.\n2. Replace the seal.\n",
} | {f"receipts/{number:03}.md": receipt(number) for number in range(RECEIPTS)}  # fmt: skip


@pytest.fixture(scope="module")
def works(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(tmp_path_factory.mktemp("works"), FILES, SCHEMA) as corpus:
        yield corpus


def cited(found: Answer) -> set[tuple[str, int | None, str]]:
    return {(one.file, one.page, one.quote) for claim in found.claims for one in claim.citations}


def files(found: Outcome) -> list[str]:
    return [one.values["file"][0] for one in found.hits]


def written(found: Outcome, corpus: qlc.Corpus) -> list[dict[str, str]]:
    return [*csv.DictReader(export_answer(found, "csv", corpus))]


def test_a_word_of_a_text_is_offered_and_no_condition(works: qlc.Corpus) -> None:
    found = works.ask("List every seal manual")
    assert isinstance(found, Passages), found
    assert files(works.ask(found.suggestions[0])) == ["manuals/P-7.md"]


@pytest.mark.parametrize(("question", "total"), [("every receipt paid in euros", RECEIPTS), ("receipts in pounds", 0)])
def test_a_currency_is_that_of_the_money(works: qlc.Corpus, question: str, total: int) -> None:
    found = works.ask(question)
    assert "total_currency" in found.query
    assert (found.total if isinstance(found, Clarify) else 0) == total


def test_the_minimum_of_a_named_series(works: qlc.Corpus) -> None:
    found = works.ask("What is the minimum panel width for AlphaSolar models?")
    assert [(one.value, one.unit) for one in found.values] == [(992, "mm")]
    assert cited(found) == {
        ("datasheets/AS-330.md", 1, "Panel width: 992 mm"), ("datasheets/AS-405.md", 1, "Panel width: 113.4 cm"),
    }  # fmt: skip
    assert found.query.startswith("min(width) of datasheets where ")


def test_a_summary_of_the_contracts_that_meet_all_conditions(works: qlc.Corpus) -> None:
    found = works.ask(
        "Summarize all 2023 contracts with ACME Corp where the termination notice period is under 60 days"
    )
    meant = 'effective in 2023 and termination_notice < 60 days and party contains "ACME Corp"'
    assert (found.covered, found.query) == (["contracts/acme_parts.md"], f"find contracts where {meant} limit 100")
    assert ("contracts/acme_parts.md", 1, "Termination notice period: 30 days") in cited(found)
    assert "This covers 1 contract: all that match." in found.notes


@pytest.mark.parametrize("form", ["", " as a table"])
def test_a_table_of_transistors(works: qlc.Corpus, form: str) -> None:
    found = works.ask(f"List 1W NPN transistors in TO-220 package with Vceo at least 50V{form}")
    assert files(found) == ["datasheets/BD139.html"]
    (row,) = written(found, works)
    values = [row[name] for name in ("polarity", "package", "vceo", "vceo_unit", "vceo_page", "power", "power_unit")]
    assert values == ["NPN", "TO-220", "80", "V", "1", "1", "W"]


def test_solvents_that_meet_three_conditions(works: qlc.Corpus) -> None:
    found = works.ask(
        "Find organic solvents with boiling point above 150°C that are highly soluble in water and have low toxicity"
    )
    assert files(found) == ["datasheets/glycol.md"]
    meant = 'kind = "solvent" and solubility = "high" and toxicity = "low" and boiling_point > 150 °C'
    assert found.query == f"find datasheets where {meant} limit 100"
    (row,) = written(found, works)
    assert (row["boiling_point_quote"], row["boiling_point_page"]) == ("Boiling point: 197 °C", "1")


def test_no_results_come_with_what_was_tried(works: qlc.Corpus) -> None:
    found = works.ask("contracts from 2030")
    assert (found.query, found.documents) == ("find contracts where effective in 2030", 6)
    assert len(files(works.ask(found.suggestions[0]))) == 6


def test_two_papers_that_differ_are_asked_about(works: qlc.Corpus) -> None:
    found = works.ask("What is the termination notice period of the Corvid hosting agreement?")
    assert found.kind in ("clarify", "declined"), found
    assert "75 days" in found.model_dump_json() or len(getattr(found, "options", ())) == 2
