#!/bin/bash
# deb.sh [FOLDER]: the Debian packages of the last commit, from its tarball, in FOLDER (default: build/deb), and what
# lintian finds in them, which fails.
set -eu -o pipefail
cd "$(dirname "$0")/.."
scripts/dist.sh >/dev/null
mkdir -p "${1:-build/deb}"
folder=$(cd "${1:-build/deb}" && pwd)
rm -rf "${folder:?}"/*
tar -xzf build/dist/hoist-*.tar.gz -C "$folder"
if ! (cd "$folder"/hoist-* && dpkg-buildpackage -b -us -uc) >"$folder/build.log" 2>&1; then
  tail -n 60 "$folder/build.log"
  exit 1
fi
rm -rf "$folder"/hoist-*/
lintian --fail-on error,warning --info "$folder"/*.changes
ls "$folder"/*.deb
