// The whole content of a NEFF as tree events: header, then each member with what it holds. JSON is
// sent as it is written, every key of it; the items of `dma`, of which a file may have hundreds of
// megabytes, are read one by one.
#include <ctype.h>

#include "base/span.h"
#include "base/tree.h"
#include "formats/neff/constant.h"
#include "formats/neff/pack.h"
#include "formats/neff/show.h"
#include "formats/neff/stream.h"

typedef struct visitor {
    const neff_module *module;
    hoist_tree_sink *sink;
    hoist_arena arena; // decoded strings of the text at hand
    bool positions;
    neff_cursor cursor;
    hoist_buffer record; // text of an instruction
    hoist_status status;
} visitor;

// JSON
// ---------------------------------------------------------------------------------------------

static void send_event(visitor *v, const hoist_json *json, hoist_json_index at,
                       hoist_tree_event *event)
{
    if (v->positions) {
        event->pos = neff_place(&v->cursor, json->text, json->tokens[at].start);
    }
    hoist_tree_send(v->sink, event);
}

static void send_number(visitor *v, const hoist_json *json, hoist_json_index at,
                        hoist_tree_event *event)
{
    event->kind = HOIST_TREE_INT;
    if (!hoist_json_i64(json, at, &event->integer)) {
        event->kind = HOIST_TREE_UINT;
        if (!hoist_json_u64(json, at, &event->uinteger)) {
            event->kind = HOIST_TREE_FLOAT;
            (void)hoist_json_f64(json, at, &event->number);
        }
    }
    send_event(v, json, at, event);
}

static void send_string(visitor *v, const hoist_json *json, hoist_json_index at,
                        hoist_tree_event *event)
{
    event->kind = HOIST_TREE_STR;
    event->str = hoist_json_string(json, at, &v->arena);
    if (!event->str.data) {
        v->status = HOIST_NO_MEMORY;
        return;
    }
    send_event(v, json, at, event);
}

static void send_scalar(visitor *v, const hoist_json *json, hoist_json_index at,
                        hoist_tree_event *event)
{
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    if (kind == HOIST_JSON_NUMBER) {
        send_number(v, json, at, event);
    } else if (kind == HOIST_JSON_STRING) {
        send_string(v, json, at, event);
    } else {
        event->kind = kind == HOIST_JSON_NULL ? HOIST_TREE_NULL : HOIST_TREE_BOOL;
        event->boolean = kind == HOIST_JSON_TRUE;
        send_event(v, json, at, event);
    }
}

static bool is_scalar(const hoist_json *json, hoist_json_index at)
{
    return hoist_json_kind_of(json, at) < HOIST_JSON_ARRAY;
}

// Lists of a few scalars read best on one line.
static bool is_short(const hoist_json *json, hoist_json_index at)
{
    enum { SHORT = 16 };
    const uint32_t size = hoist_json_size(json, at);
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < size && i <= SHORT; i++) {
        if (!is_scalar(json, item)) {
            return false;
        }
        item = hoist_json_next(json, item);
    }
    return size <= SHORT && hoist_json_kind_of(json, at) == HOIST_JSON_ARRAY;
}

static void send_json(visitor *v, const hoist_json *json, hoist_json_index at, hoist_str key);

static void send_children(visitor *v, const hoist_json *json, hoist_json_index at)
{
    const bool object = hoist_json_kind_of(json, at) == HOIST_JSON_OBJECT;
    const uint32_t size = hoist_json_size(json, at);
    hoist_json_index child = at + 1;
    for (uint32_t i = 0; i < size && v->status == HOIST_OK; i++) {
        hoist_str key = {"", 0};
        if (object) {
            key = hoist_json_string(json, child, &v->arena);
            v->status = key.data ? v->status : HOIST_NO_MEMORY;
            child = hoist_json_next(json, child);
        }
        send_json(v, json, child, key);
        child = hoist_json_next(json, child);
    }
}

// The reader bounds the depth.
static void send_json(visitor *v, const hoist_json *json, hoist_json_index at, hoist_str key)
{
    hoist_tree_event event = {.key = key, .audience = v->sink->audience};
    if (v->status != HOIST_OK || v->sink->status != HOIST_OK) {
        return;
    }
    if (is_scalar(json, at)) {
        send_scalar(v, json, at, &event);
        return;
    }
    event.kind =
        hoist_json_kind_of(json, at) == HOIST_JSON_OBJECT ? HOIST_TREE_MAP : HOIST_TREE_LIST;
    event.inline_hint = is_short(json, at);
    send_event(v, json, at, &event);
    send_children(v, json, at);
    hoist_tree_end(v->sink);
}

// Forgets the strings that were decoded.
static void forget(visitor *v)
{
    if (v->arena.total) {
        hoist_arena_deinit(&v->arena);
        hoist_arena_init(&v->arena, v->module->base.alloc);
    }
}

static const hoist_json_limits limits = {.nonfinite = true};

// The next byte of JSON at or behind `at` that is no space and no comma.
static size_t skip(hoist_bytes text, size_t at)
{
    while (at < text.size && (isspace(text.data[at]) || text.data[at] == ',')) {
        at++;
    }
    return at;
}

// Sends the items of the array that begins at byte `at` of a text that is JSON, one by one.
static void send_items(visitor *v, hoist_bytes text, size_t at)
{
    at = skip(text, at + 1);
    while (at < text.size && text.data[at] != ']' && v->status == HOIST_OK &&
           v->sink->status == HOIST_OK) {
        hoist_json item;
        v->status = hoist_json_read_at(text, at, &limits, v->module->base.alloc, NULL, &item);
        if (v->status == HOIST_OK) {
            at = skip(text, at + item.tokens[0].size);
            send_json(v, &item, 0, HOIST_STR(""));
        }
        hoist_json_free(&item);
        forget(v);
    }
}

// The items of `dma` are not kept while the text is read.
static hoist_status drop_item(void *self, const hoist_json *json, hoist_json_index array,
                              hoist_json_index item)
{
    (void)self;
    (void)json;
    (void)array;
    (void)item;
    return HOIST_OK;
}

static void send_root(visitor *v, const hoist_json *json)
{
    static const char streamed[] = "dma";
    hoist_tree_event event = {.kind = HOIST_TREE_MAP, .key = HOIST_STR("json")};
    const uint32_t size = hoist_json_size(json, 0);
    hoist_json_index at = 1;
    send_event(v, json, 0, &event);
    for (uint32_t i = 0; i < size && v->status == HOIST_OK; i++) {
        const hoist_str key = hoist_json_string(json, at, &v->arena);
        const hoist_json_index value = hoist_json_next(json, at);
        v->status = key.data ? v->status : HOIST_NO_MEMORY;
        if (key.data && hoist_str_equal_c(key, streamed) &&
            hoist_json_kind_of(json, value) == HOIST_JSON_ARRAY) {
            event = (hoist_tree_event){.kind = HOIST_TREE_LIST, .key = key};
            send_event(v, json, value, &event);
            send_items(v, json->text, json->tokens[value].start);
            hoist_tree_end(v->sink);
        } else {
            send_json(v, json, value, key);
        }
        at = hoist_json_next(json, value);
    }
    hoist_tree_end(v->sink);
}

// Sends a member as JSON; false when it is none.
static bool send_text(visitor *v, const neff_member *member)
{
    const hoist_json_stream stream = {.key = HOIST_STR("dma"), .item = drop_item};
    hoist_json_limits options = limits;
    hoist_json json;
    options.stream = &stream;
    const hoist_status status =
        hoist_json_read(member->bytes, &options, v->module->base.alloc, NULL, &json);
    if (status != HOIST_OK) {
        v->status = status == HOIST_NO_MEMORY ? status : v->status;
        return false;
    }
    v->cursor = (neff_cursor){0};
    if (hoist_json_kind_of(&json, 0) == HOIST_JSON_OBJECT) {
        send_root(v, &json);
    } else {
        send_json(v, &json, 0, HOIST_STR("json"));
    }
    hoist_json_free(&json);
    forget(v);
    return true;
}

// Other members
// ------------------------------------------------------------------------------------

// An instruction's text, and where it is when places are asked for.
static void send_record(visitor *v, const neff_member *member, size_t at, int generation)
{
    v->record.size = 0;
    (void)neff_record_write(&v->record, member->bytes.data + at, generation);
    if (v->record.failed) {
        v->status = HOIST_NO_MEMORY;
        return;
    }
    hoist_tree_short_map(v->sink, "");
    hoist_tree_uint(v->sink, "offset", at, HOIST_UNIT_NONE);
    hoist_tree_str(v->sink, "text", hoist_buffer_text(&v->record));
    hoist_tree_end(v->sink);
}

static void send_stream(visitor *v, const neff_member *member)
{
    const size_t size = member->bytes.size;
    const int own = neff_generation_of_file(v->module);
    hoist_tree_list(v->sink, "records");
    for (size_t at = 0; size - at >= NEFF_RECORD_SIZE && v->status == HOIST_OK;
         at += NEFF_RECORD_SIZE) {
        send_record(v, member, at, own < 0 ? NEFF_ANY_GENERATION : own);
    }
    hoist_tree_end(v->sink);
    if (size % NEFF_RECORD_SIZE) {
        const size_t rest = size % NEFF_RECORD_SIZE;
        neff_send_hex(v->sink, "rest", (hoist_bytes){member->bytes.data + (size - rest), rest});
    }
}

static void send_array(visitor *v, uint32_t index)
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
    forget(v);
}

static void send_content(visitor *v, uint32_t index)
{
    const neff_member *const member = &v->module->members[index];
    if (hoist_str_ends_with(member->name, ".json") && send_text(v, member)) {
        return;
    }
    if (member->role == NEFF_ROLE_STREAM) {
        send_stream(v, member);
    } else if (hoist_str_ends_with(member->name, ".npy")) {
        send_array(v, index);
    }
}

static void send_attributes(visitor *v, const hoist_tar_member *tar)
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

static void send_member(visitor *v, uint32_t index)
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

static void send_module(visitor *v, const char *key)
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

hoist_status neff_visit(const hoist_module *module, const hoist_dump_options *options,
                        hoist_tree_sink *sink)
{
    visitor v = {
        .module = neff_of(module), .sink = sink, .positions = options && options->positions};
    hoist_arena_init(&v.arena, module->alloc);
    hoist_buffer_init(&v.record, module->alloc);
    send_module(&v, options ? options->key : NULL);
    hoist_buffer_deinit(&v.record);
    hoist_arena_deinit(&v.arena);
    return v.status != HOIST_OK ? v.status : sink->status;
}
