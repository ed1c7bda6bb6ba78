// Rule 31: the members of `file` variables (neff reference 6.1, 6.2). In go the variables, out come
// findings at their keys in def.json; constant.c reads the members.
#include <inttypes.h>

#include "base/span.h"
#include "formats/neff/check_memory.h"
#include "formats/neff/constant.h"

// Reads each member once, however many variables name it: constants are shared on purpose, and a
// small def.json could have a large header read any number of times. `read` has the constants by
// member, NULL for those that were not read yet.
static hoist_status constant_of(neff_def_check *d, const neff_constant **read, uint32_t member)
{
    if (!read[member]) {
        neff_constant *const constant = hoist_arena_alloc(&d->c->arena, sizeof(*constant));
        HOIST_TRY_MEMORY(constant);
        HOIST_TRY(neff_constant_read(d->c->module, member, &d->c->arena, constant));
        read[member] = constant;
    }
    return HOIST_OK;
}

// Rule 31a: as many bytes as the variable has. Of an .npy only the array counts, of anything else
// the complete member.
static void check_length(neff_def_check *d, const neff_var *var, const neff_constant *constant)
{
    const hoist_loc loc = neff_def_at(d, var->at, "file_name");
    const uint64_t there = constant->data.size;
    if (constant->problem.size > 0) {
        neff_report(d->c->diag, NEFF_031a, loc, "'%.*s' is no .npy array: %.*s",
                    HOIST_STR_ARGS(var->file_name), HOIST_STR_ARGS(constant->problem));
    } else if (there < constant->size) { // the header promises more than is there
        neff_report(d->c->diag, NEFF_031a, loc,
                    "'%.*s' is cut off: %" PRIu64 " %s of its array's %" PRIu64,
                    HOIST_STR_ARGS(var->file_name), there, hoist_plural(there, "byte", "bytes"),
                    constant->size);
    } else if (neff_has(&neff_var_table, var->present, "size") && var->size >= 0 &&
               (uint64_t)var->size != there) {
        neff_report(d->c->diag, NEFF_031a, neff_def_at(d, var->at, "size"),
                    "'size' is %" PRId64 ", '%.*s' has %" PRIu64 " %s", var->size,
                    HOIST_STR_ARGS(var->file_name), there, hoist_plural(there, "byte", "bytes"));
    }
}

// Rule 31b, properties that the loader does not look at: it takes the bytes as they are, after a
// header of version 1, whose length field has 16 bits.
static void check_layout(neff_def_check *d, const neff_var *var, const neff_constant *constant)
{
    const hoist_loc loc = neff_def_at(d, var->at, "file_name");
    if (neff_constant_is_big_endian(constant)) {
        neff_report(d->c->diag, NEFF_031b, loc,
                    "'%.*s' is big-endian ('%.*s'), its bytes are taken as they are",
                    HOIST_STR_ARGS(var->file_name), HOIST_STR_ARGS(constant->header.descr));
    }
    if (neff_constant_is_fortran(constant)) {
        neff_report(d->c->diag, NEFF_031b, loc,
                    "'%.*s' is in Fortran order, its bytes are taken as they are",
                    HOIST_STR_ARGS(var->file_name));
    }
    if (constant->is_npy && constant->header.version > 1) {
        neff_report(d->c->diag, NEFF_031b, loc,
                    "'%.*s' has version %u of the .npy format, expected 1",
                    HOIST_STR_ARGS(var->file_name), constant->header.version);
    }
}

// Rule 31a, first part: the key, its member, and then the content.
static hoist_status check_file(neff_def_check *d, const neff_var *var, const neff_constant **read)
{
    const hoist_loc loc = neff_def_at(d, var->at, "file_name");
    if (!neff_def_there(d, var->at, "file_name")) {
        neff_report(d->c->diag, NEFF_031a, loc, "a file without 'file_name'");
        return HOIST_OK;
    }
    if (!neff_has(&neff_var_table, var->present, "file_name")) {
        return HOIST_OK; // of another kind, which reading has reported
    }
    if (var->member == NEFF_NONE) {
        neff_report(d->c->diag, NEFF_031a, loc, "'%.*s' is not in the archive",
                    HOIST_STR_ARGS(var->file_name));
        return HOIST_OK;
    }
    HOIST_TRY(constant_of(d, read, var->member));
    check_length(d, var, read[var->member]);
    check_layout(d, var, read[var->member]);
    return HOIST_OK;
}

hoist_status neff_check_constants(neff_def_check *d)
{
    const neff_constant **read = NULL; // arena; by member
    for (uint32_t i = 0; i < d->subgraph->var_count; i++) {
        const neff_var *const var = &d->subgraph->vars[i];
        if (var->type != NEFF_VAR_FILE) {
            continue;
        }
        // Most subgraphs have no `file` variable, and then need no table.
        if (!read) {
            read = hoist_arena_array(&d->c->arena, d->c->module->member_count,
                                     sizeof(neff_constant *));
        }
        HOIST_TRY_MEMORY(read);
        neff_def_path path;
        neff_def_push(d, &path, "var", var->name);
        const hoist_status status = check_file(d, var, read);
        neff_def_pop(d, &path);
        HOIST_TRY(status);
    }
    return HOIST_OK;
}
