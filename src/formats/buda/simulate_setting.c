// formats/buda/simulate_setting.c - the settings of an execute, with the values of the moment
// (buda-netlist reference sections 2.6, 2.8).
// In: one setting of one launch, whose fields are evaluated here. Out: findings of single
// settings, and new pointers of the queue.
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/simulate_state.h"

// Known and not 0. Unknown values are neither true nor false, and no rule is applied to them.
static bool is_true(const buda_sim_check *j, buda_setting_key key)
{
    return j->values[key].known && j->values[key].value;
}

static bool is_false(const buda_sim_check *j, buda_setting_key key)
{
    return j->values[key].known && !j->values[key].value;
}

// Rule 30c.
static void check_zero(buda_sim *s, const buda_sim_check *j)
{
    if (is_true(j, BUDA_S_ZERO) && is_false(j, BUDA_S_PROLOGUE)) {
        buda_program_report(s->reporter, BUDA_030c, buda_sim_field_pos(j->bound, BUDA_S_ZERO), 0,
                            "zero of queue '%.*s' is true, but prologue is not",
                            HOIST_STR_ARGS(j->queue));
    }
}

// A queue that is read entry by entry and popped by the program (rules 32a, 32b). Input by input,
// without going back: the pointer wraps only between executes.
static void check_streaming(buda_sim *s, const buda_sim_check *j)
{
    const uint64_t entries = buda_sim_entries(s, j->bound->queue);
    const int64_t inputs = s->net->graphs[j->launch->graph].graph->input_count.value;
    const buda_sim_value step = j->values[BUDA_S_RD_PTR_AUTOINC];
    // rd_ptr_autoinc moves, nothing is popped automatically.
    const bool streamed = is_false(j, BUDA_S_PROLOGUE) && is_false(j, BUDA_S_EPILOGUE) &&
                          is_false(j, BUDA_S_GLOBAL_RDPTR_AUTOINC) && step.known && step.value;
    if (!streamed || buda_sim_is_ram(s, j->bound->queue) || !(j->bound->use & BUDA_USE_READ) ||
        entries == 0 || inputs < 1) {
        return;
    }
    const hoist_pos pos = j->bound->setting->queue.pos;
    if ((uint64_t)inputs > entries) {
        buda_program_report(s->reporter, BUDA_032a, pos, 0,
                            "queue '%.*s' has %" PRIu64 " %s, one execute reads %" PRId64,
                            HOIST_STR_ARGS(j->queue), entries,
                            hoist_plural(entries, "entry", "entries"), inputs);
    } else if (entries % (uint64_t)inputs) {
        buda_program_report(
            s->reporter, BUDA_032b, pos, 0,
            "queue '%.*s' has %" PRIu64 " %s, expected a multiple of the input_count %" PRId64,
            HOIST_STR_ARGS(j->queue), entries, hoist_plural(entries, "entry", "entries"), inputs);
    }
}

// Rule 33: a ram is then read or written as a whole, which a moving pointer contradicts.
static void check_ram_step(buda_sim *s, const buda_sim_check *j)
{
    const bool whole =
        is_true(j, BUDA_S_PROLOGUE) || is_true(j, BUDA_S_EPILOGUE) || is_true(j, BUDA_S_ZERO);
    if (buda_sim_is_ram(s, j->bound->queue) && is_true(j, BUDA_S_GLOBAL_WRPTR_AUTOINC) && whole) {
        buda_program_report(s->reporter, BUDA_033,
                            buda_sim_field_pos(j->bound, BUDA_S_GLOBAL_WRPTR_AUTOINC), 0,
                            "ram '%.*s' has global_wrptr_autoinc %" PRId32
                            " together with prologue, epilogue or zero",
                            HOIST_STR_ARGS(j->queue), j->values[BUDA_S_GLOBAL_WRPTR_AUTOINC].value);
    }
}

// Rule 26 has the case that an op-fed queue's epilogue is written true.
static bool is_rule_26(const buda_sim *s, const buda_sim_check *j)
{
    const buda_net_queue *queue = &s->net->queues[j->bound->queue];
    return !queue->host_fed && queue->queue->type.value == BUDA_QUEUE &&
           j->bound->fields[BUDA_S_EPILOGUE].kind == BUDA_OPERAND_NUMBER;
}

// Rules 34a, 34d and 34e, for queues that the graph reads.
static void check_input(buda_sim *s, const buda_sim_check *j)
{
    const unsigned use = j->bound->use;
    if (!(use & BUDA_USE_READ)) {
        return;
    }
    // A gradient writes back to what it reads.
    if (is_true(j, BUDA_S_EPILOGUE) && !(use & BUDA_USE_GRADIENT) && !is_rule_26(s, j)) {
        buda_program_report(s->reporter, BUDA_034a, buda_sim_field_pos(j->bound, BUDA_S_EPILOGUE),
                            0, "queue '%.*s' is an input, but its epilogue is true",
                            HOIST_STR_ARGS(j->queue));
    }
    const bool prologue = is_true(j, BUDA_S_PROLOGUE);
    const bool epilogue = is_true(j, BUDA_S_EPILOGUE);
    if ((use & BUDA_USE_TABLE) && (prologue || epilogue)) {
        const buda_setting_key key = prologue ? BUDA_S_PROLOGUE : BUDA_S_EPILOGUE;
        buda_program_report(
            s->reporter, BUDA_034d, buda_sim_field_pos(j->bound, key), 0,
            "queue '%.*s' is read by an embedding or tilizer op, but its %s is true",
            HOIST_STR_ARGS(j->queue), prologue ? "prologue" : "epilogue");
    }
    const int64_t chip = s->net->graphs[j->launch->graph].device;
    const buda_net_queue *queue = &s->net->queues[j->bound->queue];
    // Host memory is no chip's own.
    if (prologue && chip != queue->device && queue->queue->loc.value == BUDA_LOC_DRAM) {
        buda_program_report(s->reporter, BUDA_034e, buda_sim_field_pos(j->bound, BUDA_S_PROLOGUE),
                            0,
                            "prologue queue '%.*s' is on chip %" PRId64
                            ", the graph that reads it on chip %" PRId64,
                            HOIST_STR_ARGS(j->queue), queue->device, chip);
    }
}

// Rule 34b: a queue that is written and nothing else.
static void check_output(buda_sim *s, const buda_sim_check *j)
{
    const bool plain = (j->bound->use & BUDA_USE_WRITTEN) &&
                       !(j->bound->use & (BUDA_USE_READ | BUDA_USE_GRADIENT));
    const bool prologue = is_true(j, BUDA_S_PROLOGUE);
    const bool epilogue = is_true(j, BUDA_S_EPILOGUE) && !is_rule_26(s, j);
    if (plain && (prologue || epilogue)) {
        const buda_setting_key key = prologue ? BUDA_S_PROLOGUE : BUDA_S_EPILOGUE;
        buda_program_report(s->reporter, BUDA_034b, buda_sim_field_pos(j->bound, key), 0,
                            "queue '%.*s' is the output of an op that is no gradient op, but its "
                            "%s is true",
                            HOIST_STR_ARGS(j->queue), prologue ? "prologue" : "epilogue");
    }
}

// Rule 35c: two executes of one epoch set one queue, and agree in all fields that both know.
static void compare_settings(buda_sim *s, const buda_sim_check *j, size_t round)
{
    buda_sim_queue *queue = &s->queues[j->bound->queue];
    // Only for queues of epochs with several graphs, hence allocated when first needed.
    if (!queue->given) {
        queue->given = hoist_arena_array(s->arena, BUDA_S_COUNT, sizeof(*queue->given));
        if (!queue->given) {
            s->no_memory = true;
            return;
        }
    }
    for (int key = 0; key < BUDA_S_COUNT; key++) {
        const buda_sim_value before = queue->given[key];
        const buda_sim_value now = j->values[key];
        // `round` still is that of the setting before.
        if (queue->round == round && before.known && now.known && before.value != now.value) {
            buda_program_report(s->reporter, BUDA_035c,
                                buda_sim_field_pos(j->bound, (buda_setting_key)key), 0,
                                "%s of queue '%.*s' is %" PRId32 ", another execute of this "
                                "temporal epoch has %" PRId32,
                                buda_setting_key_name((buda_setting_key)key),
                                HOIST_STR_ARGS(j->queue), now.value, before.value);
        }
        queue->given[key] = now;
    }
}

// Pointers -------------------------------------------------------------------------------------

// Rules 100a and 100b; false when the value is out of range. 100a is a warning, since only the
// golden model refuses such a pointer.
static bool pointer_in_range(buda_sim *s, const buda_bound *bound, buda_setting_key key,
                             buda_sim_value value, hoist_pos pos)
{
    const uint64_t entries = buda_sim_entries(s, bound->queue);
    const bool ram = buda_sim_is_ram(s, bound->queue);
    // A queue's pointer may be anything from 0 on: it is taken modulo 2E.
    if (!value.known || entries == 0 ||
        (value.value >= 0 && (!ram || (uint64_t)value.value < entries))) {
        return true;
    }
    const char *const name = buda_setting_key_name(key);
    const hoist_str queue = s->net->queues[bound->queue].name;
    if (ram) {
        buda_program_report(s->reporter, BUDA_100a, pos, bound->queue,
                            "%s of ram '%.*s' is %" PRId32 ", expected 0 to %" PRIu64, name,
                            HOIST_STR_ARGS(queue), value.value, entries - 1);
    } else {
        buda_program_report(s->reporter, BUDA_100b, pos, bound->queue,
                            "%s of queue '%.*s' is %" PRId32 ", expected 0 or more", name,
                            HOIST_STR_ARGS(queue), value.value);
    }
    return false;
}

// A value out of range is reported once and unknown from then on.
static void set_pointer(buda_sim *s, const buda_bound *bound, buda_setting_key key,
                        buda_sim_value value, hoist_pos pos)
{
    if (!pointer_in_range(s, bound, key, value, pos)) {
        value = (buda_sim_value){0, false};
    }
    if (key == BUDA_S_RD_PTR_GLOBAL) {
        buda_sim_set_rd(s, bound->queue, value, pos);
    } else if (key == BUDA_S_RD_PTR_LOCAL) {
        s->queues[bound->queue].local = value;
    }
}

// A queue's write pointer is not set by programs, a ram's local pointer does not exist (rule 25).
static bool is_pointer(const buda_sim *s, const buda_bound *bound, buda_setting_key key)
{
    return key == BUDA_S_RD_PTR_GLOBAL ||
           (buda_sim_is_ram(s, bound->queue) ? key == BUDA_S_WR_PTR_GLOBAL
                                             : key == BUDA_S_RD_PTR_LOCAL);
}

// Walks all fields that the variable is bound to in this program. Only the last executed setting
// of a queue is live (C35).
void buda_sim_pass_on(buda_sim *s, size_t variable)
{
    const buda_code *code = s->code;
    for (size_t i = code->first_binding[variable]; i < code->first_binding[variable + 1]; i++) {
        if (!buda_sim_spend(s, 1)) {
            return;
        }
        const buda_bound *bound = code->bindings[i].bound;
        const buda_sim_queue *queue = &s->queues[bound->queue];
        if (queue->run == s->run && queue->last == bound &&
            is_pointer(s, bound, code->bindings[i].key)) {
            set_pointer(s, bound, code->bindings[i].key, s->variables[variable].value,
                        buda_sim_instr(s)->destination.pos);
        }
    }
}

// Rules that look at values first; then the queue takes the setting over, in the end its pointers.
void buda_sim_apply_setting(buda_sim *s, const buda_launch *launch, const buda_bound *bound,
                            size_t round)
{
    buda_sim_value values[BUDA_S_COUNT];
    for (int key = 0; key < BUDA_S_COUNT; key++) {
        values[key] = buda_sim_setting(s, bound, (buda_setting_key)key);
    }
    const buda_sim_check j = {launch, bound, values, s->net->queues[bound->queue].name};
    check_zero(s, &j);
    check_streaming(s, &j);
    check_ram_step(s, &j);
    check_input(s, &j);
    check_output(s, &j);
    // One graph alone cannot disagree.
    if (s->epochs[s->net->graphs[launch->graph].temporal].graph_count > 1) {
        compare_settings(s, &j, round);
    }
    buda_sim_queue *queue = buda_sim_queue_at(s, bound->queue);
    queue->last = bound;
    queue->run = s->run;
    queue->round = round;
    for (int key = 0; key < BUDA_S_COUNT; key++) {
        if (is_pointer(s, bound, (buda_setting_key)key)) {
            set_pointer(s, bound, (buda_setting_key)key, values[key],
                        buda_sim_field_pos(bound, (buda_setting_key)key));
        }
    }
}
