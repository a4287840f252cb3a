#!/bin/sh
# Makes vega.js anew from the package that holds it, and compares it with the hash beside it.
#
# vl-convert-python is a wheel with Vega, Vega-Lite and Vega-Embed inside, which it bundles into one
# script. Nothing else is downloaded, and the same version of the wheel gives the same bytes. To
# take a newer one: change it in ../../figures/requirements.txt, run this, look at the page, and
# commit vega.js and its hash.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" -q install --require-hashes -r "$here/../../figures/requirements.txt"
"$scratch/venv/bin/python" - "$here/snippet.js" >"$here/vega.js" <<'PYTHON'
import pathlib, sys, vl_convert
sys.stdout.write(vl_convert.javascript_bundle(pathlib.Path(sys.argv[1]).read_text(), vl_version="6.4"))
PYTHON
cd "$here"
sha256sum --check vega.js.sha256
