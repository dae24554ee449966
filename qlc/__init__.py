"""qlc: a small typed query language between people and Elasticsearch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qlc._lazy import submodules
from qlc.version import VERSION
from qlc_search import DISTRIBUTION, warn_of_namesake

if TYPE_CHECKING:
    from qlc.answers.corpora import AsyncCorpus, Corpus
    from qlc.clients import connect, connect_async
    from qlc.conversation import AsyncConversation, Conversation
    from qlc.errors import ConfigurationError, FolderError, FolderLocked, QlcError, RequestFailed, UsageError
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
    "compile_and_run",
    "compile_and_run_async",
    "connect",
    "connect_async",
    "feedback",
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
    "qlc.telemetry": ("feedback",),
    "qlc.pasted.entry": ("run_pasted", "run_pasted_async"),
    "qlc.notebook": ("load_ipython_extension",),
    "qlc.errors": ("ConfigurationError", "FolderError", "FolderLocked", "QlcError", "RequestFailed", "UsageError"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__getattr__ = submodules(
    __name__, ("answers", "catalogs", "conversation", "deadline", "errors", "export", "frames", "grammar", "langgraph",
               "mapping", "mcp", "options", "outcome", "pasted", "reply", "service", "telemetry", "translator",
               "wire"), _HOMES)  # fmt: skip
"""The client and the compiler cost half a second, `qlc --version` must not pay for them."""
