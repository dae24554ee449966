"""qlc: a small typed query language between people and Elasticsearch."""

import sys

from qlc.import_path import imports_from_elsewhere, is_run_as_module, safe_path

if is_run_as_module():  # before anything else is imported, by this package or by Python
    sys.path[:] = safe_path()

from typing import TYPE_CHECKING, Any

from qlc._lazy import submodules
from qlc.version import VERSION

with imports_from_elsewhere():  # the current folder of a notebook may have a file of that name
    from qlc_search import DISTRIBUTION, warn_of_namesake

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qlc.answers.corpora import AsyncCorpus, Corpus
    from qlc.clients import connect, connect_async
    from qlc.conversation import AsyncConversation, Conversation
    from qlc.errors import ConfigurationError, FolderError, FolderLocked, QlcError, RequestFailed, UsageError
    from qlc.mapping.documents import catalog_of, mappings_of
    from qlc.pasted.entry import run_pasted, run_pasted_async
    from qlc.pipeline import Compiler, Prepared
    from qlc.resolver.driver import CircuitBreaker
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
    "mappings_of",
    "run_pasted",
    "run_pasted_async",
]

_NAMES = {
    "qlc.pipeline": ("Compiler", "Prepared"),
    "qlc.translator.entry": ("Asker", "compile_and_run", "compile_and_run_async"),
    "qlc.answers.corpora": ("AsyncCorpus", "Corpus"),
    "qlc.conversation": ("AsyncConversation", "Conversation"),
    "qlc.resolver.driver": ("CircuitBreaker",),
    "qlc.clients": ("connect", "connect_async"),
    "qlc.mapping.documents": ("catalog_of", "mappings_of"),
    "qlc.telemetry": ("feedback",),
    "qlc.pasted.entry": ("run_pasted", "run_pasted_async"),
    "qlc.errors": ("ConfigurationError", "FolderError", "FolderLocked", "QlcError", "RequestFailed", "UsageError"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__getattr__ = submodules(
    __name__, ("answers", "catalogs", "conversation", "deadline", "errors", "export", "frames", "grammar", "langgraph",
               "mapping", "mcp", "options", "outcome", "pasted", "reply", "searches", "service", "telemetry",
               "translator", "wire"), _HOMES)  # fmt: skip
"""Loads submodules on first use. The client and the compiler cost half a second, which `qlc --version` must not pay."""


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """Register the magic `%%qlc` in a notebook: `%load_ext qlc`.

    Its imports happen here and skip the folder of the notebook, whose files may be anybody's.
    """
    with imports_from_elsewhere():
        notebook: Any = submodules(__name__, ("notebook",))("notebook")
        for name in __all__:
            getattr(sys.modules[__name__], name)
        sys.modules[__name__].connect(":memory:").close()  # imports the engine
    notebook.register(shell)
