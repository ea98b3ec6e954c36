"""Ways to full marks without an answer, each tried against the sandbox."""

import shutil

import pupils
import pytest

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
