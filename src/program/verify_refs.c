// program/verify_refs.c - every reference and choice, by the table of operands; names.
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/span.h"
#include "program/judge.h"
#include "program/names.h"

static uint32_t load_u32(const void *record, size_t offset)
{
    uint32_t value = 0;
    memcpy(&value, (const uint8_t *)record + offset, sizeof value);
    return value;
}

static const void *load_pointer(const void *record, size_t offset)
{
    const void *value = NULL;
    memcpy(&value, (const uint8_t *)record + offset, sizeof value);
    return value;
}

static void judge_ref(hoist_judge *j, hoist_name_table table, hoist_ref ref,
                      const hoist_prog_code *code)
{
    const uint32_t count = hoist_names_of(j->program, table, j->function, code).count;
    if (ref < count) {
        return;
    }
    const bool local = table == HOIST_NAMES_REGISTER || table == HOIST_NAMES_PARAMETER;
    (void)hoist_judge_fail(j, local ? HOIST_PRG_019 : HOIST_PRG_001,
                           "%s %" PRIu32 " does not exist, there are %" PRIu32,
                           hoist_name_table_text(table), ref, count);
}

static void judge_value(hoist_judge *j, hoist_prog_value value)
{
    if (value.reg != HOIST_NO_REF) {
        judge_ref(j, HOIST_NAMES_REGISTER, value.reg, j->code);
    }
}

static void judge_choice(hoist_judge *j, const char *what, uint32_t value, uint32_t count)
{
    if (value >= count) {
        (void)hoist_judge_fail(j, HOIST_PRG_002, "%" PRIu32 " is not %s", value, what);
    }
}

static void judge_type(hoist_judge *j, uint32_t dtype, hoist_ref layout)
{
    judge_choice(j, "an element type", dtype, HOIST_DTYPE_COUNT);
    if (layout >= j->program->layout_count) {
        (void)hoist_judge_fail(j, HOIST_PRG_001,
                               "layout %" PRIu32 " does not exist, there are %" PRIu32, layout,
                               j->program->layout_count);
        return;
    }
    judge_choice(j, "a kind of layout", (uint32_t)j->program->layouts[layout].kind,
                 HOIST_LAYOUT_TILED + 1);
}

// A view that the step at hand names: what it is of, and what it takes from the code at hand.
static void judge_view(hoist_judge *j, hoist_ref ref)
{
    if (ref >= j->program->view_count) {
        (void)hoist_judge_fail(j, HOIST_PRG_001,
                               "view %" PRIu32 " does not exist, there are %" PRIu32, ref,
                               j->program->view_count);
        return;
    }
    const hoist_prog_view *view = &j->program->views[ref];
    if ((uint32_t)view->base >= HOIST_VIEW_BASE_COUNT) {
        judge_choice(j, "a kind of view", (uint32_t)view->base, HOIST_VIEW_BASE_COUNT);
        return;
    }
    judge_ref(j, hoist_view_base_get(view->base)->table, view->of, j->code);
    judge_type(j, (uint32_t)view->dtype, view->layout);
    if (view->reg != HOIST_NO_REF) {
        judge_ref(j, HOIST_NAMES_REGISTER, view->reg, j->code);
    }
    const hoist_prog_function *f = j->function;
    if (view->base == HOIST_VIEW_PARAMETER && f && view->of < f->parameter_count &&
        !f->parameters[view->of].is_view) {
        (void)hoist_judge_fail(j, HOIST_PRG_019, "parameter '%.*s' is a number, not a view",
                               HOIST_STR_ARGS(f->parameters[view->of].name));
    }
}

static void judge_record(hoist_judge *j, const hoist_record *record, const void *row);

// Arguments are matched with every function of a table.
#define MAX_TABLE 4096

static void judge_target(hoist_judge *j, const hoist_prog_target *target)
{
    if (target->function != HOIST_NO_REF) {
        judge_ref(j, HOIST_NAMES_FUNCTION, target->function, j->code);
        return;
    }
    judge_value(j, target->index);
    if (target->table_count == 0 || target->table_count > MAX_TABLE) {
        (void)hoist_judge_fail(j, HOIST_PRG_024,
                               "the table has %" PRIu32 " functions, wanted 1 to %d",
                               target->table_count, MAX_TABLE);
        return;
    }
    for (uint32_t i = 0; i < target->table_count; i++) {
        judge_ref(j, HOIST_NAMES_FUNCTION, target->table[i], j->code);
    }
}

static void judge_argument(hoist_judge *j, const hoist_prog_argument *argument)
{
    if (argument->is_view) {
        judge_view(j, argument->view);
    } else {
        judge_value(j, argument->value);
    }
}

static void judge_list(hoist_judge *j, const hoist_field *field, const void *row)
{
    const void *list = load_pointer(row, field->offset);
    const uint32_t count = load_u32(row, field->also);
    for (uint32_t i = 0; i < count; i++) {
        switch (field->type) {
        case HOIST_FIELD_REFS:
            judge_ref(j, field->table, ((const hoist_ref *)list)[i], j->code);
            break;
        case HOIST_FIELD_VIEWS:
            judge_view(j, ((const hoist_ref *)list)[i]);
            break;
        case HOIST_FIELD_ARGUMENTS:
            judge_argument(j, (const hoist_prog_argument *)list + i);
            break;
        case HOIST_FIELD_SIGNALS:
            judge_record(j, hoist_step_record(HOIST_STEP_SIGNAL),
                         (const hoist_prog_signal *)list + i);
            break;
        default:
            judge_view(j, ((const hoist_move_source *)list)[i].view);
            break;
        }
    }
}

static void judge_field(hoist_judge *j, const hoist_field *field, const void *row)
{
    hoist_prog_value value;
    hoist_prog_target target;
    const uint32_t first = field->type == HOIST_FIELD_FLAG ? 0 : load_u32(row, field->offset);
    switch (field->type) {
    case HOIST_FIELD_CHOICE:
        judge_choice(j, field->words->what, first, field->words->count);
        break;
    case HOIST_FIELD_REF:
        if (!field->optional || first != HOIST_NO_REF) {
            judge_ref(j, field->table, first, j->code);
        }
        break;
    case HOIST_FIELD_VALUE:
        memcpy(&value, (const uint8_t *)row + field->offset, sizeof value);
        judge_value(j, value);
        break;
    case HOIST_FIELD_TYPE:
        judge_type(j, first, load_u32(row, field->also));
        break;
    case HOIST_FIELD_VIEW:
        if (!field->optional || first != HOIST_NO_REF) {
            judge_view(j, first);
        }
        break;
    case HOIST_FIELD_TARGET:
        memcpy(&target, (const uint8_t *)row + field->offset, sizeof target);
        judge_target(j, &target);
        break;
    case HOIST_FIELD_COMPUTE:
        judge_choice(j, "an operation", first, HOIST_COMPUTE_COUNT);
        break;
    case HOIST_FIELD_REFS:
    case HOIST_FIELD_VIEWS:
    case HOIST_FIELD_ARGUMENTS:
    case HOIST_FIELD_SIGNALS:
    case HOIST_FIELD_SOURCES:
        judge_list(j, field, row);
        break;
    default:
        break;
    }
}

static void judge_record(hoist_judge *j, const hoist_record *record, const void *row)
{
    for (uint32_t i = 0; i < record->field_count; i++) {
        const hoist_field *field = &record->fields[i];
        if (!field->used || field->used(row)) {
            judge_field(j, field, row);
        }
    }
}

// Rows -------------------------------------------------------------------------------------------

static void judge_names(hoist_judge *j, hoist_name_table table)
{
    const hoist_names names = hoist_names_of(j->program, table, j->function, j->code);
    const hoist_loc loc = j->loc;
    hoist_map map;
    hoist_map_init(&map, j->arena.alloc);
    for (uint32_t i = 0; i < names.count && !j->no_memory; i++) {
        const hoist_str name = hoist_names_at(&names, i);
        const hoist_status status = name.size ? hoist_map_add(&map, name, i, NULL) : HOIST_INVALID;
        j->no_memory |= status == HOIST_NO_MEMORY;
        j->loc = hoist_names_loc(&names, i, loc);
        if (status == HOIST_BUSY) {
            (void)hoist_judge_fail(j, HOIST_PRG_003, "two %s are called '%.*s'",
                                   hoist_name_table_many(table), HOIST_STR_ARGS(name));
        } else if (status == HOIST_INVALID) {
            (void)hoist_judge_fail(j, HOIST_PRG_003, "%s %" PRIu32 " has no name",
                                   hoist_name_table_text(table), i);
        }
    }
    j->loc = loc;
    hoist_map_deinit(&map);
}

static void judge_code(hoist_judge *j, const hoist_prog_code *code)
{
    j->code = code;
    judge_names(j, HOIST_NAMES_REGISTER);
    for (uint32_t i = 0; i < code->register_count; i++) {
        judge_record(j, hoist_row_record(HOIST_ROW_REGISTER), &code->registers[i]);
    }
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        j->step = i;
        j->loc = step->loc;
        if ((uint32_t)step->kind >= HOIST_STEP_COUNT) {
            judge_choice(j, "a kind of step", (uint32_t)step->kind, HOIST_STEP_COUNT);
        } else {
            judge_record(j, hoist_step_record(step->kind), hoist_step_fields(step));
        }
    }
    j->step = HOIST_NO_REF;
    j->code = NULL;
}

static void judge_rows(hoist_judge *j)
{
    const hoist_program *p = j->program;
    j->table = HOIST_NAMES_BUFFER;
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        j->name = p->buffers[i].name;
        j->loc = p->buffers[i].loc;
        judge_record(j, hoist_row_record(HOIST_ROW_BUFFER), &p->buffers[i]);
    }
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        const hoist_ref buffer = p->relocations[i].buffer;
        j->name = buffer < p->buffer_count ? p->buffers[buffer].name : (hoist_str){NULL, 0};
        j->loc = p->relocations[i].loc;
        judge_record(j, hoist_row_record(HOIST_ROW_RELOCATION), &p->relocations[i]);
    }
    j->table = HOIST_NAMES_FIFO;
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        j->name = p->fifos[i].name;
        j->loc = p->fifos[i].loc;
        judge_record(j, hoist_row_record(HOIST_ROW_FIFO), &p->fifos[i]);
    }
}

static void judge_functions(hoist_judge *j)
{
    const hoist_program *p = j->program;
    j->table = HOIST_NAMES_FUNCTION;
    for (uint32_t i = 0; i < p->function_count; i++) {
        const hoist_prog_function *f = &p->functions[i];
        j->name = f->name;
        j->loc = f->loc;
        j->function = f;
        judge_names(j, HOIST_NAMES_PARAMETER);
        for (uint32_t k = 0; k < f->parameter_count; k++) {
            judge_record(j, hoist_row_record(HOIST_ROW_PARAMETER), &f->parameters[k]);
        }
        judge_code(j, &f->code);
    }
    j->function = NULL;
    j->table = HOIST_NAMES_THREAD;
    for (uint32_t i = 0; i < p->thread_count; i++) {
        j->name = p->threads[i].name;
        j->loc = p->threads[i].loc;
        judge_code(j, &p->threads[i].code);
    }
}

static void judge_entries(hoist_judge *j)
{
    const hoist_program *p = j->program;
    j->table = HOIST_NAMES_ENTRY;
    for (uint32_t i = 0; i < p->entry_count; i++) {
        const hoist_prog_entry *entry = &p->entries[i];
        j->name = entry->name;
        j->loc = entry->loc;
        for (uint32_t k = 0; k < entry->thread_count; k++) {
            judge_record(j, hoist_row_record(HOIST_ROW_START), &entry->threads[k]);
        }
        for (uint32_t k = 0; k < entry->parameter_count; k++) {
            const hoist_ref thread = entry->parameters[k].thread;
            j->code = thread < p->thread_count ? &p->threads[thread].code : NULL;
            judge_record(j, hoist_row_record(HOIST_ROW_ENTRY_PARAMETER), &entry->parameters[k]);
            j->code = NULL;
        }
    }
}

void hoist_judge_references(hoist_judge *j)
{
    const hoist_str program = j->program->name;
    for (hoist_name_table table = 0; table < HOIST_NAMES_PARAMETER; table++) {
        j->table = table;
        j->name = program;
        j->loc = hoist_loc_none();
        judge_names(j, table);
    }
    judge_rows(j);
    judge_functions(j);
    judge_entries(j);
}
