// The command: rows of commands and options, from which parsing, --help, man pages and shell
// completions follow. One file per subcommand: cmd_*.c.
#ifndef HOIST_TOOLS_TOOL_H
#define HOIST_TOOLS_TOOL_H

#include "hoist/hoist.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/file.h"
#include "os/output.h"
#include "report/document.h"

// Exit codes (design document, section 6).
typedef enum tool_exit {
    TOOL_OK = 0,
    TOOL_NO = 1,          // the answer is no
    TOOL_USAGE = 2,       // bad command line
    TOOL_UNREADABLE = 3,  // cannot be read, malformed (all but check), or output failed
    TOOL_UNSUPPORTED = 4, // valid, but not for this command
    TOOL_LIMIT = 5,       // a limit was hit
    TOOL_INTERNAL = 70,
    TOOL_INTERRUPTED = 130,
} tool_exit;

// The codes, and which of several wins, are part of the interface: scripts depend on them.
// One row per option, in the order of the help text.
typedef enum tool_option_id {
    OPT_FORMAT,
    OPT_ARCH,
    OPT_ALL_ARCHS,
    OPT_TARGET,
    OPT_SOC,
    OPT_CLUSTER,
    OPT_STRICT,
    OPT_LENIENT,
    OPT_WERROR,
    OPT_QUIET,
    OPT_SARIF,
    OPT_JSONL,
    OPT_GITHUB,
    OPT_JUNIT,
    OPT_BASELINE,
    OPT_FILES0_FROM,
    OPT_JOBS,
    OPT_EXPLAIN,
    OPT_RACES,
    OPT_ALL,
    OPT_RESOURCES,
    OPT_PROGRAM, // the name of one, for commands that run or check orders
    OPT_PARAM,
    OPT_CALL,
    OPT_INPUT,
    OPT_FETCH,
    OPT_OUTPUT_DIR, // --output of `run`
    OPT_DUMP_MEMORY,
    OPT_LOAD_MEMORY,
    OPT_RESUME,
    OPT_RAW_BITS,
    OPT_TOP,
    OPT_LABELS,
    OPT_EXPECT,
    OPT_ATOL,
    OPT_RTOL,
    OPT_PCC,
    OPT_EXACT,
    OPT_TRACE,
    OPT_QUEUE_MODE,
    OPT_RANKS,
    OPT_DIFF_RUN, // --run
    OPT_ROUNDING,
    OPT_DRIVER,
    OPT_BATCH,
    OPT_ON_UNKNOWN,
    OPT_ON_UNDEFINED,
    OPT_NUMERICS,
    OPT_THREADS,
    OPT_SEQUENTIAL,
    OPT_NO_FUSION,
    OPT_SCHEDULE,
    OPT_COMMAND_SLOTS,
    OPT_BINARY_SLOTS,
    OPT_PRELOAD,
    OPT_ITERATIONS,
    OPT_WARMUP,
    OPT_MAX_STEPS,
    OPT_AS_PROGRAM, // --program of `dump`
    OPT_AS_PLAN,    // --plan of `dump`
    OPT_MEMBER,
    OPT_DIALECT,
    OPT_GPU, // --arch of `plan`
    OPT_PROCESSORS,
    OPT_HOST,
    OPT_CORES,
    OPT_CPU_LEVEL,
    OPT_FLOPS,
    OPT_BANDWIDTH,
    OPT_COMPARE,
    OPT_OFFSETS,
    OPT_ENGINE,
    OPT_SUBGRAPH,
    OPT_SVG,
    OPT_DOT,
    OPT_GRAPH,
    OPT_OP,
    OPT_DEPTH,
    OPT_SHARES,       // --time
    OPT_DRAWING_FILE, // --output of `graph`
    OPT_LIST,
    OPT_VERIFY,
    OPT_FORCE,
    OPT_UNPACK_DIR,  // --output of `unpack`
    OPT_RECOVER_DIR, // --output of `recover`
    OPT_TFLITE,
    OPT_PACK_FILE, // --output of `pack` and `link`
    OPT_PKG_VERSION,
    OPT_LEVEL,
    OPT_REDACT,
    OPT_HINTS,
    OPT_PARAMETERS,
    OPT_ENTRY_LINES, // --jsonl of `scan`
    OPT_DB,
    OPT_BOM,
    OPT_SHARD,
    OPT_MERGE,
    OPT_ADDRESS,
    OPT_TRANSPORT,
    OPT_UNDO,
    OPT_JSON,
    OPT_OUTPUT, // --output of all others
    OPT_TIMEOUT,
    OPT_MAX_MEMORY,
    OPT_COLOR,
    OPT_PROGRESS,
    OPT_NO_PAGER,
    OPT_HELP,
    OPT_COUNT,
} tool_option_id;

typedef enum tool_completion {
    COMPLETE_NONE,
    COMPLETE_FILE,
    COMPLETE_WORDS, // of `words` or `word_at`
} tool_completion;

// The values that an option takes; never an empty one.
typedef enum tool_wanted {
    WANTS_TEXT,
    WANTS_WORD,   // one of the words
    WANTS_COUNT,  // an integer from `least` to `most`
    WANTS_NUMBER, // a decimal one
    WANTS_FORM,   // what `fits` says, called `form` in messages
} tool_wanted;

// Options of commands with many are listed by these, in this order.
typedef enum tool_option_group {
    GROUP_USUAL,
    GROUP_RESULTS,
    GROUP_MEANING,
    GROUP_EXECUTION,
    GROUP_MEASURE,
    GROUP_REPORT,
    GROUP_FILE,
    GROUP_LIMITS,
    GROUP_COUNT
} tool_option_group;

extern const char *const tool_group_titles[GROUP_COUNT];

typedef struct tool_option {
    const char *name; // without the dashes; two rows may share it when no command takes both
    char letter;      // short form, or 0
    tool_option_group group;
    const char *value; // placeholder of the argument; NULL for a flag
    tool_wanted wants;
    uint64_t least;
    uint64_t most; // 0: no limit
    const char *form;
    bool (*fits)(const char *text);
    tool_completion completion;
    const char *words;                    // COMPLETE_WORDS: separated by blanks
    const char *(*word_at)(size_t index); // instead of `words`; NULL from their number on
    bool repeatable;                      // every one counts: tool_next_value()
    const char *variable; // environment variable that gives the value when the option is absent
    const char *help;     // a sentence part, lower case, no full stop
} tool_option;

extern const tool_option tool_options[OPT_COUNT];

typedef enum tool_argument {
    ARG_FILE,    // one file
    ARG_PAIR,    // two files
    ARG_FILES,   // one file or more
    ARG_FOLDER,  // one folder
    ARG_FOLDERS, // folders or files, none or more
    ARG_RULES,   // rule ids, none or more
    ARG_COMMAND, // a command's name, or nothing
    ARG_NOTHING,
} tool_argument;

typedef struct tool tool;
struct ranks;

// Files that one job may have for %r.
#define MOST_RANKS 4096

// A file of the command line for %r.
typedef struct tool_expanded {
    const char *name;
    char *owned; // it, where it was made
} tool_expanded;

typedef struct tool_example {
    const char *line;
    const char *what;
} tool_example;

typedef struct tool_command {
    const char *name;
    const char *summary; // one line, lower case, no full stop
    tool_argument argument;
    const uint8_t *options; // tool_option_id; ends with OPT_HELP, which all take
    tool_exit (*run)(tool *t);
    bool container_only;     // does not care for what members hold
    const char *description; // paragraphs of the manual, separated by blank lines
    const char *exits;       // what the exit codes mean here, one per line: "CODE meaning"
    tool_example examples[2];
} tool_command;

// All commands. Only what starts the command and what writes its documents may know the table: the
// others are in it, and find it in the tool.
extern const tool_command tool_commands[];
extern const size_t tool_command_count;

// Synopsis of a command: "hoist check [OPTION]... FILE...".
void tool_synopsis(const tool_command *command, hoist_buffer *out);
static inline bool tool_takes(const tool_command *command, int id)
{
    const uint8_t *option = command->options;
    while (*option != OPT_HELP && *option != id) {
        option++;
    }
    return *option == id;
}
// An exit status of a command and what it says: the next one of `command->exits` from `*at` on (0
// at first); false: no more. Both borrow.
bool tool_next_exit(const tool_command *command, size_t *at, hoist_str *out_code,
                    hoist_str *out_meaning);
// The next option of a command as help and manual list them, from `*at` (0 at first) on; false: no
// more. `*out_heading` is the title of its group, where that begins; NULL: it goes on. A command
// with few options has one group.
bool tool_next_option(const tool_command *command, int *at, const tool_option **out_option,
                      const char **out_heading);
// Appends what the manual says of an option, with the limits of a number.
void tool_option_help(const tool_option *option, hoist_buffer *out);
// Help of a command (NULL: of all of `t`), at most `width` columns wide; and the same, printed.
void tool_help(const tool *t, const tool_command *command, size_t width, hoist_buffer *out);
tool_exit tool_print_help(tool *t, const tool_command *command);

// An option as it was given.
typedef struct tool_value {
    tool_option_id id;
    const char *value;
} tool_value;

// The state of one run.
struct tool {
    const tool_command *commands; // that there are; static
    size_t command_count;
    const tool_command *command; // of this run
    hoist_allocator alloc;
    hoist_output *out;             // standard output
    hoist_output *err;             // standard error
    const char *values[OPT_COUNT]; // of options given; "" for a flag; NULL when absent
    const char **arguments;        // owned
    size_t argument_count;
    tool_value *repeated; // owned: of repeatable options, in order
    size_t repeated_count;
    size_t width;     // columns for text
    size_t row_width; // of rows that are cut to fit; 0: nothing says how wide they may be
    bool color;
    bool is_terminal;    // standard output is one, or what a pager shows there
    size_t max_memory;   // of --max-memory in bytes; 0: what tool_open allows by format and size
    hoist_budget budget; // behind `alloc` while the command runs
    hoist_deadline *deadline;   // owned: of --timeout; NULL: none
    const char *volatile doing; // what the run is busy with, for messages: "reading"; static
    bool layers_alone;    // diff --run: files are lowered with hoist_lower_options.layers_alone
    bool limit_explained; // a message said which limit was hit
    const char **inputs;  // owned: files that are read, each borrowed
    size_t input_count;
    size_t input_capacity;
    hoist_temporaries *temporaries; // what signals remove
    const char **given_arguments;   // owned: as they were, with %r; NULL: none has it
    tool_expanded *expanded;        // owned: what they became
    size_t expanded_count;
    size_t expanded_capacity;
    struct ranks *ranks; // the processes of other ranks (ranks.h); NULL: no run
};

static inline bool tool_given(const tool *t, tool_option_id id)
{
    return t->values[id] != NULL;
}

// The next value of a repeatable option, from `*at` on (0 at first); NULL: no more.
const char *tool_next_value(const tool *t, tool_option_id id, size_t *at);

// Puts the number of each rank for %r in the names of files, from 0 on for as long as there are
// such files, and at least 0. A file whose name has %r itself is taken as it is. HOIST_OK,
// HOIST_NO_MEMORY. rank_names.c
HOIST_NODISCARD hoist_status tool_expand_ranks(tool *t);
void tool_expand_end(tool *t);

// Parses argv and the environment into `*out_tool`, runs the command, flushes. Everything the
// process allocates comes from `alloc`. Returns the exit code.
int tool_main(int argc, char **argv, hoist_allocator alloc);

// Writes "hoist: sentence" to standard error; what a terminal would obey is escaped.
void tool_complain(tool *t, const char *format, ...) HOIST_PRINTF(2, 3);

// What --files0-from puts in place of the files of the command line.
typedef struct tool_file_list {
    const char **given; // the arguments before
    size_t given_count;
    const char **names; // owned: into `text`; NULL: there is no list
    size_t count;
    hoist_mut_bytes text; // owned
} tool_file_list;
// Reads the list, when there is one, as the command's arguments. TOOL_OK, or the exit code;
// tool_close_file_list() in every case. file_list.c
tool_exit tool_open_file_list(tool *t, tool_file_list *out_list);
void tool_close_file_list(tool *t, tool_file_list *list);

// A file of the command line with the result.
typedef struct tool_input {
    const char *path;     // as given; "-" is standard input
    hoist_file_view view; // owned: the complete file
    size_t charged;       // bytes of it that count as memory, in addition to allocations
    hoist_diag *diag;     // owned
    hoist_job *job;       // owned; NULL when it could not be opened
} tool_input;

// Reads and opens `path`. `*out_input` is valid whatever the status, and is freed by tool_close.
// From here to tool_close memory is limited to what honest files of its format and size take, or to
// --max-memory.
hoist_status tool_open(tool *t, const char *path, tool_input *out_input);
// Says what can be done about a file that could not be read: the name that was meant, or that it is
// a folder. hints.c
void tool_hint_path(tool *t, const char *path);
// After tool_open: work on what is open may take `more` bytes, too, as far as the machine has them,
// unless --max-memory is given.
void tool_allow_memory(tool *t, size_t more);
// The same; prints its errors and gives its exit code, as tool_report() does.
tool_exit tool_open_file(tool *t, const char *path, tool_input *out_input);
// Whether --ranks is the number of files, where there are several; complains else. jobs.c
tool_exit tool_check_ranks(tool *t);
// Opens the files of the command line as one job, which the first of them has, as tool_open_file()
// does. `*out_files`, one for each argument, is freed by tool_close_job, whatever the exit code.
tool_exit tool_open_job(tool *t, tool_input **out_files);
void tool_close_job(tool *t, tool_input *files, tool_exit code);
// The programs of --program and the parameters of --param.
typedef struct tool_names {
    const char *const *programs; // arena; NULL: none was given
    size_t program_count;
    const hoist_parameter *parameters; // arena
    size_t parameter_count;
} tool_names;
tool_exit tool_read_names(const tool *t, hoist_arena *arena, tool_names *out_names); // jobs.c
// The views that a run reads at its end: those of --fetch, else the results. NULL: out of memory.
const char **tool_list_reads(tool *t, const hoist_program *program, hoist_arena *arena,
                             size_t *out_count);
// The type in which `hoist run` gives a port out: float32, or its own.
hoist_dtype tool_read_dtype(const tool *t, const hoist_port *port); // jobs.c
// Names the file that is at hand for messages of what ends the process: a mapped file that shrinks
// under the command's hands (exit 3), and tool_watch_time(). watch.c
void tool_watch_file(const char *path);
// Puts a pager between standard output and the terminal that it is, as HOIST_PAGER or PAGER say,
// else less where it is installed; nothing when one of them is empty or cat. pager.c
void tool_pager_begin(tool *t);
// Ends what the pager reads, and waits until it has shown it. Safe in a signal handler. pager.c
void tool_pager_end(void);
// From now on these two are looked after. watch.c
void tool_watch_signals(void);
// Ends the process with exit 5 a quarter of a second after `seconds` from now; negative: not any
// more, and `t` may be NULL. watch.c
void tool_watch_time(const tool *t, double seconds);
// Says which limit was hit and by what when `code` is TOOL_LIMIT and no finding does.
void tool_close(tool *t, tool_input *input, tool_exit code);

// Which of its words an option has been given, from 0 on; the first when it is absent. Options that
// choose a value of an enumeration of the library have their words in its order (options.c).
size_t tool_word_of(const tool *t, tool_option_id id);
// Lowers the job of `input` with the options that say how, --queue-mode and the like, and checks
// how that went.
tool_exit tool_lower(tool *t, tool_input *input, hoist_program **out_program);

// For commands other than check: prints the error findings to standard error and gives the exit
// code for `status` (TOOL_OK only for HOIST_OK without an error finding).
tool_exit tool_report(tool *t, hoist_status status, const tool_input *input);

// True when there is something to show of an input that was opened with `code`: it has no errors,
// or they do not hinder showing its format.
static inline bool tool_can_show(const tool_input *input, tool_exit code)
{
    return code == TOOL_OK ||
           (code == TOOL_UNREADABLE && input->job && hoist_job_can_show(input->job));
}

// The exit code after showing an input of which `code` was checked before: its errors are printed.
tool_exit tool_report_shown(tool *t, hoist_status status, const tool_input *input, tool_exit code);
// The same of a call that names of the command line went to: one that the file lacks is an error of
// the command line.
tool_exit tool_report_named(tool *t, hoist_status status, const tool_input *input, tool_exit code);

// Prints the warnings that have been found so far to standard error, and unless --quiet is given
// the notes on what `runs`; false when memory ran out.
bool tool_warn(tool *t, const tool_input *input, bool runs);

// The same of what runs as the list "findings" of a document.
void tool_send_warnings(const tool *t, const tool_input *input, hoist_tree_sink *sink);

// The exit code of both together: the higher-ranking of 70, 130, 5, 3, 4, 1, 0.
tool_exit tool_worse(tool_exit a, tool_exit b);

// Sends the text to standard output and frees it; TOOL_LIMIT when it is incomplete for want of
// memory.
tool_exit tool_print(tool *t, hoist_buffer *text);

// Whether `path` means standard output: "-", or the regular file that it is open on
// (/dev/stdout), which is then appended to as the shell said.
bool tool_is_stdout(const char *path);
// Notes a file that the command reads: the name is borrowed. The arguments, --soc and --cluster are
// noted before the command runs. False when memory ran out.
HOIST_NODISCARD bool tool_reads(tool *t, const char *path);
// Whether a file that is to be written is another one than all that are read, by device and inode.
// When not, a complaint is printed: exit code 2.
bool tool_spares_inputs(tool *t, const char *path);
// The same of the file `name` in a folder: HOIST_OK, HOIST_BUSY or HOIST_NO_MEMORY.
hoist_status tool_spares_inputs_in(tool *t, const char *folder, hoist_str name);
// Whether nothing has that name, or --force is given; else a complaint is printed: exit code 3.
bool tool_may_replace(tool *t, const char *path);
// Writes `bytes` to the file `path` as hoist_output_create() says: there is the old file, none, or
// the complete new one; a link is followed, a device written as it is. Or to standard output.
// Statuses and messages are those of hoist_output_create() and hoist_output_close().
hoist_status tool_save(tool *t, hoist_diag *diag, const char *path, hoist_bytes bytes);
// Saves `made`, which a call on the job of `input` gave with `status`, to `path`, prints errors,
// and frees it. A name that the call did not find (HOIST_NOT_FOUND) gives the code `not_found`.
tool_exit tool_save_made(tool *t, const tool_input *input, const char *path, hoist_status status,
                         hoist_mut_bytes made, tool_exit not_found);

// Exit code of a status outside opening.
tool_exit tool_exit_of(hoist_status status);

// Appends the name of the file in a folder for what a model calls `name`, without an ending. Names
// are any bytes: '/' and '%' and what is not shown as it is (base/utf8.h) become %2F and the like,
// which leads nowhere and keeps different names apart. One that is too long for a file is cut and
// gets `number`, which no other one has.
void tool_file_name(hoist_str name, uint64_t number, hoist_buffer *out);
// Makes the file's name that begins at byte `start` of `out` another one: as much of it as there is
// space for, "%~" and `number`. No complete name has "%~".
void tool_file_number(size_t start, uint64_t number, hoist_buffer *out);
// The type that elements have in a .npy that is to hold their bits: that of unsigned integers where
// NumPy has no code for `dtype`, and for all 16-bit floats.
hoist_dtype tool_bits_dtype(hoist_dtype dtype);

// Writes what was asked for as it is: to a terminal only bytes that it shows. HOIST_OK, HOIST_IO
// with a message.
HOIST_NODISCARD hoist_status tool_put(tool *t, hoist_bytes bytes);

// Lines of a summary, which texts of the command are unless --all is given; 0: they are complete.
size_t tool_summary_lines(const tool *t);
// What --graph, --op and --depth choose, as a text; and whether any of them is given. cmd_graph.c
hoist_draw_options tool_draw_options(const tool *t);
bool tool_chooses_part(const tool *t);
// Opens a document on standard output (JSON with --json, else text) and, for JSON, its outer map
// with "schema" and "generator". What fails shows at the end.
void tool_document(tool *t, hoist_document *doc, bool positions);
// The members "file" and "format" of a document about `input`, which has a job.
void tool_send_file(const tool_input *input, hoist_tree_sink *sink);
// Ends the outer map and the document. HOIST failures of the sink become an exit code.
tool_exit tool_document_end(hoist_document *doc);

tool_exit cmd_bench(tool *t);
tool_exit cmd_info(tool *t);
tool_exit cmd_check(tool *t);
tool_exit cmd_diff(tool *t);
tool_exit cmd_disasm(tool *t);
tool_exit cmd_dump(tool *t);
tool_exit cmd_graph(tool *t);
tool_exit cmd_link(tool *t);
tool_exit cmd_pack(tool *t);
tool_exit cmd_plan(tool *t);
tool_exit cmd_time(tool *t);
tool_exit cmd_trace(tool *t);
tool_exit cmd_recover(tool *t);
tool_exit cmd_rules(tool *t);
tool_exit cmd_help(tool *t);
tool_exit cmd_run(tool *t);
tool_exit cmd_scan(tool *t);
tool_exit cmd_unpack(tool *t);
tool_exit cmd_version(tool *t);
tool_exit cmd_view(tool *t);

#endif // HOIST_TOOLS_TOOL_H
