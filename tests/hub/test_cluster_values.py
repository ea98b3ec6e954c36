"""The values for Kubernetes: the sum in their comment follows from their own numbers."""

import math
import re

import yaml
from stored import ROOT

TEXT = (ROOT / "tests/hub/zero-to-jupyterhub.yaml").read_text(encoding="utf-8")
VALUES = yaml.safe_load(TEXT)
NODE_GIB, NODE_CORES = 28, 7.5  # as the comment says


def _gib(text):
    return float(text.removesuffix("G"))


def test_a_student_fits_what_is_guaranteed():
    readme = (ROOT / "tests/hub/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| server and kernel.* \| ([\d.]+) GB \|$", readme, re.M)
    assert rows and max(map(float, rows)) <= _gib(
        VALUES["singleuser"]["memory"]["guarantee"]
    )


def test_the_nodes_are_counted_right():
    memory = _gib(VALUES["singleuser"]["memory"]["guarantee"])
    cores = VALUES["singleuser"]["cpu"]["guarantee"]
    by = math.floor(NODE_GIB / memory), math.floor(NODE_CORES / cores)
    first = re.search(r"students a node\s+(\d+)\s+(\d+)\s+(\d+)", TEXT)
    assert tuple(map(int, first.groups())) == (*by, min(by))
    for line in re.findall(r"^#\s+(\d+) students(.*)$", TEXT, re.M):
        students, rest = int(line[0]), list(map(int, re.findall(r"\d+", line[1])))
        nodes = [math.ceil(students / fit) for fit in by]
        assert rest[:3] == [*nodes, max(nodes)]
        assert rest[3:] == [round(students * memory), round(students * cores)]


def test_what_a_class_needs_is_on():
    hub, student = VALUES["hub"], VALUES["singleuser"]
    assert hub["networkPolicy"]["enabled"] and student["networkPolicy"]["enabled"]
    assert VALUES["cull"]["enabled"] and VALUES["proxy"]["https"]["enabled"]


def test_students_do_not_reach_each_other():
    rules = VALUES["singleuser"]["networkPolicy"]["egressAllowRules"]
    assert not rules["privateIPs"] and not rules["cloudMetadataServer"]
