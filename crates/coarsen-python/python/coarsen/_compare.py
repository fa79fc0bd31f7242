"""Candidates for a release of one table, side by side: the grid of ``coarsen compare``."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from . import _coarsen
from ._audit import names_of
from ._errors import PolicyError
from ._frames import Giver, take
from ._html import page, table_of
from ._policy import Argument, PolicyLike, _argument, _set, seconds_of
from ._progress import Listener, Shown, options
from ._release import Release, _make


class _Grid(NamedTuple):
    """A grid as the native part takes it."""

    algorithms: list[str]
    k: list[int]
    losses: list[str]
    limits: list[float]
    budget: float | None
    state: str | None


class Comparison:
    """A searched grid. ``rows`` has a dict for each candidate, with the columns of ``coarsen compare --csv``;
    ``loss`` names the loss that they are compared by.

    A candidate is ``undominated`` where no other is better in highest risk or in loss and as good in the
    other. One that has no release says why in ``reason``. :meth:`release` makes the release of any.
    """

    loss: str
    rows: list[dict[str, Any]]

    def __init__(
        self, native: _coarsen.NativeFrontier, data: Any, give: Giver | None, policy: Argument, budget: float | None
    ) -> None:
        self._native = native
        self._data = data
        self._give = give
        self._argument = policy
        self._budget = budget
        self._found: dict[str, Any] = json.loads(native.to_json())
        self.loss = self._found["loss"]
        self.rows = [_row(candidate) for candidate in self._found["candidates"]]

    def frontier(self) -> list[dict[str, Any]]:
        """The rows that no other beats, the safest first."""
        best = [row for row in self.rows if row["undominated"]]
        return sorted(best, key=lambda row: (row["highest_risk"], row["number"]))

    def release(
        self,
        number: int,
        *,
        output: str | os.PathLike[str] | None = None,
        recoding: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        progress: bool | Listener | None = None,
    ) -> Release:
        """Makes the release of a candidate, by its number: what :func:`coarsen.release` makes of the same
        data with the candidate's settings. A search that a budget stops is the exception."""
        set = self._native.set(number) if isinstance(number, int) and number > 0 else None
        if set is None:
            raise ValueError(f"the grid has no point {number!r}: its points are numbered from 1 to {len(self.rows)}")
        if self._budget is not None:
            set.append(("search.budget", json.dumps(f"{max(1, round(self._budget * 1000))}ms")))
        argument = _set(self._argument, set)
        return _make(self._data, self._give, argument, output, recoding, threads, progress)

    def plot(self, path: str | os.PathLike[str] | None = None) -> str:
        """Risk and loss of every candidate as SVG, the undominated solid and joined; saved where a path is
        given."""
        return _saved(self._native.plot(), path)

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """The rows as CSV; saved where a path is given."""
        return _saved(self._native.to_csv(), path)

    def to_pandas(self) -> Any:
        """The rows as a frame."""
        import pandas

        return pandas.DataFrame(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as ``coarsen compare --json`` prints it."""
        return json.loads(json.dumps(self._found))

    def __repr__(self) -> str:
        best = ", ".join(str(row["number"]) for row in self.frontier())
        return f"<coarsen.Comparison of {len(self.rows)} candidates; undominated: {best or 'none'}>"

    def _repr_html_(self) -> str:
        head = ("", "algorithm", "k", "searched for", "limit", "highest risk", self.loss, "classes", "suppressed", "")
        lines = [
            (
                f"{row['number']}{' *' if row['undominated'] else ''}",
                row["algorithm"],
                str(row["k"]),
                row["search_loss"],
                f"{row['limit']:.1%}",
                "" if row["highest_risk"] is None else f"{row['highest_risk']:.1%}",
                _shown(row[self.loss.replace("-", "_")]),
                _shown(row["classes"]),
                _shown(row["suppressed_rows"]),
                row["reason"] or "",
            )
            for row in self.rows
        ]
        return page(
            f"{len(self.rows)} candidates; * no other is better in risk or loss and as good in the other",
            self._native.plot_view(),
            table_of(lines, head),
        )


def _row(candidate: Mapping[str, Any]) -> dict[str, Any]:
    """A candidate with the columns of ``compare --csv``."""
    measured = candidate.get("measured") or {}
    asked = ("number", "algorithm", "k", "search_loss", "limit", "undominated")
    figures = (
        "by",
        "stop",
        "highest_risk",
        "average_risk",
        "smallest_class",
        "classes",
        "rows_out",
        "suppressed_rows",
        "unproven_rows",
    )
    losses = [entry["name"].replace("-", "_") for entry in json.loads(_coarsen.catalog("losses"))]
    return {
        **{name: candidate[name] for name in asked},
        **{name: measured.get(name) for name in figures},
        **{name: measured.get("loss", {}).get(name) for name in losses},
        "reason": candidate.get("reason"),
    }


def _shown(value: Any) -> str:
    return "" if value is None else f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"


def _saved(text: str, path: str | os.PathLike[str] | None) -> str:
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="")
    return text


def compare(
    data: Any,
    policy: PolicyLike | None = None,
    *,
    k: int | Iterable[int] | None = None,
    algorithm: str | Iterable[str] | None = None,
    loss: str | Iterable[str] | None = None,
    limit: float | Iterable[float] | None = None,
    budget: str | float | datetime.timedelta | None = None,
    state: str | os.PathLike[str] | None = None,
    set: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> Comparison:
    """Searches every combination of ``algorithm``, ``k``, ``loss`` and ``limit`` (the share of rows that may
    be suppressed), and shows what each would release and which no other beats. The data are read and counted
    once, and the candidates are searched several at a time.

    ``data`` and ``policy`` are those of :func:`release`; without ``policy``, ``data`` is a policy that names
    its own input. ``budget`` is the time for all candidates together. ``state`` names a file that keeps what
    is finished, so that a comparison of a file which was interrupted goes on.

    >>> import pandas as pd
    >>> from coarsen import Policy
    >>> people = pd.DataFrame({"age": range(40), "sex": ["F", "M"] * 20})
    >>> policy = Policy(k=2, quasi_identifiers=["age", "sex"])
    >>> grid = compare(people, policy, k=[2, 5, 41])
    >>> [(row["k"], row["smallest_class"], row["undominated"]) for row in grid.rows]
    [(2, 2, True), (5, 5, True), (41, None, False)]
    >>> grid.rows[2]["reason"]
    'k is 41, but the table has only 40 rows.'
    >>> grid.release(2).audit.k
    5
    """
    if policy is None:
        policy, given, give = data, None, None
    else:
        given, give = take(data)
        # A stream can be read once, and releases of candidates are made of the same rows.
        given = given if isinstance(given, str) else _coarsen.hold(given)
    argument = _argument(policy, set)
    whole = None if budget is None else seconds_of(budget)
    grid = _Grid(
        _several(algorithm),
        _whole(k),
        _several(loss),
        _shares(limit),
        whole,
        None if state is None else os.fspath(state),
    )
    with Shown(progress) as listener:
        native = _coarsen.compare(given, argument, grid, options(threads, listener))
    return Comparison(native, given, give, argument, whole)


def _several(names: str | Iterable[str] | None) -> list[str]:
    return [] if names is None else names_of(names)


def _whole(numbers: int | Iterable[int] | None) -> list[int]:
    """Values of k, as a policy takes them."""
    if numbers is None:
        return []
    given = list(numbers) if isinstance(numbers, Iterable) and not isinstance(numbers, str) else [numbers]
    for number in given:
        if isinstance(number, bool) or not hasattr(number, "__index__") or number < 1:
            raise PolicyError(
                f"policy (privacy.k): `privacy.k` must be a whole number of at least 1, but it is {number!r}.",
                "Give it a whole number, 1 or more.",
                "privacy.k",
            )
    return [int(number) for number in given]


def _shares(numbers: float | Iterable[float] | None) -> list[float]:
    if numbers is None:
        return []
    return [float(number) for number in (numbers if isinstance(numbers, Iterable) else [numbers])]
