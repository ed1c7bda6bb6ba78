#!/bin/bash
# wheel_emulated.sh: the aarch64 wheel of build/wheel with Debian's Python and NumPy of that architecture under qemu-user:
# README's example gives the bits of this machine's command, and random calls end as they do here.
set -eu -o pipefail
cd "$(dirname "$0")/.."
scripts/sysroot.sh arm64 aarch64-python python3.11-minimal libpython3.11-minimal libpython3.11-stdlib python3-numpy \
  libblas3 liblapack3 libgfortran5 libffi8 zlib1g libexpat1 libssl3 libbz2-1.0 liblzma5 libgcc-s1 libstdc++6
root=build/sysroot/aarch64-python/usr
libraries=$PWD/$root/lib/aarch64-linux-gnu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 -m zipfile -e build/wheel/*_aarch64.whl "$folder"
run() {
  PATH=$PWD/build/release/tools/hoist:$PATH qemu-aarch64 -L /usr/aarch64-linux-gnu \
    -E "LD_LIBRARY_PATH=$libraries:$libraries/blas:$libraries/lapack" -E "PYTHONHOME=$PWD/$root" \
    -E "PYTHONPATH=$folder:$PWD/$root/lib/python3/dist-packages:$PWD/python/tests" -E PYTHONDONTWRITEBYTECODE=1 \
    -E HOIST_TEST_CALLS=400 "$root/bin/python3.11" "$@"
}
run -c 'import platform, sys; print(platform.machine(), sys.version.split()[0])'
run debian/tests/python
run python/tests/test_random.py
