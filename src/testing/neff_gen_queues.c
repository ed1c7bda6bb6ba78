// Queue sets with their blocks, and what triggers them. Every block has variables of its own, so
// that no two are in each other's way whatever their order.
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "testing/neff_gen.h"

typedef struct queue_plan {
    hoist_neff_queue_set set;
    hoist_neff_engine engine; // whose file has the blocks
    size_t block_count;
    size_t signal; // one, set, both, none
    bool triggers;
    bool in_function;
    int64_t signals; // by which its semaphore has risen
} queue_plan;

static const char *const engines[] = {"pe", "act", "pool", "dve", "sp"};

enum { TYPE_IN, TYPE_OUT, TYPE_DATA, TYPE_EMBEDDING, TYPE_DYNAMIC, TYPE_ACT_LOAD, TYPES };
enum { SIGNAL_ONE, SIGNAL_SET, SIGNAL_BOTH, SIGNAL_NONE };
enum {
    CONTENT_INSTANCES = 1,
    CONTENT_FUNCTIONS = 2,
    CONTENT_ACT_LOAD = 3,
    CONTENT_LNC = 5,
    CONTENT_DGE = 6,
    CONTENT_REMOTE = 7
};

static void draw_signal(neff_gen *g, queue_plan *plan)
{
    const int64_t semaphore = g->semaphore++;
    plan->signal = gen_draw(g, CELL_SIGNAL_ONE, 4);
    plan->set.semaphore = semaphore;
    plan->set.has_semaphore = plan->signal == SIGNAL_ONE || plan->signal == SIGNAL_BOTH;
    if (plan->signal == SIGNAL_SET || plan->signal == SIGNAL_BOTH) {
        plan->set.semaphore_set = gen_ints(g, &semaphore, 1);
    }
}

static void draw_rings(neff_gen *g, queue_plan *plan)
{
    static const int64_t counts[] = {1, 2, 16};
    if (g->generation == 1) {
        gen_mark(g, CELL_QUEUES_1);
        gen_mark(g, CELL_INSTANCES);
        plan->set.num_queues = 1;
        return;
    }
    plan->set.num_queues = counts[gen_draw_first(g, CELL_QUEUES_1, 3, 60)];
    const size_t instances = gen_draw_first(g, CELL_INSTANCES, 4, 70);
    const char **const names = hoist_arena_array(&g->arena, instances, sizeof(names[0]));
    gen_do(names ? HOIST_OK : HOIST_NO_MEMORY);
    for (size_t i = 0; i < instances; i++) {
        names[i] = gen_text(g, "%s_i%zu", plan->set.name, i);
    }
    plan->set.queue_instances = (hoist_neff_names){names, instances};
    if (instances) {
        gen_mark(g, CELL_CONTENT + CONTENT_INSTANCES);
    }
}

static queue_plan draw_queue(neff_gen *g, size_t index)
{
    queue_plan plan = {.set = {.struct_size = sizeof(plan.set)}};
    const size_t type = gen_draw(g, CELL_QUEUE_TYPE, TYPES);
    static const char *const types[] = {"in",      "out",     "data", "embedding_update",
                                        "dynamic", "act_load"};
    plan.set.name = gen_text(g, "q%zu", index);
    plan.set.type = types[type];
    const bool has_owner = !gen_chance(g, 10);
    const size_t owner = has_owner ? gen_draw(g, CELL_OWNER, 5) : HOIST_NEFF_SP;
    plan.engine = (hoist_neff_engine)owner;
    plan.set.owner = has_owner ? engines[owner] : NULL;
    if (!has_owner) {
        gen_mark(g, CELL_OWNER_NONE);
    }
    draw_rings(g, &plan);
    draw_signal(g, &plan);
    plan.block_count = type == TYPE_DYNAMIC ? 0 : 1 + gen_pick(g, 3);
    plan.triggers = true;
    if (type == TYPE_DYNAMIC) {
        gen_mark(g, CELL_CONTENT + CONTENT_DGE);
    } else if (type == TYPE_ACT_LOAD) {
        gen_mark(g, CELL_CONTENT + CONTENT_ACT_LOAD);
    }
    plan.in_function = g->generation != 1 && !plan.set.queue_instances.count && gen_chance(g, 25);
    plan.set.keys = gen_keys(g, LEVEL_QUEUE);
    return plan;
}

// Blocks -----------------------------------------------------------------------------------------

static void draw_place(neff_gen *g, const queue_plan *plan, hoist_neff_block *block)
{
    const hoist_neff_names instances = plan->set.queue_instances;
    block->queue = plan->set.name;
    if (instances.count) {
        // The first one is active at the start.
        const size_t kind = gen_draw(g, CELL_BY_INSTANCE, 2);
        block->instance_name = instances.items[0];
        block->queue = kind == 1 ? plan->set.name : NULL;
    } else {
        gen_mark(g, CELL_BY_QUEUE);
    }
    if (g->generation != 1 && gen_chance(g, 20)) {
        gen_mark(g, CELL_SECTION_START);
        block->section_start_desc = true;
    }
}

static void draw_block_signal(neff_gen *g, queue_plan *plan, hoist_neff_block *block)
{
    switch (gen_draw_first(g, CELL_BLOCK_PLAIN, 3, 60)) {
    case 1:
        block->has_event = true;
        block->event = (int64_t)gen_pick(g, 256);
        break;
    case 2:
        block->has_semaphore = true;
        block->semaphore = plan->set.semaphore;
        break;
    default:
        break;
    }
    if (g->generation != 1 && g->generation != 2 && gen_chance(g, 15)) {
        const int64_t semaphore = 20 + (int64_t)gen_pick(g, 8);
        gen_mark(g, g->subgraphs == 2 ? CELL_REMOTE_LNC_2 : CELL_REMOTE_LNC_1);
        gen_mark(g, CELL_CONTENT + CONTENT_REMOTE);
        block->remote_semaphores = gen_ints(g, &semaphore, 1);
    }
    plan->signals += plan->set.num_queues;
}

static hoist_buffer *code_of(neff_gen *g, const queue_plan *plan)
{
    return plan->in_function ? &g->functions[plan->engine] : &g->code[plan->engine];
}

static const char *new_variable(neff_gen *g, const char *kind)
{
    const char *const name = gen_text(g, "%s%zu", kind, g->blocks);
    gen_variable(g,
                 (hoist_neff_variable){.name = name, .type = "tmp-buf", .size = GEN_DESC_VAR_SIZE});
    return name;
}

static void add_block(neff_gen *g, queue_plan *plan, hoist_neff_block *block)
{
    block->struct_size = sizeof(*block);
    block->keys = gen_keys(g, LEVEL_BLOCK);
    draw_place(g, plan, block);
    draw_block_signal(g, plan, block);
    gen_do(hoist_neff_add_block(g->neff, g->subgraph, plan->engine, block));
    hoist_buffer_format(code_of(g, plan), "PSEUDO_DMA_TRIGGER %s block_id=%lld;\n", plan->set.name,
                        (long long)block->id);
    g->blocks++;
}

static void add_drawn_block(neff_gen *g, queue_plan *plan, size_t index)
{
    const char *const from = new_variable(g, "from");
    const char *const to = new_variable(g, "to");
    hoist_neff_block block = {.id = (int64_t)g->blocks};
    if (plan->in_function && index == 0) {
        gen_mark(g, CELL_FUNCTION_START);
        gen_mark(g, CELL_CONTENT + CONTENT_FUNCTIONS);
        block.function_start = gen_text(g, "f_%s", plan->set.name);
        hoist_buffer_format(&g->functions[plan->engine],
                            "PSEUDO_FUNCTION_BEGIN f_%s reset_semaphores=0 "
                            "return=$R[10],$R[11];\n",
                            plan->set.name);
        hoist_buffer_format(&g->code[plan->engine], "PSEUDO_FUNCTION_CALL f_%s args_table=0;\n",
                            plan->set.name);
    }
    block.desc_count = 1 + gen_draw(g, CELL_DESC_COUNT, 5);
    if (gen_chance(g, 15)) {
        gen_mark(g, CELL_DESC_OBJECT);
        block.desc_count = 1;
        block.desc_is_object = true;
    }
    block.desc = gen_descs(g, from, to, block.desc_count);
    add_block(g, plan, &block);
    if (gen_draw_first(g, CELL_ID_OWN, 2, 80)) {
        block.desc = gen_again(g, block.desc, block.desc_count, to, new_variable(g, "again"));
        block.function_start = NULL;
        block.instance_name = NULL;
        block.section_start_desc = false;
        block.has_event = block.has_semaphore = false;
        block.remote_semaphores.count = 0;
        add_block(g, plan, &block);
    }
}

// A pinned set fills the state buffer before the program starts.
static void add_pinned(neff_gen *g)
{
    const bool gen1 = g->generation == 1;
    const hoist_neff_queue_set set = {.struct_size = sizeof(set),
                                      .name = "q_pinned",
                                      .type = "data",
                                      .owner = "act",
                                      .pinned = true};
    const hoist_neff_desc *const desc = gen_copy(g, "in0", "sb", 0x1000, 16);
    const hoist_neff_block block = {.struct_size = sizeof(block),
                                    .id = 500,
                                    .queue = "q_pinned",
                                    .desc = desc,
                                    .desc_count = 1};
    gen_mark(g, gen1 ? CELL_PINNED_GEN1 : CELL_PINNED_GEN2);
    gen_do(hoist_neff_add_queue_set(g->neff, g->subgraph, &set));
    gen_do(hoist_neff_add_block(g->neff, g->subgraph, HOIST_NEFF_ACT, &block));
}

// Writes the outputs: all, or of two cores the half of each.
static void add_outputs(neff_gen *g)
{
    enum { HALF = 16 };
    const bool halves = g->subgraphs == 2;
    const hoist_neff_engine engine = (hoist_neff_engine)gen_pick(g, HOIST_NEFF_ENGINE_COUNT);
    hoist_buffer *const code = &g->code[engine];
    const hoist_neff_queue_set set = {.struct_size = sizeof(set),
                                      .name = "q_out",
                                      .type = "out",
                                      .owner = engines[engine],
                                      .has_semaphore = true,
                                      .semaphore = g->semaphore++};
    if (halves) {
        gen_mark(g, CELL_HALVES);
        gen_mark(g, CELL_CONTENT + CONTENT_LNC);
    }
    gen_do(hoist_neff_add_queue_set(g->neff, g->subgraph, &set));
    for (int64_t i = 0; i < g->outputs; i++) {
        const char *const to = gen_text(g, "out%lld", (long long)i);
        const hoist_neff_desc *const desc =
            gen_copy(g, "in0", to, (int64_t)g->subgraph * HALF, HALF);
        const hoist_neff_block block = {.struct_size = sizeof(block),
                                        .id = 600 + i,
                                        .queue = "q_out",
                                        .desc = desc,
                                        .desc_count = 1};
        gen_do(hoist_neff_add_block(g->neff, g->subgraph, engine, &block));
        hoist_buffer_format(code, "PSEUDO_DMA_TRIGGER q_out block_id=%lld;\n", 600 + (long long)i);
    }
    if (g->generation != 1) {
        hoist_buffer_format(code, "EVENT_SEMAPHORE $S[%lld]>=%lld;\n", (long long)set.semaphore,
                            (long long)g->outputs);
    }
}

void gen_queue_sets(neff_gen *g)
{
    const size_t counts[] = {2, 100, 1000};
    const size_t drawn = 1 + gen_pick(g, 3) + (g->size ? counts[g->size] : 0);
    const size_t count = gen_is_plain(g) ? 0 : drawn;
    for (size_t i = 0; i < count && i < 20; i++) {
        queue_plan plan = draw_queue(g, i);
        gen_do(hoist_neff_add_queue_set(g->neff, g->subgraph, &plan.set));
        // The larger sizes have more blocks, not more rings.
        const size_t blocks = plan.block_count * (g->size ? count / 20 : 1);
        size_t added = 0;
        while (added < blocks && !gen_is_full(g)) {
            add_drawn_block(g, &plan, added++);
        }
        if (plan.in_function && added) {
            hoist_buffer_c(&g->functions[plan.engine], "PSEUDO_FUNCTION_RETURN;\n");
        }
    }
    if (gen_chance(g, 20) && !gen_is_plain(g)) {
        add_pinned(g);
    }
    add_outputs(g);
}
