from qlc.pipeline.searches import *  # noqa: F403
