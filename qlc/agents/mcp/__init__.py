"""A server of the Model Context Protocol: agents ask an index or a corpus. Needs the extra `mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qlc.agents.mcp.callers import JwtVerifier
    from qlc.agents.mcp.server import create_server

__all__ = ["JwtVerifier", "create_server"]


def __getattr__(name: str) -> Any:
    """The protocol's packages are imported when the server is made, and by nothing else."""
    match name:
        case "JwtVerifier":
            from qlc.agents.mcp.callers import JwtVerifier

            return JwtVerifier
        case "create_server":
            from qlc.agents.mcp.server import create_server

            return create_server
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
