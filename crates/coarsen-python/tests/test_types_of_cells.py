"""Columns of every type: released as they came, coarsened rightly, or refused by name. Never a wrong release."""

from __future__ import annotations

import datetime
import decimal
import subprocess
import sys

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import recounted

import coarsen
from coarsen import DataError, Policy

COUNT = 12
X = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
DAYS = [datetime.date(2024, 1, 1 + i) for i in range(COUNT)]
DECIMALS = [decimal.Decimal(f"{i}.50") for i in range(COUNT)]
LETTERS = ["a", "b", "c"] * 4
AS_IT_IS = Policy(k=3, quasi_identifiers=["x"], others=["y"])
COARSENED = Policy(k=3, quasi_identifiers=["x", "y"])

PANDAS = {
    "timedelta": pandas.to_timedelta(range(COUNT), "D"),
    "time zone": pandas.date_range("2024-03-30", periods=COUNT, freq="D", tz="Europe/Vienna"),
    "nanoseconds": pandas.to_datetime(["2024-01-01 12:34:56.123456789"] * COUNT),
    "dates": DAYS,
    "times": [datetime.time(i) for i in range(COUNT)],
    "decimals": DECIMALS,
    "large unsigned": numpy.array([2**63 + i for i in range(COUNT)], dtype="uint64"),
    "small": numpy.arange(COUNT, dtype="int8"),
    "short floats": numpy.arange(COUNT, dtype="float32"),
    "infinite": [numpy.inf, -numpy.inf, 0.5] * 4,
    "truth": [True, False] * 6,
    "truth with gaps": [True, False, None] * 4,
    "nullable truth": pandas.array([True, False, None] * 4, dtype="boolean"),
    "nullable integers": pandas.array([1, None, 3] * 4, dtype="Int64"),
    "nullable texts": pandas.array(["a", None, "b"] * 4, dtype="string"),
    "arrow texts": pandas.array(["a", None, "b"] * 4, dtype=pandas.ArrowDtype(pyarrow.string())),
    "arrow dictionary": pandas.array(
        ["a", "b"] * 6, dtype=pandas.ArrowDtype(pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))
    ),
    "category": pandas.Categorical(LETTERS),
    "ordered category": pandas.Categorical(LETTERS, categories=["c", "b", "a"], ordered=True),
    "category of numbers": pandas.Categorical([3, 1, 2] * 4),
    "category with gaps": pandas.Categorical(["a", None, "c"] * 4),
    "category of dates": pandas.Categorical(pandas.date_range("2024-01-01", periods=COUNT)),
    "months": pandas.period_range("2024-01", periods=COUNT, freq="M"),
    "bytes": [b"a", b"b"] * 6,
    "nothing": [None] * COUNT,
    "not a number": [numpy.nan] * COUNT,
    "empty texts": ["", "a", ""] * 4,
}

POLARS = {
    "time zone": polars.Series(pandas.date_range("2024-03-30", periods=COUNT, tz="America/New_York")),
    "span": polars.Series([datetime.timedelta(i) for i in range(COUNT)]),
    "time": polars.Series([datetime.time(i) for i in range(COUNT)]),
    "decimal": polars.Series(DECIMALS),
    "category": polars.Series(LETTERS, dtype=polars.Categorical),
    "enum": polars.Series(LETTERS, dtype=polars.Enum(["c", "b", "a"])),
    "nothing": polars.Series([None] * COUNT),
    "bytes": polars.Series([b"a"] * COUNT),
    "large unsigned": polars.Series([2**63 + i for i in range(COUNT)], dtype=polars.UInt64),
}

ARROW = {
    "texts in views": pyarrow.array(LETTERS).cast(pyarrow.string_view()),
    "large texts": pyarrow.array(LETTERS, pyarrow.large_string()),
    "dictionary": pyarrow.array(LETTERS).dictionary_encode(),
    "dictionary of numbers": pyarrow.array([5, 6, 7] * 4).dictionary_encode(),
    "chunks": pyarrow.chunked_array([["a"] * 5, ["b"] * 7]),
    "chunks with dictionaries of their own": pyarrow.chunked_array(
        [pyarrow.array(["a"] * 5).dictionary_encode(), pyarrow.array(["b"] * 7).dictionary_encode()]
    ),
    "runs": pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([6, 12], pyarrow.int32()), pyarrow.array(["a", "b"])),
    "moments": pyarrow.array([datetime.datetime(2024, 1, 1, i) for i in range(COUNT)], pyarrow.timestamp("s", "UTC")),
    "days": pyarrow.array(DAYS, pyarrow.date64()),
    "spans": pyarrow.array([datetime.timedelta(i) for i in range(COUNT)]),
    "wide decimals": pyarrow.array(DECIMALS, pyarrow.decimal256(50, 2)),
    "bytes of one length": pyarrow.array([bytes(16)] * COUNT, pyarrow.binary(16)),
    "nothing": pyarrow.nulls(COUNT),
}


@pytest.mark.parametrize("kind", PANDAS)
def test_pandas_columns_that_are_not_coarsened_come_back_as_they_came(kind):
    frame = pandas.DataFrame({"x": X, "y": PANDAS[kind]})
    table = coarsen.release(frame, AS_IT_IS.replaced(output__order="keep")).table
    pandas.testing.assert_series_equal(table["y"], frame["y"], check_freq=False, check_categorical=False)
    assert table["y"].dtype == frame["y"].dtype


@pytest.mark.parametrize("kind", POLARS)
def test_polars_columns_that_are_not_coarsened_come_back_as_they_came(kind):
    frame = polars.DataFrame({"x": X, "y": POLARS[kind]})
    table = coarsen.release(frame, AS_IT_IS.replaced(output__order="keep")).table
    assert table["y"].equals(frame["y"], check_dtypes=True)


@pytest.mark.parametrize("kind", ARROW)
def test_arrow_columns_that_are_not_coarsened_come_back_as_they_came(kind):
    table = pyarrow.table({"x": X, "y": ARROW[kind]})
    released = coarsen.release(table, AS_IT_IS.replaced(output__order="keep")).table
    assert released["y"].type == table["y"].type
    assert released["y"].to_pylist() == table["y"].to_pylist()


#: Columns that cannot be coarsened, and what is said.
REFUSED = {
    ("pandas", "timedelta"): "column `y` holds spans of time",
    ("pandas", "months"): "column `y` is of the type pandas.period",
    ("pandas", "large unsigned"): "whole number of 64 bits",
    ("pandas", "infinite"): "column `y`: the cell cannot be read as decimal",
    ("polars", "span"): "column `y` holds spans of time",
    ("polars", "large unsigned"): "whole number of 64 bits",
    ("arrow", "spans"): "column `y` holds spans of time",
    ("arrow", "bytes of one length"): "column `y` holds bytes",
}


@pytest.mark.parametrize(
    ("library", "kind"),
    [*(("pandas", kind) for kind in PANDAS), *(("polars", kind) for kind in POLARS), *(("arrow", kind) for kind in ARROW)],
)
def test_columns_are_coarsened_or_refused(library, kind):
    data = {
        "pandas": lambda: pandas.DataFrame({"x": X, "y": PANDAS[kind]}),
        "polars": lambda: polars.DataFrame({"x": X, "y": POLARS[kind]}),
        "arrow": lambda: pyarrow.table({"x": X, "y": ARROW[kind]}),
    }[library]()
    if (library, kind) in REFUSED:
        with pytest.raises(DataError, match=REFUSED[library, kind]) as caught:
            coarsen.release(data, COARSENED)
        assert caught.value.help
        with pytest.raises(DataError):
            coarsen.check(data, ["x", "y"]) if "infinite" not in kind else coarsen.release(data, COARSENED)
        return
    made = coarsen.release(data, COARSENED)
    table = pyarrow.table(made.table) if library != "pandas" else made.table
    table = table if library == "pandas" else table.select(["x", "y"])
    frame = table if library == "pandas" else pandas.DataFrame({name: table[name].to_pylist() for name in ("x", "y")})
    assert len(frame) == COUNT and recounted(frame, ["x", "y"]) == made.audit.k >= 3


NEITHER = {
    "lists": [[1, 2]] * COUNT,
    "objects": [{"a": 1}] * COUNT,
    "mixed": [1, "secret", 2.5, None] * 3,
    "numbers and texts": [1, "1"] * 6,
    "numbers beyond 64 bits": [2**70 + i for i in range(COUNT)],
    "complex": numpy.arange(COUNT) * 1j,
    "sparse": pandas.arrays.SparseArray([0, 0, 1] * 4),
    "intervals": pandas.interval_range(0, COUNT),
}


@pytest.mark.parametrize("kind", NEITHER)
def test_what_arrow_or_a_file_cannot_hold_is_refused_by_name(kind):
    frame = pandas.DataFrame({"x": X, "y": NEITHER[kind]})
    for policy in (AS_IT_IS, COARSENED):
        with pytest.raises(DataError, match="column `y`") as caught:
            coarsen.release(frame, policy)
        assert caught.value.help and "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "cells",
    [polars.Series([object()] * COUNT, dtype=polars.Object), polars.Series([2**100] * COUNT, dtype=polars.Int128)],
    ids=["objects", "long integers"],
)
def test_what_polars_alone_can_hold_is_refused_by_name(cells):
    for call in (lambda data: coarsen.release(data, AS_IT_IS), lambda data: coarsen.check(data, ["x"]), coarsen.profile):
        with pytest.raises(DataError, match="column `y`"):
            call(polars.DataFrame({"x": X, "y": cells}))


def test_nested_columns_may_be_dropped():
    frame = polars.DataFrame({"x": X, "y": [[1]] * COUNT})
    table = coarsen.release(frame, Policy(k=3, quasi_identifiers=["x"], identifiers=["y"])).table
    assert table.columns == ["x"] and table.height == COUNT


def test_two_levels_of_column_names(people):
    frame = people[["age", "sex"]].set_axis(pandas.MultiIndex.from_tuples([("a", "age"), ("a", "sex")]), axis=1)
    with pytest.raises(DataError, match="the name of column 1 is no text"):
        coarsen.release(frame, Policy(k=2, quasi_identifiers=["age"]))
    named = people[["age", "sex"]].rename_axis(columns="what")
    assert list(coarsen.release(named, Policy(k=2, quasi_identifiers=["age", "sex"])).table) == ["age", "sex"]


def test_dictionary_chunks_are_counted_as_texts():
    """Each chunk has its own dictionary: code 0 is `a` in one and `b` in the other."""
    chunks = [pyarrow.array(["a"] * 5).dictionary_encode(), pyarrow.array(["b"] * 7).dictionary_encode()]
    table = pyarrow.table({"y": pyarrow.chunked_array(chunks)})
    made = coarsen.release(table, Policy(k=5, quasi_identifiers=["y"]))
    assert made.audit.classes == 2 and made.table["y"].to_pylist() == ["a"] * 5 + ["b"] * 7


def test_results_of_duckdb(people, policy):
    connection = duckdb.connect()
    connection.register("given", people)
    wanted = coarsen.release(people, policy).table.astype(str)
    for ask in (connection.sql, connection.execute, lambda query: connection.sql(query).arrow()):
        table = coarsen.release(ask("select * from given"), policy).table
        released = table
        assert isinstance(released, pyarrow.Table)
        pandas.testing.assert_frame_equal(table.to_pandas().astype(str), wanted, check_dtype=False)
        # And back into it.
        assert duckdb.sql("select count(*) from released").fetchall() == [(60,)]


def test_without_pyarrow_any_arrow_library_takes_what_comes_back(people, policy):
    code = """
import sys
sys.modules["pyarrow"] = sys.modules["pandas"] = None
import polars, coarsen
frame = polars.DataFrame({"x": [1, 1, 2, 2], "y": ["a", "a", "b", "b"]})
policy = coarsen.Policy(k=2, quasi_identifiers=["x", "y"])
made = coarsen.release(frame, policy)
assert isinstance(made.table, polars.DataFrame) and made.audit.k == 2
class Stream:
    def __arrow_c_stream__(self, requested_schema=None):
        return frame.__arrow_c_stream__(requested_schema)
table = coarsen.release(Stream(), policy).table
assert isinstance(table, coarsen.ArrowTable) and table.num_rows == len(table) == 4 and table.column_names == ["x", "y"]
assert polars.DataFrame(table).shape == (4, 2) and "4 rows" in repr(table)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
