#!/bin/bash
# build.sh NAME [--target T] [-- CMAKE-ARGS]: configures and builds build/NAME; prints every 15 seconds how far it is.
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

# Keeps what cmake and ninja print in the log; how far it is, every 15 seconds, also while one source takes longer.
progress() {
  local line status count=configuring last=$SECONDS
  while :; do
    status=0
    IFS= read -r -t 15 line || status=$?
    if [ "$status" -eq 0 ]; then
      printf '%s\n' "$line"
      [[ $line == \[* ]] && count="${line%%]*}]"
    elif [ "$status" -gt 128 ]; then # no whole line in that time
      printf '%s' "$line"
    else
      break
    fi
    if [ $((SECONDS - last)) -ge 15 ]; then
      echo "   building $name: $count" >&2
      last=$SECONDS
    fi
  done >"$log"
}

if ! { "${configure[@]}" && cmake --build "build/$name" "${target[@]}"; } 2>&1 | progress; then
  tail -n 60 "$log" >&2
  echo "build failed: $name (whole log: $log)" >&2
  exit 1
fi
