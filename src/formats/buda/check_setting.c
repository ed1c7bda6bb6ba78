// Queue settings of executes: rules 24 to 28, 30b, 34c, 36e and 106 of the buda-netlist reference,
// sections 2.6 and 5.2. In: the steps of program_code.c, one execute after the other, in file
// order. Values that only a run gives are checked by simulate_setting.c.
#include "formats/buda/check_setting.h"

#include "base/span.h"
#include "codec/yaml.h"

// Missing settings of one execute that are reported.
#define MAX_MISSING 8 // a graph of a hundred inputs without settings would fill the page

// What the settings of a queue have in common, over the executes so far. Filled in as executes are
// met; compared with each later one.
typedef struct queue_facts {
    size_t launch;  // number of the last launch that has a setting for it ; equal to `launches`:
                    // this launch has one
    bool read_only; // of the first setting
    bool has_settings;
    bool never_zeroed; // zero is false in all of them
    const buda_setting *first;
    const buda_program *first_program;
    size_t first_instr;
} queue_facts;

struct buda_setting_check {
    const buda_index *index;
    buda_reporter *reporter;
    const buda_code *code;
    bool *params;       // per variable of `code`: a param
    queue_facts *facts; // per queue of the net
    buda_use *required; // of graph g: [first_required[g], first_required[g + 1])
    size_t *first_required;
    size_t launches; // launches met so far, also the number of the present one
};

// Rule 28: queues of HOST that the graph reads, rams that its gradient ops write. Those fed by a
// net2net op count as host-fed in net.c, but need no setting in the reference.
static bool needs_setting(const buda_net *net, const buda_use *use)
{
    const buda_net_queue *queue = &net->queues[use->queue];
    const bool ram = queue->queue->type.value == BUDA_RAM;
    return ram ? (use->flags & BUDA_USE_GRADIENT) != 0
               : hoist_str_equal_c(queue->queue->input.text, "HOST") &&
                     (use->flags & BUDA_USE_READ);
}

// Once per module: the same graph may be executed thousands of times.
static bool list_required(buda_setting_check *check)
{
    const buda_index *index = check->index;
    const size_t graphs = index->net->graph_count;
    check->required =
        hoist_arena_array(index->arena, index->first_use[graphs], sizeof(*check->required));
    check->first_required = hoist_arena_array(index->arena, graphs + 1, sizeof(size_t));
    if (!check->required || !check->first_required) {
        return false;
    }
    size_t count = 0;
    for (size_t g = 0; g < graphs; g++) {
        for (size_t i = index->first_use[g]; i < index->first_use[g + 1]; i++) {
            if (needs_setting(index->net, &index->uses[i])) {
                check->required[count++] = index->uses[i];
            }
        }
        check->first_required[g + 1] = count;
    }
    return true;
}

// All of it in the index's arena, which ends with the check.
buda_setting_check *buda_setting_check_create(const buda_index *index, buda_reporter *reporter)
{
    buda_setting_check *check = hoist_arena_alloc(index->arena, sizeof(*check));
    if (!check) {
        return NULL;
    }
    *check = (buda_setting_check){.index = index, .reporter = reporter};
    check->facts = hoist_arena_array(index->arena, index->net->queue_count, sizeof(*check->facts));
    return check->facts && list_required(check) ? check : NULL;
}

// Params are declared by name, settings refer to them by number: hence one flag per variable.
bool buda_setting_check_begin(buda_setting_check *check, const buda_code *code)
{
    check->code = code;
    check->params =
        hoist_arena_array(check->index->arena, code->variable_count, sizeof(*check->params));
    if (!check->params) {
        return false;
    }
    for (size_t i = 0; i < code->count; i++) {
        const buda_instr *instr = code->steps[i].instr;
        for (size_t k = 0; instr->kind == BUDA_I_PARAM && k < instr->decl_count; k++) {
            check->params[code->steps[i].variables[k]] = true;
        }
    }
    return true;
}

// Names (rule 24) -------------------------------------------------------------------------------

// Settings reach the launches in order, so one pass over both finds those that reach none. `bound`
// has the settings whose queue the graph uses, in the order of the instruction.
static void check_names(buda_setting_check *check, const buda_step *step, const buda_launch *launch)
{
    size_t next = 0;
    for (size_t i = 0; i < step->instr->setting_count; i++) {
        const buda_setting *setting = &step->instr->settings[i];
        const bool reached = next < launch->bound_count && launch->bound[next].setting == setting;
        while (next < launch->bound_count && launch->bound[next].setting == setting) {
            next++;
        }
        if (reached) {
            continue;
        }
        size_t copies = 0; // 0: there is no queue of this name
        (void)buda_index_queue(check->index, setting->queue.text, &copies);
        if (copies == 0) {
            buda_program_report(check->reporter, BUDA_024, setting->queue.pos, 0,
                                "setting for '%.*s', which is no queue",
                                HOIST_STR_ARGS(setting->queue.text));
        } else {
            buda_program_report(check->reporter, BUDA_024, setting->queue.pos, 0,
                                "setting for queue '%.*s', which graph '%.*s' does not use%s",
                                HOIST_STR_ARGS(setting->queue.text),
                                HOIST_STR_ARGS(step->instr->graph.text),
                                // list-form queues on other devices.
                                copies > 1 ? " by this name" : "");
        }
    }
}

// Fields ---------------------------------------------------------------------------------------

typedef enum need { OPTIONAL = 0, REQUIRED, FORBIDDEN } need;

// Rule 25, by queue type: which pointers a setting needs and which it may not have. The rest is
// optional.
// clang-format off
static const need needs[2][BUDA_S_COUNT] = {
    [BUDA_QUEUE] = {[BUDA_S_RD_PTR_LOCAL] = REQUIRED, [BUDA_S_RD_PTR_GLOBAL] = REQUIRED,
                    [BUDA_S_WR_PTR_GLOBAL] = FORBIDDEN},
    [BUDA_RAM]   = {[BUDA_S_RD_PTR_LOCAL] = FORBIDDEN, [BUDA_S_RD_PTR_GLOBAL] = REQUIRED,
                    [BUDA_S_WR_PTR_GLOBAL] = REQUIRED},
};
static const char *const type_names[2] = {[BUDA_QUEUE] = "queue", [BUDA_RAM] = "ram"};
// clang-format on

// A missing key is at the queue's name, one too many at the key.
static void check_keys(buda_setting_check *check, const buda_setting *setting, int type)
{
    // Refused: no map, and reported as such.
    for (int key = 0; key < BUDA_S_COUNT && !setting->refused; key++) {
        const hoist_pos pos = setting->fields[key].pos;
        if (needs[type][key] == REQUIRED && !buda_has(pos)) {
            buda_program_report(check->reporter, BUDA_025, setting->queue.pos, (size_t)key,
                                "the setting of %s '%.*s' has no %s, expected one",
                                type_names[type], HOIST_STR_ARGS(setting->queue.text),
                                buda_setting_key_name((buda_setting_key)key));
        } else if (needs[type][key] == FORBIDDEN && buda_has(pos)) {
            buda_program_report(check->reporter, BUDA_025, pos, 0,
                                "the setting of %s '%.*s' has %s, which a %s does not take",
                                type_names[type], HOIST_STR_ARGS(setting->queue.text),
                                buda_setting_key_name((buda_setting_key)key), type_names[type]);
        }
    }
}

// An operand as a bool, when it is written out: false for variables and absent fields, whatever
// `value` is.
static bool is_written(const buda_operand *operand, bool value)
{
    return operand->kind == BUDA_OPERAND_NUMBER && (operand->value != 0) == value;
}

// Rule 26: an op writes into the queue, so nothing may be written back from L1.
static void check_epilogue(buda_setting_check *check, const buda_bound *bound)
{
    const buda_net_queue *queue = &check->index->net->queues[bound->queue];
    if (queue->queue->type.value == BUDA_QUEUE && !queue->host_fed &&
        is_written(&bound->fields[BUDA_S_EPILOGUE], true)) {
        buda_program_report(check->reporter, BUDA_026, bound->setting->fields[BUDA_S_EPILOGUE].pos,
                            0, "op-fed queue '%.*s' has epilogue true, expected false",
                            HOIST_STR_ARGS(bound->setting->queue.text));
    }
}

// Rule 27. The vendor's parser compares the texts: "1" and "01" differ, "0" is off. An absent
// rd_ptr_autoinc is 1 for a queue and 0 for a ram by then (section 2.6).
static void check_steps(buda_setting_check *check, const buda_setting *setting, int type)
{
    static const hoist_str absent[2] = {[BUDA_QUEUE] = {"1", 1}, [BUDA_RAM] = {"0", 1}};
    const buda_token *local = &setting->fields[BUDA_S_RD_PTR_AUTOINC];
    const buda_token *global = &setting->fields[BUDA_S_GLOBAL_RDPTR_AUTOINC];
    const hoist_str step = buda_has(local->pos) ? local->text : absent[type];
    const bool both = buda_has(global->pos) && !hoist_str_equal_c(global->text, "0") &&
                      !hoist_str_equal_c(step, "0") && !local->refused && !global->refused;
    if (both && !hoist_str_equal(step, global->text)) {
        buda_program_report(
            check->reporter, BUDA_027, global->pos, 0,
            "global_rdptr_autoinc of queue '%.*s' is '%.*s', expected '%.*s' as rd_ptr_autoinc%s",
            HOIST_STR_ARGS(setting->queue.text), HOIST_STR_ARGS(global->text), HOIST_STR_ARGS(step),
            buda_has(local->pos) ? "" : " when that is left out");
    }
}

// Note 36e. Section 2.6: the specification has 0 select a default of the device, the golden model
// takes it as a step of 0.
static void note_zero_step(buda_setting_check *check, const buda_bound *bound)
{
    const buda_operand *step = &bound->fields[BUDA_S_RD_PTR_AUTOINC];
    if ((bound->use & BUDA_USE_READ) && step->kind == BUDA_OPERAND_NUMBER && step->value == 0) {
        buda_program_report(check->reporter, BUDA_036e,
                            bound->setting->fields[BUDA_S_RD_PTR_AUTOINC].pos, 0,
                            "rd_ptr_autoinc of queue '%.*s' is 0: every input reads the same entry",
                            HOIST_STR_ARGS(bound->setting->queue.text));
    }
}

// Rule 34c (C41): params only; other variables are allowed.
static void check_params(buda_setting_check *check, const buda_bound *bound)
{
    static const buda_setting_key keys[] = {BUDA_S_PROLOGUE, BUDA_S_EPILOGUE};
    for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
        const buda_operand *field = &bound->fields[keys[i]];
        if (field->kind == BUDA_OPERAND_VARIABLE && check->params[field->variable]) {
            const buda_token *token = &bound->setting->fields[keys[i]];
            buda_program_report(
                check->reporter, BUDA_034c, token->pos, 0,
                "%s of queue '%.*s' is bound to the param '%.*s'", buda_setting_key_name(keys[i]),
                HOIST_STR_ARGS(bound->setting->queue.text), HOIST_STR_ARGS(token->text));
        }
    }
}

// Facts over all executes ----------------------------------------------------------------------

// A YAML boolean, or else a token with 0 or 1.
static bool is_read_only(const buda_bound *bound)
{
    const hoist_str text = bound->setting->fields[BUDA_S_READ_ONLY].text;
    bool value = false;
    return hoist_yaml_to_bool(text, &value) ? value
                                            : is_written(&bound->fields[BUDA_S_READ_ONLY], true);
}

// Rule 30b, against the first setting of the file; variables may agree.
static void check_read_only(buda_setting_check *check, const buda_bound *bound,
                            const queue_facts *facts)
{
    const bool ram = check->index->net->queues[bound->queue].queue->type.value == BUDA_RAM;
    if (!ram || is_read_only(bound) == facts->read_only ||
        bound->fields[BUDA_S_READ_ONLY].kind == BUDA_OPERAND_VARIABLE) {
        return;
    }
    const hoist_pos pos = bound->setting->fields[BUDA_S_READ_ONLY].pos;
    buda_program_report(check->reporter, BUDA_030b, buda_has(pos) ? pos : bound->setting->queue.pos,
                        0, "read_only of ram '%.*s' is %s, the execute at line %u has %s",
                        HOIST_STR_ARGS(bound->setting->queue.text),
                        facts->read_only ? "false" : "true", facts->first->queue.pos.line,
                        facts->read_only ? "true" : "false");
}

// After the checks of this launch's setting: `first` is never compared with itself.
static void note_facts(buda_setting_check *check, const buda_bound *bound)
{
    queue_facts *facts = &check->facts[bound->queue];
    const buda_operand *zero = &bound->fields[BUDA_S_ZERO];
    if (!facts->has_settings) {
        facts->has_settings = true;
        facts->never_zeroed = true;
        facts->read_only = is_read_only(bound);
        facts->first = bound->setting;
        facts->first_program = check->reporter->program;
        facts->first_instr = check->reporter->instr;
    } else {
        check_read_only(check, bound, facts);
    }
    facts->launch = check->launches; // for check_missing()
    facts->never_zeroed =
        facts->never_zeroed && (zero->kind == BUDA_OPERAND_ABSENT || is_written(zero, false));
}

// Rule 28, behind note_facts() of all settings of this launch.
static void check_missing(buda_setting_check *check, const buda_step *step,
                          const buda_launch *launch)
{
    const buda_net *net = check->index->net;
    const size_t end = check->first_required[launch->graph + 1];
    // A list instead of a map has been reported; every queue would be missing.
    int missing = step->instr->settings_refused ? MAX_MISSING : 0;
    for (size_t i = check->first_required[launch->graph]; i < end && missing < MAX_MISSING; i++) {
        const buda_use *use = &check->required[i];
        if (check->facts[use->queue].launch == check->launches) {
            continue;
        }
        missing++;
        const bool reads = net->queues[use->queue].queue->type.value == BUDA_QUEUE;
        buda_program_report(
            check->reporter, BUDA_028, step->instr->graph.pos, use->queue,
            "no setting for %s '%.*s', which graph '%.*s' %s", reads ? "host-fed queue" : "ram",
            HOIST_STR_ARGS(net->queues[use->queue].name), HOIST_STR_ARGS(step->instr->graph.text),
            reads ? "reads" : "writes with a gradient op");
    }
}

// Once per launch: the copies of a list form have queues of their own.
void buda_setting_check_execute(buda_setting_check *check, const buda_step *step)
{
    for (size_t i = 0; i < step->launch_count; i++) {
        const buda_launch *launch = &step->launches[i];
        check->launches++;
        check_names(check, step, launch);
        for (size_t b = 0; b < launch->bound_count; b++) {
            const buda_bound *bound = &launch->bound[b];
            const int type = check->index->net->queues[bound->queue].queue->type.value;
            if (type == BUDA_QUEUE || type == BUDA_RAM) { // an unknown type has no table row
                check_keys(check, bound->setting, type);
                check_steps(check, bound->setting, type);
            }
            if (type == BUDA_QUEUE) {
                note_zero_step(check, bound);
            }
            check_epilogue(check, bound);
            check_params(check, bound);
            note_facts(check, bound);
        }
        check_missing(check, step, launch);
    }
}

// Rule 106: a gradient ram that no execute zeroes begins with whatever the host put there.
void buda_setting_check_end(buda_setting_check *check)
{
    const buda_index *index = check->index;
    for (size_t i = 0; i < check->first_required[index->net->graph_count]; i++) {
        const size_t queue = check->required[i].queue;
        const queue_facts *facts = &check->facts[queue];
        if ((check->required[i].flags & BUDA_USE_GRADIENT) && facts->has_settings &&
            facts->never_zeroed) {
            // The finding is shown in the program of the first setting, wherever the walk has
            // ended.
            check->reporter->program = facts->first_program;
            check->reporter->instr = facts->first_instr;
            buda_program_report(check->reporter, BUDA_106, facts->first->queue.pos, queue,
                                "no execute zeroes gradient ram '%.*s': a device adds to what the "
                                "host wrote there, the golden model does not read it",
                                HOIST_STR_ARGS(index->net->queues[queue].name));
        }
    }
}
