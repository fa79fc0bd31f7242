"""Policies, hierarchies, recodings, audits, profiles."""

from __future__ import annotations

import pickle

import pandas
import pytest

import coarsen
from coarsen import Hierarchy, Policy


def test_policies_are_said_in_three_ways(people, policy, tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text(
        """
version = 1
input = { path = "not-used.csv" }
output = { path = "not-used-either.csv" }
privacy = { k = 4 }
[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", hierarchy = { intervals = [5, 10, 20] } }
zip = { role = "quasi-identifier", hierarchy = { mask = "right" } }
sex = { role = "quasi-identifier" }
disease = { role = "sensitive" }
stay = { role = "other" }
"""
    )
    wanted = coarsen.release(people, policy).table
    for said in (path, str(path), policy.to_dict(), Policy.load(path), Policy.from_dict(policy.to_dict())):
        pandas.testing.assert_frame_equal(coarsen.release(people, said).table, wanted)
    assert not list(tmp_path.glob("not-used*"))
    assert coarsen.release(people, path, set={"privacy.k": 9}).audit.k >= 9
    assert Policy.load(path, set={"privacy.k": 9}).k == 9
    for said in (policy, policy.to_dict()):
        made = coarsen.release(people, said, set={"privacy.k": 9, "search.algorithm": "datafly"})
        assert made.audit.k >= 9 and made.algorithm == "datafly"
    with pytest.raises(TypeError, match="a policy is a Policy, a dict or a path"):
        coarsen.release(people, 3)
    with pytest.raises(coarsen.PolicyError, match="two roles"):
        Policy(k=2, quasi_identifiers=["age"], others=["age"])
    with pytest.raises(coarsen.PolicyError, match="is not a key of the policy") as caught:
        Policy.from_dict({"columns": {"age": {"role": "quasi-identifier"}}, "privacy": {"kk": 3}})
    assert "Did you mean `k`?" in caught.value.help


def test_policy_keywords_reach_the_policy():
    policy = Policy(
        k=3,
        quasi_identifiers=["age"],
        sensitive="disease",
        targets=["salary"],
        diversity={"disease": {"entropy": 2.0}},
        closeness={"disease": 0.3},
        suppression=0.1,
        suppression_mode="mask",
        algorithm="datafly",
        loss="dm",
        budget=2.5,
        seed=7,
        weights={"salary": 2.0},
        selections=["age > 30"],
        missing=["-"],
        missing_values="refuse",
        order="keep",
        unseen="root",
        shortfall="fail",
        threads=1,
        memory="2GB",
    )
    keys = policy.to_dict()
    assert keys["privacy"]["closeness"] == [{"column": "disease", "t": 0.3}]
    assert keys["suppression"] == {"limit": 0.1, "mode": "mask"}
    assert keys["search"]["budget"] == "2500ms" and keys["search"]["seed"] == 7
    assert keys["workload"]["targets"] == [{"column": "salary", "weight": 2.0}]
    assert keys["input"]["missing"] == ["-"] and keys["output"]["order"] == "keep"
    assert keys["apply"] == {"unseen": "root", "shortfall": "fail"}


def test_hierarchies(tmp_path):
    people = [["BSc", "higher", "*"], ["MSc", "higher", "*"], ["9th", "school", "*"]]
    path = tmp_path / "degree.csv"
    path.write_text("\n".join(";".join(row) for row in people))
    tree = {"higher": ["BSc", "MSc"], "school": ["9th"]}
    for hierarchy in (Hierarchy.from_arx(path), Hierarchy.from_arx(people), Hierarchy.tree(tree)):
        assert sorted(hierarchy.levels(["MSc", "9th"])) == sorted(people)
    Hierarchy.tree(tree).to_arx(tmp_path / "again.csv", ["BSc"])
    assert sorted(Hierarchy.from_arx(tmp_path / "again.csv").levels(["BSc"])) == sorted(people)
    assert Hierarchy.quantiles(2).levels([1, 2, 3, 4])[0][-1] == "*"
    with pytest.raises(coarsen.CoarsenError, match="PhD|lacks|value"):
        Hierarchy.tree(tree).levels(["PhD"])
    with pytest.raises(coarsen.PolicyError, match="multiple"):
        Policy(k=2, quasi_identifiers={"age": Hierarchy.intervals(5, 7)})


def test_recodings_are_saved_loaded_and_applied(people, policy, tmp_path):
    made = coarsen.release(people, policy)
    made.recoding.save(tmp_path / "recoding.json")
    loaded = coarsen.Recoding.load(tmp_path / "recoding.json")
    assert loaded == made.recoding == pickle.loads(pickle.dumps(made.recoding))
    assert loaded.kind == "regions" and sorted(loaded.columns) == ["age", "sex", "zip"]
    assert loaded.policy["privacy"]["k"] == 4
    again = loaded.apply(people)
    pandas.testing.assert_frame_equal(again.table, made.table)
    assert again.algorithm == "apply" and again.audit.holds
    new = people.assign(zip="99999")
    with pytest.raises(coarsen.UnseenError, match="column `zip` has 1 value in 60 rows") as caught:
        loaded.apply(new)
    assert "99999" not in str(caught.value)
    with pytest.raises(coarsen.NoRelease, match="nothing to release"):
        loaded.apply(new, unseen="suppress")
    few = people.iloc[:5]
    with pytest.raises(coarsen.NoRelease, match="fall short"):
        loaded.apply(few, shortfall="fail")
    with pytest.raises(ValueError, match="unseen must be one of"):
        loaded.apply(people, unseen="ignore")
    with pytest.raises(coarsen.DataError, match="no such recoding"):
        coarsen.Recoding.load(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(coarsen.RecodingError, match="not a saved recoding"):
        coarsen.Recoding.load(tmp_path / "bad.json")


def test_a_recoding_of_cells_is_not_applied(people, policy):
    asks = policy.replaced(
        search__algorithm="mingen", search__mingen={"level": "cell"}, privacy__k=2, columns__disease={"role": "other"}
    )
    made = coarsen.release(people.iloc[:8], asks)
    assert made.recoding.kind == "cells"
    with pytest.raises(coarsen.RecodingError, match="of cells"):
        made.recoding.apply(people)


def test_check(people, policy):
    made = coarsen.release(people, policy)
    found = coarsen.check(made.table, ["age", "zip", "sex"], k=4, sensitive="disease")
    assert found.holds and found.k == made.audit.k and found.distinct_l >= 1
    raw = coarsen.check(people, ["age", "zip", "sex"], k=4)
    assert not raw and raw.failures[0]["k"] == 4
    assert {"columns", "uniques"} <= set(raw.subsets[0])
    assert coarsen.check(made.table, policy=policy).holds
    journalist = coarsen.check(made.table, policy=policy, population=people)
    assert journalist.risk["journalist_max"] == pytest.approx(1 / journalist.k)
    with pytest.raises(TypeError, match="needs quasi_identifiers or a policy"):
        coarsen.check(people)
    with pytest.raises(ValueError, match="both a quasi-identifier and sensitive"):
        coarsen.check(people, ["age"], sensitive=["age"])


def test_profile_drafts_a_policy_that_runs(people):
    found = coarsen.profile(people)
    roles = {column["name"]: column["role"] for column in found.columns}
    assert roles["name"] == "identifier" and roles["age"] == "quasi-identifier"
    assert coarsen.release(people, found.policy()).audit.holds
    assert "version = 1" in found.draft and "suggested role" in found._repr_html_()


def test_a_release_tells_of_itself(people, policy):
    made = coarsen.release(people, policy)
    assert "60 rows in" in repr(made) and "holds" in repr(made.audit)
    assert made.losses["lm"] is not None and isinstance(made.trace, list)
    assert made.explanation["columns"] and made.seconds["total"] > 0
    assert made.stop == "complete" and made.bound is None and made.algorithm == "mondrian"
    assert "smallest_class" in made.to_dict()
