// Builds the net: copies for lists of devices, names to indices, links between queues and ops.
// buda-netlist reference sections 1.4, 1.9. Sizes are net_size.c, temporal epochs net_epoch.c.
// In: a module and an architecture. Out: buda_net (net.h), on which check.c, info.c and
// lower/buda/lower.c stand. The steps, each one pass over the file: count the copies, allocate,
// name them, link inputs to sources, invert the links.
#include "formats/buda/net.h"

#include <inttypes.h>

#include "base/assert.h"
#include "base/buffer.h"
#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/net_internal.h"

enum {
    // A hostile list of devices is short in the file and long in the net: 1,000 devices times
    // 1,000 ops. Beyond this the build ends with HOIST_LIMIT before anything is allocated.
    MAX_COPIES = 1000000, // objects that lists of devices may add
    NAME_UNIT = 64,       // bytes of a name that count as one object
};

// State of one build; freed with it.
typedef struct net_builder {
    buda_net *net;
    hoist_buffer name;  // scratch: a name with its suffix
    size_t input_count; // of all ops, copies included
} net_builder;

// Number of devices that an object is on: the items of a list, or one.
static size_t copy_count(const buda_ints *devices)
{
    return devices->scalar || devices->count == 0 ? 1 : devices->count;
}

// True for the list form, even of one device: `[0]` gives names with ".0", a plain `0` does not.
static bool has_suffix(const buda_ints *devices)
{
    return !devices->scalar && devices->count > 0;
}

// A key that the file lacks is device 0; the reader has reported it.
static int64_t device_at(const buda_ints *devices, size_t copy)
{
    HOIST_ASSERT(copy < copy_count(devices));
    return devices->count > 0 ? devices->items[copy].value : 0;
}

// Counting --------------------------------------------------------------------------------------

// Adds what the copies of an object after the first cost.
// Only copies after the first count: what the file spells out is bounded by its own size.
static hoist_status add_copies(buda_net *net, uint64_t *total, size_t copies, uint64_t cost)
{
    HOIST_ASSERT(copies > 0);
    uint64_t more = 0;
    if (hoist_ckd_mul(&more, copies - 1, cost) || hoist_ckd_add(total, *total, more) ||
        *total > MAX_COPIES) {
        net->limit = (buda_limit){"the objects that lists of devices add", MAX_COPIES};
        return HOIST_LIMIT;
    }
    return HOIST_OK;
}

// Objects in a copy of `op`: itself, its inputs, and long names by their bytes.
static uint64_t op_cost(const buda_op *op)
{
    uint64_t cost = 1 + op->inputs.count + op->name.text.size / NAME_UNIT;
    for (size_t i = 0; i < op->inputs.count; i++) {
        cost += op->inputs.items[i].text.size / NAME_UNIT;
    }
    return cost;
}

// The places are counted because memory_map.c makes a range of each, for each copy.
static hoist_status count_queues(buda_net *net, uint64_t *total)
{
    for (size_t i = 0; i < net->module->queue_count; i++) {
        const buda_queue *queue = &net->module->queues[i];
        const size_t copies = copy_count(&queue->target_device);
        const uint64_t names = queue->name.text.size + queue->input.text.size;
        const uint64_t places = queue->dram.count + queue->host.count;
        HOIST_TRY(add_copies(net, total, copies, 1 + places + names / NAME_UNIT));
        net->queue_count += copies;
    }
    return HOIST_OK;
}

// One pass over the ops gives the cost of a copy and the sizes of both arrays. Products of
// `copies` fit: the cost of a copy is at least its ops plus its inputs, and add_copies() has
// bounded their total.
static hoist_status count_graphs(net_builder *b, uint64_t *total)
{
    buda_net *net = b->net;
    for (size_t i = 0; i < net->module->graph_count; i++) {
        const buda_graph *graph = &net->module->graphs[i];
        const size_t copies = copy_count(&graph->target_device);
        uint64_t cost = 1 + graph->name.text.size / NAME_UNIT;
        size_t inputs = 0;
        for (size_t k = 0; k < graph->op_count; k++) {
            cost += op_cost(&graph->ops[k]);
            inputs += graph->ops[k].inputs.count;
        }
        HOIST_TRY(add_copies(net, total, copies, cost));
        net->graph_count += copies;
        net->op_count += copies * graph->op_count;
        b->input_count += copies * inputs;
    }
    return HOIST_OK;
}

// Counts first, so that each table is one array: indices stay valid and pointers into it do not
// move.
static hoist_status allocate(net_builder *b)
{
    buda_net *net = b->net;
    uint64_t total = 0;
    HOIST_TRY(count_queues(net, &total));
    HOIST_TRY(count_graphs(b, &total));
    net->queues = hoist_arena_array(&net->arena, net->queue_count, sizeof(net->queues[0]));
    net->graphs = hoist_arena_array(&net->arena, net->graph_count, sizeof(net->graphs[0]));
    net->ops = hoist_arena_array(&net->arena, net->op_count, sizeof(net->ops[0]));
    return net->queues && net->graphs && net->ops ? HOIST_OK : HOIST_NO_MEMORY;
}

// Copies and their names ------------------------------------------------------------------------

// An empty name has data, too, so that {NULL, 0} can only mean that memory ran out.
// `name` itself, or `name.device` in the arena; {NULL, 0} when out of memory.
static hoist_str copy_name(net_builder *b, hoist_str name, bool suffix, int64_t device)
{
    if (!suffix) {
        return name.data ? name : HOIST_STR("");
    }
    b->name.size = 0;
    hoist_buffer_str(&b->name, name);
    hoist_buffer_format(&b->name, ".%" PRId64, device);
    return b->name.failed ? (hoist_str){NULL, 0}
                          : hoist_arena_str(&b->net->arena, hoist_buffer_text(&b->name));
}

// Adds a name; the first of duplicates holds (check_structure.c reports the others).
static hoist_status add_name(hoist_map *map, hoist_str name, size_t index)
{
    if (!name.data && name.size == 0) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status = hoist_map_add(map, name, index, NULL);
    return status == HOIST_BUSY ? HOIST_OK : status;
}

// What the vendor's parser takes as fed from outside: queues between netlists ("net2net") have a
// producer in another file.
static bool is_host_fed(const buda_queue *queue)
{
    return hoist_str_equal_c(queue->input.text, "HOST") ||
           hoist_str_contains(queue->input.text, "net2net");
}

// `*next` is the index in net->queues of the next copy, and is advanced past all of this queue's.
static hoist_status expand_queue(net_builder *b, const buda_queue *queue, size_t *next)
{
    const buda_ints *devices = &queue->target_device;
    const bool on_host = buda_has(queue->loc.pos) && queue->loc.value == BUDA_LOC_HOST;
    for (size_t i = 0; i < copy_count(devices); i++) {
        const int64_t device = device_at(devices, i);
        buda_net_queue *copy = &b->net->queues[*next];
        HOIST_ASSERT(*next < b->net->queue_count);
        *copy = (buda_net_queue){
            .queue = queue,
            .name = copy_name(b, queue->name.text, has_suffix(devices), device),
            // Host memory belongs to the first device, which has MMIO.
            .device = on_host ? device_at(devices, 0) : device,
            .producer = BUDA_NO_INDEX,
            .host_fed = is_host_fed(queue),
        };
        HOIST_TRY(add_name(&b->net->queue_names, copy->name, *next));
        ++*next;
    }
    return HOIST_OK;
}

// One op for one copy of its graph, which has the device.
static hoist_status expand_op(net_builder *b, const buda_op *op, size_t graph, size_t *next)
{
    buda_net *net = b->net;
    const buda_ints *devices = &net->graphs[graph].graph->target_device;
    buda_net_op *copy = &net->ops[*next];
    HOIST_ASSERT(*next < net->op_count);
    *copy = (buda_net_op){
        .op = op,
        .name = copy_name(b, op->name.text, has_suffix(devices), net->graphs[graph].device),
        .graph = graph,
    };
    HOIST_TRY(add_name(&net->op_names, copy->name, *next));
    ++*next;
    return HOIST_OK;
}

// The copies of a graph follow each other (buda_net_graph_is_first), each with its ops in one run.
static hoist_status expand_graph(net_builder *b, const buda_graph *graph, size_t *next,
                                 size_t *next_op)
{
    buda_net *net = b->net;
    const buda_ints *devices = &graph->target_device;
    for (size_t i = 0; i < copy_count(devices); i++) {
        const int64_t device = device_at(devices, i);
        buda_net_graph *copy = &net->graphs[*next];
        HOIST_ASSERT(*next < net->graph_count);
        *copy = (buda_net_graph){
            .graph = graph,
            .name = copy_name(b, graph->name.text, has_suffix(devices), device),
            .device = device,
            .first_op = *next_op,
            .op_count = graph->op_count,
        };
        HOIST_TRY(add_name(&net->graph_names, copy->name, *next));
        for (size_t k = 0; k < graph->op_count; k++) {
            HOIST_TRY(expand_op(b, &graph->ops[k], *next, next_op));
        }
        ++*next;
    }
    return HOIST_OK;
}

// In the order of the file, so that all indices of the net ascend with locations in it.
static hoist_status expand(net_builder *b)
{
    const hoist_buda_module *module = b->net->module;
    size_t queue = 0;
    size_t graph = 0;
    size_t op = 0;
    for (size_t i = 0; i < module->queue_count; i++) {
        HOIST_TRY(expand_queue(b, &module->queues[i], &queue));
    }
    for (size_t i = 0; i < module->graph_count; i++) {
        HOIST_TRY(expand_graph(b, &module->graphs[i], &graph, &op));
    }
    return HOIST_OK;
}

// Links -----------------------------------------------------------------------------------------

// `name.device` in the scratch buffer; empty when out of memory (the buffer stays failed).
static hoist_str scratch_name(net_builder *b, hoist_str name, int64_t device)
{
    b->name.size = 0;
    hoist_buffer_str(&b->name, name);
    hoist_buffer_format(&b->name, ".%" PRId64, device);
    return b->name.failed ? (hoist_str){NULL, 0} : hoist_buffer_text(&b->name);
}

// The source of an input: a queue, else an op. Lookups of the vendor try queues first; rule 20a
// reports a shared name.
static buda_source find_source(const buda_net *net, hoist_str name)
{
    buda_source source = {BUDA_SOURCE_QUEUE, 0};
    if (hoist_map_find(&net->queue_names, name, &source.index)) {
        return source;
    }
    source.kind =
        hoist_map_find(&net->op_names, name, &source.index) ? BUDA_SOURCE_OP : BUDA_SOURCE_NONE;
    return source;
}

// The inputs of a copied op carry its suffix. Any other op may also name the copies of a queue
// without suffix; then it reads the one on its own device.
static buda_source op_source(net_builder *b, const buda_net_op *op, hoist_str name)
{
    HOIST_ASSERT(op->graph < b->net->graph_count);
    const buda_net_graph *graph = &b->net->graphs[op->graph];
    buda_source source = {BUDA_SOURCE_NONE, 0};
    if (!has_suffix(&graph->graph->target_device)) {
        source = find_source(b->net, name);
    }
    return source.kind == BUDA_SOURCE_NONE
               ? find_source(b->net, scratch_name(b, name, graph->device))
               : source;
}

// All ops share one array of sources; each has a slice of it, in the order of its `inputs`.
static hoist_status link_op_inputs(net_builder *b)
{
    buda_net *net = b->net;
    buda_source *inputs = hoist_arena_array(&net->arena, b->input_count, sizeof(inputs[0]));
    HOIST_TRY_MEMORY(inputs);
    for (size_t i = 0; i < net->op_count; i++) {
        buda_net_op *op = &net->ops[i];
        op->inputs = inputs;
        HOIST_ASSERT(op->op->inputs.count <= b->input_count);
        inputs += op->op->inputs.count;
        // Names that nothing has give BUDA_SOURCE_NONE and rule 11, not a failure here.
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            op->inputs[k] = op_source(b, op, op->op->inputs.items[k].text);
        }
    }
    return b->name.failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// The producer's name of a copied queue carries the queue's suffix. The name as written is taken
// too, and the name without a written suffix of the queue's own device.
static size_t queue_producer(net_builder *b, const buda_queue *queue, int64_t device)
{
    const hoist_map *ops = &b->net->op_names;
    const hoist_str input = queue->input.text;
    size_t index = 0;
    if ((has_suffix(&queue->target_device) &&
         hoist_map_find(ops, scratch_name(b, input, device), &index)) ||
        hoist_map_find(ops, input, &index)) {
        return index;
    }
    // "q.1" written as the input of a queue on device 1 means the op "q": the vendor cuts the
    // suffix ".1" off.
    const hoist_str suffix = scratch_name(b, HOIST_STR(""), device);
    if (input.size > suffix.size &&
        hoist_str_equal(hoist_str_slice(input, input.size - suffix.size, suffix.size), suffix) &&
        hoist_map_find(ops, hoist_str_slice(input, 0, input.size - suffix.size), &index)) {
        return index;
    }
    return BUDA_NO_INDEX;
}

// Links the copies of one queue, which begin at `first`, to their producers; returns how many
// copies there are.
static size_t link_copies(net_builder *b, size_t first)
{
    HOIST_ASSERT(first + copy_count(&b->net->queues[first].queue->target_device) <=
                 b->net->queue_count);
    buda_net *net = b->net;
    const buda_queue *queue = net->queues[first].queue;
    const size_t count = copy_count(&queue->target_device);
    for (size_t i = 0; i < count; i++) {
        buda_net_queue *copy = &net->queues[first + i];
        // A host-fed queue may be named like an op; it has no producer all the same.
        if (!copy->host_fed) {
            copy->producer = queue_producer(b, queue, device_at(&queue->target_device, i));
        }
        if (copy->producer != BUDA_NO_INDEX) {
            // Counted for place_lists(); the indices are filled in when all counts are known.
            net->ops[copy->producer].out_queue_count++;
        }
    }
    return count;
}

static hoist_status link_queues(net_builder *b)
{
    for (size_t i = 0; i < b->net->queue_count;) {
        i += link_copies(b, i);
    }
    return b->name.failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// The first half of inverting op->inputs: how many entries each list of readers needs.
static void count_readers(buda_net *net)
{
    for (size_t i = 0; i < net->op_count; i++) {
        const buda_net_op *op = &net->ops[i];
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            const buda_source source = op->inputs[k];
            if (source.kind == BUDA_SOURCE_QUEUE) {
                net->queues[source.index].consumer_count++;
            } else if (source.kind == BUDA_SOURCE_OP) {
                net->ops[source.index].out_op_count++;
            }
        }
    }
}

// Gives every list its slice of one block (a counting sort by source); sets counts back to 0 for
// filling.
static hoist_status place_lists(net_builder *b)
{
    buda_net *net = b->net;
    // Each queue has at most one producer, each input at most one source: more entries cannot
    // occur.
    const size_t total = net->queue_count + b->input_count;
    size_t *block = hoist_arena_array(&net->arena, total, sizeof(block[0]));
    HOIST_TRY_MEMORY(block);
    for (size_t i = 0; i < net->queue_count; i++) {
        net->queues[i].consumers = block;
        block += net->queues[i].consumer_count;
        net->queues[i].consumer_count = 0;
    }
    for (size_t i = 0; i < net->op_count; i++) {
        buda_net_op *op = &net->ops[i];
        op->out_queues = block;
        block += op->out_queue_count;
        op->out_ops = block;
        block += op->out_op_count;
        op->out_queue_count = 0;
        op->out_op_count = 0;
    }
    return HOIST_OK;
}

// The second half: counts serve as fill positions and end where they were. Ascending order of op
// makes the lists ascending.
static void fill_lists(buda_net *net)
{
    for (size_t i = 0; i < net->queue_count; i++) {
        if (net->queues[i].producer != BUDA_NO_INDEX) {
            buda_net_op *op = &net->ops[net->queues[i].producer];
            HOIST_ASSERT(net->queues[i].producer < net->op_count);
            op->out_queues[op->out_queue_count++] = i;
        }
    }
    for (size_t i = 0; i < net->op_count; i++) {
        const buda_net_op *op = &net->ops[i];
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            const buda_source source = op->inputs[k];
            if (source.kind == BUDA_SOURCE_QUEUE) {
                buda_net_queue *queue = &net->queues[source.index];
                queue->consumers[queue->consumer_count++] = i;
            } else if (source.kind == BUDA_SOURCE_OP) {
                buda_net_op *producer = &net->ops[source.index];
                producer->out_ops[producer->out_op_count++] = i;
            }
        }
    }
}

// Inputs before queues before lists: each step counts what the next one places.
static hoist_status link_all(net_builder *b)
{
    HOIST_TRY(link_op_inputs(b));
    HOIST_TRY(link_queues(b));
    count_readers(b->net);
    HOIST_TRY(place_lists(b));
    fill_lists(b->net);
    return HOIST_OK;
}

// Copies of a queue on the host share one address in the file; section 1.9 moves the later ones
// up.
static void shift_host_copies(buda_net *net)
{
    for (size_t i = 0; i < net->queue_count;) {
        const size_t count = copy_count(&net->queues[i].queue->target_device);
        buda_net_host_shifts(net, i, count);
        i += count;
    }
}

// Sizes need producers (untilized output), shifts need sizes, epochs need the sources of inputs.
static hoist_status build(net_builder *b)
{
    HOIST_TRY(allocate(b));
    HOIST_TRY(expand(b));
    HOIST_TRY(link_all(b));
    buda_net_sizes(b->net);
    shift_host_copies(b->net);
    return buda_net_epochs(b->net);
}

hoist_status buda_net_build(const hoist_buda_module *module, buda_arch arch, buda_net *out_net)
{
    const hoist_allocator alloc = module->base.alloc;
    *out_net = (buda_net){
        .module = module,
        .arch = arch,
        .soc = buda_soc_of(arch == BUDA_ARCH_NONE ? BUDA_GRAYSKULL : arch),
    };
    hoist_arena_init(&out_net->arena, alloc);
    hoist_map_init(&out_net->queue_names, alloc);
    hoist_map_init(&out_net->op_names, alloc);
    hoist_map_init(&out_net->graph_names, alloc);
    net_builder b = {.net = out_net};
    hoist_buffer_init(&b.name, alloc);
    const hoist_status status = build(&b);
    hoist_buffer_deinit(&b.name);
    if (status != HOIST_OK) {
        // The limit outlives the net: the caller reports it.
        const buda_limit limit = out_net->limit;
        buda_net_deinit(out_net);
        out_net->limit = limit;
    }
    return status;
}

void buda_net_deinit(buda_net *net)
{
    // Zeroed, or never built: buda_net_build() leaves {0} behind when it fails.
    if (!net->module) {
        return;
    }
    hoist_map_deinit(&net->queue_names);
    hoist_map_deinit(&net->op_names);
    hoist_map_deinit(&net->graph_names);
    hoist_arena_deinit(&net->arena);
    *net = (buda_net){0};
}
