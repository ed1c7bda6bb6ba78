// The instructions of a subgraph, counted, and the tables that its engines use (neff reference 5,
// 6.3, 6.4). In go streams and engine files, out come the lists "instructions", "activation_sets"
// and "dve_tables" of `hoist info`.
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/info.h"
#include "formats/neff/stream.h"
#include "formats/neff/tape.h"

enum { CODES = 256 }; // all values of the opcode byte

// Instructions ------------------------------------------------------------------------------------

typedef struct code_count {
    uint8_t code;
    uint64_t count;
} code_count;

// Most frequent first, then by code, so that equal counts have one order.
static int compare_counts(const void *left, const void *right)
{
    const code_count *const a = left;
    const code_count *const b = right;
    const int order = hoist_order_u64(b->count, a->count);
    return order ? order : hoist_order_u64(a->code, b->code);
}

// One engine's opcodes. Only the first byte of each record is read: streams may be large.
static void send_mix(const neff_info_writer *w, const neff_engine *engine)
{
    code_count counts[CODES];
    for (int i = 0; i < CODES; i++) {
        counts[i] = (code_count){(uint8_t)i, 0};
    }
    const hoist_bytes bytes = w->module->members[engine->instr].bytes;
    for (size_t at = 0; bytes.size - at >= NEFF_RECORD_SIZE; at += NEFF_RECORD_SIZE) {
        counts[bytes.data[at]].count++;
    }
    qsort(counts, CODES, sizeof(counts[0]), compare_counts);
    for (int i = 0; i < CODES && counts[i].count; i++) {
        static const char *const classes[] = {
            [NEFF_CLASS_PE] = "pe",           [NEFF_CLASS_ACT] = "act",
            [NEFF_CLASS_VECTOR] = "vector",   [NEFF_CLASS_CONTROL] = "control",
            [NEFF_CLASS_DGE] = "dge",         [NEFF_CLASS_PSEUDO] = "pseudo",
            [NEFF_CLASS_INVALID] = "invalid",
        };
        const neff_opcode *const row = neff_opcode_find(counts[i].code, w->generation);
        hoist_tree_map(w->sink, "");
        hoist_tree_c(w->sink, "engine", neff_engines[engine->id].key);
        if (row) {
            hoist_tree_c(w->sink, "instruction", row->name);
        } else {
            hoist_tree_str(w->sink, "instruction",
                           hoist_arena_format(w->arena, "opcode 0x%02x", counts[i].code));
        }
        // An opcode of another generation, too.
        hoist_tree_c(w->sink, "class", row ? classes[row->kind] : "unknown");
        neff_info_count(w->sink, "count", counts[i].count);
        hoist_tree_end(w->sink);
    }
}

static void send_instructions(const neff_info_writer *w, const neff_subgraph *s)
{
    size_t count = 0;
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const uint32_t member = s->engines[e].instr;
        count += member != NEFF_NONE ? w->module->members[member].bytes.size / NEFF_RECORD_SIZE : 0;
    }
    neff_info_list(w->sink, "instructions", count);
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        if (s->engines[e].instr != NEFF_NONE) {
            send_mix(w, &s->engines[e]);
        }
    }
    neff_info_end(w->sink);
}

// Activation function sets ------------------------------------------------------------------------

static bool contains(hoist_str text, hoist_str part) // byte by byte; names are short
{
    for (size_t i = 0; part.size && i + part.size <= text.size; i++) {
        if (hoist_str_equal(hoist_str_slice(text, i, part.size), part)) {
            return true;
        }
    }
    return false;
}

// Members of the subgraph's folder whose names contain that of the set, called "possible": which of
// them belong to it is not public (6.3).
static void send_possible(const neff_info_writer *w, const neff_subgraph *s, hoist_str set)
{
    const neff_module *const m = w->module;
    hoist_tree_short_list(w->sink, "possible_members");
    for (uint32_t i = 0; i < m->member_count; i++) {
        const hoist_str name = m->members[i].name;
        const hoist_str rest = hoist_str_slice(name, s->folder.size, name.size);
        // A name outside of the folder differs there.
        if (hoist_str_equal(hoist_str_slice(name, 0, s->folder.size), s->folder) &&
            contains(rest, set)) {
            hoist_tree_str(w->sink, "", rest);
        }
    }
    hoist_tree_end(w->sink);
}

static void send_function_sets(const neff_info_writer *w, const neff_subgraph *s)
{
    const neff_strs sets = s->engines[NEFF_ACT].function_sets;
    neff_info_list(w->sink, "activation_sets", sets.count);
    for (uint32_t i = 0; i < sets.count; i++) {
        hoist_tree_map(w->sink, "");
        hoist_tree_str(w->sink, "name", sets.items[i]);
        send_possible(w, s, sets.items[i]);
        hoist_tree_end(w->sink);
    }
    neff_info_end(w->sink);
    // The single description of older files, in place of sets.
    w->sink->audience =
        s->engines[NEFF_ACT].act_info.size ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_str(w->sink, "act_info", s->engines[NEFF_ACT].act_info);
    w->sink->audience = HOIST_TREE_FOR_ALL;
}

// DVE tables --------------------------------------------------------------------------------------

// The files that one object of `dve_tables` names, whatever its keys: newer writers have others.
static hoist_status send_table_files(const neff_info_writer *w, const neff_subgraph *s,
                                     const hoist_json *json, hoist_json_index object)
{
    const uint32_t size =
        hoist_json_kind_of(json, object) == HOIST_JSON_OBJECT ? hoist_json_size(json, object) : 0;
    hoist_json_index at = object + 1;
    for (uint32_t i = 0; i < size; i++) {
        const hoist_json_index value = hoist_json_next(json, at);
        if (hoist_json_kind_of(json, value) == HOIST_JSON_STRING) {
            const hoist_str key = hoist_json_string(json, at, w->arena);
            const hoist_str file = hoist_json_string(json, value, w->arena);
            HOIST_TRY_MEMORY(key.data && file.data);
            uint32_t member = NEFF_NONE;
            HOIST_TRY(neff_member_resolve(w->module, w->arena, s->folder, file, &member));
            hoist_tree_map(w->sink, "");
            hoist_tree_str(w->sink, "table", key);
            hoist_tree_str(w->sink, "file", file);
            if (member == NEFF_NONE) { // missing: rule 74a
                hoist_tree_unknown(w->sink, "bytes", HOIST_UNIT_BYTES);
            } else {
                neff_info_bytes(w->sink, "bytes", w->module->members[member].bytes.size);
            }
            hoist_tree_end(w->sink);
        }
        at = hoist_json_next(json, value);
    }
    return HOIST_OK;
}

// One list over all objects: key, file and size of each table.
static hoist_status send_tables(const neff_info_writer *w, const neff_subgraph *s)
{
    const hoist_json *const json = &s->engines[NEFF_DVE].text.json;
    const hoist_json_index tables = json->count ? neff_tape_find(json, 0, "dve_tables") : 0;
    const uint32_t count =
        neff_tape_is(json, tables, HOIST_JSON_ARRAY) ? hoist_json_size(json, tables) : 0;
    hoist_json_index item = tables + 1;
    neff_info_list(w->sink, "dve_tables", count);
    for (uint32_t i = 0; i < count; i++) {
        HOIST_TRY(send_table_files(w, s, json, item));
        item = hoist_json_next(json, item);
    }
    neff_info_end(w->sink);
    return HOIST_OK;
}

hoist_status neff_info_streams(const neff_info_writer *w, const neff_subgraph *subgraph)
{
    send_instructions(w, subgraph);
    send_function_sets(w, subgraph);
    return send_tables(w, subgraph);
}
