# For memory.test: element n of the one entry of x is n mod 128, w is 1; their run leaves out and memory.
seq 0 2047 | awk '{printf "%d%s", $1 % 128, NR % 64 ? " " : "\n"}' >x.txt
run() { hoist run -q "$@" data/memory.yaml; }
run -i x=@x.txt -i w=1 -o out --dump-memory memory >/dev/null
x0=x/chip0.dram0.0x30000000.bin
x1=x/chip0.dram1.0x30000000.bin
w=w/chip0.dram2.0x30000000.bin
y=y/chip0.host0.0x00000000.bin
# The examples: arrays for all inputs, a run with them, and one with the memory that it leaves.
example() {
  local fetch
  fetch=$(awk '/input: HOST/ {sub(":", "", $1); print "--fetch", $1}' "$1")
  hoist run -q -i '*=random:1:0..1' "${@:2}" $fetch -o in "$1" >/dev/null &&
    hoist run -q "${@:2}" $(cd in && for n in *.npy; do echo "-i ${n%.npy}=@in/$n"; done) -o first --dump-memory first.memory "$1" &&
    hoist run -q "${@:2}" --load-memory first.memory -o second --dump-memory second.memory "$1" &&
    diff -r first second && diff -r first.memory second.memory && echo $(ls first.memory)
}
