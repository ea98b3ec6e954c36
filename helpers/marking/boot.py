"""The first lines of a process for answers; its text is handed to ``python -c``.

It takes over the channel (standard input and output) and the way for what only this
process may say (standard error), so that an answer that prints or reads gets nothing,
and imports `helpers` from the sources that come first.
"""

import json
import os
import struct
import sys

incoming = os.fdopen(os.dup(0), "rb")
outgoing = os.fdopen(os.dup(1), "wb")
control = os.fdopen(os.dup(2), "wb")
nothing = os.open(os.devnull, os.O_RDWR)
for number in (0, 1, 2):
    os.dup2(nothing, number)
os.close(nothing)
size = struct.unpack("<I", incoming.read(4))[0]
settings = json.loads(incoming.read(size))
if settings.get("user"):
    os.setgroups([])
    os.setresgid(settings["user"], settings["user"], settings["user"])
    os.setresuid(settings["user"], settings["user"], settings["user"])
importing = {"__name__": "helpers.marking.importing"}
exec(settings.pop("importing"), importing)
sys.meta_path.insert(0, importing["InMemory"](settings.pop("sources")))
from helpers.marking.worker import main  # noqa: E402 - from memory, just now

main(settings, incoming, outgoing, control)
