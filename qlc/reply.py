from qlc.outcome.reply import *  # noqa: F403
