// Writes one member of a tar archive at a time. A value that the header of its dialect cannot hold
// goes into a PAX record or a GNU long name before it; tar_block.c has the fields.
#include <string.h>

#include "base/span.h"
#include "codec/tar.h"
#include "codec/tar_block.h"
#include "codec/tar_pax.h"

typedef uint8_t tar_block[HOIST_TAR_BLOCK];

static void tar_add_padded(hoist_buffer *out, hoist_bytes data)
{
    const size_t rest = data.size % HOIST_TAR_BLOCK;
    hoist_buffer_add(out, data);
    hoist_buffer_fill(out, '\0', rest ? HOIST_TAR_BLOCK - rest : 0);
}

static size_t tar_data_size(const hoist_tar_member *m)
{
    return hoist_tar_has_data(m->flag) ? m->data.size : 0;
}

// True when a field can hold the text, which must not have NULs.
static bool tar_text_fits(hoist_str text, hoist_tar_field field)
{
    return text.size <= hoist_tar_fields[field].size &&
           (text.size == 0 || !memchr(text.data, '\0', text.size));
}

// Where ustar's prefix ends: at the last slash that leaves both parts short enough, and neither
// empty; 0: nowhere.
// Names beyond 100 bytes in ustar: "prefix/name", the slash itself is not stored.
static size_t tar_split(hoist_str name)
{
    const size_t most = hoist_tar_fields[HOIST_TAR_PREFIX].size;
    if (name.size < 3 || memchr(name.data, '\0', name.size)) {
        return 0;
    }
    size_t at = name.size - 2 < most ? name.size - 2 : most;
    while (at > 0 && name.data[at] != '/') {
        at--;
    }
    return name.size - at - 1 <= hoist_tar_fields[HOIST_TAR_NAME].size ? at : 0;
}

// Texts of a member and their PAX keys.
static const struct {
    hoist_tar_field field;
    const char *key;
    size_t at; // in hoist_tar_member
} texts[] = {
    {HOIST_TAR_LINKNAME, "linkpath", offsetof(hoist_tar_member, link)},
    {HOIST_TAR_NAME, "path", offsetof(hoist_tar_member, name)},
    {HOIST_TAR_USER, "uname", offsetof(hoist_tar_member, user)},
    {HOIST_TAR_GROUP, "gname", offsetof(hoist_tar_member, group)},
};

// Numbers of a member, in the order of tar_values_of(). PAX has no key for the mode.
static const struct {
    hoist_tar_field field;
    const char *key;
} numbers[] = {
    {HOIST_TAR_MODE, NULL},   {HOIST_TAR_UID, "uid"},     {HOIST_TAR_GID, "gid"},
    {HOIST_TAR_SIZE, "size"}, {HOIST_TAR_MTIME, "mtime"},
};

typedef struct tar_values {
    int64_t of[HOIST_COUNT_OF(numbers)];
} tar_values;

// As int64_t, the type of all fields' numbers.
static tar_values tar_values_of(const hoist_tar_member *m)
{
    return (tar_values){{m->mode, m->uid, m->gid, (int64_t)tar_data_size(m), m->mtime}};
}

// An empty header of `dialect`.
static void tar_start(uint8_t *block, hoist_tar_dialect dialect, char flag)
{
    static const hoist_str magics[] = {
        [HOIST_TAR_V7] = {0},
        [HOIST_TAR_USTAR] = {"ustar\0"
                             "00",
                             8},
        [HOIST_TAR_PAX] = {"ustar\0"
                           "00",
                           8},
        [HOIST_TAR_GNU] = {"ustar  ", 8},
    };
    memset(block, 0, HOIST_TAR_BLOCK);
    hoist_tar_put_text(block, HOIST_TAR_FLAG, (hoist_str){&flag, 1});
    hoist_tar_put_text(block, HOIST_TAR_MAGIC, magics[dialect]);
    if (dialect == HOIST_TAR_USTAR || dialect == HOIST_TAR_PAX) {
        (void)hoist_tar_put_octal(block, HOIST_TAR_DEVMAJOR, 0);
        (void)hoist_tar_put_octal(block, HOIST_TAR_DEVMINOR, 0);
    }
}

static void tar_add_header(uint8_t *block, hoist_buffer *out)
{
    hoist_tar_put_sum(block);
    hoist_buffer_add(out, (hoist_bytes){block, HOIST_TAR_BLOCK});
}

// A header in front of the member's, with its data.
static void tar_add_extra(hoist_tar_dialect dialect, char flag, hoist_str data, hoist_buffer *out)
{
    tar_block block;
    tar_start(block, dialect, flag);
    // Names that GNU tar and others give these headers; readers ignore them.
    hoist_tar_put_text(block, HOIST_TAR_NAME,
                       flag == 'x' ? HOIST_STR("././@PaxHeader") : HOIST_STR("././@LongLink"));
    (void)hoist_tar_put_octal(block, HOIST_TAR_MODE, 0644);
    (void)hoist_tar_put_octal(block, HOIST_TAR_UID, 0);
    (void)hoist_tar_put_octal(block, HOIST_TAR_GID, 0);
    if (!hoist_tar_put_octal(block, HOIST_TAR_SIZE, (int64_t)data.size)) {
        (void)hoist_tar_put_base256(block, HOIST_TAR_SIZE, (int64_t)data.size);
    }
    (void)hoist_tar_put_octal(block, HOIST_TAR_MTIME, 0);
    tar_add_header(block, out);
    tar_add_padded(out, (hoist_bytes){(const uint8_t *)data.data, data.size});
}

// A text that its field cannot hold. False: nor can anything else of the dialect.
static bool tar_long_text(hoist_tar_dialect dialect, size_t i, hoist_str text, hoist_buffer *extra)
{
    const hoist_tar_field field = texts[i].field;
    if (dialect == HOIST_TAR_PAX) {
        hoist_tar_pax_text(extra, texts[i].key, text);
        return true;
    }
    // A NUL ends GNU's long names; more of them at the end would be lost.
    if (dialect != HOIST_TAR_GNU || field >= HOIST_TAR_USER || text.data[text.size - 1] == '\0') {
        return false;
    }
    hoist_buffer ended;
    hoist_buffer_init(&ended, extra->alloc);
    hoist_buffer_str(&ended, text);
    hoist_buffer_char(&ended, '\0');
    extra->failed = extra->failed || ended.failed;
    tar_add_extra(dialect, field == HOIST_TAR_NAME ? 'L' : 'K', hoist_buffer_text(&ended), extra);
    hoist_buffer_deinit(&ended);
    return true;
}

// V7 has no fields behind the link's name.
static bool tar_put_texts(const hoist_tar_member *m, hoist_tar_dialect dialect, uint8_t *block,
                          hoist_buffer *extra)
{
    const bool ustar = dialect == HOIST_TAR_USTAR || dialect == HOIST_TAR_PAX;
    for (size_t i = 0; i < HOIST_COUNT_OF(texts); i++) {
        const hoist_tar_field field = texts[i].field;
        const hoist_str text = *(const hoist_str *)((const char *)m + texts[i].at);
        const size_t split = ustar && field == HOIST_TAR_NAME ? tar_split(text) : 0;
        hoist_tar_put_text(block, field, text);
        if (tar_text_fits(text, field) && (dialect != HOIST_TAR_V7 || field < HOIST_TAR_MAGIC)) {
            continue;
        }
        if (split) {
            hoist_tar_put_text(block, HOIST_TAR_PREFIX, hoist_str_slice(text, 0, split));
            hoist_tar_put_text(block, field, hoist_str_slice(text, split + 1, text.size));
        } else if (text.size > 0 && !tar_long_text(dialect, i, text, extra)) {
            return false;
        }
    }
    return true;
}

static bool tar_put_numbers(const hoist_tar_member *m, hoist_tar_dialect dialect, uint8_t *block,
                            hoist_buffer *extra)
{
    const tar_values values = tar_values_of(m);
    for (size_t i = 0; i < HOIST_COUNT_OF(numbers); i++) {
        const hoist_tar_field field = numbers[i].field;
        const int64_t value = values.of[i];
        if (hoist_tar_put_octal(block, field, value)) {
            continue;
        }
        // 0 in the header: readers take the record's number.
        if (dialect == HOIST_TAR_PAX && numbers[i].key) {
            hoist_tar_pax_number(extra, numbers[i].key, value);
            (void)hoist_tar_put_octal(block, field, 0);
        } else if (dialect < HOIST_TAR_PAX || !hoist_tar_put_base256(block, field, value)) {
            // Base 256 is GNU's; PAX takes it for the mode, which has no key.
            return false;
        }
    }
    return true;
}

// The member's header, and in `extra` what must be before it: PAX records, or GNU's headers
// with their data. False when the dialect cannot hold the member; never for PAX.
static bool tar_fill(const hoist_tar_member *m, hoist_tar_dialect dialect, uint8_t *block,
                     hoist_buffer *extra)
{
    tar_start(block, dialect, m->flag);
    return tar_put_texts(m, dialect, block, extra) && tar_put_numbers(m, dialect, block, extra);
}

hoist_status hoist_tar_write(const hoist_tar_member *member, hoist_buffer *out)
{
    tar_block block;
    hoist_tar_dialect dialect = member->dialect;
    hoist_buffer extra;
    hoist_buffer_init(&extra, out->alloc);
    if (!tar_fill(member, dialect, block, &extra)) {
        hoist_buffer_deinit(&extra);
        // Everything fits there, so this is the last try.
        dialect = HOIST_TAR_PAX;
        (void)tar_fill(member, dialect, block, &extra);
    }
    out->failed = out->failed || extra.failed;
    if (extra.size > 0 && dialect == HOIST_TAR_PAX) {
        tar_add_extra(dialect, 'x', hoist_buffer_text(&extra), out);
    } else {
        hoist_buffer_str(out, hoist_buffer_text(&extra));
    }
    hoist_buffer_deinit(&extra);
    tar_add_header(block, out);
    tar_add_padded(out, (hoist_bytes){member->data.data, tar_data_size(member)});
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_status hoist_tar_end(size_t start, size_t record, hoist_buffer *out)
{
    hoist_buffer_fill(out, '\0', (size_t)2 * HOIST_TAR_BLOCK);
    const size_t rest = out->failed ? 0 : (out->size - start) % record;
    hoist_buffer_fill(out, '\0', rest ? record - rest : 0);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}
