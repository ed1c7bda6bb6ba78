// A file from parts (neff reference 10): with a manifest as it says, else with the defaults of the
// vendor's compiler and what info.json and the members contain. In go parts (files of a folder or
// of a program), out come the bytes of a NEFF; manifest_read.c, redact.c, features.c and compose.c
// do parts of it, unpack.c is the inverse. Equal parts give equal bytes.
#include "formats/neff/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/features.h"
#include "formats/neff/tape.h"
#include "formats/part_name.h"

typedef struct packer {
    const hoist_part *parts;
    size_t count;
    const hoist_pack_options *options; // borrowed
    hoist_diag *diag;
    hoist_arena arena;
    hoist_map names; // path to index of the part
    neff_manifest manifest;
    neff_module *module;       // of the parts; NULL: not looked for
    hoist_tar_member *members; // arena; in the archive's order
    size_t member_count;
    bool *taken; // arena; by part: it is in `members`, or is not to be
} packer;

static const hoist_rule *rule_of(neff_pack_rule rule)
{
    return &hoist_neff_pack_rules.rules[rule];
}

// NULL: there is no part of that path.
static const hoist_part *find_part(const packer *p, const char *path)
{
    size_t index = 0;
    return hoist_map_find(&p->names, hoist_str_from(path), &index) ? &p->parts[index] : NULL;
}

// Parts become members: their names are checked as a reader would check them (rules 17 and 18).
static hoist_status check_names(packer *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const hoist_str path = p->parts[i].path;
        const char *const why = hoist_part_unsafe(path);
        if (why) {
            hoist_report(p->diag, rule_of(NEFF_PACK_NAMES), hoist_loc_none(),
                         "the name '%.*s' %s, expected a relative path that stays below its folder",
                         HOIST_STR_ARGS(path), why);
            continue;
        }
        const hoist_status status = hoist_map_add(&p->names, path, i, NULL);
        if (status == HOIST_BUSY) {
            hoist_report(p->diag, rule_of(NEFF_PACK_NAMES), hoist_loc_none(),
                         "two parts have the name '%.*s'", HOIST_STR_ARGS(path));
        } else if (status != HOIST_OK) {
            return status;
        }
    }
    // A warning: a folder without the graph may be meant as it is.
    if (!find_part(p, "neff.json") && !find_part(p, "kelp.json")) {
        hoist_report(p->diag, rule_of(NEFF_PACK_ENTRY), hoist_loc_none(),
                     "the folder has no neff.json: no loader can begin with what is packed");
    }
    return HOIST_OK;
}

// What the members say of each other --------------------------------------------------------------

// Reads the parts as a module, for their roles; what is wrong in them is for `hoist check` to
// report. Roles decide the order of members and what redaction empties.
static hoist_status look_inside(packer *p)
{
    const hoist_read_options options = {.alloc = p->arena.alloc, .keep = true};
    p->module = neff_module_create(p->arena.alloc, (hoist_bytes){NULL, 0});
    HOIST_TRY_MEMORY(p->module);
    HOIST_ASSERT(p->parts || p->count == 0);
    p->module->members =
        hoist_arena_array(&p->module->arena, p->count, sizeof(p->module->members[0]));
    HOIST_TRY_MEMORY(p->module->members);
    for (size_t i = 0; i < p->count; i++) {
        // Names were checked: none is there twice.
        p->module->members[i] = (neff_member){.name = p->parts[i].path, .bytes = p->parts[i].bytes};
        HOIST_TRY(hoist_map_add(&p->module->member_names, p->parts[i].path, i, NULL));
    }
    p->module->member_count = (uint32_t)p->count;
    neff_reader r = {.module = p->module, .arena = &p->module->arena, .options = &options};
    const hoist_status status = neff_read_members(&r);
    // A limit would leave roles unknown.
    return status == HOIST_NO_MEMORY || status == HOIST_LIMIT ? status : HOIST_OK;
}

// UNKNOWN also when the inside was not read.
static neff_role role_of(const packer *p, hoist_str path)
{
    const uint32_t at = p->module ? neff_member_find(p->module, path) : NEFF_NONE;
    return at == NEFF_NONE ? NEFF_ROLE_UNKNOWN : p->module->members[at].role;
}

// Order ------------------------------------------------------------------------------------------

// A part with its place in the order of the recipe.
typedef struct sorted_part {
    const hoist_part *part;
    unsigned rank;
} sorted_part;

// The recipe's order: graph, kelfs, definitions, engines, streams, and everything else by name.
static unsigned rank_of(const packer *p, hoist_str path)
{
    static const neff_role ranks[] = {NEFF_ROLE_GRAPH, NEFF_ROLE_KELF, NEFF_ROLE_DEF,
                                      NEFF_ROLE_ENGINE, NEFF_ROLE_STREAM};
    const neff_role role = role_of(p, path);
    unsigned i = 0;
    while (i < HOIST_COUNT_OF(ranks) && ranks[i] != role) {
        i++;
    }
    return i; // after all that have a rank
}

// By rank, then by bytes of the path: never by the order of parts, which depends on file systems.
static int compare_parts(const void *left, const void *right)
{
    const sorted_part *a = left;
    const sorted_part *b = right;
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1)
                              : hoist_str_compare(a->part->path, b->part->path);
}

// `like` has the attributes of the tar header; NULL for a folder, which has no bytes.
static void add_member(packer *p, const hoist_tar_member *like, hoist_str name,
                       const hoist_part *part)
{
    hoist_tar_member *const member = &p->members[p->member_count++];
    *member = *like;
    member->name = name;
    member->data = part ? part->bytes : (hoist_bytes){NULL, 0};
}

// Members of the manifest's list, in its order: those whose file is still there, and folders. A
// file that is gone is left out with a warning; one that is new comes after (add_others).
static hoist_status add_listed(packer *p)
{
    for (size_t i = 0; i < p->manifest.member_count; i++) {
        const hoist_tar_member *const like = &p->manifest.members[i];
        size_t index = 0;
        const hoist_str path = neff_part_path(&p->arena, like->name); // as unpacking named the file
        HOIST_TRY_MEMORY(path.data);
        const char *const why = hoist_part_unsafe(like->name);
        if (why) {
            hoist_report(p->diag, rule_of(NEFF_PACK_NAMES), hoist_loc_none(),
                         "the manifest's member '%.*s' %s", HOIST_STR_ARGS(like->name), why);
        } else if (like->type == HOIST_TAR_FOLDER) {
            add_member(p, like, like->name, NULL);
        } else if (!hoist_map_find(&p->names, path, &index)) {
            const hoist_str file = hoist_diag_file(p->diag);
            hoist_diag_source(p->diag, HOIST_STR(NEFF_MANIFEST_NAME), HOIST_STR(""));
            hoist_report(p->diag, rule_of(NEFF_PACK_MEMBERS), hoist_loc_none(),
                         "the member '%.*s' is not in the folder and is left out",
                         HOIST_STR_ARGS(like->name));
            hoist_diag_source(p->diag, file, HOIST_STR(""));
            // The manifest itself is taken from the start: it never becomes a member.
        } else if (p->taken[index] && !hoist_str_equal_c(path, NEFF_MANIFEST_NAME)) {
            const hoist_str file = hoist_diag_file(p->diag);
            hoist_diag_source(p->diag, HOIST_STR(NEFF_MANIFEST_NAME), HOIST_STR(""));
            hoist_report(p->diag, rule_of(NEFF_PACK_MANIFEST), hoist_loc_none(),
                         "the member '%.*s' is listed twice", HOIST_STR_ARGS(like->name));
            hoist_diag_source(p->diag, file, HOIST_STR(""));
        } else if (!p->taken[index]) {
            p->taken[index] = true;
            add_member(p, like, like->name, &p->parts[index]);
        }
    }
    return HOIST_OK;
}

// Parts that no manifest lists, in the recipe's order, with the attributes that members have in
// common.
static hoist_status add_others(packer *p)
{
    sorted_part *const sorted = hoist_arena_array(&p->arena, p->count, sizeof(sorted[0]));
    size_t count = 0;
    HOIST_TRY_MEMORY(sorted);
    for (size_t i = 0; i < p->count; i++) {
        if (!p->taken[i]) {
            sorted[count++] = (sorted_part){&p->parts[i], rank_of(p, p->parts[i].path)};
        }
    }
    qsort(sorted, count, sizeof(sorted[0]), compare_parts);
    for (size_t i = 0; i < count; i++) {
        enum { EXECUTABLE = 0755 };
        hoist_tar_member like = p->manifest.plain; // mode, owner, time, dialect
        like.mode = sorted[i].part->executable ? EXECUTABLE : like.mode;
        like.mtime = p->options->has_time ? p->options->time : like.mtime;
        add_member(p, &like, sorted[i].part->path, sorted[i].part);
    }
    return HOIST_OK;
}

// Redaction replaces bytes and attributes of members, or drops them.
static hoist_status redact_members(packer *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->member_count; i++) {
        bool drop = false;
        const hoist_str path = neff_part_path(&p->arena, p->members[i].name);
        // Roles are by the part's path.
        HOIST_TRY(path.data ? neff_redact(&p->members[i], role_of(p, path), &p->arena, &drop)
                            : HOIST_NO_MEMORY);
        p->members[kept] = p->members[i];
        kept += drop ? 0 : 1;
    }
    p->member_count = kept;
    return HOIST_OK;
}

// At most all parts and all of the manifest's folders.
static hoist_status order_members(packer *p)
{
    const size_t most = p->count + p->manifest.member_count;
    p->members = hoist_arena_array(&p->arena, most, sizeof(p->members[0]));
    HOIST_TRY_MEMORY(p->members);
    HOIST_TRY(add_listed(p));
    HOIST_TRY(add_others(p));
    return p->options->redact ? redact_members(p) : HOIST_OK;
}

// Header -----------------------------------------------------------------------------------------

// True when the manifest states the field: then nothing else sets it.
static bool is_given(const packer *p, neff_header_field field)
{
    return p->manifest.present >> field & 1;
}

static void set_default(packer *p, neff_header_field field, uint64_t value)
{
    if (!is_given(p, field)) {
        neff_header_set_number(&p->manifest.header, field, value);
    }
}

// A NUL-padded text, which needs one byte for the NUL.
static void set_text(packer *p, neff_header_field field, hoist_str text)
{
    uint8_t *const slot = neff_header_mut_bytes(&p->manifest.header, field);
    const size_t space = neff_header_rows[field].size;
    if (text.size >= space) {
        hoist_report(p->diag, rule_of(NEFF_PACK_VALUES), hoist_loc_none(),
                     "the %s has %zu bytes, expected at most %zu", neff_header_rows[field].name,
                     text.size, space - 1);
        return;
    }
    memset(slot, 0, space);
    memcpy(slot, text.data, text.size);
}

// A value of info.json that does not fit the header's field; the field keeps its default.
static void report_info(const packer *p, const hoist_json *json, hoist_json_index at,
                        const char *key, const char *expected)
{
    hoist_report(p->diag, rule_of(NEFF_PACK_VALUES), hoist_loc_pos(hoist_json_pos(json, at)),
                 "%s is %.*s, expected %s", key, HOIST_STR_ARGS(hoist_json_text(json, at)),
                 expected);
}

// tpb_per_node: a list of bytes.
static void take_list(packer *p, const hoist_json *json, hoist_json_index list)
{
    const neff_header_row *const row = &neff_header_rows[NEFF_H_TPB_PER_NODE];
    uint8_t *const slot = neff_header_mut_bytes(&p->manifest.header, NEFF_H_TPB_PER_NODE);
    const bool fits =
        neff_tape_is(json, list, HOIST_JSON_ARRAY) && hoist_json_size(json, list) <= row->size;
    hoist_json_index item = list + 1;
    if (!fits) { // 64, the header's array
        report_info(p, json, list, row->name, "a list of at most 64 numbers");
    }
    for (uint32_t i = 0; fits && i < hoist_json_size(json, list); i++) {
        uint64_t value = 0;
        if (hoist_json_u64(json, item, &value) && value <= UINT8_MAX) {
            slot[i] = (uint8_t)value;
        } else {
            report_info(p, json, item, row->name, "numbers from 0 to 255 in it");
        }
        item = hoist_json_next(json, item);
    }
}

// One field of info.json, whose keys are of the same meaning [inferred from 1.6: their spelling is
// not public]; others keep their default.
static hoist_status take_info(packer *p, const hoist_json *json, neff_header_field field)
{
    const neff_header_row *const row = &neff_header_rows[field];
    const hoist_json_index at = neff_tape_find(json, 0, row->name);
    uint64_t number = 0;
    if (at == 0 || is_given(p, field)) { // the manifest goes before
        return HOIST_OK;
    }
    if (row->kind == NEFF_HEADER_U32) {
        if (hoist_json_u64(json, at, &number) && number <= UINT32_MAX) {
            neff_header_set_number(&p->manifest.header, field, number);
        } else {
            report_info(p, json, at, row->name, "a number from 0 to 4294967295");
        }
    } else if (field == NEFF_H_TPB_PER_NODE) {
        take_list(p, json, at);
    } else if (neff_tape_is(json, at, HOIST_JSON_STRING)) {
        const hoist_str text = hoist_json_string(json, at, &p->arena);
        HOIST_TRY_MEMORY(text.data);
        set_text(p, field, text);
    } else {
        report_info(p, json, at, row->name, "a string");
    }
    return HOIST_OK;
}

static const neff_header_field info_fields[] = {NEFF_H_NAME, NEFF_H_NUM_TPB,
                                                NEFF_H_REQUESTED_TPB_COUNT, NEFF_H_TPB_PER_NODE};

static hoist_status take_fields(packer *p, const hoist_json *json)
{
    if (hoist_json_kind_of(json, 0) != HOIST_JSON_OBJECT) {
        report_info(p, json, 0, "info.json", "an object");
        return HOIST_OK;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(info_fields); i++) {
        HOIST_TRY(take_info(p, json, info_fields[i]));
    }
    return HOIST_OK;
}

// Findings are in info.json. It is not read when the manifest has all that it could state.
static hoist_status read_info(packer *p)
{
    const hoist_part *const info = find_part(p, "info.json");
    const hoist_str file = hoist_diag_file(p->diag);
    bool incomplete = false;
    hoist_json json;
    for (size_t i = 0; i < HOIST_COUNT_OF(info_fields); i++) {
        incomplete = incomplete || !is_given(p, info_fields[i]);
    }
    if (!info || !incomplete) {
        return HOIST_OK;
    }
    hoist_diag_source(p->diag, info->path, HOIST_STR(""));
    hoist_status status = hoist_json_read(info->bytes, NULL, p->arena.alloc, p->diag, &json);
    if (status == HOIST_OK) {
        status = take_fields(p, &json);
        hoist_json_free(&json);
    }
    hoist_diag_source(p->diag, file, HOIST_STR("")); // findings after this are in the caller's file
    return status;
}

// Without a manifest the bits are those that the content calls for, of two possible ones the row's
// own.
static hoist_status find_features(packer *p)
{
    neff_feature_facts facts;
    if (!p->module || is_given(p, NEFF_H_FEATURE_BITS)) {
        return HOIST_OK;
    }
    p->module->header.lnc_size = p->manifest.header.lnc_size; // one of the facts is about it
    HOIST_TRY(neff_find_features(p->module, neff_generation_of_file(p->module), &p->arena, &facts));
    for (neff_feature i = 0; i < NEFF_FEATURE_COUNT; i++) {
        if (facts.found[i].size) {
            p->manifest.header.feature_bits |= UINT64_C(1) << neff_feature_table[i].bit;
        }
    }
    return HOIST_OK;
}

// Subgraphs of a logical core are 1 or 2; more are serial cores of Inferentia 1, a logical core
// each.
static uint32_t guess_lnc(const packer *p)
{
    return p->module && p->module->subgraph_count == 2 ? 2 : 1;
}

// The order matters: features depend on lnc_size, the major version on features.
static hoist_status fill_header(packer *p)
{
    neff_header *const h = &p->manifest.header;
    const uint32_t asked = p->options->pkg_version;
    set_default(p, NEFF_H_PKG_VERSION, 2);
    set_default(p, NEFF_H_HEADER_SIZE, NEFF_HEADER_SIZE);
    set_default(p, NEFF_H_NUM_TPB, 1);
    set_default(p, NEFF_H_REQUESTED_TPB_COUNT, 1);
    set_default(p, NEFF_H_LNC_SIZE, guess_lnc(p));
    HOIST_TRY(find_features(p));
    set_default(p, NEFF_H_VERSION_MAJOR, h->feature_bits ? 2 : 1); // the compiler's rule [inferred]
    if (!is_given(p, NEFF_H_NAME)) {
        set_text(p, NEFF_H_NAME, HOIST_STR("file.neff"));
    }
    if (!is_given(p, NEFF_H_BUILD_VERSION) || p->options->redact) { // build paths are private
        set_text(p, NEFF_H_BUILD_VERSION, HOIST_STR("0"));
    }
    HOIST_TRY(read_info(p));
    // --pkg-version: another packaging than the manifest's makes its archive settings void.
    if (asked) {
        p->manifest.has_archive = p->manifest.has_archive && asked == h->pkg_version;
        h->pkg_version = asked;
    }
    if (h->pkg_version != 1 && h->pkg_version != 2) {
        hoist_report(p->diag, rule_of(NEFF_PACK_VALUES), hoist_loc_none(),
                     "pkg_version is %llu, expected 1 or 2", (unsigned long long)h->pkg_version);
    }
    return HOIST_OK;
}

// All together -----------------------------------------------------------------------------------

// All of the manifest's archive settings but those that options replace.
static hoist_status compose(packer *p, hoist_buffer *out)
{
    neff_archive archive = p->manifest.archive;
    archive.deadline = p->options->deadline;
    neff_header *const header = &p->manifest.header;
    archive.members = p->members;
    archive.count = p->member_count;
    // As 1.2 pairs them.
    archive.gzip = p->manifest.has_archive ? archive.gzip : header->pkg_version == 2;
    archive.level = p->options->has_level ? p->options->level : archive.level;
    const size_t start = out->size;
    HOIST_TRY(neff_compose(header, &archive, out));
    // Only now, as the identity follows from the digest.
    if (!is_given(p, NEFF_H_UUID)) {
        neff_make_uuid(header);
        neff_write_header(header, out->data + start);
    }
    return HOIST_OK;
}

// Without the part there is an empty manifest, with defaults.
static hoist_status read_manifest(packer *p)
{
    const hoist_str file = hoist_diag_file(p->diag);
    const hoist_part *const part = find_part(p, NEFF_MANIFEST_NAME);
    const hoist_bytes text = part ? part->bytes : (hoist_bytes){NULL, 0};
    const hoist_status status = neff_manifest_read(text, &p->arena, p->diag, &p->manifest);
    hoist_diag_source(p->diag, file, HOIST_STR(""));
    if (part) { // it is no member
        p->taken[part - p->parts] = true;
    }
    return status;
}

// Findings are collected as long as possible: names first, then manifest and header together.
static hoist_status pack_all(packer *p, hoist_buffer *out)
{
    const size_t errors = hoist_diag_count(p->diag, HOIST_ERROR);
    if (p->options->has_level && (p->options->level < 0 || p->options->level > 9)) {
        hoist_report(p->diag, rule_of(NEFF_PACK_VALUES), hoist_loc_none(),
                     "the level is %d, expected 0 to 9", p->options->level);
    }
    HOIST_TRY(check_names(p));
    if (hoist_diag_count(p->diag, HOIST_ERROR) > errors) {
        return HOIST_INVALID;
    }
    p->taken = hoist_arena_array(&p->arena, p->count, sizeof(p->taken[0]));
    HOIST_TRY(p->taken ? read_manifest(p) : HOIST_NO_MEMORY);
    // With a complete manifest order and bits are given, and looking inside would cost what reading
    // does.
    if (!find_part(p, NEFF_MANIFEST_NAME) || p->options->redact) {
        HOIST_TRY(look_inside(p));
    }
    HOIST_TRY(fill_header(p));
    HOIST_TRY(order_members(p));
    return hoist_diag_count(p->diag, HOIST_ERROR) > errors ? HOIST_INVALID : compose(p, out);
}

hoist_status neff_pack(const hoist_part *parts, size_t count, const hoist_pack_options *options,
                       hoist_diag *diag, hoist_buffer *out)
{
    packer p = {.parts = parts, .count = count, .options = options, .diag = diag};
    hoist_arena_init(&p.arena, out->alloc);
    hoist_map_init(&p.names, out->alloc);
    // May replace parts by more.
    hoist_status status = neff_assemble_parts(&p.arena, diag, &p.parts, &p.count);
    if (status == HOIST_OK) {
        status = pack_all(&p, out);
    }
    if (p.module) {
        neff_destroy(&p.module->base);
    }
    hoist_map_deinit(&p.names);
    hoist_arena_deinit(&p.arena);
    return status;
}
