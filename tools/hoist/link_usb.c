// hoist link --transport usb: the bytes that a run sends to a USB Edge TPU, and a report of each
// transfer. The library makes the stream (hoist_job_stream()); this file reads inputs
// (array_files.c) and writes the result.
#include "link_usb.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "parse.h"
#include "run.h"

// The inputs of the command line.
typedef struct given {
    tool *t;
    const tool_input *input; // the model
    array_files files;
    hoist_stream_input *inputs; // owned; borrow from `files`
} given;

// A part of what `hoist run` takes: a stream has one inference, so generated numbers would be
// of no use.
static tool_exit read_input(given *g, const char *text)
{
    tool_binding binding;
    if (tool_is_set(text)) {
        tool_complain(g->t, "--input %s: link takes NAME=@FILE or NAME=zeros", text);
        return TOOL_USAGE;
    }
    (void)tool_parse_binding(text, &binding); // its form was checked
    const bool zeros = strcmp(binding.source, "zeros") == 0;
    if (!zeros && binding.source[0] != '@') {
        tool_complain(g->t, "--input %s: link takes @FILE or zeros", text);
        return TOOL_USAGE;
    }
    if (zeros && hoist_str_equal_c(binding.name, "*")) {
        return TOOL_OK; // all others are zeros anyway
    }
    return array_files_add(&g->files, g->t, g->input, binding.name,
                           zeros ? NULL : binding.source + 1);
}

// An input without a file is zeros; the library needs only those that have bytes.
static tool_exit read_inputs(given *g)
{
    size_t at = 0;
    tool_exit code = array_files_init(&g->files, g->t, OPT_INPUT) ? TOOL_OK : TOOL_LIMIT;
    g->t->doing = "reading";
    for (const char *v = NULL; code == TOOL_OK && (v = tool_next_value(g->t, OPT_INPUT, &at));) {
        code = read_input(g, v);
    }
    g->inputs = hoist_alloc_zero(g->t->alloc, g->files.room + 1, sizeof(*g->inputs));
    for (size_t i = 0; i < g->files.count && g->inputs; i++) {
        g->inputs[i] = (hoist_stream_input){g->files.names[i], g->files.items[i].array.data};
    }
    return g->inputs ? code : TOOL_LIMIT;
}

// Report -----------------------------------------------------------------------------------------

static const char *const kinds[] = {
    [HOIST_STREAM_INSTRUCTIONS] = "instructions",
    [HOIST_STREAM_INPUT] = "input",
    [HOIST_STREAM_PARAMETERS] = "parameters",
    [HOIST_STREAM_SCRATCH] = "scratch",
    [HOIST_STREAM_OUTPUT] = "output",
    [HOIST_STREAM_SCRATCH_OUT] = "scratch out",
    [HOIST_STREAM_INTERRUPT] = "interrupt",
    [HOIST_STREAM_FENCE] = "fence",
};

// Rows have the same keys whatever the step: null where a number has no meaning.
static void send_number(hoist_tree_sink *sink, const char *key, bool is_there, uint64_t number,
                        hoist_tree_unit unit)
{
    if (is_there) {
        hoist_tree_uint(sink, key, number, unit);
    } else {
        hoist_tree_null(sink, key);
    }
}

// `at` is the offset in the file that is written; null for what the chip sends.
static void send_step(hoist_tree_sink *sink, const hoist_stream_step *step, bool is_detailed)
{
    char address[24];
    (void)snprintf(address, sizeof(address), "0x%016llx", (unsigned long long)step->address);
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "kind", kinds[step->kind]);
    hoist_tree_str(sink, "buffer", step->buffer.data ? step->buffer : HOIST_STR(""));
    if (is_detailed) {
        // What a text leaves out, so that its rows are short.
        const bool is_numbered =
            step->kind == HOIST_STREAM_INSTRUCTIONS || step->kind == HOIST_STREAM_INTERRUPT;
        hoist_tree_uint(sink, "executable", step->executable, HOIST_UNIT_NONE);
        // The number of the chunk of instructions, or of the interrupt.
        send_number(sink, "number", is_numbered, step->index, HOIST_UNIT_NONE);
        send_number(sink, "batch", step->buffer.size, step->batch, HOIST_UNIT_NONE);
        send_number(sink, "offset", step->address, step->offset, HOIST_UNIT_NONE);
    }
    hoist_tree_uint(sink, "size_bytes", step->size, HOIST_UNIT_BYTES);
    send_number(sink, "tag", step->kind != HOIST_STREAM_FENCE, step->tag, HOIST_UNIT_NONE);
    hoist_tree_maybe_c(sink, "address", step->address ? address : NULL);
    send_number(sink, "at", step->is_sent, step->at, HOIST_UNIT_NONE);
    hoist_tree_end(sink);
}

// A document of its own: the stream has gone to the file.
static tool_exit report(tool *t, const tool_input *input, const hoist_stream *stream)
{
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_c(&doc.sink, "file", input->path);
    hoist_tree_c(&doc.sink, "output", t->values[OPT_PACK_FILE]);
    hoist_tree_c(&doc.sink, "transport", t->values[OPT_TRANSPORT]);
    hoist_tree_uint(&doc.sink, "sent", stream->bytes.size, HOIST_UNIT_BYTES);
    // False: the hints do not cover all that the instructions wait for.
    hoist_tree_bool(&doc.sink, "complete", stream->is_complete);
    hoist_tree_list(&doc.sink, "steps");
    for (size_t i = 0; i < stream->step_count; i++) {
        send_step(&doc.sink, &stream->steps[i], tool_given(t, OPT_JSON));
    }
    hoist_tree_end(&doc.sink);
    return tool_document_end(&doc);
}

// All together -----------------------------------------------------------------------------------

static tool_exit write_stream(given *g, const hoist_link_address *addresses, size_t count)
{
    const tool_input *const input = g->input;
    const hoist_stream_options options = {.struct_size = sizeof(options),
                                          .addresses = addresses,
                                          .address_count = count,
                                          .inputs = g->inputs,
                                          .input_count = g->files.count};
    const char *const path = g->t->values[OPT_PACK_FILE];
    hoist_stream *stream = NULL;
    g->t->doing = "linking";
    hoist_status status = hoist_job_stream(input->job, &options, input->diag, &stream);
    // A buffer of --address or a layer of --input that the model lacks.
    const bool is_unknown = status == HOIST_NOT_FOUND;
    if (status == HOIST_OK) {
        g->t->doing = "writing";
        status = tool_save(g->t, input->diag, path, stream->bytes);
    }
    tool_exit code = tool_report(g->t, status, input);
    if (code == TOOL_OK && !tool_is_stdout(path)) {
        code = report(g->t, input, stream);
    }
    hoist_stream_destroy(stream);
    return is_unknown && code == TOOL_UNREADABLE ? TOOL_USAGE : code;
}

tool_exit link_usb(tool *t, const tool_input *input, const hoist_link_address *addresses,
                   size_t count)
{
    given g = {.t = t, .input = input};
    tool_exit code = read_inputs(&g);
    if (code == TOOL_OK && !tool_spares_inputs(t, t->values[OPT_PACK_FILE])) {
        code = TOOL_USAGE;
    }
    code = code == TOOL_OK ? write_stream(&g, addresses, count) : code;
    hoist_free(t->alloc, g.inputs, (g.files.room + 1) * sizeof(*g.inputs));
    array_files_deinit(&g.files);
    return code;
}
