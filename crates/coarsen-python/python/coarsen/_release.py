"""Releases, audits, profiles and comparisons: the calls of the package."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from . import _coarsen
from ._audit import Audit
from ._frames import give_any, take
from ._html import bars, page, table_of
from ._policy import Argument, Policy, PolicyLike, _argument, as_policy
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
        lines = [
            ("smallest class", f"{before['k']:,}", f"{self.audit.k:,}"),
            ("unique rows", f"{before['uniques']:,}", f"{risk['uniques']:,}"),
            ("classes", f"{before['combinations']:,}", f"{self.audit.classes:,}"),
            ("highest risk", f"{1 / before['k']:.1%}", f"{risk['prosecutor_max']:.1%}"),
            ("average risk", f"{before['combinations'] / before['rows']:.1%}", f"{risk['prosecutor_mean']:.1%}"),
        ]
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
        places = [None if path is None else os.fspath(path) for path in (given, output, recoding)]
        with Shown(progress) as listener:
            made = _coarsen.run(argument, *places, options(threads, listener))
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
    names = None if quasi_identifiers is None else _names(quasi_identifiers)
    guarded = _names(sensitive)
    both = [name for name in names or [] if name in guarded]
    if both:
        raise ValueError(f"column `{both[0]}` cannot be both a quasi-identifier and sensitive; name it once")
    given, _ = take(data)
    people = None if population is None else take(population)[0]
    against = _Against(names, None if k is None else int(k), guarded, subsets)
    argument = None if policy is None else _argument(policy)
    return Audit._read(_coarsen.check(given, argument, against, people, options(threads, None)))


def _names(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


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
    >>> people = pd.DataFrame({"age": range(40), "sex": ["F", "M"] * 20})
    >>> policy = Policy(k=2, quasi_identifiers=["age", "sex"])
    >>> [(row["k"], row["smallest_class"]) for row in compare(people, policy, k=[2, 5, 41]).rows]
    [(2, 2), (5, 5), (41, None)]
    """
    from ._errors import CoarsenError

    base = as_policy(policy)
    grid = base.to_dict()
    ks = [base.k] if k is None else [k] if isinstance(k, int) else list(k)
    algorithms = [grid["search"]["algorithm"]] if algorithm is None else _names(algorithm)
    losses = [grid["search"]["loss"]] if loss is None else _names(loss)
    rows, releases = [], []
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
