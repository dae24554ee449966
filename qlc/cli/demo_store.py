"""The sample document store: a stored index in the user's cache folder, loaded from the package once."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from qlc import catalogs
from qlc.base.version import VERSION
from qlc.cli.waiting import doing
from qlc.pipeline.compiler import Compiler

INDEX = "entities-v4"


def demo_folder() -> Path:
    """Return `$QLC_DEMO`, else a folder below the user's cache."""
    override = os.environ.get("QLC_DEMO")
    if override:
        return Path(override)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "qlc" / f"demo-{VERSION}"


def demo_client() -> Any:
    """Return a read-only client of the stored sample index."""
    from qlc.store.clients import connect

    return connect(loaded_folder(), read_only=True)


def loaded_folder() -> Path:
    """Return the folder with the sample index, loading it if necessary.

    It is loaded in another folder and moved when it is complete, so that an interrupted load, or another one at the
    same time, does no harm.
    """
    from qlc.store.clients import connect

    folder = demo_folder()
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            with doing("loading the sample data, once"), connect(aside) as client:
                load_demo(client)
            with contextlib.suppress(OSError):
                aside.rename(folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return folder


def load_demo(client: Any, index: str = INDEX) -> int:
    """Create the sample index and load its entities; how many there are."""
    from elasticsearch.helpers import bulk

    body = json.loads(catalogs.mapping_path("drive").read_text(encoding="utf-8"))
    client.indices.create(index=index, mappings=body["mappings"], settings=body.get("settings"))
    with gzip.open(catalogs.documents_path("drive"), "rt", encoding="utf-8") as lines:
        entities = [json.loads(line) for line in lines]
    actions = (
        {"_index": index, "_id": entity["systemAttributes"]["id"], "_source": entity} for entity in entities
    )
    bulk(client, actions, chunk_size=2000, refresh=True)
    return len(entities)


def demo_compiler() -> Compiler:
    return Compiler(demo_client(), catalogs.path("drive"))
