// What the verifier's parts share: a finding at the row or step at hand, and zeroed scratch memory
// of an arena that ends with the verifier.
#include "program/verifier.h"

#include <stdio.h>

#include "base/span.h"
#include "program/names.h"

// Ends loops over tables: `for (i = 0; hoist_verifier_at(v, table, i); i++)`.
bool hoist_verifier_at(hoist_verifier *v, hoist_name_table table, uint32_t index)
{
    const hoist_names names = hoist_names_of(v->program, table, NULL, NULL);
    v->table = table;
    if (index < names.count) {
        v->name = hoist_names_at(&names, index);
        v->loc = hoist_names_loc(&names, index, hoist_loc_none());
    }
    return index < names.count;
}

bool hoist_verifier_fail(hoist_verifier *v, hoist_program_rule rule, const char *format, ...)
{
    char number[32];
    // "functions", its name, "steps/3": the object path, which costs nothing until here.
    hoist_frame frames[3];
    const int step = snprintf(number, sizeof number, "steps/%u", (unsigned)v->step);
    const hoist_str table = hoist_str_from(hoist_name_table_many(v->table));
    const hoist_str none = {NULL, 0};
    hoist_diag_push(v->diag, &frames[0], NULL, none, table);
    hoist_diag_push(v->diag, &frames[1], NULL, none, v->name);
    if (v->step != HOIST_NO_REF) {
        hoist_diag_push(v->diag, &frames[2], NULL, none, (hoist_str){number, (size_t)step});
    }
    va_list args;
    va_start(args, format);
    hoist_vreport(v->diag, hoist_program_rule_of(v->program, rule), v->loc, format, args);
    va_end(args);
    if (v->step != HOIST_NO_REF) {
        hoist_diag_pop(v->diag, &frames[2]);
    }
    hoist_diag_pop(v->diag, &frames[1]);
    hoist_diag_pop(v->diag, &frames[0]);
    v->failures++;
    return false;
}

void *hoist_verifier_array(hoist_verifier *v, size_t count, size_t size)
{
    void *items = hoist_arena_array(&v->arena, count, size);
    v->no_memory |= !items;
    return items;
}
