"""Conversations: messages one after the other, each read in the light of the earlier ones, through one function."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from qlc import telemetry
from qlc.base.beside import beside
from qlc.base.deadline import until
from qlc.base.driving import Call, call, drive, drive_async, in_place, in_thread, itself, together
from qlc.base.errors import OptionError, RequestFailed, UsageError
from qlc.base.options import DEFAULT_DEADLINE, Options, RunOptions, source_text
from qlc.base.texts import whole
from qlc.conversation.context import Context
from qlc.conversation.documents import documents_of
from qlc.conversation.effects import Narrate, Need, Run, Save, Together, Translate
from qlc.conversation.history import History, as_json, read_history
from qlc.conversation.reply import Reply
from qlc.conversation.saved import packed, unpacked
from qlc.conversation.stages import turning
from qlc.conversation.stores.protocol import ConversationBusy, Saved, Store
from qlc.conversation.working import Given, Joined, Working
from qlc.mapping.schema import Schema
from qlc.models.budgets import Budget
from qlc.outcome import OUTCOME, Outcome, Stats
from qlc.outcome.export import EXPORTED, PAGE, Format, export, export_async
from qlc.pasted.entry import run_pasted, run_pasted_async
from qlc.pasted.recognise import Pasted, recognise
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.prepared import wrong_option
from qlc.telemetry.names import TURN
from qlc.translator.entry import Asker
from qlc.translator.outcomes import untranslated
from qlc.translator.programs import with_limit
from qlc.translator.recognise import LONGEST_SOURCE
from qlc.translator.rights import Rights

if TYPE_CHECKING:
    from qlc.answers.corpora import AsyncCorpus, Corpus
    from qlc.answers.journal import Journal, Kept
    from qlc.answers.model import Reader

T = TypeVar("T")

LEFT_OUT = "Earlier questions that had other permissions were forgotten."

SLACK = 10.0
"""Seconds beyond its deadline after which a turn that did not end counts as broken off."""

PAUSE = 0.05
"""Seconds between looks at a conversation that is answering another message."""


class _Talk:
    """The shared part of both kinds of conversation. `_working` is the current turn, or the last one."""

    def __init__(
        self,
        asker: Asker | Compiler | Corpus | AsyncCorpus,
        history: Mapping[str, Any] | None = None,
        *,
        corpus: Corpus | AsyncCorpus | None = None,
        reader: Reader | None = None,
        budget: Budget | None = None,
        store: Store | None = None,
        id: str = "",
        wait: float = 0.0,
        **options: Unpack[RunOptions],
    ) -> None:
        """`store` and `id`: where the conversation is stored; without them, pass the `history` of an earlier object.
        `wait`: seconds to wait for another turn of the conversation in its store. `corpus`: documents to query, too;
        the compiler's catalog must have their entities. `reader` (a language model) and `budget` (limits of the cost)
        are for answers from documents. `options` are those of a run, for every turn.

        Raises HistoryError for a history that cannot be read, UsageError for arguments that do not fit each other.
        """
        if (store is None) != (not id):
            raise UsageError("give a store and the id of the conversation in it, or neither")
        if store is not None and history is not None:
            raise UsageError("give a history or a store, not both")
        Options.of(options)
        self.asker, self._documents = documents_of(asker, corpus, reader, budget)
        self.id = whole(id)
        self._store, self._wait, self._options = store, wait, options
        self._history = read_history(history)
        self._working: Working | None = None
        self._revision = 0
        self._until = 0.0
        self._notes: tuple[str, ...] = ()
        self._started = 0.0
        self._writing = threading.Lock()
        self._on_way: object | None = None
        self._sent: tuple[int, Stats] | None = None
        self._open()

    @property
    def history(self) -> dict[str, Any]:
        """The conversation as plain JSON. Store it, and pass it to a new object to continue."""
        return as_json(self._history)

    def _open(self) -> None:
        """Make the lock of this kind of conversation, and read the store if reading does not block other callers."""
        raise NotImplementedError

    # --- turns -------------------------------------------------------------------------------------------------------

    def _turn(self, text: str, options: RunOptions, within: ExitStack) -> Generator[Call, Any, Reply | Working]:
        """Begin the turn of a message; return the reply if the message makes no turn."""
        yield from self._wait_for_others()
        try:
            given = self._given(options)
        except OptionError as problem:
            return self._unasked(text, problem)
        yield self._deadline(given, within)
        return self._new_turn(text, given, (yield self._schema()))

    def _resume(self, options: RunOptions, within: ExitStack) -> Generator[Call, Any, Reply | Working | None]:
        """Return the turn to continue, or its reply if it is finished."""
        if self._store is not None:
            yield self._reload()
        given = self._given(options)
        yield self._deadline(given, within)
        working = self._permitted_again(given, (yield self._schema()))
        return self._reply(working) if working is not None and working.is_done else working

    def _deadline(self, given: Options, within: ExitStack) -> Call:
        """Set the deadline in the context of the code that drives the turn."""
        self._started = time.perf_counter()
        return in_place(partial(within.enter_context, until(time.monotonic() + given.deadline)))

    def _schema(self) -> Call:
        """Read the schema; None if the index does not return it."""
        compiler = self.asker.compiler

        def read() -> Schema | None:
            try:
                return compiler.schema
            except RequestFailed:
                return None

        async def read_async() -> Schema | None:
            try:
                await compiler.load()
            except RequestFailed:
                return None
            return compiler.schema

        return self._beside(call(read, read_async))

    def _beside(self, one: Call) -> Call:
        """Give a call of the asynchronous API a thread of its own, if the conversation has only a corpus."""
        return in_thread(one.run) if self._documents is not None and self._documents.alone else one

    def _wait_for_others(self) -> Generator[Call, Any, None]:
        waits_until = time.monotonic() + self._wait
        while self._store is not None:
            yield self._reload()
            if self._working is None or self._working.is_done or time.time() >= self._until:
                return  # no turn is on its way elsewhere, as far as the store knows
            if time.monotonic() >= waits_until:
                raise ConversationBusy(
                    f"the conversation '{self.id}' is answering another message; try again in a moment")
            yield Call(partial(time.sleep, PAUSE), partial(asyncio.sleep, PAUSE))

    def _call_for(self, options: RunOptions, need: Need) -> Call:
        return self._beside(self._call(options, need))

    def _call(self, options: RunOptions, need: Need) -> Call:
        asker = self.asker
        match need:
            case Save():
                return in_thread(self._save, need)
            case Translate():
                first = Asker(asker.compiler, asker.translators[:1]) if need.by_rules else asker
                given = {**self._run_options(options), "choices": need.choices}
                more: dict[str, Any] = {"history": need.history, "ledger": need.ledger, "message": need.message}
                if self._documents is not None and self._documents.answers(need.words):
                    return self._documents.call(need, first, given, more, self._journal())
                return call(first.program_of, first.program_of_async, need.words, **given, **more)
            case Run():
                return self._run(need, self._run_options(options))
            case Narrate():
                given = {**self._run_options(options), "ledger": need.ledger}
                return call(asker.narrate, asker.narrate_async, need.facts, **given)
            case Together():
                return together([self._call_for(options, one) for one in need.runs])

    def _run(self, need: Run, options: Mapping[str, Any]) -> Call:
        compiler = self.asker.compiler
        given = {**options, "choices": need.choices, "as_of": need.now, "size": need.size, "cursor": need.cursor}
        if need.request:
            # A further page has so many hits, whatever a request says of its first one.
            given |= {"want": need.want, "page": need.size if need.further else None}
            return call(_run_request, _run_request_async, need.request, compiler, **given)
        return call(compiler.run, compiler.run_async, need.program, **given)

    def _given(self, options: Mapping[str, Any]) -> Options:
        """Return the options of a turn. Raises UsageError if one has an invalid value."""
        given = Options.of({**self._options, **options})
        for name in ("cursor", "choices"):
            if name in options:
                raise UsageError(f"a conversation has its own {name}: answer its question, or ask for more")
        self._until = time.time() + given.deadline + SLACK
        return given

    def _unasked(self, text: str, problem: OptionError) -> Reply:
        """Return the reply to a message with an invalid option. It makes no turn."""
        return Reply(
            self._history.said, whole(source_text(text)), "nothing", (wrong_option(problem),), False, {}, self.history
        )

    def _new_turn(self, text: str, given: Options, schema: Schema | None) -> Working:
        """Begin a turn, after hiding the turns that these rights do not cover. Raises UsageError."""
        rights, context = Rights.of(given.context), None
        text = whole(source_text(text)[: LONGEST_SOURCE + 1])
        now, recorded = given.instant.isoformat(), rights.used_on(schema)
        try:
            self._hide_forbidden_turns(rights, schema)
        except RequestFailed as problem:  # no time was left for it
            context = Context(origin="nothing", reply=untranslated(problem).model_dump(mode="json"))
        return Working(
            number=self._history.said + 1, text=text,
            given=Given(now=now, size=given.size, rights=recorded, corpus=self._documents is not None),
            context=context, stage="received" if context is None else "understood",
        )  # fmt: skip

    def _hide_forbidden_turns(self, rights: Rights, schema: Schema | None) -> None:
        """Forget what may not be shown with these rights. That there was something is said to those who saw it."""
        before, self._notes = self._history, ()
        self._history = before.shown_to(rights, schema)
        kept = {turn.number for turn in self._history.turns}
        if any(turn.number not in kept and turn.rights.who == rights.who for turn in before.turns):
            self._notes = (LEFT_OUT,)

    def _permitted_again(self, given: Options, schema: Schema | None) -> Working | None:
        """Return the current or last turn, if these rights cover it."""
        working, rights = self._working, Rights.of(given.context)
        if working is None or not rights.cover(working.given.rights):
            return None
        if working.exchange is not None and not working.exchange.may_be_shown(rights, schema):
            return None
        self._hide_forbidden_turns(rights, schema)
        return working

    def _run_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of a translation or a run, with the rest of the deadline."""
        assert self._working is not None
        given = self._working.given
        merged = {**self._options, **options, "as_of": given.now, "size": given.size}
        deadline = float(merged.get("deadline", DEFAULT_DEADLINE)) - (time.perf_counter() - self._started)
        return {**merged, "deadline": max(deadline, 0.0)}

    def _counted(self, reply: Reply, turn: telemetry.Turn) -> Reply:
        """Add the counts of sent requests to the reply, also when it is repeated."""
        telemetry.mark(route=reply.origin)
        outcomes = turn.all_ended(reply.outcomes)
        self._sent = reply.number, outcomes[-1].stats
        return replace(reply, outcomes=outcomes)

    def _reply(self, working: Working) -> Reply:
        assert working.context is not None
        outcomes = [OUTCOME.validate_python(one) for one in working.outcomes]
        if self._sent is not None and self._sent[0] == working.number:
            outcomes[-1] = outcomes[-1].model_copy(update={"stats": self._sent[1]})
        outcomes[0] = outcomes[0].model_copy(update={"notes": [*self._notes, *outcomes[0].notes]})
        context = working.context
        last = next((one.said for one in reversed(working.answers)), None) or next(reversed(working.said), None)
        choices = last.choices if last is not None else {}
        joined = working.joined or Joined(text="", covered=())
        return Reply(
            working.number, working.text, context.origin, tuple(outcomes), context.paged, choices, self.history,
            joined.text, joined.covered, joined.notes,
        )  # fmt: skip

    def _to_export(self, schema: Schema | None) -> Run:
        """Return the run of the last answer with rows, from its beginning. Raises UsageError."""
        given = Options.of(self._options)
        clock = given.instant.isoformat()
        kinds = EXPORTED if self._documents is None else EXPORTED | {"answer", "clarify"}
        for _, part in self._history.shown_to(Rights.of(given.context), schema).parts():
            if part.outcome.get("kind") in kinds and (part.program or part.request):
                now = part.execution.now if part.execution is not None else clock
                program = with_limit(part.program, part.outcome.get("total"))
                return Run(program, part.request, part.want, part.choices, now, PAGE, None)
        raise UsageError("there is no answer yet to write to a file")

    def _exported(self, run: Run, cursor: str | None) -> Call:
        """Read a page of an exported answer. The first page has the size that a pasted request gives."""
        return self._beside(self._run(replace(run, cursor=cursor, further=cursor is not None), self._options))

    # --- store -------------------------------------------------------------------------------------------------------

    def _take(self, saved: Saved | None) -> None:
        """Take over the state of a store. Raises HistoryError if it cannot be read."""
        if saved is None:
            self._history, self._working, self._revision, self._until = History(), None, 0, 0.0
            return
        self._history, self._working, self._until = unpacked(saved, self.id)
        self._revision = saved.revision

    def _kept(self, save: Save) -> str:
        """Return the text to write to the store."""
        until = 0.0 if save.working.is_done else self._until
        return packed(save.working, save.history, until, self.id, self._revision + 1)

    def _save(self, save: Save) -> None:
        if self._store is not None:
            self._write(self._kept(save))
        self._working, self._history = save.working, save.history

    def _journal(self) -> Journal:
        """Return the journal of the current stage. Each reply of a model is written to the store at once.

        If the turn is given up, its thread may go on, but writes nothing more.
        """
        from qlc.answers.journal import Journal

        working, mine = self._working, self._on_way
        assert working is not None

        def keep(replies: Kept) -> None:
            with self._writing:
                if mine is self._on_way and self._working is not None:
                    self._save(Save(self._working.model_copy(update={"replies": replies}), self._history))

        return Journal(working.replies, keep)

    @contextmanager
    def _noting_interruption(self) -> Iterator[None]:
        """Note in the store if an exception interrupts the turn."""
        self._on_way = object()
        try:
            yield
        except BaseException:
            self._stop()
            self._release_turn()
            raise
        self._stop()

    def _stop(self) -> None:
        with self._writing:
            self._on_way = None

    def _reload(self) -> Call:
        store = self._store
        assert store is not None
        return in_thread(lambda: self._take(store.read(self.id)))

    def _write(self, text: str) -> None:
        assert self._store is not None
        self._store.write(self.id, text, self._revision + 1)
        self._revision += 1

    def _release_turn(self) -> None:
        """Release an interrupted turn: other callers do not wait for it, and it can be resumed."""
        working = self._working
        if self._store is None or working is None or working.is_done or not self._revision:
            return
        self._until = 0.0
        with suppress(Exception):  # the first exception is the one to be reported
            self._write(self._kept(Save(working, self._history)))


class Conversation(_Talk):
    """A conversation, with a synchronous client. Each message is read in the context of the earlier ones. Thread-safe:
    one turn runs at a time. `asker` is an `Asker`, a `Compiler` or a `Corpus`."""

    def _open(self) -> None:
        self._lock = threading.Lock()
        if self._store is not None:
            self._reload().run()

    def turn(self, text: str, **options: Unpack[RunOptions]) -> Reply:
        """Answer a message. `options` are those of `Compiler.run` for this turn, without `cursor` and `choices`.

        No message raises an exception. Raises ConversationBusy if the store has another unfinished turn, UsageError for
        other options.
        """
        with self._lock, ExitStack() as within, telemetry.Turn(TURN, text, conversation=self.id) as turn:
            return self._counted(self._answered(drive(self._turn(text, options, within), itself), options), turn)

    def resume(self, **options: Unpack[RunOptions]) -> Reply | None:
        """Continue an interrupted turn, or repeat the last answer. None if there is no turn, or if these options do not
        permit the caller to see it.

        If another process runs the turn, that process gets ConversationBusy. Pass the `options` of the turn again.
        """
        with self._lock, ExitStack() as within:
            return self._answered(drive(self._resume(options, within), itself), options)

    def export(self, format: Format, *, for_spreadsheets: bool = False) -> Iterator[str]:
        """Yield the lines of the last answer as "csv" or "ndjson", with every page of a list. The query runs again.

        Raises UsageError if there is no answer yet, ExportFailed if a page cannot be read.
        """
        run = self._to_export(self._schema().run())

        def more(cursor: str | None) -> Outcome:
            return _last(self._exported(run, cursor).run())

        return export(more(None), format, more, for_spreadsheets=for_spreadsheets)

    def _answered(self, begun: Working | T, options: RunOptions) -> Reply | T:
        if not isinstance(begun, Working):
            return begun
        with self._noting_interruption():
            done, self._history = drive(turning(begun, self._history), partial(self._call_for, options))
        return self._reply(done)


class AsyncConversation(_Talk):
    """As `Conversation`, with an asynchronous client. A store runs in separate threads."""

    def _open(self) -> None:
        self._lock = asyncio.Lock()

    async def load(self) -> None:
        """Read the conversation from its store. `turn` does this by itself."""
        if self._store is not None:
            await self._reload().run_async()

    async def turn(self, text: str, **options: Unpack[RunOptions]) -> Reply:
        """As `Conversation.turn`."""
        async with self._lock:
            with ExitStack() as within, telemetry.Turn(TURN, text, conversation=self.id) as turn:
                begun = await drive_async(self._turn(text, options, within), itself)
                return self._counted(await self._answered(begun, options), turn)

    async def resume(self, **options: Unpack[RunOptions]) -> Reply | None:
        """As `Conversation.resume`."""
        async with self._lock:
            with ExitStack() as within:
                return await self._answered(await drive_async(self._resume(options, within), itself), options)

    async def shown(self, **options: Unpack[RunOptions]) -> dict[str, Any]:
        """Return the history, without the turns that these options do not permit the caller to see."""
        await self.load()
        rights = Rights.of(self._given(options).context)
        return as_json(self._history.shown_to(rights, await self._schema().run_async()))

    async def export(self, format: Format, *, for_spreadsheets: bool = False) -> AsyncIterator[str]:
        """As `Conversation.export`."""
        run = self._to_export(await self._schema().run_async())

        async def more(cursor: str | None) -> Outcome:
            return _last(await self._exported(run, cursor).run_async())

        async for line in export_async(await more(None), format, more, for_spreadsheets=for_spreadsheets):
            yield line

    async def _answered(self, begun: Working | T, options: RunOptions) -> Reply | T:
        if not isinstance(begun, Working):
            return begun
        with self._noting_interruption():
            call_for = partial(self._call_for, options)
            done, self._history = await drive_async(turning(begun, self._history), call_for)
        return self._reply(done)


def _request(text: str) -> Pasted | str:
    found = recognise(text)
    return found.alone if found else text


def _run_request(text: str, compiler: Compiler, **given: Any) -> tuple[Outcome, ...]:
    return run_pasted(_request(text), compiler, **given)


async def _run_request_async(text: str, compiler: Compiler, **given: Any) -> tuple[Outcome, ...]:
    return await run_pasted_async(await beside(_request, text), compiler, **given)


def _last(found: Outcome | tuple[Outcome, ...]) -> Outcome:
    """Return the outcome of a program; of a pasted request, the outcome of its list, which is the last one."""
    return found[-1] if isinstance(found, tuple) else found
