// The values that text.c keeps, and their words: numbers with units and thousands grouped, sizes
// in binary units, lists in brackets.
#include "report/value.h"

#include <inttypes.h>
#include <math.h>

#include "base/size_text.h"
#include "base/span.h"
#include "codec/number.h"

bool hoist_value_is_line(const hoist_value *v)
{
    if (hoist_value_is_scalar(v) || v->count == 0 || v->event.inline_hint) {
        return true;
    }
    if (v->event.kind == HOIST_TREE_MAP || v->cut == v->count) {
        return false;
    }
    for (const hoist_value *item = v->first; item; item = item->next) {
        if (item->event.kind == HOIST_TREE_MAP || !hoist_value_is_line(item)) {
            return false;
        }
    }
    return true;
}

bool hoist_value_is_number(const hoist_value *v)
{
    const hoist_tree_kind kind = v->event.kind;
    return kind == HOIST_TREE_INT || kind == HOIST_TREE_UINT || kind == HOIST_TREE_FLOAT;
}

// 17039392 as "17,039,392".
static void write_grouped(hoist_buffer *out, uint64_t value)
{
    char digits[32]; // filled from the end
    size_t at = sizeof(digits);
    size_t count = 0;
    do {
        if (count && count % 3 == 0) {
            digits[--at] = ',';
        }
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
        count++;
    } while (value);
    hoist_buffer_str(out, (hoist_str){digits + at, sizeof(digits) - at});
}

static void write_bytes(hoist_buffer *out, uint64_t value, bool brief)
{
    const hoist_size_text size = hoist_size_text_of(value);
    if (brief) {
        hoist_buffer_format(out, "%s %s", size.number, size.unit);
    } else if (value < 1024) {
        hoist_buffer_c(out, size.number);
    } else {
        write_grouped(out, value);
        hoist_buffer_format(out, " (%s %s)", size.number, size.unit);
    }
}

static void write_uint(hoist_buffer *out, uint64_t value, hoist_tree_unit unit, bool brief)
{
    switch (unit) {
    case HOIST_UNIT_BYTES:
        write_bytes(out, value, brief);
        break;
    case HOIST_UNIT_ADDRESS:
        hoist_buffer_format(out, "0x%" PRIx64, value);
        break;
    case HOIST_UNIT_PERCENT:
        hoist_buffer_format(out, "%" PRIu64 " %%", value);
        break;
    case HOIST_UNIT_NONE:
    case HOIST_UNIT_SECONDS:
    case HOIST_UNIT_RATE:
    case HOIST_UNIT_FLOPS:
        hoist_buffer_format(out, "%" PRIu64, value);
        break;
    }
}

static void write_int(hoist_buffer *out, int64_t value, hoist_tree_unit unit, bool brief)
{
    hoist_buffer_c(out, value < 0 ? "-" : "");
    write_uint(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, unit, brief);
}

// What a number is multiplied with before the word is written after it.
typedef struct scaled {
    double least; // that is written so
    double factor;
    const char *word;
} scaled;

static const scaled seconds[] = {
    {1, 1, " s"}, {1e-3, 1e3, " ms"}, {1e-6, 1e6, " us"}, {0, 1e9, " ns"}};
static const scaled rates[] = {{1e9, 1e-9, " GB/s"}, {1e6, 1e-6, " MB/s"}, {0, 1e-3, " kB/s"}};
static const scaled flops[] = {
    {1e9, 1e-9, " GFLOP/s"}, {1e6, 1e-6, " MFLOP/s"}, {0, 1e-3, " kFLOP/s"}};

// Three digits, so that columns can be compared.
static void write_scaled(hoist_buffer *out, double value, const scaled *rows)
{
    while (fabs(value) < rows->least) {
        rows++;
    }
    const double shown = value * rows->factor;
    const int before = fabs(shown) >= 99.95 ? 3 : fabs(shown) >= 9.995 ? 2 : 1;
    hoist_buffer_format(out, "%.*f%s", 3 - before, shown, rows->word);
}

static void write_float(hoist_buffer *out, double value, hoist_tree_unit unit, bool brief)
{
    static const double exact = 9007199254740992.0; // 2^53
    if (!isfinite(value)) {
        hoist_buffer_c(out, isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
    } else if (unit == HOIST_UNIT_PERCENT && fabs(value) < exact / 10) {
        const double tenths = round(value * 10);
        hoist_number_write(out, tenths / 10, 17 - 2);
        hoist_buffer_c(out, " %");
    } else if (unit == HOIST_UNIT_BYTES && fabs(value) < exact) {
        write_int(out, (int64_t)round(value), unit, brief);
    } else if (unit == HOIST_UNIT_SECONDS || unit == HOIST_UNIT_RATE || unit == HOIST_UNIT_FLOPS) {
        write_scaled(out, value,
                     unit == HOIST_UNIT_RATE    ? rates
                     : unit == HOIST_UNIT_FLOPS ? flops
                                                : seconds);
    } else {
        hoist_number_write(out, value, brief ? 4 : 6);
    }
}

static void write_scalar(hoist_buffer *out, const hoist_tree_event *e, bool brief)
{
    switch (e->kind) {
    case HOIST_TREE_STR:
        hoist_buffer_str(out, e->str);
        break;
    case HOIST_TREE_INT:
        write_int(out, e->integer, e->unit, brief);
        break;
    case HOIST_TREE_UINT:
        write_uint(out, e->uinteger, e->unit, brief);
        break;
    case HOIST_TREE_FLOAT:
        if (e->str.size) {
            hoist_buffer_str(out, e->str);
        } else {
            write_float(out, e->number, e->unit, brief);
        }
        break;
    case HOIST_TREE_BOOL:
        hoist_buffer_c(out, e->boolean ? "yes" : "no");
        break;
    case HOIST_TREE_NULL:
        hoist_buffer_c(out, "-");
        break;
    case HOIST_TREE_MAP:
    case HOIST_TREE_LIST:
    case HOIST_TREE_END:
        break;
    }
}

static void write_inner(hoist_buffer *out, const hoist_value *v, bool brief)
{
    if (hoist_value_is_scalar(v)) {
        write_scalar(out, &v->event, brief);
        return;
    }
    const bool list = v->event.kind == HOIST_TREE_LIST;
    hoist_buffer_char(out, list ? '[' : '{');
    if (v->count) {
        hoist_value_write(out, v, brief);
    }
    hoist_buffer_char(out, list ? ']' : '}');
}

void hoist_value_write(hoist_buffer *out, const hoist_value *v, bool brief)
{
    if (hoist_value_is_scalar(v)) {
        write_scalar(out, &v->event, brief);
        return;
    }
    if (v->count == 0) {
        hoist_buffer_c(out, "none");
    }
    for (const hoist_value *item = v->first; item; item = item->next) {
        hoist_buffer_c(out, item == v->first ? "" : ", ");
        if (v->event.kind == HOIST_TREE_MAP) {
            hoist_buffer_str(out, item->event.key);
            hoist_buffer_c(out, ": ");
        }
        write_inner(out, item, brief);
    }
    if (v->cut) {
        hoist_buffer_format(out, ", ... %zu more", v->cut);
    }
}
