from qlc.base.deadline import *  # noqa: F403
