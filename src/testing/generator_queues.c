// Queues of generated netlists, and what they need: shapes cut into blocks, and memory.
// Facts: buda-netlist reference sections 1.4, 4.1, 4.2 and 4.3.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "testing/generator_state.h"
#include "testing/test.h"

size_t hoist_netlist_pick(uint64_t *state, size_t count)
{
    return count ? (size_t)(hoist_test_random(state) % count) : 0;
}

size_t gen_pick(generator *g, size_t count)
{
    return hoist_netlist_pick(&g->random, count);
}

bool gen_chance(generator *g, size_t percent)
{
    return gen_pick(g, 100) < percent;
}

size_t gen_factor(generator *g, size_t n, size_t most)
{
    size_t factors[64] = {1};
    size_t count = 0;
    for (size_t i = 1; i <= n && i <= most && count < HOIST_COUNT_OF(factors); i++) {
        if (n % i == 0) {
            factors[count++] = i;
        }
    }
    return factors[gen_pick(g, count)];
}

gen_block gen_cut(generator *g, gen_shape shape, size_t most_cells, size_t most_dest)
{
    gen_block b = {.t = shape.z};
    b.rows = gen_factor(g, shape.r, most_cells);
    b.columns = gen_factor(g, shape.c, most_cells);
    b.rt = gen_factor(g, shape.r / b.rows, most_dest);
    b.ct = gen_factor(g, shape.c / b.columns, most_dest / b.rt);
    b.m = shape.r / b.rows / b.rt;
    b.n = shape.c / b.columns / b.ct;
    return b;
}

gen_shape gen_shape_of(generator *g)
{
    static const size_t slices[] = {1, 1, 1, 2, 4};
    static const size_t tiles[] = {1, 2, 3, 4, 6, 8};
    return (gen_shape){slices[gen_pick(g, HOIST_COUNT_OF(slices))],
                       tiles[gen_pick(g, HOIST_COUNT_OF(tiles))],
                       tiles[gen_pick(g, HOIST_COUNT_OF(tiles))]};
}

hoist_str gen_text(generator *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const hoist_str text = hoist_arena_vformat(g->arena, format, args);
    va_end(args);
    if (!text.data) {
        abort();
    }
    return text;
}

gen_source *gen_any(generator *g, const gen_sources *sources)
{
    size_t open = 0;
    for (const gen_source *s = sources->first; s; s = s->next) {
        open += !s->sealed;
    }
    size_t left = open ? gen_pick(g, open) : 0;
    for (gen_source *s = sources->first; s; s = s->next) {
        if (!s->sealed && left-- == 0) {
            return s;
        }
    }
    return NULL;
}

gen_source *gen_add_source(generator *g, gen_sources *sources, hoist_str name, gen_shape shape)
{
    gen_source *source = hoist_arena_alloc(g->arena, sizeof(*source));
    if (!source) {
        abort();
    }
    *source = (gen_source){.name = name, .shape = shape, .next = sources->first};
    sources->first = source;
    sources->count++;
    return source;
}

void gen_use_queue(generator *g, gen_source *queue)
{
    for (const gen_use *use = g->uses; use; use = use->next) {
        if (use->queue == queue) {
            return;
        }
    }
    gen_use *use = hoist_arena_alloc(g->arena, sizeof(*use));
    if (!use) {
        abort();
    }
    *use = (gen_use){queue, g->uses};
    g->uses = use;
}

// Bytes of a 32 x 32 tile in memory.
static uint64_t tile_bytes(const generator *g, const char *df)
{
    uint64_t raw = 2048;
    if (strcmp(df, g->formats->narrow) == 0) {
        raw = 1088;
    } else if (strcmp(df, g->formats->tiny) == 0) {
        raw = 576;
    }
    return (raw + 16 + g->arch->alignment - 1) / g->arch->alignment * g->arch->alignment;
}

// The list of places of a queue's buffers, each after the last one of its channel.
static void place(generator *g, const gen_source *queue, bool on_host)
{
    const gen_block *b = &queue->block;
    const uint64_t tiles = b->t * b->m * b->n * b->rt * b->ct;
    const uint64_t size = g->arch->header + queue->entries * tiles * tile_bytes(g, queue->df);
    hoist_str places = HOIST_STR("");
    for (size_t i = 0; i < b->rows * b->columns; i++) {
        const size_t channel = on_host ? 0 : g->channel++ % g->arch->channels;
        uint64_t *next = on_host ? &g->host : &g->dram[g->device][channel];
        places =
            gen_text(g, "%s%s[%zu, 0x%" PRIx64 "]", places.data, i ? ", " : "", channel, *next);
        *next += (size + 63) / 64 * 64;
    }
    hoist_text_set(g->arena, queue->node, "loc", on_host ? "host" : "dram");
    hoist_text_set(g->arena, queue->node, on_host ? "host" : "dram", "[%s]", places.data);
}

static void write_queue(generator *g, gen_source *queue, const char *input, bool on_host)
{
    const gen_block *b = &queue->block;
    hoist_text_node *node = hoist_text_add(g->arena, g->queues, HOIST_TEXT_FLOW_MAP, queue->name);
    queue->node = node;
    queue->is_queue = true;
    hoist_text_set(g->arena, node, "type", queue->is_ram ? "ram" : "queue");
    hoist_text_set(g->arena, node, "input", "%s", input);
    hoist_text_set(g->arena, node, "entries", "%zu", queue->entries);
    hoist_text_set(g->arena, node, "grid_size", "[%zu, %zu]", b->rows, b->columns);
    hoist_text_set(g->arena, node, "t", "%zu", b->t);
    hoist_text_set(g->arena, node, "mblock", "[%zu, %zu]", b->m, b->n);
    hoist_text_set(g->arena, node, "ublock", "[%zu, %zu]", b->rt, b->ct);
    if (gen_chance(g, 50)) {
        hoist_text_set(g->arena, node, "ublock_order", gen_chance(g, 50) ? "r" : "c");
    }
    hoist_text_set(g->arena, node, "df", "%s", queue->df);
    hoist_text_set(g->arena, node, "target_device", "%zu", g->device);
    place(g, queue, on_host);
}

static hoist_str queue_name(generator *g, const char *prefix)
{
    return gen_text(g, "%s%zu", prefix, g->queue_count++);
}

gen_source *gen_host_queue(generator *g, gen_shape shape)
{
    gen_source *queue = gen_add_source(g, &g->program_queues, queue_name(g, "in"), shape);
    queue->df = gen_chance(g, 60) ? g->formats->wide : g->formats->narrow;
    queue->block = gen_cut(g, shape, 3, 8);
    queue->entries = g->input_count << gen_pick(g, 3);
    write_queue(g, queue, "HOST", false);
    gen_use_queue(g, queue);
    return queue;
}

gen_source *gen_parameter(generator *g, gen_shape shape)
{
    const char *const dfs[] = {g->formats->wide, g->formats->narrow, g->formats->tiny};
    gen_sources none = {NULL, 0};
    gen_source *ram = gen_add_source(g, &none, queue_name(g, "w"), shape);
    ram->is_ram = true;
    ram->df = dfs[gen_pick(g, HOIST_COUNT_OF(dfs))];
    ram->block = gen_cut(g, shape, 2, 8);
    ram->entries = 1;
    write_queue(g, ram, "HOST", false);
    gen_use_queue(g, ram);
    return ram;
}

// An untilized tensor: one buffer, and no op reads it. Matmuls need m_k 1 for that.
static void untilize(generator *g, gen_source *op, gen_source *queue)
{
    hoist_text_set(g->arena, op->node, "untilize_output", "true");
    hoist_text_set(g->arena, op->node, "ublock_order", "r");
    queue->block = gen_cut(g, op->shape, 1, 8);
    queue->sealed = true;
}

gen_source *gen_output(generator *g, gen_source *op)
{
    gen_sources none = {NULL, 0};
    const bool last = op->readers == 0;
    gen_source *queue = gen_add_source(g, &none, queue_name(g, "out"), op->shape);
    queue->df = op->df;
    queue->block = gen_cut(g, op->shape, 3, 8);
    // Nothing pops a result while programs run.
    queue->entries = g->input_count * g->turns << gen_pick(g, 2);
    if (last && op->m_k == 1 && op->df == g->formats->wide && gen_chance(g, 40)) {
        untilize(g, op, queue);
    }
    const bool on_host = last && gen_chance(g, 30);
    queue->sealed = queue->sealed || on_host;
    write_queue(g, queue, op->name.data, on_host);
    return queue;
}

void gen_gradient_ram(generator *g, gen_source *op)
{
    gen_sources none = {NULL, 0};
    gen_source *ram = gen_add_source(g, &none, queue_name(g, "grad"), op->shape);
    ram->is_ram = true;
    ram->is_gradient = true;
    ram->df = op->df;
    ram->block = op->block;
    ram->entries = 1;
    op->sealed = true;
    write_queue(g, ram, op->name.data, false);
    gen_use_queue(g, ram);
}
