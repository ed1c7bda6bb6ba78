// Findings of programs, for check_program.c, check_setting.c and the simulator (simulate.c). A
// simulated loop meets a fault in each iteration; it is reported once for each rule, location and
// subject. Subjects are queue indices or keys, so that two faults at one location are two
// findings.
#include "formats/buda/program_report.h"

#include <stdio.h>

#include "base/span.h"

// `instr` is BUDA_NO_INDEX between instructions: then the path ends at the program.
void buda_reporter_init(buda_reporter *reporter, hoist_diag *diag, hoist_arena *arena)
{
    *reporter = (buda_reporter){.diag = diag, .arena = arena, .instr = BUDA_NO_INDEX};
    hoist_map_init(&reporter->seen, arena->alloc);
}

void buda_reporter_deinit(buda_reporter *reporter)
{
    hoist_map_deinit(&reporter->seen);
}

// True the first time that it is asked about this rule, location and subject.
static bool is_new(buda_reporter *reporter, buda_rule rule, hoist_pos pos, size_t subject)
{
    char text[96]; // four numbers of at most 20 digits
    const int size =
        snprintf(text, sizeof(text), "%d:%u:%u:%zu", (int)rule, pos.line, pos.column, subject);
    const hoist_str key = {text, (size_t)size};
    size_t value = 0;
    if (hoist_map_find(&reporter->seen, key, &value)) {
        return false;
    }
    const hoist_str kept = hoist_arena_str(reporter->arena, key);
    if (!kept.data || hoist_map_add(&reporter->seen, kept, 0, NULL) != HOIST_OK) {
        reporter->no_memory = true;
        return false;
    }
    return true;
}

// "programs/run_fwd/3": indices count the items of the program's list.
static hoist_str object_path(const buda_reporter *reporter)
{
    const hoist_str name = reporter->program->name.text;
    if (reporter->instr == BUDA_NO_INDEX) {
        return hoist_arena_format(reporter->arena, "programs/%.*s", HOIST_STR_ARGS(name));
    }
    return hoist_arena_format(reporter->arena, "programs/%.*s/%zu", HOIST_STR_ARGS(name),
                              reporter->instr);
}

void buda_program_report(buda_reporter *reporter, buda_rule rule, hoist_pos pos, size_t subject,
                         const char *format, ...)
{
    // Without a diag only the effects of a simulation are of interest: no text is made.
    if (!reporter->diag || !is_new(reporter, rule, pos, subject)) {
        return;
    }
    const hoist_str path = object_path(reporter);
    if (!path.data) {
        reporter->no_memory = true;
        return;
    }
    hoist_frame frame;
    hoist_diag_push(reporter->diag, &frame, NULL, (hoist_str){NULL, 0}, path);
    va_list args;
    va_start(args, format);
    hoist_vreport(reporter->diag, &hoist_buda_rules.rules[rule], hoist_loc_pos(pos), format, args);
    va_end(args);
    hoist_diag_pop(reporter->diag, &frame);
}
