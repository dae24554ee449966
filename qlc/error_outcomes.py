"""How a run ends that has no answer: every exception that the stages raise, as an outcome. Only here."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from qlc import present
from qlc.compiler.consistency import OUTSIDE_CALENDAR
from qlc.compiler.environment import ContextMissing, RuleUndecided
from qlc.compiler.parameters import BindingError
from qlc.compiler.periods import InvalidDate
from qlc.compiler.request import CannotAnswer
from qlc.cursor import CursorError
from qlc.diagnostics import Diagnostic
from qlc.errors import ConfigurationError, OptionError, RequestFailed, UsageError
from qlc.grammar import SyntaxProblem
from qlc.options import Options
from qlc.outcome import Failed, Invalid, Outcome
from qlc.resolver.breaker import CIRCUIT_OPEN
from qlc.resolver.early_exits import Ask, Missing
from qlc.texts import whole

log = logging.getLogger("qlc")

Common = Callable[..., dict[str, Any]]
"""The attributes that all outcomes have, from a message and further diagnostics."""


def ending(problem: BaseException, common: Common) -> Outcome | None:
    """The outcome; None for what is no end of a run but the caller's own mistake, and is raised on."""
    match problem:
        case SyntaxProblem():
            return Invalid(**common("The query cannot be read.", (problem.diagnostic,)))
        case BindingError():
            return Invalid(**common(_sentence(problem.diagnostic.message), (problem.diagnostic,)))
        case CursorError() | InvalidDate():
            code = "invalid-date" if isinstance(problem, InvalidDate) else "invalid-cursor"
            hint = OUTSIDE_CALENDAR if isinstance(problem, InvalidDate) else "run the query without the cursor"
            return Invalid(**common(_sentence(str(problem)), (Diagnostic(code, str(problem), hint=hint),)))
        case Ask():
            return present.clarify(problem, common(""))
        case Missing():
            return present.not_found(problem, common(""))
        case CannotAnswer():
            return present.unsupported(problem.code, problem.message, problem.hint, common(""))
        case RuleUndecided():
            message = "It cannot be determined what may be searched here, so nothing was. The log has the details."
            return Failed(**common(message), reason="context-missing", id=_logged(problem))
        case ContextMissing():
            message = f"This search needs '{problem.name}' of the caller, which was not given."
            return Failed(**common(message), reason="context-missing", id=_logged(problem))
        case RequestFailed():
            message = present.failure_message(problem.reason)
            return Failed(**common(message), reason=problem.reason, id=_logged(problem),
                          retryable=problem.retryable or problem.reason in ("timeout", CIRCUIT_OPEN))
        case OptionError():
            return wrong_option(problem)
        case UsageError() | ConfigurationError():
            return None
        case Exception():
            message = "Something went wrong inside qlc. The log has the details under this id."
            return Failed(**common(message), reason="internal", id=_logged(problem))
        case _:
            return None


def read_options(given: Mapping[str, Any]) -> Options | Invalid:
    """The options of a run; the outcome where one has a value that cannot be used.

    Raises UsageError for what no user supplies: a name that is no option, a context that is none.
    """
    try:
        return Options.of(given)
    except OptionError as problem:
        return wrong_option(problem)


def wrong_option(problem: OptionError) -> Invalid:
    found = Diagnostic(problem.code, str(problem), hint=problem.hint)
    return Invalid(message=_sentence(found.message), diagnostics=[present.note(found)])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _logged(problem: BaseException) -> str:
    identity = uuid.uuid4().hex[:12]
    expected = isinstance(problem, RequestFailed | ContextMissing)
    level = logging.WARNING if expected else logging.ERROR
    log.log(level, "%s: %s", identity, whole(str(problem)), exc_info=not expected)
    return identity
