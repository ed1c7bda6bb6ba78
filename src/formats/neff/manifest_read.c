// The manifest read back: manifest.c has its form. In goes text that people may have edited, out
// comes a neff_manifest whose missing parts are defaults; pack.c is its caller. Wrong values are
// reported (PACK-001) and then absent, so that all of them are reported in one go.
#include <string.h>

#include "base/span.h"
#include "formats/neff/pack.h"
#include "formats/neff/tape.h"

typedef struct manifest_reader {
    const hoist_json *json;
    hoist_arena *arena;
    hoist_diag *diag;
    neff_manifest *manifest;
    neff_cursor cursor; // of the last finding
    bool no_memory;     // sticky: looked at in the end
} manifest_reader;

// The value as it is written, and what belongs there.
static void refuse(manifest_reader *r, hoist_json_index at, const char *key, const char *expected)
{
    const hoist_str text = hoist_json_text(r->json, at);
    hoist_report(r->diag, &hoist_neff_pack_rules.rules[NEFF_PACK_MANIFEST],
                 neff_tape_loc(&r->cursor, r->json, at), "%s is %.*s, expected %s", key,
                 HOIST_STR_ARGS(text), expected);
}

// An integer up to `most`, as a number or, above 2^53, as a string: "18446744073709551615". JSON
// writers keep such integers out of the range in which readers lose bits.
static bool read_number(manifest_reader *r, hoist_json_index at, uint64_t most, uint64_t *out_value)
{
    if (hoist_json_u64(r->json, at, out_value)) {
        return *out_value <= most;
    }
    if (hoist_json_kind_of(r->json, at) != HOIST_JSON_STRING) {
        return false;
    }
    const hoist_str digits = hoist_json_string(r->json, at, r->arena);
    uint64_t value = 0;
    bool good = digits.size > 0; // an empty text is no number
    for (size_t i = 0; i < digits.size && good; i++) {
        const unsigned digit = (unsigned)(uint8_t)digits.data[i] - '0';
        // A check, since any length may come.
        good = digit < 10 && !__builtin_mul_overflow(value, UINT64_C(10), &value) &&
               !__builtin_add_overflow(value, (uint64_t)digit, &value);
    }
    *out_value = value;
    return good && value <= most;
}

// Lower case only, as manifest.c writes; -1: no digit.
static int nibble(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *const at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// Decodes the string `at` of hexadecimal digits after `*size` bytes of `out`, which has capacity
// for `space` in all. False: no string, an odd number of digits, too many, or no digits.
static bool add_hex(manifest_reader *r, hoist_json_index at, uint8_t *out, size_t space,
                    size_t *size)
{
    if (hoist_json_kind_of(r->json, at) != HOIST_JSON_STRING) {
        return false;
    }
    const hoist_str text = hoist_json_string(r->json, at, r->arena);
    r->no_memory = r->no_memory || !text.data;
    if (!text.data || text.size % 2 != 0 || text.size / 2 > space - *size) {
        return false;
    }
    for (size_t i = 0; i < text.size; i += 2) {
        const int high = nibble(text.data[i]);
        const int low = nibble(text.data[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        out[(*size)++] = (uint8_t)(high << 4 | low);
    }
    return true;
}

// A string, or {"hex": ["...", ...]}. False also when out of memory, which no_memory says.
static bool read_text(manifest_reader *r, hoist_json_index at, hoist_str *out_text)
{
    if (hoist_json_kind_of(r->json, at) == HOIST_JSON_STRING) {
        *out_text = hoist_json_string(r->json, at, r->arena);
        r->no_memory = r->no_memory || !out_text->data;
        return out_text->data != NULL;
    }
    const hoist_json_index list = neff_tape_find(r->json, at, "hex");
    if (!neff_tape_is(r->json, list, HOIST_JSON_ARRAY)) {
        return false;
    }
    // Two digits each and quotes: more than enough.
    const size_t space = hoist_json_text(r->json, list).size;
    uint8_t *const bytes = hoist_arena_alloc(r->arena, space);
    size_t size = 0;
    hoist_json_index item = list + 1;
    r->no_memory = r->no_memory || !bytes;
    for (uint32_t i = 0; bytes && i < hoist_json_size(r->json, list); i++) {
        if (!add_hex(r, item, bytes, space, &size)) {
            return false;
        }
        item = hoist_json_next(r->json, item);
    }
    *out_text = (hoist_str){(const char *)bytes, size};
    return bytes != NULL;
}

// Header -----------------------------------------------------------------------------------------

// At most `space` bytes; a shorter list leaves the rest as it is.
static bool read_list(manifest_reader *r, hoist_json_index at, uint8_t *out, size_t space)
{
    const bool list = hoist_json_kind_of(r->json, at) == HOIST_JSON_ARRAY;
    const uint32_t count = list ? hoist_json_size(r->json, at) : 0;
    hoist_json_index item = at + 1;
    for (uint32_t i = 0; i < count && i < space; i++) {
        uint64_t value = 0;
        if (!read_number(r, item, UINT8_MAX, &value)) {
            return false;
        }
        out[i] = (uint8_t)value;
        item = hoist_json_next(r->json, item);
    }
    return list && count <= space;
}

// False when the value is of another kind or does not fit. A field that was refused may be partly
// written, and is not marked as present.
static bool read_field(manifest_reader *r, hoist_json_index at, neff_header_field field)
{
    const neff_header_row *const row = &neff_header_rows[field];
    neff_header *const header = &r->manifest->header;
    uint64_t number = 0;
    hoist_str text = {"", 0};
    size_t size = 0;
    switch ((neff_header_kind)row->kind) {
    case NEFF_HEADER_U64:
    case NEFF_HEADER_U32:
        if (!read_number(r, at, row->kind == NEFF_HEADER_U64 ? UINT64_MAX : UINT32_MAX, &number)) {
            return false;
        }
        neff_header_set_number(header, field, number);
        return true;
    case NEFF_HEADER_TEXT:
        if (!read_text(r, at, &text) || text.size > row->size) {
            return false;
        }
        // Shorter texts leave no rest of a default.
        memset(neff_header_mut_bytes(header, field), 0, row->size);
        memcpy(neff_header_mut_bytes(header, field), text.data, text.size);
        return true;
    case NEFF_HEADER_BYTES:
        // The rest stays 0.
        return add_hex(r, at, neff_header_mut_bytes(header, field), row->size, &size);
    case NEFF_HEADER_LIST:
        memset(neff_header_mut_bytes(header, field), 0, row->size);
        return read_list(r, at, neff_header_mut_bytes(header, field), row->size);
    }
    return false;
}

// A key that no field has is ignored: a newer hoist may have written it.
static void read_header(manifest_reader *r)
{
    static const char *const expected[] = {
        [NEFF_HEADER_U64] = "an integer of 64 bits",
        [NEFF_HEADER_U32] = "one of 32 bits",
        [NEFF_HEADER_TEXT] = "a text that fits",
        [NEFF_HEADER_BYTES] = "hexadecimal digits",
        [NEFF_HEADER_LIST] = "a list of bytes that fits",
    };
    const hoist_json_index header = neff_tape_find(r->json, 0, "header");
    for (neff_header_field i = 0; i < NEFF_H_COUNT; i++) {
        const hoist_json_index at =
            header ? neff_tape_find(r->json, header, neff_header_rows[i].name) : 0;
        if (at == 0 || i == NEFF_H_DATA_SIZE) { // it follows from the archive
            continue;
        }
        if (read_field(r, at, i)) {
            r->manifest->present |= UINT32_C(1) << i;
        } else {
            refuse(r, at, neff_header_rows[i].name, expected[neff_header_rows[i].kind]);
        }
    }
}

// Archive ----------------------------------------------------------------------------------------

// A multiple of `step`; the limit keeps a few bytes of text from making megabytes of zeros.
static size_t read_record(manifest_reader *r, hoist_json_index archive, const char *key,
                          size_t step, size_t fallback)
{
    enum { MAX_RECORD = 1 << 20 };
    const hoist_json_index at = neff_tape_find(r->json, archive, key);
    uint64_t value = 0;
    if (at == 0) {
        return fallback;
    }
    if (!read_number(r, at, MAX_RECORD, &value) || value == 0 || value % step != 0) {
        refuse(r, at, key, step == 1 ? "1 to 1048576" : "a multiple of 512 up to 1048576");
        return fallback;
    }
    return (size_t)value;
}

// Without the object, or without "gzip" in it, the packaging follows from pkg_version.
static void read_archive(manifest_reader *r)
{
    neff_archive *const a = &r->manifest->archive;
    const hoist_json_index at = neff_tape_find(r->json, 0, "archive");
    if (at == 0) {
        return;
    }
    const hoist_json_index gzip = neff_tape_find(r->json, at, "gzip");
    const hoist_json_index level = neff_tape_find(r->json, at, "level");
    uint64_t number = 0;
    if (neff_tape_is(r->json, gzip, HOIST_JSON_TRUE) ||
        neff_tape_is(r->json, gzip, HOIST_JSON_FALSE)) {
        a->gzip = neff_tape_is(r->json, gzip, HOIST_JSON_TRUE);
        r->manifest->has_archive = true;
    } else {
        refuse(r, gzip ? gzip : at, "gzip", "true or false");
    }
    if (level && read_number(r, level, 9, &number)) {
        a->level = (int)number;
    } else if (level) {
        refuse(r, level, "level", "0 to 9");
    }
    a->record = read_record(r, at, "record", 512, a->record);
    a->payload_record = read_record(r, at, "payload_record", 1, a->payload_record);
}

// Members ----------------------------------------------------------------------------------------

// By the words of neff_dialect_words; false: none of them.
static bool read_dialect(hoist_str word, hoist_tar_member *member)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(neff_dialect_words); i++) {
        if (hoist_str_equal_c(word, neff_dialect_words[i])) {
            member->dialect = (hoist_tar_dialect)i;
            return true;
        }
    }
    return false;
}

static bool read_type(hoist_str word, hoist_tar_member *member)
{
    for (size_t i = 0; i < NEFF_TYPE_WORD_COUNT; i++) {
        if (hoist_str_equal_c(word, neff_type_words[i].word)) {
            member->type = neff_type_words[i].type;
            member->flag = neff_type_words[i].flag;
            return true;
        }
    }
    return false;
}

// One attribute into its slot of the tar header; `slot` has the type of the attribute's kind.
static bool read_attr(manifest_reader *r, hoist_json_index at, const neff_attr *attr,
                      hoist_tar_member *member)
{
    enum { MAX_MODE = 07777 }; // permission bits, and set-id and sticky ones
    void *const slot = (char *)member + attr->at;
    uint64_t number = 0;
    int64_t integer = 0;
    hoist_str text = {"", 0};
    switch ((neff_attr_kind)attr->kind) {
    case NEFF_ATTR_MODE:
        if (!read_number(r, at, MAX_MODE, &number)) {
            return false;
        }
        member->mode = (uint32_t)number;
        return true;
    case NEFF_ATTR_NUMBER:
        if (!hoist_json_i64(r->json, at, &integer) && // an integer, or its digits as a string
            !(read_text(r, at, &text) && hoist_str_to_i64(text, false, &integer))) {
            return false;
        }
        memcpy(slot, &integer, sizeof(integer));
        return true;
    case NEFF_ATTR_TEXT:
        return read_text(r, at, slot);
    case NEFF_ATTR_DIALECT:
        return read_text(r, at, &text) && read_dialect(text, member);
    case NEFF_ATTR_TYPE:
        return read_text(r, at, &text) && read_type(text, member);
    }
    return false;
}

static void read_attrs(manifest_reader *r, hoist_json_index object, hoist_tar_member *member)
{
    for (size_t i = 0; i < NEFF_ATTR_COUNT; i++) {
        const hoist_json_index at = neff_tape_find(r->json, object, neff_attrs[i].key);
        if (at && !read_attr(r, at, &neff_attrs[i], member)) {
            refuse(r, at, neff_attrs[i].key, "a value of its kind");
        }
    }
}

// A name alone has the common attributes; an object states those that differ.
static void read_member(manifest_reader *r, hoist_json_index at, hoist_tar_member *member)
{
    *member = r->manifest->plain;
    hoist_json_index name = at; // of a text the value itself
    if (hoist_json_kind_of(r->json, at) == HOIST_JSON_OBJECT) {
        name = neff_tape_find(r->json, at, "name");
        read_attrs(r, at, member);
    }
    if (!name || !read_text(r, name, &member->name) || member->name.size == 0) {
        refuse(r, name ? name : at, "a member's name", "a text");
    }
}

// `plain` first: every member begins as a copy of it.
static void read_members(manifest_reader *r)
{
    neff_manifest *const m = r->manifest;
    const hoist_json_index plain = neff_tape_find(r->json, 0, "plain");
    const hoist_json_index list = neff_tape_find(r->json, 0, "members");
    if (plain) {
        read_attrs(r, plain, &m->plain);
    }
    if (list && !neff_tape_is(r->json, list, HOIST_JSON_ARRAY)) {
        refuse(r, list, "members", "a list");
        return;
    }
    const uint32_t count = list ? hoist_json_size(r->json, list) : 0;
    m->members = hoist_arena_array(r->arena, count, sizeof(m->members[0]));
    r->no_memory = r->no_memory || !m->members;
    hoist_json_index item = list + 1;
    for (uint32_t i = 0; i < count && m->members; i++) {
        read_member(r, item, &m->members[m->member_count++]);
        item = hoist_json_next(r->json, item);
    }
}

hoist_status neff_manifest_read(hoist_bytes text, hoist_arena *arena, hoist_diag *diag,
                                neff_manifest *out_manifest)
{
    // What is packed without a manifest: the vendor compiler's habits (10).
    *out_manifest = (neff_manifest){
        .archive = {.gzip = true, .level = NEFF_LEVEL, .record = NEFF_RECORD, .payload_record = 1},
        .plain = neff_plain_member()};
    if (!text.data) {
        return HOIST_OK;
    }
    hoist_json json;
    hoist_diag_source(diag, HOIST_STR(NEFF_MANIFEST_NAME), HOIST_STR(""));
    HOIST_TRY(hoist_json_read(text, NULL, arena->alloc, diag, &json));
    manifest_reader r = {.json = &json, .arena = arena, .diag = diag, .manifest = out_manifest};
    hoist_str schema = {"", 0};
    const hoist_json_index at = neff_tape_find(r.json, 0, "schema");
    if (at == 0 || !read_text(&r, at, &schema) ||
        !hoist_str_equal_c(schema, "hoist.neff-folder/1")) {
        // Another schema is reported, and the rest read as if it were this one.
        refuse(&r, at, at ? "schema" : "the manifest", "\"hoist.neff-folder/1\"");
    }
    read_header(&r);
    read_archive(&r);
    read_members(&r);
    hoist_json_free(&json);
    return r.no_memory ? HOIST_NO_MEMORY : HOIST_OK;
}
