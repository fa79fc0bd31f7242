"""A release and the call that makes one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _coarsen
from ._audit import Audit
from ._errors import CoarsenError
from ._frames import Giver, give_any, take
from ._policy import Argument, PolicyLike, _argument
from ._progress import Listener, Shown, options
from ._recoding import Recoding


class Release:
    """A release and the evidence for it.

    ``table`` holds the released rows, of the kind that the data were; of a release from file to file it
    is read when it is first asked for. ``recoding`` recodes the next delivery, ``audit`` is what was
    recounted from the released rows, ``losses`` every loss by its name, ``trace`` what the search did,
    ``manifest`` what the release was made with and what came of it. :meth:`report` and :meth:`save_report`
    make the report, :meth:`save` puts the rows into a file.

    A release can be pickled, less what reports and manifests are made of.
    """

    audit: Audit
    losses: dict[str, float | None]
    trace: list[dict[str, Any]]

    def __init__(
        self,
        made: dict[str, Any],
        table: Any,
        recoding: Recoding | None,
        evidence: _coarsen.NativeEvidence | None,
    ) -> None:
        self._made = made
        self._table = table
        self._evidence = evidence
        self._recoding = recoding
        self.audit = Audit(made["audit"], evidence)
        self.losses = made["loss"]
        self.trace = made["trace"]

    @property
    def recoding(self) -> Recoding | None:
        """The recoding, for the next delivery; of a release into a file, where one was saved."""
        if self._recoding is None and self._made["recoding"] is not None:
            self._recoding = Recoding.load(self._made["recoding"])
        return self._recoding

    @property
    def table(self) -> Any:
        """The released rows. Of a CSV file, every cell is the text that stands in it."""
        if self._table is None:
            self._table = give_any(_coarsen.read(self._made["output"], options(None, None)))
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
        """What the release was made from and with, what came of it, and how to recount it: the keys of the
        command line's ``manifest.json``.

        Of a release in memory, ``files.output`` is the CSV file that :meth:`save` would write, and once it
        was called, the file that it wrote; there is no ``files.input``, for a frame is no file.
        """
        return json.loads(self._kept().manifest("internal"))

    def report(self, kind: str = "internal") -> str:
        """The report, as one page of HTML without script: ``internal`` for those who may see the data, or
        ``public``, which tells nothing that the released rows and the policy's thresholds do not."""
        return self._kept().report(kind)

    def save_report(
        self,
        path: str | os.PathLike[str],
        kind: str = "internal",
        *,
        manifest: str | os.PathLike[str] | None = None,
    ) -> Path:
        """Writes the report and, beside it, the manifest of its kind: ``manifest.json`` for ``report.html``,
        ``public-manifest.json`` for ``public.html``. ``coarsen check FILE --manifest`` holds a file against
        it."""
        place = None if manifest is None else os.fspath(manifest)
        return Path(self._kept().save_report(os.fspath(path), kind, place)[0])

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the rows of a release in memory to a file, in the format that its ending names (CSV,
        Parquet, JSON lines, Arrow or ARFF), as the command line writes them."""
        return Path(self._kept().save(os.fspath(path)))

    def _kept(self) -> _coarsen.NativeEvidence:
        if self._evidence is None:
            raise CoarsenError(
                "this release was pickled, and what reports and manifests are made of was left out",
                "call save, report or save_report before it is pickled",
            )
        return self._evidence

    def to_dict(self) -> dict[str, Any]:
        """Everything but the rows, by the names that ``coarsen run --json`` gives it."""
        return json.loads(json.dumps(self._made))

    def __repr__(self) -> str:
        return (
            f"<coarsen.Release {self.rows_in} rows in, {self.rows_out} out, {self.suppressed_rows} "
            f"suppressed; {self.audit.classes} classes, k={self.audit.k}; {self.algorithm}>"
        )

    def _repr_html_(self) -> str | None:
        return None if self._evidence is None else self._evidence.view()


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
    if policy is None:
        return _make(None, None, _argument(data, set), output, recoding, threads, progress)
    given, give = take(data)
    return _make(given, give, _argument(policy, set), output, recoding, threads, progress)


def _make(
    given: Any,
    give: Giver | None,
    argument: Argument,
    output: str | os.PathLike[str] | None,
    recoding: str | os.PathLike[str] | None,
    threads: int | None,
    progress: bool | Listener | None,
) -> Release:
    """A release of what :func:`take` gave, or of the policy's own input where it is ``None``."""
    with Shown(progress) as listener:
        how = options(threads, listener)
        if given is None or output is not None:
            if given is not None and not isinstance(given, str):
                raise TypeError("output= writes a file from a file: give data as a path, or call Release.save")
            to = None if output is None else os.fspath(output)
            saved_to = None if recoding is None else os.fspath(recoding)
            made, evidence = _coarsen.run(argument, given, to, saved_to, how)
            return Release(json.loads(made), None, None, evidence)
        if recoding is not None:
            raise TypeError("recoding= goes with output=; else call Release.recoding.save(path)")
        made, table, saved, evidence = _coarsen.release(given, argument, how)
    return Release(json.loads(made), (give or give_any)(table), Recoding(saved), evidence)
