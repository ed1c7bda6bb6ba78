// The summary of a NEFF, as tree events: the vendor viewer's columns first (neff reference 1.6),
// then the runtimes and devices that load the file, its tensors, and each subgraph. In goes a
// module, possibly one with errors, out come the documents of `hoist info`; info.h names the files
// with the parts.
#include "formats/neff/info.h"

#include <stdio.h>

#include "formats/neff/tape.h"

// Header ------------------------------------------------------------------------------------------

// The largest rank that a list of lists names; -1: none.
static int64_t largest_rank(const hoist_json *json, hoist_json_index list)
{
    int64_t most = -1;
    // Everything inside the list is after it on the tape, so nesting of any depth is one loop.
    for (hoist_json_index i = list + 1; i < json->tokens[list].next; i++) {
        int64_t rank = 0;
        if (hoist_json_i64(json, i, &rank) && rank > most) {
            most = rank;
        }
    }
    return most;
}

// How many ranks take part in collectives, as far as the subgraphs state it; 0: they do not.
// A world size and the largest rank may disagree: the larger one is needed.
static uint64_t participants(const neff_module *module)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < module->subgraph_count; i++) {
        const hoist_json *const json = &module->subgraphs[i].def.json;
        const hoist_json_index size = json->count ? neff_tape_find(json, 0, "#rank_world_size") : 0;
        const hoist_json_index groups = json->count ? neff_tape_find(json, 0, "replica_groups") : 0;
        int64_t world = 0;
        if (size && hoist_json_i64(json, size, &world) && world > 0 && (uint64_t)world > count) {
            count = (uint64_t)world;
        }
        const int64_t rank = groups ? largest_rank(json, groups) : -1;
        if (rank >= 0 && (uint64_t)rank >= count) {
            count = (uint64_t)rank + 1;
        }
    }
    return count;
}

// Columns of the vendor's viewer (1.6), with a few of our own between them.
static void send_header(const neff_info_writer *w)
{
    const neff_header *const h = &w->module->header;
    const uint32_t lnc = neff_header_lnc(h);
    const uint64_t ranks = participants(w->module);
    hoist_tree_map(w->sink, "header");
    hoist_tree_str(w->sink, "network_name", neff_header_text(h->name, sizeof(h->name)));
    neff_send_hex(w->sink, "uuid", (hoist_bytes){h->uuid, sizeof(h->uuid)});
    hoist_hash_kind kind = HOIST_HASH_SHA256;
    const bool known = neff_hash_kind(w->module->header.pkg_version, &kind) == HOIST_OK;
    // 32 bytes of unknown meaning.
    const size_t size = known ? hoist_hash_size(kind) : sizeof(w->module->header.hash);
    neff_send_hex(w->sink, "hash", (hoist_bytes){w->module->header.hash, size});
    hoist_tree_c(w->sink, "hash_verdict",
                 !w->hash_known ? "unknown" : (w->hash_right ? "right" : "wrong"));
    const uint64_t bits = w->module->header.feature_bits;
    hoist_tree_short_list(w->sink, "enabled_features");
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *const name = neff_features[bit].name;
        char unnamed[16];
        // Bits without a name are shown as "bit 18".
        if (!(bits >> bit & 1)) {
            continue;
        }
        if (!name) {
            (void)snprintf(unnamed, sizeof(unnamed), "bit %u", bit);
        }
        hoist_tree_c(w->sink, "", name ? name : unnamed);
    }
    hoist_tree_end(w->sink);
    hoist_tree_uint(w->sink, "feature_bits", h->feature_bits, HOIST_UNIT_ADDRESS);
    neff_info_bytes(w->sink, "header_size_bytes", h->header_size);
    neff_info_bytes(w->sink, "data_size_bytes", h->data_size);
    neff_info_count(w->sink, "major_version", h->version_major);
    neff_info_count(w->sink, "minor_version", h->version_minor);
    neff_info_count(w->sink, "package_version", h->pkg_version);
    hoist_tree_str(w->sink, "build_version",
                   neff_header_text(h->build_version, sizeof(h->build_version)));
    // null and not 0: nothing states it.
    if (ranks) {
        neff_info_count(w->sink, "cc_participant_count", ranks);
    } else {
        hoist_tree_null(w->sink, "cc_participant_count");
    }
    neff_info_count(w->sink, "neuroncore_count", h->num_tpb);
    // Rounded up: a last one may be incomplete.
    neff_info_count(w->sink, "logical_neuroncore_count", (h->num_tpb + lnc - 1) / lnc);
    neff_info_count(w->sink, "pcore_count_per_lnc", lnc);
    neff_info_count(w->sink, "requested_tpb_count", h->requested_tpb_count);
    hoist_tree_end(w->sink);
}

// The target as the kelf spells it, and the generation that follows from it or from --target.
static void send_target(const neff_info_writer *w, const hoist_check_options *options)
{
    const hoist_target target = neff_target(&w->module->base, options);
    hoist_tree_map(w->sink, "target");
    if (w->module->kelf_count) {
        hoist_tree_str(w->sink, "spelling", w->module->kelfs[0].target);
    } else {
        hoist_tree_null(w->sink, "spelling");
    }
    if (target.arch) {
        hoist_tree_c(w->sink, "chosen", target.arch);
        hoist_tree_c(w->sink, "source", target.source);
    } else {
        hoist_tree_null(w->sink, "chosen");
    }
    hoist_tree_end(w->sink);
}

// Contents ----------------------------------------------------------------------------------------

// Members by role, in the order of roles; those that nothing refers to come last.
static void send_archive(const neff_info_writer *w)
{
    const neff_module *const m = w->module;
    uint64_t counts[NEFF_ROLE_COUNT] = {0};
    uint64_t bytes[NEFF_ROLE_COUNT] = {0};
    for (uint32_t i = 0; i < m->member_count; i++) {
        counts[m->members[i].role]++;
        bytes[m->members[i].role] += m->members[i].bytes.size;
    }
    hoist_tree_map(w->sink, "archive");
    hoist_tree_c(w->sink, "kind", m->gzip ? "gzip" : "tar");
    neff_info_bytes(w->sink, "tar_bytes", m->archive.size);
    neff_info_count(w->sink, "files", m->member_count);
    hoist_tree_list(w->sink, "members");
    // One round more for UNKNOWN, which is 0.
    for (int i = NEFF_ROLE_GRAPH; i <= NEFF_ROLE_COUNT; i++) {
        const neff_role role = i < NEFF_ROLE_COUNT ? (neff_role)i : NEFF_ROLE_UNKNOWN;
        if (counts[role]) {
            hoist_tree_map(w->sink, "");
            hoist_tree_c(w->sink, "role", neff_role_name(role));
            neff_info_count(w->sink, "count", counts[role]);
            neff_info_bytes(w->sink, "bytes", bytes[role]);
            hoist_tree_end(w->sink);
        }
    }
    hoist_tree_end(w->sink);
    hoist_tree_end(w->sink);
}

// An input or output of the graph. Without a known dtype the bytes are unknown.
static void send_tensor(const neff_info_writer *w, const neff_entry *entry, const char *usage)
{
    const neff_dtype_row *const dtype = entry->dtype >= 0 ? &neff_dtypes[entry->dtype] : NULL;
    uint64_t bytes = dtype ? dtype->bytes : 0;
    for (uint32_t i = 0; i < entry->shape.count; i++) {
        bytes = neff_product(bytes, neff_size(entry->shape.items[i])); // extents below 0 count as 0
    }
    hoist_tree_map(w->sink, "");
    hoist_tree_str(w->sink, "name", entry->name);
    hoist_tree_c(w->sink, "usage", usage);
    hoist_tree_maybe_c(w->sink, "dtype", dtype ? dtype->name : NULL);
    neff_send_ints(w->sink, "shape", entry->shape);
    if (dtype) {
        neff_info_bytes(w->sink, "bytes", bytes);
    } else {
        hoist_tree_unknown(w->sink, "bytes", HOIST_UNIT_BYTES);
    }
    hoist_tree_end(w->sink);
}

// Inputs first, then outputs, each in the order of entries. An entry may be both.
static void send_tensors(const neff_info_writer *w)
{
    const neff_graph *const graph = &w->module->graph;
    size_t count = 0;
    for (uint32_t i = 0; i < graph->entry_count; i++) {
        count += graph->entries[i].is_input || graph->entries[i].is_output;
    }
    neff_info_list(w->sink, "tensors", count);
    for (uint32_t i = 0; i < graph->entry_count; i++) {
        if (graph->entries[i].is_input) {
            send_tensor(w, &graph->entries[i], "input");
        }
    }
    for (uint32_t i = 0; i < graph->entry_count; i++) {
        if (graph->entries[i].is_output) {
            send_tensor(w, &graph->entries[i], "output");
        }
    }
    neff_info_end(w->sink);
}

static hoist_status send_parts(const neff_info_writer *w, const neff_subgraph *subgraph)
{
    hoist_tree_map(w->sink, "");
    hoist_tree_str(w->sink, "name", subgraph->name);
    neff_send_member(w->sink, "definition", w->module, subgraph->def.member);
    HOIST_TRY(neff_info_memory(w, subgraph));
    HOIST_TRY(neff_info_state_buffer(w, subgraph));
    HOIST_TRY(neff_info_dma(w, subgraph));
    HOIST_TRY(neff_info_streams(w, subgraph));
    HOIST_TRY(neff_info_loaded(w, subgraph));
    hoist_tree_end(w->sink);
    return w->sink->status;
}

// With scratch of its own: a file may have thousands, and each is done when it is sent.
static hoist_status send_subgraph(const neff_info_writer *w, const neff_subgraph *subgraph)
{
    hoist_arena arena;
    neff_info_writer own = *w;
    own.arena = &arena;
    hoist_arena_init(&arena, w->module->base.alloc);
    const hoist_status status = send_parts(&own, subgraph);
    hoist_arena_deinit(&arena);
    return status;
}

// The order of keys is that of the schema (schemas/hoist.info-1).
static hoist_status send_all(const neff_info_writer *w, const hoist_check_options *options)
{
    send_header(w);
    send_target(w, options);
    HOIST_TRY(neff_info_loads(w));
    send_archive(w);
    send_tensors(w);
    neff_info_list(w->sink, "subgraphs", w->module->subgraph_count);
    for (uint32_t i = 0; i < w->module->subgraph_count; i++) {
        HOIST_TRY(send_subgraph(w, &w->module->subgraphs[i]));
    }
    neff_info_end(w->sink);
    return w->sink->status;
}

hoist_status neff_info(const hoist_module *module, const hoist_check_options *options,
                       hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)diag; // nothing is reported: `info` shows broken files, too
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    hoist_arena arena;
    bool given = false;
    neff_info_writer w = {.module = neff_of(module), .arena = &arena, .sink = sink};
    w.generation = neff_generation_for(w.module, options, &given);
    // The result of the comparison is part of the summary: no finding.
    hoist_status status = neff_verify_hash(w.module, NULL, digest, &w.hash_right);
    w.hash_known = status == HOIST_OK; // other digests, or a build without them
    if (status == HOIST_NO_MEMORY) {
        return status;
    }
    hoist_arena_init(&arena, module->alloc);
    status = send_all(&w, options);
    hoist_arena_deinit(&arena);
    return status;
}
