from qlc.answers.rows import export_answer  # noqa: F401
from qlc.outcome.export import *  # noqa: F403
