#!/bin/bash
# check_abi.sh [LIBRARY]: what programs rely on in libhoist.so of the release is in LIBRARY (default: that of build/dev,
# which has debugging data): functions, types, sizes, offsets. Additions are allowed. The release's is
# tests/golden/hoist-0.1.abi.gz; check_abi.sh --update [LIBRARY] writes it.
set -eu -o pipefail
cd "$(dirname "$0")/.."
reference=tests/golden/hoist-0.1.abi.gz
update=
if [ "${1:-}" = --update ]; then
  update=1
  shift
fi
library=${1:-build/dev/libhoist.so.0}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
abidw --headers-dir include/hoist --drop-private-types --no-corpus-path --no-comp-dir-path --no-show-locs \
  --no-elf-needed --no-architecture --out-file "$made/now.abi" "$library"
if [ -n "$update" ]; then
  gzip -9nc "$made/now.abi" >"$reference"
fi
gzip -dc "$reference" >"$made/released.abi"
abidiff --no-added-syms --no-redundant "$made/released.abi" "$made/now.abi"
