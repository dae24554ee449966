"""Outcomes of queries, as data, and as tables, data frames, HTML, CSV and JSON. The types are in `model`."""

from qlc.base.lazy import submodules
from qlc.outcome.model import *  # noqa: F403

__getattr__ = submodules(__name__, ("export", "frames", "model", "reply"))
