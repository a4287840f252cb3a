"""What is shown beside a link to a page of the site: a title, a sentence, and a ladder as a PNG.

Previews take absolute addresses, and no SVG. So .github/workflows/site.yml, which knows the address
of the site, runs this on what ./ladder site wrote.

preview.py <folder of the site> <address of the site>
"""

import base64
import gzip
import html
import json
import pathlib
import re
import sys

import vl_convert

site, address = pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/")
reports = pathlib.Path(__file__).resolve().parents[2]
# the figure that the README shows of its set
readme = (reports.parent / "README.md").read_text(encoding="utf-8")
FIGURE = re.search(r"\(reports/published/[^)]*/figures/([^)]*\.svg)\)", readme)[1]
WIDTH, HEIGHT = 1200, 630  # as social networks cut them


def picture(folder):
    """Draws the ladder of the set into its folder of the site; its path, or None."""
    figure = reports / "published" / folder / "figures" / FIGURE
    if not figure.is_file():
        return None
    size = f'width="{WIDTH}" height="{HEIGHT}"'
    svg = re.sub(r'width="\d+" height="\d+"', size, figure.read_text(encoding="utf-8"), count=1)
    paper = '<rect x="-9999" y="-9999" width="29999" height="29999" fill="#ffffff"/>'
    svg = svg.replace("><", f">{paper}<", 1)
    (site / folder / "preview.png").write_bytes(vl_convert.svg_to_png(svg))
    return f"{folder}/preview.png"


pages = sorted(site.rglob("*.html"))
pictures = {page.parent: picture(page.parent.relative_to(site).as_posix()) for page in pages}
first = next((one for one in pictures.values() if one is not None), None)
for page in pages:
    path = page.relative_to(site).as_posix()
    text = page.read_text(encoding="utf-8")
    packed = base64.b64decode(re.search(r'id="report">(.*?)</script>', text)[1])
    report = json.loads(gzip.decompress(packed))
    tags = {
        "og:type": "article",
        "og:title": "Kernel Ladder" + (f" on {page.parent.name}" if page.parent != site else ""),
        "og:description": re.sub(r"[*`]|<br>", "", html.unescape(report["lead"])),
        "og:url": f"{address}/{path.removesuffix('index.html')}",
        "twitter:card": "summary_large_image",
    }
    image = pictures[page.parent] or first
    if image is not None:
        tags |= {
            "og:image": f"{address}/{image}",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": "The ladder: the time of each kernel, and of each library call",
        }
    lines = [
        f'<meta property="{name}" content="{html.escape(value)}">\n' for name, value in tags.items()
    ]
    page.write_text(text.replace("<title>", "".join(lines) + "<title>", 1), encoding="utf-8")
