#!/bin/bash
# All C sources are laid out as .clang-format says.
set -eu -o pipefail
cd "$(dirname "$0")/.."
find src tools include tests bench examples -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run --Werror
