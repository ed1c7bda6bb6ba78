// The table of commands. Parsing (parse.c), help (help.c, cmd_help.c), manual pages and shell
// completions (docgen.c) all come from these rows; a command's code is in its cmd_*.c.
// Texts here are what users read: plain sentences, Markdown's `code` alone. The order of rows
// is the order of `hoist help`. A new command needs a row, its cmd_*.c, and `scripts/docs.sh
// write`.

#include "tool.h"

// Options of a row, in any order; OPT_HELP ends them.
// A compound literal at file scope has static storage, so rows can point to it.
#define OPTIONS(...)                                                                               \
    (const uint8_t[])                                                                              \
    {                                                                                              \
        __VA_ARGS__, OPT_HELP                                                                      \
    }

#define COMMON OPT_COLOR
// Of every command that reads a file.
#define LIMITS OPT_MAX_MEMORY, OPT_TIMEOUT, OPT_PROGRESS
#define READS COMMON, LIMITS, OPT_FORMAT, OPT_ARCH, OPT_TARGET, OPT_SOC, OPT_CLUSTER

// Of commands whose output is a report.
#define PAGED OPT_NO_PAGER

// What is run, with what, how, and how often.
#define RUNS                                                                                       \
    OPT_PROGRAM, OPT_PARAM, OPT_CALL, OPT_INPUT, OPT_QUEUE_MODE, OPT_RANKS, OPT_ROUNDING,          \
        OPT_DRIVER, OPT_BATCH, OPT_ON_UNKNOWN, OPT_ON_UNDEFINED, OPT_NUMERICS, OPT_THREADS,        \
        OPT_SEQUENTIAL, OPT_NO_FUSION, OPT_SCHEDULE, OPT_COMMAND_SLOTS, OPT_BINARY_SLOTS,          \
        OPT_PRELOAD, OPT_ITERATIONS, OPT_WARMUP, OPT_MAX_STEPS

// `run` has codes of its own, because an expectation may fail.
static const char running_exits[] =
    "0 done\n"
    "2 the command line is wrong; an input, a parameter or a file of a job is missing or does not "
    "fit; the file has nothing of a name\n"
    "3 a file cannot be read or is malformed, the program cannot go on (deadlock, undefined "
    "arithmetic), or output failed\n"
    "4 the file is valid, but something in it cannot be run here\n"
    "5 a limit was hit: memory, time, steps\n"
    "130 interrupted";

// Fields of a row: `options` in the order of writing is of no matter, as help sorts them by the
// table of options; `description` has paragraphs that an empty line separates; `exits` has only
// codes that this command can give.
// clang-format off
const tool_command tool_commands[] = {
    {
        .name = "info",
        .summary = "summarise a file: format, content, sizes",
        .argument = ARG_FILES,
        .options = OPTIONS(READS, PAGED, OPT_JSON, OPT_ALL, OPT_GRAPH, OPT_OP, OPT_DEPTH, OPT_SHARES, OPT_RESOURCES, OPT_QUIET),
        .run = cmd_info,
        .description =
            "Recognises the file and summarises it. For a Tenstorrent netlist: devices, queues, "
            "graphs with the share of the worker grid that they use, ops by type, programs with the commands "
            "that they give to chips, and the bytes placed in each DRAM channel and in host memory. For a NEFF: its header, which "
            "runtimes and devices load it and why others refuse it, tensors, and of each subgraph "
            "the variables, memory with the scratchpad, queue sets, DMA traffic and "
            "instructions. For a program text (`hoist dump --program`): its tables, entries, ports and "
            "steps.\n\n"
            "With --resources a netlist gets estimates of what the compiler will need of each core. ARK files are "
            "one job, a file for each rank; after them come the bytes that `hoist run` takes for it: of each rank "
            "and of the messages between them by what they are for, in total, and those that a run can touch "
            "(peak), without memory that kernels work in.\n\n"
            "A report of more than 60 lines has the first items of each list and the number of the others; --all "
            "lists them all. --graph NAME reports the ops of a graph instead, --op NAME one op with its place, "
            "what it reads and what reads it, and --depth N the groups that have the first N parts of their names "
            "in common.\n\n"
            "Numbers depend on the architecture. It is the one of --arch, else the file's own when "
            "it names one only, else that of the environment variable ARCH_NAME, else the first "
            "that the file lists; the report names it.",
        .exits = "0 done; findings that only `hoist check` reports do not count\n"
                 "2 the command line is wrong, the file has no graph or op of that name, or with --resources a file of "
                 "a job is missing\n"
                 "3 a file cannot be read or is malformed, so that the report is incomplete, or "
                 "output failed\n"
                 "5 a limit was hit: memory, time, size of the expanded content",
        .examples = {
            {"hoist info examples/buda/feed_forward.yaml", "summarise a netlist"},
            {"hoist info --json --arch wormhole_b0 model.yaml", "the same for a script"},
        },
    },
    {
        .name = "check",
        .summary = "check files against the rules of their format",
        .argument = ARG_FILES,
        .options = OPTIONS(READS, PAGED, OPT_ALL_ARCHS, OPT_JSON, OPT_SARIF, OPT_JSONL, OPT_GITHUB, OPT_JUNIT, OPT_BASELINE, OPT_FILES0_FROM, OPT_JOBS, OPT_STRICT, OPT_LENIENT, OPT_WERROR, OPT_QUIET, OPT_ALL, OPT_EXPLAIN,
                           OPT_RACES, OPT_PROGRAM, OPT_PARAM, OPT_RANKS, OPT_DRIVER, OPT_BATCH, OPT_MAX_STEPS),
        .run = cmd_check,
        .description =
            "Checks every rule of the format and reports all findings at once, ordered by location, "
            "each with its severity and rule id. `hoist rules ID` explains a rule. Where a file has "
            "four findings or more that differ in numbers and names alone, the first one is printed, with the number "
            "and the first places of the others; --all prints all. The last line has the counts and, in brackets, the architecture that the file was checked for.\n\n"
            "A netlist that lists several architectures is checked for each, and has a last line for each. It has errors only if it has "
            "some for all of them; the findings are those of the first one without errors, else of the first. --arch chooses one, "
            "--all-archs reports the findings for all.\n\n"
            "--races runs the control of the file's programs without data, and reports whether some "
            "schedule reads or writes bytes too early (a race) or blocks for ever (a deadlock): for all "
            "--ranks of a NEFF together, with the programs of --program (else all, one after the other) and "
            "the parameters of --param (else 1). Where the analysis has no answer the verdict is unknown, a note "
            "gives the reason, and --werror makes the exit code 1. Without --races a NEFF and a program text are "
            "analysed, too, as far as that takes little time; of a NEFF a note names the first instruction of a subgraph that "
            "prevents it.\n\n"
            "The report is the result and goes to standard output. With several files all are "
            "checked, each for itself (Edge TPU models also for tokens that they share), and the exit code is "
            "the highest-ranking of 5, 3, 4, 2, 1 and 0. But all ARK files are one job, a file for each rank: "
            "their messages are checked together, and a plan is compared with the model of its rank; and "
            "with --races and as many --ranks as there are files the files are one job, as for `hoist run`: each "
            "is the file of a rank, and there is one verdict for all ranks.\n\n"
            "Fingerprints in a SARIF log are made of rule, file, member, object and sentence, without "
            "places: a finding keeps its own while lines are inserted above it, under the same path. Columns "
            "there and in annotations are characters; elsewhere they are bytes. A log has 25,000 results at most.",
        .exits = "0 clean, or warnings and notes only\n"
                 "1 at least one error finding, a malformed file included; with --werror also for "
                 "warnings, and with --races for orders that are unknown\n"
                 "2 the command line is wrong, or names a program or parameter that is not in the file\n"
                 "3 a file cannot be read, is empty or of no known format, or output failed\n"
                 "4 with --races: the files of the ranks make no job together\n"
                 "5 a limit was hit: memory, size of the expanded content",
        .examples = {
            {"hoist check --arch wormhole_b0 model.yaml", "check for one architecture"},
            {"hoist check --sarif build/*.yaml >hoist.sarif", "for code scanning, or as a baseline"},
        },
    },
    {
        .name = "dump",
        .summary = "write the complete content of a file",
        .argument = ARG_FILES,
        .options = OPTIONS(READS, PAGED, OPT_JSON, OPT_OUTPUT, OPT_AS_PROGRAM, OPT_AS_PLAN, OPT_NO_FUSION, OPT_FETCH,
                           OPT_MEMBER, OPT_DIALECT,
                           OPT_QUEUE_MODE, OPT_RANKS, OPT_ROUNDING, OPT_DRIVER, OPT_BATCH, OPT_ON_UNKNOWN),
        .run = cmd_dump,
        .description =
            "Writes the file's complete model: in the format's own text, laid out afresh, or with "
            "--json as JSON in which every value has its line and column in the source. With "
            "--program writes the text of the program that `hoist run` would execute; several files are "
            "then the files of one job, one for each rank, as for `hoist run`.\n\n"
            "--plan writes how `hoist run` executes that program: the bytes of its memory, its functions and "
            "threads, the groups of steps that are done block by block with the values that are never stored, "
            "all steps in order, and the place of each buffer and queue. --fetch names the outputs that the run "
            "gives, --no-fusion leaves every step by itself. Memory that kernels take to work in depends on the "
            "CPU and is not counted.\n\n"
            "A NEFF has no text of its own: header and members follow one another, each after a "
            "line that begins with #, JSON laid out afresh, instructions disassembled, a "
            "summary of each array and table. --member writes the bytes of one member instead.\n\n"
            "A model of ARK has the text that ARK itself writes, byte for byte; --dialect writes it as "
            "ARK did at other times: d1 (17 May 2024: Ops, Pads), d2 (25 May 2024: Ops, PaddedShape), "
            "d3 (since August 2024: Op).\n\n"
            "What --program writes is a file that every command reads. `hoist run` of it gives the bits of "
            "`hoist run` of the file.\n\n"
            "The file of --output has its old content, or is absent, until the new one is complete; a link is "
            "followed. Every command that writes a file does so: an unfinished file has a name like "
            ".FILE.hoist-0123456789abcdef.tmp in the same folder, and is removed after a failure and at SIGINT, "
            "SIGTERM and SIGHUP. After SIGKILL the next output to the same file removes it.",
        .exits = "0 done\n"
                 "2 the command line is wrong, a file of a job is missing, or the file has no member of "
                 "that name\n"
                 "3 a file cannot be read or is malformed, or output failed\n"
                 "4 with --program and --plan: something in the file cannot be run here; with --member: the file "
                 "is no container\n"
                 "5 a limit was hit: memory, time, size of the expanded content",
        .examples = {
            {"hoist dump --json model.yaml | jq .module.queues", "queues with their places"},
            {"hoist dump -o tidy.yaml model.yaml", "the same netlist, laid out afresh"},
        },
    },
    {
        // ARG_PAIR: the order matters, the first file is the old one.
        .name = "diff",
        .summary = "list the differences between two files",
        .argument = ARG_PAIR,
        .options = OPTIONS(READS, PAGED, OPT_DIFF_RUN, OPT_INPUT, OPT_ROUNDING, OPT_ON_UNKNOWN,
                           OPT_THREADS, OPT_JSON),
        .run = cmd_diff,
        .description =
            "Compares the content of two files of one format, not their bytes: layout, the order of keys "
            "and of named items, and the notation of numbers do not count. The report names the files, has a "
            "line for each difference (its location, the value in the old file and the value in the new one), "
            "and then what was compared, and the number of differences. Items of a list are matched by position; "
            "inserted and removed items are recognised.\n\n"
            "In NEFFs these do not count either: uuid, hash, build text, and the packing of the archive "
            "(order and attributes of members, compression).\n\n"
            "A model that was compiled for the Edge TPU is compared with the TensorFlow Lite model "
            "that it was compiled from when one of the files is of either kind, in any order: its "
            "layers are recovered, and every weight, bias, multiplier, clamp and zero point, "
            "window and input has to equal what the compiler generates for the operator, bit for bit. "
            "Operators that are fused into a layer, pass their values through or are left to the CPU "
            "are listed; operators without a layer, layers without an operator and undecoded "
            "instructions are differences.\n\n"
            "Two compiled models are compared by their fields, their layers, the bytes of their "
            "parameters and their instructions, field by field; the report has the first "
            "instruction in which a field differs, and their number. Addresses that `hoist link` filled in "
            "are counted, but are no differences.\n\n"
            "With --run both files are run with the same inputs, as `hoist run` does without a driver, and the "
            "tensors that they make are compared instead: those of a compiled model's layers with those of the "
            "operators of its source, all others by their names. Inputs have --input, or else random:1, and have to "
            "have one name in both. The report has for each pair the elements that differ, the greatest difference "
            "and the first element that does, in the order of layers, and before them which tensor is the first that "
            "differs. Integers of one type differ in any bit, other numbers by their values, NaN like NaN. With --on-unknown=skip both end before "
            "operators that cannot be run.\n\n"
            "Of a compiled model and its source the report also counts the output channels whose multiplier in the "
            "compiled file, a float32, is not the one that TFLite takes from the source: there results may be a step "
            "apart, and later layers make more of it. Where layers differ, the compiled model runs once more, each layer "
            "alone, with what the source's operators made before it; 'alone' has the elements that differ then, and "
            "'by' the greatest difference.",
        .exits = "0 the content is the same\n"
                 "1 there are differences\n"
                 "2 the command line is wrong; with --run: an input is missing or does not fit\n"
                 "3 a file cannot be read or is malformed, a program cannot go on, or output failed\n"
                 "4 the files are of two formats; with --run: something cannot be run here, or they have other "
                 "inputs, or no tensor in common\n"
                 "5 a limit was hit: memory, time, size of the expanded content",
        .examples = {
            {"hoist diff before.neff after.neff", "what a new compiler changed"},
            {"hoist diff --run model_edgetpu.tflite source.tflite",
             "the first layer whose results differ between Edge TPU and CPU"},
        },
    },
    {
        .name = "disasm",
        .summary = "write the instructions of a file as text",
        .argument = ARG_FILE,
        .options = OPTIONS(READS, PAGED, OPT_OFFSETS, OPT_ENGINE, OPT_SUBGRAPH, OPT_JSON),
        .run = cmd_disasm,
        .description =
            "Of an Edge TPU model writes the program of every executable: word, mnemonic, the fields "
            "that are known and not 0, all other bits as they are, linked buffers and "
            "transfers; docs/formats/edgetpu-instructions.md (share/doc/hoist) explains it.\n\n"
            "Writes every instruction stream of a NEFF, subgraph by subgraph in the loader's order "
            "of engines, each after a line with its member, engine and number of records. One line "
            "per instruction: mnemonic, what it waits for, what it updates, operands. Bytes that "
            "no operand shows are written in braces, records that are no instruction as .record; "
            "so assembling the text gives the same bytes.\n\n"
            "The opcodes are those of --target, else of the target that the file names. The "
            "grammar of the text, the mnemonics and the bytes of a record are in "
            "docs/formats/neff-instructions.md (share/doc/hoist).",
        .exits = "0 done\n"
                 "2 the command line is wrong, or the file has no subgraph of that name\n"
                 "3 the file cannot be read or is malformed, or output failed\n"
                 "4 files of the format have no instructions\n"
                 "5 a limit was hit: memory, time, size of the expanded content",
        .examples = {
            {"hoist disasm --offsets --engine pool model.neff", "one engine, with offsets"},
            {"hoist disasm --json model.neff | jq '.streams[].records | length'", "for a script"},
        },
    },
    {
        .name = "graph",
        .summary = "draw graphs, placement and memory as text or SVG",
        .argument = ARG_FILE,
        .options = OPTIONS(READS, PAGED, OPT_ALL, OPT_GRAPH, OPT_OP, OPT_DEPTH, OPT_SHARES, OPT_SVG, OPT_DOT, OPT_DRAWING_FILE, OPT_JSON),
        .run = cmd_graph,
        .description =
            "Draws where ops sit on the worker grid, how tensors flow from queue to queue, and what "
            "each DRAM channel holds. Of a NEFF draws which engine triggers which queue set, what "
            "flows through it, the semaphores between them, and the memory of each area. Of a TFLite "
            "model lists its operators with their inputs, the processor that runs them and their outputs, of an "
            "Edge TPU package the layers that are recovered from its instructions, with parameters on "
            "the chip and off it. Of a program text lists the steps of each thread and function that touch data. "
            "With --json writes the same as nodes, edges and a memory map.\n\n"
            "A text of more than 60 lines has one line for each graph instead, or its first lines; --all draws "
            "everything. --graph draws graphs of a name, --op what has a name with what it reads and writes, and "
            "with --depth N a graph is a list of the groups that have the first N parts of their names in common, "
            "with 0 a list of all graphs. JSON, SVG and DOT have the same parts.\n\n"
            "With --svg the same is a picture: the flow of data from above to below, steps in the color "
            "of their operator, the worker grid, engines with their queue sets and semaphores, and memory "
            "by use or address; with --time also the memory that steps share, over that time. It is one "
            "file without scripts, light or dark as its reader prefers, and prints. A long name loses its middle; the pointer on it shows all of it. Arrows that lead "
            "back to what they depend on are dashed. --depth makes pictures of large graphs small. "
            "With --dot the flow of data is written for Graphviz. Where a file has nothing "
            "that can be drawn, the picture says so.",
        .exits = "0 done\n"
                 "2 the command line is wrong, or the file has no graph or op of that name\n"
                 "3 the file cannot be read or is malformed, or output failed\n"
                 "5 a limit was hit: memory, time, size of the expanded content",
        .examples = {
            {"hoist graph --svg -o encoder.svg examples/buda/transformer_encoder.yaml", "draw a picture"},
            {"hoist graph --json model.neff | jq '.graphs[].edges | length'", "the graph for a script"},
        },
    },
    {
        .name = "view",
        .summary = "write a page that shows files in a browser",
        .argument = ARG_FILES,
        .options = OPTIONS(READS, OPT_OUTPUT),
        .run = cmd_view,
        .description =
            "Writes one HTML file that opens without a server and asks the network for nothing: its policy forbids "
            "that. It shows the data flow of each graph in layers, the placement on the grid, the estimated run of "
            "`hoist trace` over time, memory, the findings of `hoist check`, and every field with its place in the file. "
            "A slider shows what is busy when. All files of the command line are in it; of two that can be compared their differences, too, "
            "as `hoist diff` finds them. "
            "Without --output it goes to standard output.\n\n"
            "In the page, / searches, the arrows go along edges from node to node, + and - zoom, f fits the graph into the "
            "window, 1 to 7 choose the view, a comma and a dot change the time, Esc closes. Names are always shown as text. Contents "
            "of more than 2,000,000 values are left out; the page says so. docs/json.md describes its data.",
        .exits = "0 done; findings that only `hoist check` reports do not count\n"
                 "2 the command line is wrong\n"
                 "3 a file cannot be read or is malformed, or output failed; the page has the others\n"
                 "5 a limit was hit: memory, time, size of the expanded content",
        .examples = {
            {"hoist view -o page.html examples/buda/feed_forward.yaml", "a page of a netlist"},
            {"hoist view before.neff after.neff -o both.html", "one page of two files, and how they differ"},
        },
    },
    {
        .name = "run",
        .summary = "run the programs of a file on this machine",
        .argument = ARG_FILES,
        .options = OPTIONS(READS, RUNS, OPT_LOAD_MEMORY, OPT_RESUME, OPT_FETCH, OPT_OUTPUT_DIR, OPT_DUMP_MEMORY, OPT_RAW_BITS, OPT_TOP, OPT_LABELS, OPT_EXPECT, OPT_ATOL,
                           OPT_RTOL, OPT_PCC, OPT_EXACT, OPT_TRACE, OPT_JSON, OPT_QUIET),
        .run = cmd_run,
        .description =
            "Lowers the file to a program, fills its inputs, runs it, and prints or writes its "
            "outputs. Every queue and ram that a host fills needs an --input, every parameter a "
            "--param; those that are missing are listed, and nothing runs.\n\n"
            "An array of rank 4 holds entries [entries, t, rows, columns], one of rank 3 a single "
            "entry. The entries of a queue are pushed in order, as many as fit before the run and "
            "the rest meanwhile; the slots of a ram are written from slot 0 on. An array is not "
            "repeated: a program that reads more stops, and the report lists the threads that wait. random, zeros and "
            "numbers are pushed for as long as the program reads. random:SEED gives numbers in "
            "[-1, 1) for floats, integers from -64 to 63 for signed and from 0 to 63 for other integer "
            "types; the numbers of a queue depend on SEED and its name only, and continue from iteration to iteration.\n\n"
            "The outputs are all entries of each queue that a host empties, popped during the run or left "
            "after it, and all slots of a ram that an op writes: shape [entries, t, rows, columns]. "
            "--fetch also names others, a queue then by its slots. Without --output a table shows "
            "the least, greatest and mean element and a checksum (FNV-1a, 64 bits) of the float32 "
            "elements. Names of files are made as by `hoist recover`: '/' becomes %2F, and a name that is "
            "too long ends in %~ and the number of the output.\n\n"
            "A NEFF is run by --ranks N ranks, or with several files each by a rank of its own. With "
            "more than one rank inputs and outputs are called rankR/NAME; --input NAME= fills those "
            "of all ranks, and --output writes DIR/rankR/NAME.npy. DIR, or the new files in it, appear when all "
            "outputs are written; no file that the command reads is replaced. The function of computing "
            "instructions is not public: --on-unknown chooses how the run treats them.\n\n"
            "%r in the name of a file is the number of each rank, from 0 on. Under mpirun the rank of its "
            "own number runs in each process: all read all files, with the same options, and each "
            "writes its own DIR/rankR; rank 0 reports. Then there have to be as many processes as "
            "ranks. `hoist version` shows the MPI library that hoist was built for.\n\n"
            "The inputs and outputs of a TFLite model are called as its tensors are. A quantised model "
            "gives the bits of TFLite's reference kernels, in Python those of an Interpreter with "
            "OpResolverType.BUILTIN_REF; --rounding=single gives those of its optimised kernels, "
            "BUILTIN_WITHOUT_DEFAULT_DELEGATES. By default Python gives layers to XNNPACK, which differs from "
            "both by several steps. Results of float32 are as near as its rounding, as sums are "
            "made in another order. Operators that cannot be run are refused by name. Of a model that was compiled for an Edge TPU, or of a package "
            "alone, the layers are run that `hoist recover` finds in it; undecoded instructions are "
            "refused, or with --on-unknown=skip or poison leave dependent values unchanged or unknown. "
            "Several such files are loaded together: all run in order, one alone with --program FILE. "
            "FILE is the file's name without folder and ending; its inputs and outputs are called FILE/NAME. Where a --driver keeps parameters on the chip they run together only.\n\n"
            "A program without races gives the same results in whatever order its threads and units "
            "are scheduled. --schedule chooses the order: results that differ between seeds, or "
            "from a run without the option, show a race, which `hoist check --races` names.\n\n"
            "--trace writes a timeline for https://ui.perfetto.dev or chrome://tracing: what each worker was at, "
            "without a gap (pieces of data steps, control, idle), data steps of the program's threads and units "
            "with their places and bytes, runs, pushes, pops. Steps that are done block by block are one event, "
            "in which each has the time of all its blocks. It has at most 1,000,000 events, and a message "
            "counts others.\n\n"
            "--expect compares with |found - expected| <= atol + rtol * |expected|. By default the "
            "tolerances are those of the queue's type: 1e-6 and 1e-5 for float32, 1e-3 for 16-bit "
            "floats, 1e-2 for bfloat16, one step of the block for block floats and 1 for 8-bit "
            "integers.",
        .exits = "0 done\n"
                 "1 an expectation failed\n"
                 "2 the command line is wrong; an input, a parameter or a file of a job is missing or does "
                 "not fit; the file has nothing of a name\n"
                 "3 a file cannot be read or is malformed, the program cannot go on (deadlock, "
                 "undefined arithmetic), or output failed\n"
                 "4 the file is valid, but something in it cannot be run here, or an output is "
                 "unknown after --on-unknown=poison\n"
                 "5 a limit was hit: memory, time, steps\n"
                 "130 interrupted",
        .examples = {
            {"hoist run --param p_loop_count=1 --input '*=random:1' model.yaml", "try a netlist"},
            {"hoist run -i in=@in.npy -i '*=zeros' --expect out=@out.npy --pcc 0.99 model.yaml",
             "compare with a framework"},
        },
    },
    {
        .name = "bench",
        .summary = "measure how long a file takes here, and where the time goes",
        .argument = ARG_FILES,
        .options = OPTIONS(READS, RUNS, OPT_JSON, OPT_QUIET),
        .run = cmd_bench,
        .description =
            "Runs the file as `hoist run` does and prints how long an iteration takes: all "
            "chosen programs once, from the beginning of their runs to their end; filling "
            "inputs before the run, tensors and as much of a queue as fits, is not counted. "
            "Inputs that no --input names are random:0. Generated entries are generated once, before "
            "the run, and pushed again and again. No output is kept.\n\n"
            "Without --iterations as many are timed as fit in one and a half seconds: at least "
            "5, at most 10,000. Before them come --warmup iterations, else 1, and some that are "
            "profiled, for a quarter of a second. p95 is the time that at most a twentieth of the "
            "iterations exceed, in the tables of one kind of work too. cpu is the processor time of all threads, with those that push and pop.\n\n"
            "moved counts the bytes that moves and collectives write in an iteration, whatever "
            "they read; rate is that over the median. Compute steps count their additions, multiplications "
            "and so on, of integers, too, as flops. After each iteration that is timed memcpy "
            "copies as many bytes, in pieces of at most 64 MiB, or an eighth of what --max- "
            "memory leaves, and the medians are compared; not when nothing is moved.\n\n"
            "The tables break down the time of an iteration. They are of the iterations "
            "that were profiled, which take longer. By kind: the work of the workers. The shares of "
            "data steps, control (deciding what is next, and waiting for each other at it) and "
            "idle (nothing to do) add up to 100 %. push and pop convert queue entries, in other "
            "threads but with --sequential. read counts each operand once, rate is read and "
            "written together. By function and by op: the same work by where it is in the program; "
            "functions are a netlist's graphs, ops have the names of compute steps. By owner: how "
            "long each thread and unit of the program, such as a netlist's chips, had a data step "
            "open, and each worker was at work on data, as a share of the wall time. Text shows the "
            "16 functions, ops, threads and units that were busy longest, --quiet no tables; "
            "windows of less than 110 columns have no read and written, those of less than 60 only the "
            "time and its share.",
        .exits = running_exits,
        .examples = {
            {"hoist bench model.neff", "measure a NEFF with random inputs"},
            {"hoist bench --json --iterations 100 -j 1 model.neff | jq .wall", "for a script"},
        },
    },
    {
        .name = "time",
        .summary = "estimate how long a file takes on its device",
        .argument = ARG_FILES,
        .options = OPTIONS(READS, PAGED, OPT_HOST, OPT_CORES, OPT_CPU_LEVEL, OPT_FLOPS, OPT_BANDWIDTH, OPT_COMPARE,
                           OPT_PROGRAM, OPT_PARAM, OPT_RANKS, OPT_BATCH, OPT_MAX_STEPS, OPT_JSON),
        .run = cmd_time,
        .description =
            "Runs the control of the file's programs with a clock, without data and without the device, and "
            "reports how long they take at best, typically and at worst: in total, by what takes the time "
            "(round trips, transfers, streamed parameters, computing, memory), by device, by thread and unit, "
            "and for each step or layer. Every number rests on published rates, of CPUs on assumed ones, which the report "
            "lists with their ranges and sources; none of them is fitted to a model. Nothing is measured.\n\n"
            "Edge TPU: cycles come from the loops of the instructions, transfers from the driver's walk over "
            "USB 3, USB 2 or PCIe (--host). Rows are layers as `hoist recover` lists them. The second run is "
            "estimated, in which the parameters are on the chip; the first one has a line of its own. Operators "
            "on the host have no public time, and are named. TFLite and ARK: operations and bytes of each step, "
            "and the roofline of a CPU. NEFF: transfers of each queue; instructions whose meaning is not public "
            "have no time, and where only such bounds are public there is a time at best and no other. Netlists: "
            "cycles of each op by the vendor's public model, of inputs that follow each other through the ops' "
            "cores; memory and network as bounds. Ops that the model lacks have no time, and are named.\n\n"
            "Text shows the 80 rows that take longest, --json all. With --compare the steps of both files "
            "follow, by their names.",
        .exits = "0 done\n"
                 "2 the command line is wrong, or the file has no such program or parameter; a file of a job is "
                 "missing\n"
                 "3 a file cannot be read or has errors, a run does not end (deadlock), or output failed\n"
                 "4 the file is valid, but something in it cannot be run here\n"
                 "5 a limit was hit: memory, time, steps",
        .examples = {
            {"hoist time --host usb2 examples/tflite/layers_edgetpu.tflite", "an Edge TPU on USB 2"},
            {"hoist time --json model_edgetpu.tflite | jq .total", "for a script"},
        },
    },
    {
        .name = "trace",
        .summary = "write the estimated run of a file for Perfetto",
        .argument = ARG_FILES,
        .options = OPTIONS(READS, OPT_HOST, OPT_CORES, OPT_CPU_LEVEL, OPT_FLOPS, OPT_BANDWIDTH, OPT_PROGRAM, OPT_PARAM,
                           OPT_RANKS, OPT_BATCH, OPT_MAX_STEPS, OPT_OUTPUT),
        .run = cmd_trace,
        .description =
            "Estimates the run as `hoist time` does, and writes it as trace-event JSON, which "
            "https://ui.perfetto.dev and chrome://tracing open: for each thread and unit of the program its steps "
            "or layers with begin and end, what bounds them, amounts and range. Where only bounds are public times "
            "are those at best. Steps without a public time have no length and the category untimed. `hoist run "
            "--trace` writes the same of a run here.",
        .exits = "0 done\n"
                 "2 the command line is wrong, or the file has no such program or parameter; a file of a job is "
                 "missing\n"
                 "3 a file cannot be read or has errors, a run does not end (deadlock), or output failed\n"
                 "4 the file is valid, but something in it cannot be run here\n"
                 "5 a limit was hit: memory, time, steps",
        .examples = {
            {"hoist trace -o t.json examples/tflite/layers_edgetpu.tflite", "an Edge TPU's run to look at"},
            {"hoist trace --target trn1 model.neff | jq '.traceEvents | length'", "for a script"},
        },
    },
    {
        // No OPT_ARCH: --arch is here OPT_GPU, the GPU that is planned for.
        .name = "plan",
        .summary = "cut a model's operators into tiles for a GPU's processors",
        .argument = ARG_FILE,
        .options = OPTIONS(COMMON, LIMITS, OPT_FORMAT, OPT_GPU, OPT_PROCESSORS, OPT_OUTPUT),
        .run = cmd_plan,
        .description =
            "Writes the plan that ARK's own planner makes of a model: one task for each operator, cut into "
            "tiles by its type and shape, one group after the other, on as many processors as there are tiles. "
            "The plan is a file of its own: `hoist check` takes it beside the model, `hoist run` runs it.\n\n"
            "ARK refuses a matmul whose extents its tile does not divide; here the tile is halved until they "
            "do.",
        .exits = "0 done\n"
                 "2 the command line is wrong\n"
                 "3 the file cannot be read or has errors, or output failed\n"
                 "4 the file is no model that can be planned\n"
                 "5 a limit was hit: memory, time, the number of tasks",
        .examples = {
            {"hoist plan -o plan.json examples/ark/swiglu.json", "for an A100: CUDA_80, 108 processors"},
            {"hoist plan --arch none --processors 64 examples/ark/swiglu.json | hoist check -", "without naming a GPU"},
        },
    },
    {
        .name = "link",
        .summary = "fill addresses of buffers into a file's instructions",
        .argument = ARG_FILE,
        .options = OPTIONS(COMMON, LIMITS, OPT_FORMAT, OPT_ADDRESS, OPT_UNDO, OPT_TRANSPORT, OPT_INPUT,
                           OPT_PACK_FILE, OPT_JSON),
        .run = cmd_link,
        .description =
            "Writes an Edge TPU model, or a bare package, with the addresses of buffers at its "
            "field offsets, as the driver does in a copy before it sends the instructions to "
            "the chip. Buffers without --address keep their fields as they are; the report counts "
            "them. Nothing else in the file changes, and --undo makes the fields empty again, as "
            "the compiler writes them.\n\n"
            "An address has 64 bits, of any memory that the device sees; parameters are those of "
            "all executables.\n\n"
            "--transport usb writes the bytes that a run sends to the chip instead, for a program that drives "
            "its USB device: frames of 8 bytes with length and tag, and the data, all for the bulk-out "
            "endpoint in single-endpoint mode. They are in the order of the hints: chunks of "
            "instructions, linked; inputs as the chip takes them, of @FILE (.npy, or dense elements "
            "of the layer's type, for all of the batch) or zeros; parameters, those that stay on the chip "
            "first. Buffers without --address are placed one after the other in the chip's extended range. The "
            "report has each step: what is sent from which byte on, and the chip's answers, "
            "with tag, address and length.",
        .exits = "0 done\n"
                 "2 the command line is wrong, or the file has no such buffer\n"
                 "3 the file cannot be read or is malformed, or output failed\n"
                 "4 files of the format are not linked\n"
                 "5 a limit was hit: memory",
        .examples = {
            {"hoist link -a parameters=0x1122334410000000 -a image=0x8000 -o linked.tflite model_edgetpu.tflite",
             "fill in two buffers"},
            {"hoist link --transport usb -o run.usb model_edgetpu.tflite",
             "the bytes of one inference on zeros"},
        },
    },
    {
        .name = "unpack",
        .summary = "write the members of a file to a folder",
        .argument = ARG_FILE,
        .options = OPTIONS(COMMON, LIMITS, OPT_FORMAT, OPT_LENIENT, OPT_LIST, OPT_VERIFY, OPT_FORCE,
                           OPT_UNPACK_DIR, OPT_JSON),
        .run = cmd_unpack,
        // Members are not decoded, so a NEFF with broken members can be unpacked.
        .container_only = true,
        .description =
            "Writes the members of a NEFF as files, and hoist-neff.json with what only the "
            "container has: the header's fields, the order and attributes of the members. With "
            "it `hoist pack` makes the same file again, byte for byte when hoist wrote it.\n\n"
            "Of an Edge TPU model the folder has model.tflite, in which the bytes of the packages "
            "are zero, and for each operator a folder payloads/0 with its options, packages, "
            "executables, chunks of instructions and parameters: every file holds zeros where "
            "another one has the bytes. `hoist pack` makes the same file again, byte for byte, "
            "whichever tool wrote it.\n\n"
            "Of a PyBuda device image (.tti) the folder has all its members. It is not packed again.\n\n"
            "Nothing is written outside of the folder: unsafe names are refused, links are never "
            "followed, and files that are there already stay unless --force is given.\n\n"
            "The folder appears when all files are written, or in one that is there the files do; other files "
            "in it stay. A process that is killed while it moves them leaves .hoist-incomplete in the "
            "folder, with what is missing: the next output to the folder completes it first, and `hoist pack` "
            "refuses it (OS-006).",
        .exits = "0 done\n"
                 "1 with --verify: the stored hash is wrong, or its algorithm is unknown\n"
                 "2 the command line is wrong\n"
                 "3 the file cannot be read or is malformed, or a member cannot be written\n"
                 "4 the file is no container\n"
                 "5 a limit was hit: memory, expansion of the archive",
        .examples = {
            {"hoist unpack -o model model.neff", "the members as files in the folder model"},
            {"hoist unpack --list --verify model.neff", "look inside, and check the hash"},
        },
    },
    {
        .name = "pack",
        .summary = "make a file from a folder",
        .argument = ARG_FOLDER,
        .options = OPTIONS(COMMON, LIMITS, OPT_FORMAT, OPT_PACK_FILE, OPT_PKG_VERSION, OPT_LEVEL, OPT_REDACT,
                           OPT_HINTS, OPT_PARAMETERS),
        .run = cmd_pack,
        .description =
            "Makes a NEFF from the files below a folder: one that `hoist unpack` wrote, changed or "
            "not, or any other. Without hoist-neff.json the header gets name, num_tpb, "
            "requested_tpb_count and tpb_per_node from info.json when it has them, and the members "
            "the compiler's order. A stream X.bin that is not there is assembled from X.asm, which "
            "`hoist disasm` writes and docs/formats/neff-instructions.md (share/doc/hoist) "
            "explains; after changing X.asm delete X.bin, since both must agree "
            "(PACK-006).\n\n"
            "A folder with a model.tflite or hoist-edgetpu.json becomes an Edge TPU model or "
            "package. Chunks and parameters may be exchanged for others of any size: where one has "
            "another size everything around it is laid out anew, in pages of 4096 bytes as the "
            "compiler does. --redact, --level and --pkg-version are of NEFFs only, and refused "
            "here: nothing takes the weights out of such a model.\n\n"
            "With --parameters the argument is a compiled model, which is written again with other "
            "parameters and no other change: cached=FILE or streamed=FILE, or FILE alone, has the bytes "
            "of all of an executable; layers/3/weights=FILE.npy is an array of type and shape as "
            "`hoist recover` gives it.\n\n"
            "The same folder gives the same bytes: times are 0 or those of the environment "
            "variable SOURCE_DATE_EPOCH, and the uuid follows from the content unless "
            "hoist-neff.json has one.",
        .exits = "0 done\n"
                 "2 the command line is wrong\n"
                 "3 the folder cannot be read, its content is wrong, or output failed\n"
                 "4 the format is no container or has none of an option that is given, or a file of another "
                 "size cannot be moved into it (FOLD-004)\n"
                 "5 a limit was hit: memory",
        .examples = {
            {"hoist pack -o model.neff model", "pack a folder again"},
            {"hoist pack --redact -o report.neff model", "for a bug report, without the weights"},
        },
    },
    {
        .name = "recover",
        .summary = "extract the arrays that a file holds",
        .argument = ARG_FILE,
        .options = OPTIONS(COMMON, LIMITS, OPT_FORMAT, OPT_LIST, OPT_RECOVER_DIR, OPT_TFLITE, OPT_RAW_BITS,
                           OPT_FORCE, OPT_JSON),
        .run = cmd_recover,
        .description =
            "Lists the constants of a NEFF with type, shape and size, the source of these, and the member that "
            "holds them; with --output writes them to a .npz or .safetensors file, or each to OUT/NAME.npy. "
            "Arrays that the file should hold and does not, that cannot be read, and parameters that the "
            "framework gives at run time are listed as missing, with their location and the reason. Of a "
            "malformed file all intact arrays are recovered. Of a TFLite model these are the constants of its "
            "tensors; data that are no dense elements of the tensor's shape are bytes. Of a PyBuda device image they "
            "are the constants and parameters that it stores as numbers; those in pickles are missing.\n\n"
            "Of Edge TPU models the layers are found again in the instructions, and their weights, biases, "
            "multipliers and zero points in the parameters, in the order of the uncompiled model, as "
            "signed bytes where all zero points of weights are 128, which int8 models have. Each layer has a row: its operation, height, width and channels of its "
            "output, its window with /strides, +padding and ~dilation, scale and zero point (as unsigned) of "
            "the output, and the layers that it reads. Letters are short for the heuristics that it rests on "
            "and for the source of its scale, which a file has for inputs and outputs only; both are "
            "explained below. Undecoded parts are listed with their instructions and bytes.\n\n"
            "With --tflite a model is written that has these layers in place of the compiled operator, as "
            "ordinary operators. Its scales give the multipliers that the file has; where several do, "
            "one is chosen. It is written only when all of the program was decoded: else there is "
            "an error for each part that was not.\n\n"
            "An .npy member contains its type and shape. For other members the variable may declare them; "
            "where nothing does, the type is unknown, and the elements are written as unsigned "
            "integers of their size. An array that several variables name is written once, by the name "
            "of the first. With several subgraphs names begin with theirs: sg00/NAME.\n\n"
            "Floats of 16 bits and less are written as float32, which has all their values, or with "
            "--raw-bits as unsigned integers; safetensors files have them as they are. These also have "
            "metadata: the source and its SHA-256, and all that is known of the layers as JSON. Of a name "
            "'/', '%' and characters that are not shown become %2F and the like in a folder; names that are "
            "too long or taken end in %~ and a number. In one file names stay as they are, except for parts that lead out "
            "of a folder. Nothing is written outside of the folder, links are never followed, and files "
            "that are there already stay unless --force is given. The folder, or its new files, appear when all "
            "are written, as of `hoist unpack`.",
        .exits = "0 done\n"
                 "1 something could not be recovered\n"
                 "2 the command line is wrong\n"
                 "3 the file cannot be read or is malformed, or output failed\n"
                 "4 files of the format hold no arrays\n"
                 "5 a limit was hit: memory, expansion of the archive",
        .examples = {
            {"hoist recover -o weights.npz model.neff", "what there is, and the arrays as a file"},
            {"hoist recover --tflite model.tflite model_edgetpu.tflite", "an ordinary model again"},
        },
    },
    {
        .name = "scan",
        .summary = "make an inventory of the files in folders and archives",
        .argument = ARG_FOLDERS,
        .options = OPTIONS(COMMON, LIMITS, PAGED, OPT_ENTRY_LINES, OPT_DB, OPT_BOM, OPT_SHARD, OPT_MERGE, OPT_JOBS,
                           OPT_QUIET),
        .run = cmd_scan,
        .description =
            "Finds the files of hoist's formats in trees, caches and archives (tar, gzip, zip) by their content, "
            "whatever they are called, and lists each with its format, target, size, digests and the number of its "
            "findings; after them the caching tokens that several Edge TPU models share. What is nested in a file, "
            "such as a compiled program in a TFLite model, has an entry of its own. --jsonl and --bom also have "
            "versions, the rules of the findings, what loads the file, and the folder of the Neuron compile cache "
            "that it is in.\n\n"
            "There are two digests: SHA-256 of the bytes, and one of the content, which is equal where `hoist diff` "
            "finds no difference of fields, however a file is laid out or packed (docs/scan.md).\n\n"
            "With --db a scan goes on where another one ended or was killed, and entries of files that are gone are "
            "removed. The list is always that of the complete database. Several machines scan with --shard and a "
            "database each, under the same paths; --merge makes one of them.\n\n"
            "Links are not followed, unless a DIR is one. Sockets, FIFOs and devices are not opened. Files of one job, "
            "as those of ARK's ranks, are checked each alone.",
        .exits = "0 done, whatever was found in the files\n"
                 "2 the command line is wrong\n"
                 "3 a file or folder cannot be read, the database is none, or output failed\n"
                 "4 there is no libsqlite3\n"
                 "5 a limit was hit: time, or a file took more than the memory; the others are listed",
        .examples = {
            {"hoist scan examples", "what there is in a folder"},
            {"hoist scan --db zoo.db -j 8 --bom zoo.cdx.json models", "again every night"},
        },
    },
    {
        .name = "rules",
        .summary = "list or explain the rules that check enforces",
        .argument = ARG_RULES,
        .options = OPTIONS(PAGED, COMMON, OPT_JSON),
        .run = cmd_rules,
        .description =
            "Without arguments lists every rule with its severity. With rule ids explains each: why "
            "it matters, what to do, and where the fact comes from. A prefix selects several: "
            "BUDA-036 names BUDA-036a and BUDA-036b, BUDA names all of the format.",
        .exits = "0 done\n2 the command line is wrong, or no such rule\n3 output failed",
        .examples = {
            {"hoist rules BUDA-017", "explain one rule"},
            {"hoist rules --json", "all rules for a script"},
        },
    },
    {
        .name = "help",
        .summary = "explain a command",
        .argument = ARG_COMMAND,
        .options = OPTIONS(COMMON, OPT_JSON),
        .run = cmd_help,
        .description = "Prints the help of a command, or the list of commands.",
        .exits = "0 done\n2 the command line is wrong, or no such command\n3 output failed",
        .examples = {
            {"hoist help check", "the help of one command"},
            {"hoist help", "all commands"},
        },
    },
    {
        .name = "version",
        .summary = "print the version and what this build knows",
        .argument = ARG_NOTHING,
        .options = OPTIONS(COMMON, OPT_JSON),
        .run = cmd_version,
        .description = "Prints the version, the formats and the number of rules of this build.",
        .exits = "0 done\n2 the command line is wrong\n3 output failed",
        .examples = {
            {"hoist version", "for people"},
            {"hoist version --json", "for a script"},
        },
    },
};
// clang-format on

const size_t tool_command_count = sizeof(tool_commands) / sizeof(tool_commands[0]);
