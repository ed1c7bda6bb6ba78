// A BUDA netlist as a program: queues are fifos, graphs functions, programs threads. In: a job with
// one netlist. Out: a program, or findings RUN-... Calls the parts in order: memory.c, group.c,
// function.c, program.c; state.h is their common state. Codes and net are those of the checker
// (formats/buda), so that names mean the same here and there.
#include "lower/buda/lower.h"

#include "base/assert.h"
#include "base/span.h"
#include "formats/buda/program.h"
#include "formats/buda/rules.h"
#include "lower/buda/state.h"

// A program keeps every table: 2^28 tiles are 1 GiB of indices.
enum { MAX_TABLE_TILES = 1 << 28 }; // of all tables

// With the limits that lists of devices have (buda_code_limit).
static hoist_status build_codes(buda_lower_job *l, const buda_index *index)
{
    const size_t count = l->module->program_count;
    buda_code *codes = hoist_lower_array(&l->c, count, sizeof *codes);
    for (size_t p = 0; codes && p < count; p++) {
        HOIST_TRY(buda_code_build(index, &l->module->programs[p], &codes[p]));
    }
    l->codes = codes;
    return l->c.status;
}

// The number of steps for progress: ops of groups that some program executes.
static void expect_ops(buda_lower_job *l)
{
    for (size_t i = 0; i < l->group_count; i++) {
        for (size_t k = 0; l->groups[i].executed && k < l->groups[i].graph_count; k++) {
            hoist_lower_expect(&l->c, l->net.graphs[l->groups[i].graphs[k]].op_count);
        }
    }
}

// Memory per op and per queue once for all groups; stamps tell whose values are valid.
static void lower_graphs(buda_lower_job *l)
{
    l->colours = hoist_lower_array(&l->c, l->net.op_count, sizeof *l->colours);
    l->results = hoist_lower_array(&l->c, l->net.op_count, sizeof *l->results);
    l->reads = hoist_lower_array(&l->c, l->net.queue_count, sizeof *l->reads);
    l->read_in = hoist_lower_array(&l->c, l->net.queue_count, sizeof *l->read_in);
    l->written_in = hoist_lower_array(&l->c, l->net.queue_count, sizeof *l->written_in);
    expect_ops(l);
    for (size_t i = 0; i < l->group_count && l->c.status == HOIST_OK; i++) {
        if (l->groups[i].executed) { // other groups would never be called
            buda_lower_graph(l, &l->groups[i]);
            hoist_lower_clean(&l->c);
        }
    }
}

// Reuse needs units, labels need nothing: both before the first function.
static hoist_status lower_all(buda_lower_job *l, const buda_index *index)
{
    l->index = index;
    HOIST_TRY(build_codes(l, index));
    HOIST_TRY(buda_lower_memory(l));
    // Before any op: otherwise each op would report the same architecture.
    if (buda_lower_numerics(l) == HOIST_NUMERICS_DEVICE && !buda_lower_has_device(l)) {
        return l->c.status;
    }
    HOIST_TRY(buda_lower_groups(l));
    HOIST_TRY(buda_lower_reuse(l));
    HOIST_TRY(buda_lower_links(l));
    HOIST_TRY(buda_lower_labels(l));
    hoist_lower_clean(&l->c);
    lower_graphs(l);
    if (l->c.status == HOIST_OK) {
        buda_lower_programs(l);
    }
    return l->c.status;
}

// Rules that programs and netlists both have: a finding of the program's verifier is shown under
// the netlist's id.
static void map_rules(hoist_builder *b)
{
    static const struct {
        hoist_program_rule program;
        buda_rule netlist;
    } same[] = {
        {HOIST_PRG_006, BUDA_079c}, // inside the channel
        {HOIST_PRG_007, BUDA_079a}, // overlap
        {HOIST_PRG_008, BUDA_019},  // aliases
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(same); i++) {
        hoist_builder_rule(b, same[i].program, &hoist_buda_rules.rules[same[i].netlist]);
    }
}

// The options of check choose architecture and descriptors here, too; findings about them were
// reported by check.
static hoist_status lower_module(buda_lower_job *l, const hoist_check_options *check)
{
    const buda_cluster *cluster = NULL;
    HOIST_TRY(buda_net_open(l->module, check, NULL, &l->net, &cluster));
    l->check = (buda_check){.module = l->module,
                            .net = &l->net,
                            .cluster = cluster,
                            .options = check,
                            .diag = l->c.diag,
                            .scratch = &l->c.scratch,
                            .arch = l->net.arch};
    map_rules(l->c.b);
    buda_index index; // lives as long as the codes that point into it
    hoist_status status = buda_index_build(&l->net, &l->c.arena, &index);
    if (status == HOIST_OK) {
        status = lower_all(l, &index);
    }
    buda_index_deinit(&index);
    buda_net_deinit(&l->net);
    return status;
}

hoist_status buda_lower(const hoist_file *files, size_t count, const hoist_check_options *check,
                        const hoist_lower_options *options, hoist_diag *diag,
                        hoist_program **out_program)
{
    // Names of queues, graphs and programs become names of the program, each table without
    // duplicates.
    static const hoist_name_table unique[] = {HOIST_NAMES_FIFO, HOIST_NAMES_FUNCTION,
                                              HOIST_NAMES_THREAD};
    buda_lower_job l = {.module = (const hoist_buda_module *)files[0].module,
                        .tiles_left = MAX_TABLE_TILES};
    HOIST_ASSERT(count == 1);
    *out_program = NULL;
    // A failed begin leaves nothing to free.
    hoist_status status = hoist_lower_begin(&l.c, HOIST_STR("netlist"), files, options, diag);
    hoist_map_init(&l.spaces, l.c.arena.alloc);
    if (status == HOIST_OK) {
        status = lower_module(&l, check);
    }
    if (status == HOIST_OK) {
        status = hoist_lower_finish(&l.c, unique, HOIST_COUNT_OF(unique), out_program);
    }
    hoist_map_deinit(&l.spaces);
    hoist_lower_deinit(&l.c);
    return status;
}
