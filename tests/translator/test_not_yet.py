"""Reads `not shipped yet` by the date of a deed, beside a state of many values."""

from pathlib import Path

import qlc
from qlc.translator.entry import Asker


def test_a_state_that_is_no_closed_list_has_its_date_too(tmp_path: Path) -> None:
    client = qlc.connect()
    rows = ["No,Ship Date,Status", "1,2025-02-01,delivered", "2,2025-03-15,shipped", "3,,open"]
    (tmp_path / "orders.csv").write_text("\n".join(rows))
    qlc.load(client, tmp_path / "orders.csv")
    asker = Asker(qlc.Compiler(client, index="orders"))
    assert asker.ask("orders not shipped yet").query == "find orders where ship_date missing"
    assert asker.ask("how many orders were shipped").query == "count orders where ship_date exists"
    assert asker.ask("shipped orders").query == 'find orders where status = "shipped"'
