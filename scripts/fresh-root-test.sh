#!/bin/bash
# In a minimal Debian 12 root made with debootstrap, a fresh clone runs `make demo` and `make test`
# with nothing else installed and no corpus beside it. Prints for each its time, the longest time without a line
# (that of apt left out) and, at the end, how large the build folder is. Needs root; takes some 15 minutes.
#
# fresh-root-test.sh [FOLDER]: keeps the root and the logs in FOLDER (default: a temporary one).
# fresh-root-test.sh --packages [FOLDER]: instead, what `make wheel` and `make deb` left in build/. The wheel, in a venv
# with NumPy only, runs README's Python example; then apt installs the .deb files, and what autopkgtest would run runs,
# README's example once more with the wheel: the bits are those of the installed command.
# fresh-root-test.sh --wheel SUITE [FOLDER]: instead, the wheel with the Python and NumPy of another Debian (trixie has 3.13):
# README's example, and the Python tests with the command of the release build.
set -eu -o pipefail
cd "$(dirname "$0")/.."
packages=
suite=bookworm
case "${1:-}" in
  --packages) packages=yes; shift ;;
  --wheel) suite=$2; shift 2 ;;
esac
[ "$(id -u)" -eq 0 ] || { echo "fresh-root-test.sh needs root (chroot)" >&2; exit 2; }
keeps=$#
folder=${1:-$(mktemp -d)}
root=$folder/root
mkdir -p "$folder"
# The first server of the machine's own list.
mirror=$(find /etc/apt -name '*.list' -o -name '*.sources' | xargs cat |
  sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' | sed -n 1p)

finish() {
  umount "$root/proc" "$root/dev/pts" "$root/dev" 2>/dev/null || true
  [ "$keeps" -gt 0 ] || rm -rf "$root"
}
trap finish EXIT

if [ ! -e "$root/bin/sh" ]; then
  debootstrap --variant=minbase --include=make,ca-certificates,git "$suite" "$root" "$mirror" \
    >"$folder/debootstrap.log" 2>&1
fi
# The machine's own way to the package servers.
if [ "$suite" = bookworm ]; then
  rm -f "$root/etc/apt/sources.list"
  cp -r /etc/apt/. "$root/etc/apt/"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
mount --bind /dev/pts "$root/dev/pts"
rm -rf "$root/srv/hoist"
git clone -q --no-local . "$root/srv/hoist"

# Passes lines on, then how long all took and the longest gap between two; packages are installed in silence.
watch() {
  local line begun=$SECONDS last=$SECONDS longest=0 before=start
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [[ $before == installing:* || $before == debconf:* ]] || [ $((SECONDS - last)) -le "$longest" ] ||
      longest=$((SECONDS - last))
    last=$SECONDS
    before=$line
  done
  echo "$1: $((SECONDS - begun)) s, longest silence $longest s"
}

run() {
  echo "== $* in the fresh root"
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
    sh -c 'cd /srv/hoist && "$@"' sh "$@" 2>&1 | watch "$*" | tee -a "$folder/run.log" | tail -n 12
}
if [ "$suite" != bookworm ]; then
  mkdir -p "$root/srv/hoist/build/release/tools/hoist"
  cp build/wheel/*_"$(uname -m)".whl "$root/srv/hoist/build/"
  cp build/release/tools/hoist/hoist "$root/srv/hoist/build/release/tools/hoist/"
  run sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends python3-venv python3-numpy libyaml-0-2'
  run sh -c 'python3 -m venv --system-site-packages build/venv && build/venv/bin/pip install --no-index build/*.whl'
  run build/venv/bin/python -c 'import sys, numpy; print(sys.version.split()[0], "NumPy", numpy.__version__)'
  run sh -c "sed -n '/^\`\`\`python/,/^\`\`\`/{/^\`\`\`/d;p}' README.md | build/venv/bin/python -"
  for test in examples jobs sessions tflite neff counterparts random; do
    run env PYTHONPATH=python/tests build/venv/bin/python "python/tests/test_$test.py"
  done
elif [ "$packages" ]; then
  mkdir -p "$root/srv/hoist/build"
  cp build/wheel/*_"$(uname -m)".whl build/deb/*.deb "$root/srv/hoist/build/"
  run sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends python3-venv python3-numpy'
  run sh -c 'python3 -m venv --system-site-packages build/venv && build/venv/bin/pip install --no-index build/*.whl'
  run sh -c "sed -n '/^\`\`\`python/,/^\`\`\`/{/^\`\`\`/d;p}' README.md | build/venv/bin/python -"
  run sh -c 'apt-get -qq install -y ./build/*.deb gcc libc6-dev pkg-config'
  run build/venv/bin/python debian/tests/python
  for test in python library demo; do
    run "debian/tests/$test"
  done
else
  run make demo
  run make test
  echo "build folder: $(du -sh "$root/srv/hoist/build" | cut -f1)"
fi
