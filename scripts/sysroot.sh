#!/bin/bash
# sysroot.sh ARCH NAME [PACKAGE...]: unpacks Debian's packages of another architecture into build/sysroot/NAME, without
# touching the machine's own package state; by default the libraries that a cross build needs, where NAME is its triplet.
set -eu -o pipefail
cd "$(dirname "$0")/.."
arch=$1
root=$PWD/build/sysroot/$2
shift 2
packages=("$@")
[ $# -gt 0 ] || packages=(libssl3 libssl-dev libyaml-0-2 libyaml-dev zlib1g zlib1g-dev libcmocka0 libcmocka-dev)
# What is there was made from another list: start again.
[ "$(cat "$root/.done" 2>/dev/null)" = "${packages[*]}" ] && exit 0
rm -rf "$root"

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$root"
touch "$state/status"
apt=(apt-get -qq -o "APT::Architecture=$arch" -o "APT::Architectures=$arch"
  -o "Dir::State=$state" -o "Dir::State::lists=$state/lists" -o "Dir::State::status=$state/status"
  -o "Dir::Cache=$state/cache" -o "APT::Sandbox::User=root")
"${apt[@]}" update
(cd "$state" && "${apt[@]}" download "${packages[@]}")
for deb in "$state"/*.deb; do
  dpkg-deb -x "$deb" "$root"
done
# Some libraries come in /lib, which is /usr/lib by now, with absolute links to them.
if [ -d "$root/lib" ]; then
  cp -a "$root/lib/." "$root/usr/lib/"
  rm -rf "$root/lib"
fi
find "$root" -type l -lname '/lib/*' -printf '%p %l\n' | while read -r link target; do
  ln -srfn "$root/usr$target" "$link"
done
echo "${packages[*]}" >"$root/.done"
