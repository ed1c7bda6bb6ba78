// The parts of `hoist run` and `hoist bench`: what is to run, what goes in, what comes out, what is
// expected, what it takes.
#ifndef HOIST_TOOLS_RUN_H
#define HOIST_TOOLS_RUN_H

#include <stdatomic.h>

#include "array_files.h"
#include "base/arena.h"
#include "os/folder_output.h"
#include "os/thread.h"
#include "parse.h"
#include "tool.h"

// A program of the file to be run, with its parameters.
typedef struct run_program {
    const char *name;
    const char *call;            // of --call, NULL: of none; borrowed
    hoist_parameter *parameters; // arena
    size_t parameter_count;
} run_program;

typedef enum run_source {
    RUN_SOURCE_NONE = 0,
    RUN_SOURCE_ARRAY,
    RUN_SOURCE_RANDOM,
    RUN_SOURCE_NUMBER,
    RUN_SOURCE_CONFIG, // what the file's own test gives
} run_source;

// A file of several arrays, --input @FILE.
typedef struct run_set {
    hoist_file_view view;    // owned
    hoist_array_set *arrays; // owned; borrow from `view`
    bool is_used;            // an array of it has the name of an input
    bool is_own;             // of the container that the file is in, which fills what is not given
} run_set;

// What --input gives to one name: a NAME=SOURCE of the command line, or an array of a set.
typedef struct run_binding {
    tool_binding parts; // of an array, `source` is "@FILE"
    size_t option;      // its number, from 1 on
    const run_set *set; // that has the array; NULL: none
    hoist_array array;  // borrowed from the set
} run_binding;

// A queue, ram, buffer or view that the user fills.
typedef struct run_input {
    hoist_port port;
    size_t index; // of the port
    size_t given; // number of the binding, from 1 on; 0: of what fills the rest
    const char *name;
    run_source source;
    const char *spec;          // as given, "@in.npy"; borrowed from the command line
    hoist_file_view file;      // ARRAY: owned
    hoist_array array;         // ARRAY: borrows from `file` or owns
    hoist_mut_bytes converted; // owned: the elements as float32, where they had to be, or made
    hoist_bytes elements;      // ARRAY: all entries; else the one that was made before, or none
    tool_random random;        // RANDOM; of CONFIG the seed alone
    double number;             // NUMBER
    hoist_dtype dtype;         // of what is pushed: the port's host type or float32
    size_t entry_size;         // bytes of an entry of that type
    uint64_t entries;          // to push in an iteration; UINT64_MAX: as many as are read
    uint64_t next;             // that is pushed next
    bool ended;                // the session knows that no more will come
} run_input;

// A queue, ram, buffer or view that is given out or has to be emptied.
typedef struct run_output {
    hoist_port port;
    const char *name;
    hoist_str shown;   // the name as plain text (report/plain.h)
    const char *file;  // arena: in the folder of --output; NULL: not chosen yet
    bool wanted;       // given out; else emptied, so that the program can go on
    hoist_dtype dtype; // float32, or the host type with --raw-bits
    size_t entry_size; // bytes
    uint8_t *data;     // owned: the entries, one after the other
    size_t size;       // bytes in use
    size_t capacity;   // bytes
    uint64_t entries;
    uint64_t unknown;           // bytes in the session's memory, of all entries
    hoist_mut_bytes label_text; // owned by the job: that of the file
    hoist_str *labels;          // arena: by index, borrowed from it; NULL: none
    size_t label_count;
} run_output;

// How an output compares with what was expected.
typedef struct run_comparison {
    bool same_shape;
    uint64_t elements;
    uint64_t differing; // beyond the tolerance
    double max_abs;     // largest difference
    uint64_t max_at;    // its element
    double max_rel;     // largest difference, relative to what was expected
    double pcc;         // correlation
    bool pcc_known;     // false: one side is constant or not finite
    bool passed;
} run_comparison;

typedef struct run_expectation {
    run_output *output;
    const char *path;
    hoist_file_view file; // owned
    hoist_array array;    // borrows from `file` or owns
    float *floats;        // owned: its elements
    size_t count;         // of them
    run_comparison result;
} run_expectation;

typedef struct run_limits {
    double atol, rtol; // negative: by the type
    double pcc;        // negative: not asked for
    bool exact;
} run_limits;

typedef struct run run;
typedef struct run_memory run_memory; // run_memory.h

// What one of the commands does.
typedef struct run_command {
    const char *otherwise; // source of inputs that are not named; NULL: they are refused
    bool makes_once;       // entries that are made up are made before, and pushed again and again
    uint64_t iterations;   // without --iterations
    uint64_t warmup;       // without --warmup
    // Reads what else the user named, before anything runs.
    tool_exit (*prepare)(run *r);
    // Runs the iterations, with run_once(). Findings of the session are in r->file->diag after.
    hoist_status (*iterate)(run *r);
    // After iterations that went well.
    tool_exit (*give_out)(run *r);
    // Frees what `prepare` took, whether it was called or not.
    void (*close)(run *r);
} run_command;

struct run {
    tool *t;
    const run_command *command;
    void *own; // of the command
    tool_input *file;
    hoist_program *program; // owned
    hoist_session *session; // owned
    hoist_arena arena;      // names, tables
    size_t tensor_bytes;    // of the session, where they are counted
    run_program *programs;
    size_t program_count;
    run_input *inputs;
    size_t input_count;
    run_set *sets; // arena
    size_t set_count;
    run_binding *bindings; // arena: of all --input, in their order
    size_t binding_count;
    bool *given;   // arena: by port: the input is bound
    bool *missing; // arena: by port: it is not, and has to be
    run_output *outputs;
    size_t output_count;
    hoist_folder_output folder; // of --output
    run_memory *memory;         // arena: of --dump-memory and --load-memory; NULL: of neither
    hoist_output *trace;        // arena: of --trace; NULL: none
    run_expectation *expectations;
    size_t expectation_count;
    run_limits limits;
    uint64_t top;               // --top: of each entry; 0: none
    hoist_mut_bytes label_file; // owned
    hoist_str *labels;          // arena: by index, borrowed from the file; NULL: none
    size_t label_count;
    bool has_labels; // of --labels, or an output has its own
    bool alone;      // one thread runs, pushes and pops
    uint64_t iterations, warmup;
    double *seconds;  // arena: of each measured iteration of `run`
    uint8_t *scratch; // owned: an entry that is made up; the pusher's
    size_t scratch_size;
    double *numbers;             // owned: the elements of an entry of the file's test
    size_t number_count;         // there is memory for
    const run_input *scratch_of; // whose entry is in it
    uint64_t scratch_index;
    run_input *lately;           // that had space last; the pusher's
    bool is_golden;              // --queue-mode
    run_output *popped_lately;   // the popper's
    hoist_session_counts counts; // when all was done
    // Between the tool's threads:
    atomic_int failure; // first hoist_status of the pusher or popper that is no success
    atomic_bool stop;   // the iteration is over
};

// Runs the files of the command line as one job.
tool_exit run_files(tool *t, const run_command *command);
// Calls `body`, which may run files, with an allocator that threads share, and with the processes
// of all ranks.
tool_exit run_among_ranks(tool *t, tool_exit (*body)(tool *t, const void *self), const void *self);
// Runs a file that was opened. `own` becomes that of the run.
tool_exit run_file(tool *t, const run_command *command, void *own, tool_input *file);

// What stops the command before anything has run prints its reason; then the exit code follows.

// Chooses the programs (--program, else all) and gives them their --param.
tool_exit run_choose_programs(run *r);
// Whether programs that were chosen may touch it: of several files, what is called FILE/NAME is of
// the program FILE, and of `run`, which has all.
bool run_uses_port(const run *r, const hoist_port *port);

// Lists what --input gives, and opens files of several arrays. run_bindings.c
tool_exit run_open_bindings(run *r);
void run_close_bindings(run *r);
// Reads what --input names; refuses what is missing or does not fit.
tool_exit run_open_inputs(run *r);
void run_close_inputs(run *r);
// Begins an iteration: arrays from their start, slots of rams written. HOIST_OK or the first
// failure.
hoist_status run_rewind_inputs(run *r);
// Makes entries that are made up, or takes the memory in which one after the other will be.
tool_exit run_make_room(run *r);
// Writes the slots of rams and buffers whose elements are there. run_write.c
HOIST_NODISCARD hoist_status run_write_arrays(run *r);
// The elements of an entry that the file's own test gives, in r->numbers. HOIST_NOT_FOUND: it gives
// none.
HOIST_NODISCARD hoist_status run_make_numbers(run *r, const run_input *input, uint64_t index);
// Pushes what can be pushed without waiting. True when something was.
bool run_push(run *r);
// Waits a moment for space in a queue that was filled lately. True when an entry was pushed.
bool run_push_waiting(run *r, double seconds);

// Chooses what is given out (--fetch, else all outputs).
tool_exit run_open_outputs(run *r);
void run_close_outputs(run *r);
// Forgets what came out.
void run_rewind_outputs(run *r);
// Pops what can be popped without waiting. True when something was.
bool run_pop(run *r);
// Waits a moment for an entry of a queue that had one lately. True when one was popped.
bool run_pop_waiting(run *r, double seconds);
// After the run: rams and buffers, and queues that only programs empty.
hoist_status run_read_rest(run *r);
// Says which outputs have unknown bytes: then TOOL_UNSUPPORTED.
tool_exit run_check_unknown(run *r);
// Fills inputs from the images of --load-memory, before what fills the rest. run_memory_load.c
tool_exit run_load_memory(run *r);
// Begins the folder of --dump-memory, after all inputs were read, and names what it leaves out;
// then writes the images, after the run, and completes the folder. run_memory_dump.c
tool_exit run_open_memory(run *r);
tool_exit run_write_memory(run *r);
void run_close_memory(run *r);
// Begins the folder of --output, after all inputs were read, and sees that no output has the name
// of one. What cannot be written is better known before the run.
tool_exit run_open_folder(run *r, const char *folder);
// Writes NAME.npy of each wanted output, and completes the folder.
tool_exit run_write_outputs(run *r, const char *folder);
// The length of "rank3/" before a name; 0: it has none.
size_t run_rank_prefix(hoist_str name);
enum { RUN_NUMBERS = 64 }; // bytes of a text, with its end
// What the elements of `output` are: "float32 of the reference model", "bf16, rounded as declared".
const char *run_numbers(const run *r, const run_output *output, char text[RUN_NUMBERS]);
bool run_has_numerics(const run *r); // the file's format has several (BUDA netlists)
// The entry's shape behind the number of entries (of a buffer the shape alone), as `array` for
// hoist_npy_save(); borrows.
hoist_array run_output_array(const run_output *output);
run_output *run_find_output(run *r, hoist_str name);
// Complains that there is no output `name`, and says which there are: with `given_out` those that
// the run gives out, else all that can be fetched. Gives TOOL_USAGE.
tool_exit run_refuse_output(const run *r, hoist_str name, bool given_out);

// Reads --expect and what it names.
tool_exit run_open_expectations(run *r);
void run_close_expectations(run *r);
// Compares. TOOL_OK, TOOL_NO or TOOL_LIMIT.
tool_exit run_compare(run *r);
// Two tensors of one shape.
typedef struct run_pair {
    const float *found;
    const float *expected;
    size_t count;   // elements
    size_t columns; // of them in a row
    hoist_dtype declared;
    // As the file's own test compares: atol and rtol of the greater element, `share` of the
    // elements have to be that near, and the correlation is the least of 1,024 elements each.
    bool by_test;
    double share;
} run_pair;
void run_compare_floats(const run_pair *pair, const run_limits *limits, run_comparison *out_result);

// Lets the command iterate, while Ctrl-C cancels the session. Findings of the session are in
// r->file->diag after.
hoist_status run_drive(run *r);

// What an iteration took.
typedef struct run_cost {
    double wall; // seconds of runs, from their beginning to their end
    double cpu;  // seconds of processor time, of all that the process did for it
} run_cost;

// Runs all programs once.
hoist_status run_once(run *r, run_cost *out_cost);

// What many iterations took, in the unit of the samples.
typedef struct run_times {
    double least, median, p90, p95, greatest, mean, total;
} run_times;

// Sorts `samples`, which are `count`, 1 or more.
run_times run_times_of(double *samples, size_t count);

// The word for a kind of row of profiles: "compute".
const char *run_profiled_word(hoist_profiled kind);

// --trace: begins the file, before anything runs; then keeps a timeline of the iterations that
// follow; then completes the file, or drops it. run_trace.c
tool_exit run_open_trace(run *r);
HOIST_NODISCARD hoist_status run_begin_trace(run *r);
tool_exit run_write_trace(run *r);
void run_close_trace(run *r);

// Notes a failure of the pusher or popper, and stops the session.
static inline void run_fail(run *r, hoist_status status)
{
    int none = HOIST_OK;
    (void)atomic_compare_exchange_strong(&r->failure, &none, (int)status);
    hoist_session_cancel(r->session);
}

// Reads --labels, and how many are the top.
tool_exit run_open_labels(run *r);
void run_close_labels(run *r);
// Sends a map for each of the greatest elements of each entry of the outputs that are given out.
// run_top.c
hoist_status run_send_top(const run *r, hoist_tree_sink *sink);

// Figures of an output's elements.
typedef struct run_figures {
    bool known;   // the elements have values, and there are some
    double least; // of those that are numbers
    double greatest;
    double mean;
    uint64_t not_numbers;
    uint64_t checksum; // FNV-1a of the bytes
} run_figures;
void run_figures_of(const run_output *output, run_figures *out_figures);

// Prints what came out: text, or JSON with --json.
tool_exit run_report(run *r);
tool_exit run_report_text(run *r);
// "programs" and "inputs" of a document.
// The instructions of fast products, where the program has such; nothing else.
void run_send_fast(const run *r, hoist_tree_sink *sink);
void run_send_programs(const run *r, hoist_tree_sink *sink);
void run_send_inputs(const run *r, hoist_tree_sink *sink);

// Reads the file behind `path` as .npy, or as dense elements of `dense` when it is none; bits of
// another type as elements of `named`, where they can be. As of array_file_read().
hoist_status run_read_array(run *r, const char *path, hoist_dtype named, hoist_dtype dense,
                            bool takes_images, array_file *out_file);
// Makes the array of an image, which is freed, one of the input's shape and type, and prints what
// was done. HOIST_OK; HOIST_INVALID: the input takes none, which is complained about;
// HOIST_NO_MEMORY, HOIST_LIMIT, HOIST_CANCELLED. run_image.c
HOIST_NODISCARD hoist_status run_fit_image(run *r, const run_input *input, hoist_array *image);

// NAME[:DTYPE]=SOURCE of an option that was checked: of a name that ends in `:DTYPE` itself, all of
// it is the name.
tool_binding run_read_binding(const run *r, const char *text);
// NAME[:DTYPE], the same, without a source.
tool_binding run_split_name(const run *r, hoist_str name);
// Reads integers or bit patterns as wide as `named`, as elements of `named`. False: they are
// not, which is complained about; `path` has them.
bool run_rename_bits(const run *r, const char *path, hoist_dtype named, hoist_array *array);
// True when `name` is that of the port but for its rank, which it has.
bool run_is_of_rank(hoist_str port, hoist_str name);

// Elements of one entry of a port.
uint64_t run_entry_elements(const hoist_port *port);
// The type of elements that are made up for a port: floats are made as float32 and rounded when
// they are written, integers are made as the host has them.
hoist_dtype run_made_dtype(const hoist_port *port);

#endif // HOIST_TOOLS_RUN_H
