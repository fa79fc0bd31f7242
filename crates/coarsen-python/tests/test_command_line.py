"""The same policy through Python and through the command line: the same bytes and the same losses."""

from __future__ import annotations

import json

import pandas
import polars
import pytest
from conftest import ROOT

import coarsen

POLICY = """
version = 1
input = {{ path = "people.csv" }}
output = {{ path = "{out}.csv", recoding = "{out}.json", order = "{order}" }}
[columns]
name = {{ role = "identifier" }}
age = {{ role = "quasi-identifier", type = "integer", scheme = "ordered", hierarchy = {{ intervals = [5, 10, 20] }} }}
zip = {{ role = "quasi-identifier", type = "text", hierarchy = {{ mask = "right" }} }}
sex = {{ role = "quasi-identifier" }}
disease = {{ role = "{disease}" }}
stay = {{ role = "other" }}
[privacy]
k = {k}
[suppression]
limit = {limit}
mode = "{mode}"
[search]
algorithm = "{algorithm}"
{settings}
"""

#: The policy of those who want nothing special.
PLAIN = {
    "out": "x",
    "limit": 0,
    "mode": "drop",
    "order": "sorted",
    "algorithm": "datafly",
    "settings": "",
    "disease": "sensitive",
}

CASES = [
    ("datafly", 3, 0.1, "drop", "sorted", ""),
    ("datafly", 3, 0.2, "mask", "sorted", ""),
    ("datafly", 4, 0.2, "mask", "keep", ""),
    ("mondrian", 4, 0.0, "drop", "sorted", ""),
    ("mondrian", 4, 0.0, "drop", "keep", 'mondrian = { split = "median" }'),
    ("mingen", 2, 0.05, "drop", "sorted", 'mingen = { level = "cell" }'),
    ("mingen", 2, 0.05, "drop", "keep", 'mingen = { level = "cell" }'),
]


@pytest.mark.parametrize(("algorithm", "k", "limit", "mode", "order", "settings"), CASES)
def test_same_bytes_and_losses(people, tmp_path, run, algorithm, k, limit, mode, order, settings):
    # Cell by cell is for small tables without a sensitive column.
    disease = "other" if algorithm == "mingen" else "sensitive"
    if algorithm == "mingen":
        people = people.iloc[:9]
    people.to_csv(tmp_path / "people.csv", index=False)

    def policy(out):
        path = tmp_path / f"{out}.toml"
        path.write_text(
            POLICY.format(
                out=out, k=k, limit=limit, mode=mode, order=order, algorithm=algorithm, settings=settings, disease=disease
            )
        )
        return path

    told = json.loads(run("run", policy("cli"), "--json"))
    made = coarsen.release(policy("python"))
    bytes_of = {out: (tmp_path / f"{out}.csv").read_bytes() for out in ("cli", "python")}
    assert bytes_of["cli"] == bytes_of["python"]
    assert (tmp_path / "cli.json").read_bytes() == (tmp_path / "python.json").read_bytes()
    assert made.losses == told["loss"]
    assert made.audit.to_dict() == told["audit"]
    own = {"seconds", "output", "recoding"}
    assert {k: v for k, v in made.to_dict().items() if k not in own} == {k: v for k, v in told.items() if k not in own}
    # From memory to memory, by another road, and then written by polars.
    frame = polars.read_csv(tmp_path / "people.csv", infer_schema=False)
    memory = coarsen.release(frame, policy("python"))
    memory.table.write_csv(tmp_path / "memory.csv")
    assert (tmp_path / "memory.csv").read_bytes() == bytes_of["cli"]
    assert memory.losses == told["loss"]
    assert memory.audit.to_dict() == told["audit"]
    assert memory.recoding.to_json() == (tmp_path / "cli.json").read_text()
    # A file into memory.
    loaded = coarsen.release(tmp_path / "people.csv", policy("python")).table
    assert loaded.to_pydict() == memory.table.to_dict(as_series=False)


def test_the_clinic_example(tmp_path, run):
    example = ROOT / "examples" / "clinic" / "policy.toml"
    (tmp_path / "cli.csv").touch()
    told = json.loads(
        run("run", example, "--json", "--set", f"output.path={tmp_path / 'cli.csv'}",
            "--set", f"output.recoding={tmp_path / 'cli.json'}")
    )
    made = coarsen.release(ROOT / "examples/clinic/patients.csv", example, output=tmp_path / "python.csv",
                           recoding=tmp_path / "python.json")
    assert (tmp_path / "cli.csv").read_bytes() == (tmp_path / "python.csv").read_bytes()
    assert (tmp_path / "cli.json").read_bytes() == (tmp_path / "python.json").read_bytes()
    assert made.losses == told["loss"] and made.output == tmp_path / "python.csv"
    assert made.table.num_rows == told["rows_out"]
    # The next delivery.
    run("apply", tmp_path / "cli.json", ROOT / "examples/clinic/patients.csv", "-o", tmp_path / "next-cli.csv")
    recoding = coarsen.Recoding.load(tmp_path / "python.json")
    again = recoding.apply(ROOT / "examples/clinic/patients.csv", output=tmp_path / "next-python.csv")
    assert (tmp_path / "next-cli.csv").read_bytes() == (tmp_path / "next-python.csv").read_bytes()
    frame = pandas.read_csv(ROOT / "examples/clinic/patients.csv", dtype=str)
    assert recoding.apply(frame).losses == again.losses


def test_check_and_errors_say_the_same(people, tmp_path, run):
    people.to_csv(tmp_path / "people.csv", index=False)
    told = json.loads(run("check", tmp_path / "people.csv", "--qi", "age,sex", "--sensitive", "disease", "--json"))
    assert coarsen.check(tmp_path / "people.csv", ["age", "sex"], sensitive=["disease"]).to_dict() == told
    assert coarsen.check(people, ["age", "sex"], sensitive=["disease"]).to_dict() == told
    path = tmp_path / "policy.toml"
    path.write_text(POLICY.format(**PLAIN, k=70))
    words = run("run", path, fails=True)
    with pytest.raises(coarsen.PolicyError) as caught:
        coarsen.release(path)
    assert caught.value.message in words and caught.value.help in words
    assert not (tmp_path / "x.csv").exists()


def words(text):
    """What is said, without the frame that a terminal has around it."""
    return " ".join(text.replace("│", " ").replace("╰", " ").replace("·", " ").split())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("k = 3", "k = -1"),
        ("k = 3", "k = 61"),
        ("k = 3", "kk = 3"),
        ("stay = {", "stays = {"),
        ('stay = { role = "other" }', ""),
        ("limit = 0", "limit = 2"),
        ('algorithm = "datafly"', 'algorithm = "dataflow"'),
        ('{ mask = "right" }', '{ file = "none.csv" }'),
        ("[5, 10, 20]", "[5, 7]"),
        ('path = "people.csv"', 'path = "nobody.csv"'),
        ("[suppression]", 'diversity = [{ column = "disease", distinct = 9 }]\n[suppression]'),
        ('"quasi-identifier" }', '"quasi-identifier", colour = "red" }'),
    ],
    ids=lambda text: text.strip()[:30],
)
def test_errors_are_those_of_the_command_line(people, tmp_path, run, old, new):
    people.to_csv(tmp_path / "people.csv", index=False)
    text = POLICY.format(**PLAIN, k=3)
    assert old in text
    path = tmp_path / "policy.toml"
    path.write_text(text.replace(old, new, 1))
    told = words(run("run", path, fails=True))
    with pytest.raises(coarsen.CoarsenError) as caught:
        coarsen.release(path)
    # The place in the file is told there, and before the colon here.
    message = caught.value.message.partition("): ")[2] or caught.value.message
    assert words(message) in told or words(message).replace(" ", "") in told.replace(" ", "")
    assert words(caught.value.help or "").replace(" ", "") in told.replace(" ", "")
    assert sorted(place.name for place in tmp_path.iterdir()) == ["people.csv", "policy.toml"]


def test_profiles_say_the_same(people, tmp_path, run):
    people.to_csv(tmp_path / "people.csv", index=False)
    told = json.loads(run("init", tmp_path / "people.csv", "-o", tmp_path / "policy.toml", "--json"))
    found = coarsen.profile(tmp_path / "people.csv")
    assert found.to_dict().items() <= told.items()
    assert {"rows", "columns", "together"} <= set(found.to_dict())


def test_lists_are_the_tables(run):
    for table in ("algorithms", "losses", "requirements", "schemes"):
        assert getattr(coarsen, table)() == json.loads(run("list", table, "--json"))
