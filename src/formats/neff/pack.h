// formats/neff/pack.h - what unpacking and packing share: the manifest "hoist-neff.json", which
// says what only the container knows, and the putting together of header and archive.
#ifndef HOIST_SRC_FORMATS_NEFF_PACK_H
#define HOIST_SRC_FORMATS_NEFF_PACK_H

#include "formats/neff/header.h"
#include "formats/neff/neff.h"

#define NEFF_MANIFEST_NAME "hoist-neff.json"

// Rules of folders that are packed: PACK-001 ...
typedef enum neff_pack_rule {
#define PACK_RULE(number, name, ...) NEFF_PACK_##name,
#include "formats/neff/pack_rules.inc"
    NEFF_PACK_RULE_COUNT,
} neff_pack_rule;
extern const hoist_rule_set hoist_neff_pack_rules;

// The archive around its members.
typedef struct neff_archive {
    const hoist_tar_member *members;
    size_t count;
    bool gzip;
    int level;                // of gzip: 0 ... 9
    size_t record;            // the tar's size is a multiple of this: 512 or more
    size_t payload_record;    // and the gzip's of this: 1 or more
    hoist_deadline *deadline; // NULL: none
} neff_archive;

// tar's habit, which libarchive has for what it packs, too.
#define NEFF_RECORD 10240
// What the vendor's compiler takes.
#define NEFF_LEVEL 1

// Appends header and archive; sets data_size and hash. HOIST_OK, HOIST_UNSUPPORTED (no hash for
// this pkg_version), HOIST_NO_MEMORY. compose.c
HOIST_NODISCARD hoist_status neff_compose(neff_header *header, const neff_archive *archive,
                                          hoist_buffer *out);
// An identity that follows from the content: the header's digest, marked as version 4. compose.c
void neff_make_uuid(neff_header *header);
// What members have unless a manifest states otherwise. compose.c
hoist_tar_member neff_plain_member(void);

// Attributes of members in the manifest: a row each. manifest.c
typedef enum neff_attr_kind {
    NEFF_ATTR_MODE = 0, // uint32_t
    NEFF_ATTR_NUMBER,   // int64_t
    NEFF_ATTR_TEXT,     // hoist_str
    NEFF_ATTR_DIALECT,  // a word
    NEFF_ATTR_TYPE,     // a word, for type and flag
} neff_attr_kind;
typedef struct neff_attr {
    const char *key;
    uint16_t kind; // neff_attr_kind
    uint16_t at;   // offset in hoist_tar_member
} neff_attr;
enum { NEFF_ATTR_COUNT = 8 };
extern const neff_attr neff_attrs[NEFF_ATTR_COUNT];
extern const char *const neff_dialect_words[4]; // by hoist_tar_dialect
typedef struct neff_type_word {
    const char *word;
    char flag;
    hoist_tar_type type;
} neff_type_word;
enum { NEFF_TYPE_WORD_COUNT = 4 };
extern const neff_type_word neff_type_words[NEFF_TYPE_WORD_COUNT];

// A manifest that was read.
typedef struct neff_manifest {
    neff_header header;
    uint32_t present; // bit i: neff_header_field i is given
    neff_archive archive;
    bool has_archive;          // gzip, level and records are given
    hoist_tar_member plain;    // attributes of members that are not in the list
    hoist_tar_member *members; // arena; names and attributes, in order
    size_t member_count;
} neff_manifest;

// The manifest of a module, as JSON text. manifest.c
HOIST_NODISCARD hoist_status neff_manifest_write(const neff_module *module, hoist_buffer *out);
// Reads one; `out_manifest` is what it says over what an absent one means. Findings are in the file
// hoist-neff.json. HOIST_OK (errors may have been reported), HOIST_INVALID, HOIST_TRUNCATED,
// HOIST_LIMIT, HOIST_NO_MEMORY. manifest_read.c
HOIST_NODISCARD hoist_status neff_manifest_read(hoist_bytes text, hoist_arena *arena,
                                                hoist_diag *diag, neff_manifest *out_manifest);

// The level at which gzip writing gives the beginning of `payload` for `archive`; -1: none does.
// level.c
HOIST_NODISCARD hoist_status neff_find_level(hoist_bytes archive, hoist_bytes payload,
                                             hoist_allocator alloc, int *out_level);

// `name` as the path of a part: without empty parts and ".". {NULL, 0} when out of memory.
// unpack.c
hoist_str neff_part_path(hoist_arena *arena, hoist_str name);

// Adds the streams of instruction texts: of X.asm where there is no X.bin. Where there is, compares
// both. `parts` and `count` are replaced by ones in `arena` when there are any. HOIST_OK,
// HOIST_INVALID (findings are in the text's file), HOIST_NO_MEMORY, HOIST_LIMIT. pack_assemble.c
HOIST_NODISCARD hoist_status neff_assemble_parts(hoist_arena *arena, hoist_diag *diag,
                                                 const hoist_part **parts, size_t *count);

// Replaces what is private: see hoist_pack_options.redact. `tar` and `role` are of one member;
// what is made lives in `arena`. `*out_drop`: the member is to be left out. redact.c
HOIST_NODISCARD hoist_status neff_redact(hoist_tar_member *tar, neff_role role, hoist_arena *arena,
                                         bool *out_drop);

#endif // HOIST_SRC_FORMATS_NEFF_PACK_H
