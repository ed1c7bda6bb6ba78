// Fingerprints (fingerprint.h): SHA-256 over the parts of a finding, each with a NUL byte after it,
// cut to 128 bits. Places inside of messages, as 12:5 or +0x1f, are left out: they move when lines
// are inserted above.
#include "report/fingerprint.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/span.h"
#include "codec/hash.h"

enum { HASH_DIGITS = 32 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

// Bytes of the place that begins at `at`; 0: none does.
static size_t place_size(hoist_str text, size_t at)
{
    size_t end = at;
    if (text.size - at > 3 && hoist_str_equal_c(hoist_str_slice(text, at, 3), "+0x")) {
        for (end = at + 3; end < text.size && is_hex(text.data[end]); end++) {
        }
        return end - at;
    }
    while (end < text.size && is_digit(text.data[end])) {
        end++;
    }
    const bool has_line = end > at && end < text.size && text.data[end] == ':';
    size_t column = has_line ? end + 1 : end;
    while (has_line && column < text.size && is_digit(text.data[column])) {
        column++;
    }
    return has_line && column > end + 1 ? column - at : 0;
}

static void add_message(hoist_buffer *out, hoist_str message)
{
    for (size_t i = 0; i < message.size;) {
        // A number that ends with what looks like a place is a number.
        const bool inside = i > 0 && is_digit(message.data[i - 1]);
        const size_t place = inside ? 0 : place_size(message, i);
        if (place == 0) {
            hoist_buffer_char(out, message.data[i]);
        }
        i += place ? place : 1;
    }
}

static void add_part(hoist_buffer *out, hoist_str part)
{
    hoist_buffer_str(out, part);
    hoist_buffer_char(out, '\0');
}

// How many findings had these digits before, this one counted.
static hoist_status count(hoist_fingerprints *all, hoist_str digits, size_t *out_count)
{
    size_t at = 0;
    if (!hoist_map_find(&all->seen, digits, &at)) {
        at = all->seen.count;
        const hoist_str own = hoist_arena_str(&all->arena, digits);
        if (!own.data || !hoist_grow(all->seen.alloc, (void **)&all->counts, &all->capacity, at + 1,
                                     sizeof *all->counts)) {
            return HOIST_NO_MEMORY;
        }
        all->counts[at] = 0;
        // The map has the digits of each kind of finding once.
        HOIST_TRY(hoist_map_add(&all->seen, own, at, NULL));
    }
    *out_count = ++all->counts[at];
    return HOIST_OK;
}

void hoist_fingerprints_init(hoist_fingerprints *all, hoist_allocator alloc)
{
    *all = (hoist_fingerprints){.counts = NULL};
    hoist_arena_init(&all->arena, alloc);
    hoist_map_init(&all->seen, alloc);
}

void hoist_fingerprints_deinit(hoist_fingerprints *all)
{
    hoist_free(all->seen.alloc, all->counts, all->capacity * sizeof *all->counts);
    hoist_map_deinit(&all->seen);
    hoist_arena_deinit(&all->arena);
}

hoist_status hoist_fingerprint_next(hoist_fingerprints *all, const hoist_finding *finding,
                                    hoist_fingerprint *out_fingerprint)
{
    char digest[HOIST_HASH_TEXT_SIZE] = "";
    hoist_buffer parts;
    hoist_buffer_init(&parts, all->seen.alloc);
    add_part(&parts, hoist_str_from(finding->rule->id));
    add_part(&parts, finding->file);
    add_part(&parts, finding->member);
    add_part(&parts, finding->object);
    add_message(&parts, finding->message);
    const hoist_str text = hoist_buffer_text(&parts);
    hoist_status status =
        parts.failed
            ? HOIST_NO_MEMORY
            : hoist_hash_text(HOIST_HASH_SHA256,
                              (hoist_bytes){(const uint8_t *)text.data, text.size}, NULL, digest);
    hoist_buffer_deinit(&parts);
    size_t number = 0;
    HOIST_TRY(status);
    HOIST_TRY(count(all, (hoist_str){digest, HASH_DIGITS}, &number));
    (void)snprintf(out_fingerprint->text, sizeof out_fingerprint->text, "%.*s:%zu", HASH_DIGITS,
                   digest, number);
    return HOIST_OK;
}
