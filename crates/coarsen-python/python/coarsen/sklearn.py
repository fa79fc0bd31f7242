"""A scikit-learn transformer: learn a recoding on training data, and see any data through it.

    from sklearn.pipeline import make_pipeline
    from coarsen.sklearn import Coarsener

    model = make_pipeline(Coarsener(k=50), encoder, DecisionTreeClassifier()).fit(train, target)

It shows what a model can still learn from a release. It releases nothing itself: for a release, call
:func:`coarsen.release`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from . import _coarsen
from ._frames import take
from ._hierarchy import Hierarchy
from ._policy import Policy
from ._progress import options
from ._recoding import Recoding
from ._release import Release

__all__ = ["Coarsener"]


class Coarsener(TransformerMixin, BaseEstimator):
    """Coarsens columns until every row of the training data hides among at least ``k``.

    Parameters
    ----------
    k : the rows that every class has at least.
    quasi_identifiers : the columns to coarsen; all of them by default. Others pass through.
    hierarchies : a :class:`coarsen.Hierarchy` (or what a policy says of a column) by column.
    algorithm, loss, settings, seed : how to look for the recoding, as in a policy. Mondrian by default,
        which cuts for the target where ``fit`` is given one (``split = "auto"``).
    scheme : which groups a column of names may be cut into; see :func:`coarsen.schemes`. By default any
        runs of its values, which tell a model most; ``level`` and ``cut`` keep to a hierarchy's names.
    represent : what stands for a block of numbers: ``midpoint``, ``median``, ``mean``, ``bounds`` (two
        columns) or ``range`` (a label). Names are labels.
    suppression : the share of training rows that may be left out of the classes.
    threads : how many threads to use; all cores by default.

    Attributes
    ----------
    recoding_ : the :class:`coarsen.Recoding` that was found.
    release_ : the :class:`coarsen.Release` of the training data that proves it.

    What ``transform`` makes of a row depends on that row alone. Numbers beyond those of the training data
    are taken as its nearest; a name that it did not have makes the row's values missing (``*``).

    >>> import numpy as np
    >>> X = np.array([[1.0], [2.0], [3.0], [10.0], [11.0], [12.0]])
    >>> Coarsener(k=3).fit_transform(X).ravel().tolist()
    [5.5, 5.5, 5.5, 11.0, 11.0, 11.0]
    """

    def __init__(
        self,
        k: int = 5,
        *,
        quasi_identifiers: Sequence[str] | None = None,
        hierarchies: Mapping[str, Any] | None = None,
        algorithm: str = "mondrian",
        loss: str = "lm",
        settings: Mapping[str, Mapping[str, Any]] | None = None,
        scheme: str | None = "ordered",
        represent: str = "midpoint",
        suppression: float = 0.0,
        seed: int = 1,
        threads: int | None = None,
    ) -> None:
        self.k = k
        self.quasi_identifiers = quasi_identifiers
        self.hierarchies = hierarchies
        self.algorithm = algorithm
        self.loss = loss
        self.settings = settings
        self.scheme = scheme
        self.represent = represent
        self.suppression = suppression
        self.seed = seed
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> Coarsener:
        """Finds the recoding; ``y``, where it is given, is what the classes should still tell."""
        import pyarrow

        frame, arrow = self._taken(X, reset=True)
        names = arrow.column_names
        if arrow.num_rows < self.k:
            raise ValueError(
                f"Found array with {arrow.num_rows} sample(s) while a minimum of {self.k} is required, "
                f"for k is {self.k}: n_samples = {arrow.num_rows} is too few"
            )
        chosen = names if self.quasi_identifiers is None else list(self.quasi_identifiers)
        self._ranges = _ranges(arrow, chosen)
        arrow = _clipped(arrow, self._ranges)
        columns: dict[str, Any] = {name: {"role": "other"} for name in names}
        for name in chosen:
            columns[name] = self._described(name)
        if y is not None:
            name = _free("target", names)
            arrow = arrow.append_column(name, _target(y, arrow.num_rows))
            columns[name] = {"role": "target"}
        policy = Policy(
            k=self.k,
            columns=columns,
            algorithm=self.algorithm,
            loss=self.loss,
            settings=self.settings,
            suppression=self.suppression,
            seed=self.seed,
        )
        made, released, saved, evidence = _coarsen.release(
            arrow, policy._argument(), options(self.threads, None)
        )
        self.recoding_ = Recoding(saved)
        self.release_ = Release(json.loads(made), pyarrow.table(released), self.recoding_, evidence)
        self._names = names
        self._outputs = self._row_by_row(arrow.slice(0, 1).select(names)).column_names
        del frame
        return self

    def transform(self, X: Any) -> Any:
        """The rows as the recoding shows them: a frame for a frame, an array for an array."""
        check_is_fitted(self)
        frame, arrow = self._taken(X, reset=False)
        arrow = _clipped(arrow, self._ranges)
        table = self._row_by_row(arrow)
        columns = [_plain(column) for column in table.columns]
        if frame is None:
            kind = object if any(column.dtype == object for column in columns) else numpy.float64
            stacked = numpy.empty((table.num_rows, len(columns)), dtype=kind)
            for place, column in enumerate(columns):
                stacked[:, place] = column
            return stacked
        return frame(dict(zip(table.column_names, columns)))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the columns that ``transform`` gives."""
        check_is_fitted(self)
        if input_features is not None and list(input_features) != self._names:
            raise ValueError("input_features is not equal to feature_names_in_")
        return numpy.asarray(self._outputs, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "recoding_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _described(self, name: str) -> dict[str, Any]:
        described = (self.hierarchies or {}).get(name) or {}
        if isinstance(described, Hierarchy):
            described = {"hierarchy": described}
        return {"role": "quasi-identifier", "scheme": self.scheme, "represent": self.represent, **described}

    def _row_by_row(self, arrow: Any) -> Any:
        import pyarrow

        return pyarrow.table(self.recoding_._row_by_row(arrow, self.threads))

    def _taken(self, X: Any, reset: bool) -> tuple[Any, Any]:
        """How to make a frame of X's kind (``None`` for an array), and X as an Arrow table."""
        import pyarrow

        if hasattr(X, "columns") and not hasattr(X, "__array_interface__"):
            validate_data(self, X, reset=reset, skip_check_array=True)
            given, _ = take(X)
            return _frame_like(X), pyarrow.table(given)
        # Names and numbers may stand side by side in an array of objects.
        checked = validate_data(
            self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan", accept_sparse=False
        )
        if numpy.iscomplexobj(checked):
            raise ValueError("Complex data not supported")
        names = [f"x{place}" for place in range(checked.shape[1])]
        columns = [_column(checked[:, place]) for place in range(checked.shape[1])]
        return None, pyarrow.table(dict(zip(names, columns)))


def _column(cells: Any) -> Any:
    import pyarrow

    if cells.dtype == object:
        kinds = {type(cell) for cell in cells if cell is not None and cell == cell}
        if len(kinds) > 1 and not all(issubclass(kind, (int, float, numpy.number)) for kind in kinds):
            raise TypeError("argument must be a string or a number: a column holds values of different types")
        if any(issubclass(kind, (dict, list)) for kind in kinds):
            raise TypeError("argument must be a string or a number")
        if all(issubclass(kind, (int, float, numpy.number)) for kind in kinds):
            cells = cells.astype(numpy.float64)
    if cells.dtype.kind == "f":
        if numpy.isinf(cells).any():
            raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
        return pyarrow.array(cells.astype(numpy.float64), from_pandas=True)
    if cells.dtype.kind in "US":
        return pyarrow.array(cells.astype(str).tolist())
    return pyarrow.array(cells, from_pandas=True)


def _frame_like(X: Any) -> Any:
    module = type(X).__module__.partition(".")[0]
    if module == "polars":
        import polars

        return polars.DataFrame
    import pandas

    index = getattr(X, "index", None)
    index = index if isinstance(index, pandas.Index) else None
    return lambda columns: pandas.DataFrame(columns, index=index)


def _plain(column: Any) -> Any:
    """A column as an array: numbers, or texts with ``None`` for what is missing."""
    import pyarrow

    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pyarrow.types.is_integer(column.type) or pyarrow.types.is_boolean(column.type):
        return column.to_numpy() if column.null_count == 0 else column.cast("float64").to_numpy()
    return column.to_numpy(zero_copy_only=False)


def _ranges(arrow: Any, names: Sequence[str]) -> dict[str, tuple[Any, Any]]:
    import pyarrow
    import pyarrow.compute

    ranges = {}
    for name in names:
        column = arrow.column(name)
        if pyarrow.types.is_integer(column.type) or pyarrow.types.is_floating(column.type):
            ends = pyarrow.compute.min_max(column)
            if ends["min"].is_valid:
                ranges[name] = (ends["min"].as_py(), ends["max"].as_py())
    return ranges


def _clipped(arrow: Any, ranges: Mapping[str, tuple[Any, Any]]) -> Any:
    import pyarrow.compute

    for name, (low, high) in ranges.items():
        place = arrow.schema.get_field_index(name)
        if place >= 0:
            cells = arrow.column(place)
            kept = pyarrow.compute.max_element_wise(cells, pyarrow.scalar(low, cells.type), skip_nulls=False)
            kept = pyarrow.compute.min_element_wise(kept, pyarrow.scalar(high, cells.type), skip_nulls=False)
            arrow = arrow.set_column(place, name, kept)
    return arrow


def _target(y: Any, rows: int) -> Any:
    import pyarrow

    y = column_or_1d(y, warn=True)
    if len(y) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(y)}]")
    if y.dtype.kind == "f" and not numpy.isfinite(y).all():
        raise ValueError("Input y contains NaN, infinity or a value too large for dtype('float64').")
    if type_of_target(y).startswith("continuous"):
        return pyarrow.array(y.astype(numpy.float64))
    return pyarrow.array([str(value) for value in y])


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name
