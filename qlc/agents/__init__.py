"""qlc as a tool of agents: what can be asked, LangGraph, and the Model Context Protocol."""

from qlc.base.lazy import submodules

__getattr__ = submodules(__name__, ("langgraph", "mcp"))
