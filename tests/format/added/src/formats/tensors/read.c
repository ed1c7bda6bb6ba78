// The reader of texts of tensors: bytes to a module, line by line. A line with a fault is reported
// and left out; the name that it defines is kept in mind, so that lines that use it are left out
// without a finding of their own.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/tensors/module.h"

static const size_t FAULTY = SIZE_MAX; // in the map of names: its line was left out

typedef struct reader {
    tensors_module *m;
    const hoist_read_options *options; // borrowed
    hoist_diag *diag;                  // borrowed
    hoist_map names;                   // owned: to indices of statements; keys in the arena
    hoist_str rest;                    // of the file, behind the line
    hoist_str line;                    // what is left of the line
    hoist_pos pos;                     // of that
    hoist_status status;               // the first failure
    bool good;                         // no fault in this line so far
} reader;

// Words -----------------------------------------------------------------------------------------

static bool next_line(reader *r)
{
    const char *end = r->rest.size ? memchr(r->rest.data, '\n', r->rest.size) : NULL;
    const size_t size = end ? (size_t)(end - r->rest.data) : r->rest.size;
    const bool is_there = r->rest.size > 0;
    r->line = hoist_str_slice(r->rest, 0, size);
    r->rest = hoist_str_slice(r->rest, size + 1, r->rest.size);
    r->pos = (hoist_pos){r->pos.line + 1, 1};
    r->good = true;
    return is_there;
}

// The next word of the line, empty at its end, and where it is.
static hoist_str next_word(reader *r, hoist_loc *out_loc)
{
    size_t begin = 0;
    while (begin < r->line.size && r->line.data[begin] == ' ') {
        begin++;
    }
    size_t end = begin;
    while (end < r->line.size && r->line.data[end] != ' ') {
        end++;
    }
    const hoist_str word = hoist_str_slice(r->line, begin, end - begin);
    *out_loc = hoist_loc_pos((hoist_pos){r->pos.line, r->pos.column + (uint32_t)begin});
    r->line = hoist_str_slice(r->line, end, r->line.size);
    r->pos.column += (uint32_t)end;
    r->status = r->status == HOIST_OK ? hoist_deadline_look(r->options->deadline) : r->status;
    return word;
}

// Reports a fault, the first of its line.
HOIST_PRINTF(4, 5)
static void fault(reader *r, ten_rule rule, hoist_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (r->good) {
        hoist_vreport(r->diag, tensors_rule(rule), loc, format, args);
    }
    va_end(args);
    r->good = false;
}

// A word that is another one than expected; empty: the line ends.
static void misfit(reader *r, hoist_loc loc, hoist_str word, const char *expected)
{
    fault(r, TEN_001, loc, "found '%.*s', expected %s", HOIST_STR_ARGS(word), expected);
}

// Parts of statements ---------------------------------------------------------------------------

static void read_name(reader *r, tensors_statement *s)
{
    hoist_loc loc;
    size_t other = 0;
    const hoist_str word = next_word(r, &loc);
    if (word.size == 0) {
        misfit(r, loc, word, "a name");
    } else if (hoist_map_find(&r->names, word, &other)) {
        fault(r, TEN_002, loc, "'%.*s' is defined in a line above", HOIST_STR_ARGS(word));
    } else {
        s->name = hoist_arena_str(&r->m->arena, word);
        r->status = s->name.data ? r->status : HOIST_NO_MEMORY;
    }
}

// "2x3x4".
static void read_shape(reader *r, tensors_statement *s)
{
    int64_t dims[HOIST_MAX_RANK];
    size_t rank = 0;
    hoist_loc loc;
    const hoist_str word = next_word(r, &loc);
    bool good = true;
    for (size_t begin = 0; begin <= word.size && good;) {
        const char *x = memchr(word.data + begin, 'x', word.size - begin);
        const size_t end = x ? (size_t)(x - word.data) : word.size;
        const hoist_str extent = hoist_str_slice(word, begin, end - begin);
        good =
            rank < HOIST_MAX_RANK && hoist_str_to_i64(extent, false, &dims[rank]) && dims[rank] > 0;
        rank++;
        begin = end + 1;
    }
    if (!good || hoist_shape_init(dims, rank, &s->shape) != HOIST_OK ||
        hoist_shape_count(&s->shape) > TENSORS_MAX_ELEMENTS) {
        misfit(r, loc, word, "1 to 8 extents of at most 16777216 elements");
    }
}

// Memory for all elements is asked for when the line is long enough to have them.
static void read_data(reader *r, tensors_statement *s)
{
    const size_t count = (size_t)hoist_shape_count(&s->shape);
    const bool can_be = count <= r->line.size / 2;
    uint8_t *bytes = can_be ? hoist_arena_array(&r->m->arena, count, sizeof(float)) : NULL;
    if (!can_be) {
        fault(r, TEN_003, s->loc, "the line ends before %zu numbers", count);
    } else if (!bytes) {
        r->status = HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count && r->good && r->status == HOIST_OK; i++) {
        hoist_loc loc;
        double number = 0;
        const hoist_str word = next_word(r, &loc);
        if (!hoist_str_to_f64(word, &number) || !(fabs(number) <= (double)FLT_MAX)) {
            fault(r, TEN_003, loc, "number %zu of %zu is '%.*s', expected a finite float32", i + 1,
                  count, HOIST_STR_ARGS(word));
            return;
        }
        const float element = (float)number;
        uint32_t bits = 0;
        memcpy(&bits, &element, sizeof(bits));
        hoist_store_u32le(bytes + i * sizeof(bits), bits);
    }
    s->data = (hoist_bytes){bytes, count * sizeof(float)};
}

static void read_operand(reader *r, size_t *out_index)
{
    hoist_loc loc;
    const hoist_str word = next_word(r, &loc);
    if (!hoist_map_find(&r->names, word, out_index)) {
        fault(r, TEN_002, loc, "'%.*s' is defined in no line above", HOIST_STR_ARGS(word));
    }
    r->good = r->good && *out_index != FAULTY;
}

// The shape of a result, as the row of the op in src/ops has it.
static void infer_shape(reader *r, tensors_statement *s)
{
    static const hoist_compute_attrs none = {0};
    char why[HOIST_COMPUTE_WHY] = "the shapes of both operands are different";
    const hoist_shape *a = &r->m->statements[s->operands[0]].shape;
    const hoist_shape *b = &r->m->statements[s->operands[1]].shape;
    hoist_compute_operand operands[] = {
        {HOIST_DTYPE_F32, *a}, {HOIST_DTYPE_F32, *b}, {.dtype = HOIST_DTYPE_F32}};
    if ((s->kind->op == HOIST_IEEE_ADD && !hoist_shape_equal(a, b)) ||
        hoist_compute_infer(s->kind->op, &none, operands, why) != HOIST_FIT_OK) {
        fault(r, TEN_004, s->loc, "%s", why);
    }
    s->shape = operands[TENSORS_MAX_OPERANDS].shape;
    if (r->good && hoist_shape_count(&s->shape) > TENSORS_MAX_ELEMENTS) {
        fault(r, TEN_004, s->loc, "the result has more than %" PRId64 " elements",
              TENSORS_MAX_ELEMENTS);
    }
}

// Statements ------------------------------------------------------------------------------------

static void read_parts(reader *r, tensors_statement *s)
{
    hoist_loc loc;
    if (s->kind->has_name) {
        read_name(r, s);
    }
    if (s->kind->has_shape) {
        read_shape(r, s);
    }
    if (s->kind->has_data && r->good) {
        read_data(r, s);
    }
    for (size_t i = 0; i < s->kind->operands; i++) {
        read_operand(r, &s->operands[i]);
    }
    const hoist_str word = next_word(r, &loc);
    if (word.size) {
        misfit(r, loc, word, "the end of the line");
    }
    if (r->good && s->kind->op != HOIST_COMPUTE_COUNT) {
        infer_shape(r, s);
    } else if (r->good && s->kind->operands) {
        s->name = r->m->statements[s->operands[0]].name;
        s->shape = r->m->statements[s->operands[0]].shape;
    }
}

static hoist_status read_statement(reader *r)
{
    tensors_module *m = r->m;
    tensors_statement s = {.kind = tensors_kinds};
    const tensors_kind_row *end = tensors_kinds + TENSORS_KIND_COUNT;
    const hoist_str word = next_word(r, &s.loc);
    while (s.kind < end && !hoist_str_equal_c(word, s.kind->word)) {
        s.kind++;
    }
    if (s.kind == end) {
        misfit(r, s.loc, word, "'input' or another statement");
        return r->status;
    }
    read_parts(r, &s);
    HOIST_TRY(r->status);
    if (s.kind->has_name && s.name.size) {
        HOIST_TRY(hoist_map_add(&r->names, s.name, r->good ? m->count : FAULTY, NULL));
    }
    if (r->good) {
        if (!hoist_grow(m->base.alloc, (void **)&m->statements, &m->capacity, m->count + 1,
                        sizeof(s))) {
            return HOIST_NO_MEMORY;
        }
        m->statements[m->count++] = s;
    }
    return HOIST_OK;
}

static hoist_status read_file(reader *r)
{
    if (!next_line(r) || !hoist_str_equal_c(r->line, TENSORS_HEAD)) {
        misfit(r, hoist_loc_pos(r->pos), r->line, "'" TENSORS_HEAD "'");
        return HOIST_INVALID;
    }
    while (next_line(r)) {
        HOIST_TRY(read_statement(r));
    }
    return HOIST_OK;
}

hoist_status tensors_read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                          hoist_module **out_module)
{
    *out_module = NULL;
    tensors_module *m = hoist_alloc_zero(options->alloc, 1, sizeof(*m));
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    m->base = (hoist_module){&hoist_tensors_format, options->alloc, options->deadline};
    hoist_arena_init(&m->arena, options->alloc);
    reader r = {
        .m = m, .options = options, .diag = diag, .rest = {(const char *)bytes.data, bytes.size}};
    hoist_map_init(&r.names, options->alloc);
    const hoist_status status = read_file(&r);
    hoist_map_deinit(&r.names);
    if (status != HOIST_OK) {
        tensors_destroy(&m->base);
        return status;
    }
    *out_module = &m->base;
    return HOIST_OK;
}

void tensors_destroy(hoist_module *module)
{
    if (module) {
        tensors_module *m = (tensors_module *)module; // the base is its first member
        hoist_free(m->base.alloc, m->statements, m->capacity * sizeof(*m->statements));
        hoist_arena_deinit(&m->arena);
        hoist_free(m->base.alloc, m, sizeof(*m));
    }
}
