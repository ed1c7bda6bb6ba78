// The summary of a netlist (`hoist info`) as tree events: architecture, contents, memory, graphs,
// ops and programs. In: a module, of which it builds the net. info_queue.c sends the queues,
// info_test_sections.c what test programs read, resources.c the estimates of --resources. Key
// names are part of the JSON document `hoist.info`: adding one is compatible, renaming is not.
#include "formats/buda/info.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/order.h"
#include "formats/buda/buda.h"
#include "formats/buda/memory_map.h"
#include "formats/buda/resources.h"
#include "formats/buda/words.h"

// What all senders need; no sender changes it.
typedef struct info_writer {
    const hoist_buda_module *module;
    const buda_net *net;
    hoist_arena *arena; // scratch
    hoist_tree_sink *sink;
} info_writer;

// Architecture ----------------------------------------------------------------------------------

// "listed" has the file's spellings, "chosen" the one that was checked for and where that comes
// from.
static void send_architecture(const info_writer *w, const hoist_check_options *options)
{
    const buda_soc *soc = w->net->soc;
    hoist_tree_map(w->sink, "architecture");
    if (w->net->arch == BUDA_ARCH_NONE) {
        hoist_tree_null(w->sink, "chosen");
    } else {
        hoist_tree_c(w->sink, "chosen", buda_arch_name(w->net->arch));
        hoist_tree_c(w->sink, "source", buda_target(&w->module->base, options).source);
    }
    hoist_tree_short_list(w->sink, "listed");
    for (size_t i = 0; i < w->module->arch.count; i++) {
        hoist_tree_str(w->sink, "", w->module->arch.items[i].text);
    }
    hoist_tree_end(w->sink);
    // Facts of no architecture would be grayskull's by default: they are left out.
    if (w->net->arch != BUDA_ARCH_NONE) {
        hoist_tree_c(w->sink, "descriptor", soc->name);
        hoist_tree_int(w->sink, "worker_rows", soc->row_count);
        hoist_tree_int(w->sink, "worker_columns", soc->column_count);
        hoist_tree_uint(w->sink, "worker_l1_bytes", soc->worker_l1_bytes, HOIST_UNIT_BYTES);
        hoist_tree_int(w->sink, "dram_channels", soc->dram_count);
        hoist_tree_uint(w->sink, "dram_channel_size_bytes", soc->dram_bytes, HOIST_UNIT_BYTES);
        hoist_tree_int(w->sink, "ethernet_channels", soc->ethernet_count);
    }
    hoist_tree_end(w->sink);
}

// Contents --------------------------------------------------------------------------------------

// For count_chips().
static int compare_chips(const void *left, const void *right)
{
    const int64_t *a = left;
    const int64_t *b = right;
    return hoist_order_i64(*a, *b);
}

// How many different chips queues and graphs are on.
// One array, sorted, with equal neighbours skipped: a netlist may have a million queues.
static hoist_status count_chips(const info_writer *w, size_t *out_count)
{
    const buda_net *net = w->net;
    const size_t all = net->queue_count + net->graph_count;
    int64_t *chips = hoist_arena_array(w->arena, all, sizeof(chips[0]));
    *out_count = 0;
    HOIST_TRY_MEMORY(chips);
    for (size_t i = 0; i < all; i++) {
        chips[i] =
            i < net->queue_count ? net->queues[i].device : net->graphs[i - net->queue_count].device;
    }
    qsort(chips, all, sizeof(chips[0]), compare_chips);
    for (size_t i = 0; i < all; i++) {
        *out_count += i == 0 || chips[i] != chips[i - 1];
    }
    return HOIST_OK;
}

// Counts have no unit and are never unknown.
static void send_count(hoist_tree_sink *sink, const char *key, size_t count)
{
    hoist_tree_uint(sink, key, count, HOIST_UNIT_NONE);
}

// Sends how many percent of `whole` a part is; null when the architecture is not known, and with
// it how much there is.
static void send_share(const info_writer *w, const char *key, double part, double whole)
{
    if (w->net->arch == BUDA_ARCH_NONE) {
        hoist_tree_unknown(w->sink, key, HOIST_UNIT_PERCENT);
    } else {
        hoist_tree_float(w->sink, key, 100.0 * part / whole, HOIST_UNIT_PERCENT);
    }
}

// Of the net: a list of devices counts once per device.
static hoist_status send_contents(const info_writer *w)
{
    const buda_net *net = w->net;
    size_t chips = 0;
    HOIST_TRY(count_chips(w, &chips));
    // Ids are dense, so the greatest one gives their number.
    size_t epochs = 0;
    for (size_t i = 0; i < net->graph_count; i++) {
        epochs = net->graphs[i].temporal >= epochs ? net->graphs[i].temporal + 1 : epochs;
    }
    hoist_tree_map(w->sink, "contents");
    send_count(w->sink, "chips", chips);
    send_count(w->sink, "queues", net->queue_count);
    send_count(w->sink, "graphs", net->graph_count);
    send_count(w->sink, "temporal_epochs", epochs);
    send_count(w->sink, "ops", net->op_count);
    send_count(w->sink, "fused_ops", w->module->fused_count);
    send_count(w->sink, "programs", w->module->program_count);
    hoist_tree_end(w->sink);
    return HOIST_OK;
}

// Memory ----------------------------------------------------------------------------------------

// One row for ranges[0 .. count), all on one channel.
// People get one column "dram 0", programs two keys.
static void send_channel(const info_writer *w, const buda_range *ranges, size_t count)
{
    uint64_t end = 0;
    const uint64_t bytes = buda_ranges_used(ranges, count, &end);
    const bool is_dram = ranges[0].loc == BUDA_LOC_DRAM;
    const uint64_t capacity = is_dram ? w->net->soc->dram_bytes : BUDA_HOST_CHANNEL_BYTES;
    const char *memory = hoist_rec_word_name(&buda_loc_words, (int)ranges[0].loc);
    char place[48]; // "dram ", a 64-bit number and the end
    (void)snprintf(place, sizeof(place), "%s %" PRId64, memory, ranges[0].channel);
    hoist_tree_map(w->sink, "");
    hoist_tree_int(w->sink, "chip", ranges[0].chip);
    w->sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_c(w->sink, "place", place);
    w->sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_c(w->sink, "memory", memory);
    hoist_tree_int(w->sink, "channel", ranges[0].channel);
    w->sink->audience = HOIST_TREE_FOR_ALL;
    // Buffers are counted one by one, bytes as a union: aliases and dynamic queues share them.
    send_count(w->sink, "buffers", count);
    hoist_tree_uint(w->sink, "bytes", bytes, HOIST_UNIT_BYTES);
    send_share(w, "used_percent", (double)bytes, (double)capacity);
    hoist_tree_uint(w->sink, "end_address", end, HOIST_UNIT_ADDRESS);
    hoist_tree_end(w->sink);
}

// Ranges come in order of channels: each run of one channel is a row.
static hoist_status send_memory(const info_writer *w)
{
    const buda_range *ranges = NULL;
    size_t count = 0;
    HOIST_TRY(buda_memory_ranges(w->net, w->arena, &ranges, &count));
    hoist_tree_list(w->sink, "memory");
    for (size_t i = 0; i < count;) {
        const size_t on_channel = buda_ranges_of_channel(&ranges[i], count - i);
        send_channel(w, &ranges[i], on_channel);
        i += on_channel;
    }
    hoist_tree_end(w->sink);
    return HOIST_OK;
}

// Graphs and ops ----------------------------------------------------------------------------------

// Worker cores of a graph's ops; false when a grid is not usable. Ethernet copies are on cores of
// their own. Overflow makes the sum unknown rather than wrong.
static bool count_cores(const buda_net *net, const buda_net_graph *graph, uint64_t *out_cores)
{
    *out_cores = 0;
    for (size_t i = 0; i < graph->op_count; i++) {
        const buda_op *op = net->ops[graph->first_op + i].op;
        uint64_t cores = 0;
        if (op->op == HOIST_OP_ETHERNET_DATACOPY) {
            continue;
        }
        if (op->grid_size.r < 1 || op->grid_size.c < 1 ||
            hoist_ckd_mul(&cores, (uint64_t)op->grid_size.r, (uint64_t)op->grid_size.c) ||
            hoist_ckd_add(out_cores, *out_cores, cores)) {
            return false;
        }
    }
    return true;
}

// The chip's worker cores; null when the architecture is not known.
// The number of cores that send_graph() computes the share from.
static void send_grid_cores(const info_writer *w)
{
    w->sink->audience = HOIST_TREE_FOR_PROGRAMS;
    if (w->net->arch == BUDA_ARCH_NONE) {
        hoist_tree_null(w->sink, "grid_cores");
    } else {
        hoist_tree_int(w->sink, "grid_cores",
                       (int64_t)w->net->soc->row_count * w->net->soc->column_count);
    }
    w->sink->audience = HOIST_TREE_FOR_ALL;
}

// `epoch` is the number of the temporal epoch: graphs with equal ones run together.
static void send_graph(const info_writer *w, const buda_net_graph *graph)
{
    const double workers = (double)w->net->soc->row_count * (double)w->net->soc->column_count;
    uint64_t cores = 0;
    hoist_tree_map(w->sink, "");
    hoist_tree_str(w->sink, "name", graph->name);
    hoist_tree_int(w->sink, "chip", graph->device);
    send_count(w->sink, "epoch", graph->temporal);
    hoist_tree_int(w->sink, "input_count", graph->graph->input_count.value);
    send_count(w->sink, "ops", graph->op_count);
    // Both branches send the same keys, so that rows of the document have one shape.
    if (count_cores(w->net, graph, &cores)) {
        hoist_tree_uint(w->sink, "cores", cores, HOIST_UNIT_NONE);
        send_grid_cores(w);
        send_share(w, "grid_used_percent", (double)cores, workers);
    } else {
        hoist_tree_null(w->sink, "cores");
        send_grid_cores(w);
        hoist_tree_unknown(w->sink, "grid_used_percent", HOIST_UNIT_PERCENT);
    }
    hoist_tree_end(w->sink);
}

static void send_graphs(const info_writer *w)
{
    hoist_tree_list(w->sink, "graphs");
    for (size_t i = 0; i < w->net->graph_count; i++) {
        send_graph(w, &w->net->graphs[i]);
    }
    hoist_tree_end(w->sink);
}

// For sorting op types by how often they occur.
typedef struct type_count {
    hoist_op op;
    size_t count;
} type_count;

// Most frequent first, then in the order of the op table. qsort() is not stable, hence the second
// criterion.
static int compare_types(const void *left, const void *right)
{
    const type_count *a = left;
    const type_count *b = right;
    const int order = hoist_order_u64(b->count, a->count);
    return order ? order : hoist_order_i64(a->op, b->op);
}

// HOIST_OP_NONE is a type here: ops that the reader refused.
static void send_op_types(const info_writer *w)
{
    type_count types[HOIST_OP_COUNT];
    for (size_t i = 0; i < HOIST_OP_COUNT; i++) {
        types[i] = (type_count){(hoist_op)i, 0};
    }
    for (size_t i = 0; i < w->net->op_count; i++) {
        types[w->net->ops[i].op->op].count++;
    }
    qsort(types, HOIST_OP_COUNT, sizeof(types[0]), compare_types);
    hoist_tree_list(w->sink, "op_types");
    for (size_t i = 0; i < HOIST_OP_COUNT && types[i].count > 0; i++) { // the rest has none
        hoist_tree_map(w->sink, "");
        hoist_tree_c(w->sink, "type",
                     types[i].op == HOIST_OP_NONE ? "unknown" : hoist_op_get(types[i].op)->name);
        send_count(w->sink, "count", types[i].count);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
}

// Definitions, not their uses: those are ops of type fused_op.
static void send_fused_ops(const info_writer *w)
{
    hoist_tree_list(w->sink, "fused_ops");
    for (size_t i = 0; i < w->module->fused_count; i++) {
        const buda_fused *fused = &w->module->fused[i];
        size_t sub_ops = 0;
        for (size_t k = 0; k < fused->schedule_count; k++) {
            sub_ops += fused->schedules[k].count;
        }
        hoist_tree_map(w->sink, "");
        hoist_tree_str(w->sink, "name", fused->name.text);
        hoist_tree_int(w->sink, "inputs", fused->inputs.value);
        hoist_tree_int(w->sink, "intermediates", fused->intermediates.value);
        send_count(w->sink, "schedules", fused->schedule_count);
        send_count(w->sink, "sub_ops", sub_ops);
        hoist_tree_end(w->sink);
    }
    hoist_tree_end(w->sink);
}

// Programs ----------------------------------------------------------------------------------------

// Programs are short; a walk per kind is cheap enough.
static size_t count_kind(const buda_program *program, buda_instr_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < program->count; i++) {
        count += program->instrs[i].kind == kind;
    }
    return count;
}

// All kinds, also those with 0: the keys of the document are the same for each program.
static void send_kinds(const info_writer *w, const buda_program *program)
{
    hoist_tree_short_map(w->sink, "instruction_kinds");
    for (int kind = BUDA_I_VAR; kind <= BUDA_I_ENDPROGRAM; kind++) {
        send_count(w->sink, buda_instr_name((buda_instr_kind)kind),
                   count_kind(program, (buda_instr_kind)kind));
    }
    hoist_tree_end(w->sink);
}

// A program may declare params in several instructions; rule 22 allows the first only.
static void send_params(const info_writer *w, const buda_program *program)
{
    hoist_tree_short_list(w->sink, "params");
    for (size_t i = 0; i < program->count; i++) {
        const buda_instr *instr = &program->instrs[i];
        for (size_t k = 0; instr->kind == BUDA_I_PARAM && k < instr->decl_count; k++) {
            hoist_tree_str(w->sink, "", instr->decls[k].name.text);
        }
    }
    hoist_tree_end(w->sink);
}

// People see loops and executes, programs every kind.
static void send_program(const info_writer *w, const buda_program *program)
{
    hoist_tree_map(w->sink, "");
    hoist_tree_str(w->sink, "name", program->name.text);
    send_count(w->sink, "instructions", program->count);
    w->sink->audience = HOIST_TREE_FOR_PEOPLE;
    send_count(w->sink, "loops", count_kind(program, BUDA_I_LOOP));
    send_count(w->sink, "executes", count_kind(program, BUDA_I_EXECUTE));
    w->sink->audience = HOIST_TREE_FOR_PROGRAMS;
    send_kinds(w, program);
    w->sink->audience = HOIST_TREE_FOR_ALL;
    send_params(w, program);
    hoist_tree_end(w->sink);
}

// In the order of the file, which is that of execution by test programs.
static void send_programs(const info_writer *w)
{
    hoist_tree_list(w->sink, "programs");
    for (size_t i = 0; i < w->module->program_count; i++) {
        send_program(w, &w->module->programs[i]);
    }
    hoist_tree_end(w->sink);
}

// The order of sections in text and JSON. Most netlists have no fused ops: people see no empty
// table.
static hoist_status send_all(const info_writer *w, const hoist_check_options *options)
{
    send_architecture(w, options);
    HOIST_TRY(send_contents(w));
    HOIST_TRY(send_memory(w));
    HOIST_TRY(buda_send_queues(w->net, w->arena, w->sink));
    send_graphs(w);
    send_op_types(w);
    w->sink->audience = w->module->fused_count == 0 ? HOIST_TREE_FOR_PROGRAMS : HOIST_TREE_FOR_ALL;
    send_fused_ops(w);
    w->sink->audience = HOIST_TREE_FOR_ALL;
    send_programs(w);
    buda_send_test_sections(w->module, w->sink);
    if (options && options->resources) {
        buda_send_resources(w->net, w->sink);
    }
    return w->sink->status;
}

// Findings of opening the net (descriptors, the choice of the architecture) go to `diag`.
hoist_status buda_info(const hoist_module *module, const hoist_check_options *options,
                       hoist_diag *diag, hoist_tree_sink *sink)
{
    const hoist_buda_module *netlist = (const hoist_buda_module *)module;
    buda_net net;
    const buda_cluster *cluster = NULL;
    HOIST_TRY(buda_net_open(netlist, options, diag, &net, &cluster));
    hoist_arena arena;
    hoist_arena_init(&arena, module->alloc);
    const info_writer w = {netlist, &net, &arena, sink};
    const hoist_status status = send_all(&w, options);
    hoist_arena_deinit(&arena);
    buda_net_deinit(&net);
    return status;
}
