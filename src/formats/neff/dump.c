// The whole content of a NEFF as text: part by part, each after a line that begins with #. JSON is
// laid out afresh, instructions are disassembled, of arrays and tables there is a line.
#include <inttypes.h>

#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/neff/constant.h"
#include "formats/neff/stream.h"
#include "formats/neff/visit.h"

// Names are quoted where they are not plain.
static void write_heading(hoist_buffer *out, const neff_member *member)
{
    hoist_buffer_c(out, "\n# ");
    neff_name_write(out, member->name);
    hoist_buffer_format(out, " %s %zu %s", neff_role_name(member->role), member->bytes.size,
                        hoist_plural(member->bytes.size, "byte", "bytes"));
}

// The header as JSON.
static hoist_status write_header(const neff_module *m, hoist_buffer *out)
{
    hoist_json_writer writer;
    hoist_json_writer_init(&writer, out, true, false);
    writer.wide = true;
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_buffer_c(out, "# header\n");
    hoist_tree_map(&sink, "");
    for (neff_header_field i = 0; i < NEFF_H_COUNT; i++) {
        neff_send_header_field(&sink, &m->header, i);
    }
    hoist_tree_end(&sink);
    hoist_buffer_char(out, '\n');
    hoist_json_writer_deinit(&writer);
    return sink.status;
}

// False when the member is no JSON.
static bool write_json(neff_visitor *v, const neff_member *member, hoist_buffer *out)
{
    const size_t start = out->size;
    hoist_json_writer writer;
    hoist_json_writer_init(&writer, out, true, false);
    writer.wide = true;
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    v->sink = &sink;
    hoist_buffer_char(out, '\n');
    const bool shown = neff_visit_json(v, member, HOIST_STR(""));
    if (!shown) {
        out->size = start;
    }
    v->status = v->status == HOIST_OK ? sink.status : v->status;
    hoist_json_writer_deinit(&writer);
    return shown;
}

static void write_stream(const neff_module *m, const neff_member *member, hoist_buffer *out)
{
    const int own = neff_generation_of_file(m);
    const size_t size = member->bytes.size;
    hoist_buffer_char(out, '\n');
    for (size_t at = 0; size - at >= NEFF_RECORD_SIZE && !out->failed; at += NEFF_RECORD_SIZE) {
        neff_disasm_record(out, member->bytes.data + at, own < 0 ? NEFF_ANY_GENERATION : own);
    }
}

static void write_array(neff_visitor *v, uint32_t index, hoist_buffer *out)
{
    neff_constant constant;
    const hoist_status status = neff_constant_read(v->module, index, &v->arena, &constant);
    v->status = status == HOIST_OK ? v->status : status;
    if (status != HOIST_OK || !constant.is_npy || constant.problem.size) {
        return;
    }
    hoist_buffer_c(out, ", descr ");
    neff_name_write(out, constant.header.descr);
    hoist_buffer_c(out, ", shape (");
    for (uint32_t i = 0; i < constant.header.rank; i++) {
        hoist_buffer_format(out, "%s%" PRId64, i ? ", " : "", (int64_t)constant.header.shape[i]);
    }
    hoist_buffer_c(out, ")");
    neff_visit_forget(v);
}

static void write_member(neff_visitor *v, uint32_t index, hoist_buffer *out)
{
    const neff_member *const member = &v->module->members[index];
    write_heading(out, member);
    if (hoist_str_ends_with(member->name, ".json") && write_json(v, member, out)) {
        hoist_buffer_char(out, '\n');
        return;
    }
    if (member->role == NEFF_ROLE_STREAM) {
        write_stream(v->module, member, out);
        return;
    }
    write_array(v, index, out);
    hoist_buffer_char(out, '\n');
}

hoist_status neff_dump(const hoist_module *module, hoist_buffer *out)
{
    neff_visitor v = {.module = neff_of(module)};
    hoist_arena_init(&v.arena, module->alloc);
    v.status = write_header(v.module, out);
    for (uint32_t i = 0; i < v.module->member_count && v.status == HOIST_OK && !out->failed; i++) {
        write_member(&v, i, out);
    }
    hoist_arena_deinit(&v.arena);
    return out->failed ? HOIST_NO_MEMORY : v.status;
}
