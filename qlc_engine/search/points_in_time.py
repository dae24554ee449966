"""Points in time: what an index showed at a moment, kept for searches to come."""

from __future__ import annotations

import base64
import json
import os

from qlc_engine.errors import illegal_argument
from qlc_engine.search.keep_alive import Keeper, Kept, Pairs


class PointsInTime(Keeper[Kept]):
    """The open points in time of an engine."""

    parameter = "keep_alive"

    def open(self, pairs: Pairs, seconds: float) -> str:
        """The id of a new one."""
        token = json.dumps([os.urandom(12).hex(), [target.index.name for target, _ in pairs]])
        return self.keep(base64.urlsafe_b64encode(token.encode()).decode(), Kept(pairs, seconds))

    @staticmethod
    def check_id(opened: str) -> None:
        try:
            json.loads(base64.urlsafe_b64decode(opened))
        except ValueError:
            raise illegal_argument(f"invalid id: [{opened}]") from None
