// hoist pack --parameters: a model with other parameters.
#include "pack_parameters.h"

#include <string.h>

#include "hoist/exchange.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/file.h"
#include "run.h"

typedef struct exchange {
    tool *t;
    tool_input input;
    hoist_new_parameters *items; // owned
    hoist_mut_bytes *files;      // owned, as what they hold
    hoist_array *arrays;         // owned, as what they own
    char *names;                 // owned: one after the other
    size_t names_size;
    size_t room;
    size_t count;
} exchange;

static bool make_room(exchange *x)
{
    size_t at = 0;
    for (const char *v = NULL; (v = tool_next_value(x->t, OPT_PARAMETERS, &at));) {
        x->room++;
        x->names_size += strlen(v) + 1;
    }
    x->items = hoist_alloc_zero(x->t->alloc, x->room + 1, sizeof(*x->items));
    x->files = hoist_alloc_zero(x->t->alloc, x->room + 1, sizeof(*x->files));
    x->arrays = hoist_alloc_zero(x->t->alloc, x->room + 1, sizeof(*x->arrays));
    x->names = hoist_alloc_zero(x->t->alloc, x->names_size + 1, 1);
    return x->items && x->files && x->arrays && x->names;
}

static void free_all(exchange *x)
{
    for (size_t i = 0; i < x->room && x->files && x->arrays; i++) {
        hoist_array_deinit(&x->arrays[i], x->t->alloc);
        hoist_free(x->t->alloc, x->files[i].data, x->files[i].size);
    }
    hoist_free(x->t->alloc, x->items, (x->room + 1) * sizeof(*x->items));
    hoist_free(x->t->alloc, x->files, (x->room + 1) * sizeof(*x->files));
    hoist_free(x->t->alloc, x->arrays, (x->room + 1) * sizeof(*x->arrays));
    hoist_free(x->t->alloc, x->names, x->names_size + 1);
}

// Bytes of "NAME=" before a file's name; 0: there is none.
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

static hoist_status read_elements(exchange *x, const char *path, hoist_new_parameters *item)
{
    hoist_mut_bytes *const file = &x->files[x->count];
    HOIST_TRY(hoist_file_read(path, 0, x->t->alloc, x->input.diag, file));
    item->bytes = (hoist_bytes){file->data, file->size};
    if (run_is_npy(path, item->bytes)) {
        hoist_array *const array = &x->arrays[x->count];
        HOIST_TRY(hoist_npy_read(item->bytes, x->t->alloc, x->input.diag, array));
        item->dtype = array->dtype;
        item->rank = array->rank;
        item->shape = array->shape;
        item->bytes = array->data;
    }
    return HOIST_OK;
}

// `name` has room for that of the parameters.
static tool_exit read_item(exchange *x, const char *text, char *name)
{
    const size_t size = name_size(text);
    const char *const path = text + size;
    hoist_new_parameters *const item = &x->items[x->count];
    memcpy(name, text, size ? size - 1 : 0);
    *item = (hoist_new_parameters){.name = name};
    hoist_diag_source(x->input.diag, hoist_str_from(path), HOIST_STR(""));
    const tool_exit code = tool_judge(x->t, read_elements(x, path, item), &x->input);
    hoist_diag_source(x->input.diag, hoist_str_from(x->input.path), HOIST_STR(""));
    x->count++;
    return code;
}

static tool_exit read_items(exchange *x)
{
    size_t at = 0;
    tool_exit code = make_room(x) ? TOOL_OK : TOOL_LIMIT;
    char *name = x->names;
    x->t->doing = "reading";
    for (const char *v = NULL;
         code == TOOL_OK && (v = tool_next_value(x->t, OPT_PARAMETERS, &at));) {
        code = read_item(x, v, name);
        name += strlen(v) + 1;
    }
    return code;
}

static tool_exit write_model(exchange *x)
{
    hoist_mut_bytes made = {NULL, 0};
    x->t->doing = "packing";
    hoist_status status =
        hoist_job_exchange(x->input.job, x->items, x->count, x->input.diag, &made);
    const bool is_unknown = status == HOIST_NOT_FOUND;
    if (status == HOIST_OK) {
        x->t->doing = "writing";
        status = tool_save(x->t, x->input.diag, x->t->values[OPT_PACK_FILE],
                           (hoist_bytes){made.data, made.size});
    }
    const tool_exit code = tool_judge(x->t, status, &x->input);
    if (made.data) {
        hoist_job_free_text(x->input.job, made);
    }
    return is_unknown && code == TOOL_UNREADABLE ? TOOL_USAGE : code;
}

tool_exit pack_parameters(tool *t)
{
    exchange x = {.t = t};
    const hoist_status status = tool_open(t, t->arguments[0], &x.input);
    tool_exit code = x.input.diag ? tool_judge(t, status, &x.input) : TOOL_LIMIT;
    code = code == TOOL_OK ? read_items(&x) : code;
    code = code == TOOL_OK ? write_model(&x) : code;
    free_all(&x);
    tool_close(t, &x.input, code);
    return code;
}
