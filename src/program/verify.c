// program/verify.c - the verifier: references first, since all else follows them; then rows, then
// code.
#include "program/verify.h"

#include <stdio.h>

#include "base/span.h"
#include "program/judge.h"

bool hoist_judge_fail(hoist_judge *j, hoist_program_rule rule, const char *format, ...)
{
    char number[32];
    hoist_frame frames[3];
    const int step = snprintf(number, sizeof number, "steps/%u", (unsigned)j->step);
    const hoist_str table = hoist_str_from(hoist_name_table_many(j->table));
    const hoist_str none = {NULL, 0};
    hoist_diag_push(j->diag, &frames[0], NULL, none, table);
    hoist_diag_push(j->diag, &frames[1], NULL, none, j->name);
    if (j->step != HOIST_NO_REF) {
        hoist_diag_push(j->diag, &frames[2], NULL, none, (hoist_str){number, (size_t)step});
    }
    va_list args;
    va_start(args, format);
    hoist_vreport(j->diag, hoist_program_rule_of(j->program, rule), j->loc, format, args);
    va_end(args);
    if (j->step != HOIST_NO_REF) {
        hoist_diag_pop(j->diag, &frames[2]);
    }
    hoist_diag_pop(j->diag, &frames[1]);
    hoist_diag_pop(j->diag, &frames[0]);
    j->failures++;
    return false;
}

void *hoist_judge_array(hoist_judge *j, size_t count, size_t size)
{
    void *items = hoist_arena_array(&j->arena, count, size);
    j->no_memory |= !items;
    return items;
}

hoist_status hoist_program_verify(const hoist_program *program, hoist_diag *diag)
{
    hoist_judge j = {.program = program, .diag = diag, .step = HOIST_NO_REF};
    hoist_arena_init(&j.arena, program->arena.alloc);
    hoist_diag_sources(diag, program->sources, program->source_count);
    j.layouts = hoist_judge_array(&j, program->layout_count, sizeof *j.layouts);
    j.roots = hoist_judge_array(&j, program->buffer_count, sizeof *j.roots);
    j.views = hoist_judge_array(&j, program->view_count, sizeof *j.views);
    if (!j.no_memory) {
        hoist_judge_references(&j);
    }
    if (!j.no_memory && j.failures == 0) {
        hoist_judge_memory(&j);
    }
    if (!j.no_memory && j.failures == 0) {
        hoist_judge_rows(&j);
        hoist_judge_codes(&j);
    }
    hoist_diag_sources(diag, NULL, 0);
    hoist_arena_deinit(&j.arena);
    return j.no_memory ? HOIST_NO_MEMORY : HOIST_OK;
}
