"""Alias of `qlc.pasted.entry`, for one version."""

from qlc.pasted.entry import NotPasted, run_pasted, run_pasted_async

__all__ = ["NotPasted", "run_pasted", "run_pasted_async"]
