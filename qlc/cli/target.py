"""Opens the input of a command: the query's text, the client, the catalog, the options of a run."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError
from qlc.base.options import Options
from qlc.cli.settings import Connection, SearchCorpus, Serve, Server, Target, When
from qlc.cli.waiting import doing
from qlc.resolver.wrong_server import is_stranger, stranger_at

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

    from qlc.answers.corpora import Corpus
    from qlc.mapping.fields import IndexMapping
    from qlc.pipeline.compiler import Compiler

DEMO_NOW = "2026-03-15T12:00:00Z"
"""The day on which the sample data was made: 'last month' means February 2026 there."""


def source_of(query: str, *, keep_spaces: bool = False) -> str:
    """Return the text of the query; `-` reads standard input. Raises UnicodeDecodeError."""
    text = sys.stdin.read() if query == "-" else query
    with suppress(UnicodeEncodeError):  # a half character that was written as one is shown where it stands
        text.encode("utf-8", "surrogateescape").decode("utf-8")  # some locales hand on what is no UTF-8
    return text if keep_spaces else text.rstrip()


def open_client(options: Connection, *, writes: bool = False) -> Elasticsearch:
    """Open a client. Raises UsageError if no option names the data."""
    from qlc.store.clients import connect

    target, connection = connection_of(options, writes=writes)
    return connect(target, **connection)


def connection_of(options: Connection, *, writes: bool = False) -> tuple[str | Path, dict[str, Any]]:
    """Return the arguments of `qlc.connect` and `qlc.connect_async`. Raises UsageError if no option names the data."""
    if options.url and options.data:
        raise UsageError("give --url or --data, not both")
    url, data = options.url, options.data
    if not url and not data:
        url, data = os.environ.get("QLC_URL"), os.environ.get("QLC_DATA")
    if url:
        _check_address(url)
        return url, _credentials(options)
    if data:
        if Path(data).is_file():
            load = f"'qlc index {data} --data FOLDER' loads it, then 'qlc ask --data FOLDER' asks about it"
            way = "name another one" if writes else f"{load}; or 'qlc ui {data}' opens it"
            raise UsageError(f"--data is a folder, and '{data}' is a file: {way}")
        if not writes and not Path(data).is_dir():
            raise UsageError(f"there is no folder '{data}'; 'qlc index FILE --data {data}' makes one")
        return Path(data), {"read_only": not writes}
    ways = ["qlc ui FOLDER"] if isinstance(options, Serve) and options.of_page else []
    ways += ["--url http://localhost:9200", "--data FOLDER"]
    ways += ["--corpus CORPUS", "--demo for the sample data"] if isinstance(options, Target) else []
    raise UsageError(f"say where the data is: {', '.join(ways[:-1])} or {ways[-1]}")


def corpus_target(name: str, options: Server) -> tuple[str, dict[str, Any]]:
    """Return the folder of a corpus, or its index and the server. A name with a slash is always a folder."""
    is_path = "/" in name or os.sep in name
    url = options.url or ("" if is_path else os.environ.get("QLC_URL", ""))
    if not url:
        return name, {}
    _check_address(url)
    return name, {"url": url, **_credentials(options)}


def _check_address(url: str) -> None:
    if not url.startswith(("http://", "https://")):
        raise UsageError("--url (or $QLC_URL) is an address with a scheme, such as http://localhost:9200")


def _credentials(options: Server) -> dict[str, Any]:
    """Return the credentials of the flags, else of the environment. Raises UsageError, which repeats no secret."""
    names = ("api_key", "basic_auth", "bearer_auth")
    given = {name: getattr(options, name) for name in names if getattr(options, name)}
    if not given:
        given = {name: text for name in names if (text := os.environ.get(f"QLC_{name.upper()}", "").strip())}
    if len(given) > 1:
        listed = " and ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(f"give one of {listed} (or of their variables), not both")
    if "basic_auth" in given:
        user, colon, password = given["basic_auth"].partition(":")
        if not colon:
            raise UsageError("--basic-auth (or $QLC_BASIC_AUTH) is USER:PASSWORD, and has no colon in it")
        given["basic_auth"] = (user, password)
    certificates = options.ca_certs or os.environ.get("QLC_CA_CERTS")
    return {**given, "ca_certs": certificates} if certificates else given


def open_compiler(options: Target) -> Compiler:
    from qlc.pipeline.compiler import Compiler

    if options.demo:
        alone("demo", ("url", "data", "catalog", "index", "mapping", "corpus"), options)
        from qlc.cli.demo_store import demo_compiler

        return demo_compiler()
    if options.corpus:
        return open_corpus(options).compiler(cursor_key=cursor_key())
    catalog = catalog_path(options.catalog or os.environ.get("QLC_CATALOG"))
    mapping = None
    if options.mapping:
        mapping = _mappings(options.mapping, options.index, catalog)
        if not (options.url or options.data):
            return Compiler(None, catalog, options.index, mapping=mapping)
    client = open_client(options)
    index = options.index or (None if catalog else all_indices(client) if options.data else only_index(client))
    check_index(client, options)
    return Compiler(client, catalog, index, mapping=mapping, cursor_key=cursor_key())


def alone(option: str, others: Sequence[str], options: object) -> None:
    """Raise UsageError if options are given that exclude each other."""
    if elsewhere := [name for name in others if getattr(options, name, None)]:
        raise UsageError(f"--{option} has data of its own: leave out --{elsewhere[0]}, or --{option}")


def open_corpus(options: Target | SearchCorpus) -> Corpus:
    """Open the corpus of a command, with the catalog that was given for it. Raises UsageError."""
    if not options.corpus:
        raise UsageError("name the corpus: --corpus CORPUS")
    alone("corpus", ("demo", "data", "index", "mapping"), options)
    from qlc.answers.corpora import Corpus

    target, connection = corpus_target(options.corpus, options)
    with doing(f"opening the corpus {options.corpus}"):
        return Corpus.open(target, read_only=True, catalog=catalog_path(options.catalog), **connection)


def state_folder() -> Path:
    """Return the folder in which a user's files are kept between commands."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "qlc"


def cursor_key() -> str | None:
    """Return the secret that signs this user's cursors, so that the next command accepts them. The first call creates
    it."""
    given = os.environ.get("QLC_CURSOR_KEY")
    if given:
        return given
    file = state_folder() / "cursor-key"
    try:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as made:
                made.write(secrets.token_hex(32))
        return file.read_text() or None
    except OSError:
        return None


def _mappings(file: str, index: str | None, catalog: Path | None) -> IndexMapping | dict[str, IndexMapping]:
    """Read the mapping in `--mapping`: of all indices that the catalog names, or of the only index."""
    from qlc.mapping.catalog import load_catalog
    from qlc.mapping.index_mapping import load_mapping, load_mappings
    from qlc.pipeline.shared import index_names

    if catalog is None or index:
        return load_mapping(file, index or "")
    return load_mappings(file, index_names(load_catalog(catalog)))


def all_indices(client: Elasticsearch) -> str:
    """The indices of a folder, which are asked together: the sheets of a workbook, the tables of a database."""
    names = _index_names(client)
    return ",".join(names) if 1 < len(names) <= MOST_TOGETHER else only_index(client)


def check_index(client: Elasticsearch, options: Target) -> None:
    """Raise UsageError if `--index` names nothing in the folder of `--data`; a server may get its indices later."""
    if options.index and options.data and not client.indices.exists(index=options.index):
        names = _index_names(client)
        there = f"there {'are' if len(names) > 1 else 'is'} {', '.join(names[:10])}" if names else "it has none"
        raise UsageError(f"there is no index '{options.index}' in the folder '{options.data}': {there}")


MOST_TOGETHER = 20
"""Indices of a folder for which a catalog is drafted without being asked."""


def only_index(client: Elasticsearch, way: str = "name one with --index, or a catalog with --catalog") -> str:
    """The one index that there is, where neither a catalog nor the user names one. `way` is how to name it."""
    names = _index_names(client)
    if len(names) == 1:
        return names[0]
    if not names:
        raise UsageError("there is no index yet; 'qlc index FILE' makes one")
    some = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
    raise UsageError(f"there are {len(names)} indices ({some}): {way}")


def _index_names(client: Elasticsearch) -> list[str]:
    try:
        found = client.indices.get(index="*", filter_path="*.aliases")
    except Exception as problem:
        if is_stranger(problem):
            raise stranger_at(client, problem) from None
        raise
    return sorted(name for name in found if not name.startswith("."))


def catalog_path(name: str | None) -> Path | None:
    """Return the path of a catalog file, which may be given as the name of one that ships with qlc."""
    if name is None:
        return None
    from qlc import catalogs

    return catalogs.path(name) if name in catalogs.names() else Path(name)


def options_of(options: When) -> dict[str, Any]:
    """Return the options of a run from the command line. Raises UsageError."""
    found: dict[str, Any] = {
        "params": _bound(options.param, "--param"),
        "context": _bound(options.context, "--context"),
    }
    if options.now or (isinstance(options, Target) and options.demo):
        found["now"] = options.now or DEMO_NOW
    if options.tz:
        found["timezone"] = options.tz
    Options.of(found)  # a flag with a wrong value is a wrong call of the command
    return found


def _bound(pairs: Sequence[str], flag: str) -> dict[str, Any]:
    """Read NAME=VALUE pairs. A value that is JSON is parsed."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"{flag} takes NAME=VALUE, not '{pair}'")
        try:
            found[name.removeprefix("$")] = json.loads(text)
        except json.JSONDecodeError:
            found[name.removeprefix("$")] = text
        except (ValueError, RecursionError):
            raise UsageError(f"{flag} {name} is too large or too deeply nested") from None
    return found
