// A package from the files of a folder (`hoist pack`): members are put into their frames from the
// inside out. The manifest says which container the folder is of, and by the digests of chunks
// whether hints are to be made anew (package_hints.c).
#include "base/span.h"
#include "codec/hash.h"
#include "codec/json.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_parts.h"

typedef struct packer {
    hoist_parts parts;
    hoist_arena arena;
    hoist_diag *diag;
    hoist_pack_hints hints;
    hoist_json manifest;
    hoist_json_index chunks; // of the manifest: digests by path; 0: there are none
    bool is_custom;
    bool has_changed; // a chunk of the executable that is packed
} packer;

static hoist_str join(packer *p, hoist_str folder, hoist_str name)
{
    return hoist_arena_format(&p->arena, "%.*s%.*s", HOIST_STR_ARGS(folder), HOIST_STR_ARGS(name));
}

// NULL means an absent member in frames; a part of no bytes is there.
static hoist_bytes present(hoist_bytes member)
{
    return member.data ? member : (hoist_bytes){(const uint8_t *)"", 0};
}

static hoist_status pack_level(packer *p, hoist_str folder, dwn_level level, hoist_bytes *out);

// A member that the folder has no file for stays as the frame has it; a hole of zeros is a file
// that is missing.
static hoist_status check_member(packer *p, hoist_str path, hoist_bytes member)
{
    return hoist_frame_is_hole(member)
               ? hoist_fail(p->diag, HOIST_INVALID, hoist_folder_rule_row(FOLD_001),
                            hoist_loc_none(), "the folder has no '%.*s'", HOIST_STR_ARGS(path))
               : HOIST_OK;
}

// Notes whether a chunk differs from the one that was unpacked, by its digest in the manifest.
// Without a manifest's digest it counts as changed.
static hoist_status check_chunk(packer *p, const hoist_part *part)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    char text[2 * HOIST_HASH_MAX_SIZE + 1];
    hoist_json_index at = 0;
    const hoist_status status = hoist_hash(HOIST_HASH_SHA256, part->bytes, NULL, digest);
    if (status != HOIST_OK) {
        return status == HOIST_UNSUPPORTED ? HOIST_OK : status; // then none has a digest
    }
    dwn_digest_text(digest, text);
    p->has_changed = p->has_changed || !p->chunks ||
                     !hoist_json_find(&p->manifest, p->chunks, part->path, &at) ||
                     !hoist_json_string_is(&p->manifest, at, hoist_str_from(text));
    return HOIST_OK;
}

// A member: a container that is packed in turn, or a file; without one as it is in its frame.
static hoist_status pack_member(packer *p, hoist_str folder, const dwn_frame *frame, size_t index,
                                hoist_bytes *out)
{
    const hoist_str path = join(p, folder, frame->paths[index]);
    if (!path.data) {
        return HOIST_NO_MEMORY;
    }
    *out = frame->members[index];
    if (frame->levels[index] != DWN_LEVEL_BYTES) {
        return pack_level(p, path, frame->levels[index], out);
    }
    const hoist_part *const part = hoist_parts_take(&p->parts, path);
    if (!part) {
        return check_member(p, path, *out);
    }
    *out = present(part->bytes);
    return index > 0 ? check_chunk(p, part) : HOIST_OK;
}

// Hints are made when asked for, or (AUTO) when a chunk changed. Parameters alone change none.
static hoist_status make_hints(packer *p, const dwn_frame *frame, hoist_bytes *bytes)
{
    const bool expected =
        p->hints == HOIST_PACK_HINTS_MAKE || (p->hints == HOIST_PACK_HINTS_AUTO && p->has_changed);
    return expected && frame->level == DWN_LEVEL_EXECUTABLE
               ? dwn_frame_make_hints(*bytes, &p->arena, p->diag, bytes)
               : HOIST_OK;
}

// Containers are written from the inside out: the result is a member of the one around it.
static hoist_status write_frame(packer *p, dwn_frame *frame, const hoist_bytes *members,
                                hoist_bytes *out)
{
    hoist_buffer made;
    hoist_buffer_init(&made, p->arena.alloc);
    hoist_status status = dwn_frame_write(frame, members, &p->arena, p->diag, &made);
    if (status == HOIST_OK) {
        status = hoist_buffer_keep(&made, &p->arena, out);
        *out = present(*out);
    }
    hoist_buffer_deinit(&made);
    return status == HOIST_OK ? make_hints(p, frame, out) : status;
}

// The folder is a frame of findings: "packages/0/executables/1".
static hoist_status pack_frame(packer *p, hoist_str folder, dwn_frame *frame, hoist_bytes *out)
{
    p->has_changed = false; // of an executable, in which no other one is
    hoist_bytes *const members = hoist_arena_array(&p->arena, frame->count, sizeof(*members));
    if (!members) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < frame->count; i++) {
        HOIST_TRY(pack_member(p, folder, frame, i, &members[i]));
    }
    hoist_frame here;
    hoist_diag_push(p->diag, &here, NULL, HOIST_STR(""),
                    hoist_str_slice(folder, 0, folder.size ? folder.size - 1 : 0));
    const hoist_status status = write_frame(p, frame, members, out);
    hoist_diag_pop(p->diag, &here);
    return status;
}

// Packs the container whose frame is in `folder`. `*out` stays what it is in the frame above where
// the folder has none. Recursion is at most as deep as levels, which are five.
static hoist_status pack_level(packer *p, hoist_str folder, dwn_level level, hoist_bytes *out)
{
    const hoist_str path = join(p, folder, hoist_str_from(dwn_level_files[level]));
    if (!path.data) {
        return HOIST_NO_MEMORY;
    }
    const hoist_part *const part = hoist_parts_take(&p->parts, path);
    dwn_frame frame;
    if (!part) {
        return check_member(p, path, *out);
    }
    HOIST_TRY(dwn_frame_read(level, part->bytes, &p->arena, &frame));
    return pack_frame(p, folder, &frame, out);
}

// Manifest ---------------------------------------------------------------------------------------

// `contents` decides which container the folder is; `chunks` may be missing.
static hoist_status check_manifest(packer *p)
{
    const hoist_json *const json = &p->manifest;
    hoist_json_index at = 0;
    if (!hoist_json_find(json, 0, HOIST_STR("chunks"), &p->chunks) ||
        hoist_json_kind_of(json, p->chunks) != HOIST_JSON_OBJECT) {
        p->chunks = 0;
    }
    const bool found = hoist_json_find(json, 0, HOIST_STR("contents"), &at);
    p->is_custom = found && hoist_json_string_is(json, at, HOIST_STR("custom_options"));
    if (!p->is_custom && !(found && hoist_json_string_is(json, at, HOIST_STR("package")))) {
        return hoist_fail(p->diag, HOIST_INVALID, hoist_folder_rule_row(FOLD_005),
                          hoist_loc_pos(hoist_json_pos(json, at)),
                          "contents are %.*s, expected \"custom_options\" or \"package\"",
                          HOIST_STR_ARGS(found ? hoist_json_text(json, at) : HOIST_STR("absent")));
    }
    return HOIST_OK;
}

static hoist_status read_manifest(packer *p)
{
    const hoist_part *const part = hoist_parts_take(&p->parts, HOIST_STR(DWN_MANIFEST_NAME));
    if (!part) {
        return hoist_fail(p->diag, HOIST_INVALID, hoist_folder_rule_row(FOLD_001), hoist_loc_none(),
                          "the folder has no " DWN_MANIFEST_NAME);
    }
    const hoist_source before = hoist_diag_enter(p->diag, part->path);
    hoist_status status = hoist_json_read(part->bytes, NULL, p->arena.alloc, p->diag, &p->manifest);
    if (status == HOIST_OK) {
        status = check_manifest(p);
    }
    hoist_diag_leave(p->diag, before);
    return status;
}

// Files that no container has taken are an error: they would be lost.
static hoist_status pack_all(packer *p, hoist_buffer *out)
{
    hoist_bytes made = {NULL, 0};
    HOIST_TRY(read_manifest(p));
    HOIST_TRY(p->is_custom ? pack_level(p, HOIST_STR(""), DWN_LEVEL_CUSTOM, &made)
                           : pack_level(p, HOIST_STR("packages/0/"), DWN_LEVEL_PACKAGE, &made));
    if (!made.data) {
        return hoist_fail(p->diag, HOIST_INVALID, hoist_folder_rule_row(FOLD_001), hoist_loc_none(),
                          "the folder has no %s",
                          p->is_custom ? "custom_options.bin" : "packages/0/package.bin");
    }
    HOIST_TRY(hoist_parts_check_rest(&p->parts));
    hoist_buffer_add(out, made);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_status dwn_pack(const hoist_part *parts, size_t count, const hoist_pack_options *options,
                      hoist_diag *diag, hoist_buffer *out)
{
    packer p = {.diag = diag, .hints = options->hints};
    hoist_arena_init(&p.arena, out->alloc);
    hoist_status status = hoist_parts_init(&p.parts, parts, count, out->alloc, diag);
    if (status == HOIST_OK) {
        status = pack_all(&p, out);
    }
    hoist_json_free(&p.manifest);
    hoist_parts_deinit(&p.parts, out->alloc);
    hoist_arena_deinit(&p.arena);
    return status;
}
