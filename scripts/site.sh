#!/bin/bash
# site.sh [BUILD]: build/site, one static site of all documents, made without the network: README, tutorials, formats,
# rules, the C interface (headers), the Python interface (docstrings), manual pages, and pages of `hoist view`.
# BUILD (default build/release) has the command and the library. Equal trees give equal bytes; a link that leads nowhere
# is a failure.
set -eu -o pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
out=build/site
stage=build/site.stage
rm -rf "$out" "$stage"
mkdir -p "$stage/_static" "$stage/_extra/view" "$stage/_extra/man"
version=$(sed -n 's/^#define HOIST_VERSION_TEXT "\(.*\)".*/\1/p' include/hoist/base.h)
export HOIST_SITE_VERSION=$version PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 LC_ALL=C.UTF-8 TZ=UTC
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1700000000)}

cp docs/site/conf.py "$stage/"
cp docs/site/*.css "$stage/_static/"
cat README.md docs/site/menu.md >"$stage/index.md"
cp ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE "$stage/"
cp docs/site/viewer.md "$stage/viewer.md"
mkdir -p "$stage/docs" "$stage/python"
cp -r docs/*.md docs/formats docs/rules docs/tutorials docs/pictures "$stage/docs/"
# Rules are reached from the list of all, not from the menu.
sed -i '1i ---\norphan: true\n---\n' "$stage"/docs/rules/*.md
cp -r examples "$stage/"
find "$stage/examples" -name '*.md' -delete
cp python/README.md docs/site/python.rst "$stage/python/"
mv "$stage/python/python.rst" "$stage/python/reference.rst"
/usr/bin/python3 scripts/api_pages.py rst "$stage/api"
cp -r docs/man "$stage/man1"
/usr/bin/python3 scripts/api_pages.py man "$stage/man3"

# Manual pages are pages of their own; the list of them is the site's.
{
  printf '# Manual pages\n'
  for section in 1 3; do
    [ "$section" = 1 ] && printf '\n## Commands\n\n' || printf '\n## Functions of the library\n\n'
    for file in "$stage/man$section"/*; do
      name=$(basename "$file")
      mandoc -T html -O "style=../_static/man.css,man=%N.%S.html" "$file" >"$stage/_extra/man/$name.html"
      printf -- '- <a href="man/%s.html">%s</a>\n' "$name" "${name%.*}"
    done
  done
} >"$stage/manual.md"
rm -rf "$stage/man1" "$stage/man3"

view() {
  "$build/tools/hoist/hoist" view "$1" -o "$stage/_extra/view/$2.html" >/dev/null
}
view examples/buda/transformer_encoder.yaml netlist
view examples/tflite/layers_edgetpu.tflite edgetpu
view examples/ark/swiglu.json ark

HOIST_LIBRARY=$(realpath "$build/libhoist.so.0") PYTHONPATH=python \
  /usr/bin/python3 -m sphinx -q -b html -d "$stage/_build" "$stage" "$out" 2>"$stage/warnings" ||
  { tail -n 40 "$stage/warnings"; exit 1; }
grep -E 'ERROR|WARNING' "$stage/warnings" && exit 1
rm -rf "$out/.doctrees" "$out/.buildinfo" "$out/objects.inv" "$stage"
/usr/bin/python3 scripts/check_links.py "$out"
