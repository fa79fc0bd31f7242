"""Reports, manifests and what a notebook shows: the command line's own, also of rows in memory."""

from __future__ import annotations

import copy
import hashlib
import html.parser
import json
import pickle

import pandas
import polars
import pyarrow.parquet
import pytest
from conftest import ROOT

import coarsen
from coarsen import Policy

CLINIC = ROOT / "examples" / "clinic"


@pytest.fixture
def clinic(tmp_path):
    """A folder with the clinic's example, with a report."""
    for name in ("patients.csv", "diagnosis.csv"):
        (tmp_path / name).write_bytes((CLINIC / name).read_bytes())
    text = (CLINIC / "policy.toml").read_text()
    assert 'recoding = "recoding.json"' in text
    text = text.replace('recoding = "recoding.json"', 'recoding = "recoding.json", report = "report.html"')
    (tmp_path / "policy.toml").write_text(text)
    return tmp_path


def files_of(folder):
    return {name: (folder / name).read_bytes() for name in ("release.csv", "recoding.json", "report.html", "manifest.json")}


def test_files_are_those_of_the_command_line(clinic, run):
    run("run", clinic / "policy.toml", "--set", "privacy.k=4")
    wanted = files_of(clinic)
    for name in wanted:
        (clinic / name).unlink()
    made = coarsen.release(clinic / "policy.toml", set={"privacy.k": 4})
    assert files_of(clinic) == wanted
    # What the release can still be asked for is the same again.
    assert made.report() == wanted["report.html"].decode()
    told = json.loads(wanted["manifest.json"])
    del told["files"]["report"]
    assert made.manifest == told
    assert made.save_report(clinic / "report.html") == clinic / "report.html"
    again = files_of(clinic)
    # Its name there is not the policy's, but it has the same last step.
    assert again == wanted
    run("report", clinic / "policy.toml", "--set", "privacy.k=4", "--kind", "public", "-o", clinic / "public.html")
    public = {name: (clinic / name).read_bytes() for name in ("public.html", "public-manifest.json")}
    made.save_report(clinic / "public.html", "public")
    assert public == {name: (clinic / name).read_bytes() for name in public}
    assert made.report("public").encode() == public["public.html"]


def test_memory_tells_what_the_command_line_tells(clinic, run):
    run("run", clinic / "policy.toml")
    told = json.loads((clinic / "manifest.json").read_text())
    frame = polars.read_csv(clinic / "patients.csv", infer_schema=False)
    made = coarsen.release(frame, clinic / "policy.toml")
    mine = made.manifest
    assert set(mine) == set(told)
    assert mine["results"] == told["results"] and mine["parameters"] == told["parameters"]
    assert mine["recount"] == told["recount"] and mine["tool"] == told["tool"]
    # The released rows are the released file to the byte; a frame has no file to be told of.
    assert mine["files"]["output"] == told["files"]["output"]
    assert mine["files"]["policy"] == told["files"]["policy"]
    assert set(told["files"]) - set(mine["files"]) == {"input", "recoding", "report"}
    made.save(clinic / "saved.csv")
    assert (clinic / "saved.csv").read_bytes() == (clinic / "release.csv").read_bytes()
    # And the report is the command line's, less what it tells of files.
    report, wanted = made.report(), (clinic / "report.html").read_text()
    report = report.replace("saved.csv", "release.csv")
    report = report.replace("The input has", "The input <code>patients.csv</code> has")
    assert report.partition("Evidence</h2>")[0] == wanted.partition("Evidence</h2>")[0]


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl", "arrow"])
def test_saved_files_are_proven_by_their_manifest(people, policy, tmp_path, run, ending):
    made = coarsen.release(people, policy)
    path = made.save(tmp_path / f"release.{ending}")
    made.save_report(tmp_path / "report.html")
    run("check", path, "--manifest", tmp_path / "manifest.json")
    told = json.loads((tmp_path / "manifest.json").read_text())["files"]
    assert told["output"]["name"] == path.name
    assert told["output"]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert told["report"]["sha256"] == hashlib.sha256((tmp_path / "report.html").read_bytes()).hexdigest()
    other = coarsen.release(people, policy.replaced(privacy__k=6)).save(tmp_path / f"other.{ending}")
    run("check", other, "--manifest", tmp_path / "manifest.json", fails=True)
    # What the manifest tells of is the file as it was saved, whatever became of it.
    path.unlink()
    assert made.manifest["files"]["output"] == told["output"]
    assert made.save(tmp_path / "again.csv").exists() and made.manifest["files"]["output"]["name"] == "again.csv"
    with pytest.raises(coarsen.DataError, match="would be overwritten"):
        made.save_report(tmp_path / "again.csv")


def test_saved_rows_are_the_table(people, policy, tmp_path):
    made = coarsen.release(people, policy)
    table = pyarrow.parquet.read_table(made.save(tmp_path / "release.parquet")).to_pandas()
    pandas.testing.assert_frame_equal(table.astype(str), made.table.astype(str), check_dtype=False)
    arff = coarsen.release(people, policy).save(tmp_path / "release.arff")
    assert arff.read_text().startswith("@relation release")
    with pytest.raises(coarsen.DataError, match="ending does not tell"):
        coarsen.release(people, policy).save(tmp_path / "release.xlsx")


def test_nothing_is_written_over_what_is_read(clinic):
    made = coarsen.release(clinic / "patients.csv", clinic / "policy.toml")
    for place in ("patients.csv", "policy.toml", "diagnosis.csv"):
        with pytest.raises(coarsen.DataError, match="would be overwritten"):
            made.save_report(clinic / place)
        with pytest.raises(coarsen.DataError, match="would be overwritten|ending does not tell"):
            made.save(clinic / place)
        with pytest.raises((coarsen.DataError, coarsen.PolicyError), match="would (be overwritten|overwrite)"):
            coarsen.release(clinic / "patients.csv", clinic / "policy.toml", output=clinic / place)
    filed = coarsen.release(clinic / "patients.csv", clinic / "policy.toml", output=clinic / "filed.csv")
    with pytest.raises(coarsen.DataError, match="in a file already"):
        filed.save(clinic / "again.csv")
    for place in ("filed.csv", "report.html", "manifest.json"):
        (clinic / place).unlink()
    with pytest.raises(coarsen.DataError, match="both the report and the manifest"):
        made.save_report(clinic / "x.html", manifest=clinic / "x.html")
    with pytest.raises(coarsen.DataError, match="no such folder"):
        made.save_report(clinic / "nowhere" / "x.html")
    with pytest.raises(ValueError, match="kind must be one of internal, public"):
        made.report("secret")
    assert sorted(path.name for path in clinic.iterdir()) == ["diagnosis.csv", "patients.csv", "policy.toml"]


class Elements(html.parser.HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}


EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>&'


def test_no_script_from_names_or_cells(people):
    frame = people.rename(columns={"age": EVIL, "disease": EVIL + "s"})
    frame[EVIL + "s"] = frame[EVIL + "s"].str.replace("flu", EVIL)
    frame["zip"] = frame["zip"].str.replace("02138", EVIL)
    policy = Policy(
        k=3, quasi_identifiers=[EVIL, "zip"], sensitive=[EVIL + "s"], others=["name", "sex", "stay"],
        selections=[], settings=None,
    )
    made = coarsen.release(frame, policy)
    audit = coarsen.check(frame, [EVIL, "zip"], k=3, sensitive=[EVIL + "s"])
    shown = {
        "release": made._repr_html_(),
        "audit": made.audit._repr_html_(),
        "check": audit._repr_html_(),
        "internal": made.report(),
        "public": made.report("public"),
        "profile": coarsen.profile(frame)._repr_html_(),
        "comparison": coarsen.compare(frame, policy, k=[2, 3])._repr_html_(),
    }
    for what, text in shown.items():
        found = Elements(text)
        assert not found.tags & {"script", "img", "iframe", "object", "embed", "link"}, what
        assert not [name for name in found.attributes if name.startswith("on")], what
    assert "alert(1)" in shown["internal"]


def test_a_notebook_shows_the_scoreboard_and_the_charts(people, policy):
    made = coarsen.release(people, policy)
    shown, report = made._repr_html_(), made.report()
    assert shown.count("<svg") == 3 and "4-anonymity" in shown
    # They are the report's own.
    for start, end in (("<table class=\"score\">", "</table>"), ("<svg", "</svg>")):
        part = shown[shown.index(start) : shown.index(end) + len(end)]
        assert part in report
    assert "smallest class" in shown.lower() and "before" in shown
    # A page around it keeps its own looks: every rule is of this block.
    style = shown[shown.index("<style>") + 7 : shown.index("</style>")]
    assert style.startswith(".coarsen{") and style.count("{") == style.count("}") and style.endswith("}}")
    assert "<svg" in made.audit._repr_html_() and "holds" in made.audit._repr_html_()
    bad = coarsen.check(people, ["age", "zip"], k=4)._repr_html_()
    assert "does not hold" in bad and "<svg" in bad


def test_reports_of_recodings_that_are_applied(people, policy, tmp_path):
    made = coarsen.release(people, policy)
    again = made.recoding.apply(people)
    assert again.manifest["results"]["internal"]["algorithm"] == "apply"
    assert again.manifest["results"]["smallest_class"] == made.audit.k and "<svg" in again._repr_html_()
    people.to_csv(tmp_path / "people.csv", index=False)
    filed = coarsen.release(people.astype({"zip": str}), policy).recoding.apply(
        tmp_path / "people.csv", output=tmp_path / "out.csv"
    )
    told = filed.manifest["files"]
    assert told["output"]["sha256"] == hashlib.sha256((tmp_path / "out.csv").read_bytes()).hexdigest()
    assert told["input"]["sha256"] == hashlib.sha256((tmp_path / "people.csv").read_bytes()).hexdigest()


def test_a_public_report_tells_nothing_of_the_data(people, policy):
    frame = people.assign(name=[f"Zebediah {i}" for i in range(60)])
    frame.loc[0, "zip"] = "99999"
    made = coarsen.release(frame, policy.replaced(privacy__k=5))
    public = made.report("public")
    for word in ("Zebediah", "name</th>", "99999", "mondrian", 'class="n was"'):
        assert word not in public, word
    assert "mondrian" in made.report("internal") and 'class="n was"' in made.report("internal")


def test_pickles_leave_the_evidence_out(people, policy):
    made = coarsen.release(people, policy)
    for again in (copy.copy(made), copy.deepcopy(made)):
        assert again.manifest == made.manifest and again._repr_html_() == made._repr_html_()
    again = pickle.loads(pickle.dumps(made))
    pandas.testing.assert_frame_equal(again.table, made.table)
    assert again.losses == made.losses and again.audit.to_dict() == made.audit.to_dict()
    assert again._repr_html_() is None and again.audit._repr_html_() is None
    with pytest.raises(coarsen.CoarsenError, match="was pickled"):
        again.report()
    audit = pickle.loads(pickle.dumps(coarsen.check(people, ["age"])))
    assert audit.k >= 1 and "<svg" in audit._repr_html_()
