"""Types: the stubs say what the native part has, and the package is sound by mypy's strict rules."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import coarsen

PACKAGE = Path(coarsen.__file__).parent


def run(*arguments, **options):
    done = subprocess.run([sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_are_those_of_the_native_part(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    run("mypy.stubtest", "coarsen._coarsen", cwd=tmp_path)


def test_the_package_is_typed(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    loose = ["--ignore-missing-imports", "--disable-error-code=misc", "--allow-subclassing-any"]
    run("mypy", "--strict", "--no-warn-return-any", *loose, "-p", "coarsen", "--cache-dir", tmp_path, cwd=tmp_path)


def test_a_user_s_types_are_checked(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    program = tmp_path / "program.py"
    program.write_text(
        """
import coarsen
policy = coarsen.Policy(k=2, quasi_identifiers=["age"])
made: coarsen.Release = coarsen.release("people.csv", policy, threads=2)
k: int = made.audit.k
grid: coarsen.Comparison = coarsen.compare("people.csv", policy, k=[2, 5], budget="1s")
text: str = made.report("public")
"""
    )
    loose = ["--ignore-missing-imports", "--follow-imports=silent", "--cache-dir", tmp_path / "cache"]
    run("mypy", "--strict", *loose, program, cwd=tmp_path)
    program.write_text(program.read_text() + 'coarsen.release("people.csv", policy, threads="two")\n')
    with pytest.raises(AssertionError, match="incompatible type"):
        run("mypy", "--strict", *loose, program, cwd=tmp_path)


def test_what_is_installed():
    files = {str(path) for path in metadata.files("coarsen") or []}
    assert {"coarsen/py.typed", "coarsen/_coarsen.pyi", "coarsen/__init__.py"} <= files
    licenses = [path for path in files if "LICENSE" in path]
    assert len(licenses) == 2, files
    about = metadata.metadata("coarsen")
    assert about["Version"] == coarsen.__version__ and about["License-Expression"] == "MIT OR Apache-2.0"
    assert (PACKAGE / "py.typed").exists()
