#!/bin/bash
# wheel.sh [ARCH]: build/wheel/hoist-VERSION-py3-none-manylinux_2_36_ARCH.whl, of python/ and the shared library of a
# release build. What the library needs beyond the C library is inside, too. ARCH: this machine's, or aarch64 by a cross
# build. Two runs give the same bytes: times are those of SOURCE_DATE_EPOCH, by default of the last commit.
set -eu -o pipefail
cd "$(dirname "$0")/.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1700000000)}
export HOIST_WHEEL_ARCH=${1:-$(uname -m)}
triplet=$HOIST_WHEEL_ARCH-linux-gnu
preset=release
root=
strip=strip
if [ "$HOIST_WHEEL_ARCH" = aarch64 ] && [ "$(uname -m)" != aarch64 ]; then
  preset=aarch64
  root=build/sysroot/$triplet
  strip=$triplet-strip
  scripts/sysroot.sh arm64 "$triplet"
fi
scripts/build.sh "$preset" --target hoist_shared
stage=build/wheel/stage
rm -rf "$stage" build/wheel/*_"$HOIST_WHEEL_ARCH.whl"
mkdir -p "$stage"
cp -r python/pyproject.toml python/setup.py python/README.md python/hoist LICENSE "$stage"
find "$stage" -name __pycache__ -prune -exec rm -rf {} +
mkdir "$stage/hoist/lib"
cp -L "build/$preset/libhoist.so.0" "$stage/hoist/lib/libhoist.so.0"

# Copies the libraries that one needs, and those that they need.
copy_needed() {
  local name
  readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r name; do
    case $name in
      libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | ld-linux-*) continue ;;
    esac
    if [ ! -e "$stage/hoist/lib/$name" ]; then
      cp -L "$root/usr/lib/$triplet/$name" "$stage/hoist/lib/"
      copy_needed "$stage/hoist/lib/$name"
    fi
  done
}
copy_needed "$stage/hoist/lib/libhoist.so.0"

for file in "$stage"/hoist/lib/*; do
  chmod 644 "$file"
  "$strip" --strip-unneeded "$file"
  patchelf --set-rpath "\$ORIGIN" "$file"
done
(cd "$stage" && umask 022 && /usr/bin/python3 setup.py -q bdist_wheel --dist-dir .. >wheel.log 2>&1) ||
  { tail -n 30 "$stage/wheel.log"; exit 1; }
rm -rf "$stage"
ls build/wheel/*_"$HOIST_WHEEL_ARCH.whl"
