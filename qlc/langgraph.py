from qlc.agents.langgraph import *  # noqa: F403
