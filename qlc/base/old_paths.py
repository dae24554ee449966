"""Import paths of an earlier version. Each is a module of one line, which imports what is in the new one."""

GO_IN = "0.3.0"
"""The version of qlc in which they go."""

OLD_PATHS = {
    "qlc.clients": "qlc.store.clients",
    "qlc.deadline": "qlc.base.deadline",
    "qlc.errors": "qlc.base.errors",
    "qlc.export": "qlc.outcome.export",
    "qlc.frames": "qlc.outcome.frames",
    "qlc.langgraph": "qlc.agents.langgraph",
    "qlc.mcp": "qlc.agents.mcp",
    "qlc.notebook": "qlc.cli.notebook",
    "qlc.options": "qlc.base.options",
    "qlc.reply": "qlc.outcome.reply",
    "qlc.searches": "qlc.pipeline.searches",
    "qlc.translator.model.anthropic_model": "qlc.models.anthropic_model",
    "qlc.translator.model.exchange": "qlc.models.exchange",
    "qlc.translator.model.openai_model": "qlc.models.openai_model",
    "qlc.wire": "qlc.store.wire",
}
