"""A server of the Model Context Protocol: agents ask an index or a corpus. Needs the extra `mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qlc._lazy import submodules

if TYPE_CHECKING:
    from qlc.mcp.callers import JwtVerifier
    from qlc.mcp.server import create_server

__all__ = ["JwtVerifier", "create_server"]

__getattr__ = submodules(__name__, homes={"create_server": "qlc.mcp.server", "JwtVerifier": "qlc.mcp.callers"})
"""The protocol's packages are imported when the server is made, and by nothing else."""
