"""Grids: the same candidates, figures, plot and releases as `coarsen compare` gives."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml

import pandas
import polars
import pyarrow
import pytest

import coarsen
from coarsen import PolicyError

POLICY = """
version = 1
input = { path = "people.csv" }
output = { path = "release.csv", recoding = "recoding.json" }
[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", type = "integer", hierarchy = { intervals = [5, 10, 20] } }
zip = { role = "quasi-identifier", type = "text", hierarchy = { mask = "right" } }
sex = { role = "quasi-identifier" }
disease = { role = "sensitive" }
stay = { role = "other" }
[privacy]
k = 3
[search]
algorithm = "datafly"
"""
GRID = {"k": [2, 5, 99], "algorithm": ["mondrian", "datafly"], "loss": ["lm", "dm"], "limit": [0, 0.1]}


@pytest.fixture
def desk(people, tmp_path):
    """A folder with the table and its policy."""
    people.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "policy.toml").write_text(POLICY)
    return tmp_path


def timeless(found):
    for candidate in found["candidates"]:
        candidate.get("measured", {}).pop("seconds", None)
    return found


def test_the_same_as_the_command_line(desk, run):
    words = [f"--{name}={','.join(map(str, values))}" for name, values in GRID.items()]
    csv, plot = desk / "grid.csv", desk / "grid.svg"
    told = timeless(json.loads(run("compare", desk / "policy.toml", *words, "--csv", csv, "--plot", plot, "--json")))
    frame = pandas.read_csv(desk / "people.csv", dtype={"zip": str})
    texts = polars.read_csv(desk / "people.csv", infer_schema=False)
    policy = desk / "policy.toml"
    for given in ((policy,), (desk / "people.csv", policy), (frame, policy), (texts, policy)):
        grid = coarsen.compare(*given, **GRID)
        assert timeless(grid.to_dict()) == told
        assert grid.to_csv() == csv.read_text() and grid.plot() == plot.read_text()
    grid.to_csv(desk / "again.csv"), grid.plot(desk / "again.svg")
    assert (desk / "again.csv").read_bytes() == csv.read_bytes()
    assert (desk / "again.svg").read_bytes() == plot.read_bytes()
    # The rows have the columns of the file.
    read = pandas.read_csv(csv)
    assert list(grid.to_pandas().columns) == list(read.columns)
    assert [row["number"] for row in grid.frontier()] and all(row["undominated"] for row in grid.frontier())
    assert sorted(row["number"] for row in grid.frontier()) == read["number"][read["undominated"]].tolist()
    assert grid.rows[8]["reason"] and grid.rows[8]["k"] == 99 and grid.rows[8]["highest_risk"] is None


def test_any_point_is_released_as_the_command_line_does(desk, run):
    policy = desk / "policy.toml"
    grid = coarsen.compare(policy, k=[2, 5], algorithm=["mondrian", "datafly"], limit=0.1)
    for number in (1, 4):
        run("compare", policy, "--k=2,5", "--algorithm=mondrian,datafly", "--limit=0.1", "--release", number)
        wanted, recoding = (desk / "release.csv").read_bytes(), (desk / "recoding.json").read_bytes()
        (desk / "release.csv").unlink()
        made = grid.release(number)
        assert made.output == desk / "release.csv" and made.output.read_bytes() == wanted
        assert (desk / "recoding.json").read_bytes() == recoding
        row = grid.rows[number - 1]
        assert made.losses["lm"] == row["lm"] and made.audit.k == row["smallest_class"]
        assert made.manifest["parameters"]["set"] == [
            ["search.algorithm", row["algorithm"]],
            ["privacy.k", str(row["k"])],
            ["search.loss", "lm"],
            ["suppression.limit", "0.1"],
        ]
        # The same rows in memory.
        texts = polars.read_csv(desk / "people.csv", infer_schema=False)
        in_memory = coarsen.compare(texts, policy, k=[2, 5], algorithm=["mondrian", "datafly"], limit=0.1)
        table = in_memory.release(number).table
        assert isinstance(table, polars.DataFrame) and table.write_csv().encode() == wanted
    elsewhere = coarsen.compare(desk / "people.csv", policy, k=[2, 5]).release(2, output=desk / "other.csv")
    assert elsewhere.output == desk / "other.csv" and elsewhere.audit.k >= 5


def test_a_stream_is_read_once_and_released_later(people, policy):
    table = pyarrow.Table.from_pandas(people, preserve_index=False)
    grid = coarsen.compare(table.to_reader(), policy, k=[2, 6])
    wanted = coarsen.release(table, policy.replaced(privacy__k=6))
    assert grid.release(2).table.to_pydict() == wanted.table.to_pydict()
    assert isinstance(coarsen.compare(people, policy).release(1).table, pandas.DataFrame)


def test_the_release_of_a_point_is_that_of_its_settings(people, policy):
    grid = coarsen.compare(people, policy, k=[2, 7], algorithm=["datafly", "mondrian"], limit=[0.0, 0.2])
    for row in grid.rows:
        asks = policy.replaced(
            privacy__k=row["k"], search__algorithm=row["algorithm"], suppression__limit=row["limit"]
        )
        made = coarsen.release(people, asks)
        pandas.testing.assert_frame_equal(grid.release(row["number"]).table, made.table)
        assert made.losses == {name: row[name] for name in made.losses}
        assert made.audit.risk["prosecutor_max"] == row["highest_risk"]


def test_undominated_is_what_nothing_beats(people, policy):
    grid = coarsen.compare(people, policy, k=range(2, 9), algorithm=["datafly", "mondrian"])
    places = [(row["highest_risk"], row["lm"]) for row in grid.rows]
    for row, (risk, lm) in zip(grid.rows, places):
        beaten = any(r <= risk and c <= lm and (r, c) != (risk, lm) for r, c in places)
        assert row["undominated"] == (not beaten)


def test_wrong_points_are_told(people, policy):
    for k in (-1, 0, 1.5, "2", True, [2, -1]):
        with pytest.raises(PolicyError, match="privacy.k"):
            coarsen.compare(people, policy, k=k)
    with pytest.raises(PolicyError, match="magic"):
        coarsen.compare(people, policy, algorithm="magic")
    with pytest.raises(PolicyError, match="suppression.limit"):
        coarsen.compare(people, policy, limit=[2.0])
    with pytest.raises(coarsen.DataError, match="is not kept in a file"):
        coarsen.compare(people, policy, state="state")
    for budget in (0, -1, "ten", "5 parsecs", float("nan")):
        with pytest.raises(ValueError, match="budget"):
            coarsen.compare(people, policy, budget=budget)
    grid = coarsen.compare(people, policy)
    for number in (0, 2, -1, 1.5, "1"):
        with pytest.raises(ValueError, match="no point"):
            grid.release(number)
    with pytest.raises(PolicyError, match="input.path"):
        coarsen.compare(policy)


def test_state_goes_on(desk):
    state = desk / "state"
    first = coarsen.compare(desk / "policy.toml", k=[2, 5], state=state)
    known = state.read_text()
    again = coarsen.compare(desk / "policy.toml", k=[2, 5], state=state)
    # Times too are those of the first search.
    assert again.to_dict() == first.to_dict() and state.read_text() == known


def test_progress_and_threads(people, policy, capfd):
    heard = []
    one = coarsen.compare(people, policy, k=[2, 3, 4], threads=1, progress=lambda *told: heard.append(told))
    assert heard[0] == ("comparing", 0, 3, None) and heard[-1] == ("comparing", 3, 3, None)
    two = coarsen.compare(people, policy, k=[2, 3, 4], threads=2)
    assert timeless(one.to_dict()) == timeless(two.to_dict())
    assert capfd.readouterr() == ("", "")
    pytest.importorskip("tqdm")
    coarsen.compare(people, policy, k=[2, 3], progress=True)
    assert "2 of 2 candidates" in capfd.readouterr().err


def test_a_budget_is_for_all(people, policy):
    made = coarsen.compare(people, policy, algorithm="genetic", budget="300ms", k=[2, 3])
    assert [row["k"] for row in made.rows] == [2, 3]
    assert all(row["smallest_class"] >= row["k"] for row in made.rows)


def test_it_shows_itself(people, policy):
    frame = people.rename(columns={"age": "<script>alert(1)</script>"})
    others = ["name", "sex", "disease", "stay"]
    asks = coarsen.Policy(k=3, quasi_identifiers=["<script>alert(1)</script>", "zip"], others=others)
    grid = coarsen.compare(frame, asks, k=[2, 99])
    shown = grid._repr_html_()
    assert "<svg" in shown and "<table>" in shown and "<script" not in shown
    assert "only 60 rows" in shown and "undominated: 1" in repr(grid)
    root = xml.fromstring(grid.plot())
    assert root.tag.endswith("svg")
