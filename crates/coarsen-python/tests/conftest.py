"""What the tests share: a small table, a policy for it, and the command line where it is built."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy
import pandas
import pytest

import coarsen

ROOT = Path(__file__).parents[3]


@pytest.fixture
def people() -> pandas.DataFrame:
    """Sixty people of three quasi-identifiers, a sensitive value and a number."""
    random = numpy.random.default_rng(1)
    count = 60
    return pandas.DataFrame(
        {
            "name": [f"person {place}" for place in range(count)],
            "age": random.integers(18, 80, count),
            "zip": random.choice(["02138", "02139", "02141", "02142"], count),
            "sex": random.choice(["F", "M"], count),
            "disease": random.choice(["flu", "cold", "asthma"], count),
            "stay": random.integers(1, 30, count),
        }
    )


@pytest.fixture
def policy() -> coarsen.Policy:
    return coarsen.Policy(
        k=4,
        identifiers=["name"],
        quasi_identifiers={
            "age": coarsen.Hierarchy.intervals(5, 10, 20),
            "zip": coarsen.Hierarchy.mask("right"),
            "sex": None,
        },
        sensitive=["disease"],
        others=["stay"],
    )


@pytest.fixture(scope="session")
def command_line() -> Path:
    """The binary `coarsen` of this workspace."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    for place in (os.environ.get("COARSEN_BINARY"), target / "release" / "coarsen", shutil.which("coarsen")):
        if place and Path(place).is_file() and _is_native(Path(place)):
            return Path(place)
    pytest.skip("needs the binary: cargo build --release, and CARGO_TARGET_DIR or COARSEN_BINARY set")


def _is_native(path: Path) -> bool:
    return path.read_bytes()[:2] != b"#!"


@pytest.fixture
def run(command_line: Path):
    """Runs the command line, and gives what it printed."""

    def run(*arguments: object, fails: bool = False) -> str:
        done = subprocess.run(
            [command_line, *map(str, arguments)], capture_output=True, text=True, check=False
        )
        assert (done.returncode != 0) == fails, done.stderr
        return done.stderr if fails else done.stdout

    return run


@pytest.fixture(scope="session")
def adult() -> tuple[pandas.DataFrame, pandas.DataFrame]:
    """Adult, train and test."""
    folder = os.environ.get("COARSEN_DATA")
    if not folder:
        pytest.skip("needs COARSEN_DATA with adult/train.csv and adult/test.csv")
    read = [pandas.read_csv(Path(folder) / "adult" / f"{part}.csv") for part in ("train", "test")]
    return read[0], read[1]


ADULT = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]


def recounted(table: pandas.DataFrame, columns: list[str]) -> int:
    """The rows of the smallest class, counted by pandas and not by us."""
    texts = table[columns].astype(object).where(table[columns].notna(), "\0")
    return int(texts.groupby(columns, observed=True).size().min())
