// Rule 70: functions of a stream and their calls (neff reference sections 5.2 and 9). In goes the
// index of a stream, which knows the functions, out come findings at their FUNCTION_BEGIN or at
// calls.
#include "base/span.h"
#include "formats/neff/check_streams.h"

// Marks the function that a call names, or reports that there is none. A function that only calls
// itself counts as never called.
static void check_call(const neff_stream_check *s, uint32_t i, size_t caller, bool *called)
{
    const neff_record record = neff_stream_at(&s->stream, i);
    const hoist_str name = neff_function_of(&record).name;
    size_t callee = 0;
    if (!hoist_map_find(&s->stream.routine_names, name, &callee)) {
        neff_report_record(s, NEFF_070a, i,
                           "call of the function '%.*s', which is not in the stream",
                           HOIST_STR_ARGS(name));
        return;
    }
    called[callee] = called[callee] || callee != caller;
}

hoist_status neff_check_functions(neff_stream_check *s)
{
    bool *called = hoist_arena_array(&s->c->arena, s->stream.routine_count, sizeof(*called));
    HOIST_TRY_MEMORY(called);
    for (uint32_t r = 0; r < s->stream.routine_count; r++) { // the first is the main program
        for (uint32_t i = s->stream.routines[r].first; i < s->stream.routines[r].end; i++) {
            const neff_opcode *row = neff_record_opcode(s, i);
            if (row && row->form == NEFF_FORM_FUNCTION_CALL) {
                check_call(s, i, r, called);
            }
        }
    }
    // Of functions of one name only the first can be called.
    for (uint32_t i = 1; i < s->stream.routine_count; i++) {
        const neff_routine *routine = &s->stream.routines[i];
        size_t first = 0;
        (void)hoist_map_find(&s->stream.routine_names, routine->name, &first);
        if (first != i) {
            neff_report_record(s, NEFF_070a, routine->begin,
                               "a function '%.*s' begins at record %u already",
                               HOIST_STR_ARGS(routine->name), s->stream.routines[first].begin);
        } else if (!called[i]) {
            neff_report_record(s, NEFF_070b, routine->begin, "nothing calls the function '%.*s'",
                               HOIST_STR_ARGS(routine->name));
        }
    }
    return HOIST_OK;
}
