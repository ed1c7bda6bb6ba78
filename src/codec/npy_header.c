// Layout (NumPy format specification): 93 'N' 'U' 'M' 'P' 'Y', major, minor, header length (u16 in
// version 1, u32 in 2 and 3, little-endian), header, data. The header is a Python dict literal with
// the keys descr, fortran_order and shape, padded with spaces and ended by a newline.
//
// The literal is parsed strictly: what numpy.lib.format would refuse is refused here, and so are
// duplicate keys, escapes in strings and expressions. An `L` after an integer is allowed, because
// Python 2 wrote it.
#include "codec/npy_header.h"

#include <string.h>

#include "base/checked.h"
#include "base/reader.h"
#include "base/span.h"
#include "base/utf8.h"
#include "codec/npy_rules.h"

typedef struct npy_parser {
    hoist_str text; // the header
    size_t at;
    uint64_t base; // of `text` in the file
    hoist_diag *diag;
    hoist_npy_header *header;
} npy_parser;

// The next character; NUL at the end.
static char npy_peek(const npy_parser *p)
{
    return p->at < p->text.size ? p->text.data[p->at] : '\0';
}

static void npy_skip_space(npy_parser *p)
{
    while (npy_peek(p) && strchr(" \t\r\n", npy_peek(p))) {
        p->at++;
    }
}

// Skips space and, when it follows, the character `c`.
static bool npy_accept(npy_parser *p, char c)
{
    npy_skip_space(p);
    const bool there = p->at < p->text.size && p->text.data[p->at] == c;
    p->at += there;
    return there;
}

// Always HOIST_INVALID, for `return npy_syntax(...)`.
static hoist_status npy_syntax(const npy_parser *p, const char *expected)
{
    return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_005, p->base + p->at,
                          "the header is no dict literal: expected %s here", expected);
}

// A string literal in single or double quotes, without escapes.
static hoist_status npy_string(npy_parser *p, const char *expected, hoist_str *out_text)
{
    npy_skip_space(p);
    const char quote = npy_peek(p);
    if (quote != '\'' && quote != '"') {
        return npy_syntax(p, expected);
    }
    const size_t start = p->at + 1;
    size_t end = start;
    while (end < p->text.size && p->text.data[end] != quote && p->text.data[end] != '\\' &&
           p->text.data[end] != '\n') {
        end++;
    }
    if (end == p->text.size || p->text.data[end] != quote) {
        p->at = end;
        return npy_syntax(p, "the end of the string");
    }
    *out_text = hoist_str_slice(p->text, start, end - start);
    p->at = end + 1;
    return HOIST_OK;
}

// Bytes of an element by the digits after the letter of its kind; 0: there are none.
static uint64_t npy_item_size(hoist_str descr)
{
    uint64_t size = 0;
    for (size_t i = 2; i < descr.size && descr.data[i] >= '0' && descr.data[i] <= '9'; i++) {
        // Far beyond any element; the digits may go on for kilobytes.
        if (size > UINT32_MAX) {
            return 0;
        }
        size = size * 10 + (uint64_t)(descr.data[i] - '0');
    }
    return size;
}

// Only byte order and size: the code between them is the caller's to know (tensor/npy_code.h).
static hoist_status npy_descr(npy_parser *p)
{
    npy_skip_space(p);
    const uint64_t at = p->base + p->at;
    hoist_npy_header *const header = p->header;
    if (npy_peek(p) == '[' || npy_peek(p) == '(') {
        return hoist_npy_fail(p->diag, HOIST_UNSUPPORTED, HOIST_NPY_010, at,
                              "descr '[...]' means records, expected plain numbers");
    }
    HOIST_TRY(npy_string(p, "the type as a string", &header->descr));
    const char order = header->descr.size ? header->descr.data[0] : '\0';
    if (order != '<' && order != '>' && order != '|') {
        return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_009, at,
                              "descr '%.*s' has no byte order, expected one like '<f4'",
                              HOIST_STR_ARGS(header->descr));
    }
    header->descr_at = at;
    header->item_size = npy_item_size(header->descr);
    return HOIST_OK;
}

static hoist_status npy_order(npy_parser *p)
{
    npy_skip_space(p);
    const hoist_str rest = hoist_str_slice(p->text, p->at, p->text.size);
    if (hoist_str_starts_with(rest, "True")) {
        p->header->is_fortran = true;
        p->at += 4;
        return HOIST_OK;
    }
    if (hoist_str_starts_with(rest, "False")) {
        p->at += 5;
        return HOIST_OK;
    }
    return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_011, p->base + p->at,
                          "fortran_order is neither True nor False");
}

// Always HOIST_INVALID; `problem` completes "shape ...".
static hoist_status npy_bad_shape(const npy_parser *p, const char *problem)
{
    return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_012, p->base + p->at,
                          "shape %s, expected a tuple like (2, 3) or (3,)", problem);
}

static hoist_status npy_extent(npy_parser *p, int64_t *out_extent)
{
    *out_extent = 0;
    const size_t start = p->at;
    if (npy_peek(p) == '-') {
        return npy_bad_shape(p, "has a negative extent");
    }
    int64_t extent = 0;
    for (char c = npy_peek(p); c >= '0' && c <= '9'; c = npy_peek(p)) {
        if (hoist_ckd_mul_i64(&extent, extent, 10) || hoist_ckd_add_i64(&extent, extent, c - '0')) {
            return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_013, p->base + start,
                                  "an extent of shape does not fit 63 bits");
        }
        p->at++;
    }
    const size_t digits = p->at - start;
    // Python refuses leading zeros.
    if (digits == 0 || (digits > 1 && p->text.data[start] == '0')) {
        p->at = start;
        return npy_bad_shape(p, "has something else than an integer");
    }
    p->at += npy_peek(p) == 'L';
    *out_extent = extent;
    return HOIST_OK;
}

static hoist_status npy_shape(npy_parser *p)
{
    if (!npy_accept(p, '(')) {
        return npy_bad_shape(p, "is no tuple");
    }
    hoist_npy_header *const header = p->header;
    // "(3)" is a number in Python, "(3,)" a tuple, "()" the shape of a scalar.
    bool comma = true; // a tuple of one needs its comma
    while (!npy_accept(p, ')')) {
        if (!comma) {
            return npy_bad_shape(p, "has two extents without a comma");
        }
        if (header->rank == HOIST_NPY_MAX_RANK) {
            return npy_bad_shape(p, "has more than 32 extents");
        }
        HOIST_TRY(npy_extent(p, &header->shape[header->rank]));
        header->rank++;
        comma = npy_accept(p, ',');
    }
    return header->rank == 1 && !comma ? npy_bad_shape(p, "is no tuple but a number") : HOIST_OK;
}

static const struct {
    const char *name;
    hoist_status (*parse)(npy_parser *p);
} keys[] = {{"descr", npy_descr}, {"fortran_order", npy_order}, {"shape", npy_shape}};

// One `key: value` of the dict. `seen` has a flag per row of `keys`.
static hoist_status npy_entry(npy_parser *p, bool *seen)
{
    npy_skip_space(p);
    const uint64_t at = p->base + p->at;
    hoist_str name = {NULL, 0};
    HOIST_TRY(npy_string(p, "a key in quotes", &name));
    for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
        if (!hoist_str_equal_c(name, keys[i].name)) {
            continue;
        }
        if (seen[i]) {
            return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_008, at,
                                  "key '%s' occurs again", keys[i].name);
        }
        seen[i] = true;
        return npy_accept(p, ':') ? keys[i].parse(p) : npy_syntax(p, "':'");
    }
    return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_007, at, "key '%.*s' is not known",
                          HOIST_STR_ARGS(name));
}

static hoist_status npy_dict(npy_parser *p)
{
    bool seen[HOIST_COUNT_OF(keys)] = {false};
    if (!npy_accept(p, '{')) {
        return npy_syntax(p, "'{'");
    }
    bool comma = true;
    while (!npy_accept(p, '}')) {
        if (!comma) {
            return npy_syntax(p, "',' or '}'");
        }
        HOIST_TRY(npy_entry(p, seen));
        comma = npy_accept(p, ',');
    }
    npy_skip_space(p);
    if (p->at != p->text.size) {
        return npy_syntax(p, "the end of the header");
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
        if (!seen[i]) {
            return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_006, p->base,
                                  "the header has no key '%s'", keys[i].name);
        }
    }
    return HOIST_OK;
}

// Checked before parsing, so that names in messages are printable text.
static hoist_status npy_check_text(const npy_parser *p, unsigned version)
{
    for (size_t i = 0; i < p->text.size;) {
        const size_t size = hoist_utf8_size(p->text, i);
        if (size == 0 || (size > 1 && version < 3)) {
            return hoist_npy_fail(p->diag, HOIST_INVALID, HOIST_NPY_004, p->base + i,
                                  "the header has the byte 0x%02x, expected %s",
                                  (unsigned)(unsigned char)p->text.data[i],
                                  version < 3 ? "ASCII" : "UTF-8");
        }
        i += size;
    }
    return HOIST_OK;
}

hoist_status hoist_npy_header_read(hoist_bytes file, uint64_t offset, hoist_diag *diag,
                                   hoist_npy_header *out_header)
{
    static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    *out_header = (hoist_npy_header){0};
    hoist_reader r = hoist_reader_init(file);
    hoist_reader_seek(&r, offset);
    const hoist_bytes start = hoist_read_bytes(&r, sizeof(magic));
    if (r.failed || memcmp(start.data, magic, sizeof(magic)) != 0) {
        return hoist_npy_fail(diag, HOIST_INVALID, HOIST_NPY_001, offset,
                              "no array starts here, expected 93 'NUMPY'");
    }
    const unsigned major = hoist_read_u8(&r);
    const unsigned minor = hoist_read_u8(&r);
    // A file that ends here is reported as truncated below.
    if (!r.failed && (major < 1 || major > 3 || minor != 0)) {
        return hoist_npy_fail(diag, HOIST_UNSUPPORTED, HOIST_NPY_002, offset + sizeof(magic),
                              "version %u.%u is not known, expected 1.0, 2.0 or 3.0", major, minor);
    }
    const uint32_t size = major == 1 ? hoist_read_u16le(&r) : hoist_read_u32le(&r);
    const uint64_t base = r.pos;
    const hoist_bytes text = hoist_read_bytes(&r, size);
    if (r.failed) {
        return hoist_npy_fail(diag, HOIST_TRUNCATED, HOIST_NPY_003, offset + sizeof(magic) + 2,
                              "the file ends inside the header, whose length is %u", size);
    }
    out_header->version = major;
    npy_parser p = {{(const char *)text.data, text.size}, 0, base, diag, out_header};
    HOIST_TRY(npy_check_text(&p, major));
    HOIST_TRY(npy_dict(&p));
    out_header->data_offset = r.pos;
    return HOIST_OK;
}
