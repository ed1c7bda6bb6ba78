#!/bin/bash
# dist.sh: build/dist/hoist-VERSION.tar.gz of the last commit, and SHA256SUMS. Equal commits give equal bytes.
set -eu -o pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define HOIST_VERSION_TEXT "\(.*\)".*/\1/p' include/hoist/base.h)
name=hoist-$version
mkdir -p build/dist
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | gzip -9n >"build/dist/$name.tar.gz"
(cd build/dist && sha256sum "$name.tar.gz" >SHA256SUMS && cat SHA256SUMS)
