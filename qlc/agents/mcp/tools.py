"""The tools. Each runs a function of the library with the access of its caller; none of them writes anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, TypeVar

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import Field

from qlc.agents.describing import Description, Unknown, describe
from qlc.base.errors import OptionError, QlcError, RequestFailed
from qlc.outcome import Outcome
from qlc.outcome.reply import Reply, best, is_error, of_a_size, position_of
from qlc.pipeline.present import failure_message, note
from qlc.service.tokens import ClaimMissing
from qlc.translator.entry import Asker

from .asking_back import asked_back
from .callers import context_of_caller
from .results import Checked, error, of_outcome, result

if TYPE_CHECKING:
    from qlc.answers.corpora import Corpus

T = TypeVar("T")
Options = Mapping[str, Any]
"""Options of a run."""

LARGEST_PAGE: Final = 50
NO_CHOICES: Final[dict[str, str]] = {}

Choices = Annotated[dict[str, str], Field(description="answers to questions back: {token: id of the option}")]
Cursor = Annotated[str | None, Field(description="of the result before, to read on")]
Size = Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="hits of a page")]
Program = Annotated[str, Field(description="in the query language")]
Prefix = Annotated[str, Field(description="of 'THING.FIELD': values that begin so")]
Where = Annotated[str, Field(description='a condition of the language, as document.party = "ACME"')]
By = Annotated[Literal["words", "meaning", "both"] | None, Field(description="default: all that the corpus can")]

Found: TypeAlias = Annotated[CallToolResult, Reply] | InputRequiredResult
"""Result of a tool that can ask for a clarification."""


class Tools:
    """The tools, with the asker that runs them. `options` are those of every run; for `claims` see
    `context_of_caller`."""

    def __init__(self, asker: Asker, options: Options, claims: Mapping[str, str]) -> None:
        self._asker, self._options, self._claims = asker, options, claims

    def options(self) -> dict[str, Any]:
        """The options of the caller. Raises ClaimMissing."""
        return {**self._options, "context": context_of_caller(self._options.get("context", {}), self._claims)}

    async def ask(
        self,
        context: Context[Any, Any],
        words: str,
        choices: Choices = NO_CHOICES,
        cursor: Cursor = None,
        size: Size = 10,
    ) -> Found:
        def asked(given: Options) -> Outcome:
            return of_a_size(lambda most: self._asker.ask(words, **{**given, "size": most}), size)

        return await self._answered(context, choices, cursor, asked)

    async def run(
        self,
        context: Context[Any, Any],
        program: Program,
        choices: Choices = NO_CHOICES,
        cursor: Cursor = None,
        size: Size = 10,
    ) -> Found:
        def ran(given: Options) -> Outcome:
            return of_a_size(lambda most: self._asker.compiler.run(program, **{**given, "size": most}), size)

        return await self._answered(context, choices, cursor, ran)

    async def check(self, program: Program) -> Annotated[CallToolResult, Checked]:
        def checked() -> CallToolResult:
            options = self.options()
            given = {name: options.get(name) for name in ("now", "timezone", "context", "params")}
            found = self._asker.compiler.diagnose(program, **given)
            listed = [note(one).model_dump(mode="json", exclude_defaults=True) for one in found.diagnostics]
            step = "Correct it by the diagnostics; where one has `fixed`, run that." if found.failed else "Run it."
            return result(Checked(ok=not found.failed, program=found.text, diagnostics=listed, next=step))

        return await _guarded(checked)

    async def describe(
        self, about: str = "catalog", starts_with: Prefix = "", cursor: Cursor = None
    ) -> Annotated[CallToolResult, Description]:
        def described() -> CallToolResult:
            found = describe(about, starts_with, cursor, self._asker.compiler, self.options())
            return result(found) if isinstance(found, Description) else of_outcome(found)

        return await _guarded(described)

    async def _answered(
        self, context: Any, choices: Mapping[str, str], cursor: str | None, ask: Callable[[Options], Outcome]
    ) -> CallToolResult | InputRequiredResult:
        try:
            # A position in rows or in a text is not a cursor of the run.
            given = {**self.options(), **({"cursor": cursor} if cursor and position_of(cursor) is None else {})}

            async def asked(made: Mapping[str, str]) -> Outcome:
                return await in_thread(lambda: ask({**given, "choices": made}))

            ended = await asked_back(context, choices, asked)
            return ended if isinstance(ended, InputRequiredResult) else of_outcome(ended, cursor)
        except (ClaimMissing, QlcError) as problem:
            return _trouble(problem)


class CorpusTools:
    """More tools, for a corpus. `answering` has the reader and the budget of answers."""

    def __init__(self, tools: Tools, corpus: Corpus, answering: Mapping[str, Any]) -> None:
        self._tools, self._corpus, self._answering = tools, corpus, answering

    async def answer(
        self, context: Context[Any, Any], question: str, choices: Choices = NO_CHOICES, cursor: Cursor = None
    ) -> Found:
        def answered(given: Options) -> Outcome:
            return self._corpus.ask(question, **{**self._answering, **given})

        return await self._tools._answered(context, choices, cursor, answered)

    async def search(
        self, text: str, where: Where = "", by: By = None, size: Size = 5
    ) -> Annotated[CallToolResult, Reply]:
        def searched() -> CallToolResult:
            given = {**self._tools.options(), "by": by, "where": where}
            found = of_a_size(lambda most: self._corpus.search(text, **{**given, "limit": most}), size)
            return result(best(found), failed=is_error(found))

        return await _guarded(searched)


async def in_thread(work: Callable[[], T]) -> T:
    """Run work in a thread. After a cancelled call it goes on until its own deadline."""
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)


async def _guarded(work: Callable[[], CallToolResult]) -> CallToolResult:
    try:
        return await in_thread(work)
    except (ClaimMissing, Unknown, QlcError) as problem:
        return _trouble(problem)


def _trouble(problem: Exception) -> CallToolResult:
    match problem:
        case ClaimMissing():
            step = "Sign in with a token that has it."
        case Unknown():
            step = "describe('catalog') has all names."
        case OptionError():
            step = f"{problem.hint[:1].upper()}{problem.hint[1:]}."
        case RequestFailed(retryable=True):
            step = "Call again in a few seconds."
        case _:
            step = "Whoever runs this server can correct it: tell the user."
    return error(said(problem), step)


def said(problem: Exception) -> str:
    """Return the message of an error as a sentence for the caller."""
    text = failure_message(problem) if isinstance(problem, RequestFailed) else str(problem)
    return text if text.endswith(".") else f"{text[:1].upper()}{text[1:]}."
