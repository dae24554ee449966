"""Builds wheel and sdist, tries the wheel in an empty environment, publishes nothing: `make release VERSION=0.2.0`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
QUESTION = ["run", "--demo", 'count folders where name = "Recipes"']


def problems(version: str, root: Path = ROOT) -> list[str]:
    """Return what keeps a version from being released: files that name another one, changes that are not committed."""
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    texts = {
        "pyproject.toml": declared == version,
        "qlc/base/version.py": f'"{version}"' in (root / "qlc/base/version.py").read_text("utf-8"),
        "README.md": f"Version {version}" in (root / "README.md").read_text("utf-8"),
        "CHANGELOG.md": bool(_changes(version, root)),
    }
    found = [f"{name} does not name version {version}" for name, names_it in texts.items() if not names_it]
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True)
    return [*found, *(["there are changes that are not committed"] if changed.stdout else [])]


def _changes(version: str, root: Path) -> str:
    """Return the text below the heading of a version in the changelog."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def main(version: str | None) -> int:
    if not version:
        print("say which version: make release VERSION=0.2.0", file=sys.stderr)
        return 2
    if found := problems(version):
        print("\n".join(f"not released: {one}" for one in found), file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        tools, empty = (_environment(Path(folder) / name) for name in ("tools", "empty"))
        _run(tools, "-m", "pip", "install", "--quiet", "build>=1.2")
        _run(tools, "-m", "build", "--outdir", str(DIST), str(ROOT))  # the wheel is made from the sdist
        (wheel,) = DIST.glob(f"*-{version}-*.whl")
        _run(empty, "-m", "pip", "install", "--quiet", str(wheel))
        command = empty.with_name("qlc")
        for arguments in (["--version"], QUESTION):
            _run(command, *arguments, cwd=folder)
        _run(empty, "-m", "qlc.cli.demo", cwd=folder)
    print(f"{wheel.relative_to(ROOT)} works. Tag the commit v{version}, and upload what is in dist.")
    return 0


def _environment(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


def _run(*command: str | Path, cwd: str | None = None) -> None:
    subprocess.run(command, cwd=cwd, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
