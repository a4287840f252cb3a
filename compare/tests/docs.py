"""The pages of docs/, README.md and CONTRIBUTING.md are good.

Their links lead somewhere, their commands and options exist, and blocks of commands run that need
no GPU.

docs.py <source folder> <folder of the built programs>
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

SOURCE, PROGRAMS = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("*.md"))]
# ./ladder itself, which builds; what_is_built.sh and whoever runs this test have run it
OF_THE_SCRIPT = {"test"}
OPTIONS_OF_OTHERS = {"--require-gpu"}  # of ./ladder test
# paper.sh, your_kernels.sh, adding_a_rung.sh and adding_an_operation.sh run these
ELSEWHERE = {
    f"docs/{page}.md" for page in ("paper", "your_kernels", "adding_a_rung", "adding_an_operation")
}
# what takes long does this; .ci/run sets LADDER_WHOLE, and runs whole presets
PART = ["--operation", "sum_of_cubes"]
OF_A_GPU = {"docs/publishing_a_set.md"}


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)


def commands(block):
    lines = (re.sub(r"\s+# .*", "", line).strip() for line in block.splitlines())
    return [line for line in lines if line]


def ladder(*words, folder=SOURCE):
    return subprocess.run(
        [PROGRAMS / "ladder", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "LADDER_ROOT": str(SOURCE)},
    )


def anchors(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
    return {
        re.sub(r"[^a-z0-9_\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, re.M)
    }


class DocsTest(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        for page in PAGES:
            for target in re.findall(
                r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
            ):
                name, _, anchor = target.partition("#")
                with self.subTest(page=page.name, target=target):
                    self.assertFalse(re.match(r"[a-z]+:", target), "a link to another site")
                    file = (page.parent / name).resolve() if name else page
                    self.assertTrue(file.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(file))

    def test_every_command_and_option_exists(self):
        names = re.findall(r"^  ([a-z-]+)  ", ladder("--help").stdout, re.M)
        helps = {}
        for command in set(names) - OF_THE_SCRIPT:
            said = ladder(command, "--help")
            self.assertEqual(said.returncode, 0, said.stderr)
            helps[command] = set(re.findall(r"--[a-z-]+", said.stdout))
        seen = 0
        for page in PAGES:
            text = page.read_text()
            spans = [line for block in blocks(text, "sh") for line in commands(block)]
            spans += re.findall(
                r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
            )
            for span in spans:
                if span.startswith("--"):  # of a command that the sentence names
                    for option in re.findall(r"--[a-z-]+", span):
                        self.assertIn(
                            option,
                            set().union(*helps.values()) | OPTIONS_OF_OTHERS,
                            f"{page.name}: {span}",
                        )
                if not span.startswith("./ladder"):
                    continue
                words = shlex.split(span.split(" >")[0])[1:]
                command = (
                    words[0]
                    if words and re.fullmatch(r"[a-z-]+", words[0]) and not words[0].startswith("-")
                    else "run"
                )
                if command in OF_THE_SCRIPT or "--version" in words:
                    continue
                self.assertIn(command, helps, f"{page.name}: {span}")
                seen += 1
                for option in re.findall(r"--[a-z-]+", span):
                    self.assertIn(option, helps[command], f"{page.name}: {span}")
        self.assertGreater(seen, 30)

    def test_every_block_of_commands_runs(self):
        ran = []
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "reports").mkdir()
            (folder / "reports" / "published").symlink_to(SOURCE / "reports" / "published")
            for page in PAGES:
                if str(page.relative_to(SOURCE)) in ELSEWHERE | OF_A_GPU:
                    continue
                for command in (
                    line for block in blocks(page.read_text(), "sh") for line in commands(block)
                ):
                    words = shlex.split(command)
                    self.assertEqual(words[0], "./ladder", f"{page.name}: {command}")
                    if words[1:2] and words[1] in OF_THE_SCRIPT:
                        continue
                    if "cuda" in command or "prove-clock" in command:  # on a GPU
                        continue
                    whole = "LADDER_WHOLE" in os.environ
                    if command == "./ladder" or ("--preset" in words and not whole):
                        words += PART
                    with self.subTest(command=command):
                        said = ladder(*words[1:], folder=folder)
                        self.assertEqual(said.returncode, 0, said.stderr[-2000:])
                        ran.append(command)
        self.assertIn("./ladder", ran)

    def test_what_a_command_says_has_the_lines_of_today(self):
        place = r"[\w/]+\.cu:\d+"
        for page in PAGES:
            for block in blocks(page.read_text(), "text"):
                shown = re.match(r"\$ \./ladder (check-kernels .*)", block)
                if not shown:
                    continue
                with self.subTest(command=shown[0]):
                    said = ladder(*shlex.split(shown[1])).stdout
                    places = set(re.findall(place, block))
                    self.assertTrue(places)
                    self.assertLessEqual(places, set(re.findall(place, said)))


unittest.main(argv=sys.argv[:1])
