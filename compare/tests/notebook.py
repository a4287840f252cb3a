"""The notebook is well-formed, has no outputs, and its cells run with the built driver.

In place of a kernel that is not built, they take one that is.

notebook.py <notebook> <source folder> <folder of the built programs>
"""

import html
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

NOTEBOOK, SOURCE, PROGRAMS = (pathlib.Path(word).resolve() for word in sys.argv[1:4])

# The driver, with fewer elements than the notebook asks for. my_kernel is serial here, once its
# file is there.
LADDER = """#!/bin/sh
for word; do
  shift
  if [ "$word" = my_kernel ]; then
    [ -s handwritten/reduce/my_kernel.cu ] || exit 1
    word=serial
  fi
  set -- "$@" "$word"
done
if [ "$1" = run ]; then set -- "$@" --size 1000; fi
LADDER_ROOT=$PWD exec {programs}/ladder "$@"
"""


def cells(kind):
    return [
        "".join(cell["source"])
        for cell in json.loads(NOTEBOOK.read_text())["cells"]
        if cell["cell_type"] == kind
    ]


def python(cell):
    """Lines of `!command` become calls of shell(), where IPython replaces {expressions} too."""
    return re.sub(r"^( *)!(.*)$", lambda line: f"{line[1]}shell(f{line[2]!r})", cell, flags=re.M)


class NotebookTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.scratch = pathlib.Path(scratch.name).resolve()
        self.checkout = self.scratch / "checkout"
        (self.checkout / "handwritten" / "reduce").mkdir(parents=True)
        (self.checkout / "docs").mkdir()
        shutil.copy(SOURCE / "docs" / "adding_a_rung.md", self.checkout / "docs")
        shutil.copy(
            SOURCE / "handwritten" / "reduce" / "serial.cu",
            self.checkout / "handwritten" / "reduce",
        )
        shutil.copy(NOTEBOOK, self.checkout / "docs")
        ladder = self.checkout / "ladder"
        ladder.write_text(LADDER.replace("{programs}", shlex.quote(str(PROGRAMS))))
        ladder.chmod(0o755)

        self.commands = []
        self.displayed = []
        display = types.ModuleType("IPython.display")
        display.HTML = lambda text: ("html", text)
        display.Markdown = lambda text: ("markdown", text)
        display.display = self.displayed.append
        sys.modules["IPython"] = types.ModuleType("IPython")
        sys.modules["IPython.display"] = display

    def run_cells(self, some, folder):
        os.chdir(folder)
        names = {"shell": self.shell}
        for cell in some:
            exec(compile(python(cell), cell, "exec"), names)

    def shell(self, command):
        self.commands.append(command)
        said = subprocess.run(command, shell=True, capture_output=True, text=True)
        self.assertEqual(
            said.returncode, 0, f"{command}: {said.stdout[-1000:]}{said.stderr[-1000:]}"
        )

    def test_it_is_a_notebook_without_outputs(self):
        notebook = json.loads(NOTEBOOK.read_text())
        self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
        self.assertEqual(notebook["metadata"]["kernelspec"]["name"], "python3")
        ids = [cell["id"] for cell in notebook["cells"]]
        self.assertEqual(len(ids), len(set(ids)))
        for cell in notebook["cells"]:
            with self.subTest(cell=cell["id"]):
                self.assertRegex(cell["id"], r"^[A-Za-z0-9_-]{1,64}$")
                self.assertEqual(cell["metadata"], {})
                fields = {"cell_type", "id", "metadata", "source"}
                if cell["cell_type"] == "code":
                    fields |= {"execution_count", "outputs"}
                    self.assertIsNone(cell["execution_count"])
                    self.assertEqual(cell["outputs"], [])
                else:
                    self.assertEqual(cell["cell_type"], "markdown")
                self.assertEqual(set(cell), fields)
                self.assertTrue(all(line.endswith("\n") for line in cell["source"][:-1]))
                self.assertLessEqual(max(map(len, cell["source"])), 101)

    def test_it_finds_the_checkout_that_it_is_in(self):
        for folder in [self.checkout, self.checkout / "docs"]:
            with self.subTest(folder=folder.name):
                self.run_cells(cells("code")[:1], folder)
                self.assertEqual(pathlib.Path.cwd(), self.checkout)
        with self.assertRaisesRegex(AssertionError, "set repository"):
            self.run_cells(cells("code")[:1], self.scratch)

    def test_every_cell_runs_in_a_clone(self):
        git = [
            "git",
            "-C",
            self.checkout,
            "-c",
            "user.name=somebody",
            "-c",
            "user.email=somebody@nowhere",
        ]
        for words in [["init", "-q"], ["add", "."], ["commit", "-qm", "first"]]:
            subprocess.run([*git, *words], check=True)
        first, *others = cells("code")
        self.assertIn('repository = ""', first)
        first = first.replace('repository = ""', f'repository = "file://{self.checkout}"')
        (self.scratch / "elsewhere").mkdir()
        self.run_cells([first, *others], self.scratch / "elsewhere")

        clone = self.scratch / "elsewhere" / "kernel-ladder"
        self.assertEqual(pathlib.Path.cwd(), clone)
        self.assertEqual(
            [command.split()[1] for command in self.commands if command.startswith("./ladder ")],
            ["--version", "run", "check-kernels", "run"],
        )
        kernel = (clone / "handwritten" / "reduce" / "my_kernel.cu").read_text()
        for part in ["my_kernel_kernel(", "struct MyKernel ", "Register<Reduce, MyKernel>"]:
            self.assertIn(part, kernel)
        self.assertNotRegex(kernel, "(?i)strided_?block")

        frames = [text for kind, text in self.displayed if kind == "html"]
        texts = [text for kind, text in self.displayed if kind == "markdown"]
        self.assertEqual((len(frames), len(texts)), (2, 2))
        for frame in frames:
            page = html.unescape(
                re.fullmatch(
                    r'<div><iframe srcdoc="([^"]*)" width="100%" height="900"></iframe></div>',
                    frame,
                )[1]
            )
            self.assertIn('<head><base href="about:srcdoc">', page)
        self.assertEqual(
            page.replace('<base href="about:srcdoc">', ""),
            (clone / "reports" / "latest" / "report.html").read_text(),
        )
        self.assertTrue(texts[0].startswith("# Kernel Ladder report"))
        self.assertEqual(texts[1], f"```cpp\n{kernel}```")


unittest.main(argv=sys.argv[:1])
