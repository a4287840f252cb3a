"""The site of the published sets has, for each page, what is shown beside a link to it.

site.py <source folder> <folder of the programs>
LADDER_PYTHON names a Python that has vl_convert, where python3 itself has none.
"""

import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import vl_convert  # noqa: F401
except ImportError:
    other = os.environ.pop("LADDER_PYTHON", None)
    if other:
        os.execv(other, [other, "-B", *sys.argv])
    print(("FAILED" if "LADDER_REQUIRE_TOOLS" in os.environ else "SKIPPED") + ": no vl_convert")
    sys.exit("LADDER_REQUIRE_TOOLS" in os.environ)

source, programs = sys.argv[1:]
ADDRESS = "https://example.org/ladder"
with tempfile.TemporaryDirectory() as folder:
    site = pathlib.Path(folder) / "site"
    subprocess.run(
        [f"{programs}/ladder", "site", "--out", str(site)],
        check=True,
        env={**os.environ, "LADDER_ROOT": source},
    )
    preview = f"{source}/reports/formats/html/preview.py"
    subprocess.run([sys.executable, "-B", preview, str(site), ADDRESS + "/"], check=True)
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    assert "index.html" in pages and "h200/report.html" in pages, pages
    for page in pages:
        head = (site / page).read_text(encoding="utf-8").split("<title>")[0]
        tags = dict(re.findall(r'<meta property="([^"]*)" content="([^"]*)">\n', head))
        assert tags["twitter:card"] == "summary_large_image", page
        assert tags["og:title"].startswith("Kernel Ladder"), page
        assert len(tags["og:description"]) > 20, page
        assert not re.search("[*`<]", html.unescape(tags["og:description"])), page
        assert tags["og:url"] == f"{ADDRESS}/{page}".removesuffix("index.html"), tags["og:url"]
        beside = page.rpartition("/")[0] if page.count("/") == 1 else ""  # a set has its own
        assert tags["og:image"].startswith(f"{ADDRESS}/{beside}"), tags["og:image"]
        png = (site / tags["og:image"].removeprefix(ADDRESS + "/")).read_bytes()
        assert png.startswith(b"\x89PNG"), "no PNG"
        size = [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
        assert size == [1200, 630], size
        assert [tags["og:image:width"], tags["og:image:height"]] == ["1200", "630"], page
