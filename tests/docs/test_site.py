"""The site builds without a warning: every page is in its contents, every link and every anchor leads somewhere."""

import os
import subprocess
import sys
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from .pages import ROOT


def test_the_site_builds_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    pages = sorted(tmp_path.rglob("index.html"))
    assert len(pages) > len(list((ROOT / "docs").glob("*.md")))
    for page in pages:
        tree = LexborHTMLParser(page.read_text("utf-8"))
        loaded = [one.attributes.get("src") or one.attributes.get("href")
                  for one in tree.css("script[src], link[rel=stylesheet], img[src]")]  # fmt: skip
        assert [one for one in loaded if one and one.startswith(("http:", "https:", "//"))] == [], page
    reference = LexborHTMLParser((tmp_path / "reference" / "index.html").read_text("utf-8"))
    assert {"qlc.Compiler", "qlc.outcome.model.Hits", "qlc.base.errors.UsageError"} <= {
        one.attributes.get("id") for one in reference.css("[id]")
    }
