"""Draws each *.vl.json of a folder as an SVG and a PDF beside it, on all cores.

./ladder figures runs it.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

import vl_convert


def draw(file):
    """What went wrong, or None."""
    svg = file.with_name(file.name.replace(".vl.json", ".svg"))
    try:
        text = vl_convert.vegalite_to_svg(file.read_text(encoding="utf-8"), vl_version="6.4")
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
