#!/bin/bash
# installed.sh BUILD [SANITIZERS]: an installation works: a C program and a C++ one compile against
# it with pkg-config, run, and say the version; manual pages, completions and schemas are there.
set -eu -o pipefail
[ -z "${2:-}" ] || { echo "skipped: a sanitized library"; exit 0; }
build=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cmake --install "$build" --prefix "$root/usr" >/dev/null
libdir=$(dirname "$(find "$root" -name 'libhoist.so.0' | head -n 1)")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir

cat >"$root/use.c" <<'EOF'
#include <hoist/hoist.h>
#include <stdio.h>
int main(void)
{
    return puts(hoist_version()) < 0;
}
EOF
cp "$root/use.c" "$root/use.cc"
for compiler in "cc -std=c17 use.c" "c++ -std=c++17 -x c++ use.cc"; do
  command -v "${compiler%% *}" >/dev/null || continue
  # shellcheck disable=SC2046
  (cd "$root" && $compiler -Wall -Wextra -Werror -o use $(pkg-config --cflags --libs hoist) && ./use)
done
"$root/usr/bin/hoist" version >/dev/null
for file in share/man/man1/hoist-check.1 share/bash-completion/completions/hoist \
  share/zsh/site-functions/_hoist share/fish/vendor_completions.d/hoist.fish \
  share/hoist/schemas/hoist.check-1.schema.json; do
  [ -s "$root/usr/$file" ] || { echo "not installed: $file"; exit 1; }
done
echo "1 passed, 0 failed"
