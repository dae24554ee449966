"""`qlc ui`: serves the page over a folder of files, over tables, a corpus or an index, for the user of this machine."""

from __future__ import annotations

import os
import shlex
import socket
import sys
import webbrowser
from collections.abc import Collection, Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath
from threading import Thread
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError, reason_of
from qlc.base.texts import escaped
from qlc.cli.meter import Meter
from qlc.cli.serve import answer_requests, listening_at
from qlc.cli.settings import AddFiles, Asking, Page, Serve
from qlc.cli.start import goes_on
from qlc.cli.target import alone, state_folder
from qlc.language.nouns import plural_of, singular, snake
from qlc.outcome.amounts import several

if TYPE_CHECKING:
    from qlc.corpus.files import ListedFile, Problem
    from qlc.tables.folder import Collected

_HOST, _PORT = "127.0.0.1", 8765
_OF_FILES = ("into", "schema", "metadata", "follow_links", "set")
"""Options for files that are read."""
_GIVEN_VALUES = ("metadata.csv", "metadata.json")
"""Files at the top of a folder with values for its papers, which are not asked themselves."""


def ui(options: Page) -> int:
    """Serve the page until Ctrl+C. Only this machine reaches it, so it needs no authentication."""
    goes_on()
    from qlc.base.extras import need

    # What is missing is reported before files are read, and all of it at once.
    if not options.paths:
        need("serve", "the page")
    listed = _listed(options)
    if listed is not None and listed.papers:
        need("serve", "the page", "corpus")
    need("serve", "the page")

    listening = _listening(options.port)
    try:
        shared: dict[str, Any] = {name: getattr(options, name) for name in Asking.options}
        found = _stored(options, listed) if listed is not None else _opened(options)
        serving = Serve(**{**shared, **found, "of_page": True})
        return answer_requests(serving, (), listening, None if options.no_browser else _show)
    finally:
        listening.close()


def _listening(port: int | None) -> socket.socket:
    """Listen at the given port; without one at the usual port, or at a free one if that is taken."""
    try:
        return listening_at(_HOST, _PORT if port is None else port)
    except UsageError:
        if port is not None:
            raise
        return listening_at(_HOST, 0)


# --- what was named --------------------------------------------------------------------------------------------------


class _Listed:
    """The files to read: `tables` and `papers`, and the links and pipes that are skipped. `folder` is the one that was
    named, if one was."""

    def __init__(self, paths: Sequence[Path], files: Sequence[ListedFile | Problem]) -> None:
        from qlc.corpus.files import ListedFile
        from qlc.tables.reading import is_table

        self.paths = paths
        self.folder = paths[0] if len(paths) == 1 and paths[0].is_dir() else None
        every = [one for one in files if isinstance(one, ListedFile) and one.name not in _GIVEN_VALUES]
        self.tables = [one for one in every if is_table(one.path)]
        self.papers = [one for one in every if not is_table(one.path)]
        self.skipped = [(one.file, one.message) for one in files if not isinstance(one, ListedFile)]


def _listed(options: Page) -> _Listed | None:
    """Return the files that `qlc ui` was given; None for a store, or without paths. Raises UsageError."""
    from qlc.corpus.corpus import STORE
    from qlc.corpus.files import files_below
    from qlc.tables.reading import SUFFIXES, is_table

    paths = [Path(one) for one in options.paths]
    given = [name for name in _OF_FILES if getattr(options, name)]
    if not paths:
        if given:
            raise UsageError("name the folder of files: qlc ui FOLDER")
        return None
    alone("folder", ("demo", "url", "data", "index", "mapping", "corpus"), options)
    for path in paths:
        if path.is_file() and not is_table(path):
            raise UsageError(f"'{path}' is a file: name the folder that it is in, or a table ({', '.join(SUFFIXES)})")
        if not path.exists():
            what = "folder" if len(paths) == 1 and not is_table(path) else "file"
            raise UsageError(f"there is no {what} '{path}'")
        if path.is_dir() and len(paths) > 1:
            raise UsageError(f"'{path}' is a folder: name it alone, or only tables")
    if paths[0].is_dir() and (paths[0] / STORE).exists():
        if given:
            raise UsageError(f"'{paths[0]}' has no files to add but an index: leave out the options for files")
        return None
    listed = _Listed(paths, [*files_below(paths, follow_links=options.follow_links or paths[0].is_file())])
    if not listed.tables and not listed.papers:
        raise UsageError(f"the folder '{paths[0]}' has no files that could be asked")
    return listed


def _opened(options: Page) -> dict[str, Any]:
    """Return the settings of `qlc serve` for a store that was named; none if the options name the data."""
    from qlc.corpus.corpus import Corpus

    if not options.paths:
        return {}
    folder = Path(options.paths[0])
    return {"corpus" if Corpus.exists(folder) else "data": str(folder.resolve())}


# --- files that are read ---------------------------------------------------------------------------------------------


def _stored(options: Page, listed: _Listed) -> dict[str, Any]:
    """Load tables and add papers to the store of these files; return the settings of `qlc serve` for it."""
    from qlc.service.found import Found

    store = _store_of(listed.paths, options.into)
    loaded = _load_tables(store, options, listed)
    papers = [one.path for one in listed.papers] + loaded.papers
    name = listed.folder.resolve().name if listed.folder else ", ".join(one.name for one in listed.paths)
    found = Found.of_tables(name, loaded)
    if listed.folder is None or not papers:
        _drop_papers(store, options.into)
        if not loaded.tables:
            reasons = "\n".join(f"  {file}: {why}" for file, why in loaded.unread)
            raise UsageError(f"no table can be loaded:\n{reasons}")
        return {"data": store, "found": found.with_unread(listed.skipped)}
    from qlc.cli.corpus import read_files
    from qlc.corpus.corpus import Corpus

    files = str(listed.folder.resolve())
    # A corpus that is made here is of this folder alone; one that was named may have other files, which stay.
    adding: dict[str, Any] = {key: getattr(options, key) for key in ("schema", "metadata", "follow_links")}
    tables = {one.path for one in listed.tables} - {*loaded.papers}
    report = read_files(AddFiles(corpus=store, paths=[files], prune=not options.into, passed_over=tables, **adding))
    with Corpus.open(store, read_only=True) as corpus:
        found = found.with_papers(corpus.status(), report.problems)
    return {"corpus": store, "files": files, "found": found}


def _load_tables(store: str, options: Page, listed: _Listed) -> Collected:
    """Load the tables among the files into the store, and print what became of them."""
    from qlc.cli.tables import given_types
    from qlc.corpus.corpus import STORE
    from qlc.store.clients import connect
    from qlc.tables.folder import Collected, Loading, load_folder

    if not listed.tables and not (Path(store) / STORE).exists():
        return Collected()
    meter = Meter("rows")
    how = Loading(
        again=f"qlc ui {' '.join(shlex.quote(str(one)) for one in listed.paths)}", given=given_types(options.set),
        forms=listed.folder is not None, taken=_taken(listed), prune=not options.into,
        show=meter.of_rows,
    )  # fmt: skip
    with connect(store) as client:
        try:
            loaded = load_folder(client, [(one.path, one.name) for one in listed.tables], how)
        finally:
            meter.end()
    for one in loaded.tables:
        print(escaped(f"{one.title}: {several(one.rows, 'row')} in '{one.index}'."))
        for note in one.notes:
            print(f"  {escaped(note)}")
    for file, reason in loaded.unread if loaded.tables or listed.papers else ():
        print(escaped(f"{file} is not loaded: {reason}"), file=sys.stderr)
    return loaded


def _taken(listed: _Listed) -> Collection[str]:
    """Return names that no table may have: those of the corpus, and of its buckets, which folders are called."""
    folders = {PurePosixPath(one.name).parts[0] for one in listed.papers if "/" in one.name}
    words = {snake(one) for one in folders} | {"corpus", "document", "passage"}
    return {name for word in words for name in (word, singular(word), plural_of(singular(word)))}


def _drop_papers(store: str, into: str | None) -> None:
    """Delete the corpus of an earlier start, if its files are gone."""
    from qlc.corpus.corpus import Corpus

    if not into and Corpus.exists(store):
        with Corpus.open(store) as corpus:
            corpus.delete()


def _store_of(paths: Sequence[Path], into: str | None) -> str:
    """Return the path of the store for files: in the state folder, which only its user can read.

    It is always a path, so it cannot be taken for the name of an index.
    """
    if into:
        return str(Path(into).resolve())
    resolved = [one.resolve() for one in paths]
    below = state_folder() / "corpora"
    try:
        below.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"the store of '{paths[0]}' cannot be kept in '{below}': {reason_of(problem)}; --into STORE "
                         "names another place") from None  # fmt: skip
    digest = sha256(b"\0".join(os.fsencode(one) for one in resolved)).hexdigest()[:12]
    return str(below / f"{resolved[0].name}-{digest}")


def _show(address: str) -> None:
    """Open the page in the browser, if there is a screen: a browser in the terminal would take it over."""
    if sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()
