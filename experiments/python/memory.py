"""Ten million rows of a polars frame, released in memory: how much more memory than the frame it takes.

    python experiments/python/memory.py [ROWS]

The table has the shape of seed 001's synthetic one: five quasi-identifiers and four numbers beside them.
"""

from __future__ import annotations

import sys
import threading
import time

import numpy
import polars

import coarsen


def resident() -> float:
    """Megabytes that the process holds now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def main(rows: int) -> None:
    random = numpy.random.default_rng(1)
    frame = polars.DataFrame(
        {
            "salary": random.uniform(20_000, 150_000, rows),
            "commission": random.uniform(0, 75_000, rows),
            "age": random.integers(20, 81, rows),
            "elevel": random.integers(0, 5, rows),
            "car": random.integers(1, 21, rows),
            "zipcode": random.integers(0, 9, rows),
            "hvalue": random.uniform(0, 1e6, rows),
            "hyears": random.integers(1, 31, rows),
            "loan": random.uniform(0, 500_000, rows),
        }
    )
    policy = coarsen.Policy(
        k=10,
        quasi_identifiers=["age", "elevel", "car", "zipcode", "hyears"],
        others=["salary", "commission", "hvalue", "loan"],
        algorithm="datafly",
    )
    size, before = frame.estimated_size() / 1e6, resident()
    highest, over = before, threading.Event()

    def watch() -> None:
        nonlocal highest
        while not over.wait(0.01):
            highest = max(highest, resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter()
    made = coarsen.release(frame, policy)
    seconds = time.perf_counter() - start
    over.set()
    watcher.join()
    released = made.table.estimated_size() / 1e6
    print("| rows | frame MB | release MB | highest above the frame MB | less the release MB | of the frame | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    extra = highest - before
    print(
        f"| {rows:,} | {size:.0f} | {released:.0f} | {extra:.0f} | {extra - released:.0f} | "
        f"{(extra - released) / size:.2f} | {seconds:.1f} |"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
