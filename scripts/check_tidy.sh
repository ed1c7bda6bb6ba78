#!/bin/bash
# check_tidy.sh changed|all: clang-tidy over the sources of build/dev. "changed" takes the files
# that differ from the previous commit.
set -eu -o pipefail
cd "$(dirname "$0")/.."
db=build/dev
[ -e $db/compile_commands.json ] || { echo "build the dev preset first" >&2; exit 1; }
base=$(git rev-parse -q --verify HEAD~1 || true)
if [ "${1:-changed}" = changed ] && [ -n "$base" ]; then
  mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- '*.c' ':!bench')
else
  mapfile -t files < <(git ls-files 'src/*.c' 'tools/*.c' 'tests/*.c')
fi
kept=()
for file in "${files[@]}"; do
  grep -q "\"file\": \"$PWD/$file\"" $db/compile_commands.json && kept+=("$file")
done
[ ${#kept[@]} -eq 0 ] && { echo "nothing to check"; exit 0; }
printf '%s\0' "${kept[@]}" | xargs -0 -P "$(nproc)" -n 4 clang-tidy -p $db --quiet
