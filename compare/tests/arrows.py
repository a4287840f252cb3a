"""Holds every #include to the two tables of CONTRIBUTING.md, folders and floors; refuses circles.

A file belongs to the longest folder of the first table that it lies in. It includes its own folder,
and what the last column names: a file, or a folder, which is the files that belong to its row.
<operation> is the folder of the file that includes; a row "as every" other one takes all of them.

arrows.py <source folder>
"""

import graphlib
import pathlib
import re
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])
ROOMS = ("compare", "handwritten", "reports", "vendor")
CODE = {".hpp", ".cpp", ".cu", ".cuh", ".h", ""}  # "": CUDA's own names, as cuda/barrier


def words(cell):
    return re.findall("`([^`]+)`", cell)


def table(page, columns):
    rows = (re.split(r" *\| *", line)[1:-1] for line in page.splitlines() if line.startswith("| `"))
    return [row for row in rows if len(row) == columns]


def floors(cell):
    """For each floor of a house those that it may include."""
    sees, below = {}, set()
    for level in cell.split(", "):
        here = re.findall(r"([\w]+)(?: \(not (\w+)\))?", level)
        sees.update({floor: below - {barred} | {floor} for floor, barred in here})
        below = below | {floor for floor, _ in here}
    return sees


class Tree:
    def __init__(self, source):
        page = (source / "CONTRIBUTING.md").read_text()
        self.folders = {name: row[2] for row in table(page, 3) for name in words(row[0])}
        self.houses = {words(house)[0]: floors(cell) for house, cell in table(page, 2)}
        self.operations = [path.name for path in (source / "handwritten").glob("[a-z]*/")]
        self.includes = []  # (from, to)
        for path in (path for room in ROOMS for path in sorted((source / room).rglob("*"))):
            if path.suffix in CODE and path.is_file():
                text, name = path.read_text(errors="replace"), str(path.relative_to(source))
                found = re.findall(r'^ *# *include "([^"]+)"', text, re.M)
                self.includes += ((name, to) for to in found if (source / to).is_file())

    def folder(self, path):
        """Its name in the table, and its own."""
        one = path.partition("/")[2].partition("/")[0]
        fits = [(name.count("/"), name.replace("<operation>", one), name) for name in self.folders]
        fits = [(*fit, "<" not in fit[2]) for fit in fits if path.startswith(fit[1])]
        best = max(fits, key=lambda fit: (fit[0], fit[3]), default=(0, "", "", True))
        return best[2], best[1]

    def may_include(self, file):
        cell, operations = self.folders[self.folder(file)[0]], [file.split("/")[1]]
        if cell.startswith("as every"):
            cell = self.folders[words(cell)[0]] + cell.partition(",")[2]
            operations = self.operations
        return {name.replace("<operation>", one) for name in words(cell) for one in operations}

    def floor(self, house, path):
        return path.removeprefix(house).partition("/")[0] if "/" in path.removeprefix(house) else ""

    def refusal(self, file, to):
        (row, own), (_, its) = self.folder(file), self.folder(to)
        if not own or not its:
            return f"{file if not own else to} is in no folder of the table"
        if "anything" in self.folders[row]:
            return ""
        if own == its and own in self.houses:
            sees, here, there = self.houses[own], self.floor(own, file), self.floor(own, to)
            if here and here not in sees:
                return f"{own}{here}/ is no floor of {own}"
            return "" if there in sees.get(here, sees) or here == there else f"{file} includes {to}"
        allowed = self.may_include(file) | {own}
        return "" if its in allowed or to in allowed else f"{file} includes {to}"

    def circle(self):
        graph = {}
        for file, to in self.includes:
            one, other = (re.sub(r"\.[hc]pp$", "", name) for name in (file, to))
            if one != other:
                graph.setdefault(one, set()).add(other)
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            return " <- ".join(error.args[1])
        return ""

    def refusals(self):
        return sorted({text for text in (self.refusal(*one) for one in self.includes) if text})


class ArrowsTest(unittest.TestCase):
    maxDiff = None

    def test_the_tree_is_as_contributing_says(self):
        tree = Tree(SOURCE)
        self.assertGreater(len(tree.includes), 1000)
        self.assertEqual("\n".join(tree.refusals()), "")

    def test_no_files_include_each_other_in_a_circle(self):
        self.assertEqual(Tree(SOURCE).circle(), "")

    def scratch(self, *includes):
        """A tree with the tables of this one, and these includes."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        (root / "CONTRIBUTING.md").write_text((SOURCE / "CONTRIBUTING.md").read_text())
        for name in (name for pair in includes for name in pair):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).touch()
        for file, to in includes:
            with (root / file).open("a") as out:
                out.write(f'#include "{to}"\n')
        return Tree(root)

    def test_an_arrow_that_the_tables_do_not_have_is_refused(self):
        driver, emulated = "compare/driver/", "compare/emulated/"
        for file, to in (
            ("reports/model/a.hpp", "compare/protocol.hpp"),  # a house that it does not see
            ("handwritten/dot/a.cu", "compare/operations/scan.hpp"),  # another operation
            ("handwritten/dot/a.cu", "handwritten/scan/b.hpp"),
            ("compare/cuda/a.cpp", "compare/host/b.hpp"),  # another backend
            ("handwritten/team/a.cu", "compare/operations/exact_sum.hpp"),  # no operation
            ("reports/text/a.hpp", "reports/model/b.hpp"),  # up
            (driver + "plan/a.cpp", driver + "study/b.hpp"),
            (emulated + "machine/a.cpp", emulated + "memory/b.hpp"),  # a neighbour
            ("reports/words/a.cpp", "reports/file/b.hpp"),  # barred
            (driver + "study/a.cpp", driver + "main.hpp"),  # the roof
            (driver + "cellar/a.cpp", driver + "disk/b.hpp"),  # no floor
            ("reports/model/a.hpp", "vendor.hpp"),  # no folder
        ):
            with self.subTest(file=file, to=to):
                self.assertEqual(len(self.scratch((file, to)).refusals()), 1)

    def test_an_arrow_that_they_have_is_taken(self):
        for file, to in (
            ("reports/formats/html/a.cpp", "reports/formats/markdown/b.hpp"),
            ("compare/driver/main.cpp", "compare/driver/commands/b.hpp"),
            ("compare/launch.hpp", "compare/cuda/launch.hpp"),
            ("handwritten/dot/a.cu", "compare/operations/dot.hpp"),
            ("compare/tests/driver/a.cpp", "compare/driver/main.hpp"),
        ):
            with self.subTest(file=file, to=to):
                self.assertEqual(self.scratch((file, to)).refusals(), [])

    def test_a_circle_is_refused(self):
        first, second, third = (f"reports/text/{name}" for name in ("a.hpp", "b.hpp", "a.cpp"))
        self.assertIn("reports/text/a", self.scratch((first, second), (second, first)).circle())
        # A source that includes the header that includes its own.
        self.assertIn("reports/text/a", self.scratch((second, first), (third, second)).circle())
        self.assertEqual(self.scratch((third, first), (third, second)).circle(), "")


unittest.main(argv=sys.argv[:1])
