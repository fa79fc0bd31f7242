"""Threads, progress, Ctrl-C, the GIL, and silence."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy
import pandas
import pytest

import coarsen


def test_threads_make_no_difference(people, policy):
    one, two = (coarsen.release(people, policy, threads=threads) for threads in (1, 2))
    pandas.testing.assert_frame_equal(one.table, two.table)
    assert coarsen.release(people, policy, threads=numpy.int64(1)).losses == one.losses
    for threads in (0, -1, 1.5, "two", True):
        with pytest.raises(ValueError, match="threads"):
            coarsen.release(people, policy, threads=threads)


def test_progress_is_told_in_order(people, policy):
    heard = []
    coarsen.release(people, policy, progress=lambda stage, done, of, cost: heard.append(stage))
    stages = list(dict.fromkeys(heard))
    assert stages == ["reading", "counting", "searching", "recoding", "auditing"]


def test_an_error_in_the_listener_ends_the_work(people, policy):
    def listener(stage, *_):
        if stage == "searching":
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        coarsen.release(people, policy, progress=listener)


def test_tqdm_shows_progress_and_nothing_else_does(people, policy, capfd):
    made = coarsen.release(people, policy)
    made.report(), made.manifest, made._repr_html_(), made.recoding.apply(people)
    coarsen.check(people, ["age"])
    coarsen.profile(people)
    coarsen.compare(people, policy, k=[2, 99])
    with pytest.raises(coarsen.PolicyError):
        coarsen.release(people, policy.replaced(privacy__k=61))
    assert capfd.readouterr() == ("", "")
    pytest.importorskip("tqdm")
    coarsen.release(people, policy, progress=True)
    assert "auditing" in capfd.readouterr().err


class Finished(Exception):
    """The work was done before Ctrl-C came."""


def interrupted(code: str, after: float) -> float:
    """Runs code in a process of its own, presses Ctrl-C some time after it says `ready`, and gives the
    seconds from there to when it goes on."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    said = process.stdout.readline()
    seconds = time.monotonic() - start
    _, errors = process.communicate(timeout=60)
    if said == "finished\n":
        raise Finished
    assert said == "interrupted\n", (said, errors)
    assert not errors
    return seconds


#: A machine that is busy with other things answers late; the work itself would take many times as long.
PATIENCE = 1.0 + 2.0 * (os.getloadavg()[0] > (os.cpu_count() or 1))

#: Rows, columns and values of a table that keeps each search busy for longer than the test waits; where the
#: machine is quicker than that, four times the rows are tried.
BUSY = {
    "bottom-up": (60_000, 6, 64),
    "datafly": (400_000, 8, 64),
    "genetic": (20_000, 7, 64),
    "mingen": (100_000, 7, 64),
    "mu-argus": (200_000, 7, 64),
    "mondrian": (400_000, 8, 64),
    "optimal": (100_000, 7, 64),
    "top-down": (240_000, 8, 64),
}

MEANWHILE = """
import numpy, polars, coarsen
random = numpy.random.default_rng(1)
rows, width, values = {size}
frame = polars.DataFrame({{f"c{{i}}": random.integers(0, values, rows) for i in range(width)}})
frame = frame.with_columns(polars.Series("target", random.integers(0, 3, rows)).cast(polars.String))
hierarchy = coarsen.Hierarchy.intervals(2, 4, 8, 16, 32, 64)
policy = coarsen.Policy(
    k=5, quasi_identifiers={{f"c{{i}}": hierarchy for i in range(width)}}, targets=["target"], algorithm="{algorithm}"
)
told = []
def listener(stage, *rest):
    if stage == "{stage}" and not told:
        told.append(stage)
        print("ready", flush=True)
try:
    {call}
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_every_search_is_interrupted_here():
    assert set(BUSY) == {entry["name"] for entry in coarsen.algorithms()} - {"auto"}


@pytest.mark.skipif(os.name == "nt", reason="signals are sent another way")
@pytest.mark.parametrize("algorithm", BUSY)
def test_ctrl_c_cancels_a_search_within_a_second(algorithm):
    call = "coarsen.release(frame, policy, progress=listener)"
    rows, width, values = BUSY[algorithm]
    for more in (1, 4, 16):
        size = (more * rows, width, values)
        code = MEANWHILE.format(size=size, algorithm=algorithm, stage="searching", call=call)
        try:
            assert interrupted(code, 0.1) < PATIENCE
            return
        except Finished:
            continue
    pytest.fail(f"{algorithm} is done before it can be interrupted")


@pytest.mark.skipif(os.name == "nt", reason="signals are sent another way")
@pytest.mark.parametrize(
    ("stage", "call"),
    [
        ("reading", "coarsen.release(frame, policy, progress=listener)"),
        ("counting", "coarsen.release(frame, policy, progress=listener)"),
        ("comparing", "coarsen.compare(frame, policy, k=range(2, 40), progress=listener)"),
        ("ready", "print('ready', flush=True); coarsen.check(frame, frame.columns, subsets=6)"),
        ("ready", "print('ready', flush=True); coarsen.profile(frame)"),
    ],
    ids=["reading", "counting", "comparing", "check", "profile"],
)
def test_ctrl_c_cancels_other_work_within_a_second(stage, call):
    code = MEANWHILE.format(size=(1_500_000, 7, 64), algorithm="mondrian", stage=stage, call=call)
    assert interrupted(code, 0.1) < PATIENCE


def test_nothing_is_left_of_a_cancelled_file(tmp_path):
    code = f"""
    import numpy, polars, coarsen, os
    random = numpy.random.default_rng(1)
    polars.DataFrame({{f"c{{i}}": random.integers(0, 60, 500_000) for i in range(6)}}).write_parquet("{tmp_path}/in.parquet")
    policy = coarsen.Policy(k=5, quasi_identifiers=[f"c{{i}}" for i in range(6)])
    def listener(stage, *rest):
        if stage == "recoding":
            print("ready", flush=True)
    try:
        coarsen.release("{tmp_path}/in.parquet", policy, output="{tmp_path}/out.parquet", progress=listener)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    """
    interrupted(code, 0.05)
    time.sleep(1)
    assert not (tmp_path / "out.parquet").exists()


def test_other_threads_run_meanwhile():
    random = numpy.random.default_rng(1)
    frame = pandas.DataFrame({f"c{i}": random.integers(0, 90, 100_000) for i in range(5)})
    policy = coarsen.Policy(k=5, quasi_identifiers=list(frame))
    done = threading.Event()

    def work():
        coarsen.release(frame, policy)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert turns > 20


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="counts threads in /proc")
@pytest.mark.parametrize("threads", [1, 3])
def test_threads_are_as_many_as_were_asked_for(threads):
    """Two pools work at most: the engine's and the search's; and one thread waits for both."""
    code = f"""
    import os, numpy, polars, coarsen
    random = numpy.random.default_rng(1)
    frame = polars.DataFrame({{f"c{{i}}": random.integers(0, 60, 100_000) for i in range(5)}})
    policy = coarsen.Policy(k=5, quasi_identifiers=frame.columns)
    before, most = len(os.listdir("/proc/self/task")), []
    coarsen.release(frame, policy, threads={threads}, progress=lambda *told: most.append(len(os.listdir("/proc/self/task"))))
    print(max(most) - before)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert 1 + threads <= int(done.stdout) <= 1 + 2 * threads


def test_releases_at_once_give_the_same_bytes(people, policy, tmp_path):
    frame = pandas.concat([people] * 40, ignore_index=True)
    policies = [policy, policy.replaced(privacy__k=9), policy.replaced(search__algorithm="datafly")]

    def bytes_of(place):
        path = tmp_path / f"{place}-{threading.get_ident()}.csv"
        made = coarsen.release(frame, policies[place % 3])
        assert made.audit.holds
        return made.save(path).read_bytes(), made.recoding.to_json()

    wanted = [bytes_of(place) for place in range(3)]
    assert wanted[0] != wanted[1] != wanted[2]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for place, made in enumerate(pool.map(bytes_of, range(6))):
            assert made == wanted[place % 3]


def test_a_comparison_and_a_check_at_once(people, policy):
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        grid = pool.submit(coarsen.compare, people, policy, k=[2, 3, 4])
        made = pool.submit(coarsen.release, people, policy)
        found = pool.submit(coarsen.check, people, ["age"], k=2)
    assert grid.result().rows[2]["lm"] == made.result().losses["lm"]
    assert found.result().rows == 60


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads memory from /proc")
def test_a_frame_is_not_copied_on_the_way_in():
    """Beside the frame and the release there is never as much again as the frame."""
    code = """
    import threading, numpy, polars, coarsen
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096
    random = numpy.random.default_rng(1)
    rows = 2_000_000
    frame = polars.DataFrame({"age": random.integers(20, 80, rows), "sex": random.integers(0, 2, rows)})
    frame = frame.with_columns(polars.Series(f"x{i}", random.random(rows)) for i in range(14))
    policy = coarsen.Policy(k=10, quasi_identifiers=["age", "sex"], others=frame.columns[2:])
    before, highest, over = resident(), 0, threading.Event()
    def watch():
        global highest
        while not over.wait(0.01):
            highest = max(highest, resident())
    watcher = threading.Thread(target=watch)
    watcher.start()
    made = coarsen.release(frame, policy)
    over.set()
    watcher.join()
    size, released = frame.estimated_size(), made.table.estimated_size()
    print((highest - before - released) / size)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.7, done.stdout
