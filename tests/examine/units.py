"""Public code regenerated: each line of census.toml becomes a source and its facts."""

import tomllib
from pathlib import Path

CENSUS = tomllib.loads(Path(__file__).with_name("census.toml").read_text("utf-8"))
UNITS = {
    line.split()[0]: line.split()[1:] for line in CENSUS["units"].splitlines() if line
}


def regenerated(key):
    """The thing of a unit, and the facts that a report on it must give."""
    width, length, *names = UNITS[key]
    edits = [CENSUS["edits"][name] for name in names]
    use = next((edit["use"] for edit in edits if "use" in edit), "module")
    source = CENSUS["table"] + CENSUS[use]
    facts = dict(CENSUS["facts"])
    if use == "function":
        facts = {k: facts[k] for k in ("numbers", "layout", "odd width")}
    for name, edit in zip(names, edits, strict=True):
        changed = source
        for old, new in edit.get("edit", ()):
            changed = changed.replace(old, new)
        assert changed != source or name == "function", (key, name)
        source, facts = changed, facts | edit.get("facts", {})
    source = source.replace("WIDTH", width).replace("LENGTH", length)
    return run(source), {k: fact for k, fact in facts.items() if fact != ""}


def special(key):
    """The thing of a unit that has a source of its own."""
    start = CENSUS["table"].replace("WIDTH", "width").replace("LENGTH", "length")
    head = CENSUS["module"].partition("class")[0]
    return run(start + head + CENSUS["special"][key])


def run(source, name="thing"):
    """What a source defines under a name, else ``Thing``."""
    names = {"__name__": "unit"}
    exec(source, names)
    return names.get(name, names.get("Thing"))
