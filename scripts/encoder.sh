#!/bin/bash
# encoder.sh HOIST REFERENCE: runs examples/buda/transformer_encoder.yaml on the inputs that REFERENCE
# (examples/encoder_reference.c) makes, and compares with what it expects.
set -eu -o pipefail
cd "$(dirname "$0")/.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$2" "$made"
inputs=()
for file in "$made"/*.npy; do
  name=$(basename "$file" .npy)
  [ "$name" = expected ] || inputs+=(--input "$name=@$file")
done
"$1" run --param p_loop_count=2 --param p_microbatch_size=2 "${inputs[@]}" \
  --input mean=0.0078125 --input ones=1 --input scale=0.17677669 --input epsilon=0.0009765625 \
  --expect "y=@$made/expected.npy" --pcc 0.999 examples/buda/transformer_encoder.yaml |
  sed "s|$made|REFERENCE|"
