"""A number of elements of a list is not stored: it is declined in every wording, and never read as another number."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

import qlc
from qlc.conversation import Conversation
from qlc.outcome import AggregateOut, Count, Declined, Hits
from qlc.translator.entry import Asker

KEYWORD = {"type": "keyword"}
MAPPING = {
    "hive_no": KEYWORD, "apiary": KEYWORD, "honey": {"type": "double"}, "pests": KEYWORD,
    "frames": {"type": "nested", "properties": {"kind": KEYWORD, "bees": {"type": "integer"}}},
}  # fmt: skip
HIVES = [
    {"hive_no": f"H-{n}", "apiary": ("Fen", "Moor")[n % 2], "honey": float(n % 4), "pests": ["mite", "wasp"][: n % 3],
     "frames": [{"kind": "brood", "bees": n}] * (n % 4)}
    for n in range(24)
]  # fmt: skip


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    client = qlc.connect(str(tmp_path_factory.mktemp("hives")))
    client.indices.create(index="hives", mappings={"properties": MAPPING})
    for n, hive in enumerate(HIVES):
        client.index(index="hives", id=hive["hive_no"], document=hive, refresh=n == len(HIVES) - 1)
    yield Asker(qlc.Compiler(client, index="hives"))
    client.close()


SIZES = [
    "more than one {one}", "more than two {many}", "at least 3 {many}", "two or more {many}", "no more than one {one}",
    "at most 2 {many}", "fewer than three {many}", "exactly two {many}", "several {many}", "multiple {many}",
    "numerous {many}", "a single {one}", "only one {one}", "between 2 and 3 {many}", "less than 4 different {many}",
    "at least one {one}", "one or more {many}", "fewer than one {one}",
]  # fmt: skip
NOUNS = [("frame", "frames"), ("pest", "pests")]
FOLLOW_UPS = ["only those with {}", "how many of them have {}?"]
FORMS = ["hives with {}", "how many hives have {}", "hives in Fen that have {}", "number of hives with {}"]


@pytest.mark.parametrize(("form", "size", "noun"), list(product(FORMS, SIZES, NOUNS)))
def test_a_number_of_elements_is_declined(asker: Asker, form: str, size: str, noun: tuple[str, str]) -> None:
    outcome = asker.ask(form.format(size.format(one=noun[0], many=noun[1])))
    assert isinstance(outcome, Declined), outcome.query
    assert outcome.message.startswith(f"How many {noun[1]} a hive has is not stored.")
    assert [asker.ask(one).query for one in outcome.suggestions] == [
        f"find hives where {noun[1]} exists", f"find hives where {noun[1]} missing"]  # fmt: skip


@pytest.mark.parametrize(("form", "size"), list(product(FOLLOW_UPS, SIZES)))
def test_a_number_of_elements_is_declined_in_a_follow_up(asker: Asker, form: str, size: str) -> None:
    talk = Conversation(asker)
    talk.turn("hives in Fen")
    outcome = talk.turn(form.format(size.format(one="frame", many="frames"))).outcomes[-1]
    assert isinstance(outcome, Declined), outcome.query
    assert outcome.message.startswith("How many frames a hive has is not stored.")


@pytest.mark.parametrize("words", ["which hive has the most frames", "average number of frames per hive",
                                   "how many frames does hive H-3 have"])  # fmt: skip
def test_a_number_of_elements_that_is_asked_for_is_declined(asker: Asker, words: str) -> None:
    assert isinstance(asker.ask(words), Declined)


@pytest.mark.parametrize(("words", "program"), [
    ("hives without frames", "find hives where frames missing"),
    ("top 2 pests", "count hives by pests sort count desc limit 2"),
    ("how many hives have more than 2 honey", "count hives where honey > 2"),
    ("hives with honey over 2 in Fen", 'find hives where honey > 2 and apiary = "Fen"'),
])  # fmt: skip
def test_other_numbers_are_read(asker: Asker, words: str, program: str) -> None:
    outcome = asker.ask(words)
    assert isinstance(outcome, Hits | Count | AggregateOut), outcome
    assert outcome.query == program
