"""Calls a language model for one question, within one budget; its replies are data that a schema validates."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from qlc.answers.journal import Journal
from qlc.answers.meter import Meter
from qlc.models.exchange import Call, Model, ModelFailed, ModelReply, ModelRequest, Tool, resumed, usage_of
from qlc.models.tool_input import WrongUse, used_tool

log = logging.getLogger("qlc.model")

_T = TypeVar("_T")
_Given = TypeVar("_Given", bound=BaseModel)


class NoReply(Exception):
    """The model gave nothing that can be used; `reason` says why in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WrongTwice(NoReply):
    def __init__(self) -> None:
        super().__init__("its reply was wrong twice")


class Wrong(Exception):
    """The model's reply is wrong. `result` is sent back to the model, as data."""

    def __init__(self, *problems: str, **more: Any) -> None:
        super().__init__(*problems)
        self.result: Mapping[str, Any] = {"accepted": False, "problems": list(problems), **more}


@dataclass
class Calls:
    """Sends requests for one question."""

    model: Model
    meter: Meter
    journal: Journal

    def send(self, request: ModelRequest) -> ModelReply:
        """Send a request, and return the reply. Raises NoReply if the budget is used up, or if the model fails or
        refuses."""
        name = self.model.name
        if not self.meter.may_call(name, request):
            raise NoReply("its budget for this question is used up")
        if (kept := self.journal.reply(name, request)) is not None:
            reply_kept, took = kept
            if took is not None:
                self.meter.called(name, usage_of(reply_kept, request), took)
            return reply_kept
        began = time.monotonic()
        reply = Call(self.model, request, self.meter.call_ends(name), self.meter.budget.price(name)).send()
        seconds = time.monotonic() - began
        self.meter.called(name, usage_of(reply, request), seconds)
        if isinstance(reply, ModelFailed):
            log.warning("%s: %s (%s)", name, reply.reason, reply.detail)
            raise NoReply(f"it could not be asked: {reply.reason}")
        if reply.stop == "refusal":
            raise NoReply("it would not answer")
        self.journal.add(name, request, reply, seconds)
        return reply

    def asked(
        self, request: ModelRequest, read: Callable[[ModelReply], tuple[_T, Wrong | None]],
        reply: ModelReply | None = None,
    ) -> _T:  # fmt: skip
        """Send a request and return the value that `read` makes of the reply.

        A wrong reply is sent back once, with the reason. If the second reply is wrong too, the readable part of the
        first one is returned. `reply` is the reply to the request, if there is one already. Raises NoReply.
        """
        reply = reply or self.send(request)
        first: _T | None = None
        try:
            first, wrong = read(reply)
        except Wrong as problem:
            wrong = problem
        if wrong is not None:
            try:
                first, _ = read(self.send(resumed(request, reply, wrong.result)))
            except (Wrong, NoReply) as problem:
                if first is None:
                    raise (WrongTwice() if isinstance(problem, Wrong) else problem) from None
        assert first is not None
        return first


def given(reply: ModelReply, tool: Tool, form: type[_Given]) -> _Given:
    """Return the input of the tool that the model used. Raises Wrong for anything else."""
    try:
        return form.model_validate(used_tool(reply, (tool,)).input)
    except WrongUse as problem:
        raise Wrong(str(problem)) from None
    except ValidationError as problem:  # what no JSON Schema says, such as a whole number beyond what Python reads
        raise Wrong(f"the input of {tool.name} is wrong: {problem.errors()[0]['msg']}"[:300]) from None
