"""Keeps the current folder out of the import path, since it may contain files that somebody else wrote.

A file `pickle.py` beside papers would be imported and run in place of Python's module if the folder is searched first.
This module imports only what Python has loaded before: `qlc` itself imports it first of all.
"""

import os
import sys

HOME = os.path.realpath(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
"""The folder with the packages of qlc: a checkout or site-packages. It is always searched."""


def safe_path(*others: "str | os.PathLike[str]") -> list[str]:
    """Return `sys.path` without the current folder, relative folders and `others`; `HOME` stays wherever it is.

    `["", "/papers", "/lib/python"]` in the folder /papers -> `["/lib/python"]`
    """
    unsafe = {_real(one) for one in ("", *others)}
    kept = []
    for entry in map(str, sys.path):
        real = _real(entry)
        if real == HOME:
            kept.append(HOME)
        elif os.path.isabs(entry) and real not in unsafe:
            kept.append(entry)
    return kept


def _real(folder: "str | os.PathLike[str]") -> str:
    try:
        return os.path.realpath(os.fspath(folder) or os.curdir)
    except OSError:  # the current folder was deleted
        return ""


def is_run_as_module() -> bool:
    """Whether `python -m qlc` or `python -m qlc.MODULE` is starting: Python has put the current folder first then."""
    if getattr(sys, "argv", [""])[:1] != ["-m"]:  # until the module is found
        return False
    named = sys.orig_argv[-len(sys.argv)]  # `qlc`, or with the options of Python: `-Wmqlc`
    named = named[named.find("m") + 1 :] if named.startswith("-") else named
    return named.partition(".")[0] == "qlc"


class imports_from_elsewhere:
    """A context manager: imports inside it skip the current folder and `folders`."""

    def __init__(self, *folders: "str | os.PathLike[str]") -> None:
        self._folders = folders

    def __enter__(self) -> None:
        self._before = sys.path[:]
        sys.path[:] = safe_path(*self._folders)

    def __exit__(self, *problem: object) -> None:
        sys.path[:] = self._before
