"""What other packages do wrong in silence: right, or a clear exception, never a wrong release."""

from __future__ import annotations

import datetime

import numpy
import pandas
import polars
import pytest
from conftest import recounted

import coarsen
from coarsen import DataError, NoRelease, Policy, PolicyError


def test_nulls_are_a_category_and_no_row_is_lost(people, policy):
    people.loc[:9, "age"] = numpy.nan
    people.loc[5:14, "zip"] = None
    made = coarsen.release(people, policy)
    assert len(made.table) == len(people) == made.rows_in
    assert recounted(made.table, ["age", "zip", "sex"]) == made.audit.k >= 4


def test_nulls_can_be_refused_or_dropped(people):
    def policy(rule):
        return Policy(k=4, quasi_identifiers=["age"], others=["stay"], missing_values=rule)

    frame = people[["age", "stay"]].astype({"age": float})
    frame.loc[7, "age"] = numpy.nan
    with pytest.raises(DataError, match="row 8, column `age`: the value is missing"):
        coarsen.release(frame, policy("refuse"))
    made = coarsen.release(frame, policy("drop"))
    assert made.rows_in == len(made.table) == 59
    # Polars tells NaN from null; both are missing.
    made = coarsen.release(polars.DataFrame({"age": frame["age"].to_numpy(), "stay": frame["stay"].to_numpy()}), policy("drop"))
    assert made.rows_in == 59 and made.table["age"].null_count() == 0


def test_missing_target_and_sensitive_rows_are_dropped_when_asked(people):
    frame = people[["age", "disease", "stay"]].copy()
    frame.loc[[1, 2], "disease"] = None
    policy = Policy(
        k=4, quasi_identifiers=["age"], sensitive=["disease"], targets=["stay"], missing_values="drop"
    )
    made = coarsen.release(frame, policy)
    assert made.rows_in == len(made.table) == 58
    assert made.table["disease"].notna().all()


def test_the_index_is_not_released(people, policy):
    wanted = coarsen.release(people, policy).table
    doubled = people.set_axis([7] * len(people), axis=0)
    named = people.set_index(pandas.Index([f"id {i}" for i in range(60)], name="patient"))
    two = people.set_index(pandas.MultiIndex.from_product([range(6), range(10)]))
    for frame in (doubled, named, two):
        table = coarsen.release(frame, policy).table
        pandas.testing.assert_frame_equal(table, wanted)
        assert isinstance(table.index, pandas.RangeIndex)


def test_order_kept_on_request(people, policy):
    made = coarsen.release(people, policy.replaced(output__order="keep"))
    assert made.table["stay"].tolist() == people["stay"].tolist()
    assert any("order" in warning for warning in made.warnings)


def test_an_empty_frame(people, policy):
    for frame in (people.iloc[:0], polars.from_pandas(people).clear()):
        with pytest.raises(DataError, match="it has no rows"):
            coarsen.release(frame, policy)
    with pytest.raises(PolicyError, match="has no column"):
        coarsen.release(pandas.DataFrame(), policy)


def test_unknown_and_forgotten_columns(people, policy):
    with pytest.raises(PolicyError, match="has no column `agee`") as caught:
        coarsen.release(people, Policy(k=2, quasi_identifiers=["agee"]))
    assert "Did you mean `age`?" in caught.value.help
    assert caught.value.key == "columns.agee"
    with pytest.raises(PolicyError, match="Columns `name`, `zip`, .* have no role"):
        coarsen.release(people, Policy(k=2, quasi_identifiers=["age"]))
    with pytest.raises(DataError, match="it has no column `agee`"):
        coarsen.check(people, ["agee"])


def test_k_that_makes_no_sense(people, policy):
    for k in (-1, 0, 1.5, "ten", True):
        with pytest.raises(PolicyError, match="privacy.k"):
            Policy(k=k, quasi_identifiers=["age"])
        with pytest.raises(PolicyError, match="privacy.k"):
            coarsen.release(people, {**policy.to_dict(), "privacy": {"k": k}})
    with pytest.raises(PolicyError, match="no `privacy.k`"):
        Policy(quasi_identifiers=["age"])
    with pytest.raises(PolicyError, match="k is 61, but the table has only 60 rows"):
        coarsen.release(people, policy.replaced(privacy__k=61))
    assert coarsen.release(people, policy.replaced(privacy__k=60)).audit.k == 60
    for k in (0, -3, 2.5, "2"):
        with pytest.raises(ValueError, match="k must be a whole number"):
            coarsen.check(people, ["age"], k=k)


def test_a_requirement_that_no_release_meets(people, policy):
    asks = policy.replaced(privacy__diversity=[{"column": "disease", "distinct": 4}])
    with pytest.raises(NoRelease, match="disease"):
        coarsen.release(people, asks)
    assert not issubclass(NoRelease, ValueError)


def test_dates_with_time_zones():
    hours = pandas.date_range("2024-03-30 22:00", periods=48, freq="h", tz="Europe/Vienna")
    frame = pandas.DataFrame({"came": hours, "x": range(48)})
    policy = Policy(
        k=2, quasi_identifiers={"came": {"hierarchy": {"dates": ["day", "month"]}}}, others=["x"],
        algorithm="datafly", suppression=0.1,
    )
    made = coarsen.release(frame, policy)
    # A day is that of the frame's own time zone, over the change to summer time too.
    days = frame["came"].dt.strftime("%Y-%m-%d")
    truth = dict(zip(frame["x"], days))
    assert len(made.table) == 48
    for label, x in zip(made.table["came"], made.table["x"]):
        assert truth[x].startswith(label[:7]), (label, truth[x])
    if made.table["came"].astype(str).str.len().eq(10).all():
        assert dict(zip(made.table["x"], made.table["came"])) == truth
    kept = coarsen.release(
        frame.assign(age=[30] * 48), Policy(k=2, quasi_identifiers=["age"], others=["came", "x"])
    ).table
    assert kept["came"].dtype == frame["came"].dtype
    assert sorted(kept["came"]) == sorted(frame["came"])


def test_days_stand_for_blocks_of_dates():
    frame = pandas.DataFrame({"born": pandas.to_datetime(["1990-01-01", "1990-01-03", "1991-05-01", "1991-05-03"])})
    for represent in ("midpoint", "bounds"):
        policy = Policy(k=2, quasi_identifiers={"born": {"represent": represent}})
        table = coarsen.release(frame, policy).table
        assert all(str(dtype).startswith("datetime64") for dtype in table.dtypes)
    assert table["born_low"].tolist() == [pandas.Timestamp("1990-01-01")] * 2 + [pandas.Timestamp("1991-05-01")] * 2
    midpoint = coarsen.release(frame, Policy(k=2, quasi_identifiers={"born": {"represent": "midpoint"}})).table
    assert midpoint["born"].tolist()[0] == pandas.Timestamp("1990-01-02")


def test_columns_of_mixed_types_name_the_column_and_no_cell():
    frame = pandas.DataFrame({"a": [1, 2], "b": [1, "secret"]})
    with pytest.raises(DataError, match="column `b` holds values of different types") as caught:
        coarsen.release(frame, Policy(k=2, quasi_identifiers=["a", "b"]))
    told = caught.value
    while told is not None:
        assert "secret" not in str(told)
        told = told.__cause__


def test_bad_column_names(people):
    with pytest.raises(DataError, match="stands there twice"):
        coarsen.release(people.set_axis(["a", "a", "b", "c", "d", "e"], axis=1), Policy(k=2, quasi_identifiers=["a"]))
    with pytest.raises(DataError, match="the name of column 1 is no text"):
        coarsen.release(people.set_axis(range(6), axis=1), Policy(k=2, quasi_identifiers=["a"]))


def test_names_that_arrow_lets_pass():
    import pyarrow

    policy = Policy(k=2, quasi_identifiers=["a"])
    for table, words in (
        (pyarrow.table([[1, 1], [2, 2]], names=["a", "a"]), "stands there twice"),
        (pyarrow.table({"": [1, 1]}), "column 1 has no name"),
        (pandas.DataFrame({"a": [1, 1], "": [1, 1]}), "column 2 has no name"),
    ):
        with pytest.raises(DataError, match=words):
            coarsen.release(table, policy)


def test_infinite_numbers_and_nested_cells():
    frame = pandas.DataFrame({"x": [1.0, 2.0, numpy.inf, 4.0]})
    with pytest.raises(DataError, match="column `x`"):
        coarsen.release(frame, Policy(k=2, quasi_identifiers=["x"]))
    frame = polars.DataFrame({"x": [[1], [2]], "y": [1, 1]})
    with pytest.raises(DataError, match="lists or objects"):
        coarsen.release(frame, Policy(k=2, quasi_identifiers=["y"], others=["x"]))


def test_masked_rows_and_suppression(people, policy):
    for mode in ("drop", "mask"):
        asks = policy.replaced(
            search__algorithm="datafly", suppression__limit=0.2, suppression__mode=mode, privacy__k=5
        )
        made = coarsen.release(people, asks)
        assert len(made.table) == 60 - (made.suppressed_rows if mode == "drop" else 0)
        assert recounted(made.table, ["age", "zip", "sex"]) == made.audit.k >= 5


def test_dates_as_objects():
    days = [datetime.date(1990, 1, day) for day in (1, 2, 3, 4)]
    table = coarsen.release(
        pandas.DataFrame({"born": days, "x": [1, 1, 1, 1]}), Policy(k=2, quasi_identifiers=["x"], others=["born"])
    ).table
    assert sorted(table["born"]) == days


def test_state_does_not_leak_between_calls(people, policy):
    first = coarsen.release(people, policy)
    coarsen.release(people, policy.replaced(privacy__k=20))
    again = coarsen.release(people, policy)
    pandas.testing.assert_frame_equal(first.table, again.table)
    assert first.losses == again.losses
