#!/bin/bash
# wheel.sh: build/wheel/hoist-VERSION-py3-none-manylinux_2_36_ARCH.whl, of python/ and the shared library of a release
# build. What the library needs beyond the C library is inside, too. Two runs give the same bytes: times are those of
# SOURCE_DATE_EPOCH, by default of the last commit.
set -eu -o pipefail
cd "$(dirname "$0")/.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1700000000)}
scripts/build.sh release --target hoist_shared
stage=build/wheel/stage
rm -rf build/wheel
mkdir -p "$stage"
cp -r python/pyproject.toml python/setup.py python/README.md python/hoist LICENSE "$stage"
find "$stage" -name __pycache__ -prune -exec rm -rf {} +
mkdir "$stage/hoist/lib"
library=build/release/libhoist.so.0
cp -L "$library" "$stage/hoist/lib/libhoist.so.0"
ldd "$library" | awk '$3 ~ "^/" && $1 !~ "^(libc|libm|libpthread|libdl|librt)\\.so" { print $3 }' |
  xargs -I{} cp -L {} "$stage/hoist/lib/"
for file in "$stage"/hoist/lib/*; do
  chmod 644 "$file"
  strip --strip-unneeded "$file"
  patchelf --set-rpath "\$ORIGIN" "$file"
done
(cd "$stage" && umask 022 && /usr/bin/python3 setup.py -q bdist_wheel --dist-dir .. >wheel.log 2>&1) ||
  { tail -n 30 "$stage/wheel.log"; exit 1; }
rm -rf "$stage"
echo "$(ls build/wheel/*.whl)"
