# For memory.test: element n of the one entry of x is n mod 128, w is 1; their run leaves out and memory.
seq 0 2047 | awk '{printf "%d%s", $1 % 128, NR % 64 ? " " : "\n"}' >x.txt
run() { hoist run -q "$@" data/memory.yaml; }
run -i x=@x.txt -i w=1 -o out --dump-memory memory >/dev/null
x0=x/chip0.dram0.0x30000000.bin
x1=x/chip0.dram1.0x30000000.bin
w=w/chip0.dram2.0x30000000.bin
y=y/chip0.host0.0x00000000.bin
