#!/bin/bash
# check_commits.sh [RANGE]: commits that change more than 500 lines of C, which no reviewer reads, and whose
# subject does not say that these were moved or generated. The default is every commit since this rule; a
# clone without that history has nothing to check, and says so.
set -eu -o pipefail
cd "$(dirname "$0")/.."
most=500
since=b0fb2a5d
range=${1:-$since..HEAD}
if ! git rev-parse -q --verify "${range%%..*}^{commit}" >/dev/null; then
  echo "no history before $range: nothing checked"
  exit 0
fi
git log --no-merges --format='commit %h %s' --numstat -M "$range" -- '*.c' '*.h' '*.inc' | awk -v most=$most '
  function done() {
    if (lines > most && subject !~ /(move|generated)/) { print "commit " subject ": " lines " lines of C"; bad++ }
  }
  /^commit / { done(); subject = substr($0, 8); lines = 0; count++; next }
  NF >= 3 { lines += $1 + $2 }
  END { done(); print count + 0 " commits, " bad + 0 " too large"; exit bad > 0 }'
