// hoist run: lists what --input gives, an entry for each NAME=SOURCE and for each array of a file
// that has several (.npz, safetensors: `--input @FILE`). run_inputs.c binds the list to the
// program's inputs.
#include <string.h>

#include "hoist/easy.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "run.h"

static tool_exit open_set(run *r, run_set *set, const char *path)
{
    hoist_diag *const diag = r->file->diag;
    const size_t limit = r->t->max_memory ? r->t->max_memory : SIZE_MAX;
    if (!tool_reads(r->t, path)) {
        return TOOL_LIMIT;
    }
    // Findings of reading are about this file; the source is that of the model again at the
    // end.
    hoist_diag_source(diag, hoist_str_from(path), HOIST_STR(""));
    hoist_status status = hoist_file_map(path, limit, r->t->alloc, diag, &set->view);
    if (status == HOIST_OK) {
        const hoist_bytes bytes = {set->view.bytes.size ? set->view.bytes.data
                                                        : (const uint8_t *)"",
                                   set->view.bytes.size};
        status = hoist_array_set_read(bytes, r->t->deadline, r->t->alloc, diag, &set->arrays);
    }
    hoist_diag_source(diag, hoist_str_from(r->file->path), HOIST_STR(""));
    return tool_report(r->t, status, r->file);
}

// The arrays that the container of the file holds: the constants of a device image. They are no
// bindings of options; run_inputs.c takes them for inputs that are not given.
static tool_exit open_own_set(run *r)
{
    if (!hoist_job_container(r->file->job)) {
        return TOOL_OK;
    }
    run_set *const set = &r->sets[r->set_count++];
    set->is_own = true;
    return tool_report(
        r->t, hoist_job_arrays(r->file->job, r->t->alloc, r->file->diag, &set->arrays), r->file);
}

// Opens the files of several arrays. `*out_count`: entries of the list that is made of all options.
// All sets are opened before the list is allocated, because they have the number of its
// entries.
static tool_exit open_sets(run *r, size_t *out_count)
{
    size_t at = 0;
    *out_count = 0;
    // One more, for what the file's container holds.
    r->sets = hoist_arena_array(&r->arena, r->t->repeated_count + 1, sizeof(r->sets[0]));
    if (!r->sets) {
        return TOOL_LIMIT;
    }
    for (const char *text; (text = tool_next_value(r->t, OPT_INPUT, &at));) {
        if (!tool_is_set(text)) {
            (*out_count)++;
            continue;
        }
        run_set *const set = &r->sets[r->set_count++];
        const tool_exit code = open_set(r, set, text + 1);
        if (code != TOOL_OK) {
            return code;
        }
        *out_count += hoist_array_set_count(set->arrays);
    }
    return open_own_set(r);
}

// Appends the arrays of a set; of a name that ends in `:DTYPE` the rest is the name, as in options.
// `text` is "@FILE", the source that messages and the report show.
static void add_set(run *r, const run_set *set, const char *text)
{
    for (size_t i = 0; i < hoist_array_set_count(set->arrays); i++) {
        run_binding *const binding = &r->bindings[r->binding_count++];
        binding->parts = run_split_name(r, hoist_array_set_at(set->arrays, i, &binding->array));
        binding->parts.source = text;
        // Its place in the list, which later options override; messages use the text of the
        // option.
        binding->option = r->binding_count;
        binding->set = set;
    }
}

tool_exit run_open_bindings(run *r)
{
    size_t count = 0;
    const tool_exit code = open_sets(r, &count);
    if (code != TOOL_OK) {
        return code;
    }
    r->bindings = hoist_arena_array(&r->arena, count, sizeof(r->bindings[0]));
    if (!r->bindings) {
        return TOOL_LIMIT;
    }
    size_t at = 0;
    size_t sets = 0;
    for (const char *text; (text = tool_next_value(r->t, OPT_INPUT, &at));) {
        if (tool_is_set(text)) {
            add_set(r, &r->sets[sets++], text);
        } else {
            run_binding *const binding = &r->bindings[r->binding_count++];
            *binding =
                (run_binding){.parts = run_read_binding(r, text), .option = r->binding_count};
        }
    }
    return TOOL_OK;
}

// The arrays of bindings borrow from the sets.
void run_close_bindings(run *r)
{
    for (size_t i = 0; i < r->set_count; i++) {
        hoist_array_set_destroy(r->sets[i].arrays);
        hoist_file_unmap(&r->sets[i].view);
    }
}
