"""Several questions in one text of `qlc ask`: each is answered, as a message of a conversation is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qlc.cli import render
from qlc.cli.settings import Run
from qlc.translator.recognise import looks_like_program
from qlc.translator.several import joined

if TYPE_CHECKING:
    from qlc.conversation import Reply
    from qlc.translator.entry import Asker

def has_several(source: str, options: Run) -> bool:
    """Whether a text can be several questions. A choice, a page and a file are of one answer alone."""
    if options.read_as == "program" or looks_like_program(source):
        return False
    from qlc.translator.splitting import questions_in

    return not (options.choose or options.cursor or options.export) and len(questions_in(source)) > 1


def answered(source: str, asker: Asker, given: Mapping[str, Any], *, every: bool) -> Reply:
    """Answer each question, in order; the whole text as one question if it is only one.

    `given` are the options of a run; `every`: all pages of each list.
    """
    from qlc.conversation import Conversation
    from qlc.pipeline.compiler import all_pages

    options = {name: value for name, value in given.items() if name not in ("choices", "cursor")}
    reply = Conversation(asker, **options).turn(source)
    if not every:
        return reply
    whole = tuple(
        all_pages(asker.compiler, one.query, **given) if one.kind == "hits" and one.cursor is not None else one
        for one in reply.outcomes
    )
    return replace(reply, outcomes=whole)


def print_all(reply: Reply, options: Run) -> None:
    """Print all answers: one text over those that it covers, then the others."""
    if options.json:
        told = {"narrative": reply.narrative, "narrated": [*reply.narrated], "notes": [*reply.notes]}
        print(joined(reply.outcomes).model_copy(update=told).model_dump_json(indent=2))
        return
    print(render.reply(reply, render.Style.asked(options), talking=False, every=options.all))
