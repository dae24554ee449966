"""`qlc ui`: serves the page over a folder of files, a corpus or an index, for the user of this machine."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

from qlc.base.errors import UsageError
from qlc.cli.serve import answer_requests, listening_at
from qlc.cli.settings import AddFiles, Asking, Page, Serve
from qlc.cli.start import goes_on
from qlc.cli.target import alone, state_folder

_HOST, _PORT = "127.0.0.1", 8765


def ui(options: Page) -> int:
    """Serve the page until Ctrl+C. Only this machine reaches it, so it needs no authentication."""
    goes_on()
    from qlc.base.extras import need
    from qlc.corpus.corpus import STORE

    # What is missing is reported before files are read, and all of it at once.
    has_files = options.folder is not None and not (Path(options.folder) / STORE).exists()
    if has_files:
        need("serve", "the page", "corpus")
    need("serve", "the page")

    listening = _listening(options.port)
    try:
        shared: dict[str, Any] = {name: getattr(options, name) for name in Asking.options}
        serving = Serve(**{**shared, **_found_data(options), "of_page": True})
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


def _found_data(options: Page) -> dict[str, str]:
    """Return the settings of `qlc serve` for the folder that was named. Files are added to their corpus first."""
    if options.folder is None:
        if options.into or options.schema or options.metadata or options.follow_links:
            raise UsageError("name the folder of files: qlc ui FOLDER")
        return {}
    from qlc.corpus.corpus import STORE, Corpus

    alone("folder", ("demo", "url", "data", "index", "mapping", "corpus"), options)
    folder = Path(options.folder)
    if folder.is_file():
        raise UsageError(f"'{folder}' is a file: name the folder that it is in")
    if not folder.is_dir():
        raise UsageError(f"there is no folder '{folder}'")
    if (folder / STORE).exists():
        if options.into or options.schema or options.metadata or options.follow_links:
            raise UsageError(f"'{folder}' has no files to add but an index: leave out the options for files")
        return {"corpus" if Corpus.exists(folder) else "data": str(folder.resolve())}
    from qlc.cli.corpus import add
    from qlc.corpus.files import ListedFile, files_below

    if not any(isinstance(one, ListedFile) for one in files_below([folder], follow_links=options.follow_links)):
        raise UsageError(f"the folder '{folder}' has no files that could be asked")
    corpus, files = _corpus_of(folder, options.into), str(folder.resolve())
    # A corpus that is made here is of this folder alone; one that was named may have other files, which stay.
    adding: dict[str, Any] = {name: getattr(options, name) for name in ("schema", "metadata", "follow_links")}
    add(AddFiles(corpus=corpus, paths=[files], prune=not options.into, **adding))
    return {"corpus": corpus, "files": files}


def _corpus_of(folder: Path, into: str | None) -> str:
    """Return the path of the corpus for a folder of files: in the state folder, which only its user can read.

    It is always a path, so it cannot be taken for the name of an index.
    """
    if into:
        return str(Path(into).resolve())
    path = folder.resolve()
    below = state_folder() / "corpora"
    try:
        below.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"the corpus of '{folder}' cannot be kept in '{below}': {problem.strerror}; --into CORPUS "
                         "names another place") from None  # fmt: skip
    return str(below / f"{path.name}-{sha256(os.fsencode(path)).hexdigest()[:12]}")


def _show(address: str) -> None:
    """Open the page in the browser, if there is a screen: a browser in the terminal would take it over."""
    if sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()
