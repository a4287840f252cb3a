"""report.html in a headless Chromium: the published set, a machine without a GPU, hostile texts.

LADDER_PYTHON names a Python that has Playwright, where python3 itself has none. With
LADDER_REQUIRE_TOOLS the test fails where it could not run. Nothing here waits for a given time,
and nothing gives up: ctest ends what hangs.
"""

import base64
import bz2
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest


def missing(what):
    print(f"{'FAILED' if 'LADDER_REQUIRE_TOOLS' in os.environ else 'SKIPPED'}: {what}")
    sys.exit("LADDER_REQUIRE_TOOLS" in os.environ)


try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright
except ImportError:
    other = os.environ.pop("LADDER_PYTHON", None)
    if other:
        os.execv(other, [other, "-B", *sys.argv])
    missing(
        "this Python has no Playwright, or no axe: `pip install playwright axe-playwright-python` "
        "in a virtual environment, and LADDER_PYTHON=<its python3>, bring them"
    )

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    missing("there is no chromium; `apt-get install --no-install-recommends chromium` brings it")

REPORTS = pathlib.Path(__file__).resolve().parents[2]
PUBLISHED = REPORTS / "published/h200/results.json.bz2"
SECOND = REPORTS / "published/h100_80gb_hbm3/results.json.bz2"
EXAMPLE = REPORTS / "tests/example.results.json"
HOSTILE = (
    "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1><b>bold</b>${window.hacked=1}{{style}}\u202e&lt;"
    + "<div>" * 100
    + "**`*[<br>" * 100
)
# frame, or what went wrong
NEXT = (
    "new Promise((go, stop) => (window.failed ? stop(window.failed) : requestAnimationFrame(go)))"
)
# Labels of one axis that stand in one line and less than 3 px apart.
TOUCHING = """(axes) => axes.flatMap((axis) => {
    const seen = [...axis.querySelectorAll("text")]
        .filter((text) => text.textContent !== "" && text.getAttribute("opacity") !== "0");
    const boxes = seen.map((text) => text.getBoundingClientRect()).sort((a, b) => a.x - b.x);
    const close = (one, next) =>
        next.top < one.bottom && one.top < next.bottom && next.left < one.right + 3;
    const words = seen.map((text) => text.textContent).join(" | ");
    return boxes.slice(1).some((box, i) => close(boxes[i], box))
        ? [axis.closest("[data-figure]").dataset.figure + ": " + words] : [];
})"""
# Texts of a figure that lie on one another, and names of lines that lie among the lines.
OVERPRINTED = r"""(figures) => figures.flatMap((figure) => {
    const texts = [...figure.querySelectorAll(".mark-text.role-mark text")]
        .filter((text) => text.textContent !== "" && text.getAttribute("opacity") !== "0");
    const boxes = texts.map((text) => text.getBoundingClientRect());
    const on = (one, other) =>
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4 &&
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1;
    const edge = figure.querySelector("svg").getBoundingClientRect().left
        + figure.view.origin()[0] + figure.view.width();
    const among = boxes.map((box, i) => [box.left, texts[i].textContent])
        .filter(([left, text]) => left < edge && !/^(limit|ceiling)\b/.test(text));
    const name = figure.dataset.figure;
    return boxes.flatMap((box, i) => boxes.slice(i + 1).flatMap((other, k) => on(box, other)
        ? [[name, texts[i].textContent, texts[i + 1 + k].textContent]] : []))
        .concat(/^(bandwidth|ratio)$/.test(name) ? among : []);
})"""
# Legends that the edge of their picture cuts.
CUT = """(legends) => legends
    .filter((one) => one.getBoundingClientRect().right
                     > one.closest("svg").getBoundingClientRect().right)
    .map((one) => one.closest("[data-figure]").dataset.figure)"""
# What reaches beyond the figure or its cell, and texts of one row that stand on each other.
CROWDED = """(figures) => figures.flatMap((figure) => {
    const edge = figure.getBoundingClientRect().right + 1;
    const found = [];
    for (const cell of figure.querySelectorAll("p, caption, th, td"))
        if (cell.getBoundingClientRect().right > edge || cell.scrollWidth > cell.clientWidth + 1)
            if (getComputedStyle(cell).display !== "none")
                found.push("cut: " + cell.textContent);
    for (const row of figure.rows ?? figure.querySelectorAll("tr")) {
        const boxes = [];
        const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const range = document.createRange();
            range.selectNode(texts.currentNode);
            for (const box of range.getClientRects())
                if (box.width > 0) boxes.push([texts.currentNode.data, box]);
        }
        for (const bar of row.querySelectorAll(".bar g rect"))
            boxes.push(["bar", bar.getBoundingClientRect()]);
        boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (across > 1 && down > 3) found.push(`${one} on ${other}`);
        }));
    }
    return found.slice(0, 3);
})"""
UNITS = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}


def number(text):
    return float(text.replace(",", ""))


def changed(page, part, change):
    """The page with a part of its data as change(data) leaves it."""
    before, packed, after = re.split(rf'(?<=id="{part}">)([^<]*)', page)
    data = json.loads(gzip.decompress(base64.b64decode(packed)))
    change(data)
    return before + base64.b64encode(gzip.compress(json.dumps(data).encode())).decode() + after


def only(backend, page):
    """The page with the rows of one backend alone, and without what others counted for them."""

    def keep(columns):
        number = columns["backend"]["words"].index(backend)
        kept = [r for r, value in enumerate(columns["backend"]["values"]) if value == number]
        for name, column in columns.items():
            of_others = name.startswith("counted_")
            column["values"] = [None if of_others else column["values"][r] for r in kept]

    return changed(page, "cells", keep)


class Page:
    """An open page that notes what it should not do."""

    def __init__(self, browser, file, hash="", width=1280, scheme="light"):
        self.noise, self.file = [], file
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
        )
        self.context.set_default_timeout(0)
        self.page = self.context.new_page()
        self.page.add_init_script(
            "addEventListener('error', (event) => (window.failed = event.message));"
            "addEventListener('unhandledrejection', (event) => (window.failed = event.reason))"
        )
        self.page.on("console", lambda message: self.noise.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.noise.append(f"error: {error}"))
        self.page.on(
            "request",
            lambda request: (
                self.noise.append(f"request: {request.url[:80]}")
                if not request.url.startswith(file.as_uri())
                else None
            ),
        )
        self.open(hash)

    def open(self, hash=""):
        self.page.goto("about:blank")
        self.page.goto(self.file.as_uri() + hash)
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def wait(self, condition):
        """wait_for_function() would evaluate a string, which the policy of the page forbids."""
        self.page.evaluate("async () => { while (!(" + condition + ")) await " + NEXT + "; }")

    def draw_all(self):
        """Brings every figure into the window once."""
        self.page.evaluate(
            """async () => {
            for (const canvas of document.querySelectorAll("[data-figure]")) {
                if (canvas.closest("details:not([open])")) canvas.closest("details").open = true;
                canvas.scrollIntoView();
                while (!canvas.dataset.drawn) await """
            + NEXT
            + """;
            }
            scrollTo(0, 0);
        }"""
        )

    def readout(self, operation):
        """The texts of each line by the titles of their columns, by rung."""
        titles, *lines = self.page.locator(f'[data-readout="{operation}"] tr').evaluate_all(
            "lines => lines.map(line => [...line.cells].map(cell => cell.textContent))"
        )
        return {line[0]: dict(zip(titles[1:], line[1:])) for line in lines}

    def slide(self, operation, keys):
        self.page.focus(f'[data-readout="{operation}"] input[type=range]')
        for key in keys:
            self.page.keyboard.press(key)
        return self.page.locator(f'[data-readout="{operation}"] output').inner_text()


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        cls.published, cls.example, cls.elsewhere, cls.hostile, cls.sets = (
            folder / f"{name}.html"
            for name in ("published", "example", "elsewhere", "hostile", "sets")
        )
        for words in (
            [cls.published, "", PUBLISHED],
            [cls.example, "", EXAMPLE],
            [cls.elsewhere, "", EXAMPLE, f"published={PUBLISHED}"],
            [cls.hostile, HOSTILE, EXAMPLE],
            [cls.sets, HOSTILE, PUBLISHED, SECOND],
        ):
            subprocess.run([os.environ["WRITE_PAGE"], *map(str, words)], check=True)
        cls.cells = json.load(bz2.open(PUBLISHED))["cells"]
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=0
        )

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.folder.cleanup()

    def open(self, *arguments, **options):
        one = Page(self.browser, *arguments, **options)
        self.addCleanup(one.context.close)
        return one

    def test_every_figure_is_drawn_in_silence_and_no_page_is_wider_than_its_window(self):
        for file in (self.published, self.example, self.hostile, self.sets):
            for width, scheme in ((1280, "light"), (390, "dark")):
                with self.subTest(file=file.name, width=width):
                    one = self.open(file, width=width, scheme=scheme)
                    one.draw_all()
                    self.assertEqual(one.noise, [])
                    drawn = one.page.eval_on_selector_all(
                        "[data-figure]",
                        "all => all.map(one => [one.dataset.figure, one.dataset.drawn,"
                        " one.querySelectorAll('svg .role-mark > *').length])",
                    )
                    self.assertGreater(len(drawn), 1)
                    for name, theme, marks in drawn:
                        self.assertEqual(theme, scheme)
                        self.assertGreater(marks, 0, name)
                    self.assertLessEqual(
                        one.page.evaluate("document.documentElement.scrollWidth"), width
                    )
                    self.assertEqual(
                        one.page.eval_on_selector_all("[data-figure] .role-axis-label", TOUCHING),
                        [],
                    )
                    self.assertEqual(
                        one.page.eval_on_selector_all("[data-figure] .role-legend", CUT), []
                    )
                    self.assertEqual(
                        one.page.eval_on_selector_all("[data-figure]", OVERPRINTED), []
                    )

    def test_all_figures_are_on_the_page_of_the_published_set(self):
        one = self.open(self.published)
        one.draw_all()
        names = set(
            one.page.eval_on_selector_all(
                "[data-figure]", "all => all.map(one => one.dataset.figure)"
            )
        )
        self.assertLessEqual(
            {
                "ladder",
                "bandwidth",
                "ratio",
                "wins",
                "error",
                "lost",
                "inputs",
                "claims",
                "contracts",
            },
            names,
        )
        where = one.page.locator("#targets tbody td:nth-child(7)").all_text_contents()
        self.assertEqual(len(where), 6 * 4)
        self.assertTrue(all(" against " in words for words in where), where)

    def test_a_small_share_does_not_reach_the_number_beside_it(self):
        def small(columns):
            shares = columns["vs_limit"]["values"]
            columns["vs_limit"]["values"] = [share and 2.49e-5 for share in shares]

        page = pathlib.Path(self.folder.name) / "small.html"
        page.write_text(changed(self.published.read_text(), "cells", small))
        one = self.open(page)
        one.draw_all()
        drawn = one.page.locator("#ladder-dot .mark-text text").all_text_contents()
        self.assertIn("<0.1 %", drawn)
        self.assertEqual(one.page.eval_on_selector_all("[data-figure=ladder]", OVERPRINTED), [])

    def test_powers_of_two_have_one_form(self):
        for file in (self.published, self.elsewhere):
            one = self.open(file)
            texts = one.page.evaluate(
                "[...document.body.querySelectorAll('*:not(script, style)')]"
                ".flatMap((one) => [...one.childNodes]).filter((one) => one.nodeType === 3)"
                ".map((one) => one.data)"
            )
            self.assertEqual([text for text in texts if re.search("2[⁰¹²³⁴⁵⁶⁷⁸⁹]", text)], [])
            self.assertTrue([text for text in texts if "n = 2^16" in text])

    def expected(self, **wanted):
        """The cells that a readout shows, by rung."""
        parts = {
            "contract": "device_result",
            "cache": "cold",
            "backend": "cuda",
            "bins": None,
            "offset": 0,
            **wanted,
        }
        fits = lambda cell: all(
            {"offset": 0, **cell["input"], **cell["how"]}[name] == value
            for name, value in parts.items()
        )
        return {cell["who"]["rung"]: cell for cell in self.cells if fits(cell)}

    def compare(self, lines, cells):
        self.assertEqual(set(lines), set(cells))
        for rung, cell in cells.items():
            text = lines[rung]["time (95 % interval)"]
            if cell["measured"] is None:
                self.assertNotRegex(text, r"\d", rung)
                continue
            timing = cell["measured"]["timing"]
            shown = re.fullmatch(r"([\d.,]+) (ns|us|ms|s) \(([\d.,]+) to ([\d.,]+)\)", text)
            self.assertIsNotNone(shown, text)
            scale = UNITS[shown[2]]
            for value, field in zip(
                (shown[1], shown[3], shown[4]), ("median", "ci95_low", "ci95_high")
            ):
                self.assertAlmostEqual(
                    number(value) * scale / timing["time_us"][field],
                    1,
                    delta=0.006,
                    msg=f"{rung} {field}",
                )
            self.assertAlmostEqual(
                number(lines[rung]["bandwidth, GB/s"]) / timing["bandwidth_gbps"]["median"],
                1,
                delta=0.006,
                msg=rung,
            )
            for title, name in (
                ("vs fastest library", "vs_fastest_library"),
                ("vs the rung it follows", "vs_followed"),
            ):
                ratio = timing["ratios"][name]
                if ratio is None:
                    self.assertRegex(lines[rung][title], r"^(no time of \w+)?$", rung)
                    continue
                inside = re.search(r"\(([\d.,]+) to ([\d.,]+)\)", lines[rung][title])
                for shown, field in zip(inside.groups(), ("ci95_low", "ci95_high")):
                    self.assertAlmostEqual(number(shown) / ratio[field], 1, delta=0.006, msg=rung)
                self.assertEqual(
                    lines[rung][title].startswith("no difference ("),
                    ratio["verdict"] == "no difference shown",
                    rung,
                )

    def test_the_readout_has_the_values_of_results_json(self):
        one = self.open(self.published)
        for operation, wanted in (
            ("reduce", {"operator": "sum", "dtype": "i32", "distribution": "uniform"}),
            ("dot", {"operator": None, "dtype": "f32", "distribution": "uniform"}),
            (
                "histogram",
                {"operator": None, "dtype": "i32", "distribution": "uniform", "bins": 256},
            ),
        ):
            for keys, n in ((["Home"], 1024), (["End"], None)):
                with self.subTest(operation=operation, n=n):
                    one.slide(operation, keys)
                    sizes = [
                        cell["input"]["n"]
                        for cell in self.cells
                        if cell["input"]["operation"] == operation
                        and cell["input"]["dtype"] == wanted["dtype"]
                        and cell["how"]["contract"] == "device_result"
                        and cell["how"]["cache"] == "cold"
                        and cell["input"]["distribution"] == "uniform"
                        and cell["input"]["operator"] == wanted["operator"]
                    ]
                    self.compare(
                        one.readout(operation),
                        self.expected(operation=operation, n=n or max(sizes), **wanted),
                    )

    def test_the_ladder_has_bars_counts_and_marks(self):
        one = self.open(self.published, hash="#operation=reduce")
        cells = self.expected(
            operation="reduce", operator="sum", dtype="i32", distribution="uniform", n=2**28
        )
        lines = one.readout("reduce")
        self.assertEqual(list(lines["packed"])[-1], "what is new")
        self.assertEqual(lines["packed"]["what is new"], "No block waits for another")
        self.assertEqual(lines["global_two_pass"]["bytes moved"], "3.00x")
        self.assertEqual(lines["shared_two_pass"]["bytes moved"], "1.00x")
        counted = lambda rung: max(
            (
                cell
                for cell in self.cells
                if cell["how"]["backend"] == "emulated"
                and cell["who"]["rung"] == rung
                and cell["input"]["operation"] == "reduce"
                and cell["input"]["dtype"] == "i32"
                and cell["input"]["operator"] == "sum"
                and cell["input"]["distribution"] == "uniform"
                and cell["measured"]
            ),
            key=lambda cell: cell["input"]["n"],
        )["measured"]["counters"]
        for rung in ("neighbored", "gather", "packed"):
            self.assertAlmostEqual(
                number(lines[rung]["lanes of 32"]) / counted(rung)["active_lanes"], 1, delta=0.006
            )
        # bars are on one scale, with their intervals at their ends
        bars = one.page.locator('[data-readout="reduce"] tbody tr').evaluate_all(
            """lines => lines.filter((line) => line.querySelector(".bar")).map((line) => [
                line.cells[0].textContent,
                parseFloat(line.querySelector(".bar rect").getAttribute("width")),
                ...["x1", "x2"].map((name) =>
                    parseFloat(line.querySelector(".interval").getAttribute(name)))])"""
        )
        self.assertGreater(len(bars), 15)
        scale = set()
        for rung, *places in bars:
            bandwidth = cells[rung]["measured"]["timing"]["bandwidth_gbps"]
            fields = ("median", "ci95_low", "ci95_high")
            scale |= {place / bandwidth[field] for place, field in zip(places, fields)}
        self.assertLess(max(scale) / min(scale), 1.001)
        self.assertLessEqual(max(bar[3] for bar in bars), 100)
        # what is fastest, and where a rung is slower than the one before
        marked = lambda name: one.page.locator(
            f'[data-readout="reduce"] tr.{name} th'
        ).all_text_contents()
        times = {
            rung: cell["measured"]["timing"]["time_us"]["median"]
            for rung, cell in cells.items()
            if cell["measured"]
        }
        provider = lambda rung: cells[rung]["who"]["provider"]
        ours = [rung for rung in times if provider(rung) == "handwritten"]
        fastest = min(times, key=times.get)
        hand = min(ours, key=times.get)
        library = min(set(times) - set(ours), key=times.get)
        self.assertEqual(marked("best"), [fastest])
        self.assertEqual(marked("hand"), [hand])
        self.assertEqual(marked("library"), [library])
        self.assertEqual(len(marked("apart")), 1)
        self.assertIn(
            f"The fastest hand-written rung is {hand}: ",
            one.page.inner_text('[data-readout="reduce"]'),
        )
        slower = [
            rung
            for rung, cell in cells.items()
            if cell["measured"]
            and (cell["measured"]["timing"]["ratios"]["vs_followed"] or {}).get("verdict")
            == "slower"
        ]
        self.assertGreater(len(slower), 0)
        self.assertEqual(
            one.page.locator(
                '[data-readout="reduce"] tr:has(.followed .slower) th'
            ).all_text_contents(),
            slower,
        )

    def test_the_ladder_lives_in_the_address(self):
        one = self.open(self.published, hash="#operation=reduce")
        caption = lambda: one.page.locator('[data-readout="reduce"] caption').inner_text()
        one.page.select_option("[data-filter=operator]", "max")
        self.assertTrue(caption().startswith("reduce: max, i32, n = 2^26"), caption())
        one.page.select_option("[data-filter=operator]", "sum")
        one.page.select_option("[data-filter=dtype]", "f64")
        before = caption()
        self.assertTrue(before.startswith("reduce: sum, f64, n = 2^28"), before)
        one.slide("reduce", ["Home"])
        self.assertTrue(caption().startswith("reduce: sum, f64, n = 2^10"), caption())
        for part in ("operator=sum", "dtype=f64", "n=1024"):
            self.assertIn(part, one.page.url)
        one.page.go_back()
        one.wait("!location.hash.includes('n=1024')")
        self.assertEqual(caption(), before)
        one.page.go_forward()
        one.wait("location.hash.includes('n=1024')")
        self.assertTrue(caption().startswith("reduce: sum, f64, n = 2^10"), caption())

    def test_a_rung_of_the_ladder_opens_by_the_keyboard(self):
        one = self.open(self.published, hash="#operation=reduce")
        one.page.focus('[data-readout="reduce"] a:text-is("gather")')
        one.page.keyboard.press("Enter")
        one.page.wait_for_selector("#rung[open]")
        text = one.page.inner_text("#rung")
        self.assertIn("Small inputs have small blocks; large ones", text)
        self.assertIn("gather after tagged_words: no count differs", text)
        one.page.keyboard.press("Escape")
        one.wait("!document.getElementById('rung').open")
        self.assertIn("operation=reduce", one.page.url)

    def test_the_ladder_is_whole_at_every_width(self):
        whole = None
        for width in (1440, 1300, 768, 720, 390):
            for media in ("screen", "print"):
                with self.subTest(width=width, media=media):
                    one = self.open(self.published, width=width)
                    one.page.emulate_media(media=media)
                    found = one.page.eval_on_selector_all("[data-readout]", CROWDED)
                    self.assertEqual(found, [])
                    shown = one.page.locator("[data-readout] tbody tr").evaluate_all(
                        "lines => lines.map((line) => [...line.cells].map((cell) =>"
                        " cell.getClientRects().length > 0 || cell.textContent === ''"
                        " ? cell.innerText.replace(/\\s+/g, ' ').trim() : 'hidden'))"
                    )
                    whole = whole or shown
                    self.assertGreater(len(shown), 100)
                    self.assertEqual(shown, whole)

    def test_a_ladder_over_devices_has_the_most_columns_and_is_whole(self):
        def spread(columns):
            for end in ("", "_low", "_high", "_verdict"):
                columns["vs_one_device" + end] = columns["vs_fastest_library" + end]
            columns["devices"]["values"] = [2] * len(columns["devices"]["values"])

        page = pathlib.Path(self.folder.name) / "spread.html"
        whole = lambda report: report.update(has_spread_rows=True)
        text = changed(self.published.read_text(), "report", whole)
        page.write_text(changed(text, "cells", spread))
        one = self.open(page, width=1440)
        ladder = '[data-readout="histogram"]'
        titles = one.page.locator(f"{ladder} thead th").all_text_contents()
        for title in ("x one device", "bank passes", "what is new"):
            self.assertIn(title, titles)
        self.assertEqual(
            one.page.eval_on_selector(
                f"{ladder} .scroll", "one => one.scrollWidth - one.clientWidth"
            ),
            0,
        )

    def test_columns_without_data_are_left_out(self):
        titles = lambda one: one.page.locator(
            '[data-readout="reduce"] thead th'
        ).all_text_contents()
        without_times = [
            "rung", "bytes moved", "sectors used", "lanes of 32", "bank passes", "steps",
            "what is new",
        ]
        without_counts = [
            "rung", "bandwidth, GB/s", "time (95 % interval)", "of limit", "vs fastest library",
            "vs the rung it follows", "what is new",
        ]
        for backend, wanted in (("emulated", without_times), ("cuda", without_counts)):
            page = pathlib.Path(self.folder.name) / f"{backend}.html"
            page.write_text(only(backend, self.published.read_text()))
            for width in (1440, 768, 390):
                one = self.open(page, width=width)
                self.assertEqual(titles(one), wanted)
                found = one.page.eval_on_selector_all("[data-readout]", CROWDED)
                self.assertEqual(found, [])

    def test_filters_choose_what_is_shown_and_live_in_the_address(self):
        one = self.open(self.published)
        one.page.select_option("[data-filter=operation]", "reduce")
        one.page.select_option("[data-filter=dtype]", "f64")
        one.page.select_option("[data-filter=contract]", "host_result")
        one.page.select_option("[data-filter=n]", str(2**22))
        self.assertEqual(one.page.locator("#sections > section").count(), 1)
        wanted = self.expected(
            operation="reduce",
            operator="sum",
            dtype="f64",
            distribution="uniform",
            n=2**22,
            contract="host_result",
        )
        self.compare(one.readout("reduce"), wanted)
        address = one.page.url
        for part in ("operation=reduce", "dtype=f64", "contract=host_result", f"n={2**22}"):
            self.assertIn(part, address)
        again = self.open(self.published, hash=address[address.index("#") :])
        self.compare(again.readout("reduce"), wanted)
        self.assertEqual(again.page.input_value("[data-filter=dtype]"), "f64")
        again.page.click("[data-filter=reset]")
        self.assertEqual(again.page.locator("#sections > section").count(), 6)
        self.assertNotIn("dtype", again.page.url)

    def test_what_an_operation_was_not_run_for_is_said(self):
        one = self.open(self.published, hash="#operation=histogram&dtype=f64")
        said = one.page.inner_text("#section-histogram")
        self.assertIn("histogram was not run for f64.", said)
        self.assertIn("The nearest that was run: i32, n = 2^28", said)
        one.open("#operation=reduce&n=1073741824&operator=product&dtype=f32")
        self.assertIn("reduce was not run for n = 2^30.", one.page.inner_text("#section-reduce"))

    def test_an_address_of_nonsense_shows_the_usual_page(self):
        one = self.open(
            self.published,
            hash="#operation=none&n=-7&dtype=%3Cb%3E&pick=x&pick=y&pick=z&constructor=1",
        )
        self.assertEqual(one.page.locator("#sections > section").count(), 6)
        self.assertEqual(one.noise, [])

    def test_what_an_address_names_and_the_report_lacks_is_said(self):
        for hash, said in (
            ("#operation=redcue", "This report has no operation redcue."),
            ("#rung=reduce/packd", "This report has no rung reduce/packd."),
            ("#n=abc", "This report has no n = abc."),
            ("#n=1e999", "This report has no n = 1e999."),
        ):
            one = self.open(self.published, hash=hash)
            self.assertEqual(one.page.locator("#sections > .warning").all_inner_texts(), [said])
        pick = "pick=reduce/handwritten/packed"
        one = self.open(self.published, hash=f"#n=2^20&dtype=f16&{pick}&{pick}&pick=reduce/x")
        self.assertEqual(one.page.locator("#sections > .warning").count(), 0)
        self.assertEqual(one.page.input_value("[data-filter=n]"), str(2**20))
        self.assertEqual(one.page.input_value("[data-filter=dtype]"), "f16")
        self.assertEqual(one.page.inner_text("#legend").count("(picked)"), 1)

    def test_a_link_has_what_is_chosen_when_it_is_followed(self):
        one = self.open(self.published, hash="#rung=dot/packed")
        one.page.wait_for_selector("#rung[open]")
        one.page.keyboard.press("Escape")
        one.page.click("#ladder-reduce h2 a")
        self.assertEqual(one.page.evaluate("location.hash"), "#operation=reduce")
        self.assertEqual(one.page.locator("#rung[open]").count(), 0)
        one.page.locator("#section-reduce input[type=range]").focus()
        one.page.keyboard.press("Home")
        one.page.click('[data-readout="reduce"] a:text-is("packed")')
        one.page.wait_for_selector("#rung[open]")
        self.assertIn("n=1024", one.page.url)

    def test_a_size_is_the_same_in_all_ladders_and_in_the_address(self):
        one = self.open(self.published)
        one.page.locator("#section-reduce input[type=range]").focus()
        one.page.keyboard.press("Home")
        for operation in ("reduce", "dot"):
            said = one.page.inner_text(f'[data-readout="{operation}"] output')
            self.assertEqual(said, "n = 2^10")
        canvas = one.page.locator('#section-reduce [data-figure="bandwidth"]')
        canvas.scroll_into_view_if_needed()
        one.page.wait_for_selector('#section-reduce [data-figure="bandwidth"][data-drawn]')
        canvas.hover(position={"x": canvas.bounding_box()["width"] - 5, "y": 100})
        chosen = one.page.inner_text('[data-readout="reduce"] output')
        self.assertEqual(chosen, "n = 2^30")
        one.page.mouse.move(1, 1)
        # the nearest that was run for it
        self.assertEqual(one.page.inner_text('[data-readout="dot"] output'), "n = 2^28")
        self.assertIn(f"n={2**30}", one.page.url)

    def test_a_rung_that_closes_leaves_its_reader_at_the_link(self):
        one = self.open(self.published, hash="#operation=dot")
        link = one.page.locator('[data-readout="dot"] a:text-is("packed")')
        link.scroll_into_view_if_needed()
        link.focus()
        there = one.page.evaluate("scrollY")
        one.page.keyboard.press("Enter")
        one.page.wait_for_selector("#rung[open]")
        one.page.keyboard.press("Escape")
        one.wait("!location.hash.includes('rung')")
        self.assertEqual(one.page.evaluate("document.activeElement.textContent"), "packed")
        self.assertEqual(one.page.evaluate("scrollY"), there)

    def test_the_pointer_and_a_tap_choose_the_nearest_size(self):
        one = self.open(self.published, hash="#operation=reduce")
        canvas = one.page.locator('#section-reduce [data-figure="bandwidth"]')
        canvas.scroll_into_view_if_needed()
        one.page.wait_for_selector('#section-reduce [data-figure="bandwidth"][data-drawn]')
        width, before = canvas.bounding_box()["width"], one.readout("reduce")
        canvas.hover(position={"x": width * 0.3, "y": 100})
        hovered = one.readout("reduce")
        self.assertNotEqual(before, hovered)
        canvas.click(position={"x": width * 0.5, "y": 100})
        self.assertNotEqual(one.readout("reduce"), hovered)

    def test_where_lines_have_no_names_a_figure_says_that_a_touch_names_them(self):
        for width, says in ((390, True), (768, False)):
            one = self.open(self.published, width=width, hash="#operation=reduce")
            canvas = one.page.locator('#section-reduce [data-figure="bandwidth"]')
            canvas.scroll_into_view_if_needed()
            one.page.wait_for_selector('#section-reduce [data-figure="bandwidth"][data-drawn]')
            self.assertEqual(canvas.locator("text=warp_shuffle").count() == 0, says)
            tip = one.page.locator("#section-reduce .tip").first
            text = lambda: tip.evaluate("(tip) => getComputedStyle(tip, '::before').content")
            self.assertEqual("Touch a line" in text(), says)
            canvas.click(position={"x": canvas.bounding_box()["width"] * 0.5, "y": 100})
            self.assertNotIn("Touch a line", text())

    def test_a_rung_can_be_picked(self):
        one = self.open(self.published, hash="#operation=reduce")
        one.page.check('[data-readout="reduce"] [aria-label="Highlight unrolling2"]')
        self.assertIn("pick=reduce/handwritten/unrolling2", one.page.url)
        self.assertIn("unrolling2 (picked)", one.page.inner_text("#legend"))

    def test_a_line_is_named_and_a_click_picks_its_rung(self):
        one = self.open(self.published, hash="#operation=reduce")
        figure = '#section-reduce [data-figure="bandwidth"]'
        canvas = one.page.locator(figure)
        canvas.scroll_into_view_if_needed()
        one.page.wait_for_selector(f"{figure}[data-drawn]")
        # the pixel of one rung at one size
        x, y = canvas.evaluate(
            """(canvas) => {
                const [left, top] = canvas.view.origin();
                const padding = canvas.view.padding();
                const row = canvas.view.data("cells")
                    .find((one) => one.rung === "warp_shuffle" && one.n === 2 ** 24);
                return [left + padding.left + canvas.view.scale("x")(row.n),
                        top + padding.top + canvas.view.scale("y")(row.bandwidth)];
            }"""
        )
        canvas.hover(position={"x": x, "y": y})
        tip = one.page.locator("#section-reduce .tip").first
        cell = self.expected(
            operation="reduce", operator="sum", dtype="i32", distribution="uniform", n=2**24
        )["warp_shuffle"]
        gbps = cell["measured"]["timing"]["bandwidth_gbps"]["median"]
        self.assertTrue(
            tip.inner_text().startswith(f"warp_shuffle at n = 2^24: {gbps:,.0f} GB/s, "),
            tip.inner_text(),
        )
        self.assertEqual(one.page.locator(f"{figure} .hovered").count(), 1)
        canvas.click(position={"x": x, "y": y})
        self.assertIn("pick=reduce/handwritten/warp_shuffle", one.page.url)
        self.assertIn("warp_shuffle (picked)", one.page.inner_text("#legend"))
        one.page.go_back()
        one.wait("!location.hash.includes('pick')")
        self.assertNotIn("(picked)", one.page.inner_text("#legend"))
        canvas = one.page.locator(figure)  # drawn anew
        one.page.wait_for_selector(f"{figure}[data-drawn]")
        canvas.focus()
        one.page.keyboard.press("ArrowDown")
        first = tip.inner_text()
        one.page.keyboard.press("ArrowDown")
        self.assertNotEqual(tip.inner_text(), first)
        one.page.keyboard.press("Enter")
        self.assertIn("pick=reduce/", one.page.url)
        self.assertEqual(one.noise, [])

    def test_an_address_lands_where_it_says(self):
        top = lambda one, selector: one.page.locator(selector).bounding_box()["y"]
        for hash in ("#operation=dot", "#dot"):
            one = self.open(self.published, hash=hash)
            self.assertLess(abs(top(one, "#section-dot h2") - 150), 150, hash)
            self.assertEqual(one.page.locator("#sections > section").count(), 1)
        one = self.open(self.published, hash="#machine")
        self.assertLess(top(one, "#machine h2"), 700)
        one = self.open(self.published)
        one.page.select_option("[data-filter=operation]", "dot")
        one.page.select_option("[data-filter=dtype]", "f64")
        one.page.go_back()
        one.wait("!location.hash.includes('dtype')")
        self.assertEqual(one.page.input_value("[data-filter=dtype]"), "")
        self.assertEqual(one.page.input_value("[data-filter=operation]"), "dot")

    def test_a_search_finds_operations_and_rungs(self):
        one = self.open(self.example)
        one.page.fill("[data-filter=search]", "reduce/shared_two_pass")
        one.page.keyboard.press("Enter")
        one.page.wait_for_selector("#rung[open]")
        self.assertIn("rung=reduce/shared_two_pass", one.page.url)
        for text, rung in (("shared_two_pass", "shared_two_pass"), ("Two_Pass", "global_two_pass")):
            one = self.open(self.example)
            one.page.fill("[data-filter=search]", text)
            one.page.keyboard.press("Enter")
            one.page.wait_for_selector("#rung[open]")
            self.assertIn(f"rung=reduce/{rung}", one.page.url)
        one = self.open(self.example)
        one.page.fill("[data-filter=search]", "packd")
        one.page.keyboard.press("Enter")
        self.assertEqual(
            one.page.eval_on_selector("[data-filter=search]", "box => box.validationMessage"),
            'There is no operation or rung "packd".',
        )
        one.page.fill("[data-filter=search]", "")
        one.page.keyboard.press("Enter")
        self.assertNotIn("rung=", one.page.url)
        self.assertNotIn("operation=", one.page.url)
        for text, rung in (("packed", "dot/packed"), ("dot2 kahan", "dot/dot2_kahan")):
            one = self.open(self.published, hash="#operation=dot")
            one.page.fill("[data-filter=search]", text)
            one.page.keyboard.press("Enter")
            one.page.wait_for_selector("#rung[open]")
            self.assertIn(f"rung={rung}", one.page.url)
        one = self.open(self.published)
        one.page.fill("[data-filter=search]", "dot")
        one.page.keyboard.press("Enter")
        one.wait("document.querySelectorAll('#sections > section').length === 1")

    def test_a_rung_opens_into_its_source(self):
        one = self.open(self.example, hash="#rung=reduce/shared_two_pass")
        one.page.wait_for_selector("#rung .source")
        text = one.page.inner_text("#rung")
        for part in (
            "reduce / shared_two_pass",
            "The same tree in shared memory: global memory is read once.",
            "handwritten/reduce/shared_two_pass.cu at commit 0123456789ab",
            "What differs from global_two_pass",
            "× pass",
        ):
            self.assertIn(part, text)
        lines = lambda kind: one.page.locator(f"#rung .{kind}").all_text_contents()
        self.assertEqual(lines("added")[1:], ["+  __shared__ int tree;\n", "+}\n"])
        self.assertEqual(lines("removed")[0], "-// in global memory\n")
        self.assertEqual(
            one.page.locator("#rung .cuda").first.text_content(), "__global__"
        )
        self.assertEqual(one.page.locator("#rung summary").count(), 3)  # and what it includes
        self.assertEqual(Axe().run(one.page).response["violations"], [])
        one.page.keyboard.press("Escape")
        one.wait("!document.getElementById('rung').open")
        self.assertNotIn("rung=", one.page.url)
        one.page.go_back()
        one.page.wait_for_selector("#rung[open]")
        self.assertEqual(one.noise, [])
        # without sources, with times
        one = self.open(self.published, hash="#operation=reduce")
        one.page.click('[data-readout="reduce"] a:text-is("gather")')
        one.page.wait_for_selector("#rung[open]")
        text = one.page.inner_text("#rung")
        self.assertIn("What it brings", text)
        self.assertIn("vs tagged_words", text)
        self.assertGreater(one.page.locator("#rung td svg").count(), 5)
        # on a narrow screen nothing of it is scrolled sideways, and each value has its title
        one = self.open(self.published, hash="#rung=reduce/gather", width=390)
        one.page.wait_for_selector("#rung caption")
        self.assertGreater(one.page.locator("#rung caption").bounding_box()["width"], 250)
        self.assertEqual(
            one.page.eval_on_selector_all(
                "#rung .scroll, #targets .scroll, #claims .scroll",
                "all => all.filter((one) => one.scrollWidth > one.clientWidth).length",
            ),
            0,
        )
        first = one.page.locator("#rung tbody td").first
        self.assertIn("time", first.evaluate("cell => getComputedStyle(cell, '::before').content"))
        one = self.open(self.published)
        bar = one.page.locator('#ladder-dot [data-figure="ladder"] .role-mark path').first
        bar.scroll_into_view_if_needed()
        bar.click()
        one.page.wait_for_selector("#rung[open]")
        self.assertIn("rung=dot/", one.page.url)
        one = self.open(self.published, hash="#rung=reduce/none")
        self.assertFalse(one.page.is_visible("#rung"))
        self.assertEqual(one.noise, [])

    def test_a_table_can_be_copied_and_saved(self):
        one = self.open(self.published, hash="#operation=reduce")
        one.context.grant_permissions(["clipboard-read", "clipboard-write"])
        table = one.page.locator('[data-readout="reduce"]')
        table.locator("button", has_text="Copy").click()
        one.wait("document.querySelector('[data-readout=reduce] .tools').textContent[5] === 'd'")
        first, *lines = one.page.evaluate("navigator.clipboard.readText()").split("\n")
        self.assertEqual(
            first.split("\t")[:3], ["rung", "bandwidth, GB/s", "time (95 % interval)"]
        )
        self.assertEqual(
            [line.split("\t") for line in lines],
            [[rung, *cells.values()] for rung, cells in one.readout("reduce").items()],
        )
        with one.page.expect_download() as saved:
            table.locator("button", has_text="CSV").click()
        text = pathlib.Path(saved.value.path()).read_text()
        self.assertTrue(text.startswith('rung,"bandwidth, GB/s",time (95 % interval),'), text[:80])
        self.assertEqual(len(text.split("\n")), 2 + len(lines))

    def test_own_kernels_are_picked_and_the_title_names_the_card(self):
        one = self.open(self.published)
        self.assertEqual(one.page.title(), "NVIDIA H200 · Kernel Ladder")
        self.assertNotIn("(picked)", one.page.inner_text("#legend"))
        page = pathlib.Path(self.folder.name) / "own.html"

        def is_mine(report):
            cards = report["operations"][0]["cards"]
            next(card for card in cards if card["rung"] == "shared_two_pass")["from"] = "mine"
            for other in report["operations"][0]["elsewhere"]:
                other["rows"] = [row for row in other["rows"] if row["rung"] != "shared_two_pass"]

        page.write_text(changed(self.example.read_text(), "report", is_mine))
        one = self.open(page)
        self.assertIn("shared_two_pass (picked)", one.page.inner_text("#legend"))
        # one that the published ladder lacks stands in it, in its colour
        page.write_text(changed(self.elsewhere.read_text(), "report", is_mine))
        one = self.open(page)
        one.wait("document.querySelector('#ladder-reduce [data-drawn]')")
        self.assertEqual(
            one.page.eval_on_selector_all(
                "#ladder-reduce .mark-text text",
                "all => all.filter((one) => one.textContent === 'not timed')"
                ".map((one) => one.getAttribute('fill').toUpperCase())",
            ),
            ["#009E73"],
        )

    def test_the_keyboard_suffices(self):
        one = self.open(self.published, hash="#operation=reduce")
        reached = []
        for _ in range(40):
            one.page.keyboard.press("Tab")
            what, outline = one.page.evaluate(
                "[document.activeElement].map((one) => [one.id || one.dataset.filter || one.type,"
                " getComputedStyle(one).outlineStyle])[0]"
            )
            reached.append(what)
            self.assertNotEqual(outline, "none", what)
            if what == "range":
                break
        for wanted in ("cite", "theme", "operation", "dtype", "n", "range"):
            self.assertIn(wanted, reached)
        first = one.readout("reduce")
        one.page.keyboard.press("ArrowLeft")
        self.assertNotEqual(one.readout("reduce"), first)
        one.page.focus("#cite")
        one.page.keyboard.press("Enter")
        self.assertIn("@misc{kernel_ladder_", one.page.inner_text("#bibtex"))
        one.page.keyboard.press("Escape")
        self.assertFalse(one.page.is_visible("#citation"))
        self.assertEqual(one.noise, [])

    def test_bibtex_goes_to_the_clipboard(self):
        one = self.open(self.published)
        one.context.grant_permissions(["clipboard-read", "clipboard-write"])
        one.page.click("#cite")
        one.wait("document.getElementById('copied').textContent === 'Copied.'")
        self.assertEqual(
            one.page.evaluate("navigator.clipboard.readText()"),
            one.page.evaluate("document.getElementById('bibtex').textContent"),
        )

    def test_the_theme_follows_the_system_and_the_button(self):
        one = self.open(self.published, scheme="dark")
        colour = lambda: one.page.evaluate("getComputedStyle(document.body).backgroundColor")
        self.assertEqual(colour(), "rgb(20, 23, 26)")
        one.page.click("#theme")  # auto, then light
        self.assertEqual(colour(), "rgb(255, 255, 255)")
        one.page.wait_for_selector('[data-figure="ladder"][data-drawn="light"]')

    def test_paper_has_every_figure_in_light_colours_and_no_controls(self):
        one = self.open(self.published, scheme="dark", hash="#operation=dot")
        one.page.emulate_media(media="print", color_scheme="dark")
        one.wait(
            "[...document.querySelectorAll('[data-figure]')]"
            ".every(one => one.dataset.drawn === 'light' || one.clientWidth === 0)"
        )
        for hidden in ("#filters", "#cite", "#theme"):
            self.assertFalse(one.page.is_visible(hidden))
        self.assertGreater(len(one.page.pdf()), 10_000)
        self.assertEqual(one.noise, [])

    def test_an_open_rung_is_printed_alone_and_whole(self):
        one = self.open(self.example, hash="#rung=reduce/shared_two_pass", scheme="dark")
        one.page.wait_for_selector("#rung .source")
        one.page.emulate_media(media="print", color_scheme="dark")
        one.wait("document.querySelector('#rung .whole').open")
        for hidden in ("#first", "main", "#rung_close"):
            self.assertFalse(one.page.is_visible(hidden), hidden)
        self.assertEqual(
            one.page.evaluate(
                "(({clientHeight, scrollHeight}) => scrollHeight - clientHeight)"
                "(document.getElementById('rung'))"
            ),
            0,
        )
        # as many pages as its height needs, and a long file is on all of them
        pages = lambda: len(re.findall(rb"/Type\s*/Page\b", one.page.pdf()))
        few = pages()
        one.page.evaluate(
            "document.querySelector('#rung .whole .source').append("
            "...Array.from({length: 300}, (_, i) => 'line ' + i + '\\n'))"
        )
        self.assertGreater(pages(), few + 3)
        self.assertEqual(one.noise, [])
        # as wide as a sheet of A4 between its margins
        one = self.open(self.published, hash="#rung=reduce/gather", width=700)
        one.page.emulate_media(media="print")
        self.assertLessEqual(
            one.page.evaluate(
                "Math.max(...[...document.querySelectorAll('#rung td:last-child')]"
                ".map(one => one.getBoundingClientRect().right))"
            ),
            700,
        )
        self.assertEqual(one.noise, [])

    def test_foreign_text_stays_text(self):
        one = self.open(self.hostile)
        one.draw_all()
        one.page.evaluate(
            "document.querySelectorAll('details').forEach(details => (details.open = true))"
        )
        one.wait(
            "[...document.querySelectorAll('details')]"
            ".every(details => details.childElementCount > 1)"
        )
        self.assertIsNone(one.page.evaluate("window.hacked ?? null"))
        self.assertEqual(one.page.locator("img, b, iframe, script[src]").count(), 0)
        # what follows would read backwards
        self.assertFalse("\u202e" in one.page.inner_text("body"))
        self.assertIn("sum", one.page.inner_text("[data-readout]"))
        self.assertEqual(one.page.locator("script").count(), 6)  # four of data, two that run
        self.assertIn(
            "<img src=x onerror=window.hacked=1><b>bold</b>",
            one.page.evaluate("document.querySelector('.card').textContent"),
        )
        self.assertIn("<b>bold</b>", one.page.inner_text("#sections table"))
        self.assertEqual(one.noise, [])

    def test_a_warning_stands_above_the_first_sentence(self):
        one = self.open(self.hostile)
        warning, lead = (
            one.page.locator(".warning").first.bounding_box(),
            one.page.locator("#lead").bounding_box(),
        )
        self.assertLess(warning["y"], lead["y"])

    def test_axe_finds_nothing(self):
        for file, scheme, width in (
            (self.published, "light", 1440),
            (self.published, "dark", 768),
            (self.published, "dark", 390),
            (self.example, "light", 1280),
            (self.sets, "dark", 1280),
        ):
            with self.subTest(file=file.name, scheme=scheme, width=width):
                hash = "" if file == self.sets else "#operation=reduce"
                one = self.open(file, hash=hash, scheme=scheme, width=width)
                one.draw_all()
                self.assertEqual(
                    [
                        (found["id"], found["nodes"][0]["html"][:200])
                        for found in Axe().run(one.page).response["violations"]
                    ],
                    [],
                )

    def test_sets_side_by_side(self):
        one = self.open(self.sets)
        one.draw_all()
        self.assertTrue(
            one.page.inner_text("#lead").startswith("2 result sets of NVIDIA H100 80GB HBM3")
        )
        self.assertEqual(one.page.locator("[data-figure=sets]").count(), 7)
        self.assertEqual(
            one.page.locator("section:nth-of-type(3) caption").all_text_contents(),
            [
                "How many times as fast as the fastest library of the same set",
                "Times, each on its own machine: they compare machines, and not kernels",
            ],
        )
        heads = one.page.locator("section:nth-of-type(3) table").first.locator("thead th")
        for head, text in zip(
            heads.all_inner_texts(), ["rung", "A, NVIDIA H200", "B, NVIDIA H100 80GB HBM3"]
        ):
            self.assertTrue(head.startswith(text), head)
        self.assertIn("A: first", one.page.inner_text("pre"))
        self.assertIsNone(one.page.evaluate("window.hacked ?? null"))
        self.assertEqual(one.page.locator("img, b").count(), 0)
        self.assertEqual(one.noise, [])
        for width in (768, 390):
            one = self.open(self.sets, width=width)
            self.assertEqual(
                one.page.eval_on_selector_all(
                    "#best .scroll, #sets .scroll",
                    "all => all.map((one) => one.scrollWidth - one.clientWidth)",
                ),
                [0, 0],
            )

    def test_the_labels_of_ratios_stand_where_they_say(self):
        # ratios within two doublings, where the ticks are not powers of two
        close = pathlib.Path(self.folder.name) / "close.html"
        subprocess.run([os.environ["WRITE_PAGE"], close, "", EXAMPLE, EXAMPLE], check=True)
        for page in (self.sets, close):
            one = self.open(page)
            one.draw_all()
            labels = one.page.eval_on_selector_all(
                "[data-figure=sets]",
                """all => all.flatMap((canvas) => {
                    const ratio = (words) =>
                        words.startsWith("1/") ? 1 / Number(words.slice(2)) : parseFloat(words);
                    return [...canvas.querySelectorAll(".role-axis-label text")]
                        .filter((text) => /^(1\\/)?[\\d.]+x?$/.test(text.textContent))
                        .filter((text) => getComputedStyle(text).opacity !== "0")
                        .filter((text) => text.getAttribute("opacity") !== "0")
                        .map((text) => [text.textContent, text.transform.baseVal[0].matrix.e,
                                        canvas.view.scale("x")(ratio(text.textContent))]);
                })""",
            )
            self.assertGreater(len(labels), 3)
            for text, at, should in labels:
                self.assertAlmostEqual(at, should, delta=1, msg=text)

    def test_without_a_gpu_counts_come_first(self):
        one = self.open(self.example)
        self.assertEqual(
            one.page.locator("#first [data-figure]").first.get_attribute("data-figure"), "counts"
        )
        ladders = one.page.locator('[data-readout="reduce"]')
        rungs = lambda ladder: ladder.locator("tbody th").all_text_contents()
        self.assertEqual(
            rungs(ladders.nth(0)), ["serial", "global_two_pass", "shared_two_pass", "racy"]
        )
        self.assertIn("n = 2^16", ladders.nth(0).inner_text())
        self.assertIn("wrong on purpose", ladders.nth(0).locator("td.new").last.inner_text())
        self.assertEqual(rungs(ladders.nth(1)), ["std_parallel", "std_serial", "thrust_host"])
        self.assertIn("on the CPU", ladders.nth(1).locator("caption").inner_text())

    def test_without_a_gpu_the_published_ladder_comes_first(self):
        one = self.open(self.elsewhere)
        first = one.page.locator("#ladders article").first
        one.wait("document.querySelector('#ladder-reduce [data-drawn]')")
        self.assertEqual(first.get_attribute("id"), "ladder-reduce")
        self.assertEqual(first.locator("[data-figure]").get_attribute("data-figure"), "ladder")
        self.assertGreater(first.locator(".role-mark path").count(), 5)
        text = first.inner_text()
        for words in ("Published, not measured here: ", "NVIDIA H200", "of the published run."):
            self.assertIn(words, text)
        drawn = first.locator(".mark-text text").all_text_contents()
        for words in ("here", "3.00x"):  # counted here
            self.assertIn(words, drawn)
        self.assertIn("best hand-written", one.page.inner_text("#legend"))
        folded = one.page.locator("#section-reduce summary").all_text_contents()
        self.assertTrue(any(text.startswith("Published, not measured here") for text in folded))
        self.assertEqual(one.noise, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
