// What `info` and `dump` send of an image: who made it, for which device, its inputs, outputs and
// tensors, and its members. In: a module, possibly one with errors. Out: tree events.
#include "base/span.h"
#include "codec/hash.h"
#include "formats/tti/tti.h"

static void send_strs(hoist_tree_sink *sink, const char *key, const hoist_rec_strs *list)
{
    hoist_tree_short_list(sink, key);
    for (size_t i = 0; i < list->count; i++) {
        hoist_tree_str(sink, "", list->items[i].text);
    }
    hoist_tree_end(sink);
}

static void send_ints(hoist_tree_sink *sink, const char *key, const hoist_rec_ints *list)
{
    hoist_tree_short_list(sink, key);
    for (size_t i = 0; i < list->count; i++) {
        hoist_tree_int(sink, "", list->items[i].value);
    }
    hoist_tree_end(sink);
}

static void send_member_name(const tti_module *m, const char *key, uint32_t member,
                             hoist_tree_sink *sink)
{
    hoist_tree_maybe_str(sink, key,
                         member == TTI_NONE ? (hoist_str){NULL, 0} : m->members[member].name);
}

// Of `info`
// -----------------------------------------------------------------------------------------

static void send_image(const tti_module *m, hoist_tree_sink *sink)
{
    const tti_state *const s = &m->state;
    hoist_tree_map(sink, "image");
    hoist_tree_maybe_str(sink, "name", s->name.text);
    hoist_tree_maybe_str(sink, "graph", s->graph.name.text);
    hoist_tree_maybe_str(sink, "version", s->version.text);
    hoist_tree_maybe_str(sink, "pybuda_version", s->pybuda_version.text);
    hoist_tree_maybe_str(sink, "pybuda_commit", s->pybuda_commit.text);
    hoist_tree_maybe_str(sink, "backend_commit", s->backend_commit.text);
    hoist_tree_maybe_str(sink, "arch", s->arch.text);
    hoist_tree_maybe_str(sink, "backend", s->backend.text);
    send_ints(sink, "chips", &s->chips);
    send_ints(sink, "grid", &s->grid);
    send_ints(sink, "harvested_rows", &s->harvested_rows);
    hoist_tree_bool(sink, "training", s->training.value);
    hoist_tree_int(sink, "microbatch_size", s->microbatch_size.value);
    hoist_tree_int(sink, "microbatch_count", s->microbatch_count.value);
    send_member_name(m, "netlist", m->netlist_at, sink);
    send_member_name(m, "soc", m->device_at, sink);
    send_member_name(m, "cluster", m->cluster_at, sink);
    hoist_tree_end(sink);
}

// The same in `info` and `dump`.
static void send_tensor(const tti_module *m, const tti_tensor *tensor, hoist_tree_sink *sink)
{
    const bool is_there = tensor->member != TTI_NONE;
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", tensor->name);
    hoist_tree_c(sink, "kind", tensor->is_parameter ? "parameter" : "constant");
    hoist_tree_maybe_str(sink, "format", tensor->format.text);
    send_ints(sink, "shape", &tensor->shape);
    hoist_tree_c(sink, "stored", tti_storage_names[tensor->storage]);
    hoist_tree_maybe_uint(sink, "size_bytes", is_there,
                          is_there ? m->members[tensor->member].bytes.size : 0, HOIST_UNIT_BYTES);
    hoist_tree_end(sink);
}

static void send_tensors(const tti_module *m, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "tensors");
    for (uint32_t i = 0; i < m->tensor_count; i++) {
        send_tensor(m, &m->tensors[i], sink);
    }
    hoist_tree_end(sink);
}

// Members by role: an image may have thousands of binaries.
static void send_sums(const tti_module *m, hoist_tree_sink *sink)
{
    uint64_t files[TTI_ROLE_COUNT] = {0};
    uint64_t bytes[TTI_ROLE_COUNT] = {0};
    for (uint32_t i = 0; i < m->member_count; i++) {
        files[m->members[i].role]++;
        bytes[m->members[i].role] += m->members[i].bytes.size;
    }
    hoist_tree_list(sink, "members");
    for (unsigned role = 0; role < TTI_ROLE_COUNT; role++) {
        if (files[role]) {
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "role", tti_role_names[role]);
            hoist_tree_uint(sink, "files", files[role], HOIST_UNIT_NONE);
            hoist_tree_uint(sink, "size_bytes", bytes[role], HOIST_UNIT_BYTES);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
}

hoist_status tti_info(const hoist_module *module, const hoist_check_options *options,
                      hoist_diag *diag, hoist_tree_sink *sink)
{
    const tti_module *const m = tti_of(module);
    (void)options;
    (void)diag;
    send_image(m, sink);
    send_strs(sink, "host_inputs", &m->state.graph.inputs);
    send_strs(sink, "host_outputs", &m->state.graph.outputs);
    send_tensors(m, sink);
    send_sums(m, sink);
    return sink->status;
}

// Of `dump` ---------------------------------------------------------------------------------------

// The bytes of device.json are not sent again: `state` has all of them, in a form that can be
// compared.
static hoist_status send_member(const tti_module *m, uint32_t index, hoist_tree_sink *sink)
{
    const tti_member *const member = &m->members[index];
    const bool is_shown = index == m->state_at && m->json.count;
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", member->name);
    hoist_tree_c(sink, "role", tti_role_names[member->role]);
    hoist_tree_uint(sink, "offset", member->tar->data_at, HOIST_UNIT_NONE);
    const hoist_status status =
        is_shown ? HOIST_OK : hoist_tree_digest(sink, HOIST_STR("content"), member->bytes);
    hoist_tree_end(sink);
    return status;
}

// device.json as it is, with all keys; members by their digests, since they may be gigabytes.
static hoist_status send_all(const tti_module *m, const hoist_dump_options *options,
                             hoist_arena *arena, hoist_tree_sink *sink)
{
    hoist_json_cursor cursor = {0};
    const hoist_json_sending how = {.arena = arena, .cursor = options->positions ? &cursor : NULL};
    send_member_name(m, "netlist", m->netlist_at, sink);
    if (m->json.count) {
        HOIST_TRY(hoist_json_send(&m->json, 0, HOIST_STR("state"), &how, sink));
    }
    send_tensors(m, sink);
    hoist_tree_list(sink, "members");
    for (uint32_t i = 0; i < m->member_count; i++) {
        HOIST_TRY(send_member(m, i, sink));
        HOIST_TRY(hoist_deadline_look(m->base.deadline));
    }
    hoist_tree_end(sink);
    return sink->status;
}

hoist_status tti_visit(const hoist_module *module, const hoist_dump_options *options,
                       hoist_tree_sink *sink)
{
    const tti_module *const m = tti_of(module);
    hoist_arena arena;
    hoist_arena_init(&arena, module->alloc);
    hoist_tree_map(sink, options->key ? options->key : "");
    hoist_status status = send_all(m, options, &arena, sink);
    status = status == HOIST_OK && options->tail ? options->tail(options->tail_self, sink) : status;
    hoist_tree_end(sink);
    hoist_arena_deinit(&arena);
    return status == HOIST_OK ? sink->status : status;
}
