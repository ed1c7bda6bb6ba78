// A NEFF as files: its members, and the manifest.
#include "base/span.h"
#include "formats/neff/pack.h"

hoist_str neff_part_path(hoist_arena *arena, hoist_str name)
{
    char *const path = hoist_arena_alloc(arena, name.size + 1);
    size_t size = 0;
    size_t start = 0;
    if (!path) {
        return (hoist_str){NULL, 0};
    }
    for (size_t i = 0; i <= name.size; i++) {
        if (i < name.size && name.data[i] != '/') {
            continue;
        }
        const hoist_str part = hoist_str_slice(name, start, i - start);
        start = i + 1;
        if (part.size == 0 || hoist_str_equal_c(part, ".")) {
            continue;
        }
        if (size) {
            path[size++] = '/';
        }
        for (size_t k = 0; k < part.size; k++) {
            path[size++] = part.data[k];
        }
    }
    return (hoist_str){path, size};
}

// Sends one member; names that only differ in dots and slashes are one file.
static hoist_status send_member(const neff_module *m, const neff_member *member, hoist_arena *arena,
                                hoist_map *paths, hoist_diag *diag, hoist_part_sink *sink)
{
    enum { ANY_EXECUTE = 0111 };
    const hoist_str path = neff_part_path(arena, member->name);
    if (!path.data) {
        return HOIST_NO_MEMORY;
    }
    const bool own = hoist_str_equal_c(path, NEFF_MANIFEST_NAME);
    const char *const unsafe = neff_unsafe_name(member->name);
    const hoist_status added =
        own || unsafe || !path.size ? HOIST_BUSY : hoist_map_add(paths, path, 0, NULL);
    if (added == HOIST_BUSY) {
        neff_enter(m, diag, NEFF_NONE);
        return hoist_fail(diag, HOIST_INVALID, &hoist_neff_pack_rules.rules[NEFF_PACK_NAMES],
                          hoist_loc_none(), "member '%.*s' cannot be a file of a folder: %s",
                          HOIST_STR_ARGS(member->name),
                          own      ? "the name is taken by what hoist keeps there"
                          : unsafe ? "its name is unsafe"
                                   : "another one has its name");
    }
    HOIST_TRY(added);
    const hoist_part part = {.path = path,
                             .bytes = member->bytes,
                             .executable = member->tar && member->tar->mode & ANY_EXECUTE};
    return sink->part(sink->self, &part);
}

static hoist_status send_manifest(const neff_module *m, hoist_part_sink *sink)
{
    hoist_buffer text;
    hoist_buffer_init(&text, m->base.alloc);
    hoist_status status = neff_manifest_write(m, &text);
    if (status == HOIST_OK) {
        const hoist_part part = {.path = HOIST_STR(NEFF_MANIFEST_NAME),
                                 .bytes = hoist_buffer_bytes(&text)};
        status = sink->part(sink->self, &part);
    }
    hoist_buffer_deinit(&text);
    return status;
}

hoist_status neff_unpack(const hoist_module *module, const hoist_unpack_options *options,
                         hoist_diag *diag, hoist_part_sink *sink)
{
    const neff_module *const m = neff_of(module);
    hoist_arena arena;
    hoist_map paths;
    hoist_arena_init(&arena, m->base.alloc);
    hoist_map_init(&paths, m->base.alloc);
    hoist_status status = HOIST_OK;
    for (uint32_t i = 0; i < m->member_count && status == HOIST_OK; i++) {
        status = send_member(m, &m->members[i], &arena, &paths, diag, sink);
    }
    hoist_map_deinit(&paths);
    hoist_arena_deinit(&arena);
    return status == HOIST_OK && !options->members_only ? send_manifest(m, sink) : status;
}

hoist_status neff_verify(const hoist_module *module, hoist_diag *diag, bool *out_right)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    return neff_verify_hash(neff_of(module), diag, digest, out_right);
}
