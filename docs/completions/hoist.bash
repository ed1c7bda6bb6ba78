# bash completion for hoist, made from the command's own tables
_hoist() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="info check dump diff disasm graph view run bench time trace plan link unpack pack recover scan rules help version"
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    case $prev in
    --format) COMPREPLY=($(compgen -W "buda neff tflite darwinn darwinn-stream ark program tti" -- "$cur")); return ;;
    --arch) COMPREPLY=($(compgen -W "grayskull wormhole wormhole_b0 blackhole" -- "$cur")); return ;;
    --target) COMPREPLY=($(compgen -W "inf1 inf2 trn1 trn2 trn3 gen5" -- "$cur")); return ;;
    --queue-mode) COMPREPLY=($(compgen -W "strict golden" -- "$cur")); return ;;
    --rounding) COMPREPLY=($(compgen -W "double single float" -- "$cur")); return ;;
    --driver) COMPREPLY=($(compgen -W "pcie usb usb-no-hints none" -- "$cur")); return ;;
    --on-unknown) COMPREPLY=($(compgen -W "stop skip poison" -- "$cur")); return ;;
    --on-undefined) COMPREPLY=($(compgen -W "stop nan" -- "$cur")); return ;;
    --numerics) COMPREPLY=($(compgen -W "reference declared device fast" -- "$cur")); return ;;
    --schedule) COMPREPLY=($(compgen -W "in-order random: adversarial" -- "$cur")); return ;;
    --dialect) COMPREPLY=($(compgen -W "d1 d2 d3" -- "$cur")); return ;;
    --arch) COMPREPLY=($(compgen -W "CUDA_80 ROCM_942 none" -- "$cur")); return ;;
    --host) COMPREPLY=($(compgen -W "usb3 usb2 pcie" -- "$cur")); return ;;
    --cpu-level) COMPREPLY=($(compgen -W "baseline x86-64-v3 x86-64-v4 x86-64-v4-vnni x86-64-v4-bf16 amx" -- "$cur")); return ;;
    --engine) COMPREPLY=($(compgen -W "pe act pool dve sp" -- "$cur")); return ;;
    --pkg-version) COMPREPLY=($(compgen -W "1 2" -- "$cur")); return ;;
    --hints) COMPREPLY=($(compgen -W "auto keep make" -- "$cur")); return ;;
    --transport) COMPREPLY=($(compgen -W "usb" -- "$cur")); return ;;
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    --progress) COMPREPLY=($(compgen -W "auto json none" -- "$cur")); return ;;
    esac
    case ${COMP_WORDS[1]} in
    info) words=" --format --arch --target --soc --cluster --quiet -q --all --resources --graph --op --depth --time --json --timeout --max-memory --color --progress --no-pager --help -h" ;;
    check) words=" --format --arch --all-archs --target --soc --cluster --strict --lenient --werror --quiet -q --sarif --jsonl --github --junit --baseline --files0-from --jobs -j --explain --races --all --program --param --ranks --driver --batch --max-steps --json --timeout --max-memory --color --progress --no-pager --help -h" ;;
    dump) words=" --format --arch --target --soc --cluster --fetch --queue-mode --ranks --rounding --driver --batch --on-unknown --no-fusion --program --plan --member --dialect --json --output -o --timeout --max-memory --color --progress --no-pager --help -h" ;;
    diff) words=" --format --arch --target --soc --cluster --input -i --run --rounding --on-unknown --threads -j --json --timeout --max-memory --color --progress --no-pager --help -h" ;;
    disasm) words=" --format --arch --target --soc --cluster --offsets --engine --subgraph --json --timeout --max-memory --color --progress --no-pager --help -h" ;;
    graph) words=" --format --arch --target --soc --cluster --all --svg --dot --graph --op --depth --time --output -o --json --timeout --max-memory --color --progress --no-pager --help -h" ;;
    view) words=" --format --arch --target --soc --cluster --output -o --timeout --max-memory --color --progress --help -h" ;;
    run) words=" --format --arch --target --soc --cluster --quiet -q --program --param --call --input -i --fetch --output -o --dump-memory --load-memory --resume --raw-bits --top --labels --expect --atol --rtol --pcc --exact --trace --queue-mode --ranks --rounding --driver --batch --on-unknown --on-undefined --numerics --threads -j --sequential --no-fusion --schedule --command-slots --binary-slots --preload --iterations --warmup --max-steps --json --timeout --max-memory --color --progress --help -h" ;;
    bench) words=" --format --arch --target --soc --cluster --quiet -q --program --param --call --input -i --queue-mode --ranks --rounding --driver --batch --on-unknown --on-undefined --numerics --threads -j --sequential --no-fusion --schedule --command-slots --binary-slots --preload --iterations --warmup --max-steps --json --timeout --max-memory --color --progress --help -h" ;;
    time) words=" --format --arch --target --soc --cluster --program --param --ranks --batch --max-steps --host --cores --cpu-level --flops --bandwidth --compare --json --timeout --max-memory --color --progress --no-pager --help -h" ;;
    trace) words=" --format --arch --target --soc --cluster --program --param --ranks --batch --max-steps --host --cores --cpu-level --flops --bandwidth --output -o --timeout --max-memory --color --progress --help -h" ;;
    plan) words=" --format --arch --processors --output -o --timeout --max-memory --color --progress --help -h" ;;
    link) words=" --format --input -i --output -o --address -a --transport --undo --json --timeout --max-memory --color --progress --help -h" ;;
    unpack) words=" --format --lenient --list -l --verify --force -f --output -o --json --timeout --max-memory --color --progress --help -h" ;;
    pack) words=" --format --output -o --pkg-version --level --redact --hints --parameters --timeout --max-memory --color --progress --help -h" ;;
    recover) words=" --format --raw-bits --list -l --force -f --output -o --tflite --json --timeout --max-memory --color --progress --help -h" ;;
    scan) words=" --quiet -q --jobs -j --jsonl --db --bom --shard --merge --timeout --max-memory --color --progress --no-pager --help -h" ;;
    rules) words=" --json --color --no-pager --help -h" ;;
    help) words=" --json --color --help -h info check dump diff disasm graph view run bench time trace plan link unpack pack recover scan rules help version"
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return ;;
    version) words=" --json --color --help -h" ;;
    esac
    case $cur in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
    esac
}
complete -o filenames -F _hoist hoist
