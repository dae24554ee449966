from qlc import load_ipython_extension  # noqa: F401
from qlc.cli.notebook import *  # noqa: F403
