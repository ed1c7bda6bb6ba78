#!/bin/bash
# installed.sh BUILD [INSTRUMENTED]: an installation works: every public header compiles alone as C17
# and as C++17, a C program and a C++ one build against it with pkg-config and run; manual pages,
# completions and schemas are there.
set -eu -o pipefail
[ -z "${2:-}" ] || { echo "skipped: an instrumented library"; exit 0; }
build=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cmake --install "$build" --prefix "$root/usr" >/dev/null
libdir=$(dirname "$(find "$root" -name 'libhoist.so.0' | head -n 1)")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
strict="-Wall -Wextra -Werror -pedantic"
c="cc -std=c17 $strict"
cxx="c++ -std=c++17 $strict"
command -v c++ >/dev/null || { echo "no C++ compiler: install g++"; exit 1; }

# Twice, for the include guard.
headers=0
for header in "$root"/usr/include/hoist/*.h; do
  line="#include <hoist/$(basename "$header")>"
  for language in "$c -x c" "$cxx -x c++"; do
    printf '%s\n%s\n' "$line" "$line" | $language -I"$root/usr/include" -fsyntax-only -
  done
  headers=$((headers + 1))
done
[ "$headers" -gt 1 ] || { echo "no headers are installed"; exit 1; }

cat >"$root/use.c" <<'EOC'
#include <hoist/hoist.h>
#include <stdio.h>
int main(void)
{
    return puts(hoist_version()) < 0;
}
EOC
# A netlist without sections: it is read, judged, and found wrong.
cat >"$root/use.cc" <<'EOC'
#include <hoist/hoist.h>

#include <memory>
#include <string>

int main()
{
    const std::string text = "devices: {arch: wormhole_b0}\n";
    const hoist_bytes bytes = {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
    hoist_diag *made = nullptr;
    if (hoist_diag_create(hoist_allocator_system(), nullptr, &made) != HOIST_OK) {
        return 1;
    }
    const std::unique_ptr<hoist_diag, decltype(&hoist_diag_destroy)> diag(made, hoist_diag_destroy);
    hoist_open_options options = {};
    options.struct_size = sizeof(options);
    hoist_job *job = nullptr;
    if (hoist_job_open_bytes(bytes, "n.yaml", &options, diag.get(), &job) != HOIST_OK) {
        return 2;
    }
    const hoist_status status = hoist_job_check(job, diag.get());
    const bool same = hoist_job_format(job) == std::string("buda");
    hoist_job_close(job);
    return status == HOIST_OK && same && hoist_diag_count(diag.get(), HOIST_ERROR) > 0 ? 0 : 3;
}
EOC
shared=$(pkg-config --cflags --libs hoist)
static=$(pkg-config --static --cflags --libs hoist | sed 's/-lhoist/-l:libhoist.a/')
for flags in "$shared" "$static"; do
  # shellcheck disable=SC2086
  (cd "$root" && $c -o use use.c $flags && ./use >/dev/null && $cxx -o use use.cc $flags && ./use)
done

"$root/usr/bin/hoist" version >/dev/null
for file in share/man/man1/hoist-check.1 share/bash-completion/completions/hoist \
  share/zsh/site-functions/_hoist share/fish/vendor_completions.d/hoist.fish \
  share/hoist/schemas/hoist.check-1.schema.json; do
  [ -s "$root/usr/$file" ] || { echo "not installed: $file"; exit 1; }
done
echo "$headers headers; 1 passed, 0 failed"
