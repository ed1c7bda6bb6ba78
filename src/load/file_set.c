// Files that are checked one after the other: remembers the marks of each file (the tokens of Edge
// TPU executables) and reports, by the format's rule, a mark that an earlier file has, too. In:
// jobs, in the order of the command. Out: findings in the later file. Jobs may be closed between:
// names and marks are copied.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/span.h"
#include "load/job.h"

struct hoist_file_set {
    hoist_allocator alloc;
    hoist_arena arena; // of names and marks
    hoist_map marks;   // format and mark, to the number of the file that had it first
    hoist_str *names;  // owned; of the files
    size_t count;
    size_t capacity;
};

hoist_status hoist_file_set_create(hoist_allocator alloc, hoist_file_set **out_set)
{
    // The zero value of an allocator is the system's.
    const hoist_allocator chosen = alloc.resize ? alloc : hoist_allocator_system();
    hoist_file_set *const set = hoist_alloc_zero(chosen, 1, sizeof(*set));
    *out_set = set;
    if (!set) {
        return HOIST_NO_MEMORY;
    }
    set->alloc = chosen;
    hoist_arena_init(&set->arena, chosen);
    hoist_map_init(&set->marks, chosen);
    return HOIST_OK;
}

void hoist_file_set_destroy(hoist_file_set *set)
{
    if (set) {
        hoist_free(set->alloc, set->names, set->capacity * sizeof(set->names[0]));
        hoist_map_deinit(&set->marks);
        hoist_arena_deinit(&set->arena);
        hoist_free(set->alloc, set, sizeof(*set));
    }
}

// Reports a mark that an earlier file has; one file may have it as often as it likes.
static hoist_status check_mark(hoist_file_set *set, const hoist_format *format,
                               const hoist_mark *mark, hoist_diag *diag)
{
    const hoist_str key =
        // Formats may have equal marks.
        hoist_arena_format(&set->arena, "%s %.*s", format->name, HOIST_STR_ARGS(mark->text));
    size_t first = 0;
    if (!key.data) {
        return HOIST_NO_MEMORY;
    }
    // BUSY with an earlier file's number is the finding; with our own it is nothing.
    const hoist_status status = hoist_map_add(&set->marks, key, set->count - 1, &first);
    if (status == HOIST_BUSY && first != set->count - 1) {
        hoist_frame frame;
        hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), mark->object);
        hoist_report(diag, format->mark_rule, mark->loc, "%s %.*s is that of '%.*s', too",
                     format->mark_name, HOIST_STR_ARGS(mark->text),
                     HOIST_STR_ARGS(set->names[first]));
        hoist_diag_pop(diag, &frame);
    }
    return status == HOIST_BUSY ? HOIST_OK : status;
}

// Formats without marks are not compared.
static hoist_status check_module(hoist_file_set *set, const hoist_module *module, hoist_diag *diag)
{
    const hoist_mark *marks = NULL;
    size_t count = 0;
    if (!module || !module->format->marks) {
        return HOIST_OK;
    }
    HOIST_TRY(module->format->marks(module, &set->arena, &marks, &count));
    for (size_t i = 0; i < count; i++) {
        HOIST_TRY(check_mark(set, module->format, &marks[i], diag));
    }
    return HOIST_OK;
}

static hoist_status check_file(hoist_file_set *set, const hoist_job *job, hoist_diag *diag)
{
    for (size_t i = 0; i <= job->nested_count; i++) {
        hoist_frame frame;
        hoist_job_enter(job, i, diag, &frame);
        const hoist_status status = check_module(set, hoist_job_module(job, i), diag);
        hoist_diag_pop(diag, &frame);
        HOIST_TRY(status);
    }
    return HOIST_OK;
}

hoist_status hoist_file_set_add(hoist_file_set *set, const hoist_job *job, hoist_diag *diag)
{
    const hoist_str name = hoist_arena_str(&set->arena, job->name);
    if (!name.data || !hoist_grow(set->alloc, (void **)&set->names, &set->capacity, set->count + 1,
                                  sizeof(set->names[0]))) {
        return HOIST_NO_MEMORY;
    }
    set->names[set->count++] = name;
    const hoist_call call = hoist_job_call(job, diag, NULL, "checking");
    return hoist_call_end(&call, check_file(set, job, diag));
}
