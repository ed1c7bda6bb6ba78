#!/bin/bash
# Runs every bench program of the release build, and those of its command; each prints its ratios.
set -eu -o pipefail
cd "$(dirname "$0")/.."
for program in build/release/bench/*_bench; do
  echo "== $(basename "$program")"
  "$program"
done
for script in bench/*_bench.py; do
  echo "== $(basename "$script" .py)"
  "$script" build/release/tools/hoist/hoist
done
