"""Words that are answered from the documents of a corpus: alone, or beside an index that is asked for the rest."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from qlc.base.beside import beside
from qlc.base.driving import Call, call, drive, drive_async, in_thread, itself
from qlc.base.errors import OptionError, UsageError
from qlc.base.options import RunOptions
from qlc.conversation.effects import Translate
from qlc.conversation.tables_first import by_rules, is_sure, tables_asked, with_note, with_reason
from qlc.models.budgets import Budget
from qlc.outcome import Outcome
from qlc.pasted.recognise import recognise
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.prepared import wrong_option
from qlc.translator.asking import ReadAs
from qlc.translator.entry import Asker, asker_of
from qlc.translator.explanations.explaining import WHY_NOTHING
from qlc.translator.outcomes import with_notes
from qlc.translator.protocol import Translated, Turn
from qlc.translator.recognise import looks_like_program

if TYPE_CHECKING:
    from qlc.answers.corpora import AsyncCorpus, Corpus
    from qlc.answers.journal import Journal
    from qlc.answers.model import Reader


@dataclass(frozen=True, slots=True)
class Documents:
    """A corpus in a conversation. `alone`: nothing else is asked, and a synchronous client is used on a thread."""

    corpus: Corpus
    alone: bool
    reader: Reader | None = None
    budget: Budget | None = None

    def answers(self, words: str) -> bool:
        """Whether a message is a question for the corpus: neither a program, nor about an earlier program."""
        return words != WHY_NOTHING and not looks_like_program(words)

    def call(
        self, need: Translate, asker: Asker, options: Mapping[str, Any], more: Mapping[str, Any], journal: Journal
    ) -> Call:
        """Answer words. Beside an index, the rules read them first, and answer if they account for every word. Else the
        corpus answers; and if it cannot, the index, by a model too."""
        given = {**options, "now": options["as_of"]}
        if self.alone:
            return in_thread(self._asked, need, need.history, given, journal)
        other = call(asker.program_of, asker.program_of_async, need.words, **options, **more)
        is_last = not need.history or self._is_of_corpus(need.history[-1])
        turns = need.history if is_last else ()
        own = partial(self._asked, need, turns, given, journal)

        rules, sure = by_rules(asker), {**more, "history": () if is_last else need.history}
        tables = call(rules.program_of, rules.program_of_async, need.words, **options, **sure)

        def answers() -> Generator[Call, Any, Any]:
            read = yield tables
            if is_sure(read) and (note := tables_asked(read, asker.compiler, self.corpus)):
                return with_note(read, note)
            first = yield in_thread(own)
            if not is_unknown(first):
                return first
            second = yield other
            if not is_unknown(second):
                return with_note(second, tables_asked(second, asker.compiler, self.corpus))
            return with_reason(first, need.words, read, asker.compiler, self.corpus)

        return Call(lambda: drive(answers(), itself), lambda: drive_async(answers(), itself))

    def _asked(
        self, need: Translate, turns: tuple[Turn, ...], options: Mapping[str, Any], journal: Journal
    ) -> Outcome:
        from qlc.answers.follow_ups import ask_after

        return ask_after(need.words, turns, self.corpus, options, self.reader, self.budget, need.ledger, journal)

    def _is_of_corpus(self, turn: Turn) -> bool:
        """Whether a turn belongs to the corpus: it has no program, or the program is about one of its buckets."""
        from qlc.answers.topic import Topic

        topic = Topic.of(turn)
        return topic.bucket in self.corpus.schema_with_buckets().file.buckets if topic is not None else not turn.program


def is_unknown(outcome: Any) -> bool:
    """Whether words were not understood, or occur in no document. An outcome with a program was understood."""
    return getattr(outcome, "kind", "") in ("declined", "passages", "not_in_corpus", "not_found") and not outcome.query


async def ask_async(
    text: str, asker: Asker, corpus: AsyncCorpus | None, reader: Reader | None = None, budget: Budget | None = None,
    *, read_as: ReadAs = "auto", **options: Unpack[RunOptions],
) -> Outcome:  # fmt: skip
    """Answer one text: words from the documents of a corpus, other texts by the asker.

    If another index or a model may answer, the asker gets questions that the rules surely read as about that index, and
    those that the documents do not answer. `options` are those of a run.
    """
    if corpus is None or not await beside(_are_words, text, read_as):
        return await asker.ask_async(text, read_as=read_as, **options)
    read: Translated | Outcome | None = None
    if corpus.corpus.has_other_indices:
        read, note = await read_of_tables(text, asker, corpus, **options)
        if note and is_sure(read):
            return with_notes(await by_rules(asker).ask_async(text, read_as=read_as, **options), (note,), 0.0)
    if options.get("cursor") is not None:
        message = "this cursor belongs to an answer from documents"
        return wrong_option(OptionError("invalid-cursor", message, "run the 'query' of the answer with this cursor"))
    outcome = await corpus.ask(text, reader=reader, budget=budget, **options)
    is_for_others = corpus.corpus.has_other_indices and is_unknown(outcome)
    if is_for_others or (outcome.kind == "declined" and reader is not None):
        found = await asker.ask_async(text, read_as=read_as, **options)
        if outcome.kind != "passages" or not is_unknown(found):
            note = await beside(tables_asked, found, asker.compiler, corpus.corpus)
            return with_notes(found, (note,) if note else (), 0.0)
    if read is None or not is_unknown(outcome):
        return outcome
    return await beside(with_reason, outcome, text, read, asker.compiler, corpus.corpus)


async def read_of_tables(
    text: str, asker: Asker, corpus: AsyncCorpus, **options: Unpack[RunOptions]
) -> tuple[Translated | Outcome, str]:
    """Return what the rules make of words, with the note that names the tables; without one if they name none."""
    read = await by_rules(asker).program_of_async(text, read_as="words", **options)
    return read, await beside(tables_asked, read, asker.compiler, corpus.corpus)


def _are_words(text: str, read_as: ReadAs) -> bool:
    if read_as == "program" or looks_like_program(text):
        return False
    return read_as != "auto" or recognise(text) is None


def documents_of(
    asker: Asker | Compiler | Corpus | AsyncCorpus, corpus: Corpus | AsyncCorpus | None, reader: Reader | None = None,
    budget: Budget | None = None,
) -> tuple[Asker, Documents | None]:  # fmt: skip
    """Return the asker for programs, and the documents that words are for. Raises UsageError for what cannot be
    asked."""
    own = asker if isinstance(asker, Asker) else asker_of(asker) if isinstance(asker, Compiler) else None
    if own is not None and corpus is None:
        return own, None
    from qlc.answers.corpora import AsyncCorpus, Corpus
    from qlc.corpus.rights import has_rules

    given = asker if own is None else corpus
    found = given.corpus if isinstance(given, AsyncCorpus) else given
    if not isinstance(found, Corpus) or (own is None and corpus is not None):
        raise UsageError("a conversation takes a qlc.Compiler or a qlc.Asker, a qlc.Corpus, or one of each")
    documents = Documents(found, alone=own is None, reader=reader, budget=budget)
    if own is None:
        return asker_of(found.compiler()), documents
    catalog = own.compiler.catalog
    if catalog is not None and has_rules(catalog) and found.given_catalog is None:
        raise UsageError("the catalog of the compiler has access rules, which the corpus does not have: open it with "
                         "that catalog, as qlc.Corpus.open(..., catalog=...)")  # fmt: skip
    return own, documents
