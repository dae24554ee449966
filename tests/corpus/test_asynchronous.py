"""A corpus for asyncio does what the other does."""

from pathlib import Path

import pytest

import qlc
from tests.docs.pages import ROOT


async def test_files_are_added_and_asked(tmp_path: Path) -> None:
    target = tmp_path / "corpus"
    assert not await qlc.AsyncCorpus.exists(target)
    async with await qlc.AsyncCorpus.create(target, ROOT / "examples/library.yaml") as corpus:
        report = await corpus.add(ROOT / "examples/library/contracts", processes=1)
        assert (report.added, len(report.problems)) == (5, 2)
        await corpus.set_schema(ROOT / "examples/library.yaml")
        found = await corpus.search("ends without cause", where="page = 2", limit=1)
        assert [hit.values["file"] for hit in found.hits] == [["acme_services.pdf"]]  # type: ignore[union-attr]
        assert (await corpus.search("cause", where="page = 1) or (page = 2")).kind == "invalid"
        counted = await (await corpus.compiler()).run_async("count documents where state = 'ready'")
        assert counted.message == "5 documents."
        document = await corpus.document("dunmore_lease.txt")
        assert document.bucket == "generic"
        assert await corpus.remove("acme*") == 2
        assert (await corpus.status()).documents == 5
        assert "passage" in await corpus.catalog()
    async with await qlc.AsyncCorpus.open(target, read_only=True) as corpus:
        assert (await corpus.status()).documents == 5
        with pytest.raises(qlc.QlcError):
            await corpus.add(ROOT / "examples/library/notes", processes=1)
