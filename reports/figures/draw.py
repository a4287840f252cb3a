"""Draws each *.vl.json of a folder as an SVG beside it. ./ladder figures runs it."""

import pathlib
import sys

import vl_convert

for file in sorted(pathlib.Path(sys.argv[1]).glob("*.vl.json")):
    svg = vl_convert.vegalite_to_svg(file.read_text(encoding="utf-8"), vl_version="6.4")
    file.with_name(file.name.replace(".vl.json", ".svg")).write_text(svg, encoding="utf-8")
