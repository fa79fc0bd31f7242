"""Tables on their way in and out: what comes back is of the kind that went in."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from . import _coarsen
from ._errors import CoarsenError, DataError

Giver = Callable[[_coarsen.ArrowTable], Any]


def take(data: Any) -> tuple[Any, Giver]:
    """The data as the native part takes them (a path, or an object with Arrow's PyCapsule interface),
    and a function that turns a released table into what the user works with."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data), give_any
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        table = _from_pandas(data)
        return table, lambda released: _to_pandas(released, data, table.schema)
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(data, polars.LazyFrame):
        frame = data.collect()
        return _from_polars(frame), lambda released: _to_polars(released, frame).lazy()
    if polars is not None and isinstance(data, polars.DataFrame):
        return _from_polars(data), lambda released: _to_polars(released, data)
    is_table = hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")
    if is_table and not _is_column(data):
        return data, give_any
    # A connection of DuckDB with a result, and its results of before they had the interface.
    if type(data).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
        for name in ("to_arrow_reader", "fetch_record_batch", "arrow"):
            if hasattr(data, name):
                return getattr(data, name)(), give_any
    raise TypeError(
        f"data must be a path, or a table that gives Arrow data (pandas, polars, pyarrow, DuckDB), "
        f"not {type(data).__name__}"
    )


def _is_column(data: Any) -> bool:
    """Whether it is one column of a library that gives columns as it gives tables."""
    kind = type(data)
    library = kind.__module__.partition(".")[0]
    name = kind.__name__
    is_array = name == "Series" or (name.endswith("Array") and name != "StructArray")
    return library in ("pandas", "polars", "pyarrow") and is_array


def give_any(released: _coarsen.ArrowTable) -> Any:
    """A ``pyarrow.Table`` where pyarrow is installed; else a table that any Arrow library takes."""
    try:
        import pyarrow
    except ImportError:
        return released
    return pyarrow.table(released)


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise CoarsenError(
            "a pandas frame crosses by way of pyarrow, which is not installed", "pip install pyarrow"
        ) from None
    return pyarrow


def _from_pandas(frame: Any) -> Any:
    pyarrow = _pyarrow()
    names = list(frame.columns)
    for place, name in enumerate(names):
        if not isinstance(name, str):
            raise DataError(
                f"the table: the name of column {place + 1} is no text",
                "name the columns by texts, such as frame.columns = frame.columns.map(str)",
            )
    doubles = frame.columns[frame.columns.duplicated()]
    if len(doubles) > 0:
        raise DataError(
            f"the table: column `{doubles[0]}` stands there twice", "give every column a name of its own"
        )
    try:
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
        # What Arrow says quotes a cell, so only the column is named.
        for name in names:
            try:
                pyarrow.Array.from_pandas(frame[name])
            except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
                raise DataError(
                    f"the table: column `{name}` holds values of different types, or of a type that Arrow lacks",
                    f"make them one type first, such as frame[{name!r}].astype(str)",
                ) from None
        raise DataError("the table: it cannot be read as Arrow data") from None


def _to_pandas(released: _coarsen.ArrowTable, came: Any, schema: Any) -> Any:
    import pandas

    pyarrow = _pyarrow()
    table = pyarrow.table(released)
    columns = {}
    for name, column in zip(table.column_names, table.columns):
        place = schema.get_field_index(name)
        if place >= 0 and schema.field(place).type == column.type:
            columns[name] = _as_it_came(column, came[name].dtype)
        elif pyarrow.types.is_date32(column.type):
            columns[name] = column.cast(pyarrow.timestamp("s")).to_pandas()
        else:
            columns[name] = column.to_pandas()
    # The index names rows, and nobody gave it a role: it is not released.
    return pandas.DataFrame(columns, index=pandas.RangeIndex(table.num_rows), copy=False)


def _as_it_came(column: Any, dtype: Any) -> Any:
    """A column that was not coarsened, with the dtype that it had."""
    import pandas

    if hasattr(dtype, "__from_arrow__"):
        return pandas.Series(dtype.__from_arrow__(column))
    series = column.to_pandas()
    return series if series.dtype == dtype else series.astype(dtype)


def _from_polars(frame: Any) -> Any:
    import polars

    for name, dtype in frame.schema.items():
        # Objects would cross as the addresses where they lie.
        if dtype in (polars.Object, polars.Int128, getattr(polars, "UInt128", polars.Int128)):
            raise DataError(
                f"the table: column `{name}` is of polars' type {dtype}, which does not cross as Arrow data",
                f"convert it first, such as frame.with_columns(polars.col({name!r}).cast(polars.String))",
            )
    # Nothing but missing values: texts that are all missing cross, too.
    empty = [name for name, dtype in frame.schema.items() if dtype == polars.Null]
    return frame.with_columns(polars.col(empty).cast(polars.String)) if empty else frame


def _to_polars(released: _coarsen.ArrowTable, came: Any) -> Any:
    import polars

    frame = polars.DataFrame(released)
    # Categories that were not coarsened keep their own kind.
    back = {
        name: dtype
        for name, dtype in came.schema.items()
        if name in frame.columns
        and frame.schema[name] != dtype
        and (
            (dtype == polars.Null and frame[name].null_count() == len(frame))
            or (
                dtype in (polars.Categorical, polars.Enum)
                and isinstance(frame.schema[name], (polars.Categorical, polars.String))
                and not _was_coarsened(frame[name], came[name])
            )
        )
    }
    return frame.cast(back) if back else frame


def _was_coarsened(after: Any, before: Any) -> bool:
    known = set(before.cat.get_categories().to_list())
    return not set(after.cast(str).unique().drop_nulls().to_list()) <= known
