"""report.py - samples/bench.md has a section for each of the programs that measure. Each program
replaces its own section; text below another heading, such as what bounds a figure, is kept.
"""
import os
import re

PATH = os.path.join(os.path.dirname(__file__), "..", "bench.md")


def replace(heading, text):
    """Puts `text`, Markdown without the heading, below `heading` ("# ..."), up to the next heading
    of any level; appends both if the file has no such heading."""
    old = open(PATH).read() if os.path.exists(PATH) else ""
    new, found = re.subn(r"^" + re.escape(heading) + r"\n.*?(?=^#+ |\Z)",
        lambda _: f"{heading}\n\n{text.strip()}\n\n", old, count=1, flags=re.S | re.M)
    if not found:
        new = old + f"\n{heading}\n\n{text.strip()}\n"
    with open(PATH, "w") as file:
        file.write(new.strip() + "\n")
