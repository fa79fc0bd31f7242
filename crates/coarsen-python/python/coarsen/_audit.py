"""Audits: of any table, whoever made it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from . import _coarsen
from ._frames import take
from ._policy import PolicyLike, _argument
from ._progress import options


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

    def __init__(self, found: dict[str, Any], shown: _coarsen.NativeEvidence | str | None = None) -> None:
        self._found = found
        self._shown = shown
        self.__dict__.update(found)

    def to_dict(self) -> dict[str, Any]:
        """All figures, by the names that ``coarsen check --json`` gives them."""
        return json.loads(json.dumps(self._found))

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        return f"<coarsen.Audit {verdict}: {self.rows} rows, {self.classes} classes, k={self.k}>"

    def _repr_html_(self) -> str | None:
        return self._shown.audit_view() if isinstance(self._shown, _coarsen.NativeEvidence) else self._shown


class _Against(NamedTuple):
    quasi_identifiers: list[str] | None
    k: int | None
    sensitive: list[str]
    subsets: int


def check(
    data: Any,
    quasi_identifiers: str | Iterable[str] | None = None,
    *,
    k: int | None = None,
    sensitive: str | Iterable[str] = (),
    policy: PolicyLike | None = None,
    population: Any = None,
    subsets: int = 3,
    threads: int | None = None,
) -> Audit:
    """Audits any table, whoever made it: is every row hidden among ``k``, and how exposed are people?

    Name the quasi-identifiers, or give the ``policy`` that they stand in. ``population`` is a table of the
    people that these may come from, with raw values (journalist risk). ``subsets`` is how many columns at
    a time to look at for what makes people stand out.

    >>> import pandas as pd
    >>> people = pd.DataFrame({"age": [30, 30, 31], "sex": ["F", "F", "M"], "ill": ["a", "b", "a"]})
    >>> found = check(people, ["age", "sex"], k=2, sensitive=["ill"])
    >>> found.holds, found.k, found.distinct_l
    (False, 1, 1)
    """
    if quasi_identifiers is None and policy is None:
        raise TypeError("check needs quasi_identifiers or a policy")
    if k is not None and (isinstance(k, bool) or not hasattr(k, "__index__") or k < 1):
        raise ValueError(f"k must be a whole number of at least 1, not {k!r}")
    names = None if quasi_identifiers is None else names_of(quasi_identifiers)
    guarded = names_of(sensitive)
    both = [name for name in names or [] if name in guarded]
    if both:
        raise ValueError(f"column `{both[0]}` cannot be both a quasi-identifier and sensitive; name it once")
    given, _ = take(data)
    people = None if population is None else take(population)[0]
    against = _Against(names, None if k is None else int(k), guarded, subsets)
    argument = None if policy is None else _argument(policy)
    found, shown = _coarsen.check(given, argument, against, people, options(threads, None))
    return Audit(json.loads(found), shown)


def names_of(names: str | Iterable[str]) -> list[str]:
    """One name or several, as a list."""
    return [names] if isinstance(names, str) else list(names)
