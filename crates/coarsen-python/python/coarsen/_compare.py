"""Releases of one table side by side."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from . import _coarsen
from ._audit import names_of
from ._errors import CoarsenError
from ._frames import take
from ._html import page, table_of
from ._policy import PolicyLike, as_policy
from ._progress import Listener, Shown, options
from ._recoding import Recoding
from ._release import Release


class Comparison:
    """Releases of one table side by side: ``rows`` has a dict for each, ``releases`` the releases."""

    def __init__(self, rows: list[dict[str, Any]], releases: list[Release | None]) -> None:
        self.rows = rows
        self.releases = releases

    def frontier(self, loss: str = "lm") -> list[dict[str, Any]]:
        """The rows that no other beats in both k and this loss, by k."""
        shown = [row for row in self.rows if row.get(loss) is not None]
        better = (lambda a, b: a > b) if loss == "prec" else (lambda a, b: a < b)

        def beaten(row: dict[str, Any]) -> bool:
            return any(
                (other["smallest_class"] >= row["smallest_class"] and better(other[loss], row[loss]))
                or (other["smallest_class"] > row["smallest_class"] and other[loss] == row[loss])
                for other in shown
            )

        return sorted((row for row in shown if not beaten(row)), key=lambda row: row["smallest_class"])

    def to_pandas(self) -> Any:
        """The rows as a frame."""
        import pandas

        return pandas.DataFrame(self.rows)

    def __repr__(self) -> str:
        return f"<coarsen.Comparison of {len(self.rows)} releases>"

    def _repr_html_(self) -> str:
        head = list(dict.fromkeys(name for row in self.rows for name in row))
        lines = [[_shown(row.get(name)) for name in head] for row in self.rows]
        return page("Comparison", table_of(lines, head))


def _shown(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def compare(
    data: Any,
    policy: PolicyLike,
    *,
    k: int | Iterable[int] | None = None,
    algorithm: str | Iterable[str] | None = None,
    loss: str | Iterable[str] | None = None,
    threads: int | None = None,
    progress: bool | Listener | None = None,
) -> Comparison:
    """Makes a release for every combination of ``k``, ``algorithm`` and ``loss``, and shows what each
    costs. A combination that has no release says why in ``failure``.

    >>> import pandas as pd
    >>> from coarsen import Policy
    >>> people = pd.DataFrame({"age": range(40), "sex": ["F", "M"] * 20})
    >>> policy = Policy(k=2, quasi_identifiers=["age", "sex"])
    >>> [(row["k"], row["smallest_class"]) for row in compare(people, policy, k=[2, 5, 41]).rows]
    [(2, 2), (5, 5), (41, None)]
    """
    base = as_policy(policy)
    grid = base.to_dict()
    ks = [base.k] if k is None else [k] if isinstance(k, int) else list(k)
    algorithms = [grid["search"]["algorithm"]] if algorithm is None else names_of(algorithm)
    losses = [grid["search"]["loss"]] if loss is None else names_of(loss)
    rows: list[dict[str, Any]] = []
    releases: list[Release | None] = []
    given, give = take(data)
    with Shown(progress) as listener:
        how = options(threads, listener)
        for each_algorithm in algorithms:
            for each_loss in losses:
                for each_k in ks:
                    chosen = {"k": each_k, "algorithm": each_algorithm, "loss": each_loss}
                    try:
                        under = base.replaced(
                            privacy__k=each_k, search__algorithm=each_algorithm, search__loss=each_loss
                        )
                        made, table, saved = _coarsen.release(given, under._argument(), how)
                    except CoarsenError as error:
                        rows.append({**chosen, "smallest_class": None, "failure": error.message})
                        releases.append(None)
                        continue
                    found = json.loads(made)
                    figures = ("smallest_class", "average_class", "classes", "suppressed_rows", "stop")
                    rows.append(
                        {
                            **chosen,
                            **{name: found[name] for name in figures},
                            **found["loss"],
                            "seconds": found["seconds"]["total"],
                            "failure": None,
                        }
                    )
                    releases.append(Release(found, give(table), Recoding(saved), under.to_dict()))
    return Comparison(rows, releases)
