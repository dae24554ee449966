from qlc.models.exchange import *  # noqa: F403
