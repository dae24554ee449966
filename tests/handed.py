"""Whether answers that are handed over as objects are what a client would read, and no one else's."""

import json
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from qlc_engine.json_output import Handed, dump_json

_PLAIN = (str, int, float, bool, type(None))


class Watch:
    """Looks at each answer as it is handed over; the last ones are kept to see that none shares a part with another."""

    def __init__(self) -> None:
        self.seen = 0
        #: the parts by their ids; the parts too, as a client may take its answer apart, and an id may be given again
        self._last: deque[dict[int, Any]] = deque(maxlen=8)

    def look(self, body: Any) -> None:
        own: dict[int, Any] = {}
        _check(body, own)
        assert json.loads(dump_json(body)) == body
        for parts in list(self._last):  # others answer at the same time
            shared = [own[part] for part in own.keys() & parts.keys()]
            assert not shared, f"in an earlier answer was {shared[0]}"
        self._last.append(own)
        self.seen += 1


def _check(value: Any, own: dict[int, Any]) -> None:
    if type(value) is dict:
        own[id(value)] = value
        for key, item in value.items():
            assert type(key) is str, f"{key!r} in {value}"
            _check(item, own)
    elif type(value) is list:
        own[id(value)] = value
        for item in value:
            _check(item, own)
    else:
        assert type(value) in _PLAIN, f"{value!r} is a {type(value).__name__}"


@pytest.fixture(scope="session", autouse=True)
def answers_as_objects() -> Iterator[Watch]:
    """Every answer that the engine hands over as objects, in whatever test, is looked at."""
    watch, make = Watch(), Handed.__init__

    def look(handed: Handed, body: Any) -> None:
        watch.look(body)
        make(handed, body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Handed, "__init__", look)
        yield watch
