#!/bin/bash
# The shared library exports exactly the symbols of tests/golden/exports.txt.
# check_exports.sh --update rewrites that list.
set -eu -o pipefail
cd "$(dirname "$0")/.."
list=tests/golden/exports.txt
library=build/dev/libhoist.so.0
[ -e $library ] || library=build/release/libhoist.so.0
found=$(nm -D --defined-only "$library" | awk '$2 ~ /[TDBR]/ {sub(/@.*/, "", $3); print $3}' |
  grep -v -E '^(__|_init|_fini|HOIST_)' | LC_ALL=C sort)
if [ "${1:-}" = --update ]; then
  printf '%s\n' "$found" >"$list"
fi
diff -u "$list" <(printf '%s\n' "$found")
