#!/bin/bash
# build.sh NAME [--target T] [-- CMAKE-ARGS]: configures and builds build/NAME; says every 15 seconds how far it is.
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

# Keeps what cmake and ninja print in the log; ninja's counts ("[12/600] ...") go on at times.
progress() {
  local line next=$((SECONDS + 15))
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [ "$SECONDS" -ge "$next" ] && [[ $line == \[* ]]; then
      echo "   building $name: ${line%%]*}]" >&2
      next=$((SECONDS + 15))
    fi
  done >"$log"
}

if ! { "${configure[@]}" && cmake --build "build/$name" "${target[@]}"; } 2>&1 | progress; then
  tail -n 60 "$log" >&2
  echo "build failed: $name (whole log: $log)" >&2
  exit 1
fi
