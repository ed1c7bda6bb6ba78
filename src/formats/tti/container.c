// The archive: members by name, and the folder of the image in it. In goes the module with its
// bytes, out come `tar`, `members`, `root` and the members that have names of their own; state.c
// reads device.json, after which tti_name_roles() fills in what that names.
//
// Nothing here touches the bytes of members, so that listing a file of any size stays cheap.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/part_name.h"
#include "formats/tti/tti.h"

#define BINARIES "backend_build_binaries/"
#define TENSORS "tensors/"
#define SOURCES "module_files/"
#define CONFIG_NAME "compile_and_runtime_config.json"

const char *const tti_role_names[TTI_ROLE_COUNT] = {
    [TTI_ROLE_STATE] = "state",   [TTI_ROLE_CONFIG] = "config", [TTI_ROLE_NETLIST] = "netlist",
    [TTI_ROLE_TENSOR] = "tensor", [TTI_ROLE_PICKLE] = "pickle", [TTI_ROLE_BINARY] = "binary",
    [TTI_ROLE_SOURCE] = "source", [TTI_ROLE_OTHER] = "other",
};

uint32_t tti_member_find(const tti_module *module, hoist_str name)
{
    size_t index = 0;
    return hoist_map_find(&module->names, name, &index) ? (uint32_t)index : TTI_NONE;
}

hoist_str tti_last_part(hoist_str path)
{
    size_t start = path.size;
    while (start > 0 && path.data[start - 1] != '/') {
        start--;
    }
    return hoist_str_slice(path, start, path.size - start);
}

void tti_enter(const tti_module *module, hoist_diag *diag, uint32_t member)
{
    hoist_diag_source(diag, hoist_diag_file(diag),
                      member == TTI_NONE ? HOIST_STR("") : module->members[member].name);
}

hoist_status tti_member_below(tti_module *module, const char *folder, hoist_str name,
                              uint32_t *out_member)
{
    const hoist_str root = module->root;
    const size_t size = strlen(folder);
    char *const path = hoist_arena_alloc(&module->arena, root.size + size + name.size + 1);
    *out_member = TTI_NONE;
    HOIST_TRY_MEMORY(path);
    if (!name.size) { // memcpy takes no NULL, which an empty name may have
        return HOIST_OK;
    }
    memcpy(path, root.data, root.size);
    memcpy(path + root.size, folder, size);
    memcpy(path + root.size + size, name.data, name.size);
    *out_member = tti_member_find(module, (hoist_str){path, root.size + size + name.size});
    return HOIST_OK;
}

// Members -----------------------------------------------------------------------------------------

// A leading "./" is what tar writes of "." as the folder to pack.
static hoist_str without_dot(hoist_str name)
{
    while (hoist_str_starts_with(name, "./")) {
        name = hoist_str_slice(name, 2, name.size - 2);
    }
    return name;
}

// Files become members; a link's target is another member at best, and is not followed.
static hoist_status take_member(tti_module *m, const hoist_tar_member *tar, hoist_diag *diag)
{
    const hoist_loc place = hoist_loc_byte(tar->header_at);
    const char *const why = hoist_part_unsafe(tar->name);
    if (why) {
        hoist_report(diag, tti_rule_row(TTI_003), place,
                     "the name of member '%.*s' %s, expected a relative path that stays below its "
                     "folder",
                     HOIST_STR_ARGS(tar->name), why);
    }
    if (tar->type == HOIST_TAR_FOLDER) {
        return HOIST_OK;
    }
    if (tar->type != HOIST_TAR_FILE) {
        hoist_report(diag, tti_rule_row(TTI_005), place,
                     "member '%.*s' is %s, expected files and folders; it is left out",
                     HOIST_STR_ARGS(tar->name),
                     tar->type == HOIST_TAR_LINK ? "a link" : "neither file nor folder");
        return HOIST_OK;
    }
    size_t first = 0;
    const hoist_str name = without_dot(tar->name);
    const hoist_status status = hoist_map_add(&m->names, name, m->member_count, &first);
    if (status == HOIST_BUSY) {
        hoist_report(diag, tti_rule_row(TTI_004), place,
                     "member '%.*s' is there again, the first is at +0x%" PRIx64,
                     HOIST_STR_ARGS(name), m->members[first].tar->header_at);
        return HOIST_OK;
    }
    m->members[m->member_count++] =
        (tti_member){.name = name, .bytes = tar->data, .tar = tar, .role = TTI_ROLE_OTHER};
    return status;
}

// The folder of device.json: "unzipped_tti/", as the writer calls it, or any other.
static void find_root(tti_module *m)
{
    m->state_at = tti_member_find(m, HOIST_STR("unzipped_tti/" TTI_STATE_NAME));
    for (uint32_t i = 0; i < m->member_count && m->state_at == TTI_NONE; i++) {
        if (hoist_str_equal_c(tti_last_part(m->members[i].name), TTI_STATE_NAME)) {
            m->state_at = i;
        }
    }
    m->root = HOIST_STR("");
    if (m->state_at != TTI_NONE) {
        const hoist_str name = m->members[m->state_at].name;
        m->root = hoist_str_slice(name, 0, name.size - tti_last_part(name).size);
    }
}

// The backend unpacks zip archives, too; the writer has never made one.
static bool is_zip(const tti_module *m)
{
    return hoist_str_starts_with((hoist_str){(const char *)m->file.data, m->file.size},
                                 "PK\x03\x04");
}

hoist_status tti_read_container(tti_module *m, hoist_diag *diag)
{
    const hoist_tar_options options = {.rules = {.broken = tti_rule_row(TTI_001),
                                                 .end = tti_rule_row(TTI_002),
                                                 .limit = tti_rule_row(TTI_001)},
                                       .deadline = m->base.deadline};
    if (is_zip(m) || !m->file.size) { // of no bytes at all the codec reports nothing
        return hoist_fail(diag, HOIST_INVALID, tti_rule_row(TTI_001), hoist_loc_byte(0),
                          "the file is %s, expected a tar archive",
                          m->file.size ? "a zip archive" : "empty");
    }
    HOIST_TRY(hoist_tar_read(m->file, &options, &m->arena, diag, &m->tar));
    // As many as there are headers: folders leave places at the end unused.
    m->members = hoist_arena_array(&m->arena, m->tar.count, sizeof(m->members[0]));
    HOIST_TRY_MEMORY(m->members);
    for (size_t i = 0; i < m->tar.count; i++) {
        HOIST_TRY(hoist_deadline_look(m->base.deadline));
        HOIST_TRY(take_member(m, &m->tar.members[i], diag));
    }
    find_root(m);
    return HOIST_OK;
}

// Roles -------------------------------------------------------------------------------------------

// By the name below the folder of the image; netlists are what device.json calls so.
static tti_role role_of(hoist_str name)
{
    static const struct {
        const char *start;
        const char *end;
        tti_role role;
    } rows[] = {
        // the first that fits
        {TTI_STATE_NAME, TTI_STATE_NAME, TTI_ROLE_STATE},
        {CONFIG_NAME, CONFIG_NAME, TTI_ROLE_CONFIG},
        {"", ".pkl", TTI_ROLE_PICKLE},
        {TENSORS, "", TTI_ROLE_TENSOR},
        {BINARIES, "", TTI_ROLE_BINARY},
        {SOURCES, "", TTI_ROLE_SOURCE},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        if (hoist_str_starts_with(name, rows[i].start) && hoist_str_ends_with(name, rows[i].end)) {
            return rows[i].role;
        }
    }
    return TTI_ROLE_OTHER;
}

// Descriptors are named from the archive's folder on; images of one's own settings have none, and
// the backend then takes the file of this name that it has written itself.
static hoist_status find_descriptor(tti_module *m, hoist_str path, const char *usual,
                                    uint32_t *out_member)
{
    *out_member = path.size ? tti_member_find(m, path) : TTI_NONE;
    return *out_member == TTI_NONE
               ? tti_member_below(m, BINARIES, hoist_str_from(usual), out_member)
               : HOIST_OK;
}

static hoist_status find_named(tti_module *m)
{
    const tti_settings *const settings = &m->state.settings;
    const hoist_str netlist = tti_last_part(m->state.graph.netlist.text);
    HOIST_TRY(tti_member_below(m, "", HOIST_STR(CONFIG_NAME), &m->config_at));
    HOIST_TRY(find_descriptor(m, settings->cluster.text, "cluster_desc.yaml", &m->cluster_at));
    HOIST_TRY(find_descriptor(m, settings->device.text, "device_desc.yaml", &m->device_at));
    if (!netlist.size) {
        return HOIST_OK;
    }
    HOIST_TRY(tti_member_below(m, "", netlist, &m->netlist_at));
    return tti_member_below(m, BINARIES, netlist, &m->built_at);
}

hoist_status tti_name_roles(tti_module *m)
{
    HOIST_TRY(find_named(m));
    for (uint32_t i = 0; i < m->member_count; i++) {
        const hoist_str name = m->members[i].name;
        const size_t root = m->root.size;
        const bool is_below =
            name.size >= root && hoist_str_equal(hoist_str_slice(name, 0, root), m->root);
        m->members[i].role = i == m->netlist_at || i == m->built_at ? TTI_ROLE_NETLIST
                             : is_below ? role_of(hoist_str_slice(name, root, name.size - root))
                                        : TTI_ROLE_OTHER;
    }
    return HOIST_OK;
}
