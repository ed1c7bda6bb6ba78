#!/bin/bash
# The command and both libraries of build/release once more, in another folder: the same bytes.
set -eu -o pipefail
cd "$(dirname "$0")/.."
other=$(mktemp -d)
trap 'rm -rf "$other"' EXIT
CCACHE_DISABLE=1 cmake --preset release -B "$other" -DBUILD_TESTING=OFF >"$other/log" && CCACHE_DISABLE=1 cmake --build "$other" >>"$other/log" || {
  tail -n 40 "$other/log"
  exit 1
}
for file in tools/hoist/hoist libhoist.a libhoist.so; do
  cmp "build/release/$file" "$other/$file"
done
echo "3 files, the same bytes"
