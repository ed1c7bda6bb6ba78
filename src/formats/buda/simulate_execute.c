// formats/buda/simulate_execute.c - execute: which graphs it starts, and the temporal epochs in
// which graphs run together (buda-netlist reference section 2.7, rules 35a to 35e). Execution of a
// graph means nothing by itself: settings are collected until each graph of its epoch has been
// executed, then all of them move their queues.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/buda/frames.h"
#include "formats/buda/simulate_state.h"

// Begins or continues the epoch of the launch's graph; returns its round, the number of this
// collection of executes.
static size_t enter_epoch(buda_sim *s, const buda_launch *launch)
{
    buda_sim_epoch *epoch = &s->epochs[s->net->graphs[launch->graph].temporal];
    buda_sim_member *member = &s->members[launch->graph];
    if (epoch->run != s->run) { // left over from the program before: rule 35e was reported there
        epoch->done = 0;
    }
    // The same graph twice: the epoch begins anew, so that the rest of the program is still
    // checked.
    if (epoch->done && member->round == epoch->round) {
        buda_program_report(s->reporter, BUDA_035d, buda_sim_instr(s)->graph.pos, 0,
                            "graph '%.*s' runs again before its temporal epoch is complete (%zu of "
                            "%zu graphs have run)",
                            HOIST_STR_ARGS(s->net->graphs[launch->graph].name), epoch->done,
                            epoch->graph_count);
        epoch->done = 0;
        epoch->broken_run = s->run;
    }
    // A new collection; members are linked through `next`, the last one first.
    if (epoch->done == 0) {
        epoch->round = ++s->round;
        epoch->run = s->run;
        epoch->last = BUDA_NO_INDEX;
    }
    *member = (buda_sim_member){epoch->round, launch, epoch->last};
    epoch->last = launch->graph;
    epoch->instr = s->pc;
    epoch->done++;
    return epoch->round;
}

// When all graphs of the epoch have been executed, they run: each moves the entries of its queues.
static void leave_epoch(buda_sim *s, const buda_launch *launch)
{
    buda_sim_epoch *epoch = &s->epochs[s->net->graphs[launch->graph].temporal];
    if (epoch->done < epoch->graph_count) {
        return;
    }
    epoch->done = 0; // complete: the next execute begins a new round
    for (size_t g = epoch->last; g != BUDA_NO_INDEX; g = s->members[g].next) {
        buda_sim_move(s, s->members[g].launch, epoch->round);
    }
}

// A list-form graph is several launches, on devices of their own.
void buda_sim_execute(buda_sim *s, const buda_step *step)
{
    for (size_t i = 0; i < step->launch_count && buda_sim_spend(s, 1); i++) {
        const buda_launch *launch = &step->launches[i];
        const size_t round = enter_epoch(s, launch);
        for (size_t b = 0; b < launch->bound_count && buda_sim_spend(s, 1); b++) {
            buda_sim_apply_setting(s, launch, &launch->bound[b], round);
        }
        leave_epoch(s, launch);
    }
}

// At the end of each program. One finding per epoch, and none where 35d was reported in the same
// run.
void buda_sim_end_epochs(buda_sim *s)
{
    for (size_t i = 0; i < s->net->graph_count && buda_sim_spend(s, 1); i++) {
        const buda_sim_epoch *epoch = &s->epochs[i];
        if (epoch->run == s->run && epoch->done && epoch->broken_run != s->run) {
            s->reporter->instr = epoch->instr;
            buda_program_report(
                s->reporter, BUDA_035e, s->code->steps[epoch->instr].instr->graph.pos, 0,
                "the temporal epoch of graph '%.*s' is not completed: %zu of its "
                "%zu graphs have run",
                HOIST_STR_ARGS(s->net->graphs[epoch->last].name), epoch->done, epoch->graph_count);
        }
    }
}

// As many epochs as graphs at most, since ids are dense.
bool buda_sim_execute_init(buda_sim *s)
{
    const size_t count = s->net->graph_count;
    s->epochs = hoist_arena_array(s->arena, count, sizeof(*s->epochs));
    s->members = hoist_arena_array(s->arena, count, sizeof(*s->members));
    if (!s->epochs || !s->members) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        s->epochs[s->net->graphs[i].temporal].graph_count++;
    }
    return true;
}

// Groups ---------------------------------------------------------------------------------------

// By epoch, then device, so that members of one epoch on one device are neighbours.
static int compare_graphs(const void *a, const void *b)
{
    const buda_net_graph *left = *(const buda_net_graph *const *)a;
    const buda_net_graph *right = *(const buda_net_graph *const *)b;
    int order = hoist_order_u64(left->temporal, right->temporal);
    order = order ? order : hoist_order_i64(left->device, right->device);
    // Both are items of net->graphs. The last criterion is the order of the file.
    return order ? order : (left > right) - (left < right);
}

// Two graphs of one epoch that are next to each other in order of device. Rules 35a and 35b;
// comparing neighbours finds a difference whenever there is one in the epoch.
static void check_pair(buda_sim *s, const buda_net_graph *first, const buda_net_graph *second)
{
    hoist_diag *diag = s->reporter->diag;
    buda_frames frames;
    buda_enter_graph(diag, &frames, second->graph);
    const buda_int *expected = &first->graph->input_count;
    const buda_int *found = &second->graph->input_count;
    if (buda_has(expected->pos) && buda_has(found->pos) && expected->value != found->value) {
        buda_report(diag, BUDA_035a, found->pos,
                    "input_count is %" PRId64 ", graph '%.*s' of the same temporal epoch has "
                    "%" PRId64,
                    found->value, HOIST_STR_ARGS(first->name), expected->value);
    }
    if (first->device == second->device) {
        buda_report(diag, BUDA_035b, second->graph->target_device.pos,
                    "graph '%.*s' is on device %" PRId64
                    " as '%.*s', which runs in the same temporal epoch",
                    HOIST_STR_ARGS(second->name), second->device, HOIST_STR_ARGS(first->name));
    }
    buda_leave(diag, &frames);
}

// Independent of programs: an epoch is wrong whether or not it is executed.
bool buda_sim_check_epochs(buda_sim *s)
{
    const size_t count = s->net->graph_count;
    const buda_net_graph **graphs = hoist_arena_array(s->arena, count, sizeof(const void *));
    if (!graphs) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        graphs[i] = &s->net->graphs[i];
    }
    qsort(graphs, count, sizeof(const void *), compare_graphs);
    for (size_t i = 1; i < count; i++) {
        if (graphs[i]->temporal == graphs[i - 1]->temporal) {
            check_pair(s, graphs[i - 1], graphs[i]);
        }
    }
    return true;
}
