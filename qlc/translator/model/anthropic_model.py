from qlc.models.anthropic_model import *  # noqa: F403
