from qlc.base.errors import *  # noqa: F403
