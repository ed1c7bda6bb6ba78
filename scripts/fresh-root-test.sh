#!/bin/bash
# In a minimal Debian 12 root made with debootstrap, a fresh clone runs `make demo` and `make test`
# with nothing else installed and no corpus beside it. Prints for each its time, the longest time without a line
# (that of apt left out) and, at the end, how large the build folder is. Needs root; takes some 15 minutes.
#
# fresh-root-test.sh [FOLDER]: keeps the root and the logs in FOLDER (default: a temporary one).
set -eu -o pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "fresh-root-test.sh needs root (chroot)" >&2; exit 2; }
folder=${1:-$(mktemp -d)}
root=$folder/root
mkdir -p "$folder"
# The first server of the machine's own list.
mirror=$(find /etc/apt -name '*.list' -o -name '*.sources' | xargs cat |
  sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' | sed -n 1p)

finish() {
  umount "$root/proc" "$root/dev/pts" "$root/dev" 2>/dev/null || true
  [ $# -gt 0 ] || rm -rf "$root"
}
trap finish EXIT

if [ ! -e "$root/bin/sh" ]; then
  debootstrap --variant=minbase --include=make,ca-certificates,git bookworm "$root" "$mirror" \
    >"$folder/debootstrap.log" 2>&1
fi
# The machine's own way to the package servers.
rm -f "$root/etc/apt/sources.list"
cp -r /etc/apt/. "$root/etc/apt/"
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
    [[ $before == installing:* ]] || [ $((SECONDS - last)) -le "$longest" ] || longest=$((SECONDS - last))
    last=$SECONDS
    before=$line
  done
  echo "$1: $((SECONDS - begun)) s, longest silence $longest s"
}

run() {
  echo "== $* in the fresh root"
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
    sh -c 'cd /srv/hoist && "$@"' sh "$@" 2>&1 | watch "$*" | tee "$folder/$2.log" | tail -n 12
}
run make demo
run make test
echo "build folder: $(du -sh "$root/srv/hoist/build" | cut -f1)"
