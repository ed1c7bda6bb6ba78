#!/bin/bash
# check_abi.sh [--update]: what programs rely on in the released library is what the headers declare now: functions,
# types, sizes, offsets. New functions are allowed. A new field at the end of a struct with a struct_size is reported,
# too, and compatible: --update then writes the reference, tests/golden/hoist-0.1.abi.gz (x86-64).
#
# It looks at a library of the headers alone (scripts/abi_stub.py), in which objects that callers have only pointers of
# are no more than names; that the real one defines the same functions the compiler and check_exports.sh see to.
set -eu -o pipefail
cd "$(dirname "$0")/.."
reference=tests/golden/hoist-0.1.abi.gz
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
scripts/abi_stub.py >"$made/stub.c"
"${CC:-gcc}" -std=c17 -g -fPIC -shared -fvisibility=hidden -Iinclude -Wl,-soname,libhoist.so.0 \
  -Wl,--version-script=cmake/hoist.map -o "$made/libhoist.so" "$made/stub.c"
abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-architecture --type-id-style hash \
  --out-file "$made/now.abi" "$made/libhoist.so"
if [ "${1:-}" = --update ]; then
  sed "s|$made||" "$made/now.abi" | gzip -9nc >"$reference"
fi
gzip -dc "$reference" >"$made/released.abi"
abidiff --no-added-syms --no-redundant "$made/released.abi" "$made/now.abi"
