// The operands of one line of the text form, printed as fields.h lists them; read_fields.c is the
// inverse.
#include <inttypes.h>
#include <string.h>

#include "program/names.h"
#include "program/printer.h"

// Members are copied out by offset: a row is of any type here.
static void load(void *out, const void *record, size_t offset, size_t size)
{
    memcpy(out, (const uint8_t *)record + offset, size);
}

static bool load_bool(const void *record, size_t offset)
{
    bool value = false;
    load(&value, record, offset, sizeof value);
    return value;
}

// "@7" for a row that does not exist; read_scalars.c reads it back.
void hoist_print_ref(const hoist_printer *p, hoist_name_table table, hoist_ref ref)
{
    const hoist_names names = hoist_names_of(p->program, table, p->function, p->code);
    if (ref < names.count) {
        hoist_print_name(p->out, hoist_names_at(&names, ref));
    } else {
        hoist_buffer_format(p->out, "@%" PRIu32, ref);
    }
}

// A register by its name, @N where it does not exist.
static void print_value(const hoist_printer *p, hoist_prog_value value)
{
    if (value.reg == HOIST_NO_REF) {
        hoist_buffer_format(p->out, "%" PRId64, value.number);
    } else {
        hoist_print_ref(p, HOIST_NAMES_REGISTER, value.reg);
    }
}

// Types and views --------------------------------------------------------------------------------

// f32[4, 4], or f32[4, 4] by [32, 4] where rows have gaps.
static void print_strided(const hoist_printer *p, const hoist_prog_layout *layout,
                          hoist_dtype dtype)
{
    hoist_print_i64s(p->out, layout->shape.dim, layout->shape.rank);
    int64_t dense[HOIST_MAX_RANK];
    bool same = hoist_layout_dense(&layout->shape, dtype, dense);
    for (int i = 0; same && i < layout->shape.rank; i++) {
        same = dense[i] == layout->stride[i];
    }
    if (!same) {
        hoist_buffer_c(p->out, " by ");
        hoist_print_i64s(p->out, layout->stride, layout->shape.rank);
    }
}

// bf16 tiled(t 2), f32[4, 4], f32 @9.
void hoist_print_type(const hoist_printer *p, hoist_dtype dtype, hoist_ref ref)
{
    hoist_buffer_c(p->out, hoist_dtype_get(dtype)->name);
    if (ref >= p->program->layout_count) {
        hoist_buffer_format(p->out, " @%" PRIu32, ref);
        return;
    }
    const hoist_prog_layout *layout = &p->program->layouts[ref];
    if (layout->kind == HOIST_LAYOUT_STRIDED) {
        print_strided(p, layout, dtype);
        return;
    }
    hoist_buffer_format(p->out, " %s(", hoist_tiling_record()->keyword);
    hoist_print_fields(p, hoist_tiling_record(), layout);
    hoist_buffer_char(p->out, ')');
}

// read(q) bf16 tiled() + 2 + i * 4: base, type, offset, register.
void hoist_print_view(const hoist_printer *p, hoist_ref ref)
{
    const hoist_program *program = p->program;
    const bool known =
        ref < program->view_count && (uint32_t)program->views[ref].base < HOIST_VIEW_BASE_COUNT;
    if (!known) {
        // A view has no name, so one that does not exist needs a form of its own.
        hoist_buffer_format(p->out, "view(@%" PRIu32 ")", ref);
        return;
    }
    const hoist_prog_view *view = &program->views[ref];
    const hoist_view_base_row *base = hoist_view_base_get(view->base);
    if (base->word) {
        hoist_buffer_format(p->out, "%s(", base->word);
    }
    hoist_print_ref(p, base->table, view->of);
    hoist_buffer_c(p->out, base->word ? ") " : " ");
    hoist_print_type(p, view->dtype, view->layout);
    if (view->offset != 0) {
        hoist_buffer_format(p->out, " + %" PRId64, view->offset);
    }
    if (view->reg != HOIST_NO_REF) {
        hoist_buffer_c(p->out, " + ");
        hoist_print_ref(p, HOIST_NAMES_REGISTER, view->reg);
        hoist_buffer_format(p->out, " * %" PRId64, view->reg_factor);
    }
}

// Lists and calls --------------------------------------------------------------------------------

// [a f32[4], b f32[4]].
static void print_views(const hoist_printer *p, const hoist_ref *views, uint32_t count)
{
    hoist_buffer_char(p->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        hoist_buffer_c(p->out, i ? ", " : "");
        hoist_print_view(p, views[i]);
    }
    hoist_buffer_char(p->out, ']');
}

// [f, g].
static void print_refs(const hoist_printer *p, hoist_name_table table, const hoist_ref *refs,
                       uint32_t count)
{
    hoist_buffer_char(p->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        hoist_buffer_c(p->out, i ? ", " : "");
        hoist_print_ref(p, table, refs[i]);
    }
    hoist_buffer_char(p->out, ']');
}

// f, or [f, g] at i; arguments are an operand of their own.
void hoist_print_target(const hoist_printer *p, const hoist_prog_target *target)
{
    if (target->function != HOIST_NO_REF) {
        hoist_print_ref(p, HOIST_NAMES_FUNCTION, target->function);
        return;
    }
    print_refs(p, HOIST_NAMES_FUNCTION, target->table, target->table_count);
    hoist_buffer_c(p->out, " at ");
    print_value(p, target->index);
}

// A view is told from a register by the type that follows its name.
static void print_arguments(const hoist_printer *p, const hoist_prog_argument *arguments,
                            uint32_t count)
{
    hoist_buffer_char(p->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        hoist_buffer_c(p->out, i ? ", " : "");
        if (arguments[i].is_view) {
            hoist_print_view(p, arguments[i].view);
        } else {
            print_value(p, arguments[i].value);
        }
    }
    hoist_buffer_char(p->out, ']');
}

// [done add 1, ready set 0].
static void print_signals(const hoist_printer *p, const hoist_prog_signal *signals, uint32_t count)
{
    hoist_buffer_char(p->out, '[');
    for (uint32_t i = 0; i < count; i++) {
        hoist_buffer_c(p->out, i ? ", " : "");
        hoist_print_fields(p, hoist_step_record(HOIST_STEP_SIGNAL), &signals[i]);
    }
    hoist_buffer_char(p->out, ']');
}

// Scales are printed for fma alone, where they mean something.
static void print_sources(const hoist_printer *p, const hoist_prog_move *move)
{
    hoist_buffer_char(p->out, '[');
    for (uint32_t i = 0; i < move->source_count; i++) {
        hoist_buffer_c(p->out, i ? ", " : "");
        hoist_print_view(p, move->sources[i].view);
        if (move->op == HOIST_MOVE_FMA) {
            hoist_buffer_c(p->out, " scale ");
            hoist_print_float(p->out, move->sources[i].scale);
        }
    }
    hoist_buffer_char(p->out, ']');
}

// All attributes are printed, also zeros: a text shows all that a step has.
static void print_attr(hoist_buffer *out, const hoist_compute_attr_def *def,
                       hoist_compute_value value)
{
    hoist_buffer_format(out, "%s ", def->name);
    switch (def->kind) {
    case HOIST_COMPUTE_INT:
        hoist_buffer_format(out, "%" PRId64, value.integer);
        break;
    case HOIST_COMPUTE_FLOAT:
        hoist_print_float(out, value.number);
        break;
    case HOIST_COMPUTE_DTYPE:
        hoist_buffer_c(out, hoist_dtype_get(value.dtype)->name);
        break;
    }
}

// golden.exp(vector 0): profile, operation, attributes by name.
static void print_compute(hoist_buffer *out, hoist_compute_op op, const hoist_compute_attrs *attrs)
{
    if ((uint32_t)op >= HOIST_COMPUTE_COUNT) {
        hoist_buffer_format(out, "@%u", (unsigned)op);
        return;
    }
    const hoist_compute_def *def = hoist_compute_get(op);
    hoist_buffer_format(out, "%s.%s", hoist_profile_name(def->profile), def->name);
    if (def->attr_count == 0) {
        return;
    }
    for (uint8_t i = 0; i < def->attr_count; i++) {
        hoist_buffer_c(out, i ? ", " : "(");
        print_attr(out, &def->attrs[i], attrs->value[i]);
    }
    hoist_buffer_char(out, ')');
}

// Operands ---------------------------------------------------------------------------------------

// A value outside of its enum as @N, so that a broken program can be looked at.
static void print_choice(hoist_buffer *out, const hoist_words *words, uint32_t value)
{
    if (value < words->count) {
        hoist_buffer_c(out, words->names[value]);
    } else {
        hoist_buffer_format(out, "@%" PRIu32, value);
    }
}

// Kinds of one token.
static void print_scalar(const hoist_printer *p, const hoist_field *field, const void *row)
{
    hoist_buffer *out = p->out;
    const uint8_t *at = (const uint8_t *)row + field->offset;
    uint64_t wide = 0;
    int64_t integer = 0;
    float single = 0;
    double number = 0;
    hoist_str name;
    switch (field->type) {
    case HOIST_FIELD_NAME:
        memcpy(&name, at, sizeof name);
        hoist_print_name(out, name);
        break;
    case HOIST_FIELD_U32:
    case HOIST_FIELD_STEP:
        hoist_buffer_format(out, "%" PRIu32, hoist_field_u32(at, 0));
        break;
    case HOIST_FIELD_U64:
    case HOIST_FIELD_ADDRESS:
        memcpy(&wide, at, sizeof wide);
        hoist_buffer_format(out, field->type == HOIST_FIELD_U64 ? "%" PRIu64 : "0x%" PRIx64, wide);
        break;
    case HOIST_FIELD_I64:
        memcpy(&integer, at, sizeof integer);
        hoist_buffer_format(out, "%" PRId64, integer);
        break;
    case HOIST_FIELD_FLOAT:
        memcpy(&single, at, sizeof single);
        hoist_print_float(out, single);
        break;
    case HOIST_FIELD_DOUBLE:
        memcpy(&number, at, sizeof number);
        hoist_print_double(out, number);
        break;
    // Two members of four bytes that follow each other in the struct.
    case HOIST_FIELD_PAIR:
        hoist_buffer_format(out, "%" PRIu32 "x%" PRIu32, hoist_field_u32(at, 0),
                            hoist_field_u32(at, 4));
        break;
    default:
        break;
    }
}

// Items of an operand that has a number of them.
// `also` of an ADDRESS or DOUBLE is a bool and must not be read as a count.
static uint32_t count_of(const hoist_field *field, const void *row)
{
    return field->type >= HOIST_FIELD_REFS && field->also ? hoist_field_u32(row, field->also) : 0;
}

// Operands that are a pointer and a count; false for others.
static bool print_list(const hoist_printer *p, const hoist_field *field, const void *row,
                       uint32_t count)
{
    switch (field->type) {
    case HOIST_FIELD_REFS:
        print_refs(p, field->table, hoist_field_pointer(row, field->offset), count);
        return true;
    case HOIST_FIELD_VIEWS:
        print_views(p, hoist_field_pointer(row, field->offset), count);
        return true;
    case HOIST_FIELD_ARGUMENTS:
        print_arguments(p, hoist_field_pointer(row, field->offset), count);
        return true;
    case HOIST_FIELD_SIGNALS:
        print_signals(p, hoist_field_pointer(row, field->offset), count);
        return true;
    case HOIST_FIELD_INTS:
        hoist_print_ints(p->out, hoist_field_pointer(row, field->offset), count);
        return true;
    case HOIST_FIELD_AXES:
        hoist_print_axes(p->out, (const uint8_t *)row + field->offset, count);
        return true;
    default:
        return false;
    }
}

// Kinds with parts; lists and scalars are passed on.
static void print_operand(const hoist_printer *p, const hoist_field *field, const void *row)
{
    hoist_prog_value value;
    hoist_prog_target target;
    hoist_shape shape;
    hoist_bytes bytes;
    hoist_compute_attrs attrs;
    const uint32_t count = count_of(field, row);
    switch (field->type) {
    case HOIST_FIELD_FLAG:
        break;
    case HOIST_FIELD_CHOICE:
        print_choice(p->out, field->words, hoist_field_u32(row, field->offset));
        break;
    case HOIST_FIELD_REF:
        hoist_print_ref(p, field->table, hoist_field_u32(row, field->offset));
        break;
    case HOIST_FIELD_VALUE:
        load(&value, row, field->offset, sizeof value);
        print_value(p, value);
        break;
    case HOIST_FIELD_TYPE:
        // Of a TYPE `also` is the layout, which count_of() has loaded.
        hoist_print_type(p, (hoist_dtype)hoist_field_u32(row, field->offset), count);
        break;
    case HOIST_FIELD_VIEW:
        hoist_print_view(p, hoist_field_u32(row, field->offset));
        break;
    case HOIST_FIELD_TARGET:
        load(&target, row, field->offset, sizeof target);
        hoist_print_target(p, &target);
        break;
    case HOIST_FIELD_SOURCES:
        print_sources(p, row);
        break;
    case HOIST_FIELD_SHAPE:
        load(&shape, row, field->offset, sizeof shape);
        hoist_print_i64s(p->out, shape.dim, shape.rank);
        break;
    case HOIST_FIELD_BYTES:
        load(&bytes, row, field->offset, sizeof bytes);
        hoist_print_hex(p->out, bytes);
        break;
    case HOIST_FIELD_COMPUTE:
        load(&attrs, row, field->also, sizeof attrs);
        print_compute(p->out, (hoist_compute_op)hoist_field_u32(row, field->offset), &attrs);
        break;
    default:
        if (!print_list(p, field, row, count)) {
            print_scalar(p, field, row);
        }
        break;
    }
}

// True when an optional operand need not be written.
// Only of optional operands; the reader puts the same value back (store_usual()).
static bool has_usual_value(const hoist_field *field, const void *row)
{
    const uint8_t *at = (const uint8_t *)row + field->offset;
    uint64_t wide = 0;
    hoist_bytes bytes;
    hoist_str text;
    switch (field->type) {
    case HOIST_FIELD_NAME:
        memcpy(&text, at, sizeof text);
        return text.size == 0;
    // The word was written by the caller, and is all there is.
    case HOIST_FIELD_FLAG:
        return !load_bool(at, 0);
    case HOIST_FIELD_ADDRESS:
    case HOIST_FIELD_DOUBLE:
        return !load_bool(row, field->also);
    case HOIST_FIELD_U64:
    case HOIST_FIELD_I64:
        memcpy(&wide, at, sizeof wide);
        return wide == (uint64_t)field->usual;
    case HOIST_FIELD_REF:
    case HOIST_FIELD_VIEW:
        return hoist_field_u32(at, 0) == HOIST_NO_REF;
    case HOIST_FIELD_PAIR:
        return ((uint64_t)hoist_field_u32(at, 0) << 32 | hoist_field_u32(at, 4)) ==
               (uint64_t)field->usual;
    case HOIST_FIELD_BYTES:
        memcpy(&bytes, at, sizeof bytes);
        return bytes.size == 0;
    case HOIST_FIELD_SHAPE: // begins with the rank
    case HOIST_FIELD_U32:
    case HOIST_FIELD_CHOICE:
    case HOIST_FIELD_FLOAT: // the bits: -0.0 is not usual
        return hoist_field_u32(at, 0) == (uint32_t)field->usual;
    default: // lists
        return hoist_field_u32(row, field->also) == 0;
    }
}

// What has no meaning in this row is left out whatever its value.
bool hoist_field_is_written(const hoist_field *field, const void *row)
{
    return !(field->used && !field->used(row)) && !(field->optional && has_usual_value(field, row));
}

void hoist_print_fields(const hoist_printer *p, const hoist_record *record, const void *row)
{
    const char *gap = "";
    for (uint32_t i = 0; i < record->field_count; i++) {
        const hoist_field *field = &record->fields[i];
        if (!hoist_field_is_written(field, row)) {
            continue;
        }
        hoist_buffer_c(p->out, gap);
        gap = " ";
        if (field->word) {
            hoist_buffer_c(p->out, field->word);
            // A flag is its word alone.
            hoist_buffer_c(p->out, field->type == HOIST_FIELD_FLAG ? "" : " ");
        }
        print_operand(p, field, row);
    }
}
