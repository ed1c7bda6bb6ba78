// The complete content of a NEFF as text, for `hoist dump`: part by part, each after a line that
// begins with #. JSON is laid out afresh, instructions are disassembled, of arrays and tables there
// is a line. In goes a module, out come pieces of text of 64 KiB, since a dump may be larger than
// memory.
#include <inttypes.h>

#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/neff/constant.h"
#include "formats/neff/stream.h"
#include "formats/neff/visit.h"

enum { FLUSH_AT = 64 * 1024 }; // bytes that are kept before they are sent

typedef struct dumper {
    neff_visitor visitor; // its status is that of all
    const hoist_piece_sink *sink;
    hoist_buffer out;          // owned: not yet sent
    hoist_json_writer writer;  // of the JSON at hand, into `out`
    hoist_tree_sink to_writer; // its sink
} dumper;

// Sends the text so far, once it is as much as `least`; after a failure nothing is sent.
static void flush(dumper *d, size_t least)
{
    neff_visitor *const v = &d->visitor;
    if (d->out.failed) {
        v->status = HOIST_NO_MEMORY;
    } else if (v->status == HOIST_OK && d->out.size >= least) {
        v->status = d->sink->piece(d->sink->self, hoist_buffer_text(&d->out));
        d->out.size = 0;
    }
}

// Events of a member's JSON on their way into the text: after each the buffer may be sent.
static hoist_status take_event(void *self, const hoist_tree_event *event)
{
    dumper *const d = self;
    hoist_tree_send(&d->to_writer, event);
    flush(d, FLUSH_AT);
    return d->visitor.status == HOIST_OK ? d->to_writer.status : d->visitor.status;
}

// A JSON writer into `out`, and a sink in front of it that flushes.
static hoist_tree_sink begin_json(dumper *d)
{
    hoist_json_writer_init(&d->writer, &d->out, true, false);
    d->writer.wide = true; // integers of any size are numbers
    d->to_writer = hoist_json_writer_sink(&d->writer);
    return (hoist_tree_sink){.self = d, .event = take_event};
}

static void end_json(dumper *d, const hoist_tree_sink *sink)
{
    neff_visitor *const v = &d->visitor;
    v->status = v->status == HOIST_OK ? sink->status : v->status;
    hoist_json_writer_deinit(&d->writer);
}

// The header as JSON.
static void write_header(dumper *d)
{
    const neff_module *const m = d->visitor.module;
    hoist_tree_sink sink = begin_json(d);
    hoist_buffer_c(&d->out, "# header\n");
    hoist_tree_map(&sink, "");
    for (neff_header_field i = 0; i < NEFF_H_COUNT; i++) {
        neff_send_header_field(&sink, &m->header, i);
    }
    hoist_tree_end(&sink);
    hoist_buffer_char(&d->out, '\n');
    end_json(d, &sink);
}

// False when the member is no JSON. Then the text of its line goes on with other content.
static bool write_json(dumper *d, const neff_member *member)
{
    const size_t start = d->out.size;
    hoist_tree_sink sink = begin_json(d);
    d->visitor.sink = &sink;
    hoist_buffer_char(&d->out, '\n');
    const bool shown = neff_visit_json(&d->visitor, member, HOIST_STR(""));
    if (!shown) {            // not even a flush, since there were no events
        d->out.size = start; // nothing was sent
    }
    end_json(d, &sink);
    return shown;
}

// As `hoist disasm` has it, by the file's own generation.
static void write_stream(dumper *d, const neff_member *member)
{
    const int own = neff_generation_of_file(d->visitor.module);
    const size_t size = member->bytes.size;
    hoist_buffer_char(&d->out, '\n');
    for (size_t at = 0; size - at >= NEFF_RECORD_SIZE && d->visitor.status == HOIST_OK;
         at += NEFF_RECORD_SIZE) {
        neff_disasm_record(&d->out, member->bytes.data + at, own < 0 ? NEFF_ANY_GENERATION : own);
        flush(d, FLUSH_AT);
    }
}

// ", descr <f4, shape (2, 3)" after the member's line; nothing for what is no array.
static void write_array(dumper *d, uint32_t index)
{
    neff_visitor *const v = &d->visitor;
    neff_constant constant;
    const hoist_status status = neff_constant_read(v->module, index, &v->arena, &constant);
    v->status = status == HOIST_OK ? v->status : status;
    if (status != HOIST_OK || !constant.is_npy || constant.problem.size) {
        return;
    }
    hoist_buffer_c(&d->out, ", descr ");
    neff_name_write(&d->out, constant.header.descr);
    hoist_buffer_c(&d->out, ", shape (");
    for (uint32_t i = 0; i < constant.header.rank; i++) {
        hoist_buffer_format(&d->out, "%s%" PRId64, i ? ", " : "",
                            (int64_t)constant.header.shape[i]);
    }
    hoist_buffer_c(&d->out, ")");
    neff_visit_forget(v);
}

static void write_member(dumper *d, uint32_t index)
{
    const neff_member *const member = &d->visitor.module->members[index];
    // Names are quoted where they are not plain, so that a line is one line.
    hoist_buffer_c(&d->out, "\n# ");
    neff_name_write(&d->out, member->name);
    hoist_buffer_format(&d->out, " %s %zu %s", neff_role_name(member->role), member->bytes.size,
                        hoist_plural(member->bytes.size, "byte", "bytes"));
    if (hoist_str_ends_with(member->name, ".json") && write_json(d, member)) {
        hoist_buffer_char(&d->out, '\n');
    } else if (member->role == NEFF_ROLE_STREAM) {
        write_stream(d, member);
    } else {
        write_array(d, index);
        hoist_buffer_char(&d->out, '\n');
    }
    flush(d, FLUSH_AT);
}

hoist_status neff_dump(const hoist_module *module, const hoist_piece_sink *sink)
{
    dumper d = {.visitor.module = neff_of(module), .sink = sink};
    neff_visitor *const v = &d.visitor;
    hoist_arena_init(&v->arena, module->alloc);
    hoist_buffer_init(&d.out, module->alloc);
    write_header(&d);
    for (uint32_t i = 0; i < v->module->member_count && v->status == HOIST_OK; i++) {
        write_member(&d, i);
    }
    flush(&d, 1); // what is left
    hoist_buffer_deinit(&d.out);
    hoist_arena_deinit(&v->arena);
    return v->status;
}
