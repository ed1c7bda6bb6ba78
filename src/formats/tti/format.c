// The row of the format: sniffing, reading in its order, freeing, and the netlist that is the
// content. load/formats.c has the row in its table.
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/tti/tti.h"

// The writer packs one folder, whose name begins the first header; images that were packed again
// are known by their ending. 10 for that alone, so that a damaged file is still taken for one.
static int sniff(hoist_bytes head, hoist_str file_name)
{
    static const char folder[] = "unzipped_tti/";
    const bool by_name = hoist_str_ends_with(file_name, ".tti");
    const hoist_str text = {(const char *)head.data, head.size};
    if (!hoist_tar_is(head)) {
        return by_name ? 10 : 0;
    }
    const bool by_folder = hoist_str_starts_with(text, folder) ||
                           (hoist_str_starts_with(text, "./") &&
                            hoist_str_starts_with(hoist_str_slice(text, 2, text.size - 2), folder));
    return by_folder ? 95 : by_name ? 60 : 0;
}

static void destroy(hoist_module *module)
{
    if (module) {
        tti_module *const m = (tti_module *)module;
        const hoist_allocator alloc = module->alloc;
        hoist_json_free(&m->json);
        hoist_map_deinit(&m->names);
        hoist_arena_deinit(&m->arena);
        hoist_free(alloc, m, sizeof(*m));
    }
}

// What device.json names is found also when it could not be read: then by names alone.
static hoist_status read_all(tti_module *m, const hoist_read_options *options, hoist_diag *diag)
{
    HOIST_TRY(tti_read_container(m, diag));
    if (!options->container_only) {
        HOIST_TRY(tti_read_state(m, diag));
    }
    return tti_name_roles(m);
}

static hoist_status read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                         hoist_module **out_module)
{
    *out_module = NULL;
    if (!options->keep) {
        return HOIST_INTERNAL; // members are slices of the bytes
    }
    tti_module *const m = hoist_alloc_zero(options->alloc, 1, sizeof(*m));
    HOIST_TRY_MEMORY(m);
    m->base = (hoist_module){
        .format = &hoist_tti_format, .alloc = options->alloc, .deadline = options->deadline};
    m->file = bytes;
    m->state_at = m->config_at = m->netlist_at = TTI_NONE;
    m->built_at = m->cluster_at = m->device_at = TTI_NONE;
    hoist_arena_init(&m->arena, options->alloc);
    hoist_map_init(&m->names, options->alloc);
    const hoist_status status = read_all(m, options, diag);
    if (status != HOIST_OK) {
        destroy(&m->base);
        return status;
    }
    *out_module = &m->base;
    return HOIST_OK;
}

// A member for check options that take a text with its name; empty: there is none.
static hoist_held_text text_of(const tti_module *m, uint32_t member)
{
    return member == TTI_NONE
               ? (hoist_held_text){{"", 0}, {NULL, 0}}
               : (hoist_held_text){m->members[member].name, m->members[member].bytes};
}

hoist_status tti_held(const hoist_module *module, hoist_held *out_held)
{
    const tti_module *const m = tti_of(module);
    *out_held = (hoist_held){.format = "buda",
                             .file = text_of(m, m->netlist_at),
                             .soc = text_of(m, m->device_at),
                             .cluster = text_of(m, m->cluster_at)};
    return m->netlist_at == TTI_NONE ? HOIST_NOT_FOUND : HOIST_OK;
}

// Byte for byte as it was read, whatever is wrong with it.
static hoist_status write_file(const hoist_module *module, hoist_buffer *out)
{
    hoist_buffer_add(out, tti_of(module)->file);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// For people: device.json, which is text; the rest of an image is not.
static hoist_status send_text(const hoist_module *module, const hoist_piece_sink *sink)
{
    const tti_module *const m = tti_of(module);
    if (m->state_at == TTI_NONE) {
        return HOIST_OK;
    }
    const hoist_bytes state = m->members[m->state_at].bytes;
    return sink->piece(sink->self, (hoist_str){(const char *)state.data, state.size});
}

static const hoist_rule_set *const rule_sets[] = {&hoist_tti_rules, NULL};

// Who made an image, and the order and places of its members, do not count when two are compared.
static const hoist_diff_rule diff_rules[] = {
    {"members", "name"},
    {"members/*/offset", NULL},
    {"tensors", "name"},
    {"state/pybuda_pip_version_id", NULL},
    {"state/pybuda_commit_hash", NULL},
    {"state/budabackend_commit_hash", NULL},
    {NULL, NULL},
};

const hoist_format hoist_tti_format = {
    .name = "tti",
    .title = "PyBuda device image (TTI)",
    .rule_sets = rule_sets,
    .keeps_bytes = true,   // members are slices of the file
    .max_bytes = SIZE_MAX, // only the machine limits it
    // That of the netlist in it, and of device.json: tokens and rows of short texts.
    .memory = {.base = (size_t)64 << 20, .factor = 64},
    .sniff = sniff,
    .read = read,
    .destroy = destroy,
    .check = tti_check,
    .visit = tti_visit,
    .info = tti_info,
    .write = write_file,
    .text = send_text,
    .diff_rules = diff_rules,
    .shows_broken = true,
    .unpack = tti_unpack,
    .recover = tti_recover,
    .held = tti_held,
};
