"""A release and the call that makes one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _coarsen
from ._audit import Audit
from ._frames import take
from ._html import bars, page, table_of
from ._policy import Argument, PolicyLike, _argument
from ._progress import Listener, Shown, options
from ._recoding import Recoding


class Release:
    """A release and the evidence for it.

    ``table`` holds the released rows, of the kind that the data were; of a release from file to file it
    is read when it is first asked for. ``recoding`` recodes the next delivery, ``audit`` is what was
    recounted from the released rows, ``losses`` every loss by its name, ``trace`` what the search did,
    ``manifest`` what the release was made with and what came of it.
    """

    audit: Audit
    losses: dict[str, float | None]
    trace: list[dict[str, Any]]

    def __init__(
        self,
        made: dict[str, Any],
        table: Any,
        recoding: Recoding | None,
        policy: dict[str, Any],
    ) -> None:
        self._made = made
        self._table = table
        self._policy = policy
        self._recoding = recoding
        self.audit = Audit(made["audit"])
        self.losses = made["loss"]
        self.trace = made["trace"]

    @classmethod
    def _of_file(cls, made: dict[str, Any], policy: dict[str, Any], recoding: Recoding | None) -> Release:
        return cls(made, None, recoding, policy)

    @property
    def recoding(self) -> Recoding | None:
        """The recoding, for the next delivery; of a release into a file, where one was saved."""
        if self._recoding is None and self._made["recoding"] is not None:
            self._recoding = Recoding.load(self._made["recoding"])
        return self._recoding

    @property
    def table(self) -> Any:
        """The released rows."""
        if self._table is None:
            self._table = _read(self._made["output"])
        return self._table

    @property
    def output(self) -> Path | None:
        """The released file, of a release from file to file."""
        return None if self._made["output"] is None else Path(self._made["output"])

    @property
    def algorithm(self) -> str:
        """The algorithm that did the work."""
        return self._made["algorithm"]

    @property
    def stop(self) -> str:
        """Why the search stopped: ``optimal``, ``complete`` or ``budget``."""
        return self._made["stop"]

    @property
    def bound(self) -> float | None:
        """A cost that no release of this kind goes below, where one was proven."""
        return self._made["bound"]

    @property
    def rows_in(self) -> int:
        """Rows of the data that took part."""
        return self._made["rows_in"]

    @property
    def rows_out(self) -> int:
        """Rows of the release."""
        return self._made["rows_out"]

    @property
    def suppressed_rows(self) -> int:
        """Rows left out, or masked."""
        return self._made["suppressed_rows"]

    @property
    def columns(self) -> list[dict[str, Any]]:
        """What became of each quasi-identifier."""
        return self._made["columns"]

    @property
    def seconds(self) -> dict[str, float]:
        """Where the time went."""
        return self._made["seconds"]

    @property
    def warnings(self) -> list[str]:
        """What should be known."""
        return self._made["warnings"]

    @property
    def explanation(self) -> dict[str, Any] | None:
        """Why each column is as coarse as it is, and why rows were suppressed."""
        return self._made["explanation"]

    @property
    def manifest(self) -> dict[str, Any]:
        """What the release was made with, what came of it, and how to recount it."""
        kept = ("rows_in", "rows_out", "suppressed_rows", "classes", "smallest_class", "average_class")
        return {
            "tool": f"coarsen {_coarsen.__version__}",
            "policy": self._policy,
            "requirements": self._made["requirements"],
            "algorithm": self.algorithm,
            "stop": self.stop,
            "results": {"holds": self.audit.holds, **{name: self._made[name] for name in kept}},
            "loss": self.losses,
            "audit": self.audit.to_dict(),
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything but the rows, by the names that ``coarsen run --json`` gives it."""
        return json.loads(json.dumps(self._made))

    def __repr__(self) -> str:
        return (
            f"<coarsen.Release {self.rows_in} rows in, {self.rows_out} out, {self.suppressed_rows} "
            f"suppressed; {self.audit.classes} classes, k={self.audit.k}; {self.algorithm}>"
        )

    def _repr_html_(self) -> str:
        before, risk = self._made["before"], self.audit.risk
        # Of a table whose combinations were never counted, nobody knows how exposed it was.
        was = ["", "", "", "", ""]
        if before is not None:
            was = [
                f"{before['k']:,}",
                f"{before['uniques']:,}",
                f"{before['combinations']:,}",
                f"{1 / before['k']:.1%}",
                f"{before['combinations'] / before['rows']:.1%}",
            ]
        names = ("smallest class", "unique rows", "classes", "highest risk", "average risk")
        now = (
            f"{self.audit.k:,}",
            f"{risk['uniques']:,}",
            f"{self.audit.classes:,}",
            f"{risk['prosecutor_max']:.1%}",
            f"{risk['prosecutor_mean']:.1%}",
        )
        lines = list(zip(names, was, now))
        losses = [(name, f"{value:.4g}") for name, value in self.losses.items() if value is not None]
        lost = [(column["column"], column["lm"]) for column in self.columns]
        title = f"Release: {self.rows_in:,} rows in, {self.rows_out:,} out, {self.suppressed_rows:,} suppressed"
        holds = "; ".join(self._made["requirements"])
        return page(
            title,
            table_of(lines, ("", "before", "after")),
            bars("lost of each column", lost),
            table_of(losses, ("loss", "")),
            f"<p>{'holds' if self.audit.holds else 'does not hold'}: {holds}</p>",
        )


def _read(path: str) -> Any:
    """The rows of a released file."""
    try:
        import pyarrow
    except ImportError:
        raise ImportError("reading a released file back needs pyarrow: pip install pyarrow") from None
    ending = Path(path).suffix.lower()
    if ending in (".parquet", ".pq"):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(path)
    if ending in (".arrow", ".ipc", ".feather"):
        with pyarrow.ipc.open_file(path) as file:
            return file.read_all()
    if ending in (".json", ".jsonl", ".ndjson"):
        import pyarrow.json

        return pyarrow.json.read_json(path)
    import pyarrow.csv

    return pyarrow.csv.read_csv(path)


def release(
    data: Any,
    policy: PolicyLike | None = None,
    *,
    output: str | os.PathLike[str] | None = None,
    recoding: str | os.PathLike[str] | None = None,
    set: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> Release:
    """Makes a release of ``data`` under ``policy``, and proves it from the released rows.

    ``data`` is a table with Arrow's PyCapsule interface (pandas, polars, pyarrow, a DuckDB result) or a
    path; what comes back in ``Release.table`` is of the kind that went in (a ``pyarrow.Table`` for a path).
    ``policy`` is a :class:`Policy`, a dict of its keys, or the path of its file.

    >>> import pandas as pd
    >>> from coarsen import Policy
    >>> people = pd.DataFrame({
    ...     "age": [31, 33, 36, 52, 55, 58],
    ...     "sex": ["F", "F", "F", "M", "M", "M"],
    ...     "disease": ["flu", "cold", "flu", "flu", "cold", "cold"],
    ... })
    >>> policy = Policy(k=3, quasi_identifiers=["age", "sex"], sensitive=["disease"])
    >>> made = release(people, policy)
    >>> made.table["age"].tolist()
    ['31..36', '31..36', '31..36', '52..58', '52..58', '52..58']
    >>> made.audit.holds, made.audit.k
    (True, 3)

    With ``output`` a file is released into a file; without ``policy``, ``data`` is a policy (its file, or
    the dict) that names its own input and output, as for ``coarsen run``. ``set`` overrides keys of a
    policy file, as in ``{"privacy.k": 10}``. ``progress`` is a function that is called with the stage, or
    ``True`` for a bar where tqdm is installed. Ctrl-C cancels; nothing is left half-written.

    Rows come back sorted by what is released, because their order could identify someone; a pandas index
    is not released. A policy with ``order="keep"`` keeps the order.
    """
    if policy is None or output is not None:
        if policy is None:
            policy, given = data, None
        elif isinstance(data, (str, os.PathLike)):
            given = os.fspath(data)
        else:
            raise TypeError("output= writes a file from a file: give data as a path")
        argument = _argument(policy, set)
        to = None if output is None else os.fspath(output)
        saved_to = None if recoding is None else os.fspath(recoding)
        with Shown(progress) as listener:
            made = _coarsen.run(argument, given, to, saved_to, options(threads, listener))
        return Release._of_file(json.loads(made), _keys(argument), None)
    if recoding is not None:
        raise TypeError("recoding= goes with output=; else call Release.recoding.save(path)")
    argument = _argument(policy, set)
    given, give = take(data)
    with Shown(progress) as listener:
        made, table, saved = _coarsen.release(given, argument, options(threads, listener))
    return Release(json.loads(made), give(table), Recoding(saved), _keys(argument))


def _keys(argument: Argument) -> dict[str, Any]:
    return json.loads(_coarsen.check_policy(argument))
