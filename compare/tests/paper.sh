#!/bin/sh
# Does what docs/paper.md says, and looks at the article that comes out: one page, every reference
# resolved, nothing wider than its column.
#
# paper.sh <source folder> <folder of the built programs>
# Where LADDER_REQUIRE_TOOLS is set, a tool that is missing is a failure.
set -eu

source=$1
programs=$2
python=${LADDER_PYTHON:-$programs/../python/bin/python3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
  printf 'paper: %s\n' "$*" >&2
  exit 1
}
skip() {
  [ -z "${LADDER_REQUIRE_TOOLS:-}" ] || fail "$*"
  echo "SKIPPED: $*"
  exit 0
}

# block <language> <number>: the text of that block of the page
block() {
  awk -v fence="\`\`\`$1" -v wanted="$2" \
    '$0 == fence { inside = ++count == wanted; next } /^```/ { inside = 0 } inside' \
    "$source/docs/paper.md"
}

cd "$scratch"
ln -s "$source/reports" reports
printf '#!/bin/sh\nexec "%s/ladder" "$@"\n' "$programs" >ladder
chmod +x ladder
export LADDER_ROOT="$source"

block sh 2 >commands
[ "$(wc -l <commands)" -ge 4 ] || fail "docs/paper.md has lost its commands"
if sh -eu commands >said 2>&1; then
  grep -q '^On an NVIDIA H200, .single_pass. sums 2^28 32-bit integers from cold caches in ' said ||
    fail "no sentence with the chosen number: $(cat said)"
elif grep -q '; SVG and PDF need more tools, which this installs: ' said; then
  needed=$(sed -n 's/.*which this installs: //p' said)
  grep -v 'ladder figures' commands >without
  sh -eu without >said 2>&1 || fail "$(cat said)"
  skip "all but the figures was done; for them: $needed"
else
  fail "$(cat said)"
fi
mv paper first
sh -eu commands >said 2>&1
diff -r first paper >said || fail "the same commands wrote other bytes: $(cat said)"

# Every figure is as wide as the page promises, with its labels: 84 mm are 317 pixels of 1/96 inch.
./ladder figures reports/published/h200 --operation histogram --out other >said 2>&1 ||
  fail "$(cat said)"
for svg in paper/*.svg other/*.svg; do
  width=$(sed -n 's/^<svg [^>]* width="\([0-9]*\)".*/\1/p' "$svg")
  if [ "${width:-0}" -lt 310 ] || [ "$width" -gt 320 ]; then fail "$svg is $width pixels wide"; fi
done

# The pictures that are published beside a set are of the specifications beside them.
for folder in "$source"/reports/published/figures "$source"/reports/published/*/figures; do
  rm -rf published
  cp -r "$folder" published
  rm published/*.svg
  "$python" - <<'END'
import bz2
import pathlib

for packed in pathlib.Path("published").glob("*.bz2"):
    packed.with_suffix("").write_bytes(bz2.decompress(packed.read_bytes()))
END
  (cd published && SOURCE_DATE_EPOCH=0 "$python" -B "$source/reports/formats/figures/draw.py" .)
  for svg in published/*.svg; do
    cmp "$svg" "$folder/${svg#*/}" || fail "$svg is not what its specification draws"
  done
done

if ! command -v pdflatex >/dev/null; then
  skip "table, figures and citation were written; apt-get install --no-install-recommends" \
    "texlive-latex-base texlive-latex-recommended compiles them"
fi
block latex 1 >paper/article.tex
# What the caption of the page defines is in the words that the table suggests.
sed -n 's/^.* intervals\. //; T; p' paper/reduce.tex >suggested
caption=$(tr '\n' ' ' <paper/article.tex)
if [ ! -s suggested ] || [ "${caption#*"$(cat suggested)"}" = "$caption" ]; then
  fail "the caption of the article lacks: $(cat suggested)"
fi
block sh 3 >commands
sh -eu commands >said 2>&1 || fail "the article does not compile: $(tail -n 30 said)"
grep -q '^Output written on article.pdf (1 page' paper/article.log ||
  fail "the article has not one page: $(grep '^Output' paper/article.log)"
if grep -E 'undefined|^Overfull .hbox|multiply' paper/article.log; then
  fail "the article is not as it should be"
fi
if [ -n "${LADDER_KEEP_PAPER:-}" ]; then cp paper/article.pdf "$LADDER_KEEP_PAPER"; fi

# Foreign text stays text: no command of TeX, no markup in a picture.
# shellcheck disable=SC2016
hostile='</text><script>alert(1)</script><image href="file:///etc/passwd"/>'
# shellcheck disable=SC2016
hostile=$hostile'\input{/etc/passwd}\write18{touch written}^^5cend$%&#_^~{}@article{x,]]>'
"$programs/write_page" timed.json "$hostile" "$source/reports/published/h200/results.json.bz2"
"$programs/write_page" small.json "$hostile" "$source/reports/tests/example.results.json"
./ladder table timed.json --format latex --out hostile.tex
./ladder table timed.json --format csv --out hostile.csv
./ladder cite timed.json --latex >hostile.bib
./ladder figures small.json --out hostile >said || fail "$(cat said)"
cat >article.tex <<'END'
\documentclass{article}
\usepackage{booktabs,graphicx}
\begin{document}
\input{hostile}
\input{pictures}
\nocite{*}
\bibliographystyle{plain}
\bibliography{hostile}
\end{document}
END
for pdf in hostile/*.pdf; do printf '\\includegraphics[width=3cm]{%s}\n' "$pdf"; done >pictures.tex
{ pdflatex -halt-on-error -shell-escape article && bibtex article &&
  pdflatex -halt-on-error -shell-escape article; } >said 2>&1 ||
  fail "an article with foreign names does not compile: $(tail -n 30 said)"
[ ! -e written ] || fail "TeX ran a command that stands in a result set"
if grep '(/etc/passwd' article.log; then fail "TeX read a file that a result set names"; fi
[ "$(grep -c '^@' hostile.bib)" = 2 ] || fail "a result set adds an entry to its BibTeX"
cat >only_text.py <<'END'
import sys
from xml.etree import ElementTree

for file in sys.argv[1:]:
    for element in ElementTree.parse(file).iter():
        kind = element.tag.rpartition("}")[2]
        acts = any("href" in name or name.startswith("on") for name in element.attrib)
        if acts or kind in ("script", "image", "foreignObject", "a", "use"):
            sys.exit(f"{file}: {kind} {element.attrib}")
END
"$python" only_text.py hostile/*.svg || fail "a picture holds more than text"
