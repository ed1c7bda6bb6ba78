// formats/buda/check_program.c - programs, instruction by instruction and without values: rules 21
// to 24, 29a, 29e, 30a, 31c, 31h, 36b; check_setting.c has the settings of executes, simulate.c
// what takes running the program (buda-netlist reference sections 2 and 5.2).
// In: steps of program_code.c, where names are resolved. Each program is walked once, in the order
// of the file.
#include "base/span.h"
#include "codec/yaml.h"
#include "formats/buda/check.h"
#include "formats/buda/check_setting.h"
#include "formats/buda/simulate.h"

typedef struct program_check {
    const buda_index *index;
    buda_reporter reporter;
    buda_setting_check *settings;
    const buda_code *code;
    size_t depth;   // of loops around the instruction ; 0 outside all loops
    bool *constant; // per variable: a `$c_` constant that a varinst has set
} program_check;

// Immediates (rules 31c, 36b) --------------------------------------------------------------------

// Variables and refused tokens are skipped; what variables hold is the simulation's.
static void check_immediate(program_check *c, const buda_token *token)
{
    int32_t value = 0;
    if (!buda_has(token->pos) || token->refused || hoist_str_contains(token->text, "$")) {
        return;
    }
    // The value is not needed: the simulation reads it again, from the resolved operand.
    switch (buda_immediate_read(token->text, &value)) {
    case BUDA_IMMEDIATE_PLAIN:
        break;
    case BUDA_IMMEDIATE_PREFIX:
        buda_program_report(&c->reporter, BUDA_036b, token->pos, 0,
                            "'%.*s' is no plain decimal number, its prefix %d is used",
                            HOIST_STR_ARGS(token->text), value);
        break;
    case BUDA_IMMEDIATE_BAD:
        buda_program_report(&c->reporter, BUDA_031c, token->pos, 0,
                            "'%.*s' is no immediate, expected a 32-bit decimal number, true, false "
                            "or a variable",
                            HOIST_STR_ARGS(token->text));
        break;
    }
}

// Where a bool is expected 0 and 1 are the only numbers (section 2.2).
static void check_bool(program_check *c, const buda_token *token, buda_setting_key key)
{
    int32_t value = 0;
    if (!buda_has(token->pos) || token->refused || hoist_str_contains(token->text, "$") ||
        (buda_immediate_read(token->text, &value) == BUDA_IMMEDIATE_PLAIN && value >= 0 &&
         value <= 1)) {
        return;
    }
    buda_program_report(&c->reporter, BUDA_031c, token->pos, 0,
                        "%s is '%.*s', expected true, false, 0, 1 or a variable",
                        buda_setting_key_name(key), HOIST_STR_ARGS(token->text));
}

// Three booleans, one YAML boolean, all others numbers.
static void check_setting_immediates(program_check *c, const buda_setting *setting)
{
    for (int key = 0; key < BUDA_S_COUNT; key++) {
        const buda_token *token = &setting->fields[key];
        bool value = false;
        if (key == BUDA_S_PROLOGUE || key == BUDA_S_EPILOGUE || key == BUDA_S_ZERO) {
            check_bool(c, token, (buda_setting_key)key);
        } else if (key != BUDA_S_READ_ONLY) {
            check_immediate(c, token);
        } else if (!hoist_yaml_to_bool(token->text, &value)) {
            // A bool of YAML, no token of the program: no and off are fine too.
            check_bool(c, token, BUDA_S_READ_ONLY);
        }
    }
}

// Declarations, operands, loop counts and settings: each instruction has some of them, the others
// are empty.
static void check_immediates(program_check *c, const buda_instr *instr)
{
    for (size_t i = 0; i < instr->decl_count; i++) {
        check_immediate(c, &instr->decls[i].value);
    }
    for (size_t i = 0; i < instr->operand_count; i++) {
        check_immediate(c, &instr->operands[i]);
    }
    check_immediate(c, &instr->count);
    for (size_t i = 0; i < instr->setting_count; i++) {
        check_setting_immediates(c, &instr->settings[i]);
    }
}

// Names of variables: the vendor's parser stops at one that has no `$`

// Rule 21, 22 or 23, by the instruction that has the name.
static void check_variable_name(program_check *c, const buda_token *name, buda_rule rule)
{
    if (buda_has(name->pos) && !name->refused && !hoist_str_contains(name->text, "$")) {
        buda_program_report(&c->reporter, rule, name->pos, 0,
                            "'%.*s' is no variable, expected a name with a $",
                            HOIST_STR_ARGS(name->text));
    }
}

// Instructions ---------------------------------------------------------------------------------

// Rule 30a: the device's loop reads constants once, before it starts. Before that a constant may
// be worked out in steps (mul, add), as many netlists do; only a second `set` is one too many.
static void check_constant(program_check *c, const buda_step *step)
{
    const buda_token *name = &step->instr->destination;
    const size_t variable = step->variables[0];
    // Names are without `$` here.
    if (!buda_has(name->pos) || !hoist_str_starts_with(c->code->variables[variable], "c_")) {
        return;
    }
    const bool sets = step->instr->var_op == BUDA_V_SET;
    if (c->depth) {
        buda_program_report(&c->reporter, BUDA_030a, name->pos, 0,
                            "constant '%.*s' is changed in a loop", HOIST_STR_ARGS(name->text));
    } else if (sets && c->constant[variable]) { // the first `set` is its definition
        buda_program_report(&c->reporter, BUDA_030a, name->pos, 0,
                            "constant '%.*s' is set a second time", HOIST_STR_ARGS(name->text));
    }
    c->constant[variable] = c->constant[variable] || sets;
}

// Unmatched ends do not change the depth, or it would wrap below 0.
static void check_loop(program_check *c, const buda_step *step)
{
    const bool begins = step->instr->kind == BUDA_I_LOOP;
    if (step->match == BUDA_NO_INDEX) {
        buda_program_report(&c->reporter, BUDA_031h, step->instr->pos, 0, "%s",
                            begins ? "loop without endloop" : "endloop without loop");
    } else {
        c->depth += begins ? 1 : (size_t)-1;
    }
}

// For allocate_queue and deallocate_queue alike.
static void check_queue_names(program_check *c, const buda_step *step)
{
    for (size_t i = 0; i < step->instr->queues.count; i++) {
        const buda_name *name = &step->instr->queues.items[i];
        size_t copies = 0;
        const size_t queue = buda_index_queue(c->index, name->text, &copies);
        if (queue == BUDA_NO_INDEX) {
            buda_program_report(&c->reporter, BUDA_029a, name->pos, 0,
                                "%.*s of '%.*s', which is no queue",
                                HOIST_STR_ARGS(step->instr->word), HOIST_STR_ARGS(name->text));
            // The same for all copies.
        } else if (c->index->net->queues[queue].queue->loc.value == BUDA_LOC_HOST) {
            // Either instruction makes the queue dynamic, and those are in DRAM only (section 2.8).
            buda_program_report(&c->reporter, BUDA_029e, name->pos, 0,
                                "dynamic queue '%.*s' is in host memory, expected loc dram",
                                HOIST_STR_ARGS(name->text));
        }
    }
}

// By kind; immediates are in any instruction.
static void check_step(program_check *c, const buda_step *step)
{
    const buda_instr *instr = step->instr;
    check_immediates(c, instr);
    switch (instr->kind) {
    case BUDA_I_LOOP:
    case BUDA_I_ENDLOOP:
        check_loop(c, step);
        break;
    case BUDA_I_VARINST:
        check_variable_name(c, &instr->destination, BUDA_023);
        check_constant(c, step);
        break;
    case BUDA_I_EXECUTE:
        // A missing name is the reader's finding.
        if (buda_has(instr->graph.pos) && step->launch_count == 0) {
            buda_program_report(&c->reporter, BUDA_024, instr->graph.pos, 0,
                                "execute of '%.*s', which is no graph",
                                HOIST_STR_ARGS(instr->graph.text));
        }
        buda_setting_check_execute(c->settings, step);
        break;
    case BUDA_I_ALLOCATE:
    case BUDA_I_DEALLOCATE:
        check_queue_names(c, step);
        break;
    case BUDA_I_VAR:
    case BUDA_I_STATICVAR:
    case BUDA_I_PARAM:
        for (size_t i = 0; i < instr->decl_count; i++) {
            check_variable_name(c, &instr->decls[i].name,
                                instr->kind == BUDA_I_PARAM ? BUDA_022 : BUDA_021);
        }
        break;
    case BUDA_I_ENDPROGRAM: // rules 21, 36a: the reader's
    case BUDA_I_UNKNOWN:
        break;
    }
}

// `constant` is per program, as variables are.
static hoist_status check_program(program_check *c, const buda_code *code)
{
    c->code = code;
    c->depth = 0;
    c->reporter.program = code->program;
    c->constant = hoist_arena_array(c->index->arena, code->variable_count, sizeof(*c->constant));
    HOIST_TRY_MEMORY(c->constant && buda_setting_check_begin(c->settings, code));
    for (size_t i = 0; i < code->count; i++) {
        c->reporter.instr = i;
        check_step(c, &code->steps[i]);
    }
    return HOIST_OK;
}

// Codes of all programs are kept, because the simulation runs them one after the other and
// compares their queues.
static hoist_status check_all(program_check *c)
{
    const hoist_buda_module *module = c->index->net->module;
    // Zeroed: one per program.
    buda_code *codes = hoist_arena_array(c->index->arena, module->program_count, sizeof(*codes));
    c->settings = buda_setting_check_create(c->index, &c->reporter);
    HOIST_TRY_MEMORY(codes && c->settings);
    for (size_t i = 0; i < module->program_count; i++) {
        HOIST_TRY(hoist_deadline_look(module->base.deadline));
        HOIST_TRY(buda_code_build(c->index, &module->programs[i], &codes[i]));
        HOIST_TRY(check_program(c, &codes[i]));
    }
    buda_setting_check_end(c->settings);
    return buda_simulate(c->index, codes, NULL, &c->reporter);
}

// Scratch of the check holds index and codes; a second check of the same module builds them again.
hoist_status buda_check_programs(const buda_check *c)
{
    buda_index index;
    hoist_status status = buda_index_build(c->net, c->scratch, &index);
    program_check check = {.index = &index};
    buda_reporter_init(&check.reporter, c->diag, c->scratch);
    if (status == HOIST_OK) {
        status = check_all(&check);
    }
    // The deadline may have ended a part early with HOIST_OK: asked here, so that a shortened
    // check is not taken for a clean one.
    const hoist_status ended = hoist_deadline_look(c->module->base.deadline);
    if (ended != HOIST_OK) {
        status = ended;
    } else if (status == HOIST_LIMIT) {
        status = buda_fail_limit(c->options, c->diag, &buda_code_limit);
    }
    if (status == HOIST_OK && check.reporter.no_memory) {
        status = HOIST_NO_MEMORY;
    }
    buda_reporter_deinit(&check.reporter);
    buda_index_deinit(&index);
    return status;
}
