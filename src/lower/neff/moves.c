// Descriptors as moves (neff reference section 4.5): access patterns are strided views, elements of
// several bytes that do not lie together go through scratch, byte by byte. In goes a descriptor
// with its place, out come one to three move steps in the function at hand (rings.c).
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "lower/neff/state.h"

#define MOST_OVERWRITTEN (INT64_C(1) << 30) // bytes that one descriptor may write over each other

typedef struct mover {
    neff_lower_job *j;
    const neff_lower_place *place;
    const neff_desc *desc;
    const neff_desc_extra *extra; // NULL: none of its keys
    uint32_t scratches;           // made so far, for names
} mover;

// Sizes and steps as the file has them, innermost first.
static const int64_t *sizes_of(const mover *m, const neff_pattern *p)
{
    return &m->place->engine->numbers[p->sizes];
}

static const int64_t *steps_of(const mover *m, const neff_pattern *p)
{
    return &m->place->engine->numbers[p->steps];
}

static hoist_ref view(mover *m, hoist_ref buffer, hoist_dtype dtype,
                      const hoist_prog_layout *layout, int64_t offset)
{
    return hoist_builder_view(m->j->c.b,
                              &(hoist_prog_view){.base = HOIST_VIEW_BUFFER,
                                                 .of = buffer,
                                                 .dtype = dtype,
                                                 .layout = hoist_builder_layout(m->j->c.b, layout),
                                                 .offset = offset,
                                                 .reg = HOIST_NO_REF});
}

// A layout of `rank` dimensions in C order.
static hoist_prog_layout dense(const int64_t *dims, int rank, int64_t element)
{
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED, .shape.rank = rank};
    for (int i = rank - 1; i >= 0; i--) {
        layout.shape.dim[i] = dims[i];
        layout.stride[i] = element;
        element *= dims[i];
    }
    return layout;
}

// 0 when 63 bits do not hold it; callers refuse that.
static int64_t byte_count(const mover *m, const neff_pattern *p)
{
    int64_t count = 1;
    for (int i = 0; i < p->size_count; i++) {
        if (hoist_ckd_mul_i64(&count, count, sizes_of(m, p)[i])) {
            return 0;
        }
    }
    return count;
}

// The pattern as elements of `bytes` bytes that lie together; 1: as bytes. The innermost step
// becomes the element.
static hoist_ref pattern_view(mover *m, hoist_ref buffer, const neff_pattern *p, hoist_dtype dtype,
                              int64_t bytes)
{
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED, .shape.rank = p->size_count};
    for (int i = 0; i < p->size_count; i++) { // innermost first, there outermost first
        layout.shape.dim[p->size_count - 1 - i] = sizes_of(m, p)[i];
        layout.stride[p->size_count - 1 - i] = steps_of(m, p)[i];
    }
    if (bytes > 1) {
        layout.shape.dim[p->size_count - 1] /= bytes;
        layout.stride[p->size_count - 1] = bytes;
    }
    return view(m, buffer, dtype, &layout, p->offset);
}

static void add_move(mover *m, const hoist_prog_move *move)
{
    neff_lower_step(m->j, m->place, neff_ops.names[m->desc->op],
                    (hoist_prog_step){.kind = HOIST_STEP_MOVE, .as.move = move});
}

// One source, bytes as they are.
static void copy(mover *m, hoist_ref from, hoist_ref to)
{
    const hoist_move_source source = {.view = from, .scale = 1};
    add_move(m, &(hoist_prog_move){.destination = to, .sources = &source, .source_count = 1});
}

// Memory of the call: undefined at first, gone after it.
static hoist_ref scratch(mover *m, int64_t bytes)
{
    const neff_lower_place *at = m->place;
    const hoist_str name =
        hoist_lower_name(&m->j->c, at->core->prefix, "%s/dma/%" PRIu32 "/desc/%" PRIu32 ".%" PRIu32,
                         neff_engines[at->engine->id].key, at->at, at->desc, m->scratches++);
    return hoist_builder_buffer(m->j->c.b, &(hoist_prog_buffer){.name = name,
                                                                .loc = at->loc,
                                                                .space = at->core->space,
                                                                .size = (uint64_t)bytes,
                                                                .alignment = 8,
                                                                .window_of = HOIST_NO_REF,
                                                                .lifetime = HOIST_LIFETIME_CALL});
}

// A destination that is written over and over: no memory bounds what following its bytes takes, one
// by one where what is unknown is marked (HOIST_UNKNOWN_POISON), which cannot be interrupted.
static bool is_overwritten(const mover *m, const neff_pattern *p)
{
    const int64_t bytes = byte_count(m, p);
    return bytes > MOST_OVERWRITTEN && bytes > m->place->core->subgraph->vars[p->var].size;
}

// The buffer that a pattern is in; HOIST_NO_REF: there is none, or the pattern states too little,
// which was reported. `check` has rules for all of it, but lowering does not rely on them.
static hoist_ref buffer_of(mover *m, const neff_pattern *p, const char *side)
{
    const neff_subgraph *s = m->place->core->subgraph;
    const hoist_ref buffer = p->var == NEFF_NONE ? HOIST_NO_REF : m->place->core->vars[p->var];
    const bool sound =
        p->size_count > 0 && p->size_count == p->step_count && p->size_count <= HOIST_MAX_RANK;
    int wrong = 0; // the first size below 1
    while (sound && wrong < p->size_count && sizes_of(m, p)[wrong] > 0) {
        wrong++;
    }
    if (buffer == HOIST_NO_REF) {
        const neff_var *var = p->var == NEFF_NONE ? NULL : &s->vars[p->var];
        neff_lower_refuse(m->j, RUN_024, m->place, "the variable of '%s', '%.*s', has no memory",
                          side, HOIST_STR_ARGS(var ? var->name : HOIST_STR("")));
    } else if (!sound) {
        neff_lower_refuse(m->j, RUN_025, m->place,
                          "'%s_sizes' has %u %s, '%s_steps' has %u, expected as many, 1 to %d",
                          side, p->size_count, hoist_plural(p->size_count, "item", "items"), side,
                          p->step_count, HOIST_MAX_RANK);
    } else if (wrong < p->size_count) {
        neff_lower_refuse(m->j, RUN_025, m->place,
                          "item %d of '%s_sizes' is %" PRId64 ", expected 1 or more", wrong, side,
                          sizes_of(m, p)[wrong]);
    } else if (byte_count(m, p) <= 0) {
        neff_lower_refuse(m->j, RUN_025, m->place, "the bytes of '%s' are more than can be counted",
                          side);
    } else if (side[0] == 't' && is_overwritten(m, p)) { // "to": only writes are limited
        neff_lower_exceed(m->j, RUN_025, m->place,
                          "%" PRId64 " bytes are written over each other, at most %" PRId64
                          " can be",
                          byte_count(m, p), MOST_OVERWRITTEN);
    } else {
        return buffer;
    }
    return HOIST_NO_REF;
}

// One side of a move, as elements.
typedef struct side {
    const neff_pattern *pattern;
    hoist_ref buffer;
    const neff_dtype_row *dtype;
    int64_t bytes;  // in all
    bool together;  // the bytes of each element
    hoist_ref view; // elements
    hoist_ref held; // scratch; HOIST_NO_REF: none
} side;

// Single bytes always do; else the innermost step has to be 1, and elements complete.
// The bytes of an element are one run of memory.
static bool lie_together(const mover *m, const neff_pattern *p, int64_t element)
{
    return element == 1 || (steps_of(m, p)[0] == 1 && sizes_of(m, p)[0] % element == 0);
}

// All bytes of a buffer as elements in a row.
static hoist_ref dense_view(mover *m, hoist_ref buffer, hoist_dtype dtype, int64_t element,
                            int64_t bytes)
{
    const int64_t count = bytes / element;
    const hoist_prog_layout layout = dense(&count, 1, element);
    return view(m, buffer, dtype, &layout, 0);
}

// Elements of a side; those in pieces get scratch, which fill_side or empty_side copies from or to
// the pattern byte by byte (4.5.1).
static bool open_side(mover *m, const neff_pattern *p, const char *name, side *out)
{
    *out = (side){.pattern = p, .held = HOIST_NO_REF};
    out->buffer = buffer_of(m, p, name);
    if (out->buffer == HOIST_NO_REF) {
        return false;
    }
    if (p->dtype < 0) {
        neff_lower_refuse(m->j, RUN_025, m->place, "the element type of '%s' is not known", name);
        return false;
    }
    out->dtype = &neff_dtypes[p->dtype];
    out->bytes = byte_count(m, p);
    if (out->bytes % out->dtype->bytes != 0) {
        neff_lower_refuse(m->j, RUN_025, m->place, "%" PRId64 " bytes are no elements of type %s",
                          out->bytes, out->dtype->name);
        return false;
    }
    if (lie_together(m, p, out->dtype->bytes)) {
        out->view = pattern_view(m, out->buffer, p, out->dtype->dtype, out->dtype->bytes);
        return true;
    }
    out->held = scratch(m, out->bytes);
    out->view = dense_view(m, out->held, out->dtype->dtype, out->dtype->bytes, out->bytes);
    return true;
}

// Before the arithmetic: collects the bytes of a source's elements.
static void fill_side(mover *m, const side *s)
{
    if (s->held != HOIST_NO_REF) {
        copy(m, pattern_view(m, s->buffer, s->pattern, HOIST_DTYPE_U8, 1),
             dense_view(m, s->held, HOIST_DTYPE_U8, 1, s->bytes));
    }
}

// After the arithmetic: puts the bytes of the results to their places.
static void empty_side(mover *m, const side *s)
{
    if (s->held != HOIST_NO_REF) {
        copy(m, dense_view(m, s->held, HOIST_DTYPE_U8, 1, s->bytes),
             pattern_view(m, s->buffer, s->pattern, HOIST_DTYPE_U8, 1));
    }
}

// Copies -----------------------------------------------------------------------------------------

static const neff_source *source_at(const mover *m, uint32_t index)
{
    return &m->place->engine->sources[m->desc->sources + index];
}

// A copy is bytes, whatever the dtypes (4.5.2): views of different shape, of one byte count.
static void move_bytes(mover *m)
{
    const neff_pattern *from = &source_at(m, 0)->from;
    const neff_pattern *to = &m->desc->to;
    const hoist_ref source = buffer_of(m, from, "from");
    const hoist_ref destination = buffer_of(m, to, "to");
    if (source == HOIST_NO_REF || destination == HOIST_NO_REF) {
        return;
    }
    copy(m, pattern_view(m, source, from, HOIST_DTYPE_U8, 1),
         pattern_view(m, destination, to, HOIST_DTYPE_U8, 1));
}

// Arithmetic -------------------------------------------------------------------------------------

static bool extra_has(const mover *m, const char *key)
{
    return m->extra && neff_has(&neff_extra_table, m->extra->present, key);
}

// A source's own scale wins over the descriptor's (4.4).
static float scale_of(const mover *m, const neff_source *source)
{
    if (source->from.present & NEFF_HAS_SCALE) {
        return (float)source->scale;
    }
    return extra_has(m, "scale") ? (float)m->extra->scale : 1.0f;
}

// min and max: the start value, and the type in which they compare: an integer one when all sides
// have it (4.5.3) [inferred].
static void set_extremum(const mover *m, const side *sides, hoist_prog_move *move)
{
    static const struct {
        const char *name;
        hoist_dtype dtype;
        hoist_move_arithmetic arithmetic;
    } integers[] = {{"int32", HOIST_DTYPE_I32, HOIST_MOVE_IN_I32},
                    {"uint32", HOIST_DTYPE_U32, HOIST_MOVE_IN_U32}};
    if (!extra_has(m, "constant_dtype")) {
        return; // a constant without a type is ignored (4.4)
    }
    move->has_start = extra_has(m, "constant");
    move->start = move->has_start ? m->extra->constant : 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(integers); i++) {
        bool all = hoist_str_equal_c(m->extra->constant_dtype, integers[i].name);
        for (uint32_t k = 0; k <= move->source_count; k++) {
            all = all && sides[k].dtype->dtype == integers[i].dtype;
        }
        move->arithmetic = all ? integers[i].arithmetic : move->arithmetic;
    }
}

// cast, fma, add, min and max: the runtime's move steps in fp32, one for all sources.
static void move_elements(mover *m)
{
    static const hoist_move_op ops[NEFF_OP_COUNT] = {
        [NEFF_OP_CAST] = HOIST_MOVE_CAST, [NEFF_OP_FMA] = HOIST_MOVE_FMA,
        [NEFF_OP_ADD] = HOIST_MOVE_ADD,   [NEFF_OP_MIN] = HOIST_MOVE_MIN,
        [NEFF_OP_MAX] = HOIST_MOVE_MAX,
    };
    side sides[HOIST_MOVE_MAX_SOURCES + 1]; // the destination after the sources
    hoist_move_source sources[HOIST_MOVE_MAX_SOURCES];
    const uint32_t count = m->desc->source_count;
    // Rule 50a of the format; the limit is that of a move step, too.
    if (count == 0 || count > HOIST_MOVE_MAX_SOURCES) {
        neff_lower_refuse(m->j, RUN_025, m->place, "%" PRIu32 " sources, expected 1 to %d", count,
                          HOIST_MOVE_MAX_SOURCES);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!open_side(m, &source_at(m, i)->from, "from", &sides[i])) {
            return;
        }
        sources[i] = (hoist_move_source){sides[i].view, scale_of(m, source_at(m, i))};
        fill_side(m, &sides[i]);
    }
    if (!open_side(m, &m->desc->to, "to", &sides[count])) {
        return;
    }
    hoist_prog_move move = {.op = ops[m->desc->op],
                            .destination = sides[count].view,
                            .sources = sources,
                            .source_count = count};
    if (m->desc->op == NEFF_OP_MIN || m->desc->op == NEFF_OP_MAX) {
        set_extremum(m, sides, &move);
    }
    add_move(m, &move);
    empty_side(m, &sides[count]);
}

// Transposes -------------------------------------------------------------------------------------

// The shape of the result: the outermost and innermost axes are exchanged (4.5.4) [inferred].
// Without transpose_shape only a square is unambiguous.
static bool shape_of_result(mover *m, int64_t element, int64_t out_shape[4])
{
    const neff_pattern *from = &source_at(m, 0)->from;
    const int rank = from->size_count;
    if (extra_has(m, "transpose_op")) {
        neff_lower_refuse(m->j, RUN_016, m->place,
                          "transpose_op is '%.*s', expected none: what names mean is not public",
                          HOIST_STR_ARGS(m->extra->transpose_op));
        return false;
    }
    if (extra_has(m, "transpose_shape") && m->extra->transpose_shape.count == 4) {
        memcpy(out_shape, m->extra->transpose_shape.items, 4 * sizeof out_shape[0]);
        return true;
    }
    // Axes as the source pattern has them: the innermost in bytes, so in elements here.
    const int64_t inner = rank > 0 ? sizes_of(m, from)[0] / element : 0;
    const int64_t outer = rank > 1 && rank <= 4 ? sizes_of(m, from)[rank - 1] : 0;
    if (outer == 0 || outer != inner || inner * element != sizes_of(m, from)[0]) {
        neff_lower_refuse(m->j, RUN_016, m->place,
                          "there is no transpose_shape, and %" PRId64 " by %" PRId64
                          " elements are no square",
                          outer, inner);
        return false;
    }
    out_shape[0] = outer;
    // Middle axes of a pattern of 3 or 4 dimensions.
    out_shape[1] = rank > 2 ? sizes_of(m, from)[rank - 2] : 1;
    out_shape[2] = rank > 3 ? sizes_of(m, from)[1] : 1;
    out_shape[3] = inner;
    return true;
}

// True when the axes are 1 or more and hold as many bytes as are moved.
static bool is_shape_of(const int64_t shape[4], int64_t element, int64_t bytes)
{
    int64_t all = element;
    for (int i = 0; i < 4; i++) {
        if (shape[i] <= 0 || hoist_ckd_mul_i64(&all, all, shape[i])) {
            return false;
        }
    }
    return all == bytes;
}

// Elements are taken as arrays of bytes, the fifth axis, so that any size will do. The source is
// collected first: its pattern need not have the four axes.
static void add_transpose(mover *m, const side *from, const side *to, const int64_t shape[4],
                          int64_t element)
{
    const int64_t dims[5] = {shape[3], shape[1], shape[2], shape[0], element};
    const hoist_prog_layout layout = dense(dims, 5, 1);
    const hoist_ref held = scratch(m, from->bytes);
    copy(m, pattern_view(m, from->buffer, from->pattern, HOIST_DTYPE_U8, 1),
         dense_view(m, held, HOIST_DTYPE_U8, 1, from->bytes));
    const hoist_move_source source = {view(m, held, HOIST_DTYPE_U8, &layout, 0), 1};
    add_move(m, &(hoist_prog_move){.destination =
                                       pattern_view(m, to->buffer, to->pattern, HOIST_DTYPE_U8, 1),
                                   .sources = &source,
                                   .source_count = 1,
                                   .transpose_rank = 5,
                                   .transpose_axes = {3, 1, 2, 0, 4}});
}

// D[i3][i1][i2][i0] = S[i0][i1][i2][i3], of elements of 1 to 8 bytes.
static void transpose(mover *m)
{
    int64_t shape[4];
    const neff_pattern *pattern = &source_at(m, 0)->from;
    side from = {.pattern = pattern, .buffer = buffer_of(m, pattern, "from")};
    side to = {.pattern = &m->desc->to, .buffer = buffer_of(m, &m->desc->to, "to")};
    if (from.buffer == HOIST_NO_REF || to.buffer == HOIST_NO_REF) {
        return;
    }
    from.bytes = byte_count(m, from.pattern);
    to.bytes = byte_count(m, to.pattern);
    // Without transpose_element_size the elements are those of the dtype; bytes for none.
    const int64_t own = pattern->dtype < 0 ? 1 : neff_dtypes[pattern->dtype].bytes;
    const int64_t element =
        extra_has(m, "transpose_element_size") ? m->extra->transpose_element_size : own;
    if (element < 1 || element > 8) {
        neff_lower_refuse(m->j, RUN_016, m->place, "elements of %" PRId64 " bytes, expected 1 to 8",
                          element);
        return;
    }
    if (!shape_of_result(m, element, shape)) {
        return;
    }
    if (!is_shape_of(shape, element, from.bytes) || from.bytes != to.bytes) {
        neff_lower_refuse(m->j, RUN_016, m->place,
                          "the shape of the result is not that of %" PRId64 " bytes", from.bytes);
        return;
    }
    if (!m->j->transposes) { // reported once in each file, for the first one
        neff_lower_refuse(
            m->j, RUN_027, m->place,
            "the first and last axis change places; what a device does is unverified");
    }
    m->j->transposes = true;
    add_transpose(m, &from, &to, shape, element);
}

// By op; a descriptor that cannot be lowered is reported and leaves no step.
void neff_lower_move(neff_lower_job *j, const neff_lower_place *place, const neff_desc *desc)
{
    mover m = {.j = j, .place = place, .desc = desc};
    m.extra = desc->extra == NEFF_NONE ? NULL : &place->engine->extras[desc->extra];
    if (desc->op < 0) {
        neff_lower_refuse(j, RUN_025, place, "the operation is not known");
        return;
    }
    const bool single =
        desc->op == NEFF_OP_COPY || desc->op == NEFF_OP_TRANSPOSE || desc->op == NEFF_OP_CAST;
    if (single && desc->source_count != 1) { // `from` next to `to`, or a list of one
        neff_lower_refuse(j, RUN_025, place, "%u sources, expected one", desc->source_count);
        return;
    }
    (desc->op == NEFF_OP_COPY        ? move_bytes
     : desc->op == NEFF_OP_TRANSPOSE ? transpose
                                     : move_elements)(&m);
}
