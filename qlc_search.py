"""The distribution `qlc-search`: its name in messages, its command, and whether the package `qlc` is its own.

Another project owns the name `qlc` on the package index. Its files would lie in the same folder `qlc` as ours, so this
module lies beside that folder, and imports nothing of it before it has looked.
"""

from __future__ import annotations

import os
import sys
import warnings

DISTRIBUTION = "qlc-search"
"""What pip installs. The package that is imported, and the command, are `qlc`."""

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_REPAIR = f"pip uninstall --yes qlc {DISTRIBUTION} && pip install {DISTRIBUTION}"


def requirement(*extras: str) -> str:
    """Return the distribution with extras: "serve", "corpus" -> qlc-search[serve,corpus]"""
    return f"{DISTRIBUTION}[{','.join(extras)}]" if extras else DISTRIBUTION


def install(*extras: str) -> str:
    """Return the command that installs extras: "mcp" -> pip install "qlc-search[mcp]\""""
    return f'pip install "{requirement(*extras)}"'


def warn_of_namesake() -> None:
    """Warn if a distribution `qlc` is installed into the folder of this one: each overwrites files of the other.

    One listing of the folder: importlib.metadata would take longer than the rest of `import qlc`.
    """
    if any(name.startswith("qlc-") and name.endswith(".dist-info") for name in os.listdir(_FOLDER)):
        warnings.warn(
            f"the distribution 'qlc' is another project, or an old release of this one, and its files are mixed with "
            f"those of '{DISTRIBUTION}' in {_FOLDER}. To repair it: {_REPAIR}",
            RuntimeWarning, stacklevel=3,
        )  # fmt: skip


def require_own_package() -> None:
    """Raise ImportError if the package `qlc` that is imported is another project's."""
    if getattr(sys.modules.get("qlc"), "__distribution__", None) != DISTRIBUTION:
        raise ImportError(_shadowed(getattr(sys.modules.get("qlc"), "__file__", None)))


def entry() -> None:
    """Run the command `qlc`, or say that another project's package would run in its place."""
    from importlib.util import find_spec

    found = find_spec("qlc")
    if found is None or not _is_own(found.origin):
        sys.exit(f"qlc: {_shadowed(found.origin if found else None)}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        import qlc  # noqa: F401
    for warning in caught:
        print(f"qlc: {warning.message}", file=sys.stderr)
    from qlc.cli.main import entry as run

    run()


def _is_own(origin: str | None) -> bool:
    """Whether a file is the `__init__.py` of our package, which imports this module. It is not executed."""
    try:
        with open(origin or "", encoding="utf-8", errors="replace") as file:
            return any(line.strip().startswith("from qlc_search import") for line in file)
    except OSError:
        return False


def _shadowed(where: str | None) -> str:
    return (
        f"'{where or 'qlc'}' is not the package 'qlc' of the distribution '{DISTRIBUTION}': another project has that "
        f"name. If it is a file or folder of yours, rename it or start elsewhere; if pip installed it: {_REPAIR}"
    )


if __name__ == "__main__":
    entry()
