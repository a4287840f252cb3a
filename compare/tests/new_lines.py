"""No rung adds more than 70 lines of code to the rung that it follows. Prints the lines of each.

The rungs of the study notes are free, and rungs over devices (handwritten/team) are left out. A
header counts for the first rung that includes it. The operations come in the order below. Within
one, each rung comes after the rung that it follows. Lines that the rung before has as well do not
count; the names of its kernel and its classes are no difference. Comments, the card, preprocessor
directives and lines without a word do not count either. A statement that is wrapped is one line.

Arguments: the source folder.
"""

import collections
import pathlib
import re
import sys

MOST = 70  # "about 60": a step that one reads in one go
# as the notes introduce them; then all others
OPERATIONS = ["reduce", "sum_of_cubes", "dot", "scan", "histogram"]


def stem(file):
    return file.name.split(".")[0]


def lines(file):
    text = re.sub(
        r"//.*", "", re.sub(r"constexpr Card card\{.*?\n\};", "", file.read_text(), flags=re.S)
    )
    if file.suffix == ".cu":
        for pattern, name in [
            (rf"\b({stem(file)}_kernel)\b", "kernel"),
            (r"^(?:class|struct|using) (\w+)", "Class"),
        ]:
            for own in set(re.findall(pattern, text, re.M)):
                text = re.sub(rf"\b{own}\b", name, text)
    code = [line.strip() for line in text.splitlines() if not line.lstrip().startswith("#")]
    whole = []
    for line in code:
        head = whole[-1] if whole else ""
        if not head or re.search(r"[;{}:]$|^template <.*>$", head):
            whole.append(line)
        else:
            whole[-1] = f"{head} {line}"
    return [line for line in whole if re.search(r"\w", line)]


def headers(file, source, found=()):
    for name in re.findall(r'#include "(handwritten/[^"]+)"', file.read_text()):
        if source / name not in found:
            found = headers(source / name, source, (*found, source / name))
    return found


def in_order(files):
    """Each with the rung that it follows, and after it."""
    left = {stem(file): file for file in files}
    follows = {
        name: (re.findall(r'\.follows = "(\w+)"', file.read_text()) or [None])[0]
        for name, file in left.items()
    }
    files, ordered = dict(left), []
    while left:
        next_ones = sorted(name for name in left if follows[name] not in left)
        if not next_ones:
            sys.exit(f"these rungs follow each other in a circle: {', '.join(sorted(left))}")
        ordered += [(left.pop(name), files.get(follows[name])) for name in next_ones]
    return ordered


source = pathlib.Path(sys.argv[1])
folders = {folder.name for folder in (source / "handwritten").iterdir() if folder.is_dir()} - {
    "team"
}
seen, counts = set(), {}
for operation in OPERATIONS + sorted(folders - set(OPERATIONS)):
    for file, before in in_order((source / "handwritten" / operation).glob("*.cu")):
        new = [header for header in headers(file, source) if header not in seen]
        seen.update(new)
        known = collections.Counter(
            line
            for part in ([before, *headers(before, source)] if before else [])
            for line in lines(part)
        )
        own = collections.Counter(line for part in [file, *new] for line in lines(part))
        if ".notes = " not in file.read_text():
            counts[f"handwritten/{operation}/{file.name}"] = (own - known).total()

for name, count in counts.items():
    print(
        f"{count:4} {name}"
        + (f": {MOST} at most, so split it into steps of one idea each" if count > MOST else "")
    )
sys.exit(not counts or max(counts.values()) > MOST)
