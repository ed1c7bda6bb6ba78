#!/bin/bash
# deb.sh [--source|--twice] [FOLDER]: the Debian packages of the last commit, from its tarball, in FOLDER (default:
# build/deb), and what lintian finds in them, which fails. --source: the source package only, in seconds. --twice: once
# more in another folder, where they have to get the same bytes; ccache would write other paths into their symbols.
set -eu -o pipefail
cd "$(dirname "$0")/.."
kind=-b
again=
case "${1:-}" in
  --source) kind=-S; shift ;;
  --twice) again=$(mktemp -d); shift ;;
esac
scripts/dist.sh >/dev/null
mkdir -p "${1:-build/deb}"
folder=$(cd "${1:-build/deb}" && pwd)
rm -rf "${folder:?}"/*
tar -xzf build/dist/hoist-*.tar.gz -C "$folder"
if ! (cd "$folder"/hoist-* && env -u CMAKE_C_COMPILER_LAUNCHER dpkg-buildpackage $kind -us -uc) >"$folder/build.log" 2>&1; then
  tail -n 60 "$folder/build.log"
  exit 1
fi
rm -rf "$folder"/hoist-*/
lintian --fail-on error,warning --info "$folder"/*.changes
ls "$folder"
if [ "$again" ]; then
  scripts/deb.sh "$again/deep/folder" >/dev/null
  for package in "$folder"/*.deb; do
    cmp "$package" "$again/deep/folder/${package##*/}"
  done
  rm -rf "$again"
  echo "two builds have the same bytes"
fi
