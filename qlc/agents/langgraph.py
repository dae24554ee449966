"""For LangChain and LangGraph: a retriever, tools, and a node with clarifications. Needs the extra `langgraph`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.types import interrupt
from pydantic import ConfigDict, Field

from qlc.agents.describing import CORPUS_TOOLS, TOOLS, Description, Unknown, describe, plain_text
from qlc.base.errors import RequestFailed, UsageError
from qlc.outcome import Clarify, Failed, Hit, Hits, Outcome
from qlc.outcome.reply import Reply, best, data_of, of_a_size, position_of, reply, text_of
from qlc.translator.entry import Asker, asker_of

if TYPE_CHECKING:
    from qlc.answers.corpora import Corpus
    from qlc.pipeline.compiler import Compiler

Options: TypeAlias = Mapping[str, Any] | Callable[[RunnableConfig], Mapping[str, Any]]
"""Options of a run, or a function from the `RunnableConfig` of a call to its options. The application sets the access
of the caller (`context`), never a model."""

SIZE = 10
Choices = Annotated[dict[str, str] | None, Field(description="answers to questions back: {token: id of the option}")]
Cursor = Annotated[str | None, Field(description="of the result before, to read on")]
Size = Annotated[int, Field(ge=1, description="passages")]
Where = Annotated[str, Field(description="a condition of the query language")]


def _given(options: Options, config: RunnableConfig) -> dict[str, Any]:
    return dict(options(config) if callable(options) else options)


class CorpusRetriever(BaseRetriever):  # type: ignore[misc]
    """Retrieves the passages of a `qlc.Corpus` about a text, best first, each with its citation.

        CorpusRetriever(corpus=corpus, k=3, where='bucket = "contracts"').invoke("ending the contract")

    `k` is the number of passages, `where` a condition of the query language, `by` the ranking, `options` those of a
    run. The metadata of a document are `citation` (`document`, `file`, `page`, `quote`), `source` (the file), `page`,
    `title`, `section` and `score`. Raises UsageError for a wrong condition, RequestFailed if the search fails.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    corpus: Any
    where: str = ""
    by: Literal["words", "meaning", "both"] | None = None
    k: int = 5
    options: Mapping[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        """Raises UsageError for a wrong condition, RequestFailed if the search fails."""
        found: Outcome = self.corpus.search(query, by=self.by, where=self.where, limit=self.k, **self.options)
        match found:
            case Hits():
                return [_document(hit) for hit in found.hits]
            case Failed():
                raise RequestFailed(found.reason, found.message, retryable=found.retryable)
            case _:
                raise UsageError(" ".join([found.message, *(f"{one.message}." for one in found.diagnostics)]))


def _document(hit: Hit) -> Document:
    values = hit.values
    files = values.get("file") or [""]
    citation = {
        "document": hit.id.rpartition("-")[0], "file": files[0], "page": values.get("page"),
        "quote": values.get("text", ""),
    }  # fmt: skip
    about = {name: values.get(name) for name in ("page", "title", "section")}
    return Document(
        id=hit.id,
        page_content=values.get("text", ""),
        metadata={"citation": citation, "source": files[0], **about, "score": hit.score},
    )


def tools_of(
    asker: Asker | None = None, corpus: Corpus | None = None, *, options: Options | None = None
) -> list[BaseTool]:
    """Tools for an agent: `ask`, `run` and `describe`; with a corpus also `answer` and `search`.

    The content of a result is a short text, with the data between delimiters and the next step; the artifact is the
    outcome as JSON. `options` are those of a run, or a function of the `RunnableConfig`. Raises UsageError without an
    asker and a corpus.
    """
    if asker is None and corpus is None:
        raise UsageError("tools need a qlc.Asker or a qlc.Corpus")
    given = options if options is not None else {}
    asked = asker if asker is not None else asker_of(corpus.compiler())  # type: ignore[union-attr]
    return [*_of_asker(asked, given), *(_of_corpus(corpus, given) if corpus is not None else ())]


Made = tuple[str, dict[str, Any]]


def _tool(name: str, function: Callable[..., Made]) -> BaseTool:
    text = {**TOOLS, **CORPUS_TOOLS}[name]
    made: BaseTool = StructuredTool.from_function(
        function, name=name, description=text, response_format="content_and_artifact"
    )
    return made


def _of_asker(asker: Asker, options: Options) -> list[BaseTool]:
    def ask(words: str, config: RunnableConfig, choices: Choices = None, cursor: Cursor = None) -> Made:
        return _paged(lambda given: asker.ask(words, **given), _given(options, config), choices, cursor)

    def run(program: str, config: RunnableConfig, choices: Choices = None, cursor: Cursor = None) -> Made:
        return _paged(lambda given: asker.compiler.run(program, **given), _given(options, config), choices, cursor)

    def described(config: RunnableConfig, about: str = "catalog", starts_with: str = "", cursor: Cursor = None) -> Made:
        return _described(asker.compiler, about, starts_with, cursor, _given(options, config))

    return [_tool("ask", ask), _tool("run", run), _tool("describe", described)]


def _described(compiler: Compiler, about: str, starts_with: str, cursor: str | None, options: dict[str, Any]) -> Made:
    try:
        found = describe(about, starts_with, cursor, compiler, options)
    except Unknown as problem:
        return f"{problem} describe('catalog') has all names.", {}
    if isinstance(found, Description):
        return plain_text(found), data_of(found)
    return _made(found, reply(found))


def _of_corpus(corpus: Corpus, options: Options) -> list[BaseTool]:
    def answer(question: str, config: RunnableConfig, choices: Choices = None, cursor: Cursor = None) -> Made:
        outcome = corpus.ask(question, **{**_given(options, config), "choices": choices or {}})
        return _made(outcome, reply(outcome, cursor))

    def search(text: str, config: RunnableConfig, where: Where = "", size: Size = 5) -> Made:
        given = {**_given(options, config), "where": where}
        found = of_a_size(lambda most: corpus.search(text, **{**given, "limit": most}), size)
        return _made(found, best(found))

    return [_tool("answer", answer), _tool("search", search)]


def _paged(
    ask: Callable[[dict[str, Any]], Outcome], options: dict[str, Any], choices: dict[str, str] | None,
    cursor: str | None,
) -> Made:  # fmt: skip
    # A position in rows or in a text is not a cursor of the run.
    page = {"cursor": cursor} if cursor and position_of(cursor) is None else {}
    given = {**options, **page, "choices": choices or {}}
    outcome = of_a_size(lambda most: ask({**given, "size": most}), given.pop("size", SIZE))
    return _made(outcome, reply(outcome, cursor))


def _made(outcome: Outcome, made: Reply) -> Made:
    return text_of(made), outcome.model_dump(mode="json")


def ask_node(
    asker: Asker | Corpus, *, question: str = "question", outcome: str = "outcome", options: Options | None = None
) -> Callable[[Mapping[str, Any], RunnableConfig], dict[str, Any]]:
    """A node that answers the key `question` of the state, and writes the outcome as JSON to the key `outcome`
    (`qlc.outcome.OUTCOME` reads it).

    A clarification is an `interrupt` with `message`, `token`, `options` and `total`; resume with the id of an option:
    `Command(resume=id)`. Several clarifications come one after another.
    """

    def answered(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        given = _given(options if options is not None else {}, config)
        choices: dict[str, str] = {}
        found = asker.ask(state[question], **{**given, "choices": choices})
        while isinstance(found, Clarify) and found.token:
            asked = found.model_dump(mode="json", include={"message", "token", "options", "total"})
            choices[found.token] = str(interrupt(asked))
            found = asker.ask(state[question], **{**given, "choices": choices})
        return {outcome: found.model_dump(mode="json")}

    return answered
