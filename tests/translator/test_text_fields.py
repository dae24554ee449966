"""A text without exact values is searched by its words; how it begins cannot be said of it."""

import pytest

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.translator.entry import Asker


@pytest.mark.parametrize(
    ("words", "program"),
    [
        ('notes whose body starts with "Alpha"', ""),
        ('notes whose body contains "Alpha"', 'find notes where body mentions "Alpha"'),
        ('notes whose title starts with "Alpha"', 'find notes where title starts with "Alpha"'),
    ],
)
def test_the_test_of_a_text_is_one_that_its_field_has(words: str, program: str) -> None:
    with qlc.connect() as client:
        client.indices.create(
            index="notes", mappings={"properties": {"body": {"type": "text"}, "title": {"type": "keyword"}}}
        )
        for text in ("Alpha beta", "beta Alpha"):
            client.index(index="notes", document={"body": text, "title": text}, refresh=True)
        asker = Asker(qlc.Compiler(client, read_catalog(draft_catalog(client, "notes"))))
        assert asker.ask(words).query == program
