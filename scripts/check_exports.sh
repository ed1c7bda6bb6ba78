#!/bin/bash
# The shared library exports exactly the symbols of tests/golden/exports.txt, each in its version node, and they are
# all that a program sees of the static one. check_exports.sh --update rewrites that list.
set -eu -o pipefail
cd "$(dirname "$0")/.."
list=tests/golden/exports.txt
build=build/dev
[ -e $build/libhoist.so.0 ] || build=build/release

# Names from `nm`, without those of the linker and of sanitizers.
names() {
  awk '$2 ~ /[A-Z]/ {print $3}' | grep -v -E '^(__|_init|_fini|HOIST_)' | LC_ALL=C sort
}

found=$(nm -D --defined-only $build/libhoist.so.0 | names)
if [ "${1:-}" = --update ]; then
  printf '%s\n' "$found" | sed 's/@.*//' >"$list"
fi
diff -u --label "$list" <(scripts/symbols.py list) --label libhoist.so <(printf '%s\n' "$found")
diff -u --label "$list" "$list" --label libhoist.a <(nm --defined-only $build/libhoist.a | names)
