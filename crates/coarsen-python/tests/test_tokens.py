"""Tokens: the same for the same rows, whatever they come in; out of reach without all of them."""

from __future__ import annotations

import json

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import coarsen

POLICY = """
version = 1
input = { path = "people.csv"ELIGIBLE }
output = { path = "release.csv" }
[columns]
name = { role = "identifier", treatment = "token" }
age = { role = "quasi-identifier", type = "integer", hierarchy = { intervals = [5, 10, 20] } }
zip = { role = "quasi-identifier", type = "text", hierarchy = { mask = "right" } }
sex = { role = "quasi-identifier" }
disease = { role = "other" }
stay = { role = "other" }
came = { role = "other" }
weight = { role = "other" }
insured = { role = "other" }
[privacy]
k = 3
[search]
algorithm = "datafly"
"""


@pytest.fixture
def desk(people, tmp_path):
    """People with dates, floats, truth values and gaps."""
    random = numpy.random.default_rng(2)
    people["came"] = pandas.Timestamp("2024-01-01") + pandas.to_timedelta(random.integers(0, 400, 60), "D")
    people["weight"] = random.uniform(50, 90, 60).round(3)
    people["insured"] = random.integers(0, 2, 60).astype(bool)
    people.loc[3, "weight"] = numpy.nan
    people["stay"] = people["stay"].astype(float)
    people.loc[5, "stay"] = numpy.nan
    people.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "policy.toml").write_text(POLICY.replace("ELIGIBLE", ""))
    return tmp_path


def tokens(table):
    return sorted(pyarrow.table(table)["name"].to_pylist())


def in_views(table):
    texts = (pyarrow.string(), pyarrow.large_string())
    view = pyarrow.string_view()
    fields = [field.with_type(view) if field.type in texts else field for field in table.schema]
    return table.cast(pyarrow.schema(fields))


def test_the_same_rows_have_the_same_tokens(people, desk, run):
    policy = desk / "policy.toml"
    run("run", policy)
    wanted = sorted(pandas.read_csv(desk / "release.csv")["name"])
    assert len(set(wanted)) == 60
    people.to_parquet(desk / "people.parquet", index=False)
    (desk / "semicolons.csv").write_text((desk / "people.csv").read_text().replace(",", ";"))
    texts = polars.read_csv(desk / "people.csv", infer_schema=False)
    table = pyarrow.Table.from_pandas(people, preserve_index=False)
    given = {
        "pandas": people,
        "pandas of texts": pandas.read_csv(desk / "people.csv", dtype=str),
        "pandas as read": pandas.read_csv(desk / "people.csv", dtype={"zip": str}, parse_dates=["came"]),
        "categories": people.astype({"disease": "category", "sex": "category"}),
        "polars": polars.from_pandas(people),
        "polars of texts": texts,
        "polars as read": polars.read_csv(desk / "people.csv", schema_overrides={"zip": polars.String}, try_parse_dates=True),
        "pyarrow": table,
        "batches": pyarrow.Table.from_batches(table.to_batches(max_chunksize=7)),
        "views": in_views(table),
        "duckdb": duckdb.sql("select * from people"),
        "another order": people.sample(frac=1, random_state=1),
        "columns in another order": people[sorted(people.columns)],
        "csv": desk / "people.csv",
        "semicolons": desk / "semicolons.csv",
        "parquet": desk / "people.parquet",
    }
    for kind, data in given.items():
        for threads in (1, 2):
            assert tokens(coarsen.release(data, policy, threads=threads).table) == wanted, kind
    # The bytes too, where the cells are the file's.
    made = coarsen.release(texts, policy)
    made.save(desk / "memory.csv")
    assert (desk / "memory.csv").read_bytes() == (desk / "release.csv").read_bytes()


def test_one_cell_changes_every_token(people, desk):
    policy = desk / "policy.toml"
    known = set(tokens(coarsen.release(people, policy).table))
    changed = {
        "a cell": people.assign(stay=people["stay"].where(people.index != 9, 99)),
        "a row more": pandas.concat([people, people.tail(1)]),
        "a row less": people.iloc[1:],
        "two cells swapped": people.assign(disease=people["disease"].sample(frac=1, random_state=4).to_numpy()),
    }
    for what, data in changed.items():
        assert not known & set(tokens(coarsen.release(data, policy).table)), what
    assert not known & set(tokens(coarsen.release(people, policy, set={"search.seed": 7}).table))


def test_only_eligible_rows_count(people, desk, run):
    policy = desk / "policy.toml"
    policy.write_text(POLICY.replace("ELIGIBLE", ", eligible = \"sex = 'F'\""))
    told = json.loads(run("run", policy, "--json"))
    wanted = sorted(pandas.read_csv(desk / "release.csv")["name"])
    assert told["rows_in"] == len(wanted) < 60
    assert tokens(coarsen.release(people, policy).table) == wanted
    policy.write_text(POLICY.replace("ELIGIBLE", ""))
    assert tokens(coarsen.release(people[people["sex"] == "F"], policy).table) == wanted


def test_a_recoding_that_is_applied_gives_them_too(people, desk):
    policy = desk / "policy.toml"
    made = coarsen.release(people, policy)
    again = made.recoding.apply(people)
    assert tokens(again.table) == tokens(made.table)
