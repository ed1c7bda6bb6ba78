// hoist run: binds --input to the program's inputs and checks shape, type and range, before
// anything runs. run_fill.c pushes what is bound here.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/name_list.h"
#include "base/order.h"
#include "base/span.h"
#include "run.h"

// "64, 3, 1": at most what fits; 24 columns hold any int64 with what follows it.
static void shape_text(const int64_t *shape, uint32_t rank, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < rank && used + 24 < size; i++) {
        used +=
            (size_t)snprintf(out + used, size - used, "%s%lld", i ? ", " : "", (long long)shape[i]);
    }
}

// Arrays ------------------------------------------------------------------------------------------

// True when the array's shape is the entry's, or entries of it; dense files have no shape.
// Sets input->entries: an array of the port's rank is one entry, of one rank more as many as
// its first dimension has.
static bool take_shape(run_input *input, const array_file *f)
{
    const hoist_port *port = &input->port;
    const uint64_t elements = run_entry_elements(port);
    const uint64_t size = elements * hoist_array_element_size(input->array.dtype);
    if (!f->is_npy) {
        input->entries = size ? input->array.data.size / size : 0;
        return size && input->array.data.size % size == 0 && (input->entries || !f->is_text);
    }
    const uint32_t rank = input->array.rank;
    if (rank != port->rank && rank != port->rank + 1) {
        return false;
    }
    input->entries = rank == port->rank ? 1 : (uint64_t)input->array.shape[0];
    return memcmp(&input->array.shape[rank - port->rank], port->shape,
                  port->rank * sizeof(port->shape[0])) == 0;
}

// Says what the array has and what the input takes, in elements where the file has no shape.
// Always TOOL_USAGE, for `return refuse_shape(...)`.
static tool_exit refuse_shape(const run *r, const run_input *input, const array_file *f)
{
    char wanted[256];
    shape_text(input->port.shape, input->port.rank, wanted, sizeof(wanted));
    if (!f->is_npy) {
        const size_t element = hoist_array_element_size(input->array.dtype);
        const size_t size = f->is_text ? element : 1;
        tool_complain(r->t,
                      "%s has %zu %s, which are no entries [%s] of %s for '%s': expected %" PRIu64
                      " for each",
                      input->spec + 1, input->array.data.size / size,
                      f->is_text ? "numbers" : "bytes", wanted,
                      hoist_dtype_get(input->array.dtype)->name, input->name,
                      run_entry_elements(&input->port) * element / size);
        return TOOL_USAGE;
    }
    char found[256];
    shape_text(input->array.shape, input->array.rank < 8 ? input->array.rank : 8, found,
               sizeof(found));
    tool_complain(r->t, "%s has shape [%s], '%s' takes [%s] or [entries, %s]", input->spec + 1,
                  found, input->name, wanted, wanted);
    return TOOL_USAGE;
}

// Integers and bit patterns that a queue of 16-bit floats would be filled with by mistake.
// Without a type "uint16" could be numbers or the bits of bfloat16: nothing is guessed.
static bool is_untagged(const run_input *input)
{
    const hoist_dtype_class from = hoist_dtype_get(input->array.dtype)->kind;
    const hoist_dtype_class to = hoist_dtype_get(input->port.host_dtype)->kind;
    return from == HOIST_CLASS_RAW || (from == HOIST_CLASS_UNSIGNED && to == HOIST_CLASS_FLOAT);
}

// Integers beyond 2^24 have no float32.
static bool is_exact(const float *floats, size_t count, hoist_dtype dtype)
{
    const hoist_dtype_class kind = hoist_dtype_get(dtype)->kind;
    const bool whole = kind == HOIST_CLASS_SIGNED || kind == HOIST_CLASS_UNSIGNED;
    for (size_t i = 0; whole && i < count; i++) {
        // 2^24: from here on float32 leaves integers out.
        if (fabsf(floats[i]) >= 16777216.0f) {
            return false;
        }
    }
    return true;
}

// Whether `number`, of no fraction, is in the range of a type that is no float.
// As double, which is exact up to 2^53; the limit itself, 2^bits, is a power of two and exact,
// too.
static bool is_in_range(double number, hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    const bool is_signed = info->kind == HOIST_CLASS_SIGNED;
    const double least = is_signed ? -ldexp(1, info->bits - 1) : 0;
    const double beyond = ldexp(1, is_signed ? info->bits - 1 : info->bits);
    return number >= least && number < beyond;
}

// Whether the type has the number; float32 has any, rounded.
static bool is_value(double number, hoist_dtype dtype)
{
    return dtype == HOIST_DTYPE_F32 || (floor(number) == number && is_in_range(number, dtype));
}

// Where element `at` is in the array, "[0, 3]", or in a file without a shape, "3".
static void index_text(const hoist_array *array, size_t at, char *out, size_t size)
{
    int64_t index[HOIST_ARRAY_MAX_RANK];
    const uint32_t rank = array->rank;
    for (uint32_t i = rank; i-- > 0;) {
        index[i] = (int64_t)(at % (uint64_t)array->shape[i]);
        at /= (uint64_t)array->shape[i];
    }
    if (rank == 0) {
        (void)snprintf(out, size, "%zu", at);
        return;
    }
    char places[256];
    shape_text(index, rank, places, sizeof(places));
    (void)snprintf(out, size, "[%s]", places);
}

// The first of `count` numbers that the type does not have, such as NaN; `count`: it has all.
// Fractions are rounded where they are pushed.
static size_t first_beyond(const float *numbers, size_t count, hoist_dtype dtype)
{
    size_t at = 0;
    while (at < count && is_in_range(rint((double)numbers[at]), dtype)) {
        at++;
    }
    return at;
}

// Refuses an array with an element that the integers of the port do not have.
// Where the port takes floats any number fits; the loop then does nothing.
static tool_exit check_range(const run *r, const run_input *input)
{
    // In parts on the stack, so that an array of any size needs no second one.
    enum { PART = 1024 };
    const hoist_array *const array = &input->array;
    const size_t size = hoist_array_element_size(array->dtype);
    const size_t count = array->data.size / size;
    const hoist_dtype wanted = input->port.host_dtype;
    const hoist_dtype_class kind = hoist_dtype_get(wanted)->kind;
    const bool whole = kind == HOIST_CLASS_SIGNED || kind == HOIST_CLASS_UNSIGNED;
    for (size_t i = 0; whole && i < count; i += PART) {
        const size_t n = count - i < PART ? count - i : PART;
        const hoist_array part = {.dtype = array->dtype,
                                  .data = {array->data.data + i * size, n * size}};
        float numbers[PART] = {0};
        const bool is_read = hoist_array_floats(&part, numbers) == HOIST_OK;
        // Elements without values are reported as the first one of their part.
        const size_t beyond = is_read ? first_beyond(numbers, n, wanted) : 0;
        if (beyond < n) {
            char place[264];
            index_text(&input->array, (i + beyond), place, sizeof(place));
            tool_complain(
                r->t,
                "%s: element %s is %.9g, which is outside the range of type %s, which '%s' takes",
                input->spec + 1, place, (double)numbers[beyond],
                hoist_dtype_get(input->port.host_dtype)->name, input->name);
            return TOOL_USAGE;
        }
    }
    return TOOL_OK;
}

// To float32, in memory that the input owns; the session rounds to the port's type.
static tool_exit convert(run *r, run_input *input)
{
    const size_t element = hoist_array_element_size(input->array.dtype);
    const size_t count = input->array.data.size / element;
    float *floats = hoist_alloc(r->t->alloc, count * sizeof(float));
    if (count && !floats) {
        return TOOL_LIMIT;
    }
    input->converted = (hoist_mut_bytes){(uint8_t *)floats, count * sizeof(float)};
    if (hoist_array_floats(&input->array, floats) != HOIST_OK ||
        !is_exact(floats, count, input->array.dtype)) {
        tool_complain(r->t, "%s: elements of type %s do not fit '%s', which takes %s",
                      input->spec + 1, hoist_dtype_get(input->array.dtype)->name, input->name,
                      hoist_dtype_get(input->port.host_dtype)->name);
        return TOOL_USAGE;
    }
    input->dtype = HOIST_DTYPE_F32;
    input->elements = (hoist_bytes){input->converted.data, input->converted.size};
    return check_range(r, input);
}

// A queue of bit patterns takes unsigned integers as they are.
static void take_bits(run_input *input)
{
    const hoist_dtype wanted = input->port.host_dtype;
    if (hoist_dtype_get(wanted)->kind == HOIST_CLASS_RAW &&
        hoist_dtype_get(input->array.dtype)->kind == HOIST_CLASS_UNSIGNED &&
        hoist_array_element_size(wanted) == hoist_array_element_size(input->array.dtype)) {
        input->array.dtype = wanted;
    }
}

// The array of a set, or that of the input's own file.
// Arrays of a set have no file of their own: the set owns their bytes.
static hoist_status read_array(run *r, run_input *input, const run_binding *binding,
                               array_file *out_file)
{
    if (!binding->set) {
        HOIST_TRY(run_read_array(r, input->spec + 1, binding->parts.dtype, input->port.host_dtype,
                                 true, out_file));
        const bool is_image = out_file->is_image;
        // `is_npy` decides in take_shape() whether the array's own shape counts.
        out_file->is_npy = out_file->is_npy || is_image; // it has a shape
        return is_image ? run_fit_image(r, input, &out_file->array) : HOIST_OK;
    }
    *out_file = (array_file){.array = binding->array, .is_npy = true}; // it has a shape
    return run_rename_bits(r, input->spec + 1, binding->parts.dtype, &out_file->array)
               ? HOIST_OK
               : HOIST_INVALID;
}

// In this order: read, give bits their type, check the shape, the number of entries, then the
// element type. Each complaint assumes that what was checked before it is right.
static tool_exit open_array(run *r, run_input *input, const run_binding *binding)
{
    array_file f;
    const hoist_status status = read_array(r, input, binding, &f);
    // Taken over also after a failure: run_close_inputs() frees both.
    input->file = f.file;
    input->array = f.array;
    if (status != HOIST_OK) {
        return tool_report(r->t, status, r->file);
    }
    take_bits(input);
    if (!take_shape(input, &f)) {
        return refuse_shape(r, input, &f);
    }
    if (!input->port.is_queue && input->entries > input->port.slots) {
        tool_complain(r->t, "%s has %llu entries, '%s' has %u slots", input->spec + 1,
                      (unsigned long long)input->entries, input->name, input->port.slots);
        return TOOL_USAGE;
    }
    // The two types that the session takes as they are: no copy.
    if (input->array.dtype == input->port.host_dtype || input->array.dtype == HOIST_DTYPE_F32) {
        input->dtype = input->array.dtype;
        input->elements = input->array.data;
        return input->dtype == input->port.host_dtype ? TOOL_OK : check_range(r, input);
    }
    if (is_untagged(input)) {
        tool_complain(r->t,
                      "%s holds %s and '%s' takes %s: expected the type of the bits, for instance "
                      "--input %s:bf16=%s",
                      input->spec + 1, hoist_dtype_get(input->array.dtype)->name, input->name,
                      hoist_dtype_get(input->port.host_dtype)->name, input->name, input->spec);
        return TOOL_USAGE;
    }
    return convert(r, input);
}

// Made-up entries ---------------------------------------------------------------------------------

// Both ends of a range are values of integers that it is for.
static tool_exit check_random(const run *r, const run_input *input)
{
    const tool_random *random = &input->random;
    const double ends[] = {random->low, random->high};
    for (size_t i = 0; random->has_range && i < HOIST_COUNT_OF(ends); i++) {
        if (is_value(ends[i], input->dtype)) {
            continue;
        }
        tool_complain(r->t, "%s: %.17g is no value of type %s, which '%s' takes", input->spec,
                      ends[i], hoist_dtype_get(input->dtype)->name, input->name);
        return TOOL_USAGE;
    }
    return TOOL_OK;
}

// Makes an entry of the file's own test, so that a config that is wrong is known before the run.
// HOIST_NOT_FOUND: the format has no such tests, or the file none for this port.
static tool_exit try_config(run *r, run_input *input)
{
    input->source = RUN_SOURCE_CONFIG;
    const hoist_status status = run_make_numbers(r, input, 0);
    if (status != HOIST_NOT_FOUND) {
        return tool_report(r->t, status, r->file);
    }
    tool_complain(r->t,
                  "%s has no test-config for '%s': expected a netlist's queue or ram; give "
                  "--input %s another source",
                  r->file->path, input->name, input->name);
    return TOOL_USAGE;
}

static tool_exit make_up(run *r, run_input *input)
{
    input->dtype = run_made_dtype(&input->port);
    // A ram has all its slots filled; a queue gets entries for as long as the program reads.
    input->entries = input->port.is_queue ? UINT64_MAX : input->port.slots;
    if (tool_parse_random_input(input->spec, &input->random)) {
        input->source = RUN_SOURCE_RANDOM;
        return check_random(r, input);
    }
    if (tool_parse_config(input->spec, &input->random.seed)) {
        return try_config(r, input);
    }
    input->source = RUN_SOURCE_NUMBER;
    (void)tool_parse_scalar(input->spec, &input->number);
    if (!is_value(input->number, input->dtype)) {
        tool_complain(r->t, "%s is no value of type %s, which '%s' takes", input->spec,
                      hoist_dtype_get(input->dtype)->name, input->name);
        return TOOL_USAGE;
    }
    return TOOL_OK;
}

// Bindings ----------------------------------------------------------------------------------------

// Fills all members that depend on the source; entry_size only after the type is known.
static tool_exit bind(run *r, run_input *input, const run_binding *binding)
{
    input->spec = binding->parts.source;
    input->given = binding->option;
    tool_exit code = TOOL_OK;
    if (input->spec[0] == '@') {
        input->source = RUN_SOURCE_ARRAY;
        code = open_array(r, input, binding);
    } else {
        code = make_up(r, input);
    }
    input->entry_size =
        (size_t)run_entry_elements(&input->port) * hoist_array_element_size(input->dtype);
    return code;
}

// The input of exactly that name; of a name without a rank is_of_rank() finds those of each
// rank.
static bool is_called(const run_input *input, hoist_str name)
{
    return hoist_str_equal(name, input->port.name);
}
static bool is_of_rank(const run_input *input, hoist_str name)
{
    return run_is_of_rank(input->port.name, name);
}

static bool is_known(const run *r, hoist_str name)
{
    for (size_t i = 0; i < r->input_count; i++) {
        if (is_called(&r->inputs[i], name) || is_of_rank(&r->inputs[i], name)) {
            return true;
        }
    }
    return false;
}

// The rest of the inputs: "*" of an option; in a file it is a name like any other.
static bool is_rest(const run_binding *binding)
{
    return !binding->set && hoist_str_equal_c(binding->parts.name, "*");
}

// Notes which sets have an array for an input: then their others may be for something else.
static void note_used_sets(run *r)
{
    for (size_t s = 0; s < r->set_count; s++) {
        run_set *const set = &r->sets[s];
        for (size_t i = 0; !set->is_used && i < hoist_array_set_count(set->arrays); i++) {
            hoist_array array;
            const hoist_str name = hoist_array_set_at(set->arrays, i, &array);
            set->is_used = is_known(r, run_split_name(r, name).name);
        }
    }
}

static void note_surplus(const run *r, const run_binding *binding)
{
    if (!tool_given(r->t, OPT_QUIET)) {
        tool_complain(r->t, "%s: '%.*s' is not used: no input has that name",
                      binding->parts.source + 1, HOIST_STR_ARGS(binding->parts.name));
    }
}

// The first of three passes: complete names, names for all ranks, the rest. Each fills only
// what the passes before it have left.
static tool_exit bind_named(run *r, const run_binding *binding)
{
    const hoist_str name = binding->parts.name;
    if (is_rest(binding)) {
        return TOOL_OK;
    }
    // A file of arrays may hold outputs and labels as well as inputs, as long as one of them is
    // used.
    if (!is_known(r, name) && binding->set && binding->set->is_used) {
        note_surplus(r, binding);
        return TOOL_OK;
    }
    if (!is_known(r, name)) {
        hoist_name_list there;
        hoist_name_list_init(&there, hoist_allocator_system());
        for (size_t i = 0; i < r->input_count; i++) {
            hoist_name_list_add(&there, r->inputs[i].port.name);
        }
        tool_complain(r->t, "%s%s%s has no input '%.*s'; there are: %s",
                      binding->set ? binding->parts.source + 1 : "", binding->set ? ": " : "",
                      r->file->path, HOIST_STR_ARGS(name), hoist_name_list_text(&there));
        hoist_name_list_deinit(&there);
        return TOOL_USAGE;
    }
    tool_exit code = TOOL_OK;
    for (size_t i = 0; code == TOOL_OK && i < r->input_count; i++) {
        run_input *input = &r->inputs[i];
        // Twice by its complete name; a name for all ranks and one for a single rank go
        // together.
        if (is_called(input, name) && input->source != RUN_SOURCE_NONE) {
            tool_complain(r->t, "input '%s' is given twice", input->name);
            return TOOL_USAGE;
        }
        if (is_called(input, name)) {
            code = bind(r, input, binding);
        }
    }
    return code;
}

// What is given for all ranks goes to those that were given nothing of their own.
static tool_exit bind_ranks(run *r, const run_binding *binding)
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; code == TOOL_OK && i < r->input_count; i++) {
        run_input *input = &r->inputs[i];
        if (input->source == RUN_SOURCE_NONE && is_of_rank(input, binding->parts.name)) {
            code = bind(r, input, binding);
        }
    }
    return code;
}

// Signed integers are the bits of a queue of bit patterns: PyTorch's tensors have no unsigned ones,
// and the vendor's loader takes Int32 and Int8 so (tensor_meta_to_tensor_desc).
static void take_signed_bits(const run_input *input, hoist_array *array)
{
    const bool is_raw = hoist_dtype_get(input->port.host_dtype)->kind == HOIST_CLASS_RAW;
    if (is_raw && array->dtype == HOIST_DTYPE_I32) {
        array->dtype = HOIST_DTYPE_U32;
    } else if (is_raw && array->dtype == HOIST_DTYPE_I8) {
        array->dtype = HOIST_DTYPE_U8;
    }
}

// An array of the file's container goes to the input of its name, unless that is given.
static tool_exit bind_own_array(run *r, const run_set *set, size_t index, const char *source)
{
    run_binding binding = {.parts.source = source, .set = set};
    const hoist_str name = hoist_array_set_at(set->arrays, index, &binding.array);
    tool_exit code = TOOL_OK;
    for (size_t i = 0; code == TOOL_OK && i < r->input_count; i++) {
        if (r->inputs[i].source == RUN_SOURCE_NONE && is_called(&r->inputs[i], name)) {
            take_signed_bits(&r->inputs[i], &binding.array);
            code = bind(r, &r->inputs[i], &binding);
        }
    }
    return code;
}

// What the container of the file holds: after what is given by name, before what fills the rest.
static tool_exit bind_own(run *r)
{
    const run_set *const set = r->set_count ? &r->sets[r->set_count - 1] : NULL;
    if (!set || !set->is_own) {
        return TOOL_OK;
    }
    const char *const source = hoist_arena_format(&r->arena, "@%s", r->file->path).data;
    tool_exit code = source ? TOOL_OK : TOOL_LIMIT;
    for (size_t i = 0; code == TOOL_OK && i < hoist_array_set_count(set->arrays); i++) {
        code = bind_own_array(r, set, i, source);
    }
    return code;
}

// Notes which ports are bound, and which have to be and are not.
// Which ports are required depends on what is given: a buffer may be covered by views of it.
static tool_exit find_missing(run *r)
{
    memset(r->given, 0, hoist_program_port_count(r->program) * sizeof(r->given[0]));
    for (size_t i = 0; i < r->input_count; i++) {
        r->given[r->inputs[i].index] = r->inputs[i].source != RUN_SOURCE_NONE;
    }
    const hoist_status status = hoist_program_missing(r->program, r->given, r->missing);
    return status == HOIST_OK ? TOOL_OK : TOOL_LIMIT;
}

// Binds what is missing to `source`; NULL: as the command does, and what no program reads to zeros.
// Other parts of a buffer may be missing behind the first one.
static tool_exit bind_missing(run *r, const char *source)
{
    bool is_bound = true;
    // Each turn binds what is still missing, until nothing is or nothing can be bound.
    while (is_bound) {
        const tool_exit found = find_missing(r);
        tool_exit code = found;
        is_bound = false;
        for (size_t i = 0; code == TOOL_OK && i < r->input_count; i++) {
            run_input *input = &r->inputs[i];
            // Ports of programs that do not run are only there because the session has all of them.
            const char *otherwise =
                run_uses_port(r, &input->port) ? r->command->otherwise : "zeros";
            const run_binding binding = {.parts.source = source ? source : otherwise};
            if (r->missing[input->index] && input->source == RUN_SOURCE_NONE &&
                binding.parts.source) {
                code = bind(r, input, &binding);
                is_bound = true;
            }
        }
        if (code != TOOL_OK) {
            return code;
        }
    }
    return TOOL_OK;
}

static tool_exit bind_rest(run *r, const run_binding *binding)
{
    return is_rest(binding) ? bind_missing(r, binding->parts.source) : TOOL_OK;
}

// Stops at the first that fails: its complaint has been printed.
static tool_exit for_each_binding(run *r, tool_exit (*take)(run *r, const run_binding *binding))
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; code == TOOL_OK && i < r->binding_count; i++) {
        code = take(r, &r->bindings[i]);
    }
    return code;
}

// An input for each port that a host may fill; sources come later.
static tool_exit list_inputs(run *r)
{
    const size_t ports = hoist_program_port_count(r->program);
    r->inputs = hoist_arena_array(&r->arena, ports, sizeof(r->inputs[0]));
    r->given = hoist_arena_array(&r->arena, ports, sizeof(r->given[0]));
    r->missing = hoist_arena_array(&r->arena, ports, sizeof(r->missing[0]));
    const bool is_made = r->inputs && r->given && r->missing;
    for (size_t i = 0; is_made && i < ports; i++) {
        const hoist_port port = hoist_program_port(r->program, i);
        if (port.input) {
            run_input *input = &r->inputs[r->input_count++];
            // Rows of inputs that end up without a source are dropped at the end
            // (drop_unbound()).
            input->port = port;
            input->index = i;
            input->name = hoist_arena_str(&r->arena, port.name).data;
            if (!input->name) {
                return TOOL_LIMIT;
            }
        }
    }
    return is_made ? TOOL_OK : TOOL_LIMIT;
}

// A note of the program says more than the shape does: which part of a buffer is not covered.
static void complain_missing(const run *r, const run_input *input)
{
    if (input->port.note.size) {
        tool_complain(r->t, "input is %s: %s (%.*s)",
                      input->source == RUN_SOURCE_NONE ? "missing" : "not complete", input->name,
                      HOIST_STR_ARGS(input->port.note));
        return;
    }
    char shape[256];
    shape_text(input->port.shape, input->port.rank, shape, sizeof(shape));
    tool_complain(r->t, "input '%s' is %s: %s [%s] of %s", input->name,
                  input->source == RUN_SOURCE_NONE ? "missing" : "not complete",
                  input->port.is_queue    ? "a queue of"
                  : input->port.is_buffer ? "a tensor of"
                                          : "a ram of",
                  shape, hoist_dtype_get(input->port.host_dtype)->name);
}

// Lists what was given nothing, or not all, before it gives up with a hint that fills the rest.
static tool_exit check_all_given(run *r)
{
    tool_exit code = find_missing(r);
    for (size_t i = 0; code != TOOL_LIMIT && i < r->input_count; i++) {
        if (r->missing[r->inputs[i].index]) {
            complain_missing(r, &r->inputs[i]);
            code = TOOL_USAGE;
        }
    }
    if (code == TOOL_USAGE) {
        tool_complain(r->t, "give each with --input, or all others with --input '*=random:1'");
    }
    return code;
}

// qsort() is not stable, hence the index as the last key.
static int compare_views(const void *a, const void *b)
{
    const run_input *x = a;
    const run_input *y = b;
    const int given = hoist_order_u64(x->given, y->given);
    return given ? given : hoist_order_u64(x->index, y->index);
}

// From here on there are only inputs that are filled. Views, which are the last ports, are filled
// one over the other: what is named after the rest, in the order of the command line.
static void drop_unbound(run *r)
{
    size_t kept = 0;
    size_t views = 0;
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].source != RUN_SOURCE_NONE) {
            views += r->inputs[i].port.is_view;
            r->inputs[kept++] = r->inputs[i];
        }
    }
    r->input_count = kept;
    if (views) {
        qsort(&r->inputs[kept - views], views, sizeof(r->inputs[0]), compare_views);
    }
}

tool_exit run_open_inputs(run *r)
{
    tool_exit code = list_inputs(r);
    code = code == TOOL_OK ? run_open_bindings(r) : code;
    if (code == TOOL_OK) {
        note_used_sets(r);
    }
    code = code == TOOL_OK ? for_each_binding(r, bind_named) : code;
    code = code == TOOL_OK ? for_each_binding(r, bind_ranks) : code;
    // Before the rest is filled, after names: a queue that both name is an error.
    code = code == TOOL_OK ? run_load_memory(r) : code;
    code = code == TOOL_OK ? bind_own(r) : code;
    code = code == TOOL_OK ? for_each_binding(r, bind_rest) : code;
    code = code == TOOL_OK ? bind_missing(r, NULL) : code;
    code = code == TOOL_OK ? check_all_given(r) : code;
    if (code != TOOL_OK) {
        return code;
    }
    drop_unbound(r);
    return run_make_room(r);
}

void run_close_inputs(run *r)
{
    const hoist_allocator alloc = r->t->alloc;
    for (size_t i = 0; i < r->input_count; i++) {
        run_input *input = &r->inputs[i];
        hoist_free(alloc, input->converted.data, input->converted.size);
        hoist_array_deinit(&input->array, alloc);
        hoist_file_unmap(&input->file);
    }
    hoist_free(alloc, r->scratch, r->scratch ? r->scratch_size : 0);
    hoist_free(alloc, r->numbers, r->number_count * sizeof(r->numbers[0]));
    run_close_bindings(r);
}
