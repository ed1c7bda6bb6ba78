// formats/buda/simulate_state.c - what all parts of the simulator ask of its state: steps left, the
// instruction being run, values of operands and of settings.
#include "formats/buda/simulate_state.h"

#include "base/assert.h"
#include "base/span.h"

static const buda_sim_value unknown = {0, false};

// Steps between two looks at the deadline.
enum { STEPS_OF_LOOK = 1024 };

// False is sticky: at 0 nothing can be spent any more, and every loop of the simulator ends.
bool buda_sim_spend(buda_sim *s, uint64_t steps)
{
    if (s->steps_left % STEPS_OF_LOOK == 0 &&
        hoist_deadline_look(s->net->module->base.deadline) != HOIST_OK) {
        s->steps_left = 0;
    }
    s->steps_left -= steps < s->steps_left ? steps : s->steps_left;
    return s->steps_left != 0;
}

const buda_instr *buda_sim_instr(const buda_sim *s)
{
    HOIST_ASSERT(s->pc < s->code->count);
    return s->code->steps[s->pc].instr;
}

// Conversion through unsigned types: defined for all values, unlike a cast of a large signed
// number.
buda_sim_value buda_sim_number(int64_t value)
{
    return (buda_sim_value){(int32_t)(uint32_t)(uint64_t)value, true};
}

// An undeclared variable is 0 and not known: the zeroed state of `variables`.
buda_sim_value buda_sim_eval(buda_sim *s, const buda_operand *operand, const buda_token *token)
{
    if (operand->kind == BUDA_OPERAND_NUMBER) {
        return buda_sim_number(operand->value);
    }
    if (operand->kind != BUDA_OPERAND_VARIABLE) {
        return unknown;
    }
    const buda_sim_variable *variable = &s->variables[operand->variable];
    HOIST_ASSERT(operand->variable < s->code->variable_count);
    if (variable->kind == BUDA_SIM_UNDECLARED) {
        buda_program_report(s->reporter, BUDA_031b, token->pos, 0,
                            "variable '%.*s' is read, but not declared before",
                            HOIST_STR_ARGS(token->text));
    }
    return variable->value;
}

// 0 for a missing or senseless number; such queues are not followed.
uint64_t buda_sim_entries(const buda_sim *s, size_t queue)
{
    const int64_t entries = s->net->queues[queue].queue->entries.value;
    return entries > 0 && entries <= INT32_MAX ? (uint64_t)entries : 0;
}

bool buda_sim_is_ram(const buda_sim *s, size_t queue)
{
    return s->net->queues[queue].queue->type.value == BUDA_RAM;
}

// For locations; values come from bound->fields.
static const buda_token *setting_token(const buda_bound *bound, buda_setting_key key)
{
    return &bound->setting->fields[key];
}

// Absent fields have the default of the queue's type, which is always known.
buda_sim_value buda_sim_setting(buda_sim *s, const buda_bound *bound, buda_setting_key key)
{
    if (bound->fields[key].kind == BUDA_OPERAND_ABSENT) {
        return (buda_sim_value){buda_setting_default(buda_sim_is_ram(s, bound->queue), key), true};
    }
    return buda_sim_eval(s, &bound->fields[key], setting_token(bound, key));
}

hoist_pos buda_sim_field_pos(const buda_bound *bound, buda_setting_key key)
{
    const hoist_pos pos = setting_token(bound, key)->pos;
    return buda_has(pos) ? pos : bound->setting->queue.pos;
}
