"""How the values of a column coarsen."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _coarsen
from ._progress import options


class Hierarchy:
    """How the values of a column coarsen, level by level, up to ``*``.

    >>> Hierarchy.intervals(5, 10).levels([31, 34, 47])
    [['31', '30..34', '30..39', '*'], ['34', '30..34', '30..39', '*'], ['47', '45..49', '40..49', '*']]
    """

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self._spec = dict(spec)

    @staticmethod
    def intervals(*widths: float, origin: float = 0) -> Hierarchy:
        """Nested intervals of numbers; each width is a multiple of the one before.

        >>> Hierarchy.intervals(10, 20).levels([7, 25])
        [['7', '0..9', '0..19', '*'], ['25', '20..29', '20..39', '*']]
        """
        return Hierarchy({"intervals": list(widths), "origin": origin})

    @staticmethod
    def mask(side: str = "right", levels: int | None = None) -> Hierarchy:
        """Codes with ever more characters masked, from the right or from the left.

        >>> Hierarchy.mask("right", levels=2).levels(["02138"])
        [['02138', '0213*', '021**', '*']]
        """
        return Hierarchy({"mask": side, "levels": levels})

    @staticmethod
    def dates(*units: str) -> Hierarchy:
        """Dates by ``day``, ``month``, ``quarter``, ``year`` and ``decade``, from fine to coarse.

        >>> Hierarchy.dates("month", "year").levels(["1965-09-20"])
        [['1965-09-20', '1965-09', '1965', '*']]
        """
        return Hierarchy({"dates": list(units)})

    @staticmethod
    def tree(tree: Mapping[str, Any] | Sequence[str]) -> Hierarchy:
        """A tree of names, written out: nodes are keys, leaves are lists.

        >>> degrees = Hierarchy.tree({"school": ["9th", "12th"], "higher": ["BSc", "MSc"]})
        >>> degrees.levels(["MSc"])[-1]
        ['MSc', 'higher', '*']
        """
        return Hierarchy({"tree": tree})

    @staticmethod
    def quantiles(most: int) -> Hierarchy:
        """Numbers or dates in at most so many bins of about equal rows, then pairs of bins, and so on."""
        return Hierarchy({"quantiles": most})

    @staticmethod
    def from_arx(source: str | os.PathLike[str] | Iterable[Sequence[str]]) -> Hierarchy:
        """A hierarchy in ARX's layout: a file (``;`` between names, one line a leaf, the leaf first and
        ever coarser names after it), or its rows as lists.

        >>> Hierarchy.from_arx([["flu", "lung", "*"], ["ulcer", "stomach", "*"]]).levels(["flu"])[0]
        ['flu', 'lung', '*']
        """
        if isinstance(source, (str, os.PathLike)):
            return Hierarchy({"file": str(Path(source).absolute())})
        return Hierarchy({"tree": _nested([[str(name) for name in row] for row in source])})

    def levels(self, values: Iterable[Any], type: str | None = None) -> list[list[str]]:
        """Each value with its ever coarser names, laid over these values.

        ``type`` is that of a policy's column: ``integer``, ``decimal``, ``date``, ``text`` or ``boolean``.
        """
        import pyarrow

        from ._policy import _argument

        column = {"role": "quasi-identifier", "type": type, "hierarchy": self}
        policy = _argument({"columns": {"value": column}, "privacy": {"k": 2}})
        values = pyarrow.array(list(values))
        table = pyarrow.table({"value": values})
        text = _coarsen.hierarchy(table, "value", policy, options(None, None))
        return [line.split(";") for line in text.splitlines()]

    def to_arx(self, path: str | os.PathLike[str], values: Iterable[Any]) -> None:
        """Writes :meth:`levels` to a file in ARX's layout."""
        lines = [";".join(row) for row in self.levels(values)]
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def to_dict(self) -> dict[str, Any]:
        """As a policy says it."""
        return {key: value for key, value in self._spec.items() if value is not None}

    def __repr__(self) -> str:
        return f"Hierarchy({self.to_dict()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hierarchy) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]


def _nested(rows: list[list[str]]) -> Any:
    """Rows of a leaf and its ancestors as a tree, less the top that every tree has."""
    rows = [row[:-1] if len(row) > 1 and row[-1] == "*" else row for row in rows]

    def below(rows: list[list[str]]) -> Any:
        if all(len(row) <= 1 for row in rows):
            return [row[0] for row in rows]
        nodes: dict[str, list[list[str]]] = {}
        for row in rows:
            nodes.setdefault(row[-1], []).append(row[:-1] or [row[-1]])
        return {name: below(rows) for name, rows in nodes.items()}

    return below(rows)
