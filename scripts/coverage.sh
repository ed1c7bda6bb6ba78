#!/bin/bash
# coverage.sh [FOLDER...]: builds the coverage preset, runs its tests and prints line and branch
# coverage per folder, then the lines that no test ran (of FOLDER... only, when given).
set -eu -o pipefail
cd "$(dirname "$0")/.."
scripts/build.sh coverage
find build/coverage -name '*.gcda' -delete
log=build/coverage.ctest.log
ctest --test-dir build/coverage --timeout 600 -j"$(nproc)" -LE long >"$log" 2>&1 || {
  grep -E '\*\*\*|tests failed' "$log" >&2
  echo "some tests failed (whole log: $log); what ran is counted" >&2
}
scripts/coverage.py build/coverage "$@"
