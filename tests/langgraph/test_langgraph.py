"""Retriever, tools and node in real graphs, with a stand-in for the model; and the examples of the page."""

import json
from typing import Any, TypedDict

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

import qlc
from qlc.agents.langgraph import CorpusRetriever, ask_node, tools_of
from qlc.outcome import OUTCOME
from qlc.outcome.reply import reply, text_of
from tests import data_sets
from tests.answers.conftest import library as library
from tests.docs.pages import blocks
from tests.mcp.conftest import EVIL, OF_NORTH
from tests.mcp.conftest import asker as asker

PAGE = "docs/langgraph.md"


class State(TypedDict, total=False):
    question: str
    outcome: dict[str, Any]


def graph_of(node: Any) -> Any:
    builder = StateGraph(State)
    builder.add_node("ask", node)
    builder.add_edge(START, "ask")
    builder.add_edge("ask", END)
    return builder.compile(checkpointer=InMemorySaver())


def thread(name: str, **more: Any) -> RunnableConfig:
    return {"configurable": {"thread_id": name, **more}}


def called(tool: Any, config: RunnableConfig | None = None, **given: Any) -> ToolMessage:
    message = tool.invoke({"type": "tool_call", "id": "1", "name": tool.name, "args": given}, config)
    assert isinstance(message, ToolMessage)
    return message


# --- the retriever ---------------------------------------------------------------------------------------------------


def test_passages_come_with_their_citations(library: qlc.Corpus) -> None:
    found = CorpusRetriever(corpus=library, k=3).invoke("notice of termination")
    expected = library.search("notice of termination", limit=3)
    assert [one.id for one in found] == expected.ids
    for one in found:
        citation = one.metadata["citation"]
        assert set(citation) == {"document", "file", "page", "quote"}
        assert citation["quote"] == one.page_content
        assert citation["file"] == one.metadata["source"]
        assert citation["page"] >= 1
        assert library.document(citation["file"]) is not None


async def test_it_retrieves_in_asynchronous_graphs_as_well(library: qlc.Corpus) -> None:
    retriever = CorpusRetriever(corpus=library, k=2, where='bucket = "manuals"')
    found = await retriever.ainvoke("maintenance of the filters")
    assert {one.metadata["source"].partition("/")[0] for one in found} == {"manuals"}


def test_what_goes_wrong_is_not_an_empty_list(library: qlc.Corpus) -> None:
    with pytest.raises(qlc.UsageError, match="have no field 'nothing'"):
        CorpusRetriever(corpus=library, where="nothing = 3").invoke("notice")
    gone = qlc.Corpus(library.client, library.index)
    gone.index = "gone"
    with pytest.raises(qlc.QlcError):
        CorpusRetriever(corpus=gone).invoke("notice")


# --- tools -----------------------------------------------------------------------------------------------------------


def test_a_tool_gives_a_text_for_the_model_and_the_outcome(asker: qlc.Asker) -> None:
    ask, run, describe = tools_of(asker, options=OF_NORTH)
    message = called(ask, words="orders with amount over 70")
    expected = asker.ask("orders with amount over 70", **OF_NORTH)
    read = OUTCOME.validate_python(message.artifact)
    assert read.model_dump(exclude={"stats"}) == expected.model_dump(exclude={"stats"})
    assert "never an instruction" in message.content
    assert called(run, program="count orders").artifact["value"] == 84
    assert "entity order" in called(describe).content
    assert called(describe, about="order.branch").artifact["values"] == [{"value": "north", "count": 84}]
    assert "order" in called(describe, about="invoices").content


def test_a_model_can_neither_see_nor_say_who_asks(asker: qlc.Asker) -> None:
    """Options are of the application: they are no argument of a tool."""

    def of_caller(config: RunnableConfig) -> dict[str, Any]:
        return {"context": {"branches": config["configurable"]["branches"]}}

    ask, run, describe = tools_of(asker, options=of_caller)
    for tool in (ask, run, describe):
        assert {"config", "context", "options", "now"}.isdisjoint(tool.args)
    for branches, count in ((["north"], 84), (["south"], 40)):
        found = called(run, thread("1", branches=branches), program="count orders", context={"branches": ["all"]})
        assert found.artifact["value"] == count


def test_pages_and_choices_go_on(asker: qlc.Asker) -> None:
    _, run, _ = tools_of(asker, options={**OF_NORTH, "size": 5})
    first = called(run, program="find orders where amount >= 0")
    second = called(run, program="find orders where amount >= 0", cursor=first.artifact["cursor"])
    assert len({*first.artifact["ids"], *second.artifact["ids"]}) == 10
    rows = called(run, program="count orders by customer", cursor="50")
    assert rows.content.count('"key"') == 30
    asked = called(run, program='get order("Twin").amount')
    assert asked.artifact["kind"] == "clarify"
    chosen = called(run, program='get order("Twin").amount', choices={asked.artifact["token"]: "t2"})
    assert chosen.artifact["value"] == 2.0


def test_what_is_in_the_index_stays_data(asker: qlc.Asker) -> None:
    _, run, _ = tools_of(asker, options=OF_NORTH)
    text = called(run, program='find orders where id = "o7" show note').content
    mark = text.split("\n")[1]
    assert text.index(mark) < text.index(EVIL[:20]) < text.index(mark.replace("<", "</"))


def test_a_corpus_has_tools_of_its_own(library: qlc.Corpus) -> None:
    *_, answer, search = tools_of(corpus=library)
    told = called(answer, question="What is the notice period in the Borden cleaning agreement?").artifact
    assert told["claims"][0]["citations"][0]["quote"]
    assert len(called(search, text="notice", size=2).artifact["hits"]) == 2


def test_tools_need_something_to_ask() -> None:
    with pytest.raises(qlc.UsageError, match=r"qlc\.Asker or a qlc\.Corpus"):
        tools_of()


# --- the node --------------------------------------------------------------------------------------------------------


def test_a_clarification_interrupts_and_its_choice_resumes(asker: qlc.Asker) -> None:
    graph = graph_of(ask_node(asker, options=OF_NORTH))
    asked = graph.invoke({"question": 'get order("Twin").amount'}, thread("1"))
    (stop,) = asked["__interrupt__"]
    assert [one["id"] for one in stop.value["options"]] == ["t1", "t2"]
    assert json.loads(json.dumps(stop.value)) == stop.value
    done = graph.invoke(Command(resume="t2"), thread("1"))
    assert done["outcome"]["value"] == 2.0
    assert "__interrupt__" not in done


async def test_several_questions_are_asked_one_after_another(asker: qlc.Asker) -> None:
    graph = graph_of(ask_node(asker, options=OF_NORTH))
    await graph.ainvoke({"question": 'find orders where id in [order("Twin"), order("Pair")]'}, thread("2"))
    second = await graph.ainvoke(Command(resume="t2"), thread("2"))
    assert [one["id"] for one in second["__interrupt__"][0].value["options"]] == ["p1", "p2"]
    done = await graph.ainvoke(Command(resume="p1"), thread("2"))
    assert done["outcome"]["ids"] == ["p1", "t2"]


def test_what_was_not_offered_is_no_choice(asker: qlc.Asker) -> None:
    """Nor is what the caller may not see."""
    graph = graph_of(ask_node(asker, options=OF_NORTH))
    graph.invoke({"question": 'get order("Twin").amount'}, thread("3"))
    ended = graph.invoke(Command(resume="o100"), thread("3"))
    assert "value" not in ended.get("outcome", {})


def test_what_needs_no_choice_goes_through(asker: qlc.Asker, library: qlc.Corpus) -> None:
    done = graph_of(ask_node(asker, options=OF_NORTH)).invoke({"question": "count orders"}, thread("4"))
    assert done["outcome"]["value"] == 84
    question = {"question": "What is the notice period in the Borden cleaning agreement?"}
    done = graph_of(ask_node(library)).invoke(question, thread("5"))
    assert done["outcome"]["kind"] == "answer"


# --- the page, and what else imports it ------------------------------------------------------------------------------


@pytest.fixture
def store() -> qlc.Asker:
    return qlc.Asker(data_sets.drive())


def test_the_examples_of_the_page_run(
    store: qlc.Asker, library: qlc.Corpus, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one namespace, from the first to the last; the model of the agent is a stand-in."""
    call = {"name": "ask", "args": {"words": "how many folders are there?"}, "id": "1"}
    said = [AIMessage("", tool_calls=[call]), AIMessage("There are some.")]
    names: dict[str, Any] = {"asker": store, "corpus": library, "chat_model": GenericFakeChatModel(messages=iter(said))}
    examples = blocks(PAGE, "python")
    assert len(examples) == 5
    for one in examples:
        exec(compile(one, PAGE, "exec"), names)
    folders = store.compiler.run("count folders").value  # type: ignore[union-attr]
    assert [one.type for one in names["messages"]] == ["human", "ai", "tool", "ai"]
    assert names["messages"][2].artifact["value"] == folders
    assert f"{folders}\n" in capsys.readouterr().out
    assert names["done"]["outcome"]["kind"] == "count"


@pytest.mark.parametrize("package", ["llama_index", "haystack"])
def test_the_examples_of_other_frameworks_run(package: str, store: qlc.Asker) -> None:
    pytest.importorskip(package)
    names: dict[str, Any] = {"asker": store, "reply": reply, "text_of": text_of}
    llama, haystack = blocks(PAGE, "py")
    definition = llama[llama.index("def ask") : llama.index("llama_tool")]
    exec(llama if package == "llama_index" else definition + haystack, names)
    words = "how many folders are there?"
    shown = (
        names["llama_tool"].call(words=words).content
        if package == "llama_index"
        else names["haystack_tool"].invoke(words=words)
    )
    assert '"kind":"count"' in shown
