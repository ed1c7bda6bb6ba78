#!/bin/bash
# docs.sh write|check [GENERATOR]: manual pages, completions, docs/rules.md and docs/rules come from the command's tables,
# those of docs/formats/*-instructions.md from the tables of instructions.
set -eu -o pipefail
cd "$(dirname "$0")/.."
# The one that was built last.
built=$(ls -t build/{dev,release}/tools/hoist/hoist-docgen 2>/dev/null | head -n 1 || true)
generator=${2:-$built}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/man" "$made/completions" "$made/formats" "$made/rules"
"$generator" "$made"
instructions="formats/neff-instructions.md formats/edgetpu-instructions.md"
formats=$(dirname "$generator")/../../src/formats
"$formats/neff/hoist-neff-docgen" <docs/formats/neff-instructions.md >"$made/formats/neff-instructions.md"
"$formats/darwinn/hoist-darwinn-docgen" <docs/formats/edgetpu-instructions.md >"$made/formats/edgetpu-instructions.md"
case ${1:-} in
  write)
    rm -rf docs/man docs/completions docs/rules
    cp -r "$made/." docs/
    ;;
  check)
    diff -ru docs/man "$made/man"
    diff -ru docs/completions "$made/completions"
    diff -u docs/rules.md "$made/rules.md"
    diff -ru docs/rules "$made/rules"
    for page in $instructions; do
      diff -u "docs/$page" "$made/$page"
    done
    ;;
  *) echo "usage: docs.sh write|check" >&2; exit 2 ;;
esac
