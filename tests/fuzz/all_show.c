// What a file is shown as.
#include "all_steps.h"
#include "base/buffer.h"
#include "base/span.h"
#include "base/tree.h"
#include "codec/json_writer.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

enum { NARROW = 40, DRAWN = 120 };

// Of a format that has no such thing, or of a file of which it means nothing.
static bool came_or_has_none(hoist_status status)
{
    return status != HOIST_UNSUPPORTED && status != HOIST_INVALID && status != HOIST_NOT_FOUND &&
           fuzz_came(status);
}

// Sends something of a file: the whole value, or the members of a map.
typedef hoist_status all_sender(const all_file *file, hoist_tree_sink *sink);

static hoist_status send_dump(const all_file *file, hoist_tree_sink *sink)
{
    return hoist_job_dump(file->job, NULL, true, sink);
}

static hoist_status send_info(const all_file *file, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, NULL);
    const hoist_status status = hoist_job_info(file->job, true, file->diag, sink);
    hoist_tree_end(sink);
    return status;
}

static hoist_status send_graph(const all_file *file, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, NULL);
    hoist_status status = hoist_job_graph(file->job, file->diag, sink);
    if (status == HOIST_OK) {
        status = hoist_job_layout(file->job, file->diag, sink);
    }
    hoist_tree_end(sink);
    return status;
}

static hoist_status send_layers(const all_file *file, hoist_tree_sink *sink)
{
    uint64_t gaps = 0;
    hoist_tree_map(sink, NULL);
    const hoist_status status = hoist_job_layers(file->job, file->diag, sink, &gaps);
    hoist_tree_end(sink);
    return status;
}

static hoist_status send_streams(const all_file *file, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, NULL);
    const hoist_status status = hoist_job_disasm_tree(file->job, NULL, file->diag, sink);
    hoist_tree_end(sink);
    return status;
}

// As a JSON text, which the writer knows to be complete.
static void write_json(const all_file *file, all_sender *send)
{
    hoist_buffer out;
    hoist_json_writer writer;
    hoist_buffer_init(&out, file->alloc);
    hoist_json_writer_init(&writer, &out, true, true);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    const hoist_status status = send(file, &sink);
    if (came_or_has_none(status) && fuzz_came(sink.status)) {
        fuzz_require(writer.done && writer.depth == 0);
    }
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
}

// As SVG and DOT, with all names, graphs as boxes, and one part of each name.
static void draw_markup(const all_file *file)
{
    for (uint32_t i = 0; i < 6; i++) {
        const hoist_draw_options options = {.struct_size = sizeof(options),
                                            .form =
                                                i % 2 ? HOIST_DRAW_FORM_DOT : HOIST_DRAW_FORM_SVG,
                                            .by_depth = i / 2 > 0,
                                            .depth = i / 2 == 2};
        hoist_mut_bytes text;
        if (came_or_has_none(hoist_job_draw_markup(file->job, &options, file->diag, &text))) {
            hoist_job_free_text(file->job, text);
        }
    }
}

void all_show(const all_file *file)
{
    static all_sender *const senders[] = {send_dump, send_info, send_graph, send_layers};
    const hoist_piece_sink pieces = hoist_dropping_sink();
    for (size_t i = 0; i < HOIST_COUNT_OF(senders); i++) {
        write_json(file, senders[i]);
    }
    (void)came_or_has_none(hoist_job_text(file->job, &pieces));
    for (size_t width = NARROW; width <= DRAWN; width += DRAWN - NARROW) {
        hoist_mut_bytes text;
        if (came_or_has_none(hoist_job_draw(file->job, width, file->diag, &text))) {
            hoist_job_free_text(file->job, text);
        }
    }
    draw_markup(file);
}

void all_disassemble(const all_file *file)
{
    const hoist_disasm_options options = {.struct_size = sizeof(options), .offsets = true};
    hoist_mut_bytes text;
    if (came_or_has_none(hoist_job_disasm(file->job, &options, file->diag, &text))) {
        hoist_job_free_text(file->job, text);
        write_json(file, send_streams);
    }
}

// A file does not differ from itself.
void all_compare(const all_file *file)
{
    size_t count = 0;
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    (void)hoist_job_comparison(file->job, file->job);
    if (came_or_has_none(hoist_job_compare(file->job, file->job, &sink, &count))) {
        fuzz_require(count == 0 && depth == 0);
    }
}

// False: there was too little memory.
static bool trace(const all_file *file, hoist_buffer *out)
{
    hoist_tree_sink sink = hoist_trace_sink(out);
    return fuzz_came(hoist_job_dump(file->job, NULL, false, &sink)) && fuzz_came(sink.status);
}

void all_require_same(const all_file *one, const all_file *other)
{
    hoist_buffer texts[2];
    hoist_buffer_init(&texts[0], one->alloc);
    hoist_buffer_init(&texts[1], other->alloc);
    if (trace(one, &texts[0]) && trace(other, &texts[1])) {
        fuzz_require(hoist_str_equal(hoist_buffer_text(&texts[0]), hoist_buffer_text(&texts[1])));
    }
    hoist_buffer_deinit(&texts[0]);
    hoist_buffer_deinit(&texts[1]);
}
