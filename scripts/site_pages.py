"""A hook of MkDocs: the pages that are not in docs/ (README, ARCHITECTURE and others) as pages of the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
ELSEWHERE = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "qlc_engine/README.md": "embedded_engine.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages by their paths in the repository, and where they are on the site."""
_LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any, **_: Any) -> Files:
    for path, page in ELSEWHERE.items():
        files.append(File.generated(config, page, content=(ROOT / path).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links are written as they lead in the repository; here to the pages of the site, or as plain text to no page."""
    source = next((path for path, target in ELSEWHERE.items() if target == page.file.src_uri),
                  f"docs/{page.file.src_uri}")  # fmt: skip

    def rewritten(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[1]))
        if target in ELSEWHERE:
            return f"]({ELSEWHERE[target]}{link[2] or ''})"
        if target.startswith("docs/"):
            return f"]({target.removeprefix('docs/')}{link[2] or ''})"
        return link[0]

    return _LINK.sub(rewritten, markdown)
