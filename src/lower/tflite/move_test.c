// Operators of TFLite models that only move elements: the moves that each becomes, made of bytes
// that are all different, against the elements that the operator's definition names, found one by
// one (kernels reference 4.11 to 4.16). Shapes that the operator does not give are refused.
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "lower/tflite/job_testing.h"
#include "program/program.h"

enum { MAX_RANK = 3, MAX_EXTENT = 6, MAX_PARTS = 4, MAX_BYTES = 2048 };

// A tensor of bytes.
typedef struct tensor {
    int rank;
    int64_t dim[MAX_RANK];
    uint8_t bytes[MAX_BYTES];
} tensor;

static size_t count_of(const tensor *x)
{
    size_t count = 1;
    for (int i = 0; i < x->rank; i++) {
        count *= (size_t)x->dim[i];
    }
    return count;
}

// The indices of element `flat`.
static void indices_of(const tensor *x, size_t flat, int64_t at[MAX_RANK])
{
    for (int i = x->rank - 1; i >= 0; i--) {
        at[i] = (int64_t)(flat % (size_t)x->dim[i]);
        flat /= (size_t)x->dim[i];
    }
}

static uint8_t *element(tensor *x, const int64_t at[MAX_RANK])
{
    size_t flat = 0;
    for (int i = 0; i < x->rank; i++) {
        flat = flat * (size_t)x->dim[i] + (size_t)at[i];
    }
    return &x->bytes[flat];
}

// Elements are numbered from `first` on, so that those of several tensors differ.
static tensor random_tensor(uint64_t *random, int rank, uint8_t first)
{
    tensor x = {.rank = rank};
    for (int i = 0; i < rank; i++) {
        x.dim[i] = 1 + (int64_t)(hoist_test_random(random) % MAX_EXTENT);
    }
    for (size_t i = 0; i < count_of(&x); i++) {
        x.bytes[i] = (uint8_t)(first + i);
    }
    return x;
}

// "i8 2x3 0.5 1".
static const char *type_of(hoist_test *t, const tensor *x)
{
    const char *text = "i8 ";
    for (int i = 0; i < x->rank; i++) {
        text = hoist_arena_format(&t->arena, "%s%s%d", text, i ? "x" : "", (int)x->dim[i]).data;
    }
    return hoist_arena_format(&t->arena, "%s%s 0.5 1", text, x->rank ? "" : "-").data;
}

static const char *list_of(hoist_test *t, int count, const int64_t *numbers)
{
    const char *text = hoist_arena_format(&t->arena, "i32 %d =", count).data;
    for (int i = 0; i < count; i++) {
        text = hoist_arena_format(&t->arena, "%s %d", text, (int)numbers[i]).data;
    }
    return text;
}

// Running moves ----------------------------------------------------------------------------------

// Byte offsets of all elements of a view, in order; how many.
static size_t offsets_of(hoist_test *t, const hoist_program *program, hoist_ref ref,
                         int64_t offsets[MAX_BYTES])
{
    const hoist_prog_view *view = &program->views[ref];
    const hoist_prog_layout *layout = &program->layouts[view->layout];
    size_t count = 1;
    HOIST_EXPECT_EQ(t, view->base, HOIST_VIEW_BUFFER);
    HOIST_EXPECT_EQ(t, layout->kind, HOIST_LAYOUT_STRIDED);
    for (int i = 0; i < layout->shape.rank; i++) {
        count *= (size_t)layout->shape.dim[i];
    }
    for (size_t flat = 0; flat < count && count <= MAX_BYTES; flat++) {
        size_t rest = flat;
        offsets[flat] = view->offset;
        for (int i = layout->shape.rank - 1; i >= 0; i--) {
            offsets[flat] += (int64_t)(rest % (size_t)layout->shape.dim[i]) * layout->stride[i];
            rest /= (size_t)layout->shape.dim[i];
        }
    }
    return count;
}

// Memory of all buffers, each by its index.
typedef struct memory {
    const hoist_program *program;
    uint8_t **bytes;
} memory;

static memory memory_of(hoist_test *t, const hoist_program *program)
{
    memory m = {.program = program};
    m.bytes = hoist_arena_array(&t->arena, program->buffer_count + 1, sizeof *m.bytes);
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        const hoist_prog_buffer *row = &program->buffers[i];
        m.bytes[i] = hoist_arena_array(&t->arena, (size_t)row->size, 1);
        if (row->bytes.size) {
            memcpy(m.bytes[i], row->bytes.data, row->bytes.size);
        }
    }
    return m;
}

static uint8_t *buffer_named(const memory *m, const char *name, size_t *out_size)
{
    for (uint32_t i = 0; i < m->program->buffer_count; i++) {
        if (hoist_str_equal_c(m->program->buffers[i].name, name)) {
            *out_size = (size_t)m->program->buffers[i].size;
            return m->bytes[i];
        }
    }
    *out_size = 0;
    return NULL;
}

static void run_moves(hoist_test *t, const memory *m)
{
    static int64_t from[MAX_BYTES];
    static int64_t to[MAX_BYTES];
    const hoist_program *p = m->program;
    for (uint32_t f = 0; f < p->function_count; f++) {
        const hoist_prog_code *code = &p->functions[f].code;
        for (uint32_t i = 0; i < code->step_count; i++) {
            HOIST_EXPECT_EQ(t, code->steps[i].kind, HOIST_STEP_MOVE);
            const hoist_prog_move *move = code->steps[i].as.move;
            const size_t count = offsets_of(t, p, move->sources[0].view, from);
            HOIST_EXPECT_EQ(t, offsets_of(t, p, move->destination, to), count);
            const uint8_t *source = m->bytes[p->views[move->sources[0].view].of];
            uint8_t *destination = m->bytes[p->views[move->destination].of];
            for (size_t k = 0; k < count; k++) {
                destination[to[k]] = source[from[k]];
            }
        }
    }
}

// One operator ------------------------------------------------------------------------------------

typedef struct operation {
    int32_t op;
    const void *options;
    const char *inputs;            // texts of all inputs, constants among them
    const tensor *data[MAX_PARTS]; // those that have bytes, in the order of their names
    const char *names[MAX_PARTS];
    tensor *outputs; // with the bytes that are expected
    int output_count;
    int first_output; // its number
} operation;

static const char *outputs_text(hoist_test *t, const operation *o)
{
    const char *text = "";
    for (int i = 0; i < o->output_count; i++) {
        text =
            hoist_arena_format(&t->arena, "%s%s%s", text, i ? ", " : "", type_of(t, &o->outputs[i]))
                .data;
    }
    return text;
}

static hoist_status lower_operation(hoist_test *t, const operation *o, hoist_program **out_program)
{
    const char *tensors =
        hoist_arena_format(&t->arena, "%s > %s", o->inputs, outputs_text(t, o)).data;
    hoist_test_row(t, tensors);
    return tflite_job_lower(t, tflite_job_model(t, o->op, tensors, o->options), NULL, out_program);
}

// The moves give the outputs that are expected; with one index more, or less, of any axis of an
// output the model is refused.
static void expect_operation(hoist_test *t, operation *o)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower_operation(t, o, &program), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (program) {
        const memory m = memory_of(t, program);
        for (int i = 0; i < MAX_PARTS && o->names[i]; i++) {
            size_t size = 0;
            uint8_t *bytes = buffer_named(&m, o->names[i], &size);
            HOIST_EXPECT_EQ(t, size, count_of(o->data[i]));
            memcpy(bytes, o->data[i]->bytes, size);
        }
        run_moves(t, &m);
        for (int i = 0; i < o->output_count; i++) {
            size_t size = 0;
            const char *name = hoist_arena_format(&t->arena, "t%d", o->first_output + i).data;
            const uint8_t *bytes = buffer_named(&m, name, &size);
            HOIST_EXPECT_EQ(t, size, count_of(&o->outputs[i]));
            HOIST_EXPECT(t, bytes && memcmp(bytes, o->outputs[i].bytes, size) == 0);
        }
    }
    hoist_program_destroy(program);
}

static void expect_refusal(hoist_test *t, const operation *o)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower_operation(t, o, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RUN-030");
    hoist_program_destroy(program);
}

// Other shapes of the first output.
static void expect_refusals(hoist_test *t, operation *o)
{
    tensor *y = &o->outputs[0];
    for (int i = 0; i < y->rank; i++) {
        y->dim[i]++;
        expect_refusal(t, o);
        y->dim[i] -= 2;
        if (y->dim[i] > 0) {
            expect_refusal(t, o);
        }
        y->dim[i]++;
    }
}

// Slices -----------------------------------------------------------------------------------------

typedef struct slice {
    int64_t begin[MAX_RANK], end[MAX_RANK], step[MAX_RANK];
    tflite_strided_slice_options options;
} slice;

static int64_t around_zero(uint64_t *random, int64_t most)
{
    return (int64_t)(hoist_test_random(random) % (uint64_t)(2 * most + 1)) - most;
}

static slice random_slice(uint64_t *random, const tensor *x)
{
    slice s = {.options = {.begin_mask = (int32_t)(hoist_test_random(random) % 8),
                           .end_mask = (int32_t)(hoist_test_random(random) % 8),
                           .shrink_axis_mask = hoist_test_random(random) % 3 == 0
                                                   ? (int32_t)(hoist_test_random(random) % 8)
                                                   : 0}};
    for (int i = 0; i < x->rank; i++) {
        s.begin[i] = around_zero(random, x->dim[i] + 1);
        s.end[i] = around_zero(random, x->dim[i] + 1);
        s.step[i] = around_zero(random, 3);
    }
    return s;
}

// The indices of axis `i`, one after the other, as Python slices have them where the axis stays;
// how many, 0: none, or there is no such slice.
static int indices_of_slice(const slice *s, const tensor *x, int i, int64_t indices[MAX_EXTENT + 2])
{
    const int64_t extent = x->dim[i];
    const int64_t begin = s->begin[i] < 0 ? s->begin[i] + extent : s->begin[i];
    const int64_t end = s->end[i] < 0 ? s->end[i] + extent : s->end[i];
    const int64_t step = s->step[i];
    const bool up = step > 0;
    int count = 0;
    if (step == 0) {
        return 0;
    }
    if (s->options.shrink_axis_mask >> i & 1) { // TFLite's own: masked and clamped, too
        indices[0] = begin < 0 || (s->options.begin_mask >> i & 1) ? 0 : begin;
        return up && indices[0] < extent;
    }
    int64_t at = up ? (begin < 0 ? 0 : begin) : (begin >= extent ? extent - 1 : begin);
    if (s->options.begin_mask >> i & 1) {
        at = up ? 0 : extent - 1;
    }
    for (; at >= 0 && at < extent; at += step) {
        const bool ends = up ? at >= end : at <= end;
        if (ends && !(s->options.end_mask >> i & 1)) {
            break;
        }
        indices[count++] = at;
    }
    return count;
}

HOIST_TEST(strided_slices_are_those_of_python)
{
    uint64_t random = 3;
    int sliced = 0;
    for (int round = 0; round < HOIST_TEST_ROUNDS(400); round++) {
        const tensor x =
            random_tensor(&random, 1 + (int)(hoist_test_random(&random) % MAX_RANK), 1);
        const slice s = random_slice(&random, &x);
        int64_t indices[MAX_RANK][MAX_EXTENT + 2];
        tensor whole = {.rank = x.rank}; // with the axes that go
        tensor y = {.rank = 0};
        bool is_empty = false;
        for (int i = 0; i < x.rank; i++) {
            whole.dim[i] = indices_of_slice(&s, &x, i, indices[i]);
            is_empty = is_empty || whole.dim[i] == 0;
            if (!(s.options.shrink_axis_mask >> i & 1)) {
                y.dim[y.rank++] = is_empty ? 1 : whole.dim[i];
            }
        }
        for (size_t k = 0; !is_empty && k < count_of(&whole); k++) {
            int64_t at[MAX_RANK];
            indices_of(&whole, k, at);
            for (int i = 0; i < x.rank; i++) {
                at[i] = indices[i][at[i]];
            }
            tensor from = x;
            y.bytes[k] = *element(&from, at);
        }
        operation o = {.op = TFLITE_OP_STRIDED_SLICE,
                       .options = &s.options,
                       .data = {&x},
                       .names = {"t0"},
                       .outputs = &y,
                       .output_count = 1,
                       .first_output = 4};
        o.inputs = hoist_arena_format(&t->arena, "%s, %s, %s, %s", type_of(t, &x),
                                      list_of(t, x.rank, s.begin), list_of(t, x.rank, s.end),
                                      list_of(t, x.rank, s.step))
                       .data;
        if (is_empty) {
            expect_refusal(t, &o);
            continue;
        }
        expect_operation(t, &o);
        sliced++;
        if (round % 8 == 0) {
            expect_refusals(t, &o);
        }
    }
    HOIST_EXPECT(t, sliced > HOIST_TEST_ROUNDS(400) / 8);
}

HOIST_TEST(slices_have_a_begin_and_a_size)
{
    uint64_t random = 5;
    for (int round = 0; round < HOIST_TEST_ROUNDS(120); round++) {
        tensor x = random_tensor(&random, 1 + (int)(hoist_test_random(&random) % MAX_RANK), 1);
        int64_t begin[MAX_RANK];
        int64_t size[MAX_RANK];
        bool fits = true;
        tensor y = {.rank = x.rank};
        for (int i = 0; i < x.rank; i++) {
            begin[i] = around_zero(&random, x.dim[i]);
            size[i] = around_zero(&random, x.dim[i]);
            begin[i] = round % 4 ? (begin[i] < 0 ? 0 : begin[i]) : begin[i];
            size[i] = round % 4 && size[i] <= 0 ? -1 : size[i];
            y.dim[i] = size[i] == -1 ? x.dim[i] - begin[i] : size[i];
            fits = fits && begin[i] >= 0 && y.dim[i] >= 1 && begin[i] + y.dim[i] <= x.dim[i];
            y.dim[i] = y.dim[i] < 1 ? 1 : y.dim[i];
        }
        for (size_t k = 0; fits && k < count_of(&y); k++) {
            int64_t at[MAX_RANK];
            indices_of(&y, k, at);
            for (int i = 0; i < x.rank; i++) {
                at[i] += begin[i];
            }
            y.bytes[k] = *element(&x, at);
        }
        operation o = {.op = TFLITE_OP_SLICE,
                       .data = {&x},
                       .names = {"t0"},
                       .outputs = &y,
                       .output_count = 1,
                       .first_output = 3};
        o.inputs = hoist_arena_format(&t->arena, "%s, %s, %s", type_of(t, &x),
                                      list_of(t, x.rank, begin), list_of(t, x.rank, size))
                       .data;
        if (fits) {
            expect_operation(t, &o);
        } else {
            expect_refusal(t, &o);
        }
    }
}

// Permutations and padding -----------------------------------------------------------------------

HOIST_TEST(transposes_exchange_axes)
{
    static const int64_t orders[][MAX_RANK] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},  {1, 2, 0},
                                               {2, 0, 1}, {2, 1, 0}, {-1, 0, 1}, {-3, -1, -2}};
    uint64_t random = 9;
    for (size_t round = 0; round < HOIST_COUNT_OF(orders); round++) {
        tensor x = random_tensor(&random, MAX_RANK, 1);
        tensor y = {.rank = MAX_RANK};
        int64_t axes[MAX_RANK];
        for (int i = 0; i < MAX_RANK; i++) {
            axes[i] = orders[round][i] < 0 ? orders[round][i] + MAX_RANK : orders[round][i];
            y.dim[i] = x.dim[axes[i]];
        }
        for (size_t k = 0; k < count_of(&y); k++) {
            int64_t to[MAX_RANK];
            int64_t at[MAX_RANK];
            indices_of(&y, k, to);
            for (int i = 0; i < MAX_RANK; i++) {
                at[axes[i]] = to[i];
            }
            y.bytes[k] = *element(&x, at);
        }
        operation o = {.op = TFLITE_OP_TRANSPOSE,
                       .data = {&x},
                       .names = {"t0"},
                       .outputs = &y,
                       .output_count = 1,
                       .first_output = 2};
        o.inputs = hoist_arena_format(&t->arena, "%s, %s", type_of(t, &x),
                                      list_of(t, MAX_RANK, orders[round]))
                       .data;
        expect_operation(t, &o);
        expect_refusals(t, &o);
    }
}

HOIST_TEST(pads_are_the_zero_point)
{
    uint64_t random = 13;
    for (int round = 0; round < HOIST_TEST_ROUNDS(40); round++) {
        tensor x = random_tensor(&random, 1 + (int)(hoist_test_random(&random) % MAX_RANK), 3);
        int64_t pads[2 * MAX_RANK];
        tensor y = {.rank = x.rank};
        for (int i = 0; i < x.rank; i++) {
            pads[2 * i] = (int64_t)(hoist_test_random(&random) % 3);
            pads[2 * i + 1] = (int64_t)(hoist_test_random(&random) % 3);
            y.dim[i] = pads[2 * i] + x.dim[i] + pads[2 * i + 1];
        }
        memset(y.bytes, 1, count_of(&y)); // the zero point of all tensors here
        for (size_t k = 0; k < count_of(&x); k++) {
            int64_t at[MAX_RANK];
            indices_of(&x, k, at);
            for (int i = 0; i < x.rank; i++) {
                at[i] += pads[2 * i];
            }
            *element(&y, at) = x.bytes[k];
        }
        operation o = {.op = TFLITE_OP_PAD,
                       .data = {&x},
                       .names = {"t0"},
                       .outputs = &y,
                       .output_count = 1,
                       .first_output = 2};
        const char *list = list_of(t, 2 * x.rank, pads);
        o.inputs = hoist_arena_format(&t->arena, "%s, i32 %dx2%s", type_of(t, &x), x.rank,
                                      strstr(list, " ="))
                       .data;
        expect_operation(t, &o);
        expect_refusals(t, &o);
    }
}

// Joining and splitting --------------------------------------------------------------------------

// Parts of `whole` along `axis`, each of at least one index; how many.
static int cut(uint64_t *random, tensor *whole, int axis, tensor parts[MAX_PARTS])
{
    int count = 0;
    int64_t begin = 0;
    while (begin < whole->dim[axis]) {
        const int64_t rest = whole->dim[axis] - begin;
        const int64_t extent = count == MAX_PARTS - 2
                                   ? rest
                                   : 1 + (int64_t)(hoist_test_random(random) % (uint64_t)rest);
        tensor *part = &parts[count++];
        *part = (tensor){.rank = whole->rank};
        memcpy(part->dim, whole->dim, sizeof part->dim);
        part->dim[axis] = extent;
        for (size_t k = 0; k < count_of(part); k++) {
            int64_t at[MAX_RANK];
            indices_of(part, k, at);
            at[axis] += begin;
            part->bytes[k] = *element(whole, at);
        }
        begin += extent;
    }
    return count;
}

HOIST_TEST(concatenations_join_along_an_axis)
{
    uint64_t random = 17;
    for (int round = 0; round < HOIST_TEST_ROUNDS(60); round++) {
        tensor y = random_tensor(&random, 1 + (int)(hoist_test_random(&random) % MAX_RANK), 1);
        const int axis = (int)(hoist_test_random(&random) % (uint64_t)y.rank);
        tensor parts[MAX_PARTS];
        const int count = cut(&random, &y, axis, parts);
        const tflite_concatenation_options options = {.axis = round % 2 ? axis : axis - y.rank};
        operation o = {.op = TFLITE_OP_CONCATENATION,
                       .options = &options,
                       .inputs = "",
                       .outputs = &y,
                       .output_count = 1,
                       .first_output = count};
        for (int i = 0; i < count; i++) {
            o.data[i] = &parts[i];
            o.names[i] = hoist_arena_format(&t->arena, "t%d", i).data;
            o.inputs = hoist_arena_format(&t->arena, "%s%s%s", o.inputs, i ? ", " : "",
                                          type_of(t, &parts[i]))
                           .data;
        }
        expect_operation(t, &o);
        expect_refusals(t, &o);
    }
}

HOIST_TEST(splits_cut_along_an_axis)
{
    uint64_t random = 19;
    for (int round = 0; round < HOIST_TEST_ROUNDS(60); round++) {
        tensor x = random_tensor(&random, 1 + (int)(hoist_test_random(&random) % MAX_RANK), 1);
        const int axis = (int)(hoist_test_random(&random) % (uint64_t)x.rank);
        tensor parts[MAX_PARTS];
        const int count = cut(&random, &x, axis, parts);
        const tflite_split_options options = {.num_splits = count};
        int64_t sizes[MAX_PARTS];
        for (int i = 0; i < count; i++) {
            sizes[i] = parts[i].dim[axis];
        }
        operation o = {.op = TFLITE_OP_SPLIT_V,
                       .options = &options,
                       .data = {&x},
                       .names = {"t0"},
                       .outputs = parts,
                       .output_count = count,
                       .first_output = 3};
        o.inputs = hoist_arena_format(&t->arena, "%s, %s, i32 - = %d", type_of(t, &x),
                                      list_of(t, count, sizes), round % 2 ? axis : axis - x.rank)
                       .data;
        expect_operation(t, &o);
        expect_refusals(t, &o);
    }
}

// Index i of an axis of its own.
static int layers_of(tensor *whole, int axis, tensor parts[MAX_PARTS])
{
    whole->dim[axis] = 1 + whole->dim[axis] % (MAX_PARTS - 1);
    for (int k = 0; k < whole->dim[axis]; k++) {
        parts[k] = (tensor){.rank = whole->rank - 1};
        for (int i = 0; i < parts[k].rank; i++) {
            parts[k].dim[i] = whole->dim[i < axis ? i : i + 1];
        }
        for (size_t flat = 0; flat < count_of(&parts[k]); flat++) {
            int64_t of_part[MAX_RANK];
            int64_t at[MAX_RANK];
            indices_of(&parts[k], flat, of_part);
            for (int i = 0; i < whole->rank; i++) {
                at[i] = i == axis ? k : of_part[i < axis ? i : i - 1];
            }
            parts[k].bytes[flat] = *element(whole, at);
        }
    }
    return (int)whole->dim[axis];
}

HOIST_TEST(packs_and_unpacks_have_an_axis_of_their_own)
{
    uint64_t random = 23;
    for (int round = 0; round < HOIST_TEST_ROUNDS(60); round++) {
        tensor whole = random_tensor(&random, 2 + (int)(hoist_test_random(&random) % 2), 1);
        const int axis = (int)(hoist_test_random(&random) % (uint64_t)whole.rank);
        tensor parts[MAX_PARTS];
        const int count = layers_of(&whole, axis, parts);
        const tflite_pack_options pack = {.values_count = count, .axis = axis - whole.rank};
        const tflite_unpack_options unpack = {.num = count, .axis = axis};
        operation join = {.op = TFLITE_OP_PACK,
                          .options = &pack,
                          .inputs = "",
                          .outputs = &whole,
                          .output_count = 1,
                          .first_output = count};
        for (int i = 0; i < count; i++) {
            join.data[i] = &parts[i];
            join.names[i] = hoist_arena_format(&t->arena, "t%d", i).data;
            join.inputs = hoist_arena_format(&t->arena, "%s%s%s", join.inputs, i ? ", " : "",
                                             type_of(t, &parts[i]))
                              .data;
        }
        expect_operation(t, &join);
        expect_refusals(t, &join);
        operation split = {.op = TFLITE_OP_UNPACK,
                           .options = &unpack,
                           .inputs = type_of(t, &whole),
                           .data = {&whole},
                           .names = {"t0"},
                           .outputs = parts,
                           .output_count = count,
                           .first_output = 1};
        expect_operation(t, &split);
        expect_refusals(t, &split);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(strided_slices_are_those_of_python),
                HOIST_TEST_ROW(slices_have_a_begin_and_a_size),
                HOIST_TEST_ROW(transposes_exchange_axes), HOIST_TEST_ROW(pads_are_the_zero_point),
                HOIST_TEST_ROW(concatenations_join_along_an_axis),
                HOIST_TEST_ROW(splits_cut_along_an_axis),
                HOIST_TEST_ROW(packs_and_unpacks_have_an_axis_of_their_own))
