// Arrays as text: rows of numbers, apart by blanks, commas or semicolons; what follows '#' is a
// comment. Input: the bytes of a .txt, .csv or .tsv file; output: elements one after the other.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array_files.h"
#include "base/buffer.h"
#include "base/reader.h"
#include "base/span.h"
#include "parse.h"

enum { MOST_DIGITS = 63 }; // of a number

typedef struct text_reader {
    tool *t;
    const char *path;
    hoist_str rest; // of the text
    hoist_dtype dtype;
    hoist_buffer elements; // little-endian, without gaps
    uint64_t line;         // 1-based, for messages
    uint64_t columns;      // of the first row; 0: there was none
} text_reader;

bool array_text_is(const char *path)
{
    const hoist_str name = hoist_str_from(path);
    return hoist_str_ends_with(name, ".txt") || hoist_str_ends_with(name, ".csv") ||
           hoist_str_ends_with(name, ".tsv");
}

// '\r' is here for files with the line ends of Windows. Empty fields ("1,,2") therefore do not
// count: the row is too short, which is reported.
static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

// The next number of a line as a text; false: there is none.
static bool next_word(hoist_str *line, hoist_str *out_word)
{
    size_t begin = 0;
    while (begin < line->size && is_between(line->data[begin])) {
        begin++;
    }
    size_t end = begin;
    while (end < line->size && !is_between(line->data[end])) {
        end++;
    }
    *out_word = hoist_str_slice(*line, begin, end - begin);
    *line = hoist_str_slice(*line, end, line->size);
    return out_word->size != 0;
}

// Appends `number` as an element. False: the type does not have it.
static bool add_number(text_reader *in, double number)
{
    const hoist_dtype_info *const type = hoist_dtype_get(in->dtype);
    uint8_t bytes[sizeof(uint64_t)];
    if (type->kind == HOIST_CLASS_FLOAT) {
        const float value = (float)number;
        uint32_t bits = 0;
        memcpy(&bits, &value, sizeof(bits));
        hoist_store_u32le(bytes, bits);
        hoist_buffer_add(&in->elements, (hoist_bytes){bytes, sizeof(bits)});
        return true;
    }
    // A number is a double on its way here, so integers beyond 2^53 would be rounded without a
    // word: they are refused, like fractions. NaN fails the first comparison.
    const bool is_signed = type->kind == HOIST_CLASS_SIGNED;
    const double least = is_signed ? -ldexp(1, type->bits - 1) : 0;
    if (!(number >= least && number < ldexp(1, is_signed ? type->bits - 1 : type->bits)) ||
        floor(number) != number || fabs(number) > 0x1p53) {
        return false;
    }
    hoist_store_u64le(bytes, number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number);
    hoist_buffer_add(&in->elements, (hoist_bytes){bytes, hoist_array_element_size(in->dtype)});
    return true;
}

// strtod() needs a terminated string, and the mapped file is none: the word is copied. A longer
// one than MOST_DIGITS is reported as no number. Underflow (ERANGE without infinity) is rounded
// as usual; overflow is an error.
static bool read_number(text_reader *in, hoist_str word)
{
    char text[MOST_DIGITS + 1];
    char *end = text;
    if (word.size <= MOST_DIGITS) {
        memcpy(text, word.data, word.size);
        text[word.size] = '\0';
    }
    errno = 0;
    const double number = word.size <= MOST_DIGITS ? strtod(text, &end) : 0;
    if (end == text || *end || (errno == ERANGE && isinf(number)) || !add_number(in, number)) {
        tool_complain(in->t, "%s:%llu: '%.*s' is no number of type %s", in->path,
                      (unsigned long long)in->line, (int)(word.size < 40 ? word.size : 40),
                      word.data, hoist_dtype_get(in->dtype)->name);
        return false;
    }
    return true;
}

// Empty lines and lines that only have a comment are skipped; all others have as many numbers
// as the first one.
static bool read_row(text_reader *in, hoist_str line)
{
    hoist_str word;
    uint64_t count = 0;
    const char *const comment = line.size ? memchr(line.data, '#', line.size) : NULL;
    line.size = comment ? (size_t)(comment - line.data) : line.size;
    while (next_word(&line, &word)) {
        if (!read_number(in, word)) {
            return false;
        }
        count++;
    }
    in->columns = in->columns ? in->columns : count;
    if (count && count != in->columns) {
        tool_complain(in->t, "%s:%llu: a row of %llu numbers after rows of %llu", in->path,
                      (unsigned long long)in->line, (unsigned long long)count,
                      (unsigned long long)in->columns);
        return false;
    }
    return true;
}

hoist_status array_text_read(tool *t, const char *path, hoist_bytes bytes, hoist_dtype dtype,
                             hoist_array *out_array)
{
    const hoist_dtype_class kind = hoist_dtype_get(dtype)->kind;
    text_reader in = {.t = t,
                      .path = path,
                      .rest = {(const char *)bytes.data, bytes.size},
                      .dtype = kind == HOIST_CLASS_SIGNED || kind == HOIST_CLASS_UNSIGNED
                                   ? dtype
                                   : HOIST_DTYPE_F32};
    bool is_read = true;
    hoist_buffer_init(&in.elements, t->alloc);
    // The deadline is looked at once per line; after the loop its status is asked for again, so
    // that a run that was cut short is not taken for a complete one.
    while (is_read && in.rest.size) {
        const char *const end = memchr(in.rest.data, '\n', in.rest.size);
        const size_t size = end ? (size_t)(end - in.rest.data) : in.rest.size;
        in.line++;
        is_read = read_row(&in, hoist_str_slice(in.rest, 0, size));
        in.rest = hoist_str_slice(in.rest, end ? size + 1 : size, in.rest.size);
        if (hoist_deadline_look(t->deadline) != HOIST_OK) {
            break;
        }
    }
    hoist_mut_bytes elements = {NULL, 0};
    hoist_status status = is_read ? hoist_deadline_look(t->deadline) : HOIST_INVALID;
    if (status == HOIST_OK) {
        status = hoist_buffer_take(&in.elements, &elements);
    }
    hoist_buffer_deinit(&in.elements);
    *out_array = (hoist_array){
        .dtype = in.dtype, .data = {elements.data, elements.size}, .owned = elements.data};
    return status;
}
