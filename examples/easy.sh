#!/bin/bash
# easy.sh HOIST FOLDER: runs the three easy examples of FOLDER, and compares what they print with the command's
# output. That they are as short as README says is checked, too.
set -eu -o pipefail
hoist=$1
programs=$2
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# Of main(), between its braces.
lines() { sed '1,/^{$/d; /^}$/,$d' "$here/$1.c" | grep -c -v '^$'; }
[ "$(lines easy_check)" -le 15 ]
[ "$(lines easy_run)" -le 20 ]
[ "$(lines easy_weights)" -le 30 ]

broken=examples/buda/feed_forward_broken.yaml
[ "$("$programs/easy_check" "$broken" || echo "$?")" = "$("$hoist" check "$broken" | grep -v "^$broken: "; echo 1)" ]
"$programs/easy_check" examples/tflite/classifier.tflite

"$hoist" run -q -i input=7 --fetch input -o "$made" examples/tflite/classifier.tflite >"$made/log"
"$programs/easy_run" examples/tflite/classifier.tflite input "$made/input.npy" >"$made/run"
[ "$(cat "$made/run")" = "softmax: 10 bytes" ]
! "$programs/easy_run" examples/tflite/classifier.tflite none "$made/input.npy"

"$hoist" pack -o "$made/w.neff" tests/cli/data/weights_neff >"$made/log"
"$programs/easy_weights" "$made/w.neff" >"$made/weights"
recovered=$("$hoist" recover --json "$made/w.neff" | grep -c '"dtype":' || true)
[ "$(wc -l <"$made/weights")" -eq "$recovered" ] && [ "$recovered" -gt 0 ]
! "$programs/easy_weights" "$broken"
