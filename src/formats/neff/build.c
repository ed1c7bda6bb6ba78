// The builder's file (hoist/neff.h): options, members, header and archive. In go the caller's
// structs, out comes a file of bytes; build_def.c, build_engine.c and build_graph.c make the JSON
// that members hold, build_write.c its text, compose.c header and archive. Nothing is checked
// against the format's rules, so that callers can make files that break them.
#include "formats/neff/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "formats/part_name.h"

// Options ----------------------------------------------------------------------------------------

// Replaces a text of the caller by a copy; HOIST_INVALID when it has more than `most` bytes.
static hoist_status copy_text(hoist_neff *neff, const char **text, size_t most)
{
    if (!*text) {
        return HOIST_OK;
    }
    const hoist_str own = hoist_arena_str(&neff->arena, hoist_str_from(*text));
    *text = own.data;
    return !own.data ? HOIST_NO_MEMORY : own.size <= most ? HOIST_OK : HOIST_INVALID;
}

// The same for an array whose size the header fixes.
static hoist_status copy_bytes(hoist_neff *neff, const uint8_t **bytes, size_t size)
{
    if (!*bytes) {
        return HOIST_OK;
    }
    uint8_t *const own = hoist_arena_alloc(&neff->arena, size);
    HOIST_TRY_MEMORY(own);
    memcpy(own, *bytes, size);
    *bytes = own;
    return HOIST_OK;
}

// Copies the options, then makes what every file has: the graph and the kelf, both without content
// until later calls.
static hoist_status set_up(hoist_neff *neff)
{
    hoist_neff_options *const o = &neff->options;
    if (o->pkg_version > 2 || o->level < 0 || o->level > 9 ||
        (unsigned)o->order > HOIST_NEFF_ORDER_REVERSED) {
        return HOIST_INVALID;
    }
    // One byte for the NUL.
    HOIST_TRY(copy_text(neff, &o->name, neff_header_rows[NEFF_H_NAME].size - 1));
    // The build version may fill its field, without a NUL at the end; rule 8 warns of it.
    HOIST_TRY(copy_text(neff, &o->build_version, neff_header_rows[NEFF_H_BUILD_VERSION].size));
    HOIST_TRY(copy_text(neff, &o->target, SIZE_MAX));
    HOIST_TRY(copy_bytes(neff, &o->uuid, neff_header_rows[NEFF_H_UUID].size));
    HOIST_TRY(copy_bytes(neff, &o->tpb_per_node, neff_header_rows[NEFF_H_TPB_PER_NODE].size));
    neff_maker *const m = neff_build_begin(neff);
    neff->graph_keys = neff_make_map(m, NULL, NULL);
    neff->entries = neff_make_list(m);
    neff_build_kelf(neff);
    HOIST_TRY(m->status);
    // The graph's text is made anew for each finish; the kelf's tree grows with the subgraphs.
    const neff_build_member graph = {
        .path = HOIST_STR("neff.json"), .source = NEFF_BUILD_GRAPH, .rank = NEFF_RANK_GRAPH};
    const neff_build_member kelf = {.path = HOIST_STR("kelf-0.json"),
                                    .source = NEFF_BUILD_TREE,
                                    .rank = NEFF_RANK_KELF,
                                    .tree = neff->kelf};
    HOIST_TRY(neff_build_add(neff, &graph));
    return neff_build_add(neff, &kelf);
}

hoist_status hoist_neff_create(const hoist_neff_options *options, hoist_neff **out_neff)
{
    hoist_neff_options own;
    *out_neff = NULL;
    // Options of a caller that was built against an older header are shorter.
    HOIST_TRY(hoist_options_read(options, &own, sizeof(own)));
    // The zero value is no allocator.
    const hoist_allocator alloc = own.alloc.resize ? own.alloc : hoist_allocator_system();
    hoist_neff *const neff = hoist_alloc_zero(alloc, 1, sizeof(*neff));
    HOIST_TRY_MEMORY(neff);
    neff->alloc = alloc;
    neff->options = own;
    hoist_arena_init(&neff->arena, alloc);
    hoist_map_init(&neff->member_names, alloc);
    hoist_buffer_init(&neff->file, alloc);
    const hoist_status status = set_up(neff);
    if (status != HOIST_OK) {
        hoist_neff_destroy(neff);
        return status;
    }
    *out_neff = neff;
    return HOIST_OK;
}

void hoist_neff_destroy(hoist_neff *neff)
{
    if (!neff) {
        return;
    }
    // Only streams have memory of their own in a subgraph; all else is in the arena.
    for (size_t i = 0; i < neff->subgraph_count; i++) {
        for (size_t e = 0; e < NEFF_ENGINE_COUNT; e++) {
            hoist_buffer_deinit(&neff->subgraphs[i]->engines[e].stream);
        }
    }
    hoist_free(neff->alloc, neff->subgraphs,
               neff->subgraph_capacity * sizeof(neff_build_subgraph *));
    hoist_free(neff->alloc, neff->members, neff->member_capacity * sizeof(neff->members[0]));
    hoist_map_deinit(&neff->member_names);
    hoist_buffer_deinit(&neff->file);
    hoist_arena_deinit(&neff->arena);
    hoist_free(neff->alloc, neff, sizeof(*neff));
}

// Two subgraphs are taken for the cores of one logical core.
static uint32_t lnc_of(const hoist_neff *neff)
{
    return neff->options.has_lnc_size ? neff->options.lnc_size : neff->subgraph_count == 2 ? 2 : 1;
}

// From content, from options, and the logical core, which is known only when all subgraphs are
// there.
static uint64_t features_of(const hoist_neff *neff)
{
    const uint64_t lnc = lnc_of(neff) > 1 ? UINT64_C(1) << NEFF_BIT_LNC : 0;
    return neff->features | neff->options.feature_bits | lnc;
}

// Members ----------------------------------------------------------------------------------------

// Also a dropped one; NULL: there is none of that path.
static neff_build_member *find(hoist_neff *neff, const char *path)
{
    size_t index = 0;
    return hoist_map_find(&neff->member_names, hoist_str_from(path), &index) ? &neff->members[index]
                                                                             : NULL;
}

// The bytes are copied: the caller's may be gone when the file is made.
static hoist_status make_member(hoist_neff *neff, const char *path, hoist_bytes bytes,
                                neff_build_member *out_member)
{
    uint8_t *const own = hoist_arena_alloc(&neff->arena, bytes.size);
    HOIST_TRY_MEMORY(own);
    if (bytes.size) {
        memcpy(own, bytes.data, bytes.size);
    }
    *out_member = (neff_build_member){
        .path = hoist_str_from(path), .bytes = {own, bytes.size}, .rank = NEFF_RANK_OTHER};
    return HOIST_OK;
}

// A path that was dropped before may be added again.
hoist_status hoist_neff_add_member(hoist_neff *neff, const char *path, hoist_bytes bytes)
{
    neff_build_member member;
    const neff_build_member *const there = find(neff, path);
    if (there) {
        return there->dropped ? hoist_neff_set_member(neff, path, bytes) : HOIST_BUSY;
    }
    HOIST_TRY(make_member(neff, path, bytes, &member));
    return neff_build_add(neff, &member);
}

hoist_status hoist_neff_set_member(hoist_neff *neff, const char *path, hoist_bytes bytes)
{
    neff_build_member member;
    HOIST_TRY(make_member(neff, path, bytes, &member));
    neff_build_member *const there = find(neff, path);
    if (!there) {
        return neff_build_add(neff, &member);
    }
    there->source = NEFF_BUILD_GIVEN; // later calls do not change it
    there->bytes = member.bytes;
    there->dropped = false;
    return HOIST_OK;
}

hoist_status hoist_neff_drop_member(hoist_neff *neff, const char *path)
{
    neff_build_member *const there = find(neff, path);
    if (!there || there->dropped) {
        return HOIST_NOT_FOUND;
    }
    there->dropped = true;
    return HOIST_OK;
}

// Keys can be added to JSON that is made here, not to bytes that the caller gave.
hoist_status hoist_neff_add_keys(hoist_neff *neff, const char *path, hoist_neff_keys keys)
{
    const neff_build_member *const there = find(neff, path);
    neff_made *const root = !there                              ? NULL
                            : there->source == NEFF_BUILD_GIVEN ? NULL
                            : there->source == NEFF_BUILD_GRAPH ? neff->graph_keys
                                                                : there->tree;
    if (!root) {
        return HOIST_NOT_FOUND;
    }
    neff_maker *const m = neff_build_begin(neff);
    neff_put_keys(m, root, keys);
    return m->status;
}

// Names of feature bits are in def.json, too (neff reference 1.5). The list follows from the
// content each time; one that the caller gave as a key stays.
static void put_features(hoist_neff *neff, neff_made *def)
{
    const char *names[HOIST_COUNT_OF(neff_features)];
    size_t count = 0;
    const uint64_t bits = features_of(neff);
    for (size_t i = 0; i < HOIST_COUNT_OF(neff_features); i++) {
        if (bits >> i & 1 && neff_features[i].in_json) {
            names[count++] = neff_features[i].name;
        }
    }
    neff_made *const there = neff_made_find(def, HOIST_STR("neff_features"));
    if (count == 0 || (there && there->given)) {
        return;
    }
    neff_maker *const m = neff_build_begin(neff);
    // Made by an earlier finish: replaced at its place among the keys.
    if (there) {
        neff_made *const next = there->next;
        neff_made *const fresh = neff_make_map(m, NULL, NULL);
        neff_put_names(m, fresh, "neff_features", (hoist_neff_names){names, count});
        if (m->status == HOIST_OK) {
            *there = *fresh->first;
            there->next = next;
        }
    } else {
        neff_put_names(m, def, "neff_features", (hoist_neff_names){names, count});
    }
}

// JSON text of a tree, copied into the arena: it lives as long as the builder.
static hoist_status write_tree(hoist_neff *neff, const neff_made *tree, hoist_bytes *out_bytes)
{
    hoist_buffer text;
    hoist_buffer_init(&text, neff->alloc);
    hoist_status status = neff_made_write(tree, neff->options.compact, neff->options.order, &text);
    if (status == HOIST_OK) {
        const hoist_str own = hoist_arena_str(&neff->arena, hoist_buffer_text(&text));
        *out_bytes = (hoist_bytes){(const uint8_t *)own.data, own.size};
        status = own.data ? HOIST_OK : HOIST_NO_MEMORY;
    }
    hoist_buffer_deinit(&text);
    return status;
}

// A member's bytes now: what is made follows from all calls so far.
static hoist_status bytes_of(hoist_neff *neff, const neff_build_member *member,
                             hoist_bytes *out_bytes)
{
    neff_made *tree = member->tree;
    *out_bytes = member->bytes;
    switch (member->source) {
    case NEFF_BUILD_GIVEN:
        return HOIST_OK;
    case NEFF_BUILD_STREAM:
        *out_bytes = hoist_buffer_bytes(member->stream);
        return HOIST_OK;
    case NEFF_BUILD_GRAPH:
        tree = neff_build_graph(neff);
        HOIST_TRY(neff->maker.status);
        break;
    case NEFF_BUILD_TREE:
        // Only a def.json: in the kelf's tree the key would mean nothing.
        if (member->rank == NEFF_RANK_DEF) {
            put_features(neff, tree);
            HOIST_TRY(neff->maker.status);
        }
        break;
    }
    return write_tree(neff, tree, out_bytes);
}

hoist_status hoist_neff_member(hoist_neff *neff, const char *path, hoist_bytes *out_bytes)
{
    // A member as it would be in the file: for tests and for callers who patch one.
    *out_bytes = (hoist_bytes){NULL, 0};
    const neff_build_member *const there = find(neff, path);
    if (!there || there->dropped) {
        return HOIST_NOT_FOUND;
    }
    neff_build_begin(neff);
    return bytes_of(neff, there, out_bytes);
}

// The file ---------------------------------------------------------------------------------------

// The size was checked in set_up.
static void put_text(neff_header *header, neff_header_field field, const char *text)
{
    memcpy(neff_header_mut_bytes(header, field), text, strlen(text));
}

// Defaults are those of packing a folder (pack.c): 1.2, 1.4 and 1.6 of the reference.
static void make_header(const hoist_neff *neff, neff_header *header)
{
    const hoist_neff_options *const o = &neff->options;
    const uint64_t features = features_of(neff);
    *header = (neff_header){
        .pkg_version = o->pkg_version ? o->pkg_version : 2,
        .header_size = NEFF_HEADER_SIZE,
        .version_major = o->version_major ? o->version_major
                         : features       ? 2
                                          : 1,
        .version_minor = o->version_minor,
        .num_tpb = o->num_tpb ? o->num_tpb : 1,
        .requested_tpb_count = o->requested_tpb_count ? o->requested_tpb_count : 1,
        .feature_bits = features,
        .lnc_size = lnc_of(neff),
    };
    put_text(header, NEFF_H_NAME, o->name ? o->name : "file.neff");
    put_text(header, NEFF_H_BUILD_VERSION, o->build_version ? o->build_version : "0");
    if (o->uuid) {
        memcpy(header->uuid, o->uuid, sizeof(header->uuid));
    }
    if (o->tpb_per_node) {
        memcpy(header->tpb_per_node, o->tpb_per_node, sizeof(header->tpb_per_node));
    }
}

// The archive's order: by rank, then by bytes of the path, whatever order the calls had.
static int by_rank(const void *left, const void *right)
{
    const neff_build_member *const a = *(const neff_build_member *const *)left;
    const neff_build_member *const b = *(const neff_build_member *const *)right;
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : hoist_str_compare(a->path, b->path);
}

// The members in the archive's order; `tars` and `sorted` have capacity for all. Unsafe names are
// reported for all members before anything is written.
static hoist_status order_members(hoist_neff *neff, const neff_build_member **sorted,
                                  hoist_tar_member *tars, hoist_diag *diag, size_t *out_count)
{
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    bool unsafe = false;
    size_t count = 0;
    for (size_t i = 0; i < neff->member_count; i++) {
        const neff_build_member *const member = &neff->members[i];
        const char *const why = hoist_part_unsafe(member->path);
        if (!member->dropped && why) {
            unsafe = true;
            hoist_report(diag, &hoist_neff_pack_rules.rules[NEFF_PACK_NAMES], hoist_loc_none(),
                         "the name '%.*s' %s, expected a relative path that stays below its folder",
                         HOIST_STR_ARGS(member->path), why);
        } else if (!member->dropped) {
            sorted[count++] = member;
        }
    }
    if (unsafe || hoist_diag_count(diag, HOIST_ERROR) > errors) {
        return HOIST_INVALID;
    }
    qsort(sorted, count, sizeof(neff_build_member *), by_rank);
    for (size_t i = 0; i < count; i++) { // `out_count` of them
        tars[i] = neff_plain_member();
        tars[i].name = sorted[i]->path;
        HOIST_TRY(bytes_of(neff, sorted[i], &tars[i].data));
    }
    *out_count = count;
    return HOIST_OK;
}

// As pack.c does it without a manifest; the uuid follows from the digest, so equal calls give equal
// files.
static hoist_status compose(hoist_neff *neff, const hoist_tar_member *tars, size_t count)
{
    neff_header header;
    make_header(neff, &header);
    const neff_archive archive = {.members = tars,
                                  .count = count,
                                  .gzip = header.pkg_version == 2,
                                  .level =
                                      neff->options.has_level ? neff->options.level : NEFF_LEVEL,
                                  .record = NEFF_RECORD,
                                  .payload_record = 1};
    hoist_buffer_deinit(&neff->file); // the caller's view of an earlier file ends here
    hoist_buffer_init(&neff->file, neff->alloc);
    HOIST_TRY(neff_compose(&header, &archive, &neff->file));
    if (!neff->options.uuid) {
        neff_make_uuid(&header);
        neff_write_header(&header, neff->file.data);
    }
    return HOIST_OK;
}

// May be called again after more calls: nothing of the builder changes but features in def.json.
hoist_status hoist_neff_finish(hoist_neff *neff, hoist_diag *diag, hoist_bytes *out_bytes)
{
    size_t count = 0;
    *out_bytes = (hoist_bytes){NULL, 0};
    neff_build_begin(neff);
    const neff_build_member **const sorted =
        hoist_arena_array(&neff->arena, neff->member_count, sizeof(neff_build_member *));
    hoist_tar_member *const tars =
        hoist_arena_array(&neff->arena, neff->member_count, sizeof(tars[0]));
    HOIST_TRY_MEMORY(sorted && tars);
    HOIST_TRY(order_members(neff, sorted, tars, diag, &count));
    HOIST_TRY(compose(neff, tars, count));
    *out_bytes = hoist_buffer_bytes(&neff->file);
    return HOIST_OK;
}
