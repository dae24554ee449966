"""A prompt describes the documents: ranges, flags, examples, placeholders, missing values, their key."""

from collections.abc import Mapping
from pathlib import Path

import pytest

import qlc
from qlc import Compiler
from qlc.cli.prompt import first_request
from qlc.tables.loading import load_all
from qlc.tables.typed import read_typed

NOW = "2026-03-15T12:00:00Z"
RACES = """race,held,rider,result,opponent,laps,indoors,protest
1,1987-11-02,Ann Lee,W 16-10,at Denver,12,1,N/A
2,1987-11-09,Bo Ek,L 3-7,Boston,40,0,?
3,1987-12-01,Ann Lee,W 9-8,at Oslo,,1,lane 4 blocked
"""


def contents_of(compiler: Compiler, **options: Mapping[str, object]) -> str:
    request = first_request(compiler, "how many?", now=NOW, **options)  # type: ignore[arg-type]
    (part,) = (one for one in request.system if one.startswith("<contents>"))
    return part


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    folder: Path = tmp_path_factory.mktemp("races")
    (folder / "races.csv").write_text(RACES, "utf-8")
    with qlc.connect(folder / "store") as client:
        load_all(client, read_typed(folder / "races.csv"))
    return Compiler(qlc.connect(folder / "store", read_only=True), None, "races")


@pytest.mark.parametrize(
    "told",
    ["races: 3 documents, one for each race.", "held 1987-11-02 to 1987-12-01", "laps 12 to 40, missing in 1",
     "indoors 0 or 1, a flag", "protest such as", "missing in 2"],
)  # fmt: skip
def test_contents_of_a_table(races: Compiler, told: str) -> None:
    assert told in contents_of(races)


def test_stored_placeholders_are_named_as_no_value_and_are_no_example() -> None:
    mapping = {"properties": {"name": {"type": "keyword"}, "keeper": {"type": "keyword"}, "lit": {"type": "date"}}}
    with qlc.connect(":memory:") as client:
        client.indices.create(index="lamps", mappings=mapping)
        for number, keeper in enumerate(["N/A", "N/A", "?", "Tom Ashe"]):
            client.index(index="lamps", id=str(number), document={"name": f"Lamp {number}", "keeper": keeper})
        client.indices.refresh(index="lamps")
        told = contents_of(Compiler(client, None, "lamps"))
    assert '"N/A" and "?" are no value' in told
    assert 'such as "N/A"' not in told
    assert "lit missing in all" in told or "lit" not in told


def test_contents_are_of_the_documents_that_the_caller_may_see(compiler: Compiler) -> None:
    told = contents_of(compiler)
    assert "books: 3 documents" in told
    for secret in ("Hidden", "alpha-seven", "secret_code", "borrower"):
        assert secret not in contents_of(compiler, context={"sensitive": True})


def test_contents_are_no_part_of_a_prompt_without_values(compiler: Compiler) -> None:
    request = first_request(compiler, "how many?", values=False, now=NOW)
    assert not [one for one in request.system if "<contents>" in one and "documents" in one.partition("# How")[0]]


MOST = 20_000
"""Characters of a prompt for a table of 60 columns."""


def test_a_prompt_for_sixty_fields_is_short(tmp_path: Path) -> None:
    parts = [f"{one}_{what}" for one in ("pump", "valve", "tank", "line", "crew", "site")
             for what in ("state", "owner", "pressure", "opened", "checked", "grade", "volume_l", "note", "alarm",
                          "code")]  # fmt: skip
    rows = [[{"state": ["open", "under repair", "standby"][n % 3], "owner": ["Ann Lee", "Bo Ek"][n % 2],
              "pressure": f"{n}.5", "opened": f"2019-0{1 + n % 9}-1{n % 10}", "checked": str(n % 2),
              "grade": "ABC"[n % 3], "volume_l": str(7 * n), "note": f"text {n * 7919} of it",
              "alarm": ["N/A", "high"][n % 2], "code": f"X-{n * 31}"}[name.split("_", 1)[1]] for name in parts]
            for n in range(60)]  # fmt: skip
    (tmp_path / "plant.csv").write_text("\n".join(",".join(row) for row in [parts, *rows]), "utf-8")
    with qlc.connect(tmp_path / "store") as client:
        load_all(client, read_typed(tmp_path / "plant.csv"))
        request = first_request(Compiler(client, None, "plant"), "how many pumps are under repair?", now=NOW)
    assert "site_code" in request.system[1]
    shown = [*request.system, *(str(one["content"]) for one in request.messages)]
    assert sum(map(len, shown)) + sum(len(f"{one.description}{one.schema}") for one in request.tools) <= MOST
