#!/bin/bash
# docs.sh write|check [GENERATOR]: manual pages, completions and docs/rules.md come from the command's tables.
set -eu -o pipefail
cd "$(dirname "$0")/.."
generator=${2:-build/dev/tools/hoist/hoist-docgen}
[ -e "$generator" ] || generator=build/release/tools/hoist/hoist-docgen
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/man" "$made/completions"
"$generator" "$made"
case ${1:-} in
  write)
    rm -rf docs/man docs/completions
    cp -r "$made/." docs/
    ;;
  check)
    diff -ru docs/man "$made/man"
    diff -ru docs/completions "$made/completions"
    diff -u docs/rules.md "$made/rules.md"
    ;;
  *) echo "usage: docs.sh write|check" >&2; exit 2 ;;
esac
