#!/bin/bash
# uninstall.sh MANIFEST [DESTDIR]: removes the files that `make install` has listed, and the folders of hoist's own.
set -eu -o pipefail
manifest=$1
destdir=${2:-}
[ -e "$manifest" ] || { echo "uninstall: there is no $manifest; 'make install' writes it" >&2; exit 2; }
sed "s|^|$destdir|" "$manifest" | xargs -d '\n' rm -f --
# Deepest first; one that holds a file of somebody else stays.
sed 's|/[^/]*$||' "$manifest" | awk '{ while ($0 ~ "/hoist(/|$)") { print; sub("/[^/]*$", "") } }' | sort -ru |
  sed "s|^|$destdir|" | xargs -d '\n' rmdir --ignore-fail-on-non-empty -- 2>/dev/null || true
