// Names, numbers and lists of numbers in the text form, in the shortest way that read_numbers.c
// reads back to the same value.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "base/utf8.h"
#include "program/names.h"
#include "program/printer.h"

// Bytes that are no UTF-8, or that a terminal would obey, as \xHH.
void hoist_print_name(hoist_buffer *out, hoist_str name)
{
    if (hoist_name_is_bare(name)) {
        hoist_buffer_str(out, name);
        return;
    }
    hoist_buffer_char(out, '"');
    for (size_t i = 0; i < name.size;) {
        const char c = name.data[i];
        const size_t size = hoist_utf8_shown_size(name, i);
        if (size) {
            hoist_buffer_c(out, c == '"' || c == '\\' ? "\\" : "");
            hoist_buffer_str(out, hoist_str_slice(name, i, size));
        } else {
            hoist_buffer_format(out, "\\x%02x", (unsigned)(unsigned char)c);
        }
        i += size ? size : 1;
    }
    hoist_buffer_char(out, '"');
}

// The shortest decimal that reads back as the same bits.
// Digits are added until the text reads back: at most 9 for a float, 17 for a double.
static void print_number(hoist_buffer *out, double value, bool single)
{
    char text[64] = "";
    if (isinf(value)) {
        hoist_buffer_c(out, value < 0 ? "-inf" : "inf");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        for (char *c = text; *c; c++) {
            *c = strchr("0123456789eE+-", *c) ? *c : '.'; // whatever the locale's point is
        }
        double back = 0;
        (void)hoist_str_to_f64(hoist_str_from(text), &back);
        if (single ? (float)back == (float)value : back == value) {
            break;
        }
    }
    for (const char *c = text; *c; c++) {
        // "1e+20" would end at the '+', which is a mark of views.
        if (*c != '+') {
            hoist_buffer_char(out, *c);
        }
    }
}

void hoist_print_float(hoist_buffer *out, float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value)) {
        // Payloads matter: constants of a program keep their bits.
        hoist_buffer_format(out, "nan_%" PRIx32, bits);
    } else {
        print_number(out, (double)value, true);
    }
}

void hoist_print_double(hoist_buffer *out, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value)) {
        hoist_buffer_format(out, "nan_%" PRIx64, bits);
    } else {
        print_number(out, value, false);
    }
}

// Tables of moves have thousands of items, nearly all in runs.
void hoist_print_ints(hoist_buffer *out, const int32_t *items, uint32_t count)
{
    hoist_buffer_char(out, '[');
    for (uint32_t i = 0; i < count;) {
        uint32_t equal = 1;
        uint32_t rising = 1;
        while (i + equal < count && items[i + equal] == items[i]) {
            equal++;
        }
        // Items below 0 are fill values, which come in repetitions and not in ranges.
        while (items[i] >= 0 && i + rising < count && items[i + rising - 1] < INT32_MAX &&
               items[i + rising] == items[i + rising - 1] + 1) {
            rising++;
        }
        hoist_buffer_c(out, i ? ", " : "");
        hoist_buffer_format(out, "%" PRId32, items[i]);
        if (equal > 1) {
            hoist_buffer_format(out, "x%" PRIu32, equal);
            i += equal;
        } else if (rising > 2) {
            // "0, 1" is as short as "0..1".
            hoist_buffer_format(out, "..%" PRId32, items[i + rising - 1]);
            i += rising;
        } else {
            i++;
        }
    }
    hoist_buffer_char(out, ']');
}

void hoist_print_i64s(hoist_buffer *out, const int64_t *items, int count)
{
    hoist_buffer_char(out, '[');
    for (int i = 0; i < count && i < HOIST_MAX_RANK; i++) {
        hoist_buffer_format(out, "%s%" PRId64, i ? ", " : "", items[i]);
    }
    hoist_buffer_char(out, ']');
}

void hoist_print_hex(hoist_buffer *out, hoist_bytes bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes.size; i++) {
        hoist_buffer_char(out, digits[bytes.data[i] >> 4]);
        hoist_buffer_char(out, digits[bytes.data[i] & 15]);
    }
}

void hoist_print_axes(hoist_buffer *out, const uint8_t *axes, uint32_t rank)
{
    hoist_buffer_char(out, '[');
    for (uint32_t i = 0; i < rank && i < HOIST_MAX_RANK; i++) {
        hoist_buffer_format(out, "%s%u", i ? ", " : "", axes[i]);
    }
    hoist_buffer_char(out, ']');
}
