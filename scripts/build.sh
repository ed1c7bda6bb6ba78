#!/bin/bash
# build.sh NAME [--target T] [-- CMAKE-ARGS]: configures and builds build/NAME, quietly.
# NAME is a preset of CMakePresets.json, or any name when CMAKE-ARGS say what to build.
set -eu -o pipefail
cd "$(dirname "$0")/.."
name=$1
shift
target=()
if [ "${1:-}" = --target ]; then
  target=(--target "$2")
  shift 2
fi
[ "${1:-}" = -- ] && shift
mkdir -p build
log=build/$name.log
if grep -q "\"name\": \"$name\"" CMakePresets.json; then
  configure=(cmake --preset "$name" "$@")
else
  configure=(cmake -G Ninja -S . -B "build/$name" "$@")
fi
if ! { "${configure[@]}" && cmake --build "build/$name" "${target[@]}"; } >"$log" 2>&1; then
  tail -n 60 "$log" >&2
  echo "build failed: $name (whole log: $log)" >&2
  exit 1
fi
