// What is private in a NEFF: trained values, debug members, and where it was built. In goes one
// member of pack.c with its role, out come replaced bytes and attributes. Shapes, types, names and
// instructions stay: they are what a report of a bug needs.
#include <string.h>

#include "base/buffer.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/neff/pack.h"

// Debug members by the last part of their names: sources, disassembly and schedules.
static bool is_debug(hoist_str name)
{
    return hoist_str_ends_with(name, ".dbg") || hoist_str_ends_with(name, ".asm") ||
           hoist_str_ends_with(name, "wavegraph-bin.json");
}

// Bytes at the start that describe shape and type, which stay: of an .npy. 0 for others, whose
// bytes are all values.
static size_t described(hoist_str name, hoist_bytes bytes)
{
    enum { MAGIC = 6, SHORT = 10, LONG = 12 };
    if (!hoist_str_ends_with(name, ".npy") || bytes.size < LONG ||
        memcmp(bytes.data, "\x93NUMPY", MAGIC) != 0) {
        return 0;
    }
    // Version 1 has 16 bits of length.
    const size_t size = bytes.data[MAGIC] == 1 ? SHORT + (size_t)hoist_load_u16le(bytes.data + 8)
                                               : LONG + (size_t)hoist_load_u32le(bytes.data + 8);
    return size < bytes.size ? size : bytes.size;
}

// Arena memory is zeroed, so only the header is copied.
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

// Position after the string that begins at `at`, after its closing quote. Texts are scanned for
// strings and not parsed: all else keeps its bytes, also in what is no JSON.
static size_t string_end(hoist_str text, size_t at)
{
    size_t i = at + 1;
    while (i < text.size && text.data[i] != '"') {
        i += text.data[i] == '\\' ? 2 : 1; // an escape hides the quote after it
    }
    return i < text.size ? i + 1 : text.size;
}

// Keys are names that readers depend on: they stay, whatever they look like.
static bool is_key(hoist_str text, size_t end)
{
    while (end < text.size && strchr(" \t\r\n", text.data[end])) {
        end++;
    }
    return end < text.size && text.data[end] == ':';
}

// "/home/..." and "file:///home/...": a path that begins at the root. Relative paths are members.
static bool is_path(hoist_str quoted)
{
    const hoist_str content = hoist_str_slice(quoted, 1, quoted.size);
    // "\/", an escape that JSON allows.
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
        // Only values: the text keeps its layout and its other bytes.
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
    const hoist_tar_member plain = neff_plain_member(); // owner and time of no one
    *out_drop = is_debug(tar->name);
    tar->uid = plain.uid;
    tar->gid = plain.gid;
    tar->mtime = plain.mtime;
    tar->user = plain.user;
    tar->group = plain.group;
    if (*out_drop || tar->data.size == 0) {
        return HOIST_OK;
    }
    // Values of constants.
    if (role == NEFF_ROLE_CONSTANT || hoist_str_ends_with(tar->name, ".npy")) {
        return zero(tar, arena) ? HOIST_OK : HOIST_NO_MEMORY;
    }
    if (hoist_str_ends_with(tar->name, ".json")) {
        return hide_in_json(tar, arena) ? HOIST_OK : HOIST_NO_MEMORY;
    }
    return HOIST_OK;
}
