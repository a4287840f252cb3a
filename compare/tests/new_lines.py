"""No rung adds more than 70 lines of code to the rung that it follows, apart from the rungs of the study notes. Arguments: the source folder.

A header counts for the first rung that includes it, in the order of the operations below. Lines that the rung before has as well do not count, under
its own names or the other's. Nor do comments, the card, preprocessor directives, and lines without a word.
"""
import collections
import pathlib
import re
import sys

MOST = 70
OPERATIONS = ["reduce", "sum_of_cubes", "dot", "scan", "histogram"]  # as the notes introduce them

handwritten = pathlib.Path(sys.argv[1]) / "handwritten"


def lines(file):
    text = re.sub(r"//.*", "", re.sub(r"constexpr Card card\{.*?\n\};", "", file.read_text(), flags=re.S))
    if file.suffix == ".cu":
        for pattern, name in [(rf"\b{stem(file)}_kernel\b", "kernel"), (r"(?<=^class )(\w+)", "Class"), (r"(?<=^const Register<)\w+, (\w+)", "Rung")]:
            for own in {found.group(found.lastindex or 0) for found in re.finditer(pattern, text, re.M)}:
                text = re.sub(rf"\b{own}\b", name, text)
    return [line.strip() for line in text.splitlines() if re.search(r"\w", line) and not line.lstrip().startswith("#")]


def stem(file):
    return file.name.split(".")[0]


def headers(file):
    found = [handwritten.parent / name for name in re.findall(r'#include "(handwritten/[^"]+)"', file.read_text())]
    return list(dict.fromkeys(found + [further for header in found for further in headers(header)]))


def in_order(files):
    """Each after the rung that it follows: what one may build upon."""
    follows = {stem(file): re.search(r'\.follows = "(\w+)"', file.read_text()) for file in files}
    before = {name: match and match.group(1) for name, match in follows.items()}

    def depth(name):
        return 0 if before[name] is None else 1 + depth(before[name])

    named = {stem(file): file for file in files}
    return [(file, named.get(before[stem(file)])) for file in sorted(files, key=lambda file: (depth(stem(file)), file.name))]


seen, counts, too_long = set(), [], []
for operation in OPERATIONS:
    for file, before in in_order(list((handwritten / operation).glob("*.cu"))):
        new = [header for header in headers(file) if header not in seen]
        seen.update(new)
        of_others = collections.Counter(line for known in ([before, *headers(before)] if before else []) for line in lines(known))
        own = collections.Counter(line for part in [file, *new] for line in lines(part))
        count = (own - of_others).total()
        if ".repaired" in file.read_text():
            continue  # of the notes
        counts.append(count)
        if count > MOST:
            too_long.append(f"handwritten/{operation}/{file.name} adds {count} lines to the rung before; {MOST} at most")
print(*too_long, f"{len(counts)} rungs add {max(counts)} lines at most", sep="\n")
sys.exit(bool(too_long) or len(counts) < 30)
