"""Adult, k = 10, eight quasi-identifiers, on a pandas frame: coarsen, anonypy and anjana side by side.

    COARSEN_DATA=... python experiments/python/side_by_side.py

Those of the three that are installed take part. The time is from the frame that goes in to the frame that
comes out, the smallest of several runs, and so is the processor's time, which a busy machine changes less. The loss is LM, one measure for all, recounted here from what each
package released: for a range of numbers its width by that of the column, for a set or a node of names its
values less one by the column's values less one, 1 for a row that was left out.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pandas

QUASI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]
K = 10
FOLDER = Path(os.environ.get("COARSEN_DATA", ".")) / "adult"


def leaves() -> dict[str, dict[str, set[str]]]:
    """What each node of ARX's hierarchies covers, by column."""
    covered: dict[str, dict[str, set[str]]] = {}
    for column in QUASI:
        nodes = covered.setdefault(column, {})
        for row in hierarchy(column):
            for node in row[1:]:
                nodes.setdefault(node, set()).add(row[0])
    return covered


def hierarchy(column: str) -> list[list[str]]:
    text = (FOLDER / f"adult_hierarchy_{column}.csv").read_text()
    return [line.split(";") for line in text.splitlines() if line]


def lm(raw: pandas.DataFrame, released: pandas.DataFrame, covers: Callable[[str, str], float]) -> float:
    """The mean loss of a cell; rows that are not there lose everything."""
    lost = 0.0
    for column in QUASI:
        counts = released[column].astype(str).value_counts()
        lost += sum(covers(column, label) * rows for label, rows in counts.items())
        lost += len(raw) - len(released)
    return lost / (len(raw) * len(QUASI))


def main() -> None:
    raw = pandas.read_csv(FOLDER / "train.csv")
    values = {column: set(raw[column].astype(str)) for column in QUASI}
    span = raw["age"].max() - raw["age"].min()
    nodes = leaves()

    def covers(column: str, label: str) -> float:
        """LM of a label of any of the three: a value, `20..29`, `20-29`, `{a|b}`, `a,b`, or a node."""
        if label == "*":
            return 1.0
        if column == "age":
            for mark in ("..", "-"):
                if mark in label:
                    low, high = label.split(mark)
                    return (float(high) - float(low)) / span
            return 0.0
        if label in values[column]:
            return 0.0
        parts = label.strip("{}").split("|" if "|" in label else ",")
        inside = set(parts) if set(parts) <= values[column] else nodes[column][label]
        return (len(inside & values[column]) - 1) / (len(values[column]) - 1)

    def smallest_class(released: pandas.DataFrame) -> int:
        return int(released[QUASI].astype(str).groupby(QUASI).size().min())

    def measure(name: str, runs: int, release: Callable[[], pandas.DataFrame]) -> None:
        seconds, spent = [], []
        for _ in range(runs):
            start, before = time.perf_counter(), time.process_time()
            released = release()
            seconds.append(time.perf_counter() - start)
            spent.append(time.process_time() - before)
        print(
            f"| {name} | {min(seconds):.3f} | {min(spent):.3f} | {lm(raw, released, covers):.4f} | "
            f"{smallest_class(released)} | {len(released)} of {len(raw)} |",
            flush=True,
        )

    print("| package | seconds (least) | processor seconds (least) | LM | smallest class | rows |")
    print("| --- | --- | --- | --- | --- | --- |")
    try:
        import coarsen
    except ImportError:
        print("| coarsen: not installed (pip install .) | | | | | |")
    else:
        others = [column for column in raw if column not in QUASI]
        measured = (
            ("coarsen, Mondrian as it is by default", None, "auto"),
            ("coarsen, Mondrian with sets, for LM", "ordered", "loss"),
            ("coarsen, Mondrian with sets, at medians", "ordered", "median"),
        )
        for name, scheme, split in measured:
            policy = coarsen.Policy(
                k=K,
                quasi_identifiers={column: {"scheme": scheme} for column in QUASI},
                others=others,
                algorithm="mondrian",
                settings={"mondrian": {"split": split}},
            )
            measure(name, 15, lambda: coarsen.release(raw, policy).table)
        arx = {column: coarsen.Hierarchy.from_arx(hierarchy(column)) for column in QUASI}
        policy = coarsen.Policy(k=K, quasi_identifiers=arx, others=others, algorithm="mingen", suppression=0.05)
        measure("coarsen, best levels, 5 % suppressed", 9, lambda: coarsen.release(raw, policy).table)
    try:
        import anonypy
    except ImportError:
        print("| anonypy: not installed (pip install anonypy) | | | | | |")
    else:

        def by_anonypy() -> pandas.DataFrame:
            names = [column for column in QUASI if column != "age"]
            frame = raw.astype(dict.fromkeys([*names, "salary-class"], "category"))
            rows = anonypy.Preserver(frame, QUASI, "salary-class").anonymize_k_anonymity(k=K)
            table = pandas.DataFrame(rows)
            # Each label comes in a list of one.
            table[QUASI] = table[QUASI].map(lambda label: label[0] if isinstance(label, list) else label)
            return table.loc[table.index.repeat(table["count"])].drop(columns="count")

        measure("anonypy, Mondrian", 1, by_anonypy)
    try:
        from anjana.anonymity import k_anonymity
    except ImportError:
        print("| anjana: not installed (pip install anjana) | | | | | |")
    else:

        def by_anjana() -> pandas.DataFrame:
            levels = {}
            for column in QUASI:
                rows = hierarchy(column)
                levels[column] = {level: [row[level] for row in rows] for level in range(len(rows[0]))}
            frame = raw.astype({"age": str})
            return k_anonymity(frame, [], QUASI, K, 5, levels)

        measure("anjana, levels, 5 % suppressed", 1, by_anjana)


if __name__ == "__main__":
    main()
