// Programs as tree events: a map for each row and step, with the operands that the text writes, as
// fields.h lists them. In: a program, also one that does not verify. Out: events of a sink.
// Neighbours: print.c and print_fields.c, whose text views, types and targets are.
#include <string.h>

#include "base/span.h"
#include "base/tree.h"
#include "program/names.h"
#include "program/printer.h"
#include "program/text.h"

typedef struct sender {
    hoist_printer printer; // of the code at hand; its buffer has the text of one operand
    hoist_tree_sink *sink;
    bool positions;
    hoist_status status; // of the buffer
} sender;

// Texts ------------------------------------------------------------------------------------------

// The buffer is emptied for the next operand.
static void send_text(sender *s, const char *key)
{
    hoist_buffer *const out = s->printer.out;
    if (out->failed) {
        s->status = HOIST_NO_MEMORY;
        return;
    }
    hoist_tree_str(s->sink, key, hoist_buffer_text(out));
    out->size = 0;
}

// Names are sent as they are, without the quotes that a text needs.
// A row that does not exist is sent as the text has it, "@7".
static void send_ref(sender *s, const char *key, hoist_name_table table, hoist_ref ref)
{
    const hoist_names names =
        hoist_names_of(s->printer.program, table, s->printer.function, s->printer.code);
    if (ref < names.count) {
        hoist_tree_str(s->sink, key, hoist_names_at(&names, ref));
    } else {
        hoist_print_ref(&s->printer, table, ref);
        send_text(s, key);
    }
}

// A number, or the name of a register: readers tell them apart by their JSON types.
static void send_value(sender *s, const char *key, hoist_prog_value value)
{
    if (value.reg == HOIST_NO_REF) {
        hoist_tree_int(s->sink, key, value.number);
    } else {
        send_ref(s, key, HOIST_NAMES_REGISTER, value.reg);
    }
}

// As text: a view in parts would be a map of a dozen members at each operand.
static void send_view(sender *s, const char *key, hoist_ref view)
{
    hoist_print_view(&s->printer, view);
    send_text(s, key);
}

// Lists ------------------------------------------------------------------------------------------

static void send_fields(sender *s, const hoist_record *record, const void *row);

// A view as text, a register by its name, a number as a number.
static void send_argument(sender *s, const hoist_prog_argument *argument)
{
    if (argument->is_view) {
        send_view(s, "", argument->view);
    } else {
        send_value(s, "", argument->value);
    }
}

static void send_source(sender *s, const hoist_prog_move *move, uint32_t index)
{
    hoist_tree_map(s->sink, "");
    send_view(s, "view", move->sources[index].view);
    if (move->op == HOIST_MOVE_FMA) {
        hoist_tree_float(s->sink, "scale", (double)move->sources[index].scale, HOIST_UNIT_NONE);
    }
    hoist_tree_end(s->sink);
}

// The key is empty, as of all items of a list.
static void send_item(sender *s, const hoist_field *field, const void *row, uint32_t index)
{
    // These two are arrays in the struct, the others pointers.
    const void *items = field->type == HOIST_FIELD_AXES || field->type == HOIST_FIELD_SHAPE
                            ? (const uint8_t *)row + field->offset
                            : hoist_field_pointer(row, field->offset);
    switch (field->type) {
    case HOIST_FIELD_REFS:
        send_ref(s, "", field->table, ((const hoist_ref *)items)[index]);
        break;
    case HOIST_FIELD_VIEWS:
        send_view(s, "", ((const hoist_ref *)items)[index]);
        break;
    case HOIST_FIELD_ARGUMENTS:
        send_argument(s, (const hoist_prog_argument *)items + index);
        break;
    // A signal is a record by itself, with the operands of its step.
    case HOIST_FIELD_SIGNALS:
        hoist_tree_map(s->sink, "");
        send_fields(s, hoist_step_record(HOIST_STEP_SIGNAL),
                    (const hoist_prog_signal *)items + index);
        hoist_tree_end(s->sink);
        break;
    case HOIST_FIELD_SOURCES:
        send_source(s, row, index);
        break;
    case HOIST_FIELD_INTS:
        hoist_tree_int(s->sink, "", ((const int32_t *)items)[index]);
        break;
    case HOIST_FIELD_AXES:
        hoist_tree_uint(s->sink, "", ((const uint8_t *)items)[index], HOIST_UNIT_NONE);
        break;
    default:
        hoist_tree_int(s->sink, "", ((const hoist_shape *)items)->dim[index]);
        break;
    }
}

// Ends early when the sink has failed; the list is closed nevertheless.
static void send_list(sender *s, const char *key, const hoist_field *field, const void *row)
{
    hoist_shape shape = {.rank = 0};
    uint32_t count = 0;
    if (field->type == HOIST_FIELD_SHAPE) {
        memcpy(&shape, (const uint8_t *)row + field->offset, sizeof shape);
        count = (uint32_t)shape.rank;
    } else {
        count = hoist_field_u32(row, field->also);
    }
    hoist_tree_short_list(s->sink, key);
    for (uint32_t i = 0; i < count && s->sink->status == HOIST_OK && s->status == HOIST_OK; i++) {
        send_item(s, field, row, i);
    }
    hoist_tree_end(s->sink);
}

// Operands ---------------------------------------------------------------------------------------

// The operation and, as a member of its own, its attributes.
static void send_compute(sender *s, hoist_compute_op op, const hoist_compute_attrs *attrs)
{
    // Of a program that does not verify.
    if ((uint32_t)op >= HOIST_COMPUTE_COUNT) {
        hoist_tree_null(s->sink, "op");
        return;
    }
    const hoist_compute_def *def = hoist_compute_get(op);
    hoist_buffer_format(s->printer.out, "%s.%s", hoist_profile_name(def->profile), def->name);
    send_text(s, "op");
    hoist_tree_short_map(s->sink, "attributes");
    for (uint8_t i = 0; i < def->attr_count; i++) {
        const hoist_compute_value value = attrs->value[i];
        switch (def->attrs[i].kind) {
        case HOIST_COMPUTE_INT:
            hoist_tree_int(s->sink, def->attrs[i].name, value.integer);
            break;
        case HOIST_COMPUTE_FLOAT:
            hoist_tree_float(s->sink, def->attrs[i].name, (double)value.number, HOIST_UNIT_NONE);
            break;
        case HOIST_COMPUTE_DTYPE:
            hoist_tree_c(s->sink, def->attrs[i].name, hoist_dtype_get(value.dtype)->name);
            break;
        }
    }
    hoist_tree_end(s->sink);
}

// Widths differ, JSON has one kind of number.
static void send_number(sender *s, const char *key, const hoist_field *field, const uint8_t *at)
{
    uint64_t wide = 0;
    int64_t integer = 0;
    float single = 0;
    double number = 0;
    switch (field->type) {
    case HOIST_FIELD_U64:
    case HOIST_FIELD_ADDRESS:
        memcpy(&wide, at, sizeof wide);
        hoist_tree_uint(s->sink, key, wide, HOIST_UNIT_NONE);
        break;
    case HOIST_FIELD_I64:
        memcpy(&integer, at, sizeof integer);
        hoist_tree_int(s->sink, key, integer);
        break;
    case HOIST_FIELD_FLOAT:
        memcpy(&single, at, sizeof single);
        hoist_tree_float(s->sink, key, (double)single, HOIST_UNIT_NONE);
        break;
    case HOIST_FIELD_DOUBLE:
        memcpy(&number, at, sizeof number);
        hoist_tree_float(s->sink, key, number, HOIST_UNIT_NONE);
        break;
    default:
        hoist_tree_uint(s->sink, key, hoist_field_u32(at, 0), HOIST_UNIT_NONE);
        break;
    }
}

// Operands that only the text can say briefly.
static void send_printed(sender *s, const char *key, const hoist_field *field, const void *row)
{
    hoist_prog_target target;
    hoist_bytes bytes;
    switch (field->type) {
    case HOIST_FIELD_TYPE:
        hoist_print_type(&s->printer, (hoist_dtype)hoist_field_u32(row, field->offset),
                         hoist_field_u32(row, field->also));
        break;
    case HOIST_FIELD_VIEW:
        hoist_print_view(&s->printer, hoist_field_u32(row, field->offset));
        break;
    case HOIST_FIELD_TARGET:
        memcpy(&target, (const uint8_t *)row + field->offset, sizeof target);
        hoist_print_target(&s->printer, &target);
        break;
    default:
        memcpy(&bytes, (const uint8_t *)row + field->offset, sizeof bytes);
        hoist_print_hex(s->printer.out, bytes);
        break;
    }
    send_text(s, key);
}

// Words of the text are keys where they fit; rows with two operands of one word have `key`.
static const char *key_of(const hoist_field *field)
{
    if (field->key) {
        return field->key;
    }
    switch (field->type) {
    case HOIST_FIELD_TYPE:
        return "type";
    case HOIST_FIELD_TARGET:
        return "function";
    case HOIST_FIELD_REF:
        return field->word ? field->word : hoist_name_table_text(field->table);
    default:
        return field->word ? field->word : "name";
    }
}

// null for a value that is none of the enum's.
static void send_choice(sender *s, const char *key, const hoist_words *words, uint32_t value)
{
    hoist_tree_maybe_c(s->sink, key, value < words->count ? words->names[value] : NULL);
}

// The same cases as print_operand() in print_fields.c; what is a number or a name there is one
// here.
static void send_operand(sender *s, const hoist_field *field, const void *row)
{
    const char *const key = key_of(field);
    const uint8_t *const at = (const uint8_t *)row + field->offset;
    hoist_str name;
    hoist_prog_value value;
    hoist_compute_attrs attrs;
    switch (field->type) {
    case HOIST_FIELD_NAME:
        memcpy(&name, at, sizeof name);
        hoist_tree_str(s->sink, key, name);
        break;
    case HOIST_FIELD_FLAG:
        // Only flags that are set are written.
        hoist_tree_bool(s->sink, key, true);
        break;
    case HOIST_FIELD_CHOICE:
        send_choice(s, key, field->words, hoist_field_u32(at, 0));
        break;
    case HOIST_FIELD_REF:
        send_ref(s, key, field->table, hoist_field_u32(at, 0));
        break;
    case HOIST_FIELD_VALUE:
        memcpy(&value, at, sizeof value);
        send_value(s, key, value);
        break;
    case HOIST_FIELD_COMPUTE:
        memcpy(&attrs, (const uint8_t *)row + field->also, sizeof attrs);
        send_compute(s, (hoist_compute_op)hoist_field_u32(at, 0), &attrs);
        break;
    case HOIST_FIELD_TYPE:
    case HOIST_FIELD_VIEW:
    case HOIST_FIELD_TARGET:
    case HOIST_FIELD_BYTES:
        send_printed(s, key, field, row);
        break;
    case HOIST_FIELD_U32:
    case HOIST_FIELD_U64:
    case HOIST_FIELD_ADDRESS:
    case HOIST_FIELD_I64:
    case HOIST_FIELD_FLOAT:
    case HOIST_FIELD_DOUBLE:
    case HOIST_FIELD_STEP:
        send_number(s, key, field, at);
        break;
    default:
        send_list(s, key, field, row);
        break;
    }
}

// Operands that the text leaves out are left out here, too.
static void send_fields(sender *s, const hoist_record *record, const void *row)
{
    for (uint32_t i = 0; i < record->field_count && s->status == HOIST_OK; i++) {
        if (hoist_field_is_written(&record->fields[i], row)) {
            send_operand(s, &record->fields[i], row);
        }
    }
}

// Rows -------------------------------------------------------------------------------------------

// `pos` has line 0 for places in bytes: only texts have lines.
static void begin_row(const sender *s, hoist_loc loc)
{
    const hoist_pos pos = s->positions ? loc.pos : (hoist_pos){0, 0};
    hoist_tree_send(s->sink, &(hoist_tree_event){.kind = HOIST_TREE_MAP, .pos = pos});
}

// Both have to be asked: a buffer's failure is not the sink's.
static bool goes_on(const sender *s)
{
    return s->status == HOIST_OK && s->sink->status == HOIST_OK;
}

typedef struct rows {
    const char *key;
    hoist_row_kind kind;
    const void *items;
    uint32_t count;
    size_t size;
    size_t loc; // offset; SIZE_MAX: none
} rows;

// A program without rows of a kind has an empty list, so that readers find every key.
static void send_rows(sender *s, const rows *list)
{
    hoist_tree_list(s->sink, list->key);
    for (uint32_t i = 0; i < list->count && goes_on(s); i++) {
        const uint8_t *const row = (const uint8_t *)list->items + i * list->size;
        hoist_loc loc = hoist_loc_none();
        if (list->loc != SIZE_MAX) {
            memcpy(&loc, row + list->loc, sizeof loc);
        }
        begin_row(s, loc);
        send_fields(s, hoist_row_record(list->kind), row);
        hoist_tree_end(s->sink);
    }
    hoist_tree_end(s->sink);
}

// "step" first, as the keyword is first in the text.
static void send_step(sender *s, const hoist_prog_step *step)
{
    begin_row(s, step->loc);
    hoist_tree_c(s->sink, "step", hoist_step_record(step->kind)->keyword);
    if (step->label.size) {
        hoist_tree_str(s->sink, "label", step->label);
    }
    send_fields(s, hoist_step_record(step->kind), hoist_step_fields(step));
    hoist_tree_end(s->sink);
}

// `first_register`: integer parameters come before it.
static void send_code(sender *s, const hoist_prog_code *code, uint32_t first_register)
{
    const uint32_t count = code->register_count - first_register;
    const rows registers = {
        "registers", HOIST_ROW_REGISTER,      count ? code->registers + first_register : NULL,
        count,       sizeof *code->registers, SIZE_MAX};
    s->printer.code = code;
    send_rows(s, &registers);
    hoist_tree_list(s->sink, "steps");
    for (uint32_t i = 0; i < code->step_count && goes_on(s); i++) {
        // A kind that does not exist has no operands to send.
        if ((uint32_t)code->steps[i].kind < HOIST_STEP_COUNT) {
            send_step(s, &code->steps[i]);
        }
    }
    hoist_tree_end(s->sink);
    s->printer.code = NULL;
}

static void send_functions(sender *s)
{
    hoist_tree_list(s->sink, "functions");
    for (uint32_t i = 0; i < s->printer.program->function_count && goes_on(s); i++) {
        const hoist_prog_function *const f = &s->printer.program->functions[i];
        // Parameters have no place of their own.
        const rows parameters = {"parameters",       HOIST_ROW_PARAMETER,   f->parameters,
                                 f->parameter_count, sizeof *f->parameters, SIZE_MAX};
        uint32_t integers = 0;
        for (uint32_t k = 0; k < f->parameter_count; k++) {
            integers += !f->parameters[k].is_view;
        }
        s->printer.function = f;
        begin_row(s, f->loc);
        send_fields(s, hoist_row_record(HOIST_ROW_FUNCTION), f);
        send_rows(s, &parameters);
        send_code(s, &f->code, integers);
        hoist_tree_end(s->sink);
    }
    hoist_tree_end(s->sink);
    s->printer.function = NULL;
}

static void send_threads(sender *s)
{
    hoist_tree_list(s->sink, "threads");
    for (uint32_t i = 0; i < s->printer.program->thread_count && goes_on(s); i++) {
        const hoist_prog_thread *const thread = &s->printer.program->threads[i];
        begin_row(s, thread->loc);
        send_fields(s, hoist_row_record(HOIST_ROW_THREAD), thread);
        send_code(s, &thread->code, 0);
        hoist_tree_end(s->sink);
    }
    hoist_tree_end(s->sink);
}

// Threads by name, parameters as maps.
static void send_entry(sender *s, const hoist_prog_entry *entry)
{
    const hoist_program *const program = s->printer.program;
    send_fields(s, hoist_row_record(HOIST_ROW_ENTRY), entry);
    hoist_tree_short_list(s->sink, "start");
    for (uint32_t k = 0; k < entry->thread_count && goes_on(s); k++) {
        send_ref(s, "", HOIST_NAMES_THREAD, entry->threads[k]);
    }
    hoist_tree_end(s->sink);
    hoist_tree_list(s->sink, "parameters");
    for (uint32_t k = 0; k < entry->parameter_count && goes_on(s); k++) {
        const hoist_prog_entry_parameter *const row = &entry->parameters[k];
        // The register that it names is that thread's.
        s->printer.code =
            row->thread < program->thread_count ? &program->threads[row->thread].code : NULL;
        hoist_tree_map(s->sink, "");
        send_fields(s, hoist_row_record(HOIST_ROW_ENTRY_PARAMETER), row);
        hoist_tree_end(s->sink);
        s->printer.code = NULL;
    }
    hoist_tree_end(s->sink);
}

static void send_entries(sender *s)
{
    hoist_tree_list(s->sink, "entries");
    for (uint32_t i = 0; i < s->printer.program->entry_count && goes_on(s); i++) {
        begin_row(s, s->printer.program->entries[i].loc);
        send_entry(s, &s->printer.program->entries[i]);
        hoist_tree_end(s->sink);
    }
    hoist_tree_end(s->sink);
}

hoist_status hoist_program_send(const hoist_program *program, bool positions, hoist_tree_sink *sink)
{
    // Short, so that the macro below fits on its lines.
    const hoist_program *const g = program;
#define TABLE(key, kind, list, type)                                                               \
    {                                                                                              \
        key, HOIST_ROW_##kind, g->list##s, g->list##_count, sizeof(type), offsetof(type, loc)      \
    }
    // The names of rows, tables and counts follow one pattern in hoist_program.
    const rows tables[] = {
        TABLE("spaces", SPACE, space, hoist_prog_space),
        TABLE("buffers", BUFFER, buffer, hoist_prog_buffer),
        TABLE("relocations", RELOCATION, relocation, hoist_prog_relocation),
        TABLE("ports", PORT, port, hoist_prog_port),
        TABLE("needs", NEED, need, hoist_prog_need),
        TABLE("fifos", FIFO, fifo, hoist_prog_fifo),
        TABLE("units", UNIT, unit, hoist_prog_unit),
        TABLE("semaphores", SEMAPHORE, semaphore, hoist_prog_semaphore),
    };
#undef TABLE
    hoist_buffer text;
    // One buffer for all operands that are sent as text.
    hoist_buffer_init(&text, program->arena.alloc);
    sender s = {
        .printer = {.program = program, .out = &text}, .sink = sink, .positions = positions};
    hoist_tree_str(sink, "name", program->name);
    for (size_t i = 0; i < HOIST_COUNT_OF(tables); i++) {
        send_rows(&s, &tables[i]);
    }
    send_functions(&s);
    send_threads(&s);
    send_entries(&s);
    hoist_buffer_deinit(&text);
    return s.status != HOIST_OK ? s.status : sink->status;
}
