// codec/json.h - strict JSON (RFC 8259) as a tape of 16-byte tokens that keep their byte ranges.
//
// The tape is built in one pass over the text, which must stay alive: strings and numbers are
// slices of it, decoded on demand. Strict means: UTF-8 only, no comments, no trailing commas, one
// value in the text, no byte order mark; numbers and escapes exactly as the RFC writes them, but
// for the words of `nonfinite` where the caller lets them in. Duplicate keys are findings.
#ifndef HOIST_SRC_CODEC_JSON_H
#define HOIST_SRC_CODEC_JSON_H

#include "hoist/base.h"

#include "base/arena.h"

typedef enum hoist_json_kind {
    HOIST_JSON_NULL,
    HOIST_JSON_FALSE,
    HOIST_JSON_TRUE,
    HOIST_JSON_NUMBER,
    HOIST_JSON_STRING, // also the keys of objects
    HOIST_JSON_ARRAY,
    HOIST_JSON_OBJECT, // children are key, value, key, value ...
} hoist_json_kind;

// Index of a token on the tape; 0 is the root value.
typedef uint32_t hoist_json_index;

typedef struct hoist_json_token {
    uint32_t start; // first byte in the text (of a string: its opening quote)
    uint32_t size;  // bytes, quotes and brackets included
    uint32_t next;  // index of the token after this one and everything inside it
    uint32_t bits;  // kind (low 3 bits), escaped flag (bit 3), number of children (upper 28 bits)
} hoist_json_token;

typedef struct hoist_json {
    hoist_bytes text;         // borrowed
    hoist_json_token *tokens; // owned
    size_t count;
    size_t capacity;
    hoist_allocator alloc;
} hoist_json;

// Takes the items of one array of the root object as they are complete, so that a text of any size
// needs the tape of its largest item only: they are dropped from the tape after the call, and the
// array has size 0 in the end.
typedef struct hoist_json_stream {
    hoist_str key; // of the root object, as written between the quotes
    // `item` is an item of the array at `array`; both are good during the call, and when the key
    // occurs twice only `array` knows. A status other than HOIST_OK ends the reading with it.
    hoist_status (*item)(void *self, const hoist_json *json, hoist_json_index array,
                         hoist_json_index item);
    void *self;
} hoist_json_stream;

typedef struct hoist_json_limits {
    size_t max_bytes;  // of the text; 0: 4 GiB - 1 (offsets are 32-bit)
    size_t max_depth;  // nested arrays and objects; 0: 1,024
    size_t max_tokens; // on the tape at one time; 0: 2^32 - 2
    bool nonfinite;    // NaN, Infinity and -Infinity are numbers, as Python's json writes them
    const hoist_json_stream *stream; // or NULL
    hoist_deadline *deadline;        // or NULL
} hoist_json_limits;

extern const hoist_rule_set hoist_json_rules;

// Builds the tape of one JSON text. `limits` may be NULL. Findings (JSON-001..., json_rules.c)
// are located by line and column. Returns HOIST_OK (duplicate keys may still have been reported),
// HOIST_INVALID, HOIST_TRUNCATED, HOIST_LIMIT or HOIST_NO_MEMORY. On failure *out_json is empty.
// Free with hoist_json_free.
HOIST_NODISCARD hoist_status hoist_json_read(hoist_bytes text, const hoist_json_limits *limits,
                                             hoist_allocator alloc, hoist_diag *diag,
                                             hoist_json *out_json);
// The same for the one value that begins at byte `at` of the text; all places are those of the
// text, and what follows the value is not looked at.
HOIST_NODISCARD hoist_status hoist_json_read_at(hoist_bytes text, size_t at,
                                                const hoist_json_limits *limits,
                                                hoist_allocator alloc, hoist_diag *diag,
                                                hoist_json *out_json);
void hoist_json_free(hoist_json *json);

hoist_json_kind hoist_json_kind_of(const hoist_json *json, hoist_json_index at);
// Items of an array, members of an object, 0 for scalars.
uint32_t hoist_json_size(const hoist_json *json, hoist_json_index at);
// First child of an array or object that is not empty; its siblings follow with hoist_json_next
// (in an object: key, value, key, value).
hoist_json_index hoist_json_first(const hoist_json *json, hoist_json_index at);
hoist_json_index hoist_json_next(const hoist_json *json, hoist_json_index at);
// Value of the first member named `key`; false when absent or `object` is no object.
bool hoist_json_find(const hoist_json *json, hoist_json_index object, hoist_str key,
                     hoist_json_index *out_value);

// Bytes of the token as written.
hoist_str hoist_json_text(const hoist_json *json, hoist_json_index at);
// Content of a string: a slice of the text when it holds no escape, else decoded into `arena`
// (UTF-8; "\u0000" gives a NUL byte; a lone surrogate cannot occur, it is JSON-006). {NULL, 0}
// when out of memory.
hoist_str hoist_json_string(const hoist_json *json, hoist_json_index at, hoist_arena *arena);
// True when the string at `at` is `key` after decoding; needs no memory.
bool hoist_json_string_is(const hoist_json *json, hoist_json_index at, hoist_str key);
// Exact integer (no fraction, no exponent); false when it is not one or does not fit.
bool hoist_json_i64(const hoist_json *json, hoist_json_index at, int64_t *out_value);
bool hoist_json_u64(const hoist_json *json, hoist_json_index at, uint64_t *out_value);
// The text of an integer that fits neither of the two, else empty.
hoist_str hoist_json_digits(const hoist_json *json, hoist_json_index at);
// Any number, correctly rounded, or what the words of `nonfinite` say; false for other kinds.
bool hoist_json_f64(const hoist_json *json, hoist_json_index at, double *out_value);

// Line and column of a token, counted on demand from the start of the text.
hoist_pos hoist_json_pos(const hoist_json *json, hoist_json_index at);

// Where hoist_json_place was last; clear before the first call.
typedef struct hoist_json_cursor {
    const uint8_t *text;
    size_t at;
    size_t line_start;
    uint32_t line;
} hoist_json_cursor;

// Line and column of byte `at` of `text`, at most its size, counted from where the cursor is: quick
// for places near each other or in ascending order. Another text is begun anew.
hoist_pos hoist_json_place(hoist_json_cursor *cursor, hoist_bytes text, size_t at);

// How values are sent.
typedef struct hoist_json_sending {
    hoist_arena *arena;        // takes strings that have escapes
    hoist_json_cursor *cursor; // NULL: events have no places
    bool digits;               // numbers that are no integers keep theirs
} hoist_json_sending;

// Sends the value at `at` under `key` (empty in a list). HOIST_OK, HOIST_NO_MEMORY; failures of the
// sink stay in it.
HOIST_NODISCARD hoist_status hoist_json_send(const hoist_json *json, hoist_json_index at,
                                             hoist_str key, const hoist_json_sending *how,
                                             hoist_tree_sink *sink);

#endif // HOIST_SRC_CODEC_JSON_H
