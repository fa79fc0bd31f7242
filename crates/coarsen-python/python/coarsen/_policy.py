"""Policies, built in Python."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Union

from . import _coarsen
from ._errors import PolicyError
from ._hierarchy import Hierarchy


#: A column's description: a role's own words, a hierarchy, or the keys that a policy has for a column.
Described = Union[Mapping[str, Any], Hierarchy, None]
#: Columns of one role: their names, or descriptions by their names.
Columns = Union[str, Iterable[str], Mapping[str, Described]]


class Policy:
    """What each column is, what every class must meet, and how to look for the release.

    >>> from coarsen import Hierarchy
    >>> policy = Policy(
    ...     k=5,
    ...     identifiers=["name"],
    ...     quasi_identifiers={"age": Hierarchy.intervals(5, 10, 20), "sex": None},
    ...     sensitive=["disease"],
    ...     diversity={"disease": {"distinct": 2}},
    ...     suppression=0.05,
    ... )
    >>> policy.k
    5
    >>> sorted(policy.columns)
    ['age', 'disease', 'name', 'sex']

    Every column of the data needs a role: there is no default. The keywords are the policy file's keys;
    ``settings`` holds an algorithm's own, such as ``{"mondrian": {"split": "median"}}``. What is wrong
    raises :class:`~coarsen.PolicyError` at once:

    >>> Policy(k=-1, quasi_identifiers=["age"])
    Traceback (most recent call last):
    coarsen.PolicyError: policy (privacy.k): `privacy.k` must be a whole number, 0 or more, but it is the number -1.
      help: Give it a whole number, 0 or more.
    """

    def __init__(
        self,
        *,
        k: int | None = None,
        columns: Mapping[str, Described] | None = None,
        quasi_identifiers: Columns = (),
        sensitive: Columns = (),
        targets: Columns = (),
        identifiers: Columns = (),
        others: Columns = (),
        diversity: Mapping[str, Any] | Iterable[Mapping[str, Any]] = (),
        closeness: Mapping[str, float] | Iterable[Mapping[str, Any]] = (),
        suppression: float | None = None,
        suppression_mode: str | None = None,
        algorithm: str | None = None,
        loss: str | None = None,
        budget: str | float | datetime.timedelta | None = None,
        seed: int | None = None,
        settings: Mapping[str, Mapping[str, Any]] | None = None,
        weights: Mapping[str, float] | None = None,
        selections: Iterable[str] = (),
        missing: Iterable[str] | None = None,
        missing_values: str | None = None,
        order: str | None = None,
        unseen: str | None = None,
        shortfall: str | None = None,
        threads: int | None = None,
        memory: str | None = None,
    ) -> None:
        described: dict[str, Any] = {name: _column(None, column) for name, column in (columns or {}).items()}
        roles = {
            "quasi-identifier": quasi_identifiers,
            "sensitive": sensitive,
            "target": targets,
            "identifier": identifiers,
            "other": others,
        }
        for role, names in roles.items():
            for name, column in _named(names).items():
                if name in described:
                    raise PolicyError(
                        f"policy (columns.{name}): column `{name}` has two roles",
                        "name it once",
                        f"columns.{name}",
                    )
                described[name] = _column(role, column)
        if isinstance(budget, (int, float, datetime.timedelta)):
            budget = f"{max(1, round(seconds_of(budget) * 1000))}ms"
        search = {
            "algorithm": algorithm,
            "loss": loss,
            "budget": budget,
            "seed": seed,
            "threads": threads,
            **(settings or {}),
        }
        self._hold(
            {
                "version": 1,
                "input": {
                    "missing": None if missing is None else list(missing),
                    "missing_values": missing_values,
                },
                "output": {"order": order},
                "columns": described,
                "privacy": {
                    "k": k,
                    "diversity": _demands(diversity),
                    "closeness": _demands(closeness, "t"),
                },
                "suppression": {"limit": suppression, "mode": suppression_mode},
                "search": search,
                "apply": {"unseen": unseen, "shortfall": shortfall},
                "workload": {
                    "targets": [{"column": c, "weight": w} for c, w in (weights or {}).items()],
                    "selections": list(selections),
                },
                "engine": {"memory": memory},
            },
            Path(),
        )

    def _hold(self, keys: Mapping[str, Any], folder: Path) -> None:
        self._keys = plain(keys)
        self._folder = folder.absolute()
        checked = _coarsen.check_policy(self._argument())
        self._checked: dict[str, Any] = json.loads(checked)

    @classmethod
    def from_dict(cls, keys: Mapping[str, Any], folder: str | os.PathLike[str] = "") -> Policy:
        """A policy from the keys of its file. Paths in it start from ``folder``.

        >>> Policy.from_dict({"columns": {"age": {"role": "quasi-identifier"}}, "privacy": {"k": 3}}).k
        3
        """
        policy = cls.__new__(cls)
        policy._hold(keys, Path(folder))
        return policy

    @classmethod
    def load(cls, path: str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> Policy:
        """A policy from a TOML file; ``set`` overrides its keys, as in ``{"privacy.k": 10}``."""
        keys = json.loads(_coarsen.check_policy(_argument(path, set)))
        return cls.from_dict(keys, Path(path).parent)

    def _argument(self) -> Argument:
        return Argument(None, json.dumps(self._keys), [], str(self._folder))

    @property
    def k(self) -> int:
        """The rows that every class has at least."""
        return self._checked["privacy"]["k"]

    @property
    def columns(self) -> dict[str, dict[str, Any]]:
        """What each column is."""
        return self._checked["columns"]

    def replaced(self, **set: Any) -> Policy:
        """The same policy with other values at dotted keys, with ``__`` for a dot.

        >>> policy = Policy(k=5, quasi_identifiers=["age"])
        >>> policy.replaced(privacy__k=10, search__algorithm="datafly").k
        10
        """
        keys = json.loads(json.dumps(self._keys))
        for name, value in set.items():
            *steps, last = name.split("__")
            place = keys
            for step in steps:
                place = place.setdefault(step, {})
            place[last] = plain(value)
        return Policy.from_dict(keys, self._folder)

    def to_dict(self) -> dict[str, Any]:
        """All keys with their values, defaults included."""
        return json.loads(json.dumps(self._checked))

    def __repr__(self) -> str:
        roles: dict[str, list[str]] = {}
        for name, column in self.columns.items():
            roles.setdefault(column["role"], []).append(name)
        told = "; ".join(f"{role}: {', '.join(names)}" for role, names in roles.items())
        return f"<coarsen.Policy k={self.k}; {told}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and self._checked == other._checked

    __hash__ = None  # type: ignore[assignment]


class Argument(NamedTuple):
    """A policy as the native part takes it."""

    path: str | None
    json: str | None
    overrides: list[tuple[str, str]]
    folder: str


#: A policy: an object, the keys of its file, or its file.
PolicyLike = Union[Policy, Mapping[str, Any], str, "os.PathLike[str]"]


def _argument(policy: PolicyLike, set: Mapping[str, Any] | None = None) -> Argument:
    texts = [
        (key, value if isinstance(value, str) else json.dumps(plain(value))) for key, value in (set or {}).items()
    ]
    if isinstance(policy, Policy):
        return _set(policy._argument(), texts)
    if isinstance(policy, Mapping):
        return _set(Argument(None, json.dumps(plain(policy)), [], os.getcwd()), texts)
    if isinstance(policy, (str, os.PathLike)):
        return Argument(os.fspath(policy), None, texts, "")
    raise TypeError(f"a policy is a Policy, a dict or a path, not {type(policy).__name__}")


def _set(argument: Argument, set: Iterable[tuple[str, str]]) -> Argument:
    """The same policy with other values at dotted keys, as ``--set`` takes them."""
    if argument.path is not None:
        return argument._replace(overrides=[*argument.overrides, *set])
    keys = json.loads(argument.json or "{}")
    for key, text in set:
        *steps, last = key.split(".")
        place = keys
        for step in steps:
            place = place.setdefault(step, {})
        try:
            place[last] = json.loads(text)
        except ValueError:
            place[last] = text
    return argument._replace(json=json.dumps(keys))


#: The units of a time, in seconds, as a policy writes them.
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(time: str | float | datetime.timedelta) -> float:
    """A time in seconds: a number of them, a difference of times, or a text such as ``30s``."""
    if isinstance(time, datetime.timedelta):
        time = time.total_seconds()
    if isinstance(time, str):
        number = time.rstrip("hms")
        unit = _UNITS.get(time[len(number) :])
        try:
            time = float(number) * (unit if unit is not None else float("nan"))
        except ValueError:
            time = float("nan")
    if not 0 < time < float("inf"):
        raise ValueError("budget must be a time of more than 0, such as 30 (seconds), '30s' or '5m'")
    return float(time)


def plain(value: Any) -> Any:
    """A value as JSON holds it; what is ``None`` is left out."""
    if isinstance(value, Hierarchy):
        return plain(value.to_dict())
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items() if each is not None}
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        return value.item()
    if isinstance(value, Iterable):
        return [plain(each) for each in value]
    raise TypeError(f"a policy cannot hold a {type(value).__name__}")


def _named(names: Columns) -> dict[str, Described]:
    if isinstance(names, str):
        return {names: None}
    if isinstance(names, Mapping):
        return dict(names)
    return {name: None for name in names}


def _column(role: str | None, described: Described) -> dict[str, Any]:
    if isinstance(described, Hierarchy):
        described = {"hierarchy": described}
    column = dict(described or {})
    if role is not None:
        column["role"] = role
    return column


def _demands(demands: Any, figure: str | None = None) -> list[dict[str, Any]]:
    if not isinstance(demands, Mapping):
        return [dict(demand) for demand in demands]
    return [
        {"column": column, **({figure: demand} if figure else demand)} for column, demand in demands.items()
    ]
