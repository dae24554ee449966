"""A server of the Model Context Protocol: agents ask an index or a corpus. Needs the extra `mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qlc.mcp.callers import JwtVerifier
    from qlc.mcp.server import create_server

__all__ = ["JwtVerifier", "create_server"]

_HOMES = {"create_server": "qlc.mcp.server", "JwtVerifier": "qlc.mcp.callers"}


def __getattr__(name: str) -> Any:
    """The protocol's packages are imported when the server is made, and by nothing else."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
