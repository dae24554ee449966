"""Runs the tests of the engine where qlc cannot be imported: `python -m tests.engine.alone [OPTIONS OF PYTEST]`.

It needs what qlc_engine/README.md says, and nothing of qlc: neither its packages nor its conftest.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("qlc_engine", "tests/engine", "tests/servers", "benchmarks/engine")
FILES = ("pyproject.toml", "benchmarks/__init__.py", "tests/conformance/comparing.py", "tests/docs/pages.py")
PLUGINS = ("no:qlc", "tests.servers.fixtures", "tests.handed")


def main(options: list[str]) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for one in FOLDERS:
            shutil.copytree(ROOT / one, folder / one, ignore=shutil.ignore_patterns("__pycache__"))
        helpers = [path.relative_to(ROOT) for path in (ROOT / "tests").glob("*.py") if path.stem != "conftest"]
        for one in (*FILES, *helpers):
            (folder / one).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / one, folder / one)
        # Also where qlc is installed: an import of it fails.
        (folder / "conftest.py").write_text("import sys\n\nsys.modules['qlc'] = None\n", encoding="utf-8")
        plugins = [part for plugin in PLUGINS for part in ("-p", plugin)]
        command = [sys.executable, "-m", "pytest", *plugins, "--hypothesis-profile=ci", "tests/engine", *options]
        apart = {"PYTHONPATH": name, "PYTHONSAFEPATH": "1", "CI": "", "QLC_TEST_ENGINE": "embedded"}
        return subprocess.run(command, cwd=folder, env={**os.environ, **apart}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
