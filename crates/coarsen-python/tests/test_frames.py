"""Pandas, polars, pyarrow, DuckDB and paths: what comes back is of the kind that went in."""

from __future__ import annotations

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.csv
import pytest
from conftest import recounted

import coarsen


def test_pandas_in_pandas_out(people, policy):
    made = coarsen.release(people, policy)
    table = made.table
    assert isinstance(table, pandas.DataFrame)
    assert list(table.columns) == ["age", "zip", "sex", "disease", "stay"]
    assert len(table) == made.rows_out == 60
    # Labels are categories; what was not coarsened keeps its dtype.
    assert isinstance(table["age"].dtype, pandas.CategoricalDtype)
    assert table["disease"].dtype == people["disease"].dtype
    assert table["stay"].dtype == people["stay"].dtype
    assert sorted(table["stay"]) == sorted(people["stay"])
    assert recounted(table, ["age", "zip", "sex"]) == made.audit.k >= 4
    assert made.audit.holds and made.audit


def test_the_frame_is_left_as_it_was(people, policy):
    before = people.copy(deep=True)
    coarsen.release(people, policy)
    pandas.testing.assert_frame_equal(people, before)


def test_all_kinds_give_the_same_rows(people, policy, tmp_path):
    path = tmp_path / "people.parquet"
    people.to_parquet(path, index=False)
    wanted = coarsen.release(people, policy).table.astype(str)
    given = {
        "polars": polars.from_pandas(people),
        "pyarrow": pyarrow.Table.from_pandas(people, preserve_index=False),
        "batch": pyarrow.RecordBatch.from_pandas(people, preserve_index=False),
        "reader": pyarrow.Table.from_pandas(people, preserve_index=False).to_reader(max_chunksize=7),
        "duckdb": duckdb.sql("select * from people"),
        "path": path,
        "text path": str(path),
    }
    for kind, data in given.items():
        table = coarsen.release(data, policy).table
        if kind == "polars":
            assert isinstance(table, polars.DataFrame)
            assert table.schema["age"] in (polars.Categorical, polars.Enum)
            assert table.schema["stay"] == polars.Int64
        else:
            assert isinstance(table, pyarrow.Table), kind
        pandas.testing.assert_frame_equal(table.to_pandas().astype(str), wanted, check_dtype=False)


def test_lazy_frames_stay_lazy(people, policy):
    table = coarsen.release(polars.from_pandas(people).lazy(), policy).table
    assert isinstance(table, polars.LazyFrame)
    assert table.collect().height == 60


def test_many_batches_are_one_table(people, policy):
    whole = pyarrow.Table.from_pandas(people, preserve_index=False)
    wanted = coarsen.release(whole, policy).table
    # One row a batch, and more batches than are kept apart.
    many = pyarrow.concat_tables([whole] * 10)
    cut = pyarrow.Table.from_batches(many.to_batches(max_chunksize=1))
    assert len(cut.to_batches()) == 600
    one = coarsen.release(many.combine_chunks(), policy).table
    assert coarsen.release(cut, policy).table.to_pydict() == one.to_pydict()
    small = pyarrow.Table.from_batches(whole.to_batches(max_chunksize=7))
    assert coarsen.release(small, policy).table.to_pydict() == wanted.to_pydict()


def test_numbers_for_representatives_and_two_columns_for_bounds(people):
    def released(represent):
        policy = coarsen.Policy(
            k=4,
            quasi_identifiers={"age": {"represent": represent}},
            others=["stay"],
        )
        return coarsen.release(people[["age", "stay"]], policy).table

    for represent in ("midpoint", "median", "mean"):
        table = released(represent)
        assert table["age"].dtype == "float64"
        assert table["age"].between(people["age"].min(), people["age"].max()).all()
    bounds = released("bounds")
    assert list(bounds.columns) == ["age_low", "age_high", "stay"]
    assert bounds["age_low"].dtype == bounds["age_high"].dtype == "int64"
    assert (bounds["age_low"] <= bounds["age_high"]).all()
    labels = released("range")["age"].astype(str).map(lambda label: label.split("..")[0]).astype(int)
    assert labels.tolist() == bounds["age_low"].tolist()


def test_categories_stand_in_the_order_of_the_release():
    data = pandas.DataFrame({"age": [5, 7, 30, 32, 100, 101]})
    table = coarsen.release(data, coarsen.Policy(k=2, quasi_identifiers=["age"])).table
    assert list(table["age"].cat.categories) == ["5..7", "30..32", "100..101"]
    assert table["age"].tolist() == ["5..7", "5..7", "30..32", "30..32", "100..101", "100..101"]


def test_string_and_category_columns(people, policy):
    wanted = coarsen.release(people, policy).table.astype(str)
    for kind in ("category", "string[pyarrow]", "object"):
        frame = people.astype({"zip": kind, "sex": kind, "disease": kind})
        table = coarsen.release(frame, policy).table
        assert table["disease"].dtype == frame["disease"].dtype
        pandas.testing.assert_frame_equal(table.astype(str), wanted)
    ordered = pandas.CategoricalDtype(["flu", "cold", "asthma"], ordered=True)
    table = coarsen.release(people.astype({"disease": ordered}), policy).table
    assert table["disease"].dtype == ordered


def test_polars_categories(people, policy):
    frame = polars.from_pandas(people)
    enum = polars.Enum(["flu", "cold", "asthma"])
    frame = frame.with_columns(polars.col("disease").cast(enum), polars.col("zip").cast(polars.Categorical))
    table = coarsen.release(frame, policy).table
    assert table.schema["disease"] == enum
    assert sorted(table["disease"].cast(str)) == sorted(people["disease"])


def test_nullable_dtypes_are_kept(people, policy):
    frame = people.astype({"stay": "Int64", "disease": "string"})
    frame.loc[3, "stay"] = pandas.NA
    table = coarsen.release(frame, policy).table
    assert table["stay"].dtype == "Int64" and table["disease"].dtype == "string"
    assert table["stay"].isna().sum() == 1


def test_what_is_no_table_is_refused_by_its_type(policy):
    columns = (pandas.Series([1]), polars.Series([1]), pyarrow.array([1]), pyarrow.chunked_array([[1]]))
    for data in ([1, 2], {"age": [1]}, 3, None, *columns):
        with pytest.raises(TypeError, match="data must be a path, or a table"):
            coarsen.release(data, policy)


def test_a_released_file_is_read_as_it_stands(people, policy, tmp_path):
    """Codes keep their zeros, whatever parts the cells."""
    people.to_csv(tmp_path / "people.csv", index=False, sep=";")
    asks = policy.replaced(columns__zip={"role": "other"}, columns__name={"role": "other"})
    made = coarsen.release(tmp_path / "people.csv", asks, output=tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().startswith("name;age;zip;")
    table = made.table
    assert sorted(table["zip"].to_pylist()) == sorted(people["zip"]) and table.num_rows == 60
    people.to_parquet(tmp_path / "people.parquet", index=False)
    typed = coarsen.release(tmp_path / "people.parquet", asks, output=tmp_path / "out.parquet").table
    assert typed["stay"].type == pyarrow.int64() and sorted(typed["stay"].to_pylist()) == sorted(people["stay"])
    arff = coarsen.release(tmp_path / "people.csv", asks, output=tmp_path / "out.arff")
    with pytest.raises(coarsen.DataError, match="not read from ARFF"):
        arff.table
