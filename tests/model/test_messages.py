"""Messages of several parts: one sentence is shown to the model whole, a further sentence with the message it is of."""

from qlc import Asker, Compiler
from qlc.conversation import Conversation
from qlc.models.doubles import ScriptedModel
from qlc.models.exchange import ModelReply, ToolUse
from qlc.translator.by_rules import ByRules
from qlc.translator.model import ModelTranslator

from .conftest import NOW

UNCLEAR = ModelReply((ToolUse("decline", {"reason": "unclear", "what": "it"}, "id1"),))


def prompts(compiler: Compiler, message: str, *replies: ModelReply | str) -> tuple[list[str], list[str]]:
    """Return what the model was sent for a message, and the kinds of the outcomes."""
    model = ScriptedModel(list(replies))
    talk = Conversation(Asker(compiler, (ByRules(), ModelTranslator(model))), now=NOW)
    kinds = [one.kind for one in talk.turn(message).outcomes]
    sent = [str(one.messages[0]["content"]) for one in model.requests]
    return [one for one in sent if "<question>" in one], kinds  # the last one may be for a text over the answers


def test_a_sentence_with_a_comma_is_shown_whole(compiler: Compiler) -> None:
    message = "how many frobs are in the snark, and how many of them are boojums?"
    (sent,), kinds = prompts(compiler, message, "count books where long")
    assert f'<question>\n"{message}"\n</question>' in sent
    assert kinds == ["count"]


def test_a_sentence_that_no_program_answers_is_asked_in_parts(compiler: Compiler) -> None:
    message = "how many frobs are in the snark, and how many boojums are there?"
    sent, kinds = prompts(compiler, message, UNCLEAR, "count books", "count shelves")
    assert len(sent) == 3
    assert all(f'<message>\n"{message}"' in one for one in sent[1:])
    assert kinds == ["count", "count"]


def test_two_sentences_are_asked_one_by_one_with_their_message(compiler: Compiler) -> None:
    message = "how many frobs are there? how many boojums are there?"
    sent, _ = prompts(compiler, message, "count books", "count shelves")
    assert len(sent) == 2
    assert all(f'<message>\n"{message}"' in one for one in sent)


def test_a_part_is_not_called_a_message(compiler: Compiler) -> None:
    talk = Conversation(Asker(compiler), now=NOW)
    reply = talk.turn("how many frobs are in the snark? and which of them are boojums?")
    assert "the message before this one" not in str(reply.outcomes)
