"""qlc: a small typed query language between people and Elasticsearch."""

import sys

from qlc.base.import_path import imports_from_elsewhere, is_run_as_module, safe_path

if is_run_as_module():  # before anything else is imported, by this package or by Python
    sys.path[:] = safe_path()

from typing import TYPE_CHECKING, Any

from qlc.base.lazy import submodules
from qlc.base.old_paths import OLD_PATHS
from qlc.base.version import VERSION

with imports_from_elsewhere():  # the current folder of a notebook may have a file of that name
    from qlc_search import DISTRIBUTION, warn_of_namesake

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qlc import agents as agents
    from qlc import answers as answers
    from qlc import base as base
    from qlc import catalogs as catalogs
    from qlc import conversation as conversation
    from qlc import grammar as grammar
    from qlc import mapping as mapping
    from qlc import outcome as outcome
    from qlc import pasted as pasted
    from qlc import pipeline as pipeline
    from qlc import service as service
    from qlc import store as store
    from qlc import tables as tables
    from qlc import telemetry as telemetry
    from qlc import translator as translator
    from qlc.answers.corpora import AsyncCorpus, Corpus
    from qlc.base.errors import ConfigurationError, FolderError, FolderLocked, QlcError, RequestFailed, UsageError
    from qlc.conversation import AsyncConversation, Conversation
    from qlc.mapping.documents import catalog_of, mappings_of
    from qlc.pasted.entry import run_pasted, run_pasted_async
    from qlc.pipeline.compiler import Compiler, Prepared
    from qlc.resolver.driver import CircuitBreaker
    from qlc.store.clients import connect_async
    from qlc.tables.connecting import connect
    from qlc.tables.loading import load
    from qlc.telemetry import feedback
    from qlc.translator.entry import Asker, compile_and_run, compile_and_run_async

__distribution__ = DISTRIBUTION
__version__ = VERSION

warn_of_namesake()

__all__ = [
    "Asker",
    "AsyncConversation",
    "AsyncCorpus",
    "CircuitBreaker",
    "Compiler",
    "ConfigurationError",
    "Conversation",
    "Corpus",
    "FolderError",
    "FolderLocked",
    "Prepared",
    "QlcError",
    "RequestFailed",
    "UsageError",
    "catalog_of",
    "compile_and_run",
    "compile_and_run_async",
    "connect",
    "connect_async",
    "feedback",
    "load",
    "mappings_of",
    "run_pasted",
    "run_pasted_async",
]

_ROOMS = ("agents", "answers", "base", "catalogs", "conversation", "grammar", "mapping", "outcome", "pasted",
          "pipeline", "service", "store", "tables", "telemetry", "translator")  # fmt: skip
_module = submodules(__name__, (*_ROOMS, *(old.removeprefix("qlc.") for old in OLD_PATHS)))


def _attribute(name: str) -> Any:
    """The client and the compiler cost half a second, `qlc --version` must not pay for them."""
    match name:
        case "Compiler" | "Prepared":
            from qlc.pipeline import compiler

            return getattr(compiler, name)
        case "Asker" | "compile_and_run" | "compile_and_run_async":
            from qlc.translator import entry

            return getattr(entry, name)
        case "AsyncCorpus" | "Corpus":
            from qlc.answers import corpora

            return getattr(corpora, name)
        case "AsyncConversation" | "Conversation":
            from qlc.conversation import conversation

            return getattr(conversation, name)
        case "CircuitBreaker":
            from qlc.resolver.driver import CircuitBreaker

            return CircuitBreaker
        case "connect":
            from qlc.tables.connecting import connect

            return connect
        case "connect_async":
            from qlc.store.clients import connect_async

            return connect_async
        case "catalog_of" | "mappings_of":
            from qlc.mapping import documents

            return getattr(documents, name)
        case "feedback":
            from qlc.telemetry import feedback

            return feedback
        case "load":
            from qlc.tables.loading import load

            return load
        case "run_pasted" | "run_pasted_async":
            from qlc.pasted import entry as pasted

            return getattr(pasted, name)
        case "ConfigurationError" | "FolderError" | "FolderLocked" | "QlcError" | "RequestFailed" | "UsageError":
            from qlc.base import errors

            return getattr(errors, name)
    return _module(name)


if not TYPE_CHECKING:  # a type checker would take it that every name is there
    __getattr__ = _attribute


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """Register the magic `%%qlc` in a notebook: `%load_ext qlc`.

    Its imports happen here and skip the folder of the notebook, whose files may be anybody's.
    """
    with imports_from_elsewhere():
        from qlc.cli import notebook
        from qlc.store.clients import connect

        for name in __all__:
            _attribute(name)
        connect(":memory:").close()  # imports the engine
    notebook.register(shell)
