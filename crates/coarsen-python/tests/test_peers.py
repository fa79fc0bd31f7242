"""The page that maps anjana's, anonypy's and pycanon's calls onto ours (docs/from-anjana.md) is true: both
sides are run where the packages are installed."""

from __future__ import annotations

import importlib.util
import re

import numpy
import pandas
import pytest
from conftest import ROOT, recounted

import coarsen
from coarsen import Hierarchy, Policy, check, release

PAGE = (ROOT / "docs" / "from-anjana.md").read_text()
QUASI = ["age", "city", "sex"]


@pytest.fixture
def town() -> pandas.DataFrame:
    random = numpy.random.default_rng(3)
    return pandas.DataFrame(
        {
            "name": [f"person {place}" for place in range(400)],
            "age": random.integers(20, 60, 400),
            "city": random.choice(["Wien", "Graz", "Linz", "Salzburg"], 400),
            "sex": random.choice(["F", "M"], 400),
            "disease": random.choice(["flu", "cold", "asthma", "gout"], 400),
        }
    )


def cities():
    regions = {"Wien": "east", "Graz": "south", "Linz": "north", "Salzburg": "north"}
    return [[city, region, "*"] for city, region in regions.items()]


def lines(package):
    """The table of a package: what it is called for, and the same here."""
    part = PAGE.partition(f"## {package}\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in part.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("package", ["anjana", "anonypy", "pycanon"])
def test_every_call_of_the_page_is_there(package):
    assert len(lines(package)) >= 4
    pytest.importorskip(package, reason=f"{package} is not installed")
    places = [
        importlib.import_module(name)
        for name in (
            "anjana.anonymity", "anjana.anonymity.utils", "anonypy", "pycanon.anonymity", "pycanon.metrics", "pycanon.report",
            "anjana.anonymity.utils.utils",
        )
        if importlib.util.find_spec(name.partition(".")[0]) and importlib.util.find_spec(name)
    ]
    for theirs, _ in lines(package):
        for name in re.findall(r"(?<![\w\"'.])(?:\w+\.)*(\w+)(?=\()", theirs):
            known = [place for place in places if hasattr(place, name)]
            assert known or name in {"dict", "read_csv"} or hasattr(getattr(places[0], "Preserver", None), name), name


def test_ours_of_the_page_run(town):
    """What the right-hand column says, in the order of the page."""
    hierarchies = {"age": Hierarchy.intervals(5, 10), "city": Hierarchy.from_arx(cities()), "sex": None}
    base = {"k": 5, "identifiers": ["name"], "quasi_identifiers": hierarchies, "suppression": 10 / 100}
    made = release(town, Policy(**base, others=["disease"]))
    assert made.audit.holds and "name" not in made.table
    for demand in (
        {"diversity": {"disease": {"distinct": 2}}},
        {"diversity": {"disease": {"entropy": 2}}},
        {"diversity": {"disease": {"recursive": {"c": 2, "l": 2}}}},
        {"closeness": {"disease": 0.5}},
    ):
        asked = Policy(**base, sensitive=["disease"], **demand)
        assert release(town, asked).audit.holds
        assert check(release(town, asked).table, policy=asked).holds
    datafly = release(town, Policy(**base, others=["disease"], algorithm="datafly"))
    assert all(isinstance(column["level"], int) for column in datafly.explanation["columns"])
    assert Hierarchy.from_arx(cities()).levels(["Linz"])[1][0] in {"Graz", "Linz"}
    policy = Policy(k=5, quasi_identifiers=QUASI, sensitive=["disease"], algorithm="mondrian")
    mondrian = release(town.drop(columns="name"), policy)
    assert mondrian.table.value_counts().sum() == 400


def test_anjana(town):
    pytest.importorskip("anjana", reason="anjana is not installed")
    from anjana.anonymity import k_anonymity
    from anjana.anonymity.utils import apply_hierarchy, get_transformation

    ages = list(range(20, 60))
    width = lambda size: [f"{age // size * size}..{age // size * size + size - 1}" for age in ages]  # noqa: E731
    theirs = {
        "age": {0: ages, 1: width(5), 2: width(10), 3: ["*"] * 40},
        "city": {level: [row[level] for row in cities()] for level in range(3)},
        "sex": {0: ["F", "M"], 1: ["*", "*"]},
    }
    released = k_anonymity(town, ["name"], QUASI, 5, 0, theirs)
    levels = get_transformation(released, QUASI, theirs)
    ours = {"age": Hierarchy.intervals(5, 10), "city": Hierarchy.from_arx(cities()), "sex": None}
    made = release(
        town, Policy(k=5, identifiers=["name"], quasi_identifiers=ours, suppression=0, others=["disease"], algorithm="mingen")
    )
    assert recounted(released, QUASI) >= 5 and recounted(made.table, QUASI) >= 5
    # The best release of levels loses no more than theirs.
    chosen = [next(c["level"] for c in made.explanation["columns"] if c["column"] == name) for name in QUASI]
    assert made.losses["prec"] >= 1 - sum(level / (len(theirs[name]) - 1) for name, level in zip(QUASI, levels)) / 3 - 1e-9
    assert len(chosen) == len(levels) == 3
    assert set(released["name"]) == {"*"} and "name" not in made.table
    of_age = {row[0]: row[1] for row in Hierarchy.intervals(5, 10).levels(ages)}
    assert list(apply_hierarchy([20, 33], theirs["age"], 1)) == [of_age["20"], of_age["33"]]


def test_anonypy(town):
    anonypy = pytest.importorskip("anonypy", reason="anonypy is not installed")
    frame = town.drop(columns="name").astype({"city": "category", "sex": "category", "disease": "category"})
    theirs = pandas.DataFrame(anonypy.Preserver(frame, QUASI, "disease").anonymize_k_anonymity(k=5))
    policy = Policy(k=5, quasi_identifiers=QUASI, sensitive=["disease"], algorithm="mondrian")
    ours = release(town.drop(columns="name"), policy).table
    assert theirs["count"].sum() == len(ours) == 400 and recounted(ours, QUASI) >= 5
    diverse = release(town.drop(columns="name"), Policy(
        k=5, quasi_identifiers=QUASI, sensitive=["disease"], algorithm="mondrian", diversity={"disease": {"distinct": 2}}
    ))
    assert diverse.audit.distinct_l >= 2


def test_pycanon(town):
    pytest.importorskip("pycanon", reason="pycanon is not installed")
    from pycanon import anonymity, metrics

    quasi = ["city", "sex"]
    found = check(town, quasi, sensitive="disease")
    assert anonymity.k_anonymity(town, quasi) == found.k
    assert anonymity.l_diversity(town, quasi, ["disease"]) == found.distinct_l
    assert anonymity.entropy_l_diversity(town, quasi, ["disease"]) == int(found.entropy_l)
    assert anonymity.t_closeness(town, quasi, ["disease"]) == pytest.approx(found.t)
    _, values = anonymity.recursive_c_l_diversity(town, quasi, ["disease"])
    worst = 0.0
    for _, rows in town.groupby(quasi):
        counts = rows["disease"].value_counts().tolist()
        worst = max(worst, counts[0] / sum(counts[int(values) - 1 :]))
    for times, holds in ((worst * 1.01, True), (worst * 0.99, False)):
        recursive = {"disease": {"recursive": {"c": times, "l": int(values)}}}
        asked = Policy(k=1, quasi_identifiers=quasi, sensitive=["disease"], others=["name", "age"], diversity=recursive)
        assert check(town, policy=asked).holds == holds
    assert metrics.average_ecsize(town, town, quasi) == pytest.approx(found.average_class / found.k)
    assert metrics.max_rir(town, quasi) == pytest.approx(found.risk["prosecutor_max"])
    sizes = town.groupby(quasi).size()
    assert metrics.average_rir(town, quasi) == pytest.approx((1 / sizes).mean())
    assert found.risk["prosecutor_mean"] == pytest.approx(len(sizes) / len(town))
    made = release(town, Policy(k=5, identifiers=["name"], quasi_identifiers=QUASI, targets=["disease"], algorithm="mondrian"))
    raw = town.drop(columns="name")
    table = made.table.astype(str)
    assert metrics.discernability_metric(raw, table, QUASI) == made.losses["dm"]
    # Rows of labels that tie for the most are all right to pycanon, and all but one label wrong to us.
    assert metrics.classification_metric(raw, table, QUASI, ["disease"]) <= made.losses["cm"] + 1e-12
    wrong = sum(len(rows) - rows["disease"].value_counts().max() for _, rows in table.groupby(QUASI))
    assert made.losses["cm"] == pytest.approx(wrong / 400)


def test_names_of_ours_are_there():
    for name in ("release", "check", "Policy", "Hierarchy"):
        assert hasattr(coarsen, name)
