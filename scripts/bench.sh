#!/bin/bash
# Runs every bench program of the release build, and those of its command; each prints its ratios.
# The exit status says whether all of them came to their aims.
set -u -o pipefail
cd "$(dirname "$0")/.."
missed=()

bench() {
  local name
  name=$(basename "$1" .py)
  echo "== $name"
  "$@"
  case $? in
    0 | 77) ;; # 77: skipped
    *) missed+=("$name") ;;
  esac
}

for program in build/release/bench/*_bench; do
  bench "$program"
done
for script in bench/*_bench.py; do
  bench "$script" build/release/tools/hoist/hoist
done
[ ${#missed[@]} -eq 0 ] || { echo "not reached: ${missed[*]}"; exit 1; }
