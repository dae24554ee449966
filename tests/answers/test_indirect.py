"""Questions in other words than those of the schema, over papers of a yard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Answer, Declined, Hits

SCHEMA = """version: 1
name: yard
description: Papers of Quay Works
buckets:
  invoices:
    fields:
      number: {type: text, labels: [Invoice no.]}
      vendor: {type: name, labels: [From]}
      date: {type: date, labels: [Date]}
      net: {type: money, labels: [Net]}
      tax: {type: money, labels: [Tax]}
      total: {type: money, labels: [Total]}
      items: {type: rows, fields: {description: text, quantity: number, amount: money}}
  machines:
    singular: machine
    fields:
      model: {type: name, heading: true}
      maker: {type: name, labels: [Manufacturer]}
      drive: {type: name, labels: [Drive], description: electric or diesel}
      battery: {type: number, unit: kWh, labels: [Battery]}
      width: {type: number, unit: mm, labels: [Width]}
      height: {type: number, unit: mm, labels: [Height]}
  agreements:
    singular: agreement
    fields:
      party: {type: name, labels: [Party]}
      law: {type: choice, values: {norway: [Norwegian law], spain: [Spanish law]}}
      notice: {type: duration, unit: days, labels: [Notice]}
      payment_days: {type: duration, labels: [Payment], unit: days}
      expiry: {type: date, labels: [Valid until], description: end of validity}
"""
INVOICE = """# Invoice

Invoice no.: {number}

From: {vendor}

Date: {date}

| Description | Quantity | Amount |
|---|---|---|
| {item} | 2 | EUR {net} |
| Postage | 1 | EUR 10.00 |

Net: EUR {whole}

Tax: EUR {tax}
"""
MACHINE = (
    "# {model}\n\nManufacturer: {maker}\n\nDrive: {drive}\n\nBattery: {battery} kWh\n\nWidth: {width} mm\n\n"
    "Height: 1500 mm\n"
)


def _invoice(number: str, vendor: str, date: str, item: str, net: int, total: bool = True) -> str:
    whole = net + 10
    text = INVOICE.format(number=number, vendor=vendor, date=date, item=item, net=f"{net}.00", whole=f"{whole}.00",
                          tax=f"{whole // 5}.00")  # fmt: skip
    return f"{text}\nTotal: EUR {whole + whole // 5}.00\n" if total else text


FILES = {
    "invoices/a.md": _invoice("HV-871", "Ostrava Steel", "3 May 2025", "Tires", 190),
    "invoices/b.md": _invoice("HV-902", "Ostrava Steel", "9 July 2025", "Chains", 90),
    "invoices/c.md": _invoice("K-17", "Brecon Ropes", "11 July 2025", "Tires", 40),
    "invoices/d.md": _invoice("K-18", "Brecon Ropes", "12 July 2025", "Ropes", 40, total=False),
    "machines/e.md": MACHINE.format(model="Lift E-9", maker="Tarn Lifts", drive="electric", battery=48, width=900),
    "machines/f.md": MACHINE.format(model="Lift D-4", maker="Orkney Cranes", drive="diesel", battery=2, width=1200),
    "agreements/lease.md": "# Lease of the slip\n\nAgreement no. QW-2024-117\n\nParty: Hallam Marine\n\nNorwegian law "
                           "applies.\n\nNotice: 60 days\n\nPayment: 120 days\n\nValid until: 3 June 2030\n",
    "agreements/letter.md": "# Our agreement QW-2024-117\n\nDear all, instead of sixty days, the notice is now ninety "
                            "days.\n",
    "machines/g.md": "# Old lift\n\nIt stands on 1100 mm by 1600 mm.\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    folder = tmp_path_factory.mktemp("yard")
    (folder / "schema.yaml").write_text(SCHEMA)
    for name, text in FILES.items():
        (folder / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "files" / name).write_text(text)
    with qlc.Corpus.create(folder / "yard", folder / "schema.yaml") as corpus:
        corpus.add(folder / "files", processes=1)
        yield corpus


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Sum of the VAT on the Ostrava Steel invoices", 60),  # the tax
        ("How much has Ostrava Steel charged us so far, VAT included?", 360),
        ("What is the gross sum of invoice HV-871?", 240),
        ("Invoice HV-871: how much is it before tax?", 200),
        ("What is the total with tax of bill HV-902?", 120),
        ("What battery capacity does the Lift E-9 have?", 48),
    ],
)
def test_other_words_for_amounts(yard: qlc.Corpus, question: str, value: float) -> None:
    found = yard.ask(question)
    assert isinstance(found, Answer), found.message
    assert [one.value for one in found.values] == [value]


@pytest.mark.parametrize(
    ("question", "files"),
    [
        ("electric machines", ["machines/e.md"]),
        ("Which machines are built by Tarn Lifts?", ["machines/e.md"]),
        ("machines narrower than 1000 mm", ["machines/e.md"]),
        (
            "agreements with a notice under 100 days",
            ["agreements/lease.md", "agreements/letter.md"],
        ),  # not days of payment
        ("bills from Brecon Ropes", ["invoices/c.md", "invoices/d.md"]),
        ("List the invoice papers from July 2025", ["invoices/b.md", "invoices/c.md", "invoices/d.md"]),
    ],
)
def test_other_words_for_what_is_listed(yard: qlc.Corpus, question: str, files: list[str]) -> None:
    found = yard.ask(question)
    assert isinstance(found, Hits), found.message
    assert sorted(one.values["file"][0] for one in found.hits) == files


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("What is the total of the Brecon Ropes invoices in all?", "invoices/d.md"),  # one has none
        ("How much did we spend on tires at Ostrava Steel, before tax?", "whole invoices, not of tires alone"),
        ("machines with a width over 1000 mm and a height over 1400 mm", "machines/g.md"),  # neither is known of it
        ("anything agreed under french law", "'french'"),
    ],
)
def test_what_is_not_sure_is_declined(yard: qlc.Corpus, question: str, why: str) -> None:
    found = yard.ask(question)
    assert isinstance(found, Declined), found
    assert why in found.message


def test_a_letter_that_names_the_number_alone_changes_an_agreement(yard: qlc.Corpus) -> None:
    found = yard.ask("What is the notice of the lease of the slip?")
    assert isinstance(found, Answer), found
    assert [one.value for one in found.values] == [90]
    assert {one.file for claim in found.claims for one in claim.citations} == {
        "agreements/lease.md", "agreements/letter.md",
    }  # fmt: skip


def test_a_code_is_not_explained_by_a_part_of_it(yard: qlc.Corpus) -> None:
    """`battery` of the machine with the name `Battery-77`: no machine is called so."""
    found = yard.ask("What is the width of the machine battery-77?")
    assert not isinstance(found, Answer), found
