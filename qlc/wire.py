from qlc.store.wire import *  # noqa: F403
