// hoist link --transport: what a run sends to a device, as bytes.
#include "link_usb.h"

#include <stdio.h>
#include <string.h>

#include "hoist/exchange.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/file.h"
#include "run.h"

// The inputs of the command line.
typedef struct given {
    tool *t;
    const tool_input *input;    // the model
    hoist_stream_input *inputs; // owned
    hoist_mut_bytes *files;     // owned, as what they hold
    hoist_array *arrays;        // owned, as what they own
    char *names;                // owned: one after the other
    size_t names_size;
    size_t room;
    size_t count;
} given;

static bool make_room(given *g)
{
    size_t at = 0;
    for (const char *v = NULL; (v = tool_next_value(g->t, OPT_INPUT, &at));) {
        g->room++;
        g->names_size += strlen(v) + 1;
    }
    g->inputs = hoist_alloc_zero(g->t->alloc, g->room + 1, sizeof(*g->inputs));
    g->files = hoist_alloc_zero(g->t->alloc, g->room + 1, sizeof(*g->files));
    g->arrays = hoist_alloc_zero(g->t->alloc, g->room + 1, sizeof(*g->arrays));
    g->names = hoist_alloc_zero(g->t->alloc, g->names_size + 1, 1);
    return g->inputs && g->files && g->arrays && g->names;
}

static void free_given(given *g)
{
    for (size_t i = 0; i < g->room && g->files && g->arrays; i++) {
        hoist_array_deinit(&g->arrays[i], g->t->alloc);
        hoist_free(g->t->alloc, g->files[i].data, g->files[i].size);
    }
    hoist_free(g->t->alloc, g->inputs, (g->room + 1) * sizeof(*g->inputs));
    hoist_free(g->t->alloc, g->files, (g->room + 1) * sizeof(*g->files));
    hoist_free(g->t->alloc, g->arrays, (g->room + 1) * sizeof(*g->arrays));
    hoist_free(g->t->alloc, g->names, g->names_size + 1);
}

// The elements of a file: dense, or those of a .npy file.
static hoist_status read_elements(given *g, const char *path)
{
    hoist_mut_bytes *const file = &g->files[g->count];
    HOIST_TRY(hoist_file_read(path, 0, g->t->alloc, g->input->diag, file));
    hoist_bytes bytes = {file->data ? file->data : (const uint8_t *)"", file->size};
    if (run_is_npy(path, bytes)) {
        hoist_array *const array = &g->arrays[g->count];
        HOIST_TRY(hoist_npy_read(bytes, g->t->alloc, g->input->diag, array));
        bytes = array->data;
    }
    g->inputs[g->count].bytes = bytes;
    return HOIST_OK;
}

static tool_exit read_file(given *g, const char *path)
{
    hoist_diag_source(g->input->diag, hoist_str_from(path), HOIST_STR(""));
    const hoist_status status = read_elements(g, path);
    const tool_exit code = tool_judge(g->t, status, g->input);
    hoist_diag_source(g->input->diag, hoist_str_from(g->input->path), HOIST_STR(""));
    return code;
}

// `name` has room for that of the layer.
static tool_exit read_input(given *g, const char *text, char *name)
{
    run_binding binding;
    (void)run_split(text, &binding); // its form was judged
    const bool zeros = strcmp(binding.source, "zeros") == 0;
    if (!zeros && binding.source[0] != '@') {
        tool_complain(g->t, "--input %s: link takes @FILE or zeros", text);
        return TOOL_USAGE;
    }
    memcpy(name, binding.name.data, binding.name.size);
    g->inputs[g->count].layer = name;
    const tool_exit code = zeros ? TOOL_OK : read_file(g, binding.source + 1);
    // All others are zeros anyway.
    g->count += code == TOOL_OK && !hoist_str_equal_c(binding.name, "*");
    return code;
}

static tool_exit read_inputs(given *g)
{
    size_t at = 0;
    char *name = g->names;
    tool_exit code = TOOL_OK;
    g->t->doing = "reading";
    for (const char *v = NULL; code == TOOL_OK && (v = tool_next_value(g->t, OPT_INPUT, &at));) {
        code = read_input(g, v, name);
        name += strlen(v) + 1;
    }
    return code;
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

static void send_number(hoist_tree_sink *sink, const char *key, bool is_there, uint64_t number,
                        hoist_tree_unit unit)
{
    if (is_there) {
        hoist_tree_uint(sink, key, number, unit);
    } else {
        hoist_tree_null(sink, key);
    }
}

// What a text leaves out, so that its rows are short.
static void send_details(hoist_tree_sink *sink, const hoist_stream_step *step)
{
    const bool is_numbered =
        step->kind == HOIST_STREAM_INSTRUCTIONS || step->kind == HOIST_STREAM_INTERRUPT;
    hoist_tree_uint(sink, "executable", step->executable, HOIST_UNIT_NONE);
    send_number(sink, "number", is_numbered, step->index, HOIST_UNIT_NONE);
    send_number(sink, "batch", step->buffer.size, step->batch, HOIST_UNIT_NONE);
    send_number(sink, "offset", step->address, step->offset, HOIST_UNIT_NONE);
}

static void send_step(hoist_tree_sink *sink, const hoist_stream_step *step, bool is_detailed)
{
    char address[24];
    (void)snprintf(address, sizeof(address), "0x%016llx", (unsigned long long)step->address);
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "kind", kinds[step->kind]);
    hoist_tree_str(sink, "buffer", step->buffer.data ? step->buffer : HOIST_STR(""));
    if (is_detailed) {
        send_details(sink, step);
    }
    hoist_tree_uint(sink, "size_bytes", step->size, HOIST_UNIT_BYTES);
    send_number(sink, "tag", step->kind != HOIST_STREAM_FENCE, step->tag, HOIST_UNIT_NONE);
    if (step->address) {
        hoist_tree_c(sink, "address", address);
    } else {
        hoist_tree_null(sink, "address");
    }
    send_number(sink, "at", step->is_sent, step->at, HOIST_UNIT_NONE);
    hoist_tree_end(sink);
}

static tool_exit report(tool *t, const tool_input *input, const hoist_stream *stream)
{
    hoist_document doc;
    tool_document(t, &doc, false);
    hoist_tree_c(&doc.sink, "file", input->path);
    hoist_tree_c(&doc.sink, "output", t->values[OPT_PACK_FILE]);
    hoist_tree_c(&doc.sink, "transport", t->values[OPT_TRANSPORT]);
    hoist_tree_uint(&doc.sink, "sent", stream->bytes.size, HOIST_UNIT_BYTES);
    hoist_tree_bool(&doc.sink, "complete", stream->is_complete);
    hoist_tree_list(&doc.sink, "steps");
    for (size_t i = 0; i < stream->step_count; i++) {
        send_step(&doc.sink, &stream->steps[i], tool_given(t, OPT_JSON));
    }
    hoist_tree_end(&doc.sink);
    return tool_document_end(t, &doc);
}

// All together -----------------------------------------------------------------------------------

static tool_exit write_stream(given *g, const hoist_link_address *addresses, size_t count)
{
    const tool_input *const input = g->input;
    const hoist_stream_options options = {.struct_size = sizeof(options),
                                          .addresses = addresses,
                                          .address_count = count,
                                          .inputs = g->inputs,
                                          .input_count = g->count};
    const char *const path = g->t->values[OPT_PACK_FILE];
    hoist_stream *stream = NULL;
    g->t->doing = "linking";
    hoist_status status = hoist_job_stream(input->job, &options, input->diag, &stream);
    const bool is_unknown = status == HOIST_NOT_FOUND;
    if (status == HOIST_OK) {
        g->t->doing = "writing";
        status = tool_save(g->t, input->diag, path, stream->bytes);
    }
    tool_exit code = tool_judge(g->t, status, input);
    if (code == TOOL_OK && strcmp(path, "-") != 0) {
        code = report(g->t, input, stream);
    }
    hoist_stream_destroy(stream);
    return is_unknown && code == TOOL_UNREADABLE ? TOOL_USAGE : code;
}

tool_exit link_usb(tool *t, const tool_input *input, const hoist_link_address *addresses,
                   size_t count)
{
    given g = {.t = t, .input = input};
    tool_exit code = make_room(&g) ? read_inputs(&g) : TOOL_LIMIT;
    code = code == TOOL_OK ? write_stream(&g, addresses, count) : code;
    free_given(&g);
    return code;
}
