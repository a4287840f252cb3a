"""Draws each *.vl.json of a folder as an SVG and a PDF beside it, on all cores. ./ladder figures runs it."""

import concurrent.futures
import pathlib
import subprocess
import sys

import vl_convert


def draw(file):
    svg = file.with_name(file.name.replace(".vl.json", ".svg"))
    svg.write_text(vl_convert.vegalite_to_svg(file.read_text(encoding="utf-8"), vl_version="6.4"), encoding="utf-8")
    subprocess.run(["rsvg-convert", "-f", "pdf", "-o", svg.with_suffix(".pdf"), svg], check=True)


with concurrent.futures.ProcessPoolExecutor() as pool:
    list(pool.map(draw, sorted(pathlib.Path(sys.argv[1]).glob("*.vl.json"))))
