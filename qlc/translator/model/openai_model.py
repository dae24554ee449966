from qlc.models.openai_model import *  # noqa: F403
