"""A whole class at once: everyone presses *Run All* in notebook 01.

    .venv/bin/python -m pytest -m load tests/hub

It takes minutes and 7 GB, so that neither `make hub` nor CI runs it. Prints how long the
class waits, as multiples of one student alone on the same machine.
"""

import contextlib
import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from classroom import Course, Student, memory, open_hub, place, run_all, said_otherwise

pytestmark = pytest.mark.load

CLASS = int(os.environ.get("CLASS", 20))
NAMES = [f"student{number:02}" for number in range(CLASS)]
NOTEBOOK = "01_formula"


def test_all_finish_and_nothing_is_lost(tmp_path, record_property):
    course = Course(tmp_path)
    folder = tmp_path / "class"
    folder.mkdir()
    with (
        open_hub(folder, NAMES) as hub,
        contextlib.ExitStack() as stack,
        ThreadPoolExecutor(CLASS) as pool,
    ):
        people = [Student(hub, name) for name in NAMES]
        for one in people:
            stack.callback(one.close)
            assert one.log_in()
        start = time.perf_counter()
        list(pool.map(lambda one: one.pull(course.link(NOTEBOOK)), people))
        arrived = time.perf_counter() - start
        kernels = [stack.enter_context(one.kernel(place(NOTEBOOK))) for one in people]
        start = time.perf_counter()
        run_all(people[0], kernels[0], NOTEBOOK)
        alone = time.perf_counter() - start

        start = time.perf_counter()

        def work(one, kernel):
            ran = run_all(one, kernel, NOTEBOOK)
            return ran, time.perf_counter() - start

        done = list(pool.map(work, people, kernels))
        used = memory(folder)
    for ran, _ in done:
        assert [
            cell.source for cell, outputs in ran if said_otherwise(cell, outputs)
        ] == []
    waited = sorted(seconds for _, seconds in done)
    record_property(
        "hub",
        f"{CLASS} students, {os.cpu_count()} cores: servers there after {arrived:.0f} s; "
        f"one alone {alone:.0f} s (kernel just started); all at once: first "
        f"{waited[0]:.0f} s, last {waited[-1]:.0f} s; memory PSS {used['pss']:.0f} MiB",
    )
