"""Outcomes of queries, as data, and as tables, data frames, HTML, CSV and JSON. The types are in `model`."""

from typing import TYPE_CHECKING

from qlc.base.lazy import submodules
from qlc.outcome.model import *  # noqa: F403

if TYPE_CHECKING:
    from qlc.outcome import export as export
    from qlc.outcome import frames as frames
    from qlc.outcome import model as model
    from qlc.outcome import reply as reply
else:  # a type checker would take it that every name is there
    __getattr__ = submodules(__name__, ("export", "frames", "model", "reply"))
