"""Reading a request: whatever it is wrong with, the request is refused, as by a server.

Parts of a request are read by typed readers, which say what is wrong. This is for what none of them expected: an error
of Python while a request is read is the request's. While it is executed it would be the engine's, so that only what
reads is in here. It is logged, because a typed reader would say more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from qlc_engine.errors import EngineError, MalformedValueError, parsing_error

logger = logging.getLogger("qlc_engine")

_OF_MALFORMED = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)


@contextmanager
def reading(what: str, refusal: Callable[[str], EngineError] = parsing_error) -> Iterator[None]:
    """Around what reads `what` of a request; a decorator, too. Raises EngineError for all that is malformed."""
    try:
        yield
    except MalformedValueError as error:
        raise error.cause from None
    except _OF_MALFORMED as error:
        logger.warning("%s is malformed in a way that no reader names", what, exc_info=error)
        why = "it is nested too deeply" if isinstance(error, RecursionError) else "a value of another type is expected"
        raise refusal(f"failed to parse {what}: {why}") from None
