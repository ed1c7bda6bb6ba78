#!/bin/bash
# The two-minute tour: a correct netlist checked, explained and drawn, one run and compared, a NEFF
# packed, checked and run by four ranks, models of ARK planned and run, a compiled Edge TPU model taken
# back, and a netlist with five mistakes. HOIST_COMMAND: the command, build/bin/hoist by default.
set -eu -o pipefail
cd "$(dirname "$0")/.."
hoist=${HOIST_COMMAND:-build/bin/hoist}
good=examples/buda/feed_forward.yaml
bad=examples/buda/feed_forward_broken.yaml

say() {
  printf '\n$ hoist %s\n' "$*"
  "$hoist" "$@"
}

say check $good
say info $good
say graph $good
echo
echo "A transformer layer, run on inputs that a plain C program makes, against that program's own"
echo "result in double precision (examples/encoder_reference.c). Weights are 8-bit block floats:"
mkdir -p build/demo
"${CC:-cc}" -std=c17 -O2 examples/encoder_reference.c -o build/demo/encoder_reference -lm
printf '\n$ hoist run ... --expect y=@expected.npy examples/buda/transformer_encoder.yaml\n'
scripts/encoder.sh "$hoist" build/demo/encoder_reference
echo
echo "An AWS NEFF, packed from a folder of JSON and assembly, whose four ranks sum what they are given:"
neff=build/demo/all_reduce.neff
rm -f $neff
say pack examples/neff/all_reduce -o $neff
say disasm --engine pe $neff
say check --races --ranks 4 $neff
say run --ranks 4 --input '*=random:1' $neff
echo
echo "Models of microsoft/ark, which run on GPUs there: a SwiGLU block, and four ranks that sum a tensor:"
say graph examples/ark/swiglu.json
say run --input '*=random:1' examples/ark/swiglu.json
say check examples/ark/all_reduce_rank*.json
say run --input '*=random:1' examples/ark/all_reduce_rank*.json
echo
echo "An Edge TPU model, compiled: its layers come back, as an ordinary TFLite model as well, and run"
echo "with the bits that the compiled one has:"
compiled=examples/tflite/layers_edgetpu.tflite
source=build/demo/layers.tflite
rm -f $source
say recover --tflite $source $compiled
say run --driver usb --input '*=random:1' $compiled
say run --input '*=random:1' $source
say diff $source $compiled

code=0
say check --explain $bad || code=$?
errors=$("$hoist" check --json $bad | grep -c '"severity": "error"' || true)
echo
echo "exit code $code, $errors errors: the five planted mistakes, each with rule, line and column."
echo "Next: build/bin/hoist help, or build/bin/hoist check YOUR_NETLIST.yaml"
[ "$code" -eq 1 ] && [ "$errors" -eq 5 ]
