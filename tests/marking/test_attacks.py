"""Ways to full marks without an answer, each tried against the sandbox."""

import re
import shutil
from collections import Counter
from dataclasses import replace

import pupils
import pytest

from helpers.exercises import formula
from helpers.exercises.core import INCORRECT
from helpers.marking import judging, reading, sandbox

pytestmark = [
    pytest.mark.marks,
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]
COLUMN = "formula.angular_speeds"
ATTACKS = {}
ATTACKS["inspect source"] = """
import inspect
from helpers import encoding
def angular_speeds(d):
    space={}
    exec(inspect.getsource(encoding), space)
    return space["angular_speeds"](d)
"""
ATTACKS["reload module"] = """
import importlib, sys
def angular_speeds(d):
    for k in [k for k in sys.modules if k.startswith("helpers")]: del sys.modules[k]
    import helpers.encoding as e
    return e.angular_speeds(d)
"""
ATTACKS["gc functions"] = """
import gc, types
def angular_speeds(d):
    for o in gc.get_objects():
        named = isinstance(o, types.FunctionType) and "e" in o.__name__
        if named and o.__name__ in ("positional_encoding", "angular_speeds"):
            if o is not angular_speeds:
                return o(d)
    gc.collect()
    kinds = {type(o).__name__ for o in gc.get_objects()}
    raise LookupError([k for k in kinds if k in ("Exercise", "Slip", "Question")])
"""
ATTACKS["refusing subclass tricks"] = """
from helpers import encoding
def angular_speeds(d):
    r = encoding.angular_speeds
    c = r.__init__.__closure__
    return [x.cell_contents for x in c][0]
"""
ATTACKS["parent memory"] = """
import os
def angular_speeds(d):
    p=os.getppid()
    try: open(f"/proc/{p}/mem","rb"); a="mem open"
    except Exception as e: a=repr(e)
    try: os.listdir(f"/proc/{p}/fd"); a+="fd open"
    except Exception as e: a+=repr(e)
    raise LookupError(a, os.listdir("/proc")[:30], os.getuid())
"""
ATTACKS["forge on fds"] = """
import os, json, struct
def angular_speeds(d):
    m=json.dumps({"value":{"list":[1.0]},"printed":""}).encode()
    for fd in range(3,30):
        try: os.write(fd, struct.pack("<I",len(m))+m)
        except OSError: pass
    os._exit(0)
"""
ATTACKS["liar array"] = """
import numpy as np
class L(np.ndarray):
    def __eq__(s,o): return True
    def __array_function__(s,*a): return True
    def __array_ufunc__(s,*a,**k): return True
    def astype(s,*a,**k): return s
    @property
    def shape(s): raise AttributeError
def angular_speeds(d):
    return np.zeros(d//2).view(L)
"""
ATTACKS["garbage channel"] = """
import os
def angular_speeds(d):
    for fd in range(3,30):
        try: os.write(fd, b"\\xff"*100)
        except OSError: pass
    return 1
"""
ATTACKS["deep list"] = """
def angular_speeds(d):
    x=[]
    for _ in range(100000): x=[x]
    return x
"""
ATTACKS["kill everyone"] = """
import os, signal
def angular_speeds(d):
    os.kill(-1, signal.SIGKILL)
"""
ATTACKS["daemon that stays"] = """
import os, time
def angular_speeds(d):
    if os.fork()==0:
        os.setsid()
        if os.fork()==0:
            time.sleep(600)
        os._exit(0)
    return 10_000.0 ** (-2 * __import__("numpy").arange(d // 2) / d)
"""
ATTACKS["write system"] = """
import os, sys
def angular_speeds(d):
    bad=[]
    places = ["/", "/usr", "/etc", "/dev", "/proc/sys/kernel", sys.prefix + "/lib"]
    places += [sys.base_prefix + "/lib", "/dev/shm", "/tmp", "/home"]
    for p in places:
        try: open(p+"/x","w").close(); bad.append(p)
        except OSError as e: pass
    raise LookupError(bad)
"""
ATTACKS["nothing at all, of the right size"] = """
import numpy as np
def angular_speeds(d):
    return np.ma.masked_all(d // 2) if d > 4 else np.full(d // 2, np.nan)
"""
ATTACKS["texts that look like numbers"] = """
def angular_speeds(d):
    return [str(10_000.0 ** (-2 * k / d)) for k in range(d // 2)]
"""
ATTACKS["raises what the judge stops at"] = """
class Stop(KeyboardInterrupt): pass
def angular_speeds(d):
    raise Stop("`</code><script>alert(1)</script>")
"""
ATTACKS["walls of its own"] = """
import ctypes, sys
def angular_speeds(d):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.unshare(0x10000000 | 0x00020000)  # a user and mounts of its own
    prefix = (sys.base_prefix + "/lib").encode()
    for place in (b"/", b"/usr", prefix):
        libc.mount(b"none", place, None, 32 | 4096, None)  # remount, to be written to
    written = []
    for place in ("/", "/usr", sys.base_prefix + "/lib"):
        try: open(place + "/x", "w").close(); written.append(place)
        except OSError: pass
    raise LookupError(written)
"""


@pytest.fixture(scope="module")
def said():
    """What the judge says of every attack, one after the other in one sandbox."""
    verdicts = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "_has_more_to_say", lambda *_: False)
        with sandbox.Sandbox(walls=sandbox.walls(), torch=False) as shared:
            for name, code in [*ATTACKS.items(), ("honest", HONEST)]:
                content = pupils.notebook(code).encode()
                answer = reading.read(reading.cells_of(content), "formula")[COLUMN]
                verdicts[name] = judging._verdict(COLUMN, answer, shared)
    return verdicts


HONEST = pupils.RIGHT["angular_speeds"]


@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_is_a_right_answer(name, said):
    assert said[name].status == INCORRECT, said[name]


def test_an_honest_answer_after_all_of_them_is_right(said):
    assert said["honest"].status == "correct"


def test_what_they_found_is_nothing(said):
    assert "`LookupError: []`" in said["gc functions"].message
    assert "`LookupError: []`" in said["walls of its own"].message
    assert "['/dev/shm', '/tmp', '/home']" in said["write system"].message
    assert said["parent memory"].message.count("Permission denied") == 2


def test_without_root_it_is_the_same():
    program, _ = sandbox.walls()
    found = {}
    for kind in ("user", "root"):
        try:
            with sandbox.Sandbox(walls=(program, kind), torch=False) as shared:
                for name in ("parent memory", "kill everyone", "write system"):
                    content = pupils.notebook(ATTACKS[name]).encode()
                    read = reading.read(reading.cells_of(content), "formula")
                    verdict = judging._verdict(COLUMN, read[COLUMN], shared)
                    found[kind, name] = verdict.status
        except sandbox.NoStart:
            continue
    assert found and set(found.values()) == {INCORRECT}


def test_one_exercise_cannot_answer_for_the_next(monkeypatch):
    """What it sends in advance, or once it is believed to have gone, is not taken."""
    forge = """
import os, signal, sys
import numpy as np
def encode_with_bases(max_len, bases):
    frame = sys._getframe()
    while "outgoing" not in frame.f_locals:
        frame = frame.f_back
    channel, incoming = frame.f_locals["outgoing"], frame.f_locals["incoming"]
    from helpers.marking.worker import receive
    from helpers.marking.values import encode
    def angular_speeds(d): return 10_000.0 ** (-2 * np.arange(d // 2) / d)
    shape = {"kind": "function", "name": "angular_speeds",
             "parameters": [["d_model", 1, False]]}
    call = {}
    while "end" not in call:
        channel.send({"value": 1})
        call = receive(incoming)
    channel.send({"gone": 0})
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.setitimer(signal.ITIMER_PROF, 0)
    HOW
"""
    in_advance = """
    channel.send({"feedback": None})
    channel.send({"gone": 0})
    channel.send({"shape": shape})
    for (d,) in CASES:
        channel.send({"value": encode(angular_speeds(d)), "args": []})
    os._exit(0)"""
    staying = """
    while True:
        task = receive(incoming)
        channel.ticket = task.get("ticket", channel.ticket)
        if "confer" in task:
            channel.send({"feedback": None})
        elif "end" in task:
            channel.send({"gone": 0})
        elif "program" in task:
            channel.send({"shape": shape})
        elif "args" in task:
            d = int(task["args"][0]["int"])
            channel.send({"value": encode(angular_speeds(d)), "args": task["args"]})
"""
    first = "formula.encode_with_bases"
    monkeypatch.setattr(sandbox, "CONFIRMED", 2.0)
    for how in (in_advance, staying):
        how = how.replace("CASES", repr(formula.angular_speeds.cases))
        cells = [forge.replace("\n    HOW", how), "def angular_speeds(d): return d"]
        answers = reading.read(cells, "formula")
        asked = {column: answers[column] for column in (first, COLUMN)}
        verdicts = judging.judged(asked, walls=sandbox.walls())
        assert {v.status for v in verdicts.values()} == {INCORRECT}


def test_a_loop_that_turns_its_bounds_off_is_ended(monkeypatch):
    monkeypatch.setattr(sandbox, "PROCESSOR", 2)
    deaf = """
import signal
def angular_speeds(d):
    for timer in (signal.ITIMER_REAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)
    while True:
        pass
"""
    answer = {COLUMN: reading.read([deaf], "formula")[COLUMN]}
    assert judging.judged(answer, walls=sandbox.walls())[COLUMN].mistake == "time"


def test_no_code_of_an_answer_becomes_part_of_the_page(tmp_path):
    page = pytest.importorskip("helpers.marking.page")
    evil = """</pre></code><script>alert(1)</script><img src=x onerror=alert(2)>
/*the font of the formulas*/{{ 1 }}`$x$`"""
    code = f"""
class Evil(Exception): pass
def angular_speeds(d):
    text = {evil!r}
    if d == 2:
        raise Evil(text)
    return [len(text)] * d
"""
    letter = f"formula.frozen_hands.check({evil!r})"
    answers = reading.read([code, letter], "formula")
    verdicts = judging.judged(answers, walls=sandbox.walls())
    # What it could make the engine beside it say.
    lying = replace(verdicts[COLUMN], mistake=evil, message=evil, outcomes="x")
    plain = {column: judging.Verdict("missing") for column in answers}
    pages = []
    for one in (plain, verdicts, {**verdicts, COLUMN: lying}):
        path = page.write(tmp_path / "class.html", ["formula"], [one])
        text = path.read_text(encoding="utf-8")
        tags = ["font"] * text.count("@font-face")
        tags += re.findall(r"<(script|img|style|iframe|link|svg)\b", text)
        pages.append((Counter(tags), len(re.findall(r"<[^>]* on[a-z]+=", text))))
    assert pages[1] == pages[2] == pages[0]
