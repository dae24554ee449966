from qlc.store.clients import *  # noqa: F403
