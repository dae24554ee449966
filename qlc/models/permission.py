"""Whether real language models may be called at all."""

from __future__ import annotations

import os

SWITCH = "QLC_FORBID_MODEL"


def forbidden() -> bool:
    """Whether the environment forbids every request to a real model: `QLC_FORBID_MODEL=1`, and nothing overrules it."""
    return os.environ.get(SWITCH, "").strip().lower() not in ("", "0", "false", "no")
