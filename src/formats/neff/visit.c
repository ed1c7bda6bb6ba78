// The complete content of a NEFF as tree events, for `hoist dump --json` and `hoist diff`: header,
// then each member with its content: JSON as it is written (visit_json.c), instructions as text, of
// arrays type and shape, of all else a digest. In goes a module, possibly one with errors; nothing
// is left out silently.
#include "formats/neff/visit.h"

#include <inttypes.h>

#include "base/span.h"
#include "formats/neff/constant.h"
#include "formats/neff/pack.h"
#include "formats/neff/stream.h"

// An instruction's text and its offset; the buffer is used again for each.
static void send_record(neff_visitor *v, const neff_member *member, size_t at, int generation)
{
    v->record.size = 0;
    (void)neff_record_write(&v->record, member->bytes.data + at, generation);
    if (v->record.failed) {
        v->status = HOIST_NO_MEMORY;
        return;
    }
    hoist_tree_short_map(v->sink, "");
    // Offsets are no part of comparisons (format.c): a record that is inserted moves all later
    // ones.
    hoist_tree_uint(v->sink, "offset", at, HOIST_UNIT_NONE);
    hoist_tree_str(v->sink, "text", hoist_buffer_text(&v->record));
    hoist_tree_end(v->sink);
}

// The records of a stream; bytes of an incomplete last one as hexadecimal digits.
static void send_stream(neff_visitor *v, const neff_member *member)
{
    const size_t size = member->bytes.size;
    const int own = neff_generation_of_file(v->module);
    hoist_tree_list(v->sink, "records");
    for (size_t at = 0; size - at >= NEFF_RECORD_SIZE && v->status == HOIST_OK;
         at += NEFF_RECORD_SIZE) {
        // --target does not change what a dump contains.
        send_record(v, member, at, own < 0 ? NEFF_ANY_GENERATION : own);
    }
    hoist_tree_end(v->sink);
    if (size % NEFF_RECORD_SIZE) {
        const size_t rest = size % NEFF_RECORD_SIZE;
        neff_send_hex(v->sink, "rest", (hoist_bytes){member->bytes.data + (size - rest), rest});
    }
}

// Type and shape of an .npy, or why it is none. Values are compared by the digest.
static void send_array(neff_visitor *v, uint32_t index)
{
    neff_constant constant;
    const hoist_status status = neff_constant_read(v->module, index, &v->arena, &constant);
    v->status = status == HOIST_OK ? v->status : status;
    if (status != HOIST_OK || !constant.is_npy) {
        return;
    }
    hoist_tree_map(v->sink, "npy");
    if (constant.problem.size) {
        hoist_tree_str(v->sink, "problem", constant.problem);
    } else {
        hoist_tree_str(v->sink, "descr", constant.header.descr);
        hoist_tree_bool(v->sink, "fortran_order", neff_constant_is_fortran(&constant));
        hoist_tree_short_list(v->sink, "shape");
        for (uint32_t i = 0; i < constant.header.rank; i++) {
            hoist_tree_int(v->sink, "", constant.header.shape[i]);
        }
        hoist_tree_end(v->sink);
        hoist_tree_uint(v->sink, "data_bytes", constant.data.size, HOIST_UNIT_BYTES);
    }
    hoist_tree_end(v->sink);
    neff_visit_forget(v);
}

// The digest of bytes that are not shown, and its kind; FNV-1a where this build of libcrypto has no
// SHA-256.
static void send_digest(neff_visitor *v, hoist_bytes bytes)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    v->record.size = 0;
    if (hoist_hash(HOIST_HASH_SHA256, bytes, v->sink->deadline, digest) == HOIST_OK) {
        hoist_buffer_c(&v->record, "sha256:");
        for (size_t i = 0; i < hoist_hash_size(HOIST_HASH_SHA256); i++) {
            hoist_buffer_format(&v->record, "%02x", digest[i]);
        }
    } else {
        const hoist_str text = {(const char *)bytes.data, bytes.size};
        // Not against deliberate collisions.
        hoist_buffer_format(&v->record, "fnv1a:%016" PRIx64, hoist_str_hash(text, 0));
    }
    v->status = v->record.failed ? HOIST_NO_MEMORY : v->status;
    hoist_tree_str(v->sink, "digest", hoist_buffer_text(&v->record));
}

// By the name first: a member that is called .json and is none is shown as bytes.
static void send_content(neff_visitor *v, uint32_t index)
{
    const neff_member *const member = &v->module->members[index];
    if (hoist_str_ends_with(member->name, ".json") &&
        neff_visit_json(v, member, HOIST_STR("json"))) {
        return;
    }
    if (member->role == NEFF_ROLE_STREAM) {
        send_stream(v, member);
    } else if (hoist_str_ends_with(member->name, ".npy")) {
        send_array(v, index);
        send_digest(v, member->bytes);
    } else {
        send_digest(v, member->bytes);
    }
}

// NULL for a member of a module that was built.
static void send_attributes(neff_visitor *v, const hoist_tar_member *tar)
{
    if (!tar) {
        return;
    }
    hoist_tree_short_map(v->sink, "tar");
    hoist_tree_c(v->sink, "dialect", neff_dialect_words[tar->dialect]);
    hoist_tree_uint(v->sink, "mode", tar->mode, HOIST_UNIT_NONE);
    hoist_tree_int(v->sink, "uid", tar->uid);
    hoist_tree_int(v->sink, "gid", tar->gid);
    hoist_tree_int(v->sink, "mtime", tar->mtime);
    hoist_tree_end(v->sink);
}

// Each member is complete before the next, so that a reader of the stream needs to keep one only.
static void send_member(neff_visitor *v, uint32_t index)
{
    const neff_member *const member = &v->module->members[index];
    hoist_tree_map(v->sink, "");
    hoist_tree_str(v->sink, "name", member->name);
    hoist_tree_c(v->sink, "role", neff_role_name(member->role));
    hoist_tree_uint(v->sink, "size_bytes", member->bytes.size, HOIST_UNIT_BYTES);
    send_attributes(v, member->tar);
    send_content(v, index);
    hoist_tree_end(v->sink);
}

// `key` of the caller, under which the file is in a document of several.
static void send_module(neff_visitor *v, const char *key)
{
    hoist_tree_map(v->sink, key ? key : "");
    hoist_tree_map(v->sink, "header");
    for (neff_header_field i = 0; i < NEFF_H_COUNT; i++) {
        neff_send_header_field(v->sink, &v->module->header, i);
    }
    hoist_tree_end(v->sink);
    hoist_tree_bool(v->sink, "gzip", v->module->gzip);
    hoist_tree_list(v->sink, "members");
    for (uint32_t i = 0; i < v->module->member_count && v->status == HOIST_OK; i++) {
        send_member(v, i);
    }
    hoist_tree_end(v->sink);
    hoist_tree_end(v->sink);
}

// The sink's status is looked at last: it may have failed for reasons of its own.
hoist_status neff_visit(const hoist_module *module, const hoist_dump_options *options,
                        hoist_tree_sink *sink)
{
    neff_visitor v = {
        .module = neff_of(module), .sink = sink, .positions = options && options->positions};
    hoist_arena_init(&v.arena, module->alloc);
    hoist_buffer_init(&v.record, module->alloc);
    send_module(&v, options ? options->key : NULL);
    hoist_buffer_deinit(&v.record);
    hoist_arena_deinit(&v.arena);
    return v.status != HOIST_OK ? v.status : sink->status;
}
