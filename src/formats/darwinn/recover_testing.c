#include "formats/darwinn/recover_testing.h"

#include <math.h>
#include <string.h>

#include "base/reader.h"

static void set(hoist_mut_bytes instruction, size_t row, size_t index, int64_t bits)
{
    dwn_make_set(instruction, &dwn_tensor_rows[row], index, (uint32_t)bits);
}

static void set_float(hoist_mut_bytes instruction, size_t row, float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof(bits));
    set(instruction, row, 0, bits);
}

// The other traversals have one loop, of as many steps as there are (16.1).
static void set_steps(hoist_mut_bytes instruction, const dwn_sketch *s)
{
    const uint32_t reduction = s->reduction ? s->reduction : 1;
    const uint32_t rest = s->rest ? s->rest : 1;
    const uint32_t late = s->late ? s->late : 1;
    const uint32_t rows = s->full_rows ? s->full_rows : 4;
    const int64_t written = (int64_t)rest * ((rows + 3) / 4);
    set(instruction, DWN_TENSOR_B_COUNT, 0, written - 1);
    set(instruction, DWN_TENSOR_B_INCREMENT, 0, written > 1);
    set(instruction, DWN_TENSOR_C_COUNT, 0, (int64_t)reduction * rest * late - 1);
    set(instruction, DWN_TENSOR_D_COUNT, 0, (int64_t)reduction * rest * late - 1);
}

// Counts and strides as increments: what is added when the loops inside have wrapped.
static void set_loops(hoist_mut_bytes instruction, const int64_t loops[DWN_LOOPS][2], size_t counts,
                      size_t increments)
{
    int64_t wrapped = 0;
    const size_t used = loops[DWN_LOOPS - 1][0] ? DWN_LOOPS : DWN_LOOPS - 1;
    for (size_t k = 0; k < used; k++) {
        const int64_t count = loops[k][0] ? loops[k][0] : 1;
        set(instruction, counts, k, count - 1);
        set(instruction, increments, k, loops[k][1] - wrapped);
        wrapped += (count - 1) * loops[k][1];
    }
}

// As all known operations of an opcode have it.
static uint16_t mode_of(const dwn_sketch *s)
{
    const uint16_t plain = s->opcode == DWN_OP_MAX ? 0x30 : s->opcode == DWN_OP_SUM ? 0xb0 : 0x38;
    return s->mode ? s->mode : plain;
}

static void set_numbers(hoist_mut_bytes x, const dwn_sketch *s)
{
    set(x, DWN_TENSOR_TILES, 0, s->tiles ? s->tiles : 1);
    set(x, DWN_TENSOR_MODE, 0, mode_of(s));
    set(x, DWN_TENSOR_CLASS, 0, s->code);
    set(x, DWN_TENSOR_INPUT_ZERO, 0, s->input_zero);
    set(x, DWN_TENSOR_WEIGHT_ZERO, 0, s->weight_zero);
    set(x, DWN_TENSOR_OUTPUT_ZERO, 0, s->output_zero);
    set(x, DWN_TENSOR_HAS_MULTIPLIERS, 0, s->has_multipliers);
    set(x, DWN_TENSOR_HAS_BIAS, 0, s->has_bias);
    set(x, DWN_TENSOR_HAS_WEIGHT_ZEROS, 0, s->has_weight_zeros);
    set(x, DWN_TENSOR_FULL_ROWS, 0, (s->full_rows ? s->full_rows : 4) - 1);
    set(x, DWN_TENSOR_LAST_ROWS, 0, (s->last_rows ? s->last_rows : 4) - 1);
    set(x, DWN_TENSOR_CONSTANT, 0, s->constant);
    set(x, DWN_TENSOR_MASTER, 0, (s->reduction ? s->reduction : 1) - 1);
    set(x, DWN_TENSOR_MASTER, 1, (s->rest ? s->rest : 1) - 1);
    set(x, DWN_TENSOR_MASTER, 2, (s->late ? s->late : 1) - 1);
    set(x, DWN_TENSOR_REDUCTION, 0, s->mask ? s->mask : s->late ? 5 : 1);
    set(x, DWN_TENSOR_A_BASE, 0, s->a_base);
    set(x, DWN_TENSOR_B_BASE, 0, s->b_base);
    set(x, DWN_TENSOR_C_BASE, 0, s->c_base);
    set(x, DWN_TENSOR_TABLE, 0, s->table);
}

void dwn_make_operation(dwn_maker *m, const dwn_sketch *s)
{
    if (s->copied) {
        dwn_make_copy(m, s->tiles ? s->tiles : 1, s->copied - 1, (uint32_t)s->c_base);
    }
    const hoist_mut_bytes x = dwn_make_add(m, s->opcode ? s->opcode : DWN_OP_TENSOR);
    set_numbers(x, s);
    set_float(x, DWN_TENSOR_MULTIPLIER, s->multiplier != 0 ? s->multiplier : 0.5f);
    set_float(x, DWN_TENSOR_HIGH, s->high != 0 || signbit(s->high) ? s->high : 255.0f);
    // What has no upper limit has no lower one.
    set_float(x, DWN_TENSOR_LOW, isinf(s->high) && s->low == 0 ? -s->high : s->low);
    set_loops(x, s->a, DWN_TENSOR_A_COUNT, DWN_TENSOR_A_INCREMENT);
    set_steps(x, s);
    if (s->b[0][0]) {
        set_loops(x, s->b, DWN_TENSOR_B_COUNT, DWN_TENSOR_B_INCREMENT);
    }
}

void dwn_make_constant(dwn_maker *m, uint32_t value)
{
    enum { DWN_OP_MESH = 0x15 };
    const dwn_field *fields = dwn_opcode_find(DWN_OP_MESH)->fields->rows;
    const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_MESH);
    dwn_make_set(x, &fields[DWN_MESH_STORES], 0, 1);
    dwn_make_set(x, &fields[DWN_MESH_IMMEDIATE], 0, value);
}

void dwn_make_fill_on(dwn_maker *m, uint8_t channel, const dwn_stored *s)
{
    enum { DWN_OP_MESH = 0x15 };
    const dwn_field *fields = dwn_opcode_find(DWN_OP_MESH)->fields->rows;
    const hoist_mut_bytes x = dwn_make_add(m, (uint8_t)(DWN_OP_MESH + channel));
    int64_t wrapped = 0;
    dwn_make_set(x, &fields[DWN_HEADER_TILES], 0, s->tiles);
    dwn_make_set(x, &fields[DWN_MESH_BASE], 0, s->base);
    dwn_make_set(x, &fields[DWN_MESH_INCREMENT], 0, 1); // word after word: here one
    dwn_make_set(x, &fields[DWN_MESH_STORES], 0, !s->is_sent);
    dwn_make_set(x, &fields[DWN_MESH_IMMEDIATE], 0, s->value);
    for (size_t k = 0; k + 1 < DWN_MESH_LOOPS; k++) {
        const int64_t count = s->loops[k][0] ? s->loops[k][0] : 1;
        dwn_make_set(x, &fields[DWN_MESH_COUNT], k + 1, (uint32_t)(count - 1));
        dwn_make_set(x, &fields[DWN_MESH_INCREMENT], k + 1, (uint32_t)(s->loops[k][1] - wrapped));
        wrapped += (count - 1) * s->loops[k][1];
    }
}

void dwn_make_copy(dwn_maker *m, uint16_t tiles, uint32_t from, uint32_t to)
{
    const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_COPY_OUT);
    dwn_make_set(x, &dwn_copy_rows[DWN_HEADER_TILES], 0, tiles);
    dwn_make_set(x, &dwn_copy_rows[DWN_COPY_ADDRESS], 0, from);
    dwn_make_set(x, &dwn_copy_rows[DWN_COPY_WIDE], 0, to);
}

// The loops of a traversal of the mesh, or of a copy.
static void set_way(hoist_mut_bytes x, const dwn_field *increment, const dwn_field *count,
                    const int64_t loops[DWN_MESH_LOOPS][2])
{
    int64_t wrapped = 0;
    for (size_t k = 0; k < DWN_MESH_LOOPS; k++) {
        const int64_t steps = loops[k][0] ? loops[k][0] : 1;
        const int64_t stride = k == 0 && loops[k][0] == 0 ? 1 : loops[k][1]; // one word
        dwn_make_set(x, count, k, (uint32_t)(steps - 1));
        dwn_make_set(x, increment, k, (uint32_t)(stride - wrapped));
        wrapped += (steps - 1) * stride;
    }
}

static void set_cut(hoist_mut_bytes x, const dwn_cut *cut, uint32_t at)
{
    if (cut->words > 0) {
        dwn_bits_store(x, at, 16, cut->words - 1);
        dwn_bits_store(x, at + 16, 2, cut->loop);
        dwn_bits_store(x, at + 21, 1, 1);
    }
}

static void make_mesh(dwn_maker *m, const dwn_sending *s, bool sends, bool gets)
{
    enum { DWN_OP_MESH = 0x15, SENT_CUT = 233, WRITTEN_CUT = 438, WAITS = 520 };
    const dwn_field *fields = dwn_opcode_find(DWN_OP_MESH)->fields->rows;
    const hoist_mut_bytes x = dwn_make_add(m, (uint8_t)(DWN_OP_MESH + s->channel));
    dwn_make_set(x, &fields[DWN_HEADER_TILES], 0, s->tiles);
    if (sends) {
        dwn_make_set(x, &fields[DWN_MESH_FROM], 0, s->base);
        set_way(x, &fields[DWN_MESH_FROM_INCREMENT], &fields[DWN_MESH_FROM_COUNT], s->loops);
        set_cut(x, &s->cut, SENT_CUT);
        dwn_bits_store(x, WAITS, DWN_WAITS, (1u << s->waits) - 1);
    }
    if (gets) {
        dwn_make_set(x, &fields[DWN_MESH_BASE], 0, s->got > 0 ? s->got : s->base);
        set_way(x, &fields[DWN_MESH_INCREMENT], &fields[DWN_MESH_COUNT], s->loops);
        set_cut(x, &s->cut, WRITTEN_CUT);
    }
}

void dwn_make_sending(dwn_maker *m, const dwn_sending *s)
{
    make_mesh(m, s, true, s->is_passed_on || s->got > 0);
}

void dwn_make_getting(dwn_maker *m, const dwn_sending *s)
{
    make_mesh(m, s, s->is_passed_on, true);
}

void dwn_make_copy_of(dwn_maker *m, const dwn_sending *s)
{
    const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_COPY_OUT);
    dwn_make_set(x, &dwn_copy_rows[DWN_HEADER_TILES], 0, s->tiles);
    dwn_make_set(x, &dwn_copy_rows[DWN_COPY_ADDRESS], 0, s->base);
    set_way(x, &dwn_copy_rows[DWN_COPY_INCREMENT], &dwn_copy_rows[DWN_COPY_COUNT], s->loops);
}

void dwn_make_copy_in(dwn_maker *m, uint32_t from, const dwn_sending *s, bool is_of_parameters)
{
    enum { PARAMETERS = 4 * 128 + 101 };
    const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_COPY_IN);
    dwn_make_set(x, &dwn_load_rows[DWN_HEADER_TILES], 0, s->tiles);
    dwn_make_set(x, &dwn_load_rows[DWN_LOAD_ADDRESS], 0, from);
    dwn_make_set(x, &dwn_load_rows[DWN_LOAD_BASE], 0, s->base);
    set_way(x, &dwn_load_rows[DWN_LOAD_INCREMENT], &dwn_load_rows[DWN_LOAD_COUNT], s->loops);
    dwn_bits_store((hoist_mut_bytes){x.data, x.size}, PARAMETERS, 1, is_of_parameters);
}

void dwn_make_table(dwn_maker *m, uint16_t tiles, bool is_other)
{
    const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_TABLE);
    dwn_make_set(x, &dwn_opcode_find(DWN_OP_TABLE)->fields->rows[DWN_HEADER_TILES], 0, tiles);
    for (size_t i = 0; i < DWN_TABLE_WORDS; i++) {
        const uint32_t word = dwn_logistic_table[i] ^ (is_other && i == DWN_TABLE_WORDS / 2);
        hoist_store_u32le(x.data + DWN_TABLE_AT + i * sizeof(word), word);
    }
}

void dwn_make_fill(dwn_maker *m, const dwn_stored *s)
{
    dwn_make_fill_on(m, 0, s);
}

enum { KEEPER = 1 << 15, UNIT = 64, SOURCE = 0x0480 };

static void make_feed(dwn_maker *m, uint32_t offset)
{
    const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_FEED);
    dwn_make_set(x, &dwn_feed_rows[DWN_FEED_SOURCE], 0, SOURCE);
    dwn_make_set(x, &dwn_feed_rows[DWN_FEED_POSITION], 0, offset / UNIT + 1);
    dwn_make_set(x, &dwn_feed_rows[DWN_FEED_TILES], 0, KEEPER);
}

static void make_mover(dwn_maker *m, uint8_t opcode, uint32_t offset)
{
    const hoist_mut_bytes x = dwn_make_add(m, opcode);
    dwn_make_set(x, &dwn_mover_rows[DWN_HEADER_TILES], 0, KEEPER);
    dwn_make_set(x, &dwn_mover_rows[DWN_MOVER_ADDRESS], 0, offset / UNIT);
}

void dwn_make_supply(dwn_maker *m, bool is_streamed, uint32_t offset)
{
    if (is_streamed) {
        make_feed(m, offset);
    } else {
        make_mover(m, DWN_OP_RING_PRODUCER, offset);
    }
}

void dwn_make_run(dwn_maker *m, uint32_t offset)
{
    make_mover(m, DWN_OP_RING_CONSUMER, offset);
    make_feed(m, offset);
}

static bool has_share(const dwn_sketch *s)
{
    enum { PARAMETERS = 0x8 };
    return !s->opcode && !isinf(s->high) && (s->mode == 0 || s->mode & PARAMETERS);
}

// Bytes of each share; of the operations before `index` as well.
static uint32_t share_of(const dwn_shared *shared, size_t index, uint32_t *out_before)
{
    uint32_t count = 0;
    uint32_t before = 0;
    for (size_t i = 0; i < shared->count; i++) {
        count += has_share(&shared->sketches[i]);
        before += i < index && has_share(&shared->sketches[i]);
    }
    *out_before = count ? shared->size / count * before : 0;
    return count ? shared->size / count : 0;
}

void dwn_make_shared(dwn_maker *m, const dwn_shared *shared, size_t index)
{
    uint32_t before = 0;
    dwn_make_operation(m, &shared->sketches[index]);
    if (has_share(&shared->sketches[index]) && share_of(shared, index, &before) > 0) {
        dwn_make_supply(m, shared->is_streamed, before);
    }
}

void dwn_make_runs(dwn_maker *m, const dwn_shared *shared)
{
    for (size_t i = 0; i < shared->count; i++) {
        uint32_t before = 0;
        if (has_share(&shared->sketches[i]) && share_of(shared, i, &before) > 0) {
            dwn_make_run(m, before);
        }
    }
}

dwn_operation dwn_test_operation(hoist_test *t, const dwn_sketch *sketch)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_operation(&m, sketch);
    dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    dwn_operations operations;
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &operations), HOIST_OK);
    HOIST_EXPECT_EQ(t, operations.count, 1);
    return operations.items[0];
}

void dwn_test_border(dwn_layer *layer, dwn_numerics *numerics, dwn_extent extent, uint8_t zero)
{
    *numerics = (dwn_numerics){.zero_point = zero, .dequantization_factor = 1};
    *layer = (dwn_layer){.y_dim = (int32_t)extent.h,
                         .x_dim = (int32_t)extent.w,
                         .z_dim = (int32_t)extent.c,
                         .numerics = numerics};
}

void dwn_test_model(hoist_test *t, dwn_model *model, hoist_bytes chunk, hoist_bytes cached)
{
    model->chunk = (dwn_chunk){.stream = dwn_test_stream(t, chunk)};
    model->executables[0] = (dwn_executable){.type = DWN_EXECUTION_ONLY,
                                             .input_layers = {&model->input, 1},
                                             .output_layers = {&model->output, 1}};
    model->executables[1] = (dwn_executable){.type = DWN_PARAMETER_CACHING, .parameters = cached};
    model->images[0] =
        (dwn_image){.rows = &model->executables[0], .chunks = &model->chunk, .chunk_count = 1};
    model->images[1] = (dwn_image){.rows = &model->executables[1]};
    model->contents = (dwn_contents){.images = model->images, .image_count = 2};
}

void dwn_test_runs(hoist_test *t, dwn_model *model, hoist_bytes chunk)
{
    model->runs = (dwn_chunk){.stream = dwn_test_stream(t, chunk)};
    model->images[1].chunks = &model->runs;
    model->images[1].chunk_count = 1;
}
