#!/bin/bash
# The newest releases of CHANGELOG.md and debian/changelog are the version of the headers, HOIST_VERSION_TEXT, from
# which CMake, the Python package and the tarball have theirs.
set -eu -o pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define HOIST_VERSION_TEXT "\(.*\)".*/\1/p' include/hoist/base.h)
parts=$(awk '/^#define HOIST_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' include/hoist/base.h)
status=0
same() {
  [ "$2" = "$version" ] && return
  echo "$1: version '$2'; expected '$version', as HOIST_VERSION_TEXT is"
  status=1
}
same include/hoist/base.h "$parts"
same CHANGELOG.md "$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | sed -n 1p)"
same debian/changelog "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)"
exit "$status"
