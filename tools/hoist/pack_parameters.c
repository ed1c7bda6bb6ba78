// hoist pack --parameters: writes a compiled model with other parameters and no other change.
// Values name an executable's parameters or a layer's array, in the names that `hoist recover`
// uses.
#include "pack_parameters.h"

#include <string.h>
#include <unistd.h>

#include "array_files.h"
#include "base/alloc.h"
#include "base/span.h"

typedef struct exchange {
    tool *t;
    tool_input input;
    array_files files;
    hoist_new_parameters *items; // owned; borrow from `files`
} exchange;

// Bytes of "NAME=" before a file's name; 0: there is none.
// Only names that parameters can have count as such: a path with an '=' in it stays a path.
static size_t name_size(const char *text)
{
    static const char *const plain[] = {"cached=", "streamed="};
    for (size_t i = 0; i < HOIST_COUNT_OF(plain); i++) {
        if (strncmp(text, plain[i], strlen(plain[i])) == 0) {
            return strlen(plain[i]);
        }
    }
    const char *const sign = strncmp(text, "layers/", 7) == 0 ? strchr(text, '=') : NULL;
    return sign ? (size_t)(sign - text) + 1 : 0;
}

// That a value names a file, behind a name that recover gives, and that nothing is named twice.
// A name that is misspelled ("cache=x.bin") would otherwise be reported as a file that is
// missing.
static bool check_item(const exchange *x, const char *text, hoist_str name)
{
    const char *const sign = strchr(text, '=');
    // Unless a file is called that.
    const bool is_odd = sign && !name_size(text) && access(text, F_OK) != 0;
    if (is_odd || !text[name_size(text)]) {
        tool_complain(x->t,
                      "--parameters takes FILE, cached=FILE, streamed=FILE or "
                      "layers/.../weights=FILE, not '%s'",
                      text);
        return false;
    }
    for (size_t i = 0; i < x->files.count; i++) {
        if (hoist_str_equal_c(name, x->files.names[i])) {
            tool_complain(x->t, "--parameters gives '%.*s' twice",
                          HOIST_STR_ARGS(name.size ? name : HOIST_STR("FILE")));
            return false;
        }
    }
    return true;
}

// A .npy has type and shape, which the library compares with those of the layer; other files
// are bytes for all of an executable's parameters.
static tool_exit read_items(exchange *x)
{
    size_t at = 0;
    tool_exit code = array_files_init(&x->files, x->t, OPT_PARAMETERS) ? TOOL_OK : TOOL_LIMIT;
    x->t->doing = "reading";
    for (const char *v = NULL;
         code == TOOL_OK && (v = tool_next_value(x->t, OPT_PARAMETERS, &at));) {
        const size_t size = name_size(v);
        const hoist_str name = {v, size ? size - 1 : 0};
        code = check_item(x, v, name) ? array_files_add(&x->files, x->t, &x->input, name, v + size)
                                      : TOOL_USAGE;
    }
    x->items = hoist_alloc_zero(x->t->alloc, x->files.room + 1, sizeof(*x->items));
    for (size_t i = 0; i < x->files.count && x->items; i++) {
        const hoist_array *const array = &x->files.items[i].array;
        x->items[i] = (hoist_new_parameters){.name = x->files.names[i],
                                             .dtype = array->dtype,
                                             .rank = array->rank,
                                             .shape = array->shape,
                                             .bytes = array->data};
    }
    return x->items ? code : TOOL_LIMIT;
}

// A layer that the model lacks is an error of the command line.
static tool_exit write_model(exchange *x)
{
    hoist_mut_bytes made = {NULL, 0};
    x->t->doing = "packing";
    const hoist_status status =
        hoist_job_exchange(x->input.job, x->items, x->files.count, x->input.diag, &made);
    return tool_save_made(x->t, &x->input, x->t->values[OPT_PACK_FILE], status, made, TOOL_USAGE);
}

tool_exit pack_parameters(tool *t)
{
    exchange x = {.t = t};
    tool_exit code = tool_open_file(t, t->arguments[0], &x.input);
    code = code == TOOL_OK ? read_items(&x) : code;
    if (code == TOOL_OK && !tool_spares_inputs(t, t->values[OPT_PACK_FILE])) {
        code = TOOL_USAGE;
    }
    code = code == TOOL_OK ? write_model(&x) : code;
    hoist_free(t->alloc, x.items, (x.files.room + 1) * sizeof(*x.items));
    array_files_deinit(&x.files);
    tool_close(t, &x.input, code);
    return code;
}
