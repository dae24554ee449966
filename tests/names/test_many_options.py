"""A name that more things have than anybody reads."""

from __future__ import annotations

from qlc.resolver.names.entries import Candidate, Found
from qlc.resolver.names.wording import offered


def found(number: int) -> Found:
    paths = (f"root/{'deep/' * (number - at)}2024" for at in range(number))
    candidates = (Candidate(str(at), "2024", path, path) for at, path in enumerate(paths))
    return Found("folder", "2024", "exact", tuple(candidates))


def test_of_many_the_likeliest_come_first() -> None:
    assert [one.id for one in offered(found(30))][:3] == ["29", "28", "27"]
    assert len(offered(found(300))) == 100
    assert [one.id for one in offered(found(5))] == ["0", "1", "2", "3", "4"]
