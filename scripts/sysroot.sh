#!/bin/bash
# sysroot.sh ARCH TRIPLET: unpacks Debian's libraries of another architecture into
# build/sysroot/TRIPLET, without touching the machine's own package state.
set -eu -o pipefail
cd "$(dirname "$0")/.."
arch=$1
triplet=$2
root=$PWD/build/sysroot/$triplet
packages=(libssl3 libssl-dev libyaml-0-2 libyaml-dev zlib1g zlib1g-dev libcmocka0 libcmocka-dev)
[ -e "$root/.done" ] && exit 0

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
touch "$root/.done"
