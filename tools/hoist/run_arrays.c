// hoist run: names and arrays of --input and --expect, NAME[:DTYPE]=@FILE. On top of array_files.c,
// it renames the type of bit patterns to the DTYPE of the command line.
#include <string.h>

#include "base/span.h"
#include "run.h"

hoist_dtype run_made_dtype(const hoist_port *port)
{
    const bool is_float = hoist_dtype_get(port->host_dtype)->kind == HOIST_CLASS_FLOAT;
    return is_float ? HOIST_DTYPE_F32 : port->host_dtype;
}

// Products of shapes that the program's verifier has checked: no overflow.
uint64_t run_entry_elements(const hoist_port *port)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < port->rank; i++) {
        count *= (uint64_t)port->shape[i];
    }
    return count;
}

bool run_is_of_rank(hoist_str port, hoist_str name)
{
    const size_t rank = run_rank_prefix(port);
    return rank && hoist_str_equal(name, hoist_str_slice(port, rank, port.size - rank));
}

// Also without the rank: "NAME:bf16" may be the tensor "rank0/NAME:bf16".
static bool is_port(const run *r, hoist_str name)
{
    size_t port = 0;
    bool found = hoist_program_find_port(r->program, name, &port);
    for (size_t i = 0; !found && i < hoist_program_port_count(r->program); i++) {
        found = run_is_of_rank(hoist_program_port(r->program, i).name, name);
    }
    return found;
}

// A tensor may be called "x:f32" itself: what the program has takes precedence.
tool_binding run_split_name(const run *r, hoist_str name)
{
    tool_binding binding = tool_split_name(name);
    if (binding.dtype != HOIST_DTYPE_NONE && is_port(r, name)) {
        binding.name = name;
        binding.dtype = HOIST_DTYPE_NONE;
    }
    return binding;
}

tool_binding run_read_binding(const run *r, const char *text)
{
    tool_binding binding;
    (void)tool_parse_binding(text, &binding);
    const char *const source = binding.source;
    binding = run_split_name(r, (hoist_str){text, (size_t)(source - 1 - text)});
    binding.source = source;
    return binding;
}

// NumPy has no bfloat16, so arrays of it come as uint16, and :bf16 gives the bits their
// meaning. Nothing is converted.
bool run_rename_bits(const run *r, const char *path, hoist_dtype named, hoist_array *array)
{
    const hoist_dtype_class kind = hoist_dtype_get(array->dtype)->kind;
    const bool bits = kind == HOIST_CLASS_RAW || kind == HOIST_CLASS_UNSIGNED;
    if (named == HOIST_DTYPE_NONE || array->dtype == named) {
        return true;
    }
    if (!bits || hoist_array_element_size(array->dtype) != hoist_array_element_size(named)) {
        tool_complain(r->t, "%s: elements of type %s cannot be read as %s", path,
                      hoist_dtype_get(array->dtype)->name, hoist_dtype_get(named)->name);
        return false;
    }
    array->dtype = named;
    return true;
}

// The type by which dense elements are read: the one after the colon, else the port's.
hoist_status run_read_array(run *r, const char *path, hoist_dtype named, hoist_dtype dense,
                            bool takes_images, array_file *out_file)
{
    const hoist_dtype otherwise = named != HOIST_DTYPE_NONE ? named : dense;
    HOIST_TRY(array_file_read(r->t, r->file, path, otherwise, takes_images, out_file));
    const bool fits = !out_file->is_npy || run_rename_bits(r, path, named, &out_file->array);
    return fits ? HOIST_OK : HOIST_INVALID;
}

// "rank12/x" gives 7; "rank/x" and "ranking" have no rank.
size_t run_rank_prefix(hoist_str name)
{
    static const char rank[] = "rank";
    size_t at = sizeof(rank) - 1;
    if (!hoist_str_starts_with(name, rank)) {
        return 0;
    }
    while (at < name.size && name.data[at] >= '0' && name.data[at] <= '9') {
        at++;
    }
    return at > sizeof(rank) - 1 && at < name.size && name.data[at] == '/' ? at + 1 : 0;
}
