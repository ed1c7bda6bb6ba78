#!/bin/bash
# pictures.sh write|check [HOIST]: docs/pictures, which README shows, are drawn of what is in examples. `check`
# compares them with what the command draws now.
set -eu -o pipefail
cd "$(dirname "$0")/.."
hoist=${2:-build/bin/hoist}
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/pictures"

# draw NAME ARGUMENTS: the picture docs/pictures/NAME.svg
draw() {
  local name=$1
  shift
  "$hoist" graph --svg -o "$made/pictures/$name.svg" "$@"
}

draw netlist examples/buda/feed_forward.yaml
draw epochs --depth 0 examples/buda/transformer_encoder.yaml
draw edgetpu examples/tflite/layers_edgetpu.tflite
"$hoist" pack examples/neff/all_reduce -o "$made/all_reduce.neff"
draw neff "$made/all_reduce.neff"
case ${1:-} in
  write)
    rm -rf docs/pictures
    cp -r "$made/pictures" docs/
    ;;
  check) diff -ru docs/pictures "$made/pictures" ;;
  *) echo "usage: pictures.sh write|check [HOIST]" >&2; exit 2 ;;
esac
