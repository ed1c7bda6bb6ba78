// The manifest "hoist-neff.json": what only the container knows (docs of `hoist unpack`). In goes a
// module, out comes JSON text; manifest_read.c reads it, with the same rows.
//
//     {"schema": "hoist.neff-folder/1",
//      "header": {"pkg_version": 2, ... },           all but data_size, hash and zeros at the end
//      "archive": {"gzip": true, "level": 1, "record": 10240},
//      "plain": {"mode": 420, ...},                   attributes that members have in common
//      "members": ["neff.json", {"name": "sg00/", "type": "folder"}, ...]}
#include <string.h>

#include "base/span.h"
#include "base/utf8.h"
#include "codec/json_writer.h"
#include "formats/neff/pack.h"
#include "formats/neff/show.h"

// clang-format off
// The attributes of a tar header that packing restores. `mode` is decimal, as JSON has no octal.
const neff_attr neff_attrs[NEFF_ATTR_COUNT] = {
    {"mode",    NEFF_ATTR_MODE,    offsetof(hoist_tar_member, mode)   },
    {"uid",     NEFF_ATTR_NUMBER,  offsetof(hoist_tar_member, uid)    },
    {"gid",     NEFF_ATTR_NUMBER,  offsetof(hoist_tar_member, gid)    },
    {"mtime",   NEFF_ATTR_NUMBER,  offsetof(hoist_tar_member, mtime)  },
    {"user",    NEFF_ATTR_TEXT,    offsetof(hoist_tar_member, user)   },
    {"group",   NEFF_ATTR_TEXT,    offsetof(hoist_tar_member, group)  },
    {"dialect", NEFF_ATTR_DIALECT, offsetof(hoist_tar_member, dialect)},
    {"type",    NEFF_ATTR_TYPE,    offsetof(hoist_tar_member, flag)   },
};
const char *const neff_dialect_words[4] = {
    [HOIST_TAR_V7] = "v7", [HOIST_TAR_USTAR] = "ustar", [HOIST_TAR_PAX] = "pax", [HOIST_TAR_GNU] = "gnu",
};
// Regular members have three flags, which readers take alike; the flag is kept for equal bytes.
const neff_type_word neff_type_words[NEFF_TYPE_WORD_COUNT] = {
    {"file",       '0',  HOIST_TAR_FILE  },
    {"old file",   '\0', HOIST_TAR_FILE  },
    {"contiguous", '7',  HOIST_TAR_FILE  },
    {"folder",     '5',  HOIST_TAR_FOLDER},
};
// clang-format on

// NULL for links and devices, which are no members of a folder.
static const char *type_word(char flag)
{
    for (size_t i = 0; i < NEFF_TYPE_WORD_COUNT; i++) {
        if (neff_type_words[i].flag == flag) {
            return neff_type_words[i].word;
        }
    }
    return NULL;
}

// A text; what JSON cannot hold, as {"hex": ["...", ...]} in pieces of 256 bytes: names and owners
// of a tar are any bytes.
static void send_text(hoist_tree_sink *sink, const char *key, hoist_str text)
{
    enum { PIECE = 256 };
    if (hoist_utf8_is_text(text)) {
        hoist_tree_str(sink, key, text);
        return;
    }
    hoist_tree_short_map(sink, key);
    hoist_tree_short_list(sink, "hex");
    for (size_t at = 0; at < text.size; at += PIECE) {
        const hoist_str piece = hoist_str_slice(text, at, PIECE);
        neff_send_hex(sink, "", (hoist_bytes){(const uint8_t *)piece.data, piece.size});
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

// Header -----------------------------------------------------------------------------------------

// A field as its kind has it; zeros at the end of texts and bytes are left out, as reading adds
// them.
static void send_field(hoist_tree_sink *sink, const neff_header *header, neff_header_field field)
{
    const neff_header_row *const row = &neff_header_rows[field];
    if (row->kind == NEFF_HEADER_U64 || row->kind == NEFF_HEADER_U32) {
        hoist_tree_uint(sink, row->name, neff_header_number(header, field), HOIST_UNIT_NONE);
        return;
    }
    const uint8_t *const bytes = neff_header_bytes(header, field);
    const hoist_bytes trimmed = neff_trimmed(bytes, row->size);
    if (row->kind == NEFF_HEADER_TEXT) {
        send_text(sink, row->name, (hoist_str){(const char *)bytes, trimmed.size});
    } else if (row->kind == NEFF_HEADER_BYTES) {
        neff_send_hex(sink, row->name,
                      // Of fixed size: zeros count.
                      field == NEFF_H_UUID ? (hoist_bytes){bytes, row->size} : trimmed);
    } else {
        hoist_tree_short_list(sink, row->name);
        for (size_t i = 0; i < trimmed.size; i++) {
            hoist_tree_uint(sink, "", bytes[i], HOIST_UNIT_NONE);
        }
        hoist_tree_end(sink);
    }
}

// data_size and the digest follow from the archive; of the hash only what is after an MD5 stays
// (1.2).
static void send_header(hoist_tree_sink *sink, const neff_header *given)
{
    neff_header header = *given;
    hoist_hash_kind kind = HOIST_HASH_SHA256;
    if (neff_hash_kind(header.pkg_version, &kind) == HOIST_OK) {
        memset(header.hash, 0, hoist_hash_size(kind)); // all of it for SHA-256
    }
    hoist_tree_map(sink, "header");
    for (neff_header_field i = 0; i < NEFF_H_COUNT; i++) {
        // Fields that are empty in nearly all files.
        const bool empty =
            (i == NEFF_H_PAD || i == NEFF_H_HASH) &&
            neff_trimmed(neff_header_bytes(&header, i), neff_header_rows[i].size).size == 0;
        if (i != NEFF_H_DATA_SIZE && !empty) {
            send_field(sink, &header, i);
        }
    }
    hoist_tree_end(sink);
}

// Members ----------------------------------------------------------------------------------------

static const void *slot_of(const hoist_tar_member *member, const neff_attr *attr)
{
    return (const char *)member + attr->at;
}

// Flags decide the type: two types never have the same one.
static bool same_attr(const neff_attr *attr, const hoist_tar_member *a, const hoist_tar_member *b)
{
    switch ((neff_attr_kind)attr->kind) {
    case NEFF_ATTR_MODE:
        return a->mode == b->mode;
    case NEFF_ATTR_NUMBER:
        return memcmp(slot_of(a, attr), slot_of(b, attr), sizeof(int64_t)) == 0;
    case NEFF_ATTR_TEXT:
        return hoist_str_equal(*(const hoist_str *)slot_of(a, attr),
                               *(const hoist_str *)slot_of(b, attr));
    case NEFF_ATTR_DIALECT:
        return a->dialect == b->dialect;
    case NEFF_ATTR_TYPE:
        return a->flag == b->flag;
    }
    return false;
}

static void send_attr(hoist_tree_sink *sink, const neff_attr *attr, const hoist_tar_member *member)
{
    int64_t number = 0;
    switch ((neff_attr_kind)attr->kind) {
    case NEFF_ATTR_MODE:
        hoist_tree_uint(sink, attr->key, member->mode, HOIST_UNIT_NONE);
        break;
    case NEFF_ATTR_NUMBER:
        // Slots are aligned as the struct is.
        memcpy(&number, slot_of(member, attr), sizeof(number));
        hoist_tree_int(sink, attr->key, number);
        break;
    case NEFF_ATTR_TEXT:
        send_text(sink, attr->key, *(const hoist_str *)slot_of(member, attr));
        break;
    case NEFF_ATTR_DIALECT:
        hoist_tree_c(sink, attr->key, neff_dialect_words[member->dialect]);
        break;
    case NEFF_ATTR_TYPE:
        hoist_tree_c(sink, attr->key, type_word(member->flag));
        break;
    }
}

// Sends the attributes in which `member` is not as `plain`; without a sink it only counts them.
static size_t send_attrs(hoist_tree_sink *sink, const hoist_tar_member *member,
                         const hoist_tar_member *plain)
{
    size_t count = 0;
    for (size_t i = 0; i < NEFF_ATTR_COUNT; i++) {
        if (!same_attr(&neff_attrs[i], member, plain)) {
            count++;
            if (sink) {
                send_attr(sink, &neff_attrs[i], member);
            }
        }
    }
    return count;
}

// "neff.json" alone, or {"name": "sg00/", "type": "folder", ...} where something differs.
static void send_member(hoist_tree_sink *sink, const hoist_tar_member *member,
                        const hoist_tar_member *plain)
{
    if (send_attrs(NULL, member, plain) == 0 && hoist_utf8_is_text(member->name)) {
        hoist_tree_str(sink, "", member->name);
        return;
    }
    hoist_tree_short_map(sink, "");
    send_text(sink, "name", member->name);
    (void)send_attrs(sink, member, plain);
    hoist_tree_end(sink);
}

// What members have in common is taken to be what the first file has: then most of them are plain
// names in the list.
static hoist_tar_member common_member(const hoist_tar *tar)
{
    for (size_t i = 0; i < tar->count; i++) {
        if (tar->members[i].type == HOIST_TAR_FILE) {
            return tar->members[i];
        }
    }
    return neff_plain_member();
}

// Two steps of difference: the common member from the defaults, each member from the common one.
static void send_members(hoist_tree_sink *sink, const hoist_tar *tar)
{
    const hoist_tar_member plain = neff_plain_member();
    const hoist_tar_member common = common_member(tar);
    hoist_tree_map(sink, "plain");
    (void)send_attrs(sink, &common, &plain);
    hoist_tree_end(sink);
    hoist_tree_list(sink, "members");
    for (size_t i = 0; i < tar->count; i++) {
        // Others cannot be files.
        if (tar->members[i].type == HOIST_TAR_FILE || tar->members[i].type == HOIST_TAR_FOLDER) {
            send_member(sink, &tar->members[i], &common);
        }
    }
    hoist_tree_end(sink);
}

// Archive ----------------------------------------------------------------------------------------

// How the archive was made: a level is only given when zlib finds the same bytes with it.
static hoist_status send_archive(hoist_tree_sink *sink, const neff_module *m)
{
    hoist_tree_map(sink, "archive");
    hoist_tree_bool(sink, "gzip", m->gzip);
    if (m->gzip) {
        int level = -1;
        HOIST_TRY(neff_find_level(m->archive, m->payload, m->base.alloc, &level));
        if (level >= 0) { // without one packing takes the default
            hoist_tree_int(sink, "level", level);
        }
        if (m->payload.size % NEFF_RECORD == 0) {
            hoist_tree_uint(sink, "payload_record", NEFF_RECORD, HOIST_UNIT_NONE);
        }
    }
    // tar's records of 20 blocks, or no padding beyond a block.
    const bool padded = m->archive.size % NEFF_RECORD == 0;
    hoist_tree_uint(sink, "record", padded ? NEFF_RECORD : 512, HOIST_UNIT_NONE);
    hoist_tree_end(sink);
    return HOIST_OK;
}

hoist_status neff_manifest_write(const neff_module *module, hoist_buffer *out)
{
    hoist_json_writer writer;
    hoist_json_writer_init(&writer, out, true, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_tree_map(&sink, "");
    hoist_tree_c(&sink, "schema", "hoist.neff-folder/1");
    send_header(&sink, &module->header);
    const hoist_status status = send_archive(&sink, module);
    send_members(&sink, &module->tar);
    hoist_tree_end(&sink);
    hoist_json_writer_deinit(&writer);
    hoist_buffer_char(out, '\n');
    HOIST_TRY(status);
    return out->failed ? HOIST_NO_MEMORY : sink.status;
}
