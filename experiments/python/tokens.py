"""What tokens cost: a release of many rows whose identifier is dropped, and one whose identifier is replaced.

    python experiments/python/tokens.py [ROWS]

The key of the tokens is made from every cell of the table (docs/guide.md), so that this is a pass over all of
it, beside the hash of every identifier.
"""

from __future__ import annotations

import sys
import time

import numpy
import polars

import coarsen


def main(rows: int) -> None:
    random = numpy.random.default_rng(1)
    frame = polars.DataFrame(
        {
            "person": numpy.char.add("person ", numpy.arange(rows).astype(str)),
            "age": random.integers(20, 81, rows),
            "elevel": random.integers(0, 5, rows),
            "zipcode": random.integers(0, 9, rows),
            "salary": random.uniform(20_000, 150_000, rows),
            "loan": random.uniform(0, 500_000, rows),
        }
    )
    print("| rows | identifier | seconds | processor seconds |")
    print("| --- | --- | --- | --- |")
    for treatment in ("drop", "token"):
        policy = coarsen.Policy(
            k=10,
            identifiers={"person": {"treatment": treatment}},
            quasi_identifiers=["age", "elevel", "zipcode"],
            others=["salary", "loan"],
            algorithm="datafly",
        )
        start, cpu = time.perf_counter(), time.process_time()
        made = coarsen.release(frame, policy)
        seconds, spent = time.perf_counter() - start, time.process_time() - cpu
        assert made.audit.holds
        print(f"| {rows:,} | {treatment} | {seconds:.1f} | {spent:.1f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
