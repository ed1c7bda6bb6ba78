#!/bin/bash
# installed.sh BUILD [INSTRUMENTED]: an installation works: every public header compiles alone as C17
# and as C++17; a C program and a C++ one build against both libraries with pkg-config and with CMake,
# and run; manual pages, completions, schemas and documents are there.
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

# Its functions have names that the library has inside.
cat >"$root/use.c" <<'EOC'
#include <hoist/hoist.h>
#include <stdio.h>
int json_decode(void);
int buda_arch_name(void);
int json_decode(void)
{
    return puts(hoist_version());
}
int buda_arch_name(void)
{
    hoist_job *job = NULL;
    return hoist_job_open_bytes((hoist_bytes){(const uint8_t *)"{}", 2}, "n", NULL, NULL, &job) == HOIST_OK;
}
int main(void)
{
    return json_decode() < 0 || buda_arch_name();
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

# Found again in the same folder and in one that is added, before and after. The shared library names
# what it needs itself, so that who links it needs no other packages.
mkdir -p "$root/cmake/sub"
cat >"$root/cmake/CMakeLists.txt" <<'EOC'
cmake_minimum_required(VERSION 3.18)
project(use C CXX)
set(CMAKE_CXX_STANDARD 17)
add_subdirectory(sub)
find_package(hoist 0.1 CONFIG REQUIRED)
find_package(hoist CONFIG REQUIRED)
add_subdirectory(sub again)
get_target_property(links hoist::hoist INTERFACE_LINK_LIBRARIES)
if(links)
  message(FATAL_ERROR "hoist::hoist links ${links}")
endif()
foreach(kind hoist hoist_static)
  add_executable(c_${kind} ../use.c)
  add_executable(cxx_${kind} ../use.cc)
  target_link_libraries(c_${kind} hoist::${kind})
  target_link_libraries(cxx_${kind} hoist::${kind})
endforeach()
EOC
echo 'find_package(hoist CONFIG REQUIRED)' >"$root/cmake/sub/CMakeLists.txt"
if ! { cmake -S "$root/cmake" -B "$root/cmake/build" -DCMAKE_PREFIX_PATH="$root/usr" &&
  cmake --build "$root/cmake/build" --parallel 2; } >"$root/cmake.log" 2>&1; then
  cat "$root/cmake.log"
  exit 1
fi
for program in c_hoist c_hoist_static cxx_hoist cxx_hoist_static; do
  "$root/cmake/build/$program" >/dev/null
done

"$root/usr/bin/hoist" version >/dev/null
for file in share/man/man1/hoist-check.1 share/bash-completion/completions/hoist \
  share/zsh/site-functions/_hoist share/fish/vendor_completions.d/hoist.fish \
  share/hoist/schemas/hoist.check-1.schema.json; do
  [ -s "$root/usr/$file" ] || { echo "not installed: $file"; exit 1; }
done
doc=$root/usr/share/doc/hoist
for file in $(grep -ohE '(docs|examples)/[a-z_/-]+\.(md|c|yaml)' "$root"/usr/include/hoist/*.h \
  "$root"/usr/share/man/man1/*.1 "$doc"/README.md "$doc"/docs/*.md | sort -u) LICENSE; do
  [ -s "$doc/$file" ] || { echo "named, but not installed: $file"; exit 1; }
done
echo "$headers headers; 1 passed, 0 failed"
