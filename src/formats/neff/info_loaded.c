// What the engines of a subgraph load besides their programs: activation tables by queue sets of
// type act_load, and libraries of custom operations (neff reference 3.3, 4.2.1). In go traffic and
// def.json, out come the lists "activation_loads" and "custom_op_libraries" of `hoist info`.
#include "base/span.h"
#include "formats/neff/info.h"
#include "formats/neff/tape.h"

// Activation tables -------------------------------------------------------------------------------

static bool is_load(const neff_subgraph *s, const neff_flow *flow)
{
    return flow->queue != NEFF_NONE && s->queues[flow->queue].type == NEFF_QUEUE_ACT_LOAD;
}

// Flows through act_load sets, from the variable whose member has the table.
static hoist_status send_loads(const neff_info_writer *w, const neff_subgraph *s)
{
    neff_traffic traffic;
    size_t count = 0;
    // By queue set: flows of one pair stay apart.
    HOIST_TRY(neff_traffic_read(s, true, w->module->base.alloc, w->arena, &traffic));
    for (uint32_t i = 0; i < traffic.flow_count; i++) {
        count += is_load(s, traffic.flows[i]);
    }
    neff_info_list(w->sink, "activation_loads", count);
    for (uint32_t i = 0; i < traffic.flow_count; i++) {
        if (is_load(s, traffic.flows[i])) {
            const neff_var *const from =
                traffic.flows[i]->from == NEFF_NONE ? NULL : &s->vars[traffic.flows[i]->from];
            hoist_tree_map(w->sink, "");
            hoist_tree_str(w->sink, "queue", s->queues[traffic.flows[i]->queue].name);
            hoist_tree_maybe_str(w->sink, "from", from ? from->name : (hoist_str){NULL, 0});
            // Null: not from a constant.
            neff_send_member(w->sink, "member", w->module, from ? from->member : NEFF_NONE);
            neff_info_bytes(w->sink, "dma_bytes", traffic.flows[i]->bytes);
            hoist_tree_end(w->sink);
        }
    }
    neff_info_end(w->sink);
    return HOIST_OK;
}

// Libraries ---------------------------------------------------------------------------------------

static void send_text(const neff_info_writer *w, const char *key, hoist_str text)
{
    hoist_tree_maybe_str(w->sink, key, text.size ? text : (hoist_str){NULL, 0});
}

// Names of the functions of a library: [{"name": ..., "opcode": ..., "sub_opcode": ...}].
static hoist_status send_functions(const neff_info_writer *w, const hoist_json *json,
                                   hoist_json_index library)
{
    const hoist_json_index list = neff_tape_find(json, library, "functions");
    const uint32_t count =
        neff_tape_is(json, list, HOIST_JSON_ARRAY) ? hoist_json_size(json, list) : 0;
    hoist_json_index item = list + 1;
    hoist_tree_short_list(w->sink, "functions");
    for (uint32_t i = 0; i < count; i++) {
        hoist_str name;
        HOIST_TRY(neff_tape_str(json, item, "name", w->arena, &name));
        hoist_tree_str(w->sink, "", name);
        item = hoist_json_next(json, item);
    }
    hoist_tree_end(w->sink);
    return HOIST_OK;
}

// {"library": "lib.so", "ulib_to_ucode_version": "1.21.1.0", "functions": [...]}. Nothing of a
// library is ever loaded.
static hoist_status send_library(const neff_info_writer *w, const neff_subgraph *s,
                                 hoist_json_index library)
{
    const hoist_json *const json = &s->def.json;
    hoist_str file;
    hoist_str version;
    uint32_t member = NEFF_NONE;
    HOIST_TRY(neff_tape_str(json, library, "library", w->arena, &file));
    HOIST_TRY(neff_tape_str(json, library, "ulib_to_ucode_version", w->arena, &version));
    if (file.size) {
        HOIST_TRY(neff_member_resolve(w->module, w->arena, s->folder, file, &member));
    }
    if (file.size && member == NEFF_NONE) { // or one of the archive's root [inferred]
        HOIST_TRY(neff_member_resolve(w->module, w->arena, HOIST_STR(""), file, &member));
    }
    hoist_tree_map(w->sink, "");
    send_text(w, "library", file);
    send_text(w, "ucode_version", version);
    if (member == NEFF_NONE) {
        hoist_tree_unknown(w->sink, "bytes", HOIST_UNIT_BYTES);
    } else {
        neff_info_bytes(w->sink, "bytes", w->module->members[member].bytes.size);
    }
    const hoist_status status = send_functions(w, json, library);
    hoist_tree_end(w->sink);
    return status;
}

// How the value holds libraries is not public: one of them, a list, or an object by name
// [inferred]; items of other kinds are passed over.
static hoist_status send_value(const neff_info_writer *w, const neff_subgraph *s,
                               hoist_json_index value)
{
    const hoist_json *const json = &s->def.json;
    const bool list = neff_tape_is(json, value, HOIST_JSON_ARRAY);
    const bool object = neff_tape_is(json, value, HOIST_JSON_OBJECT);
    if (object && neff_tape_find(json, value, "library")) {
        return send_library(w, s, value);
    }
    const uint32_t count = list || object ? hoist_json_size(json, value) : 0;
    hoist_json_index at = value + 1;
    for (uint32_t i = 0; i < count; i++) {
        const hoist_json_index item = list ? at : hoist_json_next(json, at);
        if (hoist_json_kind_of(json, item) == HOIST_JSON_OBJECT) {
            HOIST_TRY(send_library(w, s, item));
        }
        at = hoist_json_next(json, item);
    }
    return HOIST_OK;
}

// Both keys that the loader knows; `count` only decides whether people see the list.
static hoist_status send_libraries(const neff_info_writer *w, const neff_subgraph *s)
{
    static const char *const keys[] = {"ucode_lib", "ext_isa_ucode_lib_def"};
    hoist_json_index values[HOIST_COUNT_OF(keys)] = {0};
    size_t count = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
        values[i] = s->def.json.count ? neff_tape_find(&s->def.json, 0, keys[i]) : 0;
        count += values[i] != 0;
    }
    neff_info_list(w->sink, "custom_op_libraries", count);
    for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
        HOIST_TRY(send_value(w, s, values[i]));
    }
    neff_info_end(w->sink);
    return HOIST_OK;
}

hoist_status neff_info_loaded(const neff_info_writer *w, const neff_subgraph *subgraph)
{
    HOIST_TRY(send_loads(w, subgraph));
    return send_libraries(w, subgraph);
}
