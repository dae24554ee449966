from qlc.agents.mcp import __all__, __getattr__  # noqa: F401
