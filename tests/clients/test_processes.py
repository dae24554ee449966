"""A folder and the processes that have it open: forks, a second writer, a database that is gone."""

import asyncio
import os
from pathlib import Path

import pytest

import qlc
from tests.engine.stored import in_child


def filled(folder: Path) -> None:
    with qlc.connect(folder) as client:
        client.index(index="i", id="1", document={"a": 1}, refresh=True)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("read_only", [False, True])
def test_a_forked_process_opens_the_folder_anew(tmp_path: Path, read_only: bool) -> None:
    folder = tmp_path / "d"
    filled(folder)
    client = qlc.connect(folder, read_only=read_only)

    def use() -> None:
        for ask in (lambda: client.count(index="i"), lambda: client.index(index="i", id="2", document={"a": 2})):
            with pytest.raises(qlc.UsageError, match="open it anew"):
                ask()
        client.close()
        with qlc.connect(folder, read_only=True) as own:
            assert own.count(index="i")["count"] == 1

    assert in_child(use) == 0
    assert client.count(index="i")["count"] == 1
    if not read_only:
        client.index(index="i", id="3", document={"a": 3}, refresh=True)
        assert client.count(index="i")["count"] == 2
    client.close()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_says_so_through_asyncio_and_the_compiler(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    filled(folder)
    compiler = qlc.Compiler(qlc.connect(folder), None, "i")

    def use() -> None:
        with pytest.raises(qlc.UsageError, match="open it anew"):
            compiler.run("count entries")

    assert in_child(use) == 0
    compiler.client.close()
    twin = qlc.connect_async(folder)

    def use_async() -> None:
        with pytest.raises(qlc.UsageError, match="open it anew"):
            asyncio.run(_count(twin))

    assert in_child(use_async) == 0
    asyncio.run(_closed(twin))


async def _count(client: object) -> None:
    await client.count(index="i")  # type: ignore[attr-defined]


async def _closed(client: object) -> None:
    await client.close()  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_does_not_keep_the_right_to_write(tmp_path: Path) -> None:
    """The lock ends with the process that took it, also while one that was forked from it goes on."""
    folder = tmp_path / "d"
    ready, go_on = os.pipe(), os.pipe()
    client = qlc.connect(folder)
    child = os.fork()
    if child == 0:
        os.write(ready[1], b"x")
        os.read(go_on[0], 1)
        os._exit(0)
    os.read(ready[0], 1)
    client.close()
    try:
        with qlc.connect(folder) as again:
            again.index(index="i", id="1", document={})
    finally:
        os.write(go_on[1], b"x")
        os.waitpid(child, 0)


def test_an_engine_in_memory_is_copied_by_a_fork() -> None:
    client = qlc.connect()
    client.index(index="i", id="1", document={}, refresh=True)

    def use() -> None:
        client.index(index="i", id="2", document={}, refresh=True)
        assert client.count(index="i")["count"] == 2

    assert in_child(use) == 0
    assert client.count(index="i")["count"] == 1


def test_a_second_writer_of_the_same_process_is_reported(tmp_path: Path) -> None:
    with qlc.connect(tmp_path / "d"), pytest.raises(qlc.FolderLocked, match="in this very process") as found:
        qlc.connect(tmp_path / "d")
    assert "another process" not in str(found.value)
    assert "close it first" in str(found.value)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_folder_without_its_database_is_not_made_empty(tmp_path: Path, read_only: bool) -> None:
    folder = tmp_path / "d"
    filled(folder)
    (folder / "engine.sqlite3").unlink()
    before = sorted(path.name for path in folder.rglob("*"))
    with pytest.raises(qlc.FolderError):
        qlc.connect(folder, read_only=read_only)
    assert sorted(path.name for path in folder.rglob("*")) == before
    if not read_only:
        with pytest.raises(qlc.FolderError, match="is missing in the folder"):
            qlc.connect(folder)
