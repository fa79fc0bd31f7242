"""A first look at a table that nobody has described yet."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from . import _coarsen
from ._frames import take
from ._html import page, table_of
from ._policy import Policy, _argument
from ._progress import options


class Profile:
    """What a table holds, column by column, and the roles that this suggests.

    ``rows``, ``columns`` (facts, with ``role``, ``why`` and ``suggestion`` of each) and ``together`` (how
    many rows stand alone by the suggested quasi-identifiers). ``draft`` is the text of a policy to start
    from, and ``policy()`` the same as an object. Confirm the roles: that is a decision only you can take.
    """

    rows: int
    columns: list[dict[str, Any]]
    together: dict[str, Any]

    def __init__(self, found: dict[str, Any], draft: str) -> None:
        self._found = found
        self.draft = draft
        self.rows = found["rows"]
        self.columns = found["columns"]
        self.together = found["together"]
        self.missing_words: list[dict[str, Any]] = found["missing_words"]

    def policy(self) -> Policy:
        """The draft as a policy."""
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "policy.toml"
            path.write_text(self.draft, encoding="utf-8")
            keys = json.loads(_coarsen.check_policy(_argument(path)))
        keys["input"].pop("path"), keys["output"].clear()
        return Policy.from_dict(keys)

    def to_dict(self) -> dict[str, Any]:
        """Everything, by the names that ``coarsen init --json`` gives it."""
        return json.loads(json.dumps(self._found))

    def __repr__(self) -> str:
        roles = ", ".join(f"{column['name']}: {column['role']}" for column in self.columns)
        return f"<coarsen.Profile of {self.rows} rows; {roles}>"

    def _repr_html_(self) -> str:
        lines = [
            (c["name"], c["type"], f"{c['distinct']:,}", f"{c['missing']:,}", c["role"], c["why"])
            for c in self.columns
        ]
        head = ("column", "type", "distinct", "missing", "suggested role", "why")
        return page(f"Profile of {self.rows:,} rows", table_of(lines, head))


def profile(data: Any, *, threads: int | None = None) -> Profile:
    """Looks at every column of a table and suggests its role.

    >>> import pandas as pd
    >>> found = profile(pd.DataFrame({"name": ["Ann", "Bob"], "age": [30, 41]}))
    >>> found.rows, [column["name"] for column in found.columns]
    (2, ['name', 'age'])
    """
    given, _ = take(data)
    name = os.path.abspath(given) if isinstance(given, str) else "data.csv"
    found, draft = _coarsen.profile(given, name, options(threads, None))
    return Profile(json.loads(found), draft)
