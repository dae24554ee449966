from qlc.base.options import *  # noqa: F403
