"""The time and memory of `qlc.load` for a CSV of 20 columns, beside a bare reader and the engine's own loading.

    python -m benchmarks.tables [ROWS]
"""

from __future__ import annotations

import argparse
import csv
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import qlc
from qlc.tables.loading import load_all
from qlc.tables.typed import read_typed

BATCH = 2_000
CITIES = ["Oslo", "Bergen", "Trondheim", "Köln", "Lyon", "Porto", "Graz", "Turku"]
STATUS = ["open", "paid", "sent", "returned"]
HEADERS = ["order_no", "customer", "city", "status", "placed", "shipped", "amount", "discount", "quantity", "weight",
           "rating", "paid", "note", "country", "postcode", "year", "temperature", "share", "channel",
           "agent"]  # fmt: skip


def rows(count: int) -> Iterator[list[str]]:
    """Yield rows as they are in exports: codes, names, dates, amounts with a currency, shares, notes, gaps."""
    chance = random.Random(7)
    for at in range(count):
        day = f"2025-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        yield [
            f"O-{at:07}", f"Customer {chance.randint(1, 5_000)}", chance.choice(CITIES), chance.choice(STATUS), day,
            f"{day}T{chance.randint(0, 23):02}:{chance.randint(0, 59):02}:00", f"{chance.uniform(1, 2_000):.2f}",
            f"{chance.randint(0, 30)}%", str(chance.randint(1, 20)), f"{chance.uniform(0.1, 30):.1f} kg",
            str(chance.randint(1, 5)) if chance.random() > 0.1 else "", chance.choice(["yes", "no"]),
            f"note {chance.randint(1, 100_000)} of a customer", chance.choice(["NO", "DE", "FR", "PT"]),
            f"{chance.randint(0, 99_999):05}", str(chance.randint(1990, 2026)), f"{chance.uniform(-20, 35):.3f}",
            f"{chance.random():.6f}", chance.choice(["web", "shop", "phone"]), f"A{chance.randint(1, 40):02}",
        ]  # fmt: skip


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def read(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.reader(file))


def engine_alone(path: Path, mapping: dict[str, Any], documents: list[dict[str, Any]]) -> None:
    with qlc.connect(path) as client:
        client.indices.create(index="orders", mappings=mapping)
        items = iter(enumerate(documents))
        while batch := list(islice(items, BATCH)):
            pairs = (({"create": {"_index": "orders", "_id": str(at)}}, one) for at, one in batch)
            client.bulk(operations=[part for pair in pairs for part in pair])
        client.indices.refresh(index="orders")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", type=int, nargs="?", default=200_000)
    count = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "orders.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([HEADERS, *rows(count)])
        reader, _ = timed(lambda: read(path))
        types, tables = timed(lambda: read_typed(path))
        with qlc.connect(Path(folder) / "store") as client:
            loading, _ = timed(lambda: load_all(client, tables))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        with qlc.connect(Path(folder) / "store", read_only=True) as client:
            found = client.search(index="orders", size=10_000)["hits"]["hits"]
        sources = [one["_source"] for one in found]
        documents = [sources[at % len(sources)] for at in range(count)]
        engine, _ = timed(lambda: engine_alone(Path(folder) / "alone", tables[0].mapping(), documents))
    whole = types + loading
    print(f"{count:,} rows of {len(HEADERS)} columns, seconds of processor time")
    print(f"  reader {reader:.1f}, engine {engine:.1f}; types {types:.1f}, conversion and engine {loading:.1f}")
    print(f"  {whole / (reader + engine):.2f} x reader and engine; memory at most {memory:,.0f} MB")


if __name__ == "__main__":
    main()
