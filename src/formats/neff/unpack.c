// A NEFF as files: its members, and the manifest. In goes a module, out come parts, one by one, to
// a sink that writes them (load/nested_parts.c); manifest.c has what files cannot hold, pack.c is
// the inverse.
#include "base/progress.h"
#include "base/span.h"
#include "formats/neff/pack.h"
#include "formats/part_name.h"

hoist_str neff_part_path(hoist_arena *arena, hoist_str name)
{
    char *const path = hoist_arena_alloc(arena, name.size + 1); // never longer than the name
    size_t size = 0;
    size_t start = 0;
    if (!path) {
        return (hoist_str){NULL, 0};
    }
    // "./sg00//pe.bin" becomes "sg00/pe.bin"; a trailing slash goes, too.
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

// The members that were sent so far, and where they go.
typedef struct unpacking {
    const neff_module *m;
    hoist_arena arena; // of `paths`
    hoist_map paths;   // of members so far whose paths are not their names
    hoist_diag *diag;
    hoist_part_sink *sink;
} unpacking;

// True when a name has no empty or '.' component: the path is the name then. Nearly all are, and
// need no copy.
static bool is_path(hoist_str name)
{
    bool begins = true; // a component
    for (size_t i = 0; i < name.size; i++) {
        const bool slash = name.data[i] == '/';
        const bool ends = i + 1 == name.size || name.data[i + 1] == '/';
        if (begins && (slash || (name.data[i] == '.' && ends))) {
            return false;
        }
        begins = slash;
    }
    return !begins; // a slash at the end, or an empty name
}

// Whether a member before `index` has the path, as its name or after tidying it.
static bool is_taken(const unpacking *u, hoist_str path, uint32_t index)
{
    size_t first = 0;
    return (hoist_map_find(&u->m->member_names, path, &first) && first < index) ||
           hoist_map_find(&u->paths, path, &first);
}

// The member's path, which becomes taken; {NULL, 0} when out of memory.
static hoist_str path_of(unpacking *u, uint32_t index, bool *out_taken)
{
    const hoist_str name = u->m->members[index].name;
    const bool plain = is_path(name);
    const hoist_str path = plain ? name : neff_part_path(&u->arena, name);
    *out_taken = path.data && is_taken(u, path, index);
    if (plain || !path.data || *out_taken) {
        return path;
    }
    const bool added = hoist_map_add(&u->paths, path, index, NULL) == HOIST_OK;
    return added ? path : (hoist_str){NULL, 0};
}

// Sends one member; names that only differ in dots and slashes are one file, and the second is
// refused: writing it would lose the first.
static hoist_status send_member(unpacking *u, uint32_t index)
{
    enum { ANY_EXECUTE = 0111 };
    const neff_member *const member = &u->m->members[index];
    bool taken = false;
    const hoist_str path = path_of(u, index, &taken);
    HOIST_TRY_MEMORY(path.data);
    const bool own = hoist_str_equal_c(path, NEFF_MANIFEST_NAME); // the manifest's own name
    const char *const unsafe = hoist_part_unsafe(member->name);
    if (own || unsafe || taken || !path.size) {
        neff_enter(u->m, u->diag, NEFF_NONE);
        return hoist_fail(u->diag, HOIST_INVALID, &hoist_neff_pack_rules.rules[NEFF_PACK_NAMES],
                          hoist_loc_none(), "member '%.*s' cannot be a file of a folder: %s",
                          HOIST_STR_ARGS(member->name),
                          own      ? "the name is taken by what hoist keeps there"
                          : unsafe ? "its name is unsafe"
                                   : "another one has its name");
    }
    const hoist_part part = {.path = path,
                             .bytes = member->bytes,
                             .executable = member->tar && member->tar->mode & ANY_EXECUTE};
    HOIST_TRY(u->sink->part(u->sink->self, &part));
    // The progress that users see counts bytes.
    hoist_stage_add(u->m->base.deadline, HOIST_STAGE_UNPACKING, part.bytes.size);
    return hoist_deadline_look(u->m->base.deadline);
}

// Sent after all members, so it is there only when all of them are.
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
    unpacking u = {.m = m, .diag = diag, .sink = sink};
    hoist_arena_init(&u.arena, m->base.alloc);
    hoist_map_init(&u.paths, m->base.alloc);
    hoist_status status = HOIST_OK;
    // The total is known before the first byte is written.
    for (uint32_t i = 0; i < m->member_count; i++) {
        hoist_stage_expect(m->base.deadline, HOIST_STAGE_UNPACKING, m->members[i].bytes.size);
    }
    for (uint32_t i = 0; i < m->member_count && status == HOIST_OK; i++) {
        status = send_member(&u, i);
    }
    hoist_map_deinit(&u.paths);
    hoist_arena_deinit(&u.arena);
    return status == HOIST_OK && !options->members_only ? send_manifest(m, sink) : status;
}

hoist_status neff_verify(const hoist_module *module, hoist_diag *diag, bool *out_right)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    return neff_verify_hash(neff_of(module), diag, digest, out_right);
}
