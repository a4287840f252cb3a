"""Draws each *.vl.json of a folder as an SVG and a PDF beside it, on all cores.

./ladder figures runs it.
"""

import concurrent.futures
import json
import math
import pathlib
import re
import subprocess
import sys

import vl_convert


def as_svg(specification):
    return vl_convert.vegalite_to_svg(specification, vl_version="6.4")


def with_panels_that_fit(text):
    """The specification, with panels that fill the width which its labels leave.

    Vega fits a single view into a width, but not a row of views.
    """
    specification = json.loads(text)
    promised, panels = (specification["usermeta"].get(what) for what in ("width", "panels"))
    if promised is None or panels is None:
        return text
    least = 10  # pixels of a panel
    for _ in range(5):
        width = int(re.search(r' width="(\d+)', as_svg(specification))[1])
        if promised - panels < width <= promised:
            break
        specification["spec"]["width"] -= math.ceil((width - promised) / panels)
        if specification["spec"]["width"] < least:
            raise ValueError(f"the labels leave no room in {promised} pixels")
    return json.dumps(specification, ensure_ascii=False, indent=1) + "\n"


def draw(file):
    """What went wrong, or None."""
    svg = file.with_name(file.name.replace(".vl.json", ".svg"))
    try:
        specification = with_panels_that_fit(file.read_text(encoding="utf-8"))
        file.write_text(specification, encoding="utf-8")
        text = as_svg(specification)
        numbers = {}  # of clip paths: Vega counts them over all that one process draws
        text = re.sub(
            r'(url\(#|id=")clip\d+',
            lambda found: found[1]
            + numbers.setdefault(found[0][len(found[1]) :], f"clip{len(numbers) + 1}"),
            text,
        )
        svg.write_text(text, encoding="utf-8")
        pdf = subprocess.run(
            ["rsvg-convert", "-f", "pdf", "-o", svg.with_suffix(".pdf"), svg],
            capture_output=True,
            text=True,
        )
        return (
            f"{svg.name}: rsvg-convert: {pdf.stderr.strip() or pdf.returncode}"
            if pdf.returncode != 0
            else None
        )
    except Exception as error:
        return f"{svg.name}: {error}"


with concurrent.futures.ProcessPoolExecutor() as pool:
    problems = [
        problem
        for problem in pool.map(draw, sorted(pathlib.Path(sys.argv[1]).glob("*.vl.json")))
        if problem is not None
    ]
if problems:
    sys.exit(problems[0])
