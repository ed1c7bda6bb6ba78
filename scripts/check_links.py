#!/usr/bin/env python3
"""check_links.py FOLDER: every link of the pages in FOLDER that stays inside leads to a file, and to an anchor that is
there; nothing is loaded from elsewhere. Links to other sites are counted, not followed."""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The anchors, links and loaded files of a page."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        if tag in ("a", "area") and values.get("href"):
            self.links.append((self.getpos()[0], values["href"]))
        elif values.get("src") or tag == "link" and values.get("href"):
            self.loads.append((self.getpos()[0], values.get("src") or values["href"]))


def faults(root, pages, path):
    for line, link in pages[path].links + pages[path].loads:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme in ("data", "mailto", "javascript"):
            continue
        if parts.scheme or parts.netloc:
            if (line, link) in pages[path].loads:
                yield line, link, "is loaded from elsewhere"
            continue
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if root not in target.parents or not target.is_file():
            yield line, link, "is no file of the site"
        elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
            yield line, link, "has no such anchor"


def main():
    if len(sys.argv) != 2:
        print("usage: check_links.py FOLDER", file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    bad = 0
    for path in pages:
        for line, link, fault in faults(root, pages, path):
            print(f"{path.relative_to(root)}:{line}: '{link}' {fault}")
            bad += 1
    links = sum(len(page.links) + len(page.loads) for page in pages.values())
    print(f"{len(pages)} pages, {links} links, {bad} that lead nowhere")
    return 1 if bad or not links else 0


if __name__ == "__main__":
    sys.exit(main())
