"""Files of a corpus that are read in the process of the test: one of their own would import all readers first."""

import pickle
from threading import Lock
from typing import Any

from qlc.corpus import work
from qlc.corpus.limits import Limits

APART = work.Process
"""The class that reads files in a separate process, for tests of that process."""

_ONE_AT_A_TIME = Lock()
"""PDFium is not made for threads: two that read at once end the process."""


class Here:
    """In place of `work.Process`: what would be sent and received is pickled, too."""

    def __init__(self, job: work.Job[Any], limits: Limits) -> None:
        self._asked = pickle.dumps((job, limits))

    def do(self, task: Any) -> Any:
        job, limits = pickle.loads(self._asked)
        with _ONE_AT_A_TIME:
            return pickle.loads(pickle.dumps(work._result(job, pickle.loads(pickle.dumps(task)), limits)))

    def kill(self) -> None:
        pass
