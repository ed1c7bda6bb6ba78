// Modules of texts, read and checked.
#include <string.h>

#include "formats/neff/neff_testing.h"

neff_module *neff_test_read(hoist_test *t, const neff_texts *neff)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    neff_module *module = neff_test_module(t, neff, options.alloc);
    neff_reader reader = {.module = module,
                          .diag = t->diag,
                          .options = &options,
                          .arena = module ? &module->arena : NULL};
    HOIST_EXPECT(t, module != NULL);
    if (module) {
        HOIST_EXPECT_EQ(t, neff_read_members(&reader), HOIST_OK);
    }
    return module;
}

void neff_test_check(hoist_test *t, neff_module *module, const char *target, neff_test_part *part)
{
    const hoist_check_options options = {.arch = hoist_str_from(target)};
    neff_check check = {.module = module, .diag = t->diag, .options = &options};
    check.generation = neff_generation_for(module, &options, &check.target_given);
    hoist_arena_init(&check.arena, module->base.alloc);
    HOIST_EXPECT_EQ(t, part(&check), HOIST_OK);
    hoist_arena_deinit(&check.arena);
}

static void apply(hoist_test *t, neff_texts *neff, const neff_test_change *change)
{
    if (!change->member) {
        return;
    }
    if (!change->put) {
        neff_test_drop(t, neff, change->member);
    } else if (!change->find) {
        neff_test_put(t, neff, change->member, hoist_str_from(change->put));
    } else {
        neff_test_edit(t, neff, change->member, change->find, change->put);
    }
}

// Errors and warnings besides the first one of `rule`.
static size_t count_others(const hoist_diag *diag, const char *rule)
{
    size_t count = 0;
    bool met = false;
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        const bool expected = rule && !met && strcmp(f->rule->id, rule) == 0;
        met = met || expected;
        count += !expected && f->severity != HOIST_NOTE ? 1 : 0;
    }
    return count;
}

static void expect_object(hoist_test *t, const char *rule, const char *object)
{
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        if (strcmp(f->rule->id, rule) == 0 && hoist_str_equal_c(f->object, object)) {
            return;
        }
    }
    hoist_test_fail(t, __FILE__, __LINE__, "no %s of '%s', but\n%s", rule, object,
                    hoist_test_findings(t).data);
}

void neff_test_run_row(hoist_test *t, neff_test_program program, const char *target,
                       neff_test_part *part, const neff_test_row *row, bool alone)
{
    neff_texts neff;
    neff_test_base(t, program, target, &neff);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->changes); i++) {
        apply(t, &neff, &row->changes[i]);
    }
    neff_module *module = neff_test_read(t, &neff);
    if (module && part) {
        neff_test_check(t, module, NULL, part);
    }
    neff_test_destroy(module);
    if (row->rule) {
        const char *member = row->member ? row->member : row->changes[0].member;
        neff_test_expect(t, &neff, row->rule, member, row->at, row->says);
        if (row->object) {
            expect_object(t, row->rule, row->object);
        }
    }
    if (alone && count_others(t->diag, row->rule)) {
        hoist_test_fail(t, __FILE__, __LINE__, "findings:\n%s", hoist_test_findings(t).data);
    }
}
