// Builds the tape of a JSON text in one pass, without recursion: while an array or object is open,
// `next` of its token holds the token around it, so the tape is its own stack.
//
// A state machine reads token by token; strings, numbers and words are read in one go. Only the
// first failure is kept, and rendered at the end with its line and column (report()), so that
// success never counts lines.
#include "codec/json.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/diag.h"
#include "base/progress.h"
#include "base/span.h"
#include "base/utf8.h"
#include "codec/json_parser.h"

enum {
    DEFAULT_DEPTH = 1024,
    LEAST_TOKENS = 64,
    BYTES_PER_TOKEN = 16, // first guess of the tape's size; dense texts have one in 7 or 8
    LONGEST_WORD = 20,    // shown of an unknown word
};

// What may be at the parser's position.
typedef enum json_state {
    STATE_VALUE,       // a value
    STATE_FIRST_VALUE, // a value or ]
    STATE_KEY,         // a key
    STATE_FIRST_KEY,   // a key or }
    STATE_COLON,
    STATE_AFTER, // comma or the closing bracket
    STATE_DONE,  // white space
    STATE_FAILED,
} json_state;

enum {
    BYTE_SPACE = 1,
    BYTE_STOP = 2, // ends the plain part of a string: quote, backslash, control, not ASCII
    BYTE_DIGIT = 4,
    BYTE_LETTER = 8,
};

// The table of classes is written out: one load for each byte of a text.
#define STOP_4 BYTE_STOP, BYTE_STOP, BYTE_STOP, BYTE_STOP
#define STOP_16 STOP_4, STOP_4, STOP_4, STOP_4
#define LETTER_4 BYTE_LETTER, BYTE_LETTER, BYTE_LETTER, BYTE_LETTER
#define LETTER_26                                                                                  \
    LETTER_4, LETTER_4, LETTER_4, LETTER_4, LETTER_4, LETTER_4, BYTE_LETTER, BYTE_LETTER
#define DIGIT_5 BYTE_DIGIT, BYTE_DIGIT, BYTE_DIGIT, BYTE_DIGIT, BYTE_DIGIT

// clang-format off
static const uint8_t classes[256] = {
    STOP_4, STOP_4, BYTE_STOP, BYTE_STOP | BYTE_SPACE, BYTE_STOP | BYTE_SPACE, BYTE_STOP,
    BYTE_STOP, BYTE_STOP | BYTE_SPACE, BYTE_STOP, BYTE_STOP, STOP_16,
    ['"'] = BYTE_STOP, ['\\'] = BYTE_STOP, [' '] = BYTE_SPACE,
    ['0'] = DIGIT_5, DIGIT_5,
    ['A'] = LETTER_26,
    ['a'] = LETTER_26,
    [0x80] = STOP_16, STOP_16, STOP_16, STOP_16, STOP_16, STOP_16, STOP_16, STOP_16,
};
// clang-format on

void json_fail(json_parser *p, hoist_status status, int rule, size_t at, const char *format, ...)
{
    if (p->status != HOIST_OK) {
        return;
    }
    p->status = status;
    p->rule = rule;
    p->failed_at = at;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(p->message, sizeof(p->message), format, args);
    va_end(args);
}

// The text ends although `what` is not complete.
// Its own status tells a caller that more bytes might help.
static json_state cut(json_parser *p, const char *what)
{
    json_fail(p, HOIST_TRUNCATED, JSON_CUT, p->size, "the text ends %s", what);
    return STATE_FAILED;
}

typedef struct byte_name {
    char text[24];
} byte_name;

// By value, so that a call can be an argument of a message.
static byte_name name_byte(uint8_t byte)
{
    byte_name name;
    const bool shown = byte > ' ' && byte < 0x7f;
    (void)snprintf(name.text, sizeof(name.text), shown ? "'%c'" : "byte 0x%02x", byte);
    return name;
}

// The byte at the parser's position is where `expected` should be.
static json_state unexpected(json_parser *p, int rule, const char *expected)
{
    HOIST_ASSERT(p->pos < p->size);
    json_fail(p, HOIST_INVALID, rule, p->pos, "found %s, expected %s",
              name_byte(p->text[p->pos]).text, expected);
    return STATE_FAILED;
}

static bool grow_tape(json_parser *p)
{
    HOIST_ASSERT(p->json->count == p->json->capacity);
    hoist_json *json = p->json;
    if (json->count >= p->max_tokens) {
        json_fail(p, HOIST_LIMIT, JSON_LIMIT, p->pos, "more than %zu values and keys",
                  p->max_tokens);
        return false;
    }
    size_t grown = json->capacity + json->capacity / 2;
    // By half from then on: doubling a large tape would keep a third copy in memory.
    if (json->capacity == 0) {
        grown = p->first_tokens;
    }
    grown = grown < p->max_tokens ? grown : p->max_tokens;
    HOIST_ASSERT(grown > json->count);
    const size_t size = sizeof(json->tokens[0]); // grown is below 2^32
    void *tokens = hoist_resize(json->alloc, json->tokens, json->capacity * size, grown * size);
    if (!tokens) {
        // Without a message: there may be no memory for one.
        p->status = p->status == HOIST_OK ? HOIST_NO_MEMORY : p->status;
        return false;
    }
    json->tokens = tokens;
    json->capacity = grown;
    return true;
}

static void count_bytes(json_parser *p)
{
    hoist_stage_add(p->deadline, HOIST_STAGE_OPENING, p->pos - p->counted);
    p->counted = p->pos;
}

// Whether the deadline lets the parser go on; asked every 64 Ki tokens.
static bool may_go_on(json_parser *p)
{
    count_bytes(p);
    const hoist_status ended = hoist_deadline_look(p->deadline);
    p->status = p->status == HOIST_OK ? ended : p->status;
    return ended == HOIST_OK;
}

// Adds a token that ends at `end`; false when the tape cannot grow, or the time is over.
// `next` is preset to the token behind; close_container() corrects it for arrays and objects.
static inline bool add_token(json_parser *p, uint32_t bits, size_t start, size_t end)
{
    hoist_json *json = p->json;
    HOIST_ASSERT(start <= end && end <= p->size && json->count <= json->capacity);
    if (json->count == json->capacity && !grow_tape(p)) {
        return false;
    }
    if (json->count % 65536 == 0 && !may_go_on(p)) {
        return false;
    }
    const uint32_t index = (uint32_t)json->count++;
    json->tokens[index] =
        (hoist_json_token){(uint32_t)start, (uint32_t)(end - start), index + 1, bits};
    return true;
}

// "\uXXXX" at `at`; a pair when it is a high surrogate. Returns the bytes read, 0 on failure.
static size_t read_unicode(json_parser *p, size_t at)
{
    HOIST_ASSERT(p->size - at >= 2 && p->text[at] == '\\' && p->text[at + 1] == 'u');
    const uint8_t *text = p->text + at;
    const size_t left = p->size - at;
    if (left < 6) {
        (void)cut(p, "inside an escape");
        return 0;
    }
    const int code = json_hex4(text + 2);
    if (code < 0) {
        json_fail(p, HOIST_INVALID, JSON_ESCAPE, at, "four hexadecimal digits must follow '\\u'");
        return 0;
    }
    // No surrogate: "\u0041".
    if (code < 0xd800 || code > 0xdfff) {
        return 6;
    }
    const bool high = code < 0xdc00;
    // The text ends where the low half would be: cut off, not wrong.
    if (high && (left < 8 || (text[6] == '\\' && text[7] == 'u' && left < 12))) {
        (void)cut(p, "inside a pair of surrogates");
        return 0;
    }
    // 0 where no second escape follows, which is no low surrogate.
    const int low = high && text[6] == '\\' && text[7] == 'u' ? json_hex4(text + 8) : 0;
    if (low < 0) {
        json_fail(p, HOIST_INVALID, JSON_ESCAPE, at + 6,
                  "four hexadecimal digits must follow '\\u'");
        return 0;
    }
    if (low < 0xdc00 || low > 0xdfff) {
        json_fail(p, HOIST_INVALID, JSON_SURROGATE, at,
                  "'\\u%04x' is a %s surrogate without its %s", (unsigned)code,
                  high ? "high" : "low", high ? "low one" : "high one");
        return 0;
    }
    return 12;
}

// An escape at `at`; returns the bytes read, 0 on failure.
static size_t read_escape(json_parser *p, size_t at)
{
    HOIST_ASSERT(at < p->size && p->text[at] == '\\');
    if (p->size - at < 2) {
        (void)cut(p, "inside an escape");
        return 0;
    }
    const uint8_t letter = p->text[at + 1];
    if (letter == 'u') {
        return read_unicode(p, at);
    }
    if (json_unescape((char)letter) == '\0') {
        json_fail(p, HOIST_INVALID, JSON_ESCAPE, at, "a backslash before %s is no escape",
                  name_byte(letter).text);
        return 0;
    }
    return 2;
}

// A byte that is not ASCII at `at`; returns the bytes of its sequence, 0 on failure.
// A sequence that could be completed is cut off; any other is not UTF-8.
static size_t read_sequence(json_parser *p, size_t at)
{
    HOIST_ASSERT(at < p->size && p->text[at] >= 0x80);
    const hoist_str text = {(const char *)p->text, p->size};
    const size_t size = hoist_utf8_size(text, at);
    if (size) {
        return size;
    }
    const uint8_t lead = p->text[at];
    const size_t expected = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    size_t rest = at + 1;
    while (rest < p->size && (p->text[rest] & 0xc0u) == 0x80u) {
        rest++;
    }
    if (lead >= 0xc2 && lead <= 0xf4 && rest == p->size && rest - at < expected) {
        (void)cut(p, "inside a character");
    } else {
        json_fail(p, HOIST_INVALID, JSON_UTF8, at, "byte 0x%02x is no UTF-8", (unsigned)lead);
    }
    return 0;
}

// What stops the plain part of a string at `at`, other than its end; returns the bytes read, 0 on
// failure.
static size_t read_special(json_parser *p, size_t at, uint32_t *bits)
{
    HOIST_ASSERT(at < p->size);
    const uint8_t c = p->text[at];
    if (c == '\\') {
        *bits |= JSON_ESCAPED;
        return read_escape(p, at);
    }
    if (c >= 0x80) {
        return read_sequence(p, at);
    }
    json_fail(p, HOIST_INVALID, JSON_CONTROL, at, "control character 0x%02x inside a string",
              (unsigned)c);
    return 0;
}

// A string whose opening quote is at the parser's position.
// The loop over plain bytes is where most of a text is read; everything else leaves it.
static inline bool read_string(json_parser *p)
{
    HOIST_ASSERT(p->pos < p->size && p->text[p->pos] == '"');
    const uint8_t *text = p->text;
    const size_t size = p->size;
    const size_t start = p->pos;
    uint32_t bits = HOIST_JSON_STRING;
    size_t at = start + 1;
    while (true) {
        while (at < size && !(classes[text[at]] & BYTE_STOP)) {
            at++;
        }
        if (at == size) {
            (void)cut(p, "inside a string");
            return false;
        }
        if (text[at] == '"') {
            break;
        }
        const size_t read = read_special(p, at, &bits);
        if (read == 0) {
            return false;
        }
        at += read;
    }
    p->pos = at + 1;
    return add_token(p, bits, start, at + 1);
}

static inline size_t skip_digits(const json_parser *p, size_t at)
{
    while (at < p->size && (classes[p->text[at]] & BYTE_DIGIT)) {
        at++;
    }
    return at;
}

// Digits that must be at `at`; returns where they end, 0 on failure.
static size_t read_digits(json_parser *p, size_t at, const char *after)
{
    const size_t end = skip_digits(p, at);
    if (end == at && at == p->size) {
        (void)cut(p, "inside a number");
        return 0;
    }
    if (end == at) {
        json_fail(p, HOIST_INVALID, JSON_NUMBER, at, "%s where a digit should follow %s",
                  name_byte(p->text[at]).text, after);
        return 0;
    }
    return end;
}

static json_state read_number(json_parser *p)
{
    HOIST_ASSERT(p->pos < p->size);
    const uint8_t *text = p->text;
    const size_t start = p->pos;
    const size_t digits = start + (text[start] == '-' ? 1 : 0);
    size_t at = read_digits(p, digits, "'-'");
    // "007"; "0" and "0.5" have one digit before the point.
    if (at > digits + 1 && text[digits] == '0') {
        json_fail(p, HOIST_INVALID, JSON_NUMBER, digits, "a number starts with a needless zero");
        return STATE_FAILED;
    }
    if (at && at < p->size && text[at] == '.') {
        at = read_digits(p, at + 1, "'.'");
    }
    // The bit 0x20 makes a letter lower case.
    if (at && at < p->size && (text[at] | 0x20) == 'e') {
        at++;
        at += at < p->size && (text[at] == '+' || text[at] == '-') ? 1 : 0;
        at = read_digits(p, at, "the exponent's 'e'");
    }
    p->pos = at;
    return at && add_token(p, HOIST_JSON_NUMBER, start, at) ? STATE_AFTER : STATE_FAILED;
}

typedef struct json_word {
    const char *text;
    hoist_json_kind kind;
    bool nonfinite; // known only where the caller lets it in
} json_word;

// Letters, and the sign of -Infinity.
static json_state read_word(json_parser *p)
{
    HOIST_ASSERT(p->pos < p->size);
    static const json_word words[] = {
        {"null", HOIST_JSON_NULL, false},      {"false", HOIST_JSON_FALSE, false},
        {"true", HOIST_JSON_TRUE, false},      {"NaN", HOIST_JSON_NUMBER, true},
        {"Infinity", HOIST_JSON_NUMBER, true}, {"-Infinity", HOIST_JSON_NUMBER, true},
    };
    const size_t start = p->pos;
    size_t end = start + (p->text[start] == '-' ? 1 : 0);
    while (end < p->size && (classes[p->text[end]] & BYTE_LETTER)) {
        end++;
    }
    const hoist_str word = {(const char *)p->text + start, end - start};
    for (size_t i = 0; i < HOIST_COUNT_OF(words); i++) {
        if (words[i].nonfinite && !p->nonfinite) {
            continue;
        }
        const hoist_str known = hoist_str_from(words[i].text);
        if (hoist_str_equal(word, known)) {
            p->pos = end;
            return add_token(p, words[i].kind, start, end) ? STATE_AFTER : STATE_FAILED;
        }
        // "tru" at the end of the text is cut off; "tru," is an unknown word.
        if (end == p->size && hoist_str_equal(word, hoist_str_slice(known, 0, word.size))) {
            return cut(p, "inside a word");
        }
    }
    const int shown = (int)(word.size < LONGEST_WORD ? word.size : LONGEST_WORD);
    json_fail(p, HOIST_INVALID, JSON_VALUE, start, "unknown word '%.*s%s'", shown, word.data,
              word.size > LONGEST_WORD ? "..." : "");
    return STATE_FAILED;
}

// True when an array that begins now is the one whose items are passed to the caller: the value of
// the stream's key, whose token is the last one, in the root object.
static bool is_streamed(const json_parser *p)
{
    const hoist_json *json = p->json;
    if (!p->stream || (json->tokens[0].bits & JSON_KIND_MASK) != HOIST_JSON_OBJECT) {
        return false;
    }
    return hoist_json_string_is(json, (uint32_t)json->count - 1, p->stream->key);
}

static inline json_state open_container(json_parser *p, hoist_json_kind kind)
{
    HOIST_ASSERT(p->depth <= p->max_depth && p->pos < p->size);
    if (p->depth == p->max_depth) {
        json_fail(p, HOIST_INVALID, JSON_DEPTH, p->pos, "nested more than %zu deep", p->max_depth);
        return STATE_FAILED;
    }
    const uint32_t index = (uint32_t)p->json->count;
    if (p->open == 0 && kind == HOIST_JSON_ARRAY && is_streamed(p)) {
        p->streamed = index;
    }
    if (!add_token(p, kind, p->pos, p->pos)) {
        return STATE_FAILED;
    }
    // The stack of open containers is threaded through their tokens.
    p->json->tokens[index].next = p->open;
    p->open = index;
    p->depth++;
    p->pos++;
    return kind == HOIST_JSON_ARRAY ? STATE_FIRST_VALUE : STATE_FIRST_KEY;
}

static inline json_state close_container(json_parser *p)
{
    hoist_json *json = p->json;
    const uint32_t index = p->open;
    HOIST_ASSERT(p->depth > 0 && index < json->count);
    hoist_json_token *token = &json->tokens[index];
    p->pos++;
    HOIST_ASSERT(token->start < p->pos && p->pos <= p->size);
    p->depth--;
    p->open = token->next;
    token->size = (uint32_t)(p->pos - token->start);
    // From here on `next` is what the header says of it.
    token->next = (uint32_t)json->count;
    if ((token->bits & JSON_KIND_MASK) == HOIST_JSON_OBJECT && !json_check_keys(p, index)) {
        p->status = HOIST_NO_MEMORY;
        return STATE_FAILED;
    }
    return p->open == JSON_NO_TOKEN ? STATE_DONE : STATE_AFTER;
}

// Whether the minus at the parser's position begins -Infinity, where that is let in.
static inline bool minus_word(const json_parser *p)
{
    return p->nonfinite && p->size - p->pos > 1 && p->text[p->pos + 1] == 'I';
}

// A value outside of all containers is the root: STATE_DONE.
static json_state read_value(json_parser *p)
{
    HOIST_ASSERT(p->pos < p->size);
    const uint8_t c = p->text[p->pos];
    json_state state = STATE_FAILED;
    if (c == '"') {
        state = read_string(p) ? STATE_AFTER : STATE_FAILED;
    } else if ((classes[c] & BYTE_DIGIT) || (c == '-' && !minus_word(p))) {
        state = read_number(p);
    } else if (c == '{' || c == '[') {
        return open_container(p, c == '[' ? HOIST_JSON_ARRAY : HOIST_JSON_OBJECT);
    } else if ((classes[c] & BYTE_LETTER) || c == '-') {
        state = read_word(p);
    } else {
        return unexpected(p, JSON_VALUE, "a value");
    }
    return state == STATE_AFTER && p->open == JSON_NO_TOKEN ? STATE_DONE : state;
}

// A child of the open container begins.
// The count shares a word with kind and flag, hence its limit of 28 bits.
static inline bool count_child(json_parser *p)
{
    if (p->open == JSON_NO_TOKEN) {
        return true;
    }
    hoist_json_token *token = &p->json->tokens[p->open];
    if (token->bits >> JSON_COUNT_SHIFT == JSON_MAX_COUNT) {
        json_fail(p, HOIST_LIMIT, JSON_LIMIT, p->pos, "more than %d children in one %s",
                  JSON_MAX_COUNT, "array or object");
        return false;
    }
    token->bits += 1u << JSON_COUNT_SHIFT;
    return true;
}

static inline json_state step_value(json_parser *p)
{
    return count_child(p) ? read_value(p) : STATE_FAILED;
}

static inline json_state step_key(json_parser *p)
{
    if (p->text[p->pos] != '"') {
        return unexpected(p, JSON_KEY, "a key in double quotes");
    }
    return count_child(p) && read_string(p) ? STATE_COLON : STATE_FAILED;
}

static inline void skip_space(json_parser *p)
{
    while (p->pos < p->size && (classes[p->text[p->pos]] & BYTE_SPACE)) {
        p->pos++;
    }
}

// Passes on the item of a streamed array that is complete, and drops it from the tape. False when
// the taker failed.
static bool hand_over(json_parser *p)
{
    hoist_json *json = p->json;
    const uint32_t array = p->open;
    count_bytes(p);
    p->status = hoist_deadline_look(p->deadline);
    if (p->status == HOIST_OK) {
        p->status = p->stream->item(p->stream->self, json, array, array + 1);
    }
    // The items' tokens are overwritten by the next item.
    json->count = array + 1;
    json->tokens[array].bits = HOIST_JSON_ARRAY; // of no items
    return p->status == HOIST_OK;
}

static inline json_state step_after(json_parser *p)
{
    const bool array = (p->json->tokens[p->open].bits & JSON_KIND_MASK) == HOIST_JSON_ARRAY;
    const uint8_t c = p->text[p->pos];
    if (c == ',') {
        p->pos++;
        return array ? STATE_VALUE : STATE_KEY;
    }
    if (c == (array ? ']' : '}')) {
        return close_container(p);
    }
    return unexpected(p, JSON_STRUCTURE, array ? "',' or ']'" : "',' or '}'");
}

static json_state step(json_parser *p, json_state state)
{
    const uint8_t c = p->text[p->pos];
    switch (state) {
    case STATE_FIRST_VALUE:
        return c == ']' ? close_container(p) : step_value(p);
    case STATE_VALUE:
        return step_value(p);
    case STATE_FIRST_KEY:
        return c == '}' ? close_container(p) : step_key(p);
    case STATE_KEY:
        return step_key(p);
    // The value is read at once, as it is counted with its key.
    case STATE_COLON:
        if (p->text[p->pos] != ':') {
            return unexpected(p, JSON_STRUCTURE, "the ':' after a key");
        }
        p->pos++;
        skip_space(p);
        return p->pos == p->size ? cut(p, "before a member's value") : read_value(p);
    case STATE_AFTER:
        return step_after(p);
    case STATE_DONE:
    case STATE_FAILED:
        break;
    }
    return STATE_FAILED;
}

// Reads one value.
static void build(json_parser *p)
{
    json_state state = STATE_VALUE;
    while (state < STATE_DONE) {
        skip_space(p);
        if (p->pos == p->size) {
            break;
        }
        // An item is complete when what follows it in its array is next.
        if (state == STATE_AFTER && p->open == p->streamed && !hand_over(p)) {
            return;
        }
        state = step(p, state);
    }
    if (state == STATE_FAILED || state == STATE_DONE) {
        return;
    }
    if (p->json->count == 0) {
        json_fail(p, HOIST_INVALID, JSON_EMPTY, 0, "the text holds no value");
    } else {
        const uint32_t kind = p->json->tokens[p->open].bits & JSON_KIND_MASK;
        (void)cut(p, kind == HOIST_JSON_ARRAY ? "inside an array" : "inside an object");
    }
}

// Nothing but white space may follow the value.
static void check_end(json_parser *p)
{
    skip_space(p);
    if (p->pos < p->size) {
        json_fail(p, HOIST_INVALID, JSON_TRAILING, p->pos, "%s after the end of the value",
                  name_byte(p->text[p->pos]).text);
    }
}

// What can be said of the text before it is read.
// Marks are named before anything else: a text in UTF-16 would fail with a riddle otherwise.
static void check_start(json_parser *p, size_t max_bytes)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *name;
    } marks[] = {
        {"\xef\xbb\xbf", 3, "UTF-8"}, {"\xff\xfe", 2, "UTF-16"}, {"\xfe\xff", 2, "UTF-16"}};
    if (p->size > max_bytes) {
        json_fail(p, HOIST_LIMIT, JSON_LIMIT, 0, "the text has %zu bytes, the limit is %zu",
                  p->size, max_bytes);
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(marks); i++) {
        if (p->size >= marks[i].size && memcmp(p->text, marks[i].bytes, marks[i].size) == 0) {
            json_fail(p, HOIST_INVALID, JSON_BOM, 0, "the text starts with a %s byte order mark",
                      marks[i].name);
        }
    }
}

static void report(const json_parser *p, hoist_diag *diag)
{
    const hoist_bytes text = {p->text, p->size};
    const hoist_rule *rules = hoist_json_rules.rules;
    // Findings are in the order of the text, so lines are counted once over all of them.
    hoist_json_cursor cursor = {0};
    for (size_t i = 0; i < p->duplicate_count && i < JSON_MAX_DUPLICATES; i++) {
        const json_range range = p->duplicates[i];
        const hoist_str key = {(const char *)p->text + range.start, range.size};
        hoist_report(diag, &rules[JSON_DUPLICATE],
                     hoist_loc_pos(hoist_json_place(&cursor, text, range.start)),
                     "key %.*s occurs twice in its object", HOIST_STR_ARGS(key));
    }
    if (p->duplicate_count > JSON_MAX_DUPLICATES) {
        hoist_report(diag, &rules[JSON_DUPLICATE], hoist_loc_none(), "%zu more %s",
                     p->duplicate_count - JSON_MAX_DUPLICATES,
                     hoist_plural(p->duplicate_count - JSON_MAX_DUPLICATES,
                                  "key occurs twice in its object",
                                  "keys occur twice in their objects"));
    }
    if (p->message[0]) {
        if (p->status == HOIST_TRUNCATED) {
            hoist_diag_lacks(diag, p->size + (uint64_t)1);
        }
        // A text beyond 4 GiB has no positions.
        const size_t at = p->failed_at < UINT32_MAX ? p->failed_at : 0;
        hoist_report(diag, &rules[p->rule], hoist_loc_pos(hoist_json_place(&cursor, text, at)),
                     "%s", p->message);
    }
}

static size_t limit_or(size_t limit, size_t most)
{
    return limit && limit < most ? limit : most;
}

// Gives back what the tape was grown too far; when that fails it stays as it is.
static void shrink_tape(hoist_json *json)
{
    const size_t size = sizeof(json->tokens[0]);
    void *tokens =
        hoist_resize(json->alloc, json->tokens, json->capacity * size, json->count * size);
    if (tokens) {
        json->tokens = tokens;
        json->capacity = json->count;
    }
}

// Reads the value at `at`; `whole`: which must be all there is.
static hoist_status read_text(hoist_bytes text, size_t at, bool whole,
                              const hoist_json_limits *limits, hoist_diag *diag, hoist_json *json)
{
    static const hoist_json_limits defaults = {0};
    limits = limits ? limits : &defaults;
    json_parser p = {
        .text = text.data,
        .size = text.size,
        .pos = at,
        .json = json,
        .first_tokens = LEAST_TOKENS,
        .max_tokens = limit_or(limits->max_tokens, (size_t)UINT32_MAX - 1),
        .max_depth = limits->max_depth ? limits->max_depth : DEFAULT_DEPTH,
        .nonfinite = limits->nonfinite,
        .open = JSON_NO_TOKEN,
        .stream = limits->stream,
        .deadline = limits->deadline,
        .counted = at,
        .streamed = JSON_NO_TOKEN,
    };
    // A stream's tape is as small as its largest item.
    if (whole && !limits->stream) {
        p.first_tokens += text.size / BYTES_PER_TOKEN;
    }
    check_start(&p, limit_or(limits->max_bytes, UINT32_MAX));
    if (p.status == HOIST_OK) {
        build(&p);
    }
    if (p.status == HOIST_OK && whole) {
        check_end(&p);
    }
    count_bytes(&p);
    report(&p, diag);
    if (p.status != HOIST_OK) {
        hoist_json_free(json);
        return p.status;
    }
    shrink_tape(json);
    return HOIST_OK;
}

hoist_status hoist_json_read(hoist_bytes text, const hoist_json_limits *limits,
                             hoist_allocator alloc, hoist_diag *diag, hoist_json *out_json)
{
    *out_json = (hoist_json){.text = text, .alloc = alloc};
    return read_text(text, 0, true, limits, diag, out_json);
}

hoist_status hoist_json_read_at(hoist_bytes text, size_t at, const hoist_json_limits *limits,
                                hoist_allocator alloc, hoist_diag *diag, hoist_json *out_json)
{
    *out_json = (hoist_json){.text = text, .alloc = alloc};
    return read_text(text, at, false, limits, diag, out_json);
}
