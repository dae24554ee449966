"""The record of the run that writes to a corpus, where the client sends a write twice."""

from typing import Any

import pytest
from elastic_transport import ApiResponseMeta, HttpHeaders, NodeConfig
from elasticsearch import ConflictError, NotFoundError

from qlc.base.errors import UsageError
from qlc.corpus import turns

META = ApiResponseMeta(409, "1.1", HttpHeaders(), 0.1, NodeConfig("http", "localhost", 9200))


class Index:
    """One record with a version, as a server keeps it. The next `repeated` writes take effect and are sent again."""

    def __init__(self) -> None:
        self.record: dict[str, Any] | None = None
        self.version, self.repeated = 0, 0

    def index(self, *, document: dict[str, Any], op_type: str = "index", if_seq_no: int = -1, **_: Any) -> Any:
        if self.record is not None if op_type == "create" else if_seq_no != self.version:
            raise ConflictError("version_conflict_engine_exception", META, {})
        self.record, self.version = document, self.version + 1
        if self.repeated:
            self.repeated -= 1
            return self.index(document=document, op_type=op_type, if_seq_no=if_seq_no)
        return {"_seq_no": self.version, "_primary_term": 1}

    def get(self, **_: Any) -> Any:
        if self.record is None:
            raise NotFoundError("not found", META, {})
        return {"_source": self.record, "_seq_no": self.version, "_primary_term": 1}


class Beats:
    """So many beats, and the run ends."""

    def __init__(self, left: int) -> None:
        self.left = left

    def wait(self, seconds: float) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("repeated", [0, 1, 3])
def test_a_write_that_is_sent_again_is_of_the_same_run(repeated: int) -> None:
    index = Index()
    record = turns._Record(index, "slips")
    index.repeated = repeated
    record.take()
    index.repeated = repeated
    record.beat(Beats(4))  # type: ignore[arg-type]
    record.check()
    assert (index.record or {})["ordinal"] == 4


def test_a_record_of_another_run_is_not_taken_for_ours() -> None:
    index = Index()
    record = turns._Record(index, "slips")
    record.take()
    index.record = {"kind": turns.RUN, "id": "run of another"}
    index.version += 1
    record.beat(Beats(2))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="another run has taken over the corpus 'slips'"):
        record.check()
    index.record = None
    record.beat(Beats(1))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="the next run does the rest"):
        record.check()
