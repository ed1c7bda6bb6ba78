// hoist info: a summary of each file, and after them the tokens by which Edge TPU models share
// parameters in a chip's memory, and with --resources the memory that a job of several files takes.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/span.h"
#include "run.h"
#include "scan/digest.h"

enum { MAX_TOKENS = 64 }; // of a file that are looked at

// A token that a file has.
typedef struct held_token {
    uint64_t token;
    const char *file; // borrowed from the command line
} held_token;

typedef struct held_tokens {
    held_token *items; // owned
    size_t count;
    size_t capacity;   // of items
    const char *joins; // the format of all files, whose files are one job; NULL: they are not
} held_tokens;

static bool holds(const held_tokens *held, size_t from, uint64_t token)
{
    for (size_t i = from; i < held->count; i++) {
        if (held->items[i].token == token) {
            return true;
        }
    }
    return false;
}

// Each token of a file once. False: out of memory.
// hoist_job_token() gives 0 after the last one, hence also for files of all other formats.
static bool keep_tokens(tool *t, const tool_input *input, held_tokens *held)
{
    const size_t first = held->count;
    for (size_t i = 0; i < MAX_TOKENS; i++) {
        const uint64_t token = hoist_job_token(input->job, i);
        if (token == 0) {
            break;
        }
        if (holds(held, first, token)) {
            continue;
        }
        if (!hoist_grow(t->alloc, (void **)&held->items, &held->capacity, held->count + 1,
                        sizeof(*held->items))) {
            return false;
        }
        held->items[held->count++] = (held_token){token, input->path};
    }
    return true;
}

// The list "tokens": each with its files.
// Quadratic in their number, which is small: MAX_TOKENS for each file of the command line.
static void send_tokens(const held_tokens *held, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "tokens");
    for (size_t i = 0; i < held->count; i++) {
        const uint64_t token = held->items[i].token;
        // Each token is sent once, at its first file, with all files that have it.
        const held_tokens before = {.items = held->items, .count = i};
        char text[24];
        if (holds(&before, 0, token)) {
            continue;
        }
        (void)snprintf(text, sizeof(text), "%016" PRIx64, token);
        hoist_tree_map(sink, "");
        hoist_tree_c(sink, "token", text);
        hoist_tree_short_list(sink, "files");
        for (size_t k = i; k < held->count; k++) {
            if (held->items[k].token == token) {
                hoist_tree_c(sink, "", held->items[k].file);
            }
        }
        hoist_tree_end(sink);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// The digests of the file: of its bytes, and of what they say, where that can be shown.
// Equal content digests mean that `hoist diff` finds no difference of fields; the other digest
// is the one that sha256sum prints.
static hoist_status send_digests(tool *t, const tool_input *input, hoist_tree_sink *sink)
{
    hoist_scan_digest container;
    hoist_scan_digest content;
    HOIST_TRY(hoist_scan_container(input->view.bytes, t->deadline, &container));
    HOIST_TRY(hoist_scan_content(input->job, 0, t->deadline, t->alloc, &content));
    hoist_tree_c(sink, "sha256", container.text);
    hoist_tree_maybe_c(sink, "content_sha256", content.text[0] ? content.text : NULL);
    return HOIST_OK;
}

// Sends the members of one file's map.
static hoist_status send_info(tool *t, const tool_input *input, hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "file", input->path);
    hoist_tree_uint(sink, "size_bytes", input->view.bytes.size, HOIST_UNIT_BYTES);
    // A list of ops takes the place of the summary.
    if (tool_chooses_part(t) || tool_given(t, OPT_SHARES)) {
        const hoist_draw_options options = tool_draw_options(t);
        hoist_tree_c(sink, "format", hoist_job_format(input->job));
        return hoist_job_ops(input->job, &options, input->diag, sink);
    }
    HOIST_TRY(send_digests(t, input, sink));
    return hoist_job_info(input->job, tool_given(t, OPT_RESOURCES), input->diag, sink);
}

// One file as an item of the list "files".
static tool_exit info_json(tool *t, const tool_input *input, tool_exit code, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    const hoist_status status = send_info(t, input, sink);
    hoist_tree_end(sink);
    return tool_report_named(t, status, input, code);
}

// One file as a document of its own, an empty line before all but the first.
static tool_exit info_text(tool *t, const tool_input *input, tool_exit code, bool first)
{
    hoist_output_c(t->out, first ? "" : "\n");
    hoist_document doc;
    tool_document(t, &doc, false);
    const hoist_status status = send_info(t, input, &doc.sink);
    // A name of the command line that the file lacks: nothing has been written of this
    // document.
    if (status == HOIST_NOT_FOUND) {
        const tool_exit dropped = tool_exit_of(hoist_document_abandon(&doc));
        return tool_worse(tool_report_named(t, status, input, code), dropped);
    }
    return tool_worse(tool_report_shown(t, status, input, code), tool_document_end(&doc));
}

// `sink` NULL: as text.
static tool_exit info_one(tool *t, size_t index, held_tokens *held, hoist_tree_sink *sink)
{
    tool_input input;
    tool_exit code = tool_open_file(t, t->arguments[index], &input);
    if (tool_can_show(&input, code)) {
        t->doing = "summing up";
        code = sink ? info_json(t, &input, code, sink) : info_text(t, &input, code, index == 0);
        code = keep_tokens(t, &input, held) ? code : tool_worse(code, TOOL_LIMIT);
        // Until the last file `joins` says whether all so far could be one job.
        const char *format = hoist_job_joins(input.job) ? hoist_job_format(input.job) : NULL;
        const bool alike =
            index == 0 || (format && held->joins && strcmp(format, held->joins) == 0);
        held->joins = alike ? format : NULL;
    } else {
        held->joins = NULL;
    }
    tool_close(t, &input, code);
    return code;
}

// The tokens behind all files, as a document of their own.
// The first part of a document (schema, generator) is for JSON only, so an empty one prints
// nothing.
static tool_exit tokens_text(tool *t, const held_tokens *held)
{
    hoist_output_c(t->out, "\n");
    hoist_document doc;
    tool_document(t, &doc, false);
    send_tokens(held, &doc.sink);
    return tool_document_end(&doc);
}

static tool_exit info_all(tool *t, held_tokens *held, hoist_tree_sink *sink)
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; i < t->argument_count; i++) {
        code = tool_worse(code, info_one(t, i, held, sink));
    }
    return code;
}

// What `hoist run` takes beside a session with `peak` bytes: an input that is made up at a time,
// and all outputs, when the inputs are gone.
static void send_command(tool *t, const hoist_program *program, uint64_t peak,
                         hoist_tree_sink *sink)
{
    uint64_t inputs = 0;
    uint64_t outputs = 0;
    for (size_t i = 0; i < hoist_program_port_count(program); i++) {
        const hoist_port port = hoist_program_port(program, i);
        // A port without slots is a tensor, of one entry.
        const uint64_t elements = run_entry_elements(&port) * port.slots;
        const uint64_t given = elements * hoist_array_element_size(run_made_dtype(&port));
        inputs = port.required && given > inputs ? given : inputs;
        outputs += port.result ? elements * hoist_array_element_size(tool_read_dtype(t, &port)) : 0;
    }
    hoist_tree_map(sink, "command");
    hoist_tree_uint(sink, "inputs_bytes", inputs, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "outputs_bytes", outputs, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "peak_bytes", peak + (inputs > outputs ? inputs : outputs),
                    HOIST_UNIT_BYTES);
    hoist_tree_end(sink);
}

// Keeps the first "peak_bytes" of a plan, which is that of all memory.
// UINT64_MAX means that none has come yet. The plan sends the total before those of ranks.
static hoist_status keep_peak(void *peak, const hoist_tree_event *event)
{
    uint64_t *const first = peak;
    if (*first == UINT64_MAX && hoist_str_equal_c(event->key, "peak_bytes")) {
        *first = event->uinteger;
    }
    return HOIST_OK;
}

// The map "resources": the memory that a run of the job takes. No events when the job does not run.
// The plan is sent twice: the first time only its peak is kept, which the map "command" needs.
static tool_exit send_resources(tool *t, hoist_tree_sink *sink)
{
    hoist_program_plan_options options = {.struct_size = sizeof(options),
                                          .alloc = t->alloc,
                                          .memory_only = true,
                                          .deadline = t->deadline};
    tool_input *files = NULL;
    hoist_program *program = NULL;
    hoist_arena arena;
    hoist_arena_init(&arena, t->alloc);
    // The files were opened one by one for their summaries; here they are opened as a job.
    tool_exit code = tool_open_job(t, &files);
    code = code == TOOL_OK ? tool_lower(t, &files[0], &program) : code;
    if (code == TOOL_OK) {
        t->doing = "planning";
        options.reads = tool_list_reads(t, program, &arena, &options.read_count);
        uint64_t peak = UINT64_MAX;
        hoist_tree_sink first = {.self = &peak, .event = keep_peak};
        hoist_tree_map(sink, "resources");
        hoist_status status =
            options.reads ? hoist_program_plan(program, &options, NULL, &first) : HOIST_NO_MEMORY;
        if (status == HOIST_OK) {
            status = hoist_program_plan(program, &options, files[0].diag, sink);
            send_command(t, program, peak, sink);
        }
        hoist_tree_end(sink);
        code = tool_report(t, status, &files[0]);
    }
    hoist_program_destroy(program);
    hoist_arena_deinit(&arena);
    tool_close_job(t, files, code);
    return code;
}

static tool_exit resources_text(tool *t)
{
    hoist_output_c(t->out, "\n");
    hoist_document doc;
    tool_document(t, &doc, false);
    const tool_exit code = send_resources(t, &doc.sink);
    return tool_worse(code, tool_document_end(&doc));
}

tool_exit cmd_info(tool *t)
{
    held_tokens held = {.count = 0};
    tool_exit code = TOOL_OK;
    hoist_document doc;
    if (tool_given(t, OPT_JSON)) {
        tool_document(t, &doc, false);
        hoist_tree_list(&doc.sink, "files");
        code = info_all(t, &held, &doc.sink);
        hoist_tree_end(&doc.sink);
        if (held.count) {
            send_tokens(&held, &doc.sink);
        }
        if (held.joins && tool_given(t, OPT_RESOURCES)) {
            code = tool_worse(code, send_resources(t, &doc.sink));
        }
        code = tool_worse(code, tool_document_end(&doc));
    } else {
        code = info_all(t, &held, NULL);
        // The tokens of a single file are in its summary.
        if (held.count && t->argument_count > 1) {
            code = tool_worse(code, tokens_text(t, &held));
        }
        if (held.joins && tool_given(t, OPT_RESOURCES)) {
            code = tool_worse(code, resources_text(t));
        }
    }
    hoist_free(t->alloc, held.items, held.capacity * sizeof(*held.items));
    return code;
}
