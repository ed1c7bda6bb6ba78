#!/bin/bash
# check_abi.sh [LIBRARY]: what programs rely on in libhoist.so of the release is in LIBRARY (default: that of build/dev,
# which has debugging data): functions, types, sizes, offsets. New functions are allowed. A new field at the end of a
# struct with a struct_size is reported, too, and compatible: check_abi.sh --update [LIBRARY] then writes the reference,
# tests/golden/hoist-0.1.abi.gz.
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
abidw --exported-interfaces-only --suppressions scripts/abi.suppr --no-corpus-path --no-comp-dir-path --no-show-locs \
  --no-elf-needed --no-architecture --type-id-style hash --out-file "$made/now.abi" "$library"
if [ -n "$update" ]; then
  gzip -9nc "$made/now.abi" >"$reference"
fi
gzip -dc "$reference" >"$made/released.abi"
abidiff --no-added-syms --no-redundant "$made/released.abi" "$made/now.abi"
