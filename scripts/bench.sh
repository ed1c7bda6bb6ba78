#!/bin/bash
# Runs every bench program of the release build; each prints its ratios.
set -eu -o pipefail
cd "$(dirname "$0")/.."
for program in build/release/bench/*_bench; do
  echo "== $(basename "$program")"
  "$program"
done
