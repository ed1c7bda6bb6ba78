// References and choices of every row, by the table of operands (fields.h), and names (PRG-001 to
// 003, 019). All other parts rely on it.
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/span.h"
#include "program/names.h"
#include "program/verifier.h"

// The count is that of the table, for parameters and registers that of the code at hand.
static void check_ref(hoist_verifier *v, hoist_name_table table, hoist_ref ref,
                      const hoist_prog_code *code)
{
    const uint32_t count = hoist_names_of(v->program, table, v->function, code).count;
    if (ref < count) {
        return;
    }
    const bool local = table == HOIST_NAMES_REGISTER || table == HOIST_NAMES_PARAMETER;
    (void)hoist_verifier_fail(v, local ? HOIST_PRG_019 : HOIST_PRG_001,
                              "%s %" PRIu32 " does not exist, there are %" PRIu32,
                              hoist_name_table_text(table), ref, count);
}

// Numbers need no check.
static void check_value(hoist_verifier *v, hoist_prog_value value)
{
    if (value.reg != HOIST_NO_REF) {
        check_ref(v, HOIST_NAMES_REGISTER, value.reg, v->code);
    }
}

// `what` completes "7 is not ...".
static void check_choice(hoist_verifier *v, const char *what, uint32_t value, uint32_t count)
{
    if (value >= count) {
        (void)hoist_verifier_fail(v, HOIST_PRG_002, "%" PRIu32 " is not %s", value, what);
    }
}

// Enums come from a lowering or a text and may hold anything.
static void check_type(hoist_verifier *v, uint32_t dtype, hoist_ref layout)
{
    check_choice(v, "an element type", dtype, HOIST_DTYPE_COUNT);
    if (layout >= v->program->layout_count) {
        (void)hoist_verifier_fail(v, HOIST_PRG_001,
                                  "layout %" PRIu32 " does not exist, there are %" PRIu32, layout,
                                  v->program->layout_count);
        return;
    }
    check_choice(v, "a kind of layout", (uint32_t)v->program->layouts[layout].kind,
                 HOIST_LAYOUT_TILED + 1);
}

// A view that the step at hand names: what it is of, and what it takes from the code at hand.
// Views are checked at each step that uses them: parameter and register are those of its code.
static void check_view(hoist_verifier *v, hoist_ref ref)
{
    if (ref >= v->program->view_count) {
        (void)hoist_verifier_fail(v, HOIST_PRG_001,
                                  "view %" PRIu32 " does not exist, there are %" PRIu32, ref,
                                  v->program->view_count);
        return;
    }
    const hoist_prog_view *view = &v->program->views[ref];
    if ((uint32_t)view->base >= HOIST_VIEW_BASE_COUNT) {
        check_choice(v, "a kind of view", (uint32_t)view->base, HOIST_VIEW_BASE_COUNT);
        return;
    }
    check_ref(v, hoist_view_base_get(view->base)->table, view->of, v->code);
    check_type(v, (uint32_t)view->dtype, view->layout);
    if (view->reg != HOIST_NO_REF) {
        check_ref(v, HOIST_NAMES_REGISTER, view->reg, v->code);
    }
    const hoist_prog_function *f = v->function;
    if (view->base == HOIST_VIEW_PARAMETER && f && view->of < f->parameter_count &&
        !f->parameters[view->of].is_view) {
        (void)hoist_verifier_fail(v, HOIST_PRG_019, "parameter '%.*s' is a number, not a view",
                                  HOIST_STR_ARGS(f->parameters[view->of].name));
    }
}

// The only part that walks rows without knowing them.
static void check_record(hoist_verifier *v, const hoist_record *record, const void *row);

// Arguments are matched with every function of a table.
#define MAX_TABLE 4096

static void check_target(hoist_verifier *v, const hoist_prog_target *target)
{
    if (target->function != HOIST_NO_REF) {
        check_ref(v, HOIST_NAMES_FUNCTION, target->function, v->code);
        return;
    }
    check_value(v, target->index);
    if (target->table_count == 0 || target->table_count > MAX_TABLE) {
        (void)hoist_verifier_fail(v, HOIST_PRG_024,
                                  "the table has %" PRIu32 " functions, expected 1 to %d",
                                  target->table_count, MAX_TABLE);
        return;
    }
    for (uint32_t i = 0; i < target->table_count; i++) {
        check_ref(v, HOIST_NAMES_FUNCTION, target->table[i], v->code);
    }
}

// Kinds are compared with the parameters later, in verify_code.c.
static void check_argument(hoist_verifier *v, const hoist_prog_argument *argument)
{
    if (argument->is_view) {
        check_view(v, argument->view);
    } else {
        check_value(v, argument->value);
    }
}

// Lists of kinds other than these hold no references.
static void check_list(hoist_verifier *v, const hoist_field *field, const void *row)
{
    const void *list = hoist_field_pointer(row, field->offset);
    const uint32_t count = hoist_field_u32(row, field->also);
    for (uint32_t i = 0; i < count; i++) {
        switch (field->type) {
        case HOIST_FIELD_REFS:
            check_ref(v, field->table, ((const hoist_ref *)list)[i], v->code);
            break;
        case HOIST_FIELD_VIEWS:
            check_view(v, ((const hoist_ref *)list)[i]);
            break;
        case HOIST_FIELD_ARGUMENTS:
            check_argument(v, (const hoist_prog_argument *)list + i);
            break;
        case HOIST_FIELD_SIGNALS:
            check_record(v, hoist_step_record(HOIST_STEP_SIGNAL),
                         (const hoist_prog_signal *)list + i);
            break;
        default:
            check_view(v, ((const hoist_move_source *)list)[i].view);
            break;
        }
    }
}

// Kinds without a case hold neither a reference nor a choice.
static void check_field(hoist_verifier *v, const hoist_field *field, const void *row)
{
    hoist_prog_value value;
    hoist_prog_target target;
    // FLAG is a bool: four bytes from it on may not be there.
    const uint32_t first =
        field->type == HOIST_FIELD_FLAG ? 0 : hoist_field_u32(row, field->offset);
    switch (field->type) {
    case HOIST_FIELD_CHOICE:
        check_choice(v, field->words->what, first, field->words->count);
        break;
    case HOIST_FIELD_REF:
        // HOIST_NO_REF is what an operand that is left out holds.
        if (!field->optional || first != HOIST_NO_REF) {
            check_ref(v, field->table, first, v->code);
        }
        break;
    case HOIST_FIELD_VALUE:
        memcpy(&value, (const uint8_t *)row + field->offset, sizeof value);
        check_value(v, value);
        break;
    case HOIST_FIELD_TYPE:
        check_type(v, first, hoist_field_u32(row, field->also));
        break;
    case HOIST_FIELD_VIEW:
        if (!field->optional || first != HOIST_NO_REF) {
            check_view(v, first);
        }
        break;
    case HOIST_FIELD_TARGET:
        memcpy(&target, (const uint8_t *)row + field->offset, sizeof target);
        check_target(v, &target);
        break;
    // Attributes are ranges of the operation, which verify_data.c checks.
    case HOIST_FIELD_COMPUTE:
        check_choice(v, "an operation", first, HOIST_COMPUTE_COUNT);
        break;
    case HOIST_FIELD_REFS:
    case HOIST_FIELD_VIEWS:
    case HOIST_FIELD_ARGUMENTS:
    case HOIST_FIELD_SIGNALS:
    case HOIST_FIELD_SOURCES:
        check_list(v, field, row);
        break;
    default:
        break;
    }
}

static void check_record(hoist_verifier *v, const hoist_record *record, const void *row)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        const hoist_field *field = &record->fields[i];
        if (!field->used || field->used(row)) {
            check_field(v, field, row);
        }
    }
}

// Rows -------------------------------------------------------------------------------------------

// A map per table; its names are those of rows and need not be kept.
static void check_names(hoist_verifier *v, hoist_name_table table)
{
    const hoist_names names = hoist_names_of(v->program, table, v->function, v->code);
    const hoist_loc loc = v->loc;
    hoist_map map;
    hoist_map_init(&map, v->arena.alloc);
    for (uint32_t i = 0; i < names.count && !v->no_memory; i++) {
        const hoist_str name = hoist_names_at(&names, i);
        const hoist_status status = name.size ? hoist_map_add(&map, name, i, NULL) : HOIST_INVALID;
        v->no_memory |= status == HOIST_NO_MEMORY;
        v->loc = hoist_names_loc(&names, i, loc);
        if (status == HOIST_BUSY) {
            (void)hoist_verifier_fail(v, HOIST_PRG_003, "two %s are called '%.*s'",
                                      hoist_name_table_many(table), HOIST_STR_ARGS(name));
        } else if (status == HOIST_INVALID) {
            (void)hoist_verifier_fail(v, HOIST_PRG_003, "%s %" PRIu32 " has no name",
                                      hoist_name_table_text(table), i);
        }
    }
    v->loc = loc;
    hoist_map_deinit(&map);
}

// v->code is set for the registers that operands name.
static void check_code(hoist_verifier *v, const hoist_prog_code *code)
{
    v->code = code;
    check_names(v, HOIST_NAMES_REGISTER);
    for (uint32_t i = 0; i < code->register_count; i++) {
        check_record(v, hoist_row_record(HOIST_ROW_REGISTER), &code->registers[i]);
    }
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        v->step = i;
        v->loc = step->loc;
        if ((uint32_t)step->kind >= HOIST_STEP_COUNT) {
            check_choice(v, "a kind of step", (uint32_t)step->kind, HOIST_STEP_COUNT);
        } else {
            check_record(v, hoist_step_record(step->kind), hoist_step_fields(step));
        }
    }
    v->step = HOIST_NO_REF;
    v->code = NULL;
}

// A need names a port, so it is checked with them.
static void check_ports(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_PORT, i); i++) {
        check_record(v, hoist_row_record(HOIST_ROW_PORT), &p->ports[i]);
    }
    for (uint32_t i = 0; i < p->need_count; i++) {
        // A need has no name: the port's is used, if there is one.
        const hoist_ref port = p->needs[i].port;
        v->name = port < p->port_count ? p->ports[port].name : (hoist_str){NULL, 0};
        v->loc = p->needs[i].loc;
        check_record(v, hoist_row_record(HOIST_ROW_NEED), &p->needs[i]);
    }
}

// Spaces, units and semaphores refer to nothing.
static void check_rows(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_BUFFER, i); i++) {
        check_record(v, hoist_row_record(HOIST_ROW_BUFFER), &p->buffers[i]);
    }
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        const hoist_ref buffer = p->relocations[i].buffer;
        v->name = buffer < p->buffer_count ? p->buffers[buffer].name : (hoist_str){NULL, 0};
        v->loc = p->relocations[i].loc;
        check_record(v, hoist_row_record(HOIST_ROW_RELOCATION), &p->relocations[i]);
    }
    check_ports(v);
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_FIFO, i); i++) {
        check_record(v, hoist_row_record(HOIST_ROW_FIFO), &p->fifos[i]);
    }
}

// v->function stays set for views of its parameters.
static void check_functions(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_FUNCTION, i); i++) {
        const hoist_prog_function *f = &p->functions[i];
        v->function = f;
        // Parameters that are integers are registers, too, and are found twice when two have
        // one name.
        check_names(v, HOIST_NAMES_PARAMETER);
        for (uint32_t k = 0; k < f->parameter_count; k++) {
            check_record(v, hoist_row_record(HOIST_ROW_PARAMETER), &f->parameters[k]);
        }
        check_code(v, &f->code);
    }
    v->function = NULL;
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_THREAD, i); i++) {
        check_code(v, &p->threads[i].code);
    }
}

// Registers of a parameter are those of the thread that it names.
static void check_entries(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_ENTRY, i); i++) {
        const hoist_prog_entry *entry = &p->entries[i];
        for (uint32_t k = 0; k < entry->thread_count; k++) {
            check_record(v, hoist_row_record(HOIST_ROW_START), &entry->threads[k]);
        }
        for (uint32_t k = 0; k < entry->parameter_count; k++) {
            const hoist_ref thread = entry->parameters[k].thread;
            // Without the thread no register can be looked up; check_record() reports the
            // thread itself.
            v->code = thread < p->thread_count ? &p->threads[thread].code : NULL;
            check_record(v, hoist_row_record(HOIST_ROW_ENTRY_PARAMETER), &entry->parameters[k]);
            v->code = NULL;
        }
    }
}

// Names first: messages use them.
void hoist_verify_references(hoist_verifier *v)
{
    const hoist_str program = v->program->name;
    // The program's own tables; those of codes are checked with them.
    for (hoist_name_table table = 0; table < HOIST_NAMES_PARAMETER; table++) {
        v->table = table;
        v->name = program;
        v->loc = hoist_loc_none();
        check_names(v, table);
    }
    check_rows(v);
    check_functions(v);
    check_entries(v);
}
