"""What the documentation shows is true: docstrings, the tutorial's cells, and the examples of the page."""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib
import io
import json
import re

import pandas
import pytest
from conftest import ROOT

import coarsen
from coarsen.sklearn import Coarsener

MODULES = [
    f"coarsen.{name}"
    for name in ("_audit", "_catalog", "_compare", "_hierarchy", "_policy", "_profile", "_recoding", "_release", "sklearn")
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    flags = doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE
    found = doctest.testmod(module, optionflags=flags, report=True)
    assert found.failed == 0


def test_everything_public_is_documented():
    for name in coarsen.__all__:
        thing = getattr(coarsen, name)
        if name != "__version__":
            assert thing.__doc__, name
    assert "Parameters" in Coarsener.__doc__


def test_the_tutorial_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    notebook = json.loads((ROOT / "docs" / "tutorial.ipynb").read_text())
    scope: dict[str, object] = {"__name__": "tutorial"}
    ran = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [] and cell["execution_count"] is None
        parsed = ast.parse("".join(cell["source"]))
        last = parsed.body[-1]
        shown = None
        with contextlib.redirect_stdout(io.StringIO()):
            if isinstance(last, ast.Expr):
                exec(compile(ast.Module(parsed.body[:-1], []), "cell", "exec"), scope)
                shown = eval(compile(ast.Expression(last.value), "cell", "eval"), scope)
            else:
                exec(compile(parsed, "cell", "exec"), scope)
        # A notebook asks what it shows for HTML.
        if hasattr(shown, "_repr_html_"):
            assert shown._repr_html_()
        ran += 1
    assert ran >= 12


def test_the_page_s_first_example_runs(monkeypatch, tmp_path):
    page = (ROOT / "docs" / "python.md").read_text()
    example = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    pandas.read_csv(ROOT / "examples/clinic/patients.csv", dtype=str).to_csv(tmp_path / "patients.csv", index=False)
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    exec(example, scope)
    assert scope["made"].audit.holds and (tmp_path / "recoding.json").exists()
