"""A server of the Model Context Protocol: agents ask an index or a corpus. Needs the extra `mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qlc.base.lazy import submodules

if TYPE_CHECKING:
    from qlc.agents.mcp.callers import JwtVerifier
    from qlc.agents.mcp.server import create_server

__all__ = ["JwtVerifier", "create_server"]

__getattr__ = submodules(__name__, homes={"create_server": "qlc.agents.mcp.server", "JwtVerifier": "qlc.agents.mcp.callers"})
"""The protocol's packages are imported when the server is made, and by nothing else."""
