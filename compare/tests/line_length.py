"""A line of code has at most 100 columns, whatever its language.

Two kinds of line are longer: one with a word that fills it, such as an address or a digest, and
text in a raw string.

line_length.py <source folder>
"""

import pathlib
import re
import sys

COLUMNS, WORD = 100, 60
SOURCE = pathlib.Path(sys.argv[1])
FOLDERS = ("compare", "handwritten", "reports", "vendor", ".ci", ".devcontainer")
CODE = re.compile(r"(\.(hpp|cpp|cu|cuh|h|cmake|sh|py|js|css)|/CMakeLists\.txt|\.ci/run)$")
FOREIGN = re.compile(r"reports/published/|/vega/vega\.js$")
RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)

files = [SOURCE / "ladder", SOURCE / "CMakeLists.txt"]
for folder in FOLDERS:
    names = (path for path in (SOURCE / folder).rglob("*") if path.is_file())
    files += (path for path in names if CODE.search(str(path)) and not FOREIGN.search(str(path)))

found = 0
for path in sorted(files):
    text = re.sub(RAW, lambda raw: "\n" * raw[0].count("\n"), path.read_text())
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS and max(map(len, line.split())) < WORD:
            print(f"{path.relative_to(SOURCE)}:{number}: {len(line)} columns")
            found += 1
print(f"{len(files)} files, {found} lines are too long")
sys.exit(found > 0 or len(files) < 500)
