// A package as files: frames, members, and the manifest.
//
//     {"schema": "hoist.edgetpu-folder/1",
//      "contents": "custom_options",                  or "package"
//      "chunks": {"packages/0/executables/0/chunks/0.bin": "SHA-256", ...}}
#include <stdio.h>

#include "base/span.h"
#include "codec/hash.h"
#include "codec/json_writer.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_parts.h"

// One call of dwn_unpack().
typedef struct unpacking {
    hoist_arena arena;
    hoist_part_sink *sink;
    hoist_tree_sink *manifest; // in the map of chunks; NULL: none is expected
} unpacking;

static hoist_status send(const unpacking *u, hoist_str folder, const char *name, hoist_bytes bytes)
{
    hoist_buffer path;
    hoist_buffer_init(&path, u->arena.alloc);
    hoist_buffer_str(&path, folder);
    hoist_buffer_c(&path, name);
    const hoist_part part = {.path = hoist_buffer_text(&path), .bytes = bytes};
    const hoist_status status = path.failed ? HOIST_NO_MEMORY : u->sink->part(u->sink->self, &part);
    hoist_buffer_deinit(&path);
    return status;
}

// A hostile container may have a member that covers its own tables: then the zeroed frame reads
// otherwise, and the container is kept in one piece.
static hoist_status check_cut(unpacking *u, hoist_bytes cut, dwn_frame *frame)
{
    dwn_frame again;
    HOIST_TRY(dwn_frame_read(frame->level, cut, &u->arena, &again));
    if (again.count != frame->count ||
        !hoist_frame_same_places(cut, again.members, frame->bytes, frame->members, again.count)) {
        frame->count = 0;
    }
    return HOIST_OK;
}

// The frame comes before its members.
static hoist_status send_frame(unpacking *u, hoist_str folder, dwn_frame *frame)
{
    hoist_buffer cut;
    hoist_buffer_init(&cut, u->arena.alloc);
    hoist_frame_cut(frame->bytes, frame->members, frame->count, &cut);
    hoist_status status =
        cut.failed ? HOIST_NO_MEMORY : check_cut(u, hoist_buffer_bytes(&cut), frame);
    if (status == HOIST_OK) {
        status = send(u, folder, dwn_level_files[frame->level],
                      frame->count ? hoist_buffer_bytes(&cut) : frame->bytes);
    }
    hoist_buffer_deinit(&cut);
    return status;
}

// Lower-case hexadecimal digits.
void dwn_digest_text(const uint8_t digest[HOIST_HASH_MAX_SIZE],
                     char out_text[2 * HOIST_HASH_MAX_SIZE + 1])
{
    for (size_t i = 0; i < HOIST_HASH_MAX_SIZE; i++) {
        (void)snprintf(out_text + 2 * i, 3, "%02x", digest[i]);
    }
}

// Notes the digest of a chunk, by which packing finds out whether it changed. Builds without
// SHA-256 note none.
static hoist_status note_chunk(const unpacking *u, hoist_str path, hoist_bytes chunk)
{
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    char text[2 * HOIST_HASH_MAX_SIZE + 1];
    const hoist_status status = hoist_hash(HOIST_HASH_SHA256, chunk, NULL, digest);
    if (status != HOIST_OK) {
        return status == HOIST_UNSUPPORTED ? HOIST_OK : status;
    }
    dwn_digest_text(digest, text);
    hoist_tree_c(u->manifest, path.data, text);
    return HOIST_OK;
}

// A container and all below it. `folder` is empty or ends with a slash; levels bound the recursion.
static hoist_status send_level(unpacking *u, hoist_str folder, dwn_level level, hoist_bytes bytes)
{
    dwn_frame frame;
    HOIST_TRY(dwn_frame_read(level, bytes, &u->arena, &frame));
    HOIST_TRY(send_frame(u, folder, &frame));
    for (size_t i = 0; i < frame.count; i++) {
        const hoist_bytes member = frame.members[i];
        const hoist_str path = hoist_arena_format(&u->arena, "%.*s%.*s", HOIST_STR_ARGS(folder),
                                                  HOIST_STR_ARGS(frame.paths[i]));
        if (!path.data) {
            return HOIST_NO_MEMORY;
        }
        if (frame.levels[i] != DWN_LEVEL_BYTES) {
            HOIST_TRY(send_level(u, path, frame.levels[i], member));
        } else if (member.size > 0) { // else the frame says whether it is empty or absent
            if (u->manifest && i > 0) {
                HOIST_TRY(note_chunk(u, path, member));
            }
            HOIST_TRY(send(u, path, "", member));
        }
    }
    return HOIST_OK;
}

static hoist_status send_all(unpacking *u, const dwn_module *m)
{
    return m->is_custom ? send_level(u, HOIST_STR(""), DWN_LEVEL_CUSTOM, m->bytes)
                        : send_level(u, HOIST_STR("packages/0/"), DWN_LEVEL_PACKAGE, m->bytes);
}

// Sends all parts, then the manifest: its digests are collected on the way.
static hoist_status send_with_manifest(unpacking *u, const dwn_module *m, hoist_buffer *text)
{
    hoist_json_writer writer;
    hoist_json_writer_init(&writer, text, true, false);
    hoist_tree_sink manifest = hoist_json_writer_sink(&writer);
    hoist_tree_map(&manifest, "");
    hoist_tree_c(&manifest, "schema", "hoist.edgetpu-folder/1");
    hoist_tree_c(&manifest, "contents", m->is_custom ? "custom_options" : "package");
    hoist_tree_map(&manifest, "chunks");
    u->manifest = &manifest;
    hoist_status status = send_all(u, m);
    hoist_tree_end(&manifest);
    hoist_tree_end(&manifest);
    hoist_json_writer_deinit(&writer);
    hoist_buffer_char(text, '\n');
    status = status == HOIST_OK ? manifest.status : status;
    status = status == HOIST_OK && text->failed ? HOIST_NO_MEMORY : status;
    return status == HOIST_OK ? send(u, HOIST_STR(""), DWN_MANIFEST_NAME, hoist_buffer_bytes(text))
                              : status;
}

hoist_status dwn_unpack(const hoist_module *module, const hoist_unpack_options *options,
                        hoist_diag *diag, hoist_part_sink *sink)
{
    (void)diag; // everything can be a file
    unpacking u = {.sink = sink};
    hoist_buffer text;
    hoist_arena_init(&u.arena, module->alloc);
    hoist_buffer_init(&text, module->alloc);
    const hoist_status status = options->members_only
                                    ? send_all(&u, dwn_of(module))
                                    : send_with_manifest(&u, dwn_of(module), &text);
    hoist_buffer_deinit(&text);
    hoist_arena_deinit(&u.arena);
    return status;
}
