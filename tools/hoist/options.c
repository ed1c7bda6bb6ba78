// The table of options: name, value, limits, help. A command's row (commands.c) has the bits of
// the options that it takes; values.c checks values, forms.c parses their forms. Words that stand
// for values of an enumeration of the library are in its order (tool_word_of()).
// Two rows may have the same name when no command takes both ("output", "arch", "jsonl"): the
// name then means another thing. Help texts are parts of sentences, in lower case and without a
// full stop, as they follow the option's name.
#include "parse.h"

const char *const tool_group_titles[GROUP_COUNT] = {
    [GROUP_USUAL] = "Options",
    [GROUP_RESULTS] = "Form of the results, and tolerances",
    [GROUP_MEANING] = "What operations compute",
    [GROUP_EXECUTION] = "How the program is executed",
    [GROUP_MEASURE] = "Measurements",
    [GROUP_REPORT] = "Reports for other tools",
    [GROUP_FILE] = "The file and its device",
    [GROUP_LIMITS] = "Limits, and the terminal",
};

// clang-format off
const tool_option tool_options[OPT_COUNT] = {
    [OPT_FORMAT]     = {.name = "format", .group = GROUP_FILE, .value = "NAME", .completion = COMPLETE_WORDS,
                        .word_at = hoist_format_name, .wants = WANTS_WORD,
                        .help = "read files as of this format, whatever they look like"},
    // The words are proposals of the completion: what is an architecture the netlist itself
    // says.
    [OPT_ARCH]       = {.name = "arch", .group = GROUP_FILE, .value = "ARCH", .completion = COMPLETE_WORDS,
                        .words = "grayskull wormhole wormhole_b0 blackhole", .variable = "ARCH_NAME",
                        .help = "check a netlist for this architecture; must be one that it lists; "
                                "TFLite and Edge TPU models have none, and are checked without"},
    [OPT_ALL_ARCHS]  = {.name = "all-archs", .group = GROUP_FILE,
                        .help = "report the findings for every architecture that a netlist lists; an "
                                "error for one of them is an error"},
    // Targets of NEFFs, as the target rows of formats/neff spell them.
    [OPT_TARGET]     = {.name = "target", .group = GROUP_FILE, .value = "TARGET", .completion = COMPLETE_WORDS,
                        .words = "inf1 inf2 trn1 trn2 trn3 gen5", .wants = WANTS_WORD,
                        .help = "take a NEFF to be for this target, whichever it declares"},
    [OPT_SOC]        = {.name = "soc", .group = GROUP_FILE, .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "take device facts from this SoC descriptor"},
    [OPT_CLUSTER]    = {.name = "cluster", .group = GROUP_FILE, .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "take chips and links from this cluster descriptor"},
    [OPT_STRICT]     = {.name = "strict",
                        .help = "warnings marked strict become errors"},
    [OPT_LENIENT]    = {.name = "lenient", .group = GROUP_FILE,
                        .help = "skip links and devices in archives with a warning"},
    [OPT_WERROR]     = {.name = "werror",
                        .help = "exit 1 when there are warnings, or with --races when the orders are "
                                "unknown"},
    [OPT_SARIF]      = {.name = "sarif", .group = GROUP_REPORT,
                        .help = "write a SARIF 2.1.0 log, for code scanning"},
    [OPT_JSONL]      = {.name = "jsonl", .group = GROUP_REPORT,
                        .help = "write each finding as JSON on a line of its own"},
    [OPT_GITHUB]     = {.name = "github", .group = GROUP_REPORT,
                        .help = "write findings as annotations that GitHub's runners show"},
    [OPT_JUNIT]      = {.name = "junit", .group = GROUP_REPORT,
                        .help = "write a JUnit report (XML): a test case for each file, a failure for each error"},
    [OPT_BASELINE]   = {.name = "baseline", .group = GROUP_REPORT, .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "findings of this SARIF log, which --sarif wrote before, are known: they "
                                "are counted, and neither shown nor an error"},
    [OPT_FILES0_FROM] = {.name = "files0-from", .group = GROUP_REPORT, .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "take the names of files from FILE, each with a NUL byte after it, instead of the "
                                "command line; - is standard input; no names are no error"},
    // The limit keeps a typing error from starting a million threads.
    [OPT_JOBS]       = {.name = "jobs", .letter = 'j', .value = "N",
                        .wants = WANTS_COUNT, .least = 1, .most = 1024,
                        .help = "work on N files at a time, with the same report; else one"},
    [OPT_QUIET]      = {.name = "quiet", .letter = 'q', .group = GROUP_LIMITS,
                        .help = "print less: no notes, no closing summary"},
    [OPT_EXPLAIN]    = {.name = "explain",
                        .help = "show the source line and the rule of each finding"},
    [OPT_RACES]      = {.name = "races",
                        .help = "also look for races, deadlock and reads of uninitialized bytes, "
                                "in whatever order threads and queues are scheduled"},
    [OPT_ALL]        = {.name = "all",
                        .help = "leave nothing out; without it what is longer than 60 lines is a summary, and "
                                "findings that say the same are one"},
    [OPT_RESOURCES]  = {.name = "resources",
                        .help = "add what the file needs on a device, or the memory of a run"},
    [OPT_PROGRAM]    = {.name = "program", .value = "NAME", .repeatable = true,
                        .help = "take this program; may be given several times, else all programs of the "
                                "file are taken, in its order"},
    [OPT_PARAM]      = {.name = "param", .value = "NAME=VALUE", .repeatable = true,
                        .wants = WANTS_FORM, .fits = tool_fits_parameter, .form = "NAME=VALUE with an integer",
                        .help = "set a parameter of the programs to an integer; the dollar sign "
                                "may be left out"},
    [OPT_CALL]       = {.name = "call", .group = GROUP_EXECUTION, .value = "PROGRAM[,NAME=VALUE]...", .repeatable = true,
                        .wants = WANTS_FORM, .fits = tool_fits_call, .form = "PROGRAM[,NAME=VALUE]... with integers",
                        .help = "run this program with parameters of its own, before those of --param; given "
                                "several times, the calls are made in this order, on the same queues and rams"},
    [OPT_INPUT]      = {.name = "input", .letter = 'i', .value = "NAME[:DTYPE]=SOURCE", .repeatable = true,
                        .wants = WANTS_FORM, .fits = tool_fits_input,
                        .form = "NAME[:DTYPE]=SOURCE with @FILE (unless NAME is *), random:SEED[:LOW..HIGH], "
                                "config[:SEED], zeros or a number; or @FILE alone, .npz or .safetensors",
                        .help = "fill a queue or ram from @FILE (.npy; a PNG or JPEG image; rows of numbers "
                                "in a .txt, .csv or .tsv; or dense elements, of a file that looks like "
                                "something else with @raw:FILE), random:SEED, "
                                "random:SEED:LOW..HIGH, config (a netlist's own test-config, "
                                "config:SEED for other random numbers; results are compared by it, too), "
                                "zeros or a number; NAME * means all others, but not with @FILE; "
                                "DTYPE is the type of the bits in 16-bit integers, such as bf16; "
                                "@FILE alone, a .npz or safetensors file, has arrays by NAME[:DTYPE]; "
                                "an image is scaled to the input's height and width, each on its own, and its "
                                "samples are converted as the file says, else to 0 ... 1 or all of a byte; "
                                "constants that a PyBuda device image (.tti) stores as numbers need not be "
                                "given, those in pickles, which are never executed, have to be"},
    [OPT_FETCH]      = {.name = "fetch", .value = "NAME", .repeatable = true,
                        .help = "output this queue or ram only; may be given several times"},
    [OPT_OUTPUT_DIR] = {.name = "output", .letter = 'o', .value = "DIR", .completion = COMPLETE_FILE,
                        .wants = WANTS_FORM, .fits = tool_fits_path, .form = "the name of a folder",
                        .help = "write the outputs to DIR/NAME.npy, as float32, or integers of a "
                                "tensor in their own type; of a BUDA netlist float32 of the reference "
                                "model, which rounds to no output's format, unless --numerics says otherwise"},
    [OPT_DUMP_MEMORY] = {.name = "dump-memory", .group = GROUP_RESULTS, .value = "DIR", .completion = COMPLETE_FILE,
                        .wants = WANTS_FORM, .fits = tool_fits_path, .form = "the name of a folder",
                        .help = "write what a device's memory holds of each queue of a netlist after the run, a file "
                                "for each buffer; docs/formats/buda-memory.md has the layout"},
    [OPT_LOAD_MEMORY] = {.name = "load-memory", .group = GROUP_RESULTS, .value = "DIR", .completion = COMPLETE_FILE,
                        .wants = WANTS_FORM, .fits = tool_fits_path, .form = "the name of a folder",
                        .help = "fill the queues and rams of a netlist that a host fills from such files; "
                                "other inputs can be given by --input"},
    [OPT_RESUME]     = {.name = "resume", .group = GROUP_RESULTS,
                        .help = "--load-memory pushes the entries that wait between a queue's pointers "
                                "only, as after the run that was dumped, and none of those that were "
                                "read; a queue where none waits is left to --input"},
    [OPT_RAW_BITS]   = {.name = "raw-bits", .group = GROUP_RESULTS,
                        .help = "write small floats as their bits instead of float32; results of a run "
                                "are rounded to nearest, ties to even"},
    [OPT_TOP]        = {.name = "top", .value = "NUMBER", .wants = WANTS_COUNT, .least = 1, .most = 1000,
                        .help = "also list the greatest elements of each entry of an output: index and "
                                "value as it is stored, of equal ones the first"},
    [OPT_LABELS]     = {.name = "labels", .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "with --top (else 5) what the last index stands for: line by line, or "
                                "lines that all begin with their number; else the model's own, if it has "
                                "some"},
    [OPT_EXPECT]     = {.name = "expect", .value = "NAME[:DTYPE]=@FILE", .repeatable = true,
                        .wants = WANTS_FORM, .fits = tool_fits_expected, .form = "NAME[:DTYPE]=@FILE",
                        .help = "compare an output with a .npy file; exit 1 when it differs"},
    [OPT_ATOL]       = {.name = "atol", .group = GROUP_RESULTS, .value = "NUMBER",
                        .wants = WANTS_NUMBER,
                        .help = "absolute difference that --expect allows; else by the type"},
    [OPT_RTOL]       = {.name = "rtol", .group = GROUP_RESULTS, .value = "NUMBER",
                        .wants = WANTS_NUMBER,
                        .help = "difference that --expect allows, relative to what is expected; "
                                "else by the type"},
    [OPT_PCC]        = {.name = "pcc", .group = GROUP_RESULTS, .value = "NUMBER",
                        .wants = WANTS_NUMBER, .most = 1,
                        .help = "correlation that --expect requires; element differences then count "
                                "only with --atol, --rtol or --exact"},
    [OPT_EXACT]      = {.name = "exact", .group = GROUP_RESULTS,
                        .help = "--expect requires the same bits"},
    [OPT_TRACE]      = {.name = "trace", .group = GROUP_MEASURE, .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "write what ran when to FILE, and after it the estimated run, as JSON that Perfetto and "
                                "chrome://tracing open; "
                                "it is replaced when it is complete"},
    [OPT_QUEUE_MODE] = {.name = "queue-mode", .group = GROUP_MEANING, .value = "MODE", .completion = COMPLETE_WORDS,
                        .words = "strict golden", .wants = WANTS_WORD,
                        .help = "strict (as devices: a queue of E entries holds E) or golden (as "
                                "the reference model)"},
    [OPT_RANKS]      = {.name = "ranks", .group = GROUP_FILE, .value = "N",
                        .wants = WANTS_COUNT, .least = 1, .most = HOIST_MAX_RANKS,
                        .help = "ranks of a NEFF; else one for each file, or the number that the file declares"},
    [OPT_DIFF_RUN]   = {.name = "run",
                        .help = "run both files with the same inputs, and compare the tensors that "
                                "their layers make"},
    [OPT_ROUNDING]   = {.name = "rounding", .group = GROUP_MEANING, .value = "KIND", .completion = COMPLETE_WORDS,
                        .words = "double single float", .wants = WANTS_WORD,
                        .help = "how sums of quantised TFLite and Edge TPU layers become numbers: "
                                "double (rounded twice, as TFLite's reference kernels do), single "
                                "(int8 convolutions and dense layers are rounded once, MEAN and SOFTMAX "
                                "computed in part in float32, as TFLite's optimised kernels do) or float (an Edge TPU's layers in float32, as "
                                "the fields of its instructions are, halves to even); else double"},
    [OPT_DRIVER]     = {.name = "driver", .group = GROUP_MEANING, .value = "WHAT", .completion = COMPLETE_WORDS,
                        .words = "pcie usb usb-no-hints none", .wants = WANTS_WORD,
                        .help = "the driver between a model and its Edge TPU: pcie (the chip fetches "
                                "all but instructions), usb (by the file's hints), usb-no-hints (as "
                                "the chip asks) or none (layers only); else pcie"},
    [OPT_BATCH]      = {.name = "batch", .group = GROUP_MEANING, .value = "N",
                        .wants = WANTS_COUNT, .least = 1, .most = HOIST_MAX_BATCH,
                        .help = "inferences of a TFLite or Edge TPU model in a run: the first "
                                "dimension of inputs and outputs is N times the file's; else 1"},
    [OPT_ON_UNKNOWN] = {.name = "on-unknown", .group = GROUP_MEANING, .value = "WHAT", .completion = COMPLETE_WORDS,
                        .words = "stop skip poison", .wants = WANTS_WORD,
                        .help = "instructions whose computing is not public, operators that are "
                                "not known: stop (refuse the file), skip (instructions wait and "
                                "signal only, a model ends before the operators) or poison (the "
                                "same, and what instructions may have written is unknown)"},
    [OPT_ON_UNDEFINED] = {.name = "on-undefined", .group = GROUP_MEANING, .value = "WHAT", .completion = COMPLETE_WORDS,
                        .words = "stop nan", .wants = WANTS_WORD,
                        .help = "arithmetic at which the format's reference stops, as the square "
                                "root of a negative number: nan (go on with IEEE 754's value, and "
                                "warn) or stop; else stop under --exact, and nan"},
    [OPT_NUMERICS]   = {.name = "numerics", .group = GROUP_MEANING, .value = "KIND", .completion = COMPLETE_WORDS,
                        .words = "reference declared device fast", .wants = WANTS_WORD,
                        .help = "reference (the format's own, bit for bit); of a BUDA netlist also declared "
                                "(the same arithmetic, each result rounded to the format that the netlist "
                                "declares) or device (as Wormhole b0 and Blackhole compute, bit for bit; "
                                "ops that are not known so well are refused); of ARK also fast (products of "
                                "bfloat16 by AVX512-BF16 where that is faster, with sums of K terms within "
                                "K * 2^-23 of the sum of the terms' magnitudes), which is reference for "
                                "all else; else reference"},
    [OPT_THREADS]    = {.name = "threads", .letter = 'j', .value = "N", .variable = "HOIST_THREADS",
                        .wants = WANTS_COUNT, .least = 1, .most = 1024,
                        .help = "workers; else one per core"},
    [OPT_SEQUENTIAL] = {.name = "sequential", .group = GROUP_EXECUTION,
                        .help = "do everything in one thread, with the same results"},
    [OPT_NO_FUSION]  = {.name = "no-fusion", .group = GROUP_EXECUTION,
                        .help = "do every step of a program by itself, not block by block with "
                                "those before and after it, with the same results"},
    // "random:" is a proposal that the user completes with a seed.
    [OPT_SCHEDULE]   = {.name = "schedule", .group = GROUP_EXECUTION, .value = "HOW", .completion = COMPLETE_WORDS,
                        .words = "in-order random: adversarial",
                        .wants = WANTS_FORM, .fits = tool_fits_schedule, .form = "in-order, random:SEED or adversarial",
                        .help = "do everything in one thread, and choose the next thread or unit "
                                "where several are ready: in-order (each as far as it goes), "
                                "random:SEED (a choice at every step) or adversarial (posted work "
                                "is done as late as possible)"},
    [OPT_COMMAND_SLOTS] = {.name = "command-slots", .group = GROUP_EXECUTION, .value = "N",
                        .wants = WANTS_COUNT, .least = 1, .most = 1 << 16,
                        .help = "epoch commands that each chip's queue holds; else 32"},
    [OPT_BINARY_SLOTS] = {.name = "binary-slots", .group = GROUP_EXECUTION, .value = "N",
                        .wants = WANTS_COUNT, .least = 1, .most = 1 << 16,
                        .help = "graphs that each chip's binary cache holds; else 32"},
    [OPT_PRELOAD]    = {.name = "preload", .group = GROUP_EXECUTION,
                        .help = "fill the binary caches before the first run"},
    [OPT_ITERATIONS] = {.name = "iterations", .group = GROUP_MEASURE, .value = "N",
                        .wants = WANTS_COUNT, .least = 1, .most = 1 << 24,
                        .help = "run the programs N times and report how long each took; outputs are "
                                "those of the last"},
    [OPT_WARMUP]     = {.name = "warmup", .group = GROUP_MEASURE, .value = "N",
                        .wants = WANTS_COUNT, .most = 1 << 24,
                        .help = "run the programs N times before, without measuring"},
    [OPT_MAX_STEPS]  = {.name = "max-steps", .group = GROUP_LIMITS, .value = "N",
                        .wants = WANTS_COUNT, .least = 1,
                        .help = "stop after N control steps of one program, or of an engine whose calls are "
                                "unrolled: programs that run end with exit 5, orders that are checked "
                                "without a verdict, after 1,000,000 else"},
    [OPT_AS_PROGRAM] = {.name = "program",
                        .help = "write the program that the file is lowered to, as text"},
    [OPT_AS_PLAN]    = {.name = "plan",
                        .help = "write the plan by which `hoist run` executes that program: steps "
                                "that are done together, their order, where each buffer is, memory"},
    [OPT_MEMBER]     = {.name = "member", .value = "NAME",
                        .help = "write the bytes of this member of a container, as they are"},
    [OPT_DIALECT]    = {.name = "dialect", .value = "NAME", .completion = COMPLETE_WORDS,
                        .words = "d1 d2 d3", .wants = WANTS_WORD,
                        .help = "write a model of ARK as it was written at another time"},
    // The names are ARK's own (ark.md).
    [OPT_GPU]        = {.name = "arch", .value = "ARCH", .completion = COMPLETE_WORDS,
                        .words = "CUDA_80 ROCM_942 none", .wants = WANTS_WORD,
                        .help = "plan for this GPU, else for CUDA_80; none: the same, without naming it"},
    [OPT_PROCESSORS] = {.name = "processors", .value = "N", .wants = WANTS_COUNT, .least = 1, .most = 65536,
                        .help = "plan for N streaming multiprocessors, else for 108"},
    [OPT_HOST]       = {.name = "host", .value = "LINK", .completion = COMPLETE_WORDS,
                        .words = "usb3 usb2 pcie", .wants = WANTS_WORD,
                        .help = "the link between an Edge TPU and its host; else usb3"},
    [OPT_CORES]      = {.name = "cores", .value = "N", .wants = WANTS_COUNT, .least = 1, .most = 65536,
                        .help = "estimate TFLite and ARK files for a CPU of N cores, else for those of "
                                "this machine"},
    // The names of os/cpu.h, lowest first.
    [OPT_CPU_LEVEL]  = {.name = "cpu-level", .value = "LEVEL", .completion = COMPLETE_WORDS,
                        .words = "baseline x86-64-v3 x86-64-v4 x86-64-v4-vnni x86-64-v4-bf16 amx", .wants = WANTS_WORD,
                        .help = "estimate for a CPU with these instructions, else for those of this machine"},
    [OPT_FLOPS]      = {.name = "flops", .value = "NUMBER", .wants = WANTS_NUMBER,
                        .help = "estimate for a CPU that does so many operations per second on all cores "
                                "together, as measured; else by its cores and level"},
    [OPT_BANDWIDTH]  = {.name = "bandwidth", .value = "NUMBER", .wants = WANTS_NUMBER,
                        .help = "estimate for a memory of so many bytes per second, as measured; else for "
                                "a range"},
    [OPT_COMPARE]    = {.name = "compare", .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "estimate FILE, too, and compare step by step"},
    [OPT_OFFSETS]    = {.name = "offsets",
                        .help = "write the offset in its stream before each instruction"},
    [OPT_ENGINE]     = {.name = "engine", .value = "NAME", .completion = COMPLETE_WORDS,
                        .words = "pe act pool dve sp", .wants = WANTS_WORD,
                        .help = "only the streams of this engine"},
    [OPT_SUBGRAPH]   = {.name = "subgraph", .value = "NAME",
                        .help = "only the streams of this subgraph"},
    [OPT_SVG]        = {.name = "svg",
                        .help = "draw an SVG picture: the flow of data, floorplans, memory"},
    [OPT_DOT]        = {.name = "dot",
                        .help = "write the flow of data in the language of Graphviz"},
    [OPT_GRAPH]      = {.name = "graph", .value = "NAME",
                        .help = "only what is in graphs of this name"},
    [OPT_OP]         = {.name = "op", .value = "NAME",
                        .help = "only ops, operators, layers and what holds data of this name, with "
                                "what they read and write"},
    [OPT_DEPTH]      = {.name = "depth", .value = "N",
                        .wants = WANTS_COUNT, .most = 1000,
                        .help = "make one of all that has the first N parts of its name in common, "
                                "which / or . end; 0: one of each graph"},
    [OPT_SHARES]     = {.name = "time",
                        .help = "with the share of the estimated time of a run that each op takes"},
    [OPT_DRAWING_FILE] = {.name = "output", .letter = 'o', .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "with --svg or --dot, write to FILE instead of standard output, in place "
                                "of what is there, but not of a file that is read"},
    [OPT_LIST]       = {.name = "list", .letter = 'l',
                        .help = "list what there is, write nothing"},
    [OPT_VERIFY]     = {.name = "verify",
                        .help = "compute the hash of the archive; exit 1 when the stored one is "
                                "another"},
    [OPT_FORCE]      = {.name = "force", .letter = 'f',
                        .help = "replace files that are there already"},
    [OPT_UNPACK_DIR] = {.name = "output", .letter = 'o', .value = "DIR", .completion = COMPLETE_FILE,
                        .wants = WANTS_FORM, .fits = tool_fits_path, .form = "the name of a folder",
                        .help = "write the files below DIR; else below a folder with the file's "
                                "name without its ending"},
    [OPT_RECOVER_DIR] = {.name = "output", .letter = 'o', .value = "OUT", .completion = COMPLETE_FILE,
                        .wants = WANTS_FORM, .fits = tool_fits_path, .form = "the name of a folder, or of a file that ends in .npz or .safetensors",
                        .help = "write the arrays to the file OUT, when it ends in .npz or .safetensors, "
                                "else to OUT/NAME.npy; small floats become float32, but in .safetensors"},
    [OPT_TFLITE]     = {.name = "tflite", .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "write the model with its recovered layers to FILE, as an ordinary "
                                "TFLite model; - is standard output; what is there stays unless "
                                "--force is given"},
    [OPT_PACK_FILE]  = {.name = "output", .letter = 'o', .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "write to FILE, in place of what is there, but not of a file that is "
                                "read; - is standard output"},
    [OPT_PKG_VERSION] = {.name = "pkg-version", .value = "N", .completion = COMPLETE_WORDS,
                        .words = "1 2", .wants = WANTS_WORD,
                        .help = "1: plain tar with a SHA-256, 2: gzip with an MD5; else as "
                                "hoist-neff.json has it, or 2"},
    // zlib's levels.
    [OPT_LEVEL]      = {.name = "level", .value = "N",
                        .wants = WANTS_COUNT, .most = 9,
                        .help = "how much to compress, 0 not at all; else as hoist-neff.json has it, or 1"},
    [OPT_REDACT]     = {.name = "redact",
                        .help = "of a NEFF, zero constants, leave out debug members and paths of the "
                                "build"},
    [OPT_ENTRY_LINES] = {.name = "jsonl",
                        .help = "write each entry as JSON on a line of its own"},
    [OPT_DB]         = {.name = "db", .value = "FILE", .completion = COMPLETE_FILE,
                        .wants = WANTS_FORM, .fits = tool_fits_path, .form = "the name of a file",
                        .help = "keep the inventory in this SQLite database: only files that are new or have another "
                                "size or time are read; without it a temporary one is made"},
    [OPT_BOM]        = {.name = "bom", .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "also write a bill of materials to FILE, as CycloneDX 1.6 (JSON); - is standard "
                                "output, without the table"},
    [OPT_SHARD]      = {.name = "shard", .value = "I/N",
                        .wants = WANTS_FORM, .fits = tool_fits_shard, .form = "I/N with integers, I from 1 to N",
                        .help = "only files of share I of N, which the path decides"},
    [OPT_MERGE]      = {.name = "merge", .value = "FILE", .completion = COMPLETE_FILE, .repeatable = true,
                        .wants = WANTS_FORM, .fits = tool_fits_path, .form = "the name of a file",
                        .help = "first add what another scan's database has; may be given several times"},
    [OPT_PARAMETERS] = {.name = "parameters", .value = "[NAME=]FILE", .completion = COMPLETE_FILE,
                        .repeatable = true,
                        .help = "put the parameters of FILE into a model instead: all that are cached "
                                "on the chip or streamed in every run, of so many bytes, or an array as "
                                "recover names it (.npy)"},
    [OPT_HINTS]      = {.name = "hints", .value = "WHAT", .completion = COMPLETE_WORDS,
                        .words = "auto keep make", .wants = WANTS_WORD,
                        .help = "hints of an Edge TPU's transfers: make them of the instructions, keep "
                                "them, or auto, which makes those of instructions that have changed"},
    [OPT_ADDRESS]    = {.name = "address", .letter = 'a', .value = "BUFFER=ADDRESS", .repeatable = true,
                        .wants = WANTS_FORM, .fits = tool_fits_address,
                        .form = "BUFFER=ADDRESS or BUFFER[ELEMENT]=ADDRESS with an integer",
                        .help = "where a buffer is: parameters, scratch, or a layer by its name, with "
                                "input: or output: before it where both have one; ELEMENT is that of "
                                "a batch, 0 unless given"},
    [OPT_TRANSPORT]  = {.name = "transport", .value = "WHAT", .completion = COMPLETE_WORDS,
                        .words = "usb", .wants = WANTS_WORD,
                        .help = "write the bytes that a run sends to the device over usb instead of the "
                                "file; inputs are those of --input, else zeros"},
    [OPT_UNDO]       = {.name = "undo",
                        .help = "empty all fields: make the file as it was before linking"},
    [OPT_JSON]       = {.name = "json",
                        .help = "write JSON (its schema is in share/hoist/schemas)"},
    [OPT_OUTPUT]     = {.name = "output", .letter = 'o', .value = "FILE", .completion = COMPLETE_FILE,
                        .help = "write to FILE instead of standard output, in place of what is there, but "
                                "not of a file that is read"},
    [OPT_TIMEOUT]    = {.name = "timeout", .group = GROUP_LIMITS, .value = "SECONDS",
                        .wants = WANTS_NUMBER,
                        .help = "stop with exit 5 when the command takes longer, from its start to "
                                "its end; no file is written then"},
    [OPT_MAX_MEMORY] = {.name = "max-memory", .group = GROUP_LIMITS, .value = "SIZE", .variable = "HOIST_MAX_MEMORY",
                        .wants = WANTS_FORM, .fits = tool_fits_size, .form = "a number of bytes such as 512M",
                        .help = "stop with exit 5 beyond SIZE bytes of memory (suffixes K, M, "
                                "G); else beyond what valid files of the format and size need, or, for "
                                "tensors, beyond three quarters of the machine's memory"},
    [OPT_COLOR]      = {.name = "color", .group = GROUP_LIMITS, .value = "WHEN", .completion = COMPLETE_WORDS,
                        .words = "auto always never", .wants = WANTS_WORD,
                        .help = "color the output: auto, always or never"},
    [OPT_PROGRESS]   = {.name = "progress", .group = GROUP_LIMITS, .value = "HOW", .completion = COMPLETE_WORDS,
                        .words = "auto json none", .wants = WANTS_WORD,
                        .help = "how far the command is, on standard error after half a second: auto (a line that "
                                "goes again, on a terminal), json (a line of JSON each tenth of a second) or none"},
    [OPT_NO_PAGER]   = {.name = "no-pager", .group = GROUP_LIMITS,
                        .help = "write to a terminal as it is; else through the pager that HOIST_PAGER or PAGER "
                                "names, or less"},
    [OPT_HELP]       = {.name = "help", .letter = 'h', .group = GROUP_LIMITS,
                        .help = "print this help and exit"},
};
// clang-format on
