#!/bin/bash
# Debian packages of each tier. `need TIER` installs what is missing, or prints the exact apt-get
# line and exits 2 when it may not; `install` installs the quick tier's.
set -eu -o pipefail

build=(gcc libc6-dev cmake ninja-build pkg-config libssl-dev libyaml-dev zlib1g-dev libarchive-dev
  libpng-dev libjpeg-dev libsqlite3-dev)
tests=("${build[@]}" libcmocka-dev python3 python3-numpy git libjansson-dev python3-jsonschema locales
  flatbuffers-compiler)
quick=("${tests[@]}" clang-format clang-tidy mypy python3-pycparser)
wheel=("${build[@]}" python3 python3-setuptools python3-wheel patchelf)
fuzz=("${quick[@]}" clang libclang-rt-dev llvm)
bench=("${build[@]}" libcmocka-dev libjansson-dev libdnnl-dev libxnnpack-dev libpthreadpool-dev python3 python3-numpy python3-torch)
deb=("${build[@]}" dpkg-dev debhelper dh-python lintian libopenmpi-dev python3)
site=("${build[@]}" mandoc python3 python3-myst-parser python3-numpy python3-sphinx)
viewer=("${build[@]}" python3 nodejs chromium fonts-dejavu-core)
full=("${fuzz[@]}" "${deb[@]}" "${site[@]}" g++ gcc-aarch64-linux-gnu gcc-s390x-linux-gnu libc6-dev-arm64-cross
  libc6-dev-s390x-cross qemu-user abigail-tools python3-numpy python3-pil libopenmpi-dev openmpi-bin debootstrap bash zsh fish valgrind)

packages() {
  case $1 in
    build) printf '%s\n' "${build[@]}" ;;
    test) printf '%s\n' "${tests[@]}" ;;
    quick) printf '%s\n' "${quick[@]}" ;;
    wheel) printf '%s\n' "${wheel[@]}" ;;
    fuzz) printf '%s\n' "${fuzz[@]}" ;;
    bench) printf '%s\n' "${bench[@]}" ;;
    deb) printf '%s\n' "${deb[@]}" ;;
    site) printf '%s\n' "${site[@]}" ;;
    viewer) printf '%s\n' "${viewer[@]}" ;;
    full) printf '%s\n' "${full[@]}" ;;
    *) echo "deps.sh: unknown tier '$1'" >&2; exit 2 ;;
  esac
}

installed() {
  dpkg-query -W -f '${Status}\n' "$1" 2>/dev/null | grep -q '^install ok installed$'
}

missing() {
  local name
  for name in $(packages "$1"); do
    installed "$name" || echo "$name"
  done
}

install() {
  local names
  mapfile -t names < <(missing "$1")
  [ ${#names[@]} -eq 0 ] && return 0
  local line="apt-get install -y --no-install-recommends ${names[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      line="sudo $line"
    else
      echo "hoist needs packages that are not installed, and this user may not install them. Run:" >&2
      echo "  sudo $line" >&2
      exit 2
    fi
  fi
  echo "installing: ${names[*]}" >&2
  ${line%%apt-get*}apt-get -qq update
  DEBIAN_FRONTEND=noninteractive $line >/dev/null
}

if ! command -v dpkg-query >/dev/null; then
  [ "${1:-}" = need ] && exit 0
  echo "deps.sh knows Debian's packages only; install: $(packages test | tr '\n' ' ')" >&2
  exit 2
fi
case ${1:-} in
  need) install "$2" ;;
  install) install "${2:-test}" ;;
  missing) missing "${2:-test}" ;;
  *) echo "usage: deps.sh need TIER | install [TIER] | missing TIER" >&2; exit 2 ;;
esac
