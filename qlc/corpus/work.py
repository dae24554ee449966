"""Reads files in separate processes, so that a reader that crashes, hangs or runs out of memory affects only one
file."""

from __future__ import annotations

import logging
import os
import pickle
import selectors
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, Full, LifoQueue, Queue
from typing import Any, TypeAlias, TypeVar

from qlc.base.import_path import HOME, safe_path

from .errors import OWN_NEEDS, ReaderBroken, Unreadable, not_opened
from .limits import Limits

log = logging.getLogger("qlc.corpus")
_HEADER = struct.Struct("<Q")
STARTING = 60.0
"""Seconds that a process may take to start on a busy machine."""
_STILL_WORKING = _HEADER.pack(0)
"""A message without content that restarts the time limit of a slow file."""


T = TypeVar("T")
Job: TypeAlias = Callable[[T, Limits], Any]
"""A function for a task in another process; both are pickled."""


def done_apart(tasks: Iterable[T], job: Job[T], processes: int, limits: Limits) -> Iterator[tuple[T, Any]]:
    """Yield each task with the result of `job`, or the Unreadable that it raised, as they finish.

    Few results wait for the caller, to bound memory.
    """
    todo = iter(tasks)
    lock = threading.Lock()
    done: Queue[tuple[T, Any] | None] = Queue(processes * 2)
    closed = threading.Event()

    def put(result: tuple[T, Any] | None) -> None:
        while not closed.is_set():
            with suppress(Full):
                done.put(result, timeout=0.2)
                return

    def work() -> None:
        reader = Process(job, limits)
        try:
            while not closed.is_set():
                with lock:
                    task = next(todo, None)
                if task is None:
                    break
                put((task, reader.do(task)))
        finally:
            reader.kill()
            put(None)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(processes)]
    for thread in threads:
        thread.start()
    try:
        running = processes
        while running:
            result = done.get()
            if result is None:
                running -= 1
            else:
                yield result
    finally:
        closed.set()
        for thread in threads:
            thread.join()


@dataclass(frozen=True, slots=True)
class _Failure:
    """A problem that a file or the process that read it may have caused."""

    problem: Unreadable


class Process:
    """A reading process, started for the first file, and again after a crash."""

    def __init__(self, job: Job[Any], limits: Limits) -> None:
        self._job = job
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def do(self, task: Any) -> Any:
        """Return the job's result for a task, or an Unreadable with the reason.

        What may be a failure of the process and not of the file is logged, and tried once more in a new process.
        """
        found = self._done(task)
        if isinstance(found, _Failure):
            self.kill()
            log.warning("a reading process failed, another one tries again: %s (%s)", found.problem.message, task)
            found = self._done(task)
        if isinstance(found, _Failure):
            self.kill()
            log.warning("a reading process failed again: %s (%s)", found.problem.message, task)
            return found.problem
        return found

    def _done(self, task: Any) -> Any:
        if self._process is not None and self._process.poll() is not None:
            self.kill()  # somebody else ended it: this file is not to blame
        until = self._limits.seconds
        try:
            if self._process is None:
                self._process, until = _started(self._job, self._limits), until + STARTING
        except OSError as problem:  # out of memory or processes, or an interpreter that others may not run
            return _Failure(Unreadable("reader_broken", f"No process could be started to read the file: {problem}."))
        try:
            _send(self._process.stdin, task)
            return self._received(self._process, until)
        except TimeoutError:
            self.kill()
            seconds = f"{self._limits.seconds:g}"
            return Unreadable("too_slow", f"The file was not read within {seconds} seconds.")
        except (EOFError, OSError):
            return _Failure(Unreadable("reader_failed", "The file made its reader crash."))

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]
            self._process.wait()
            self._process = None

    def _received(self, process: subprocess.Popen[bytes], seconds: float) -> Any:
        assert process.stdout is not None
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)

            def exactly(count: int) -> bytes:
                data = bytearray()
                while len(data) < count:
                    if not selector.select(max(0.0, deadline - time.monotonic())):
                        raise TimeoutError
                    part = os.read(process.stdout.fileno(), min(count - len(data), 1 << 20))  # type: ignore[union-attr]
                    if not part:
                        raise EOFError
                    data += part
                return bytes(data)

            while (header := exactly(_HEADER.size)) == _STILL_WORKING:
                deadline = time.monotonic() + self._limits.seconds
            return pickle.loads(exactly(*_HEADER.unpack(header)))


class Processes:
    """A pool of reading processes for single tasks, each started on demand."""

    def __init__(self, job: Job[Any], count: int, limits: Limits) -> None:
        self._limits = limits
        self._all = [Process(job, limits) for _ in range(count)]
        self._idle: LifoQueue[Process] = LifoQueue()  # the last one that was used is running
        for one in self._all:
            self._idle.put(one)

    def do(self, task: Any) -> Any:
        """Return the job's result for a task. Raises Unreadable; TimeoutError if all processes stay busy for the time
        of a task."""
        try:
            process = self._idle.get(timeout=self._limits.seconds)
        except Empty:
            raise TimeoutError from None
        try:
            found = process.do(task)
        finally:
            self._idle.put(process)
        if isinstance(found, Unreadable):
            raise found
        return found

    def close(self) -> None:
        for one in self._all:
            one.kill()


def _started(job: Job[Any], limits: Limits) -> subprocess.Popen[bytes]:
    folders = [one for one in (*safe_path(), HOME) if os.pathsep not in one]
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", f"from {__name__} import _serve; _serve()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        cwd=os.path.abspath(os.sep),  # libraries find no files of settings there
    )  # fmt: skip
    _send(process.stdin, (job, limits))
    return process


def _serve() -> None:
    """The main function of a reading process. Output of libraries is kept out of the pipe of results."""
    requests, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    global _results
    _results = results
    job, limits = _asked(requests)
    global _memory_bytes
    _memory_bytes = limits.memory_bytes
    _limit_memory()
    still_working()  # the modules of the job are imported
    with suppress(EOFError):
        while True:
            _send(results, _result(job, _asked(requests), limits))


_results: Any = None
"""The pipe of a reading process to its parent."""


def still_working() -> None:
    """Restart the time limit, before each step of a slow file, such as a scanned page."""
    if _results is not None:
        _results.write(_STILL_WORKING)
        _results.flush()


def _result(job: Job[Any], task: Any, limits: Limits) -> Any:
    try:
        return job(task, limits)
    except Unreadable as problem:
        return problem
    except MemoryError:
        return _Failure(Unreadable("too_large", "The file needs more memory than a reader may have."))
    except Exception as problem:  # noqa: BLE001  a parser met what it does not expect; the other files can be read
        number = problem.errno if isinstance(problem, OSError) else None  # libraries raise some without one
        if number in OWN_NEEDS or isinstance(problem, ReaderBroken | ImportError):
            told = f"A reader failed, and not because of the file ({problem}). The next run tries again."
            return _Failure(Unreadable("reader_broken", told))
        if isinstance(problem, OSError) and number is not None:
            return not_opened(problem)
        return Unreadable("reader_failed", f"The file made its reader fail ({type(problem).__name__}).")


_memory_bytes = 0
"""Memory that a file may need in this process; 0 if this is no reading process."""


@contextmanager
def own_needs() -> Iterator[None]:
    """Import libraries or load models of a reader without the limit of memory, which begins anew after them.

    Raises ReaderBroken for each error.
    """
    _limit_memory(is_lifted=True)
    try:
        yield
    except Exception as error:
        raise ReaderBroken(f"{type(error).__name__}: {error}") from error
    finally:
        _limit_memory()


def _limit_memory(*, is_lifted: bool = False) -> None:
    """Limit the address space of this process: to its size now plus the memory for a file."""
    if not _memory_bytes:
        return
    try:
        import resource
    except ImportError:  # not POSIX
        return
    with suppress(ValueError, OSError):
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = hard if is_lifted else _address_space() + _memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))


def _address_space() -> int:
    """Return the bytes of address space that this process has; 0 where that is not known."""
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    return 0


def _send(pipe: Any, value: Any) -> None:
    data = pickle.dumps(value)
    pipe.write(_HEADER.pack(len(data)) + data)
    pipe.flush()


def _asked(pipe: Any) -> Any:
    header = pipe.read(_HEADER.size)
    if len(header) < _HEADER.size:
        raise EOFError
    return pickle.loads(pipe.read(*_HEADER.unpack(header)))
