"""What there is to choose from: the tables of the library."""

from __future__ import annotations

import json
from typing import Any

from . import _coarsen


def _catalog(table: str) -> list[dict[str, Any]]:
    return json.loads(_coarsen.catalog(table))


def algorithms() -> list[dict[str, Any]]:
    """The searches there are, with what each does and its settings.

    >>> "mondrian" in [entry["name"] for entry in algorithms()]
    True
    """
    return _catalog("algorithms")


def losses() -> list[dict[str, Any]]:
    """The losses there are, with what each measures.

    >>> "lm" in [entry["name"] for entry in losses()]
    True
    """
    return _catalog("losses")


def requirements() -> list[dict[str, Any]]:
    """The requirements there are, with what each demands of a class.

    >>> requirements()[0]["name"]
    'k'
    """
    return _catalog("requirements")


def schemes() -> list[dict[str, Any]]:
    """Which partitions of its domain a column may have.

    >>> len(schemes())
    6
    """
    return _catalog("schemes")
