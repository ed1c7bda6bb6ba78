// PAX records: "%d %s=%s\n", length (of all, itself included), key, value. POSIX.1-2017, pax, "pax
// Header Block".
#include "codec/tar_pax.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/diag.h"
#include "base/span.h"

typedef enum pax_kind {
    PAX_TEXT,
    PAX_NATURAL,
    PAX_INTEGER, // a sign is allowed
    PAX_TIME,    // and a fraction
} pax_kind;

// The keys that are honoured.
// clang-format off
static const struct {
    const char *key;
    pax_kind kind;
    size_t at; // in hoist_tar_extra
} keys[] = {
    // Keys that are not here (atime, comment, vendors' own) are passed over.
    {"path",     PAX_TEXT,    offsetof(hoist_tar_extra, name)},
    {"linkpath", PAX_TEXT,    offsetof(hoist_tar_extra, link)},
    {"size",     PAX_NATURAL, offsetof(hoist_tar_extra, size)},
    {"uid",      PAX_INTEGER, offsetof(hoist_tar_extra, uid)},
    {"gid",      PAX_INTEGER, offsetof(hoist_tar_extra, gid)},
    {"mtime",    PAX_TIME,    offsetof(hoist_tar_extra, mtime)},
    {"uname",    PAX_TEXT,    offsetof(hoist_tar_extra, user)},
    {"gname",    PAX_TEXT,    offsetof(hoist_tar_extra, group)},
};
// clang-format on

typedef struct pax_record {
    uint64_t size; // with length and newline
    hoist_str key;
    hoist_str value;
} pax_record;

// Decimal digits from `*pos` on, at least one, counted down when `negative`; false without one or
// beyond 64 bits.
// Counted down, so that INT64_MIN can be read.
static bool pax_digits(hoist_str text, size_t *pos, bool negative, int64_t *out_value)
{
    const size_t start = *pos;
    int64_t value = 0;
    for (; *pos < text.size && text.data[*pos] >= '0' && text.data[*pos] <= '9'; (*pos)++) {
        const int64_t digit = text.data[*pos] - '0';
        if (hoist_ckd_mul_i64(&value, value, 10) ||
            hoist_ckd_add_i64(&value, value, negative ? -digit : digit)) {
            return false;
        }
    }
    *out_value = value;
    return *pos > start;
}

// The record at the start of `text`.
static bool pax_split(hoist_str text, pax_record *out_record)
{
    size_t pos = 0;
    int64_t size = 0;
    if (!pax_digits(text, &pos, false, &size) || pos == text.size || text.data[pos] != ' ' ||
        // The length is the file's: the record must end inside, with a newline, and hold a
        // blank.
        (uint64_t)size > text.size || (uint64_t)size < pos + 2 || text.data[size - 1] != '\n') {
        return false;
    }
    const hoist_str body = {text.data + pos + 1, (size_t)size - pos - 2};
    const char *equals = memchr(body.data, '=', body.size);
    if (!equals || equals == body.data) {
        return false;
    }
    const size_t key = (size_t)(equals - body.data);
    *out_record = (pax_record){(uint64_t)size, {body.data, key}, {equals + 1, body.size - key - 1}};
    return true;
}

static bool pax_number(hoist_str text, pax_kind kind, int64_t *out_value)
{
    const bool negative = kind != PAX_NATURAL && text.data[0] == '-';
    size_t pos = negative;
    int64_t value = 0;
    if (!pax_digits(text, &pos, negative, &value)) {
        return false;
    }
    if (kind == PAX_TIME && pos < text.size && text.data[pos] == '.') {
        pos++;
        // -0.5 is rounded down to -1, as the time before.
        bool whole = true; // all digits of the fraction are zeros
        for (; pos < text.size && text.data[pos] >= '0' && text.data[pos] <= '9'; pos++) {
            whole = whole && text.data[pos] == '0';
        }
        if (negative && !whole && hoist_ckd_add_i64(&value, value, -1)) { // rounds down
            return false;
        }
    }
    *out_value = value;
    return pos == text.size;
}

// Stores the record's value under its key; false when it is a number and malformed.
static bool pax_store(const pax_record *record, hoist_tar_extra *extra)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
        if (!hoist_str_equal_c(record->key, keys[i].key)) {
            continue;
        }
        void *at = (char *)extra + keys[i].at;
        const bool given = record->value.size > 0;
        if (keys[i].kind == PAX_TEXT) {
            *(hoist_str *)at = given ? record->value : (hoist_str){0};
            return true;
        }
        int64_t value = 0;
        if (given && !pax_number(record->value, keys[i].kind, &value)) {
            return false;
        }
        *(hoist_tar_extra_number *)at = (hoist_tar_extra_number){given, value};
        return true;
    }
    return true;
}

void hoist_tar_pax_read(hoist_bytes records, uint64_t at, const hoist_rule *broken,
                        hoist_diag *diag, hoist_tar_extra *extra)
{
    hoist_str rest = {(const char *)records.data, records.size};
    while (rest.size > 0) {
        const uint64_t place = at + (records.size - rest.size);
        pax_record record;
        if (!pax_split(rest, &record)) {
            hoist_report(diag, broken, hoist_loc_byte(place),
                         "a PAX record is not of the form 'LENGTH KEY=VALUE' and a newline");
            return;
        }
        if (!pax_store(&record, extra)) {
            hoist_report(diag, broken, hoist_loc_byte(place),
                         "the PAX record '%.*s' has the value '%.*s', expected a number",
                         HOIST_STR_ARGS(record.key), HOIST_STR_ARGS(record.value));
        }
        rest = hoist_str_slice(rest, (size_t)record.size, rest.size);
    }
}

void hoist_tar_pax_text(hoist_buffer *out, const char *key, hoist_str value)
{
    // Space, equals sign and newline; the length's own digits may make it longer by one.
    const size_t rest = strlen(key) + value.size + 3;
    size_t size = rest;
    // The length counts its own digits: adding them may add one more.
    for (size_t digits = 0, power = 1; size >= power; power *= 10) {
        size = rest + ++digits;
    }
    hoist_buffer_format(out, "%zu %s=", size, key);
    hoist_buffer_str(out, value);
    hoist_buffer_char(out, '\n');
}

void hoist_tar_pax_number(hoist_buffer *out, const char *key, int64_t value)
{
    char text[24];
    const int size = snprintf(text, sizeof(text), "%" PRId64, value);
    hoist_tar_pax_text(out, key, (hoist_str){text, (size_t)size});
}
