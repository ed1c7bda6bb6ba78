// Random ARK models (ark_generator.h): ranks, buffers, tensors and operators as they are added. In:
// a seed. Operands are chosen in ark_generator_shapes.c, operators in ark_generator_ops.c and
// ark_generator_ranks.c, and written in ark_generator_text.c.
#include "testing/ark_generator.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/buffer.h"
#include "base/span.h"
#include "testing/ark_generator_state.h"
#include "testing/test.h"

static void *memory(gen *g, size_t count, size_t size)
{
    void *const items = hoist_arena_array(g->arena, count, size);
    if (!items) {
        abort();
    }
    return items;
}

uint64_t gen_number(gen *g, uint64_t below)
{
    return hoist_test_random(&g->random) % below;
}

bool gen_chance(gen *g, unsigned percent)
{
    return gen_number(g, 100) < percent;
}

hoist_str gen_format(gen *g, const char *format, ...)
{
    hoist_buffer out;
    va_list args;
    hoist_buffer_init(&out, hoist_allocator_system());
    va_start(args, format);
    hoist_buffer_vformat(&out, format, args);
    va_end(args);
    const hoist_str text = hoist_arena_str(g->arena, hoist_buffer_text(&out));
    if (out.failed || !text.data) {
        abort();
    }
    hoist_buffer_deinit(&out);
    return text;
}

// Buffers and tensors ----------------------------------------------------------------------------

gen_buffer *gen_new_buffer(gen_rank *r, int64_t rank, ark_dtype dtype)
{
    if (r->buffer_count == GEN_BUFFERS) {
        abort();
    }
    gen_buffer *const b = &r->buffers[r->buffer_count++];
    *b = (gen_buffer){.rank = rank, .is_local = rank == -1 || rank == (int64_t)r->number};
    b->memory = (ark_gen_memory){.id = r->next_buffer++, .dtype = dtype};
    return b;
}

size_t gen_bytes_of(const gen_tensor *tensor)
{
    size_t bytes = gen_size(tensor->dtype);
    for (size_t k = 0; k < tensor->rank; k++) {
        bytes *= (size_t)tensor->dims[k];
    }
    return bytes;
}

gen_tensor *gen_new_tensor(gen_rank *r, ark_dtype dtype, size_t rank, const int64_t *shape,
                           gen_buffer *buffer)
{
    if (r->tensor_count == GEN_TENSORS) {
        abort();
    }
    gen_tensor *const t = &r->tensors[r->tensor_count++];
    *t = (gen_tensor){.id = r->next_tensor++, .dtype = dtype, .rank = rank, .buffer = buffer};
    for (size_t k = 0; k < rank; k++) {
        t->shape[k] = t->dims[k] = t->padded[k] = shape[k];
    }
    return t;
}

void gen_add_to_pool(gen_rank *r, const gen_tensor *tensor)
{
    r->pool[r->pool_count++] = tensor;
}

// Operators --------------------------------------------------------------------------------------

gen_op *gen_new_op(gen *g, gen_rank *r, ark_op_type type)
{
    if (r->op_count == GEN_OPS) {
        abort();
    }
    gen_op *const op = &r->ops[r->op_count++];
    g->job->has_type[type] = true;
    *op = (gen_op){.type = type,
                   .is_virtual =
                       type == ARK_TENSOR || type == ARK_RESHAPE || type == ARK_PLACEHOLDER};
    return op;
}

void gen_read(gen_op *op, const gen_tensor *tensor)
{
    op->reads[op->read_count++] = tensor;
}

void gen_write(gen_op *op, const gen_tensor *tensor)
{
    op->writes[op->write_count++] = tensor;
}

static bool touches(const gen_tensor *const *list, size_t count, const gen_buffer *buffer)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i]->buffer == buffer) {
            return true;
        }
    }
    return false;
}

// Whether `later` names `earlier` as a producer.
static bool follows(const gen_rank *r, const gen_op *earlier, const gen_op *later)
{
    const bool is_flow = r->edges == GEN_EDGES_FLOW;
    bool found = false;
    for (size_t i = 0; i < later->read_count; i++) {
        const gen_tensor *const t = later->reads[i];
        found = found || t == earlier->result ||
                touches(earlier->writes, earlier->write_count, t->buffer) ||
                (!is_flow && touches(earlier->reads, earlier->read_count, t->buffer));
    }
    for (size_t i = 0; i < later->write_count; i++) {
        const gen_tensor *const t = later->writes[i];
        found = found || t == earlier->result ||
                (!is_flow && (touches(earlier->writes, earlier->write_count, t->buffer) ||
                              touches(earlier->reads, earlier->read_count, t->buffer)));
    }
    return found;
}

static void note(gen *g, const gen_tensor *t)
{
    HOIST_ASSERT(t);
    g->job->has_dtype[t->dtype] = true;
    g->job->has_rank[t->rank - 1] = true;
    const size_t bytes = gen_bytes_of(t);
    t->buffer->memory.size = bytes > t->buffer->memory.size ? bytes : t->buffer->memory.size;
}

const gen_tensor *gen_end(gen *g, gen_rank *r, gen_op *op, bool is_known)
{
    const size_t index = (size_t)(op - r->ops);
    const gen_tensor *const of = op->write_count             ? op->writes[0]
                                 : op->type == ARK_SEND_DONE ? op->reads[0]
                                                             : NULL;
    if (of) {
        gen_tensor *const result = gen_new_tensor(r, of->dtype, of->rank, of->shape, of->buffer);
        const int64_t id = result->id;
        *result = *of;
        result->id = id;
        op->result = result;
    }
    for (size_t i = 0; i < op->read_count; i++) {
        note(g, op->reads[i]);
    }
    for (size_t i = 0; i < op->write_count; i++) {
        note(g, op->writes[i]);
    }
    if (op->result) {
        note(g, op->result);
    }
    for (size_t i = 0; i < index; i++) {
        op->before[i] = r->edges == GEN_EDGES_CHAIN ? i + 1 == index : follows(r, &r->ops[i], op);
    }
    if (is_known && op->result) {
        gen_add_to_pool(r, op->result);
    }
    return op->result;
}

// Jobs -------------------------------------------------------------------------------------------

static void begin_rank(gen *g, size_t number)
{
    gen_rank *const r = &g->ranks[number];
    r->number = number;
    r->next_tensor = (int64_t)gen_number(g, 5) * 7;
    r->next_buffer = (int64_t)gen_number(g, 5) * 3;
    r->edges = (gen_edges)gen_number(g, GEN_EDGES_COUNT);
}

static void keep(gen *g, const gen_rank *r, ark_gen_file *file)
{
    ark_gen_memory *const memories = memory(g, r->buffer_count + 1, sizeof *memories);
    file->text = gen_text(g, r);
    file->memories = memories;
    for (size_t i = 0; i < r->buffer_count; i++) {
        if (r->buffers[i].is_local && r->buffers[i].memory.size) {
            memories[file->memory_count++] = r->buffers[i].memory;
        }
    }
}

void ark_gen_make(uint64_t seed, hoist_arena *arena, ark_gen_job *out_job)
{
    enum { MOST_OPS = 12, MOST_EXCHANGES = 3 };
    gen g = {.arena = arena, .random = seed, .next_tag = INT32_MIN, .next_flag = 1, .job = out_job};
    *out_job = (ark_gen_job){.count = 1};
    if (gen_chance(&g, 30)) {
        out_job->count = 2 + (size_t)gen_number(&g, ARK_GEN_MAX_RANKS - 1);
    }
    g.rank_count = out_job->count;
    g.is_d4 = g.rank_count == 1 && gen_chance(&g, 10);
    g.ranks = memory(&g, g.rank_count, sizeof *g.ranks);
    for (size_t i = 0; i < g.rank_count; i++) {
        begin_rank(&g, i);
    }
    const size_t parts = g.rank_count > 1 ? 1 + (size_t)gen_number(&g, MOST_EXCHANGES) : 0;
    for (size_t part = 0; part <= parts; part++) {
        for (size_t i = 0; i < g.rank_count; i++) {
            const uint64_t most = parts ? MOST_OPS / (parts + 2) : MOST_OPS;
            const uint64_t ops = (parts ? 0 : 1) + gen_number(&g, most + 1);
            for (uint64_t k = 0; k < ops; k++) {
                gen_add_local(&g, &g.ranks[i]);
            }
        }
        if (part < parts) {
            gen_add_exchange(&g);
        }
    }
    for (size_t i = 0; i < g.rank_count; i++) {
        keep(&g, &g.ranks[i], &out_job->files[i]);
    }
}

// Data -------------------------------------------------------------------------------------------

// Elements that are no small numbers, by the bits of float32, float16 and bfloat16.
static const uint32_t specials[][6] = {
    [ARK_FP32] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000, 0x00000001, 0x7f7fffff},
    [ARK_FP16] = {0x7e00, 0x7c00, 0xfc00, 0x8000, 0x0001, 0x7bff},
    [ARK_BF16] = {0x7fc0, 0x7f80, 0xff80, 0x8000, 0x0001, 0x7f7f},
};

// Bits of a number from -2 to 2, of which all types of floats have a sixteenth.
static uint32_t small_float(ark_dtype dtype, uint64_t random)
{
    // A sign, two exponents and some digits are put together.
    const unsigned fraction = dtype == ARK_FP32 ? 23 : dtype == ARK_FP16 ? 10 : 7;
    const uint32_t bias = dtype == ARK_FP16 ? 15 : 127;
    const uint32_t width = (uint32_t)(8 * gen_size(dtype));
    const uint32_t exponent = bias - (uint32_t)(random >> 8) % 4;
    const uint32_t digits = (uint32_t)(random >> 16) & ((1U << fraction) - 1);
    return (uint32_t)(random & 1) << (width - 1) | exponent << fraction | digits;
}

static uint32_t element(const ark_gen_memory *memory, uint64_t random, bool has_specials)
{
    const uint64_t high = random >> 32;
    if (memory->content == ARK_GEN_DIVISORS) {
        return 1 + (uint32_t)(high % 9);
    }
    if (memory->content == ARK_GEN_INDEXES) {
        return (uint32_t)((int64_t)(high % (uint64_t)(2 * memory->limit)) - memory->limit);
    }
    if (has_specials && random % 16 == 0) {
        return gen_is_float(memory->dtype)
                   ? specials[memory->dtype][high % HOIST_COUNT_OF(specials[0])]
                   : (uint32_t)high;
    }
    return gen_is_float(memory->dtype) ? small_float(memory->dtype, random)
                                       : (uint32_t)(int32_t)((int64_t)(high % 41) - 20);
}

hoist_bytes ark_gen_bytes(const ark_gen_memory *memory, uint64_t seed, hoist_arena *arena)
{
    uint64_t random = seed * 1000 + (uint64_t)memory->id;
    const size_t size = gen_size(memory->dtype);
    uint8_t *const bytes = hoist_arena_alloc(arena, memory->size);
    const bool has_specials = hoist_test_random(&random) % 6 == 0;
    if (!bytes) {
        abort();
    }
    for (size_t i = 0; i + size <= memory->size; i += size) {
        const uint32_t bits = element(memory, hoist_test_random(&random), has_specials);
        for (size_t k = 0; k < size; k++) {
            bytes[i + k] = (uint8_t)(bits >> (8 * k));
        }
    }
    return (hoist_bytes){bytes, memory->size};
}
