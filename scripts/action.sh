#!/bin/bash
# The check of action.yml, in the folder of a repository: findings as annotations, and as a SARIF log when
# HOIST_SARIF names one. HOIST_FILES has patterns of `git ls-files`, one a line. Exits as `hoist check` does.
set -eu -o pipefail
hoist=${HOIST_COMMAND:-$(dirname "$0")/../build/release/tools/hoist/hoist}
read -r -a options <<<"${HOIST_OPTIONS:-}"
[ -z "${HOIST_BASELINE:-}" ] || options+=(--baseline "$HOIST_BASELINE")
mapfile -t patterns < <(grep -v '^[[:space:]]*$' <<<"${HOIST_FILES:-}" || true)
if [ ${#patterns[@]} -eq 0 ]; then
  echo "::error::hoist: the input 'files' names no pattern"
  exit 2
fi
list=$(mktemp)
trap 'rm -f "$list"' EXIT
git ls-files -z -- "${patterns[@]}" >"$list"
if [ ! -s "$list" ]; then
  echo "::error::hoist: no file of the repository matches the input 'files'"
  exit 2
fi
if [ -n "${HOIST_SARIF:-}" ]; then
  "$hoist" check --sarif --files0-from "$list" -j "$(nproc)" ${options[@]+"${options[@]}"} >"$HOIST_SARIF" || true
fi
"$hoist" check --github --files0-from "$list" -j "$(nproc)" ${options[@]+"${options[@]}"}
