"""What reading the PDFs below a folder costs beside the bare parser: `python -m benchmarks.adding FOLDER`.

Processor time of one process, the best of three runs. `text`: the parser alone, with the text of each page. `pages`: in
reading order, with headings and tables. `documents`: with passages and labelled values, as without a `corpus.yaml`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pypdfium2

from qlc.corpus.document import Reader, Task
from qlc.corpus.errors import Unreadable
from qlc.corpus.limits import Limits
from qlc.corpus.readers import pdf


def text(path: Path) -> int:
    document = pypdfium2.PdfDocument(path)
    return sum(1 for page in document if page.get_textpage().get_text_range() is not None)


def pages(path: Path) -> int:
    return sum(1 for _ in pdf.read(path).pages)


def documents(path: Path) -> int:
    return Reader()(Task(path, path.name, "generic"), Limits()).pages


def measured(read: Callable[[Path], int], files: list[Path]) -> tuple[int, float]:
    """The number of pages, and the seconds of all files that can be read."""
    count, started = 0, time.process_time()
    for path in files:
        with suppress(Unreadable, pypdfium2.PdfiumError):
            count += read(path)
    return count, time.process_time() - started


def main() -> None:
    files = sorted(Path(sys.argv[1]).rglob("*.pdf"))
    for read in (text, pages, documents):
        count, seconds = min((measured(read, files) for _ in range(3)), key=lambda one: one[1])
        print(f"{read.__name__:10} {count} pages  {seconds:.2f} s  {count / seconds:.0f} pages/s")


if __name__ == "__main__":
    main()
