"""Asks the user of an MCP client to choose among the options of a clarification.

Until revision 2025-11-25 of the protocol a server sends a request to the client in the middle of a call. From
2026-07-28 on the call returns the question, and the client repeats the call with the answer. A client that cannot ask
gets the clarification as the result of the tool.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from mcp.server.mcpserver import Context
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least

from qlc.outcome import Clarify, Outcome

MOST_QUESTIONS: Final = 5
"""Questions back in one call: names that stand for several things."""
_ANSWER = "choice"
_RETURNS_QUESTIONS_SINCE = "2026-07-28"
_TITLES_SINCE = "2025-11-25"

Ask: TypeAlias = Callable[[Mapping[str, str]], Awaitable[Outcome]]
"""Runs the query with the choices so far, `{token: option id}`."""


async def asked_back(context: Context[Any, Any], choices: Mapping[str, str], ask: Ask) -> Outcome | InputRequiredResult:
    """Return the outcome after the clarifications; from 2026-07-28 on, the next question for the client to ask."""
    version = context.protocol_version or ""
    if not is_version_at_least(version, _RETURNS_QUESTIONS_SINCE):
        return await _in_the_call(context, choices, ask)
    state: dict[str, Any] = json.loads(context.request_state) if context.request_state else {"choices": dict(choices)}
    made: dict[str, str] = state["choices"]
    answer = (context.input_responses or {}).get(_ANSWER)
    is_declined = False
    if "token" in state:
        chosen = _chosen(answer) if isinstance(answer, ElicitResult) else None
        is_declined = chosen is None
        if chosen is not None:
            made[state["token"]] = chosen
    outcome = await ask(made)
    if is_declined or not _can_ask(context, outcome) or len(made) - len(choices) >= MOST_QUESTIONS:
        return outcome
    assert isinstance(outcome, Clarify)
    question = ElicitRequest(
        params=ElicitRequestFormParams(message=outcome.message, requested_schema=_form(outcome, has_titles=True))
    )
    state_json = json.dumps({"choices": made, "token": outcome.token})
    return InputRequiredResult(input_requests={_ANSWER: question}, request_state=state_json)  # the SDK seals it


async def _in_the_call(context: Context[Any, Any], choices: Mapping[str, str], ask: Ask) -> Outcome:
    made = dict(choices)
    outcome = await ask(made)
    has_titles = is_version_at_least(context.protocol_version or "", _TITLES_SINCE)
    for _ in range(MOST_QUESTIONS):
        if not _can_ask(context, outcome) or not context.session.can_send_request:
            break
        assert isinstance(outcome, Clarify)
        answer = await context.session.elicit_form(
            outcome.message, _form(outcome, has_titles=has_titles), related_request_id=context.request_id
        )
        if (chosen := _chosen(answer)) is None:
            break
        made[outcome.token] = chosen
        outcome = await ask(made)
    return outcome


def _can_ask(context: Context[Any, Any], outcome: Outcome) -> bool:
    """Whether the outcome is a clarification, and the client shows forms to its user."""
    if not isinstance(outcome, Clarify) or not outcome.token or not outcome.options:
        return False
    declared = context.client_capabilities
    elicitation = declared.elicitation if declared is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _form(question: Clarify, *, has_titles: bool) -> dict[str, Any]:
    options = question.options
    choice: dict[str, Any] = {"type": "string", "title": "Which is meant?"}
    if has_titles:
        choice["oneOf"] = [{"const": one.id, "title": one.label} for one in options]
    else:
        choice |= {"enum": [one.id for one in options], "enumNames": [one.label for one in options]}
    return {"type": "object", "properties": {_ANSWER: choice}, "required": [_ANSWER]}


def _chosen(answer: ElicitResult) -> str | None:
    """Return the id of the chosen option; None if the user did not choose."""
    chosen = (answer.content or {}).get(_ANSWER) if answer.action == "accept" else None
    return chosen if isinstance(chosen, str) and chosen else None
