"""A process whose system calls are looked at one by one, and that can be ended before any of them (Linux)."""

import ctypes
import os
import platform
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

_TRACEME, _SYSCALL, _KILL_OPTIONS, _SETOPTIONS, _SYSCALL_INFO = 0, 24, 0x100000 | 1, 0x4200, 0x420E
_ENTRY = 1

#: The calls that change something on disk, or say that it is there.
_NUMBERS = {
    "x86_64": {
        1: "write", 18: "pwrite", 20: "writev", 74: "fsync", 75: "fdatasync", 77: "ftruncate", 82: "rename",
        83: "mkdir", 87: "unlink", 258: "mkdir", 263: "unlink", 264: "rename", 316: "rename",
    },
    "aarch64": {
        34: "mkdir", 35: "unlink", 38: "rename", 46: "ftruncate", 64: "write", 66: "writev", 68: "pwrite", 82: "fsync",
        83: "fdatasync", 276: "rename",
    },
}  # fmt: skip
_WITH_FILE = frozenset({"write", "writev", "pwrite", "fsync", "fdatasync", "ftruncate"})


class _SyscallInfo(ctypes.Structure):
    _fields_ = (
        ("op", ctypes.c_uint8), ("pad", ctypes.c_uint8 * 3), ("arch", ctypes.c_uint32),
        ("instruction", ctypes.c_uint64), ("stack", ctypes.c_uint64), ("number", ctypes.c_uint64),
        ("arguments", ctypes.c_uint64 * 6), ("rest", ctypes.c_uint64 * 4),
    )


@dataclass(frozen=True, slots=True)
class Call:
    """A system call that is about to be made; `file` is the path behind its first argument, where that is a file."""

    name: str
    file: str
    handle: int


def is_possible() -> bool:
    """Whether this system lets a process trace its children."""
    if not sys.platform.startswith("linux") or platform.machine() not in _NUMBERS:
        return False
    try:
        return traced(lambda: None, lambda call: False) == 0
    except OSError:
        return False


def traced(run: Callable[[], None], ends_before: Callable[[Call], bool]) -> int | None:
    """Runs a function in a process of its own; its exit status, None if it was killed before a call as asked for."""
    child = os.fork()
    if child == 0:
        status = 3
        try:
            _ptrace(_TRACEME, 0, 0, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            run()
            status = 0
        finally:
            os._exit(status)
    return _watched(child, _NUMBERS[platform.machine()], ends_before)


def _watched(child: int, numbers: dict[int, str], ends_before: Callable[[Call], bool]) -> int | None:
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        raise OSError("tracing is not permitted")
    _ptrace(_SETOPTIONS, child, 0, _KILL_OPTIONS)
    info = _SyscallInfo()
    given = 0
    while True:
        _ptrace(_SYSCALL, child, 0, given)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)
        if os.WIFSIGNALED(status):
            raise RuntimeError(f"the process ended by signal {os.WTERMSIG(status)}")
        stop = os.WSTOPSIG(status)
        # the system marks stops at calls; any other is a signal, which is passed on
        given = 0 if stop == signal.SIGTRAP | 0x80 else stop
        if given:
            continue
        _ptrace(_SYSCALL_INFO, child, ctypes.sizeof(info), ctypes.addressof(info))
        name = numbers.get(info.number) if info.op == _ENTRY else None
        if name is not None and ends_before(_call(child, name, info.arguments[0])):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None


def _call(child: int, name: str, first: int) -> Call:
    if name not in _WITH_FILE:
        return Call(name, "", -1)
    try:
        return Call(name, os.readlink(f"/proc/{child}/fd/{first}"), first)
    except OSError:
        return Call(name, "", first)


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(None, use_errno=True)
    library.ptrace.restype = ctypes.c_long
    library.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    return library


def _ptrace(request: int, process: int, address: int, data: int) -> None:
    if _library().ptrace(request, process, address, data) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
