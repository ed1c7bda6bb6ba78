// codec/json_parser.h - what the parts of the JSON codec share; for codec/json*.c only.
#ifndef HOIST_SRC_CODEC_JSON_PARSER_H
#define HOIST_SRC_CODEC_JSON_PARSER_H

#include "codec/json.h"

// Rows of hoist_json_rules.
enum {
#define JSON_RULE(number, name, ...) JSON_##name,
#include "codec/json_rules.inc"
    JSON_RULE_COUNT,
};

enum {
    JSON_KIND_MASK = 7,
    JSON_ESCAPED = 8,
    JSON_COUNT_SHIFT = 4,
    JSON_MAX_COUNT = (1 << 28) - 1,
    JSON_MAX_DUPLICATES = 100, // shown; more are counted
};

#define JSON_NO_TOKEN UINT32_MAX

typedef struct json_range { // of the text
    uint32_t start;
    uint32_t size;
} json_range;

typedef struct json_parser {
    const uint8_t *text; // borrowed
    size_t size;
    size_t pos;          // of the next byte
    hoist_json *json;    // borrowed; the tape under construction
    size_t first_tokens; // space for so many is made first
    size_t max_tokens;
    size_t max_depth;
    bool nonfinite; // as hoist_json_limits has it
    size_t depth;
    uint32_t open;                   // innermost open array or object; JSON_NO_TOKEN outside of all
    const hoist_json_stream *stream; // NULL: none
    hoist_deadline *deadline;        // NULL: none
    size_t counted;                  // bytes that hoist_stage_add() was given
    uint32_t streamed; // the array whose items it takes; JSON_NO_TOKEN before there is one

    hoist_status status; // the first failure ...
    int rule;            // ... its row of hoist_json_rules
    size_t failed_at;    // ... and its byte
    char message[200];

    json_range duplicates[JSON_MAX_DUPLICATES]; // keys, in the order of the text
    size_t duplicate_count;                     // of all, also those not kept
} json_parser;

// Remembers the first failure.
void json_fail(json_parser *p, hoist_status status, int rule, size_t at, const char *format, ...)
    HOIST_PRINTF(5, 6);

// Looks for keys that occur twice in the object `at`, which is complete. False when out of memory.
bool json_check_keys(json_parser *p, uint32_t at);

// Decodes the byte or escape at `at` of a string token's content: adds 1 to 4 bytes at
// out[*out_size] and returns the bytes read.
size_t json_decode_one(hoist_str content, size_t at, char *out, size_t *out_size);

// Decodes the content of a string token (without its quotes) into `arena`; {NULL, 0} when out of
// memory.
hoist_str json_decode(hoist_str content, hoist_arena *arena);

// Value of four hexadecimal digits; -1 when they are none.
int json_hex4(const uint8_t *digits);

// The character that the letter of a short escape means; NUL when there is no such escape.
char json_unescape(char letter);

#endif // HOIST_SRC_CODEC_JSON_PARSER_H
