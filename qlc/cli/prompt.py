"""`qlc prompt`: what a language model would be sent for a question. Nothing is sent."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError
from qlc.cli.settings import Prompt
from qlc.cli.target import open_compiler, open_corpus, options_of, source_of

if TYPE_CHECKING:
    from qlc.models.exchange import ModelRequest
    from qlc.pipeline.compiler import Compiler
    from qlc.translator.protocol import Turn


def prompt(options: Prompt) -> int:
    """Print the requests that a model would get for a question, without sending them."""
    if options.corpus:
        return _of_corpus(options)
    history: tuple[Turn, ...] = ()
    if options.id:
        from qlc.cli.chat import kept_history
        from qlc.conversation.history import read_history

        history = read_history(kept_history(options, options.id)).for_translators()
    has_index = options.demo or not options.mapping or bool(options.url or options.data)
    request = first_request(
        open_compiler(options),
        source_of(options.query),
        values=has_index and not options.no_values,
        history=history,
        **options_of(options),
    )
    print_request(request, options.model, as_json=options.json)
    return 0


def _of_corpus(options: Prompt) -> int:
    """Print the requests of every stage and mode of an answer over a corpus."""
    from qlc.answers.answering import prompts_of

    with open_corpus(options) as corpus:
        requests = prompts_of(source_of(options.query), corpus, options_of(options))
    if options.json:
        print(json.dumps({name: one.body() for name, one in requests.items()}, indent=2, ensure_ascii=False))
        return 0
    for name, request in requests.items():
        print(f"##### {name}\n")
        print_request(request, options.model, as_json=options.json)
        print()
    return 0


def print_request(request: ModelRequest, model: str | None, *, as_json: bool) -> None:
    """Print a request as text, or as its body."""
    model = model or os.environ.get("QLC_MODEL", "").strip()
    body = {"model": model, **request.body()}
    print(json.dumps(body, indent=2, ensure_ascii=False) if as_json else _as_text(body))


def first_request(compiler: Compiler, words: str, *, values: bool = True, **options: Any) -> ModelRequest:
    """Return the first request that a model gets for a question, made as in a real run."""
    from qlc.models.doubles import FunctionModel
    from qlc.models.exchange import ModelFailed
    from qlc.translator.entry import Asker
    from qlc.translator.model import ModelTranslator

    def listen(_: ModelRequest) -> str:
        raise ModelFailed("forbidden", "this model only listens")

    model = FunctionModel(listen)
    outcome = Asker(compiler, (ModelTranslator(model, values=values),)).ask(words, read_as="words", **options)
    if not model.requests:
        raise UsageError(outcome.message)
    return model.requests[0]


def _as_text(body: dict[str, Any]) -> str:
    parts = [f"model: {body['model'] or '(none is chosen: --model NAME, or $QLC_MODEL)'}"]
    parts.append(f"max_tokens: {body['max_tokens']}, tool_choice: {json.dumps(body['tool_choice'])}")
    parts += [
        f"=== tool {tool['name']}\n{tool['description']}\n{json.dumps(tool['input_schema'])}" for tool in body["tools"]
    ]
    parts += [
        f"=== system, part {number} (cached up to its end)\n{block['text'].rstrip()}"
        for number, block in enumerate(body["system"], 1)
    ]
    parts += [f"=== {message['role']}\n{message['content']}" for message in body["messages"]]
    return "\n\n".join(parts)
