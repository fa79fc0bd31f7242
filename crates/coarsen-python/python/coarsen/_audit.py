"""What an audit found."""

from __future__ import annotations

import json
from typing import Any

from ._html import page, table_of


class Audit:
    """What was counted in a table: whether the requirement holds, and how exposed the people in it are.

    It is true where the requirement holds. Figures are attributes: ``holds``, ``rows``, ``classes``, ``k``
    (the rows of the smallest class), ``suppressed_rows``, ``distinct_l``, ``entropy_l``, ``t``, ``risk``,
    ``failures``, and ``subsets`` (which columns make people stand out).
    """

    holds: bool
    rows: int
    classes: int
    k: int
    average_class: float
    suppressed_rows: int
    distinct_l: int | None
    entropy_l: float | None
    t: float | None
    risk: dict[str, Any]
    failures: list[dict[str, Any]]
    sensitive: list[dict[str, Any]]
    notes: list[str]

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found
        self.__dict__.update(found)

    @classmethod
    def _read(cls, text: str) -> Audit:
        return cls(json.loads(text))

    def to_dict(self) -> dict[str, Any]:
        """All figures, by the names that ``coarsen check --json`` gives them."""
        return json.loads(json.dumps(self._found))

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        return f"<coarsen.Audit {verdict}: {self.rows} rows, {self.classes} classes, k={self.k}>"

    def _repr_html_(self) -> str:
        lines = [
            ("rows", f"{self.rows:,}"),
            ("classes", f"{self.classes:,}"),
            ("smallest class", f"{self.k:,}"),
            ("highest risk", f"{self.risk['prosecutor_max']:.1%}"),
            ("average risk", f"{self.risk['prosecutor_mean']:.1%}"),
        ]
        for failure in self.failures:
            lines.append(("does not hold", failure["requirement"]))
        return page("The requirement holds" if self.holds else "The requirement does not hold", table_of(lines))
