"""docs/spreadsheet.md: `qlc ui` opens what the page names, and the questions have the answers that it shows."""

import re
from pathlib import Path
from typing import Any

import httpx2 as httpx

from tests.service.test_ui import shown

from .pages import ROOT, table, text

PAGE = "docs/spreadsheet.md"


def test_the_page_opens_and_answers_as_it_says(tmp_path: Path) -> None:
    spreadsheet, folder = re.findall(r"^    qlc ui (examples\S*)$", text(PAGE), re.MULTILINE)
    with shown(tmp_path, str(ROOT / spreadsheet), "--no-browser") as (_, address):
        for question, answer in table(PAGE, "## 2. Ask"):
            asked: Any = httpx.post(f"{address}/v1/ask", json={"text": question}, timeout=60).json()
            assert asked["message"] == answer, question
    with shown(tmp_path, str(ROOT / folder), "--no-browser") as (_, address):
        found = httpx.get(f"{address}/v1/overview", timeout=60).json()["found"]
        assert [one["name"] for one in found["tables"]] == ["orders", "rentals"]
        assert found["papers"]["documents"] > 10
        asked = httpx.post(f"{address}/v1/ask", json={"text": "how many orders are there?"}, timeout=60).json()
        assert asked["notes"] == ["Asked of orders."]
