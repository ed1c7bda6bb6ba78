// What is private in a NEFF: trained values, debug members, and where it was built.
#include <string.h>

#include "base/buffer.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/neff/pack.h"

// Debug members by the last part of their names.
static bool is_debug(hoist_str name)
{
    return hoist_str_ends_with(name, ".dbg") || hoist_str_ends_with(name, ".asm") ||
           hoist_str_ends_with(name, "wavegraph-bin.json");
}

// Bytes at the start that say shape and type, which stay: of .npy.
static size_t described(hoist_str name, hoist_bytes bytes)
{
    enum { MAGIC = 6, SHORT = 10, LONG = 12 };
    if (!hoist_str_ends_with(name, ".npy") || bytes.size < LONG ||
        memcmp(bytes.data, "\x93NUMPY", MAGIC) != 0) {
        return 0;
    }
    const size_t size = bytes.data[MAGIC] == 1 ? SHORT + (size_t)hoist_load_u16le(bytes.data + 8)
                                               : LONG + (size_t)hoist_load_u32le(bytes.data + 8);
    return size < bytes.size ? size : bytes.size;
}

static bool zero(hoist_tar_member *tar, hoist_arena *arena)
{
    const size_t kept = described(tar->name, tar->data);
    uint8_t *const copy = hoist_arena_alloc(arena, tar->data.size);
    if (copy && kept) {
        memcpy(copy, tar->data.data, kept);
    }
    tar->data.data = copy;
    return copy != NULL;
}

// Paths in JSON ----------------------------------------------------------------------------------

// Behind the string that begins at `at`, at its quote.
static size_t string_end(hoist_str text, size_t at)
{
    size_t i = at + 1;
    while (i < text.size && text.data[i] != '"') {
        i += text.data[i] == '\\' ? 2 : 1;
    }
    return i < text.size ? i + 1 : text.size;
}

static bool is_key(hoist_str text, size_t end)
{
    while (end < text.size && strchr(" \t\r\n", text.data[end])) {
        end++;
    }
    return end < text.size && text.data[end] == ':';
}

// "/home/..." and "file:///home/...": a path that begins at the root.
static bool is_path(hoist_str quoted)
{
    const hoist_str content = hoist_str_slice(quoted, 1, quoted.size);
    return hoist_str_starts_with(content, "/") || hoist_str_starts_with(content, "\\/") ||
           hoist_str_starts_with(content, "file:/");
}

// Copies `text` with paths that are values replaced.
static void hide_paths(hoist_str text, hoist_buffer *out)
{
    size_t copied = 0;
    for (size_t i = 0; i < text.size;) {
        if (text.data[i] != '"') {
            i++;
            continue;
        }
        const size_t end = string_end(text, i);
        if (is_path(hoist_str_slice(text, i, end - i)) && !is_key(text, end)) {
            hoist_buffer_str(out, hoist_str_slice(text, copied, i - copied));
            hoist_buffer_c(out, "\"redacted\"");
            copied = end;
        }
        i = end;
    }
    hoist_buffer_str(out, hoist_str_slice(text, copied, text.size - copied));
}

static bool hide_in_json(hoist_tar_member *tar, hoist_arena *arena)
{
    hoist_buffer out;
    hoist_buffer_init(&out, arena->alloc);
    hide_paths((hoist_str){(const char *)tar->data.data, tar->data.size}, &out);
    const hoist_str copy =
        out.failed ? (hoist_str){NULL, 0} : hoist_arena_str(arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    tar->data = (hoist_bytes){(const uint8_t *)copy.data, copy.size};
    return copy.data != NULL;
}

hoist_status neff_redact(hoist_tar_member *tar, neff_role role, hoist_arena *arena, bool *out_drop)
{
    const hoist_tar_member plain = neff_plain_member();
    *out_drop = is_debug(tar->name);
    tar->uid = plain.uid;
    tar->gid = plain.gid;
    tar->mtime = plain.mtime;
    tar->user = plain.user;
    tar->group = plain.group;
    if (*out_drop || tar->data.size == 0) {
        return HOIST_OK;
    }
    if (role == NEFF_ROLE_CONSTANT || hoist_str_ends_with(tar->name, ".npy")) {
        return zero(tar, arena) ? HOIST_OK : HOIST_NO_MEMORY;
    }
    if (hoist_str_ends_with(tar->name, ".json")) {
        return hide_in_json(tar, arena) ? HOIST_OK : HOIST_NO_MEMORY;
    }
    return HOIST_OK;
}
