"""Texts and data with something wrong somewhere: the same chance changes them in the same way."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any


def changed_text(text: str, chance: Random, pieces: Sequence[str]) -> str:
    """A text with some characters lost, doubled, exchanged or put in."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 3, 8, 40)))
        put = chance.choice((
            chance.choice(pieces), chance.choice(pieces), chance.choice(pieces), text[start:end] * 2, "",
            "".join(chance.choices(pieces, k=3)), chr(chance.randrange(1, 0x2FFF)),
        ))  # fmt: skip
        text = text[:start] + put + text[end:]
    return text


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in data, as what holds it and its key."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield value, key
        yield from places(item)


def changed(data: Any, chance: Random, values: Sequence[Any], keys: Sequence[str], deepest: int = 2) -> Any:
    """Change one value of some data, in place: another value or key, no value, one more, or more levels around it."""
    found = list(places(data))
    if not found:
        return deepcopy(chance.choice(values))
    # what stands deep is most of it: what is near the root would hardly ever be met
    holder, key = chance.choice(found if chance.random() < 0.6 else found[:40])
    way = chance.choice((0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5))
    if way == 1:
        del holder[key]
    elif way == 2:
        holder[key] = chance.choice(([holder[key]], {"x": holder[key]}, [holder[key]] * 3, str(holder[key])))
    elif way == 3 and isinstance(holder, dict):
        holder[chance.choice(keys)] = holder.pop(key)
    elif way == 4 and isinstance(holder, dict):
        holder[chance.choice(keys)] = deepcopy(chance.choice(values))
    elif way == 5:
        deep = holder[key]
        for _ in range(chance.randint(1, deepest)):
            deep = chance.choice(([deep], {str(key): deep}, {"bool": {"must": deep}}))
        holder[key] = deep
    else:
        holder[key] = deepcopy(chance.choice(values))
    return data
