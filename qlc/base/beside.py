"""Runs computation of the asynchronous API in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from qlc.base.deadline import can_be_given_up

P = ParamSpec("P")
T = TypeVar("T")


async def beside(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Run work in a thread, and return its result or raise its error.

    The work has the caller's deadline (`qlc.base.deadline`). If the caller is cancelled, the work ends at its next
    checkpoint.
    """
    with can_be_given_up() as give_up:
        try:
            return await asyncio.to_thread(work, *given, **named)
        except asyncio.CancelledError:
            give_up()
            raise
