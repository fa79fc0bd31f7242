"""Threads, progress, Ctrl-C, the GIL, and silence."""

from __future__ import annotations

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
    for threads in (0, -1, 1.5, "two"):
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
    coarsen.release(people, policy)
    coarsen.check(people, ["age"])
    coarsen.profile(people)
    with pytest.raises(coarsen.PolicyError):
        coarsen.release(people, policy.replaced(privacy__k=61))
    assert capfd.readouterr() == ("", "")
    pytest.importorskip("tqdm")
    coarsen.release(people, policy, progress=True)
    assert "auditing" in capfd.readouterr().err


def interrupted(code: str, after: float) -> tuple[float, str]:
    """Runs code in a process of its own, presses Ctrl-C some time after it says `ready`, and gives the
    seconds from there to its end."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert "interrupted" in out, err
    return time.monotonic() - start, out


@pytest.mark.skipif(os.name == "nt", reason="signals are sent another way")
@pytest.mark.parametrize("stage", ["searching", "reading"])
def test_ctrl_c_cancels_within_a_second(stage):
    code = f"""
    import time, numpy, polars, coarsen
    random = numpy.random.default_rng(1)
    rows = 2_000_000 if "{stage}" == "reading" else 20_000
    frame = polars.DataFrame({{f"c{{i}}": random.integers(0, 60, rows) for i in range(7)}})
    policy = coarsen.Policy(
        k=5, quasi_identifiers=frame.columns,
        algorithm="genetic" if "{stage}" == "searching" else "mondrian",
        settings={{"genetic": {{"iterations": 100_000_000}}}},
    )
    told = []
    def listener(stage, *rest):
        if stage == "{stage}" and not told:
            told.append(stage)
            print("ready", flush=True)
    try:
        coarsen.release(frame, policy, progress=listener)
        print("finished", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        import os
        os._exit(0)
    """
    seconds, _ = interrupted(code, 0.3)
    # A busy machine has other things to do; the work itself would take many times as long.
    assert seconds < 1.0 + 2.0 * (os.getloadavg()[0] > 2 * (os.cpu_count() or 1))


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


def test_two_releases_at_once(people, policy):
    wanted = coarsen.release(people, policy).table
    tables = [None] * 4

    def work(place):
        tables[place] = coarsen.release(people, policy).table

    threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for table in tables:
        pandas.testing.assert_frame_equal(table, wanted)


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
