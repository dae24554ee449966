"""Near spellings: obvious typos are found, other names are not."""

import pytest

from qlc.base.words.folding import fold
from qlc.base.words.spelling import edits, edits_allowed

TYPOS = [
    ("Tax Docments", "Tax Documents", 1),
    ("Taxx Documents", "Tax Documents", 1),
    ("Reciepts", "Receipts", 1),
    ("Recpits", "Receipts", 2),
    ("Harvset Grnat Aplication", "Harvest Grant Application", 3),
    ("Omr Hadad", "Omar Haddad", 2),
    ("BestBuy", "Best Buy", 1),
    ("Tax Dacumants", "Tax Documents", 2),
    ("Mueller GmbH", "Müller GmbH", 1),
    ("Invocie 10792", "Invoice 10792", 1),
]

OTHERS = [
    ("Drafts", "Grants"),
    ("Booking", "Banking"),
    ("Warehouse", "Lakehouse"),
    ("2024", "2025"),
    ("Invoice 10792", "Invoice 10793"),
    ("HR", "IT"),
    ("IT", "Kit"),
    ("AP", "AR"),
    ("Cryptocurrency", "Cryptography"),
    ("C", "C++"),
    ("Gandalf Grey", "Grace Kim"),
    ("", ""),
    ("???", "!!!"),
]


@pytest.mark.parametrize(("asked", "name", "distance"), TYPOS)
def test_typos(asked: str, name: str, distance: int) -> None:
    assert edits(fold(asked), fold(name)) == distance


@pytest.mark.parametrize(("asked", "name"), OTHERS)
def test_other_names(asked: str, name: str) -> None:
    assert edits(fold(asked), fold(name)) is None


def test_edits_allowed_as_elasticsearch_allows_them() -> None:
    assert [edits_allowed(length) for length in range(8)] == [0, 0, 0, 1, 1, 1, 2, 2]
