// The default plan of a model: each operator a task of its own, cut into tiles, on as many
// processors as it has tiles (ark reference sections 9.2 and 9.4). In: a model without errors, a
// number of processors, an architecture. Out: the text of the plan, as ARK's planner writes it.
//
// ARK refuses a Matmul that the default tile does not divide; here each extent of the tile is
// halved until it does.
#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/ark/ark.h"
#include "formats/ark/graph.h"
#include "formats/ark/rules.h"

static const hoist_pos made = {1, 1}; // of values that are in no file

// What an architecture chooses.
typedef struct ark_arch {
    const char *name;
    const char *packet;
    int64_t k[2]; // of a tile: float32, 16-bit floats
    int64_t matmul_warps;
    int64_t matmul_sram[2]; // bytes: of bfloat16, of others
} ark_arch;

// "none": the configurations of CUDA_80, and a plan without the key.
static const ark_arch archs[] = {
    {"none", "mscclpp::LL16Packet", {32, 64}, 8, {147456, 147456}},
    {"CUDA_80", "mscclpp::LL16Packet", {32, 64}, 8, {147456, 147456}},
    {"ROCM_942", "mscclpp::LL8Packet", {16, 32}, 4, {24624, 24672}},
};

// Kinds of configurations. By the table of section 9.2.
typedef enum config_kind {
    CONFIG_TILES = 0, // a tile of 64 elements along the longer of the last two dimensions
    CONFIG_SQUARES,   // 8 by 8
    CONFIG_MATMUL,
    CONFIG_REDUCE,
    CONFIG_ROWS, // a task for each row of the result
    CONFIG_NOTHING,
    CONFIG_SEND,
    CONFIG_RECV,
    CONFIG_CHANNEL, // others of a channel
    CONFIG_SEND_PACKET,
    CONFIG_PACKET,
    CONFIG_REDUCE_SEND,
    CONFIG_COUNT,
} config_kind;

// Types that are not listed have CONFIG_TILES.
static const uint8_t kind_of[ARK_OP_TYPE_COUNT] = {
    [ARK_TRANSPOSE] = CONFIG_SQUARES,
    [ARK_MATMUL] = CONFIG_MATMUL,
    [ARK_REDUCE_MAX] = CONFIG_REDUCE,
    [ARK_REDUCE_MEAN] = CONFIG_REDUCE,
    [ARK_REDUCE_SUM] = CONFIG_REDUCE,
    [ARK_EMBEDDING] = CONFIG_ROWS,
    [ARK_NOOP] = CONFIG_NOTHING,
    [ARK_SEND] = CONFIG_SEND,
    [ARK_RECV] = CONFIG_RECV,
    [ARK_SEND_DONE] = CONFIG_CHANNEL,
    [ARK_DEVICE_SYNC] = CONFIG_CHANNEL,
    [ARK_SEND_PACKET] = CONFIG_SEND_PACKET,
    [ARK_RECV_PACKET] = CONFIG_PACKET,
    [ARK_RECV_REDUCE_SEND_PACKET] = CONFIG_PACKET,
    [ARK_RECV_REDUCE_SEND] = CONFIG_REDUCE_SEND,
};

// The keys in ARK's order, and the tile; 0: it follows from the result.
static const struct {
    const char *keys;
    int64_t tile[2];
} kinds[CONFIG_COUNT] = {
    [CONFIG_TILES] = {"NumWarps SramBytes Tile NumTasks", {0, 0}},
    [CONFIG_SQUARES] = {"NumWarps SramBytes Tile NumTasks", {8, 8}},
    [CONFIG_MATMUL] = {"NumWarps SramBytes TileShapeMNK NumTasks", {0, 0}},
    [CONFIG_REDUCE] = {"NumWarps ImplType SramBytes NumTasks", {0, 0}},
    [CONFIG_ROWS] = {"NumWarps SramBytes NumTasks", {0, 0}},
    [CONFIG_NOTHING] = {"NumWarps SramBytes NumTasks", {0, 0}},
    [CONFIG_SEND] = {"ChannelType Signal NumTasks NumWarps SramBytes", {0, 0}},
    [CONFIG_RECV] = {"ChannelType NumTasks NumWarps SramBytes Wait", {0, 0}},
    [CONFIG_CHANNEL] = {"ChannelType NumTasks NumWarps SramBytes", {0, 0}},
    [CONFIG_SEND_PACKET] = {"PacketType NumWarps SramBytes Tile NumTasks", {1, 512}},
    [CONFIG_PACKET] = {"PacketType NumWarps SramBytes Tile NumTasks", {1, 128}},
    [CONFIG_REDUCE_SEND] = {"NumWarps SramBytes Tile NumTasks", {1, 128}},
};

typedef struct planner {
    const ark_arch *arch;
    int64_t processors; // at most, then: that are used
    int64_t warps;
    hoist_arena arena;
    hoist_status status; // HOIST_OK until memory runs out or a count has more than 32 bits
} planner;

// NULL when memory runs out: lists are empty then, and the plan fails at its end.
static void *array_of(planner *p, size_t count, size_t size)
{
    void *const items = hoist_arena_array(&p->arena, count, size);
    p->status = items ? p->status : HOIST_NO_MEMORY;
    return items;
}

// Its location is `made`, since line 0 would mean that the key is absent.
static hoist_rec_int integer(int64_t value)
{
    return (hoist_rec_int){value, made};
}

static hoist_rec_ints list_of(planner *p, const int64_t *values, size_t count)
{
    hoist_rec_int *const items = array_of(p, count, sizeof(*items));
    for (size_t i = 0; items && i < count; i++) {
        items[i] = integer(values[i]);
    }
    return (hoist_rec_ints){.items = items, .count = items ? count : 0, .pos = made};
}

// [0, end]: everything from 0 on.
static hoist_rec_ints range_of(planner *p, int64_t end)
{
    return list_of(p, (int64_t[]){0, end}, 2);
}

// The rows of a configuration's keys, which are separated by blanks. The writer goes by this
// order, and leaves out other keys.
static const hoist_rec_order *order_of(planner *p, const char *keys)
{
    hoist_rec_order *const order = array_of(p, 1, sizeof(*order) + (size_t)ark_config_table.count);
    while (order && *keys) {
        const hoist_str key = {keys, strcspn(keys, " ")};
        order->rows[order->count++] = (uint8_t)hoist_rec_find(&ark_config_table, key, 0);
        keys += key.size + (keys[key.size] ? 1 : 0);
    }
    return order;
}

// Tasks ------------------------------------------------------------------------------------------

// The extents of a tensor in four dimensions. Missing ones are 1, before the first.
static void four_dims(const hoist_rec_ints *shape, int64_t out[ARK_MAX_RANK])
{
    for (size_t i = 0; i < ARK_MAX_RANK; i++) {
        const size_t back = ARK_MAX_RANK - 1 - i;
        out[i] = back < shape->count ? shape->items[shape->count - 1 - back].value : 1;
    }
}

// The product of counts, each 0 or more. A count beyond 32 bits is HOIST_LIMIT: ARK's own numbers
// have no more.
static int64_t product_of(planner *p, const int64_t *counts, size_t count)
{
    uint64_t total = 1;
    for (size_t i = 0; i < count; i++) {
        if (hoist_ckd_mul(&total, total, (uint64_t)counts[i]) || total > INT32_MAX) {
            p->status = p->status == HOIST_OK ? HOIST_LIMIT : p->status;
            return 0;
        }
    }
    return (int64_t)total;
}

static int64_t divided_up(int64_t value, int64_t by)
{
    return value / by + (value % by ? 1 : 0);
}

// Tiles cover the last two dimensions; each index of the others has tiles of its own. For example,
// [512,4096] has tiles of 1 by 64, which are 512 * 64 tasks.
static void set_tile(planner *p, const int64_t dims[ARK_MAX_RANK], const int64_t tile[2],
                     ark_config *out)
{
    const int64_t counts[] = {dims[0], dims[1], divided_up(dims[2], tile[0]),
                              divided_up(dims[3], tile[1])};
    out->tile = list_of(p, tile, 2);
    out->num_tasks = integer(product_of(p, counts, HOIST_COUNT_OF(counts)));
}

// `extent`, halved until it divides `whole`. 1 divides everything, so it ends.
static int64_t dividing(int64_t extent, int64_t whole)
{
    while (whole % extent) {
        extent /= 2;
    }
    return extent;
}

// All extents are padded ones; the inner one is of the input, the others are of the result. For
// example, 512 by 11008 has tiles of 128 by 256, which are 4 * 43 tasks.
static void set_matmul(planner *p, const ark_op *op, ark_config *out)
{
    const ark_tensor *const y = &op->results.items[0];
    const ark_arg *const arg = ark_find_arg(op, "TransposeInput", ARK_ARG_BOOL);
    int64_t padded[ARK_MAX_RANK];
    int64_t a[ARK_MAX_RANK];
    four_dims(&y->padded, padded);
    four_dims(&op->reads.items[0].padded, a);
    const int64_t m = padded[2];
    const int64_t n = padded[3];
    const int64_t k = a[arg && arg->boolean.value ? 2 : 3];
    const bool is_float = y->dtype.value == ARK_FP32;
    const bool is_tall = m > n;
    const int64_t tile[] = {dividing(is_tall ? 256 : 128, m), dividing(is_tall ? 128 : 256, n),
                            dividing(p->arch->k[is_float ? 0 : 1], k)};
    const int64_t counts[] = {padded[0], padded[1], m / tile[0], n / tile[1]};
    out->num_warps = integer(p->arch->matmul_warps);
    out->sram_bytes = integer(p->arch->matmul_sram[y->dtype.value == ARK_BF16 ? 0 : 1]);
    out->tile_mnk = list_of(p, tile, HOIST_COUNT_OF(tile));
    out->num_tasks = integer(product_of(p, counts, HOIST_COUNT_OF(counts)));
}

// WarpWise along the last axis, else ElementWise; a task for each element of the result.
static void set_reduce(planner *p, const ark_op *op, const int64_t dims[ARK_MAX_RANK],
                       ark_config *out)
{
    const ark_arg *const axis = ark_find_arg(op, "Axis", ARK_ARG_INT);
    const int64_t rank = (int64_t)op->reads.items[0].shape.count;
    const bool is_last = axis && (axis->integer.value + 1 == rank || axis->integer.value == -1);
    out->impl = (hoist_rec_str){is_last ? HOIST_STR("WarpWise") : HOIST_STR("ElementWise"), made};
    out->sram_bytes = integer(is_last ? 256 : 0);
    out->num_tasks = integer(product_of(p, dims, ARK_MAX_RANK));
}

// Every configuration has all values; `order` decides which keys are written.
static ark_config config_of(planner *p, const ark_op *op)
{
    const config_kind kind = (config_kind)kind_of[op->type.value];
    ark_config config = {.pos = made,
                         .num_warps = integer(1),
                         .sram_bytes = integer(0),
                         .num_tasks = integer(1),
                         .channel = {HOIST_STR("Proxy"), made},
                         .packet = {hoist_str_from(p->arch->packet), made},
                         .signal = {true, made},
                         .wait = {true, made},
                         .order = order_of(p, kinds[kind].keys)};
    int64_t dims[ARK_MAX_RANK] = {1, 1, 1, 1};
    if (op->results.count) {
        four_dims(&op->results.items[0].shape, dims);
    }
    const int64_t along[2] = {dims[2] > dims[3] ? 64 : 1, dims[2] > dims[3] ? 1 : 64};
    switch (kind) {
    case CONFIG_TILES:
        set_tile(p, dims, along, &config);
        break;
    case CONFIG_MATMUL:
        set_matmul(p, op, &config);
        break;
    case CONFIG_REDUCE:
        set_reduce(p, op, dims, &config);
        break;
    case CONFIG_ROWS:
        config.num_tasks = integer(product_of(p, dims, ARK_MAX_RANK - 1));
        break;
    case CONFIG_NOTHING:
        config.num_tasks = integer(0);
        break;
    case CONFIG_SQUARES:
    case CONFIG_SEND_PACKET:
    case CONFIG_PACKET:
    case CONFIG_REDUCE_SEND:
        set_tile(p, dims, kinds[kind].tile, &config);
        break;
    case CONFIG_SEND:
    case CONFIG_RECV:
    case CONFIG_CHANNEL:
    case CONFIG_COUNT:
        break;
    }
    return config;
}

// The plan ---------------------------------------------------------------------------------------

// One group that executes all tasks of task `index`. Processors are those from 0 on, and no more
// than tasks.
static ark_processor_group group_of(planner *p, const ark_config *config, size_t index)
{
    const int64_t tasks = config->num_tasks.value;
    const int64_t used = tasks < p->processors ? tasks : p->processors;
    ark_task_group *const tasks_of = array_of(p, 1, sizeof(*tasks_of));
    ark_resource_group *const resources = array_of(p, 1, sizeof(*resources));
    if (!tasks_of || !resources) {
        return (ark_processor_group){.pos = made};
    }
    *tasks_of = (ark_task_group){.pos = made,
                                 .task = integer((int64_t)index),
                                 .range = range_of(p, tasks),
                                 .granularity = integer(1)};
    *resources = (ark_resource_group){.pos = made,
                                      .processors = range_of(p, used),
                                      .warps = range_of(p, config->num_warps.value),
                                      .sram = range_of(p, config->sram_bytes.value),
                                      .groups = {tasks_of, 1},
                                      .present = UINT64_MAX};
    return (ark_processor_group){.pos = made,
                                 .processors = range_of(p, used),
                                 .groups = {resources, 1},
                                 .present = UINT64_MAX};
}

// Of all nodes; virtual ones, too.
static size_t count_ops(const ark_module *model)
{
    size_t count = 0;
    for (size_t i = 0; i < model->nodes.count; i++) {
        count += model->nodes.items[i].ops.count;
    }
    return count;
}

// Tasks and groups of all operators that compute something. Groups are in the order of the model,
// which is its order of execution.
static void plan_ops(planner *p, const ark_module *model, ark_module *plan)
{
    const size_t most = count_ops(model);
    ark_task *const tasks = array_of(p, most, sizeof(*tasks));
    ark_op *const ops = array_of(p, most, sizeof(*ops));
    ark_processor_group *const groups = array_of(p, most, sizeof(*groups));
    size_t count = 0;
    int64_t used = 0;
    for (size_t i = 0; tasks && ops && groups && i < model->nodes.count; i++) {
        const ark_ops *const list = &model->nodes.items[i].ops;
        for (size_t k = 0; k < list->count && p->status == HOIST_OK; k++) {
            if (list->items[k].is_virtual.value) {
                continue;
            }
            ops[count] = list->items[k];
            const ark_config config = config_of(p, &ops[count]);
            ops[count].config = config;
            ops[count].order = NULL;
            tasks[count] = (ark_task){.pos = made,
                                      .id = integer((int64_t)count),
                                      .num_warps = config.num_warps,
                                      .sram_bytes = config.sram_bytes,
                                      .ops = {&ops[count], 1},
                                      .present = UINT64_MAX};
            groups[count] = group_of(p, &config, count);
            const int64_t tasks_of = config.num_tasks.value;
            const int64_t processors = tasks_of < p->processors ? tasks_of : p->processors;
            used = processors > used ? processors : used;
            p->warps = config.num_warps.value > p->warps ? config.num_warps.value : p->warps;
            count++;
        }
    }
    plan->tasks.items = tasks;
    plan->tasks.count = count;
    plan->groups.items = groups;
    plan->groups.count = count;
    p->processors = used;
}

static const ark_arch *find_arch(const char *name)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(archs); i++) {
        if (strcmp(archs[i].name, name) == 0) {
            return &archs[i];
        }
    }
    return NULL;
}

// The text goes to `out`; findings are those of the options and the model.
hoist_status ark_plan(const hoist_module *base, const hoist_plan_options *options, hoist_diag *diag,
                      hoist_buffer *out)
{
    const ark_module *const model = ark_module_of(base);
    planner p = {.arch = find_arch(options->arch ? options->arch : "CUDA_80"),
                 .processors = options->processors ? options->processors : 108,
                 .warps = 1};
    if (!p.arch) {
        ark_report(diag, ARK_P16, model->pos,
                   "no default plan is known for the architecture '%s'; there are CUDA_80, "
                   "ROCM_942 and none",
                   options->arch);
        return HOIST_NOT_FOUND;
    }
    if (model->is_plan) {
        ark_report(diag, ARK_P01a, model->pos, "the file is a plan already, expected a model");
        return HOIST_UNSUPPORTED;
    }
    ark_module from;
    hoist_arena_init(&p.arena, base->alloc);
    // Tensors are spelled as today, whatever dialect the model has.
    hoist_status status = ark_in_dialect(model, ARK_D3, &p.arena, &from);
    if (status == HOIST_OK) {
        ark_module plan = {.base = *base,
                           .dialect = ARK_D3,
                           .is_plan = true,
                           .rank = model->rank,
                           .world_size = model->world_size,
                           .present = UINT64_MAX};
        plan_ops(&p, &from, &plan);
        if (strcmp(p.arch->name, "none") != 0) {
            plan.architecture = (hoist_rec_str){hoist_str_from(p.arch->name), made};
        }
        plan.processors = integer(p.processors);
        plan.warps = integer(p.warps);
        status = p.status == HOIST_OK ? ark_write(&plan.base, out) : p.status;
        if (p.status == HOIST_LIMIT) {
            ark_report(diag, ARK_P03, model->pos,
                       "an operator has 2147483648 tasks or more, expected less");
        }
    }
    hoist_arena_deinit(&p.arena);
    return status;
}
