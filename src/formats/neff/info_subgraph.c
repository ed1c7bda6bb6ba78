// The variables of a subgraph and the memory they take (neff reference 4.1): by type, by area, the
// scratchpads, and the constants. In go the rows of def.json, out come parts of `hoist info`;
// scratchpads.c and memory_use.c do the sums.
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/info.h"

// Variables ---------------------------------------------------------------------------------------

// Counts and bytes by type, in the order of types; unknown ones last.
static void send_variables(const neff_info_writer *w, const neff_subgraph *s)
{
    uint64_t counts[NEFF_VAR_TYPE_COUNT + 1] = {0};
    uint64_t bytes[NEFF_VAR_TYPE_COUNT + 1] = {0};
    for (uint32_t i = 0; i < s->var_count; i++) {
        const int type = s->vars[i].type >= 0 ? s->vars[i].type : NEFF_VAR_TYPE_COUNT;
        counts[type]++;
        // A size below 0 counts as 0.
        bytes[type] = neff_sum(bytes[type], neff_size(s->vars[i].size));
    }
    neff_info_list(w->sink, "variables", s->var_count);
    for (int i = 0; i <= NEFF_VAR_TYPE_COUNT; i++) {
        if (counts[i]) {
            hoist_tree_map(w->sink, "");
            hoist_tree_c(w->sink, "type",
                         i < NEFF_VAR_TYPE_COUNT ? neff_var_types.names[i] : "unknown");
            neff_info_count(w->sink, "count", counts[i]);
            if (i == NEFF_VAR_STATE_BUFFER) {
                // Names of one window: a sum would be wrong.
                hoist_tree_unknown(w->sink, "bytes", HOIST_UNIT_BYTES);
            } else {
                neff_info_bytes(w->sink, "bytes", bytes[i]);
            }
            hoist_tree_end(w->sink);
        }
    }
    neff_info_end(w->sink);
}

// Memory ------------------------------------------------------------------------------------------

// One area: its uses and their sum. Tensors are the caller's memory, all else the runtime's.
static void send_area(const neff_info_writer *w, neff_fabric fabric, const uint64_t *uses)
{
    static const char *const keys[NEFF_USE_COUNT] = {
        [NEFF_USE_TENSORS] = "tensor_bytes", [NEFF_USE_CONSTANTS] = "constant_bytes",
        [NEFF_USE_BUFFERS] = "buffer_bytes", [NEFF_USE_TABLES] = "table_bytes",
        [NEFF_USE_OTHER] = "other_bytes",    [NEFF_USE_SCRATCHPAD] = "scratchpad_bytes",
    };
    uint64_t total = 0;
    hoist_tree_map(w->sink, "");
    hoist_tree_c(w->sink, "area", neff_fabrics.names[fabric]);
    for (int i = NEFF_USE_TENSORS; i < NEFF_USE_COUNT; i++) {
        const bool shown = uses[i] || i != NEFF_USE_OTHER; // hardly any file has others
        w->sink->audience = shown ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
        neff_info_bytes(w->sink, keys[i], uses[i]);
        total = neff_sum(total, uses[i]);
    }
    w->sink->audience = HOIST_TREE_FOR_ALL;
    neff_info_bytes(w->sink, "total_bytes", total);
    hoist_tree_end(w->sink);
}

// Only areas that have variables.
static void send_memory(const neff_info_writer *w, const neff_subgraph *s,
                        const neff_scratchpad *pads, uint32_t pad_count)
{
    neff_area areas[NEFF_FABRIC_COUNT];
    neff_areas(s, pads, pad_count, areas);
    neff_info_list(w->sink, "memory", areas[NEFF_FABRIC_MAIN].used + areas[NEFF_FABRIC_ALT].used);
    for (int f = 0; f < NEFF_FABRIC_COUNT; f++) {
        if (areas[f].used) {
            send_area(w, (neff_fabric)f, areas[f].bytes);
        }
    }
    neff_info_end(w->sink);
}

// `saved_bytes`: what the slices would take more if none of them shared bytes.
static void send_scratchpads(const neff_info_writer *w, const neff_scratchpad *pads, uint32_t count)
{
    neff_info_list(w->sink, "scratchpads", count);
    for (uint32_t i = 0; i < count; i++) {
        hoist_tree_map(w->sink, "");
        hoist_tree_c(w->sink, "area", neff_fabrics.names[pads[i].fabric]);
        w->sink->audience = pads[i].buffer.size ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
        hoist_tree_str(w->sink, "backing_buf", pads[i].buffer);
        w->sink->audience = HOIST_TREE_FOR_ALL;
        neff_info_count(w->sink, "slices", pads[i].count);
        neff_info_bytes(w->sink, "extent_bytes", pads[i].extent);
        neff_info_bytes(w->sink, "sum_bytes", pads[i].sum);
        neff_info_bytes(w->sink, "saved_bytes", pads[i].sum - pads[i].covered);
        hoist_tree_end(w->sink);
    }
    neff_info_end(w->sink);
}

// Constants ---------------------------------------------------------------------------------------

static int compare_members(const void *left, const void *right)
{
    return hoist_order_u64(*(const uint32_t *)left, *(const uint32_t *)right);
}

// The members that variables name, sorted: each as often as it is named, missing ones as NEFF_NONE
// at the end.
static hoist_status list_constants(const neff_info_writer *w, const neff_subgraph *s,
                                   uint32_t **out_members, size_t *out_count)
{
    *out_count = 0;
    *out_members = hoist_arena_array(w->arena, s->var_count, sizeof(**out_members));
    for (uint32_t i = 0; *out_members && i < s->var_count; i++) {
        if (s->vars[i].type == NEFF_VAR_FILE) {
            (*out_members)[(*out_count)++] = s->vars[i].member;
        }
    }
    if (*out_count) {
        qsort(*out_members, *out_count, sizeof(**out_members), compare_members);
    }
    return *out_members ? HOIST_OK : HOIST_NO_MEMORY;
}

// Each member once, however many variables name it: the bytes are those of the file.
static hoist_status send_constants(const neff_info_writer *w, const neff_subgraph *s)
{
    const neff_module *const m = w->module;
    uint32_t *named = NULL;
    size_t variables = 0;
    uint64_t members = 0;
    uint64_t arrays = 0;
    uint64_t missing = 0;
    uint64_t bytes = 0;
    HOIST_TRY(list_constants(w, s, &named, &variables));
    for (size_t i = 0; i < variables; i++) {
        const neff_member *const member = named[i] != NEFF_NONE ? &m->members[named[i]] : NULL;
        missing += !member;
        if (member && (i == 0 || named[i] != named[i - 1])) { // the first of equal ones
            members++;
            arrays += hoist_str_ends_with(member->name, ".npy");
            bytes += member->bytes.size;
        }
    }
    w->sink->audience = variables ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_map(w->sink, "constants");
    neff_info_count(w->sink, "variables", variables);
    neff_info_count(w->sink, "members", members);
    neff_info_count(w->sink, "npy_arrays", arrays);
    neff_info_count(w->sink, "missing", missing);
    neff_info_bytes(w->sink, "bytes", bytes);
    neff_info_end(w->sink);
    return HOIST_OK;
}

hoist_status neff_info_memory(const neff_info_writer *w, const neff_subgraph *subgraph)
{
    const neff_scratchpad *pads = NULL;
    uint32_t pad_count = 0;
    HOIST_TRY(neff_scratchpads(subgraph, w->arena, &pads, &pad_count));
    send_variables(w, subgraph);
    send_memory(w, subgraph, pads, pad_count);
    send_scratchpads(w, pads, pad_count);
    return send_constants(w, subgraph);
}
