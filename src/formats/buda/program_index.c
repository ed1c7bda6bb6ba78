// formats/buda/program_index.c - immediates, names as programs write them, and which graph uses
// which queue how (buda-netlist reference sections 1.9, 2.2).
// Out: buda_index (program.h), built once for all programs of a netlist.
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/buda/fields.h"
#include "formats/buda/program.h"

// The vendor's conversion is the C library's (section 2.2): sign, digits, the rest ignored. "-"
// and "abc" are no numbers.
buda_immediate buda_immediate_read(hoist_str text, int32_t *out_value)
{
    *out_value = 0;
    if (hoist_str_equal_nocase(text, HOIST_STR("true")) ||
        hoist_str_equal_nocase(text, HOIST_STR("false"))) {
        *out_value = text.size == 4; // "true"
        return BUDA_IMMEDIATE_PLAIN;
    }
    size_t at = 0;
    const bool negative = text.size && text.data[0] == '-';
    if (text.size && (negative || text.data[0] == '+')) {
        at = 1;
    }
    const size_t first = at;
    int64_t value = 0;
    for (; at < text.size && text.data[at] >= '0' && text.data[at] <= '9'; at++) {
        value = value * 10 + (text.data[at] - '0');
        // Before the next digit, so that the accumulator stays below 2^35 for any length of text.
        if (value > (int64_t)INT32_MAX + (negative ? 1 : 0)) {
            return BUDA_IMMEDIATE_BAD;
        }
    }
    if (at == first) {
        return BUDA_IMMEDIATE_BAD;
    }
    *out_value = (int32_t)(negative ? -value : value); // -2^31 fits, as `value` is wider
    return at == text.size ? BUDA_IMMEDIATE_PLAIN : BUDA_IMMEDIATE_PREFIX;
}

// Section 2.6: keys that are absent here default to 0, or have to be there.
// clang-format off
static const int32_t defaults[2][BUDA_S_COUNT] = {
    [BUDA_QUEUE] = {[BUDA_S_RD_PTR_AUTOINC] = 1, [BUDA_S_GLOBAL_WRPTR_AUTOINC] = 1},
    [BUDA_RAM]   = {[BUDA_S_RD_PTR_AUTOINC] = 0, [BUDA_S_GLOBAL_WRPTR_AUTOINC] = 0},
};
// clang-format on

int32_t buda_setting_default(bool ram, buda_setting_key key)
{
    return defaults[ram ? BUDA_RAM : BUDA_QUEUE][key];
}

// By the slot of the row: names are in fields.c only. Every key has a row, so the loop ends.
const char *buda_setting_key_name(buda_setting_key key)
{
    size_t row = 0;
    while (buda_setting_table.fields[row].at != offsetof(buda_setting, fields[key])) {
        row++;
    }
    return buda_setting_table.fields[row].key;
}

// The first of equal names stays: rule 4a is reported in check_names.c. Both maps lead to the
// first copy; the others follow it in the net.
static hoist_status add_first(hoist_map *map, hoist_str name, size_t index)
{
    const hoist_status status = hoist_map_add(map, name, index, NULL);
    return status == HOIST_BUSY ? HOIST_OK : status;
}

// Names as written, without suffixes.
static hoist_status index_names(const buda_net *net, buda_index *index)
{
    for (size_t i = 0; i < net->graph_count; i++) {
        HOIST_TRY(add_first(&index->graphs, net->graphs[i].graph->name.text, i));
    }
    for (size_t i = 0; i < net->queue_count; i++) {
        HOIST_TRY(add_first(&index->queues, net->queues[i].queue->name.text, i));
    }
    return HOIST_OK;
}

// For the binary search of buda_index_use().
static int compare_uses(const void *a, const void *b)
{
    const buda_use *left = a;
    const buda_use *right = b;
    return hoist_order_u64(left->queue, right->queue);
}

// Sorts `uses` and joins those of one queue; returns how many are left. An op that reads a queue
// twice, or two ops that read it, make one use with joined flags.
static size_t merge_uses(buda_use *uses, size_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(uses, count, sizeof(*uses), compare_uses);
    size_t kept = 0;
    for (size_t i = 1; i < count; i++) {
        if (uses[i].queue == uses[kept].queue) {
            uses[kept].flags |= uses[i].flags;
        } else {
            uses[++kept] = uses[i];
        }
    }
    return kept + 1;
}

// Fills `uses`, which has as many elements as the op has inputs and output queues; returns how
// many there are.
static size_t op_uses(const buda_net_op *op, buda_use *uses)
{
    const hoist_op type = op->op->op;
    // Both read a table through an index.
    const bool table = type == HOIST_OP_EMBEDDING || type == HOIST_OP_TILIZER;
    size_t count = 0;
    for (size_t i = 0; i < op->op->inputs.count; i++) {
        if (op->inputs[i].kind == BUDA_SOURCE_QUEUE) {
            uses[count++] = (buda_use){op->inputs[i].index,
                                       BUDA_USE_READ | (table ? (unsigned)BUDA_USE_TABLE : 0u)};
        }
    }
    for (size_t i = 0; i < op->out_queue_count; i++) {
        uses[count++] = (buda_use){op->out_queues[i], op->op->gradient_op.value ? BUDA_USE_GRADIENT
                                                                                : BUDA_USE_WRITTEN};
    }
    return count;
}

// One array for all graphs; each graph's part shrinks when it is merged, and the next begins
// behind it.
static hoist_status index_uses(buda_index *index)
{
    const buda_net *net = index->net;
    size_t total = 0;
    for (size_t i = 0; i < net->op_count; i++) {
        total += net->ops[i].op->inputs.count + net->ops[i].out_queue_count;
    }
    index->uses = hoist_arena_array(index->arena, total, sizeof(*index->uses));
    index->first_use =
        hoist_arena_array(index->arena, net->graph_count + 1, sizeof(*index->first_use));
    HOIST_TRY_MEMORY(index->uses && index->first_use);
    size_t first = 0;
    for (size_t g = 0; g < net->graph_count; g++) {
        const buda_net_graph *graph = &net->graphs[g];
        size_t count = 0;
        for (size_t i = 0; i < graph->op_count; i++) {
            count += op_uses(&net->ops[graph->first_op + i], index->uses + first + count);
        }
        index->first_use[g] = first; // the end of the graph before
        first += merge_uses(index->uses + first, count);
    }
    index->first_use[net->graph_count] = first;
    return HOIST_OK;
}

// Section 1.9: in such a graph, too, names of list-form queues in settings refer to their copies.
// Two different devices among the queues that the graph reads are enough.
static hoist_status index_spans(buda_index *index)
{
    const buda_net *net = index->net;
    index->spans = hoist_arena_array(index->arena, net->graph_count, sizeof(*index->spans));
    for (size_t g = 0; index->spans && g < net->graph_count; g++) {
        const buda_net_queue *first = NULL;
        for (size_t i = index->first_use[g]; i < index->first_use[g + 1]; i++) {
            const buda_net_queue *queue = &net->queues[index->uses[i].queue];
            if (!(index->uses[i].flags & BUDA_USE_READ)) {
                continue;
            }
            if (first && queue->device != first->device) {
                index->spans[g] = true;
            }
            // Devices are compared with the first: equality is transitive.
            first = first ? first : queue;
        }
    }
    return index->spans ? HOIST_OK : HOIST_NO_MEMORY;
}

// On failure the maps are still to be freed: buda_index_deinit().
hoist_status buda_index_build(const buda_net *net, hoist_arena *arena, buda_index *out_index)
{
    *out_index = (buda_index){.net = net, .arena = arena};
    hoist_map_init(&out_index->graphs, arena->alloc);
    hoist_map_init(&out_index->queues, arena->alloc);
    HOIST_TRY(index_names(net, out_index));
    HOIST_TRY(index_uses(out_index));
    return index_spans(out_index);
}

void buda_index_deinit(buda_index *index)
{
    hoist_map_deinit(&index->graphs);
    hoist_map_deinit(&index->queues);
}

static bool queue_is_before(const void *use, const void *queue)
{
    return ((const buda_use *)use)->queue < *(const size_t *)queue;
}

const buda_use *buda_index_use(const buda_index *index, size_t graph, size_t queue)
{
    const size_t count = index->first_use[graph + 1] - index->first_use[graph];
    const buda_use *uses = count ? index->uses + index->first_use[graph] : NULL;
    const size_t at = hoist_order_first(uses, count, sizeof *uses, queue_is_before, &queue);
    return at < count && uses[at].queue == queue ? &uses[at] : NULL;
}

// First as a name of the net, so that "q.1" means one copy and "q" all of them.
size_t buda_index_queue(const buda_index *index, hoist_str name, size_t *out_copies)
{
    const buda_net *net = index->net;
    size_t first = 0;
    *out_copies = 1;
    if (hoist_map_find(&net->queue_names, name, &first)) {
        return first;
    }
    *out_copies = 0;
    if (!hoist_map_find(&index->queues, name, &first)) {
        return BUDA_NO_INDEX;
    }
    const buda_queue *queue = net->queues[first].queue;
    while (first + *out_copies < net->queue_count &&
           net->queues[first + *out_copies].queue == queue) {
        ++*out_copies;
    }
    return first;
}
