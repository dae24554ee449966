from qlc.outcome.frames import *  # noqa: F403
