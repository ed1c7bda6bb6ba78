// Steps in messages: their path, their name with the place in the source, and findings at them.
#include "machine/step_name.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/span.h"
#include "program/fields.h"

#define SHOWN 64 // of hoist_name_shown()

void hoist_step_path(const hoist_program *program, hoist_step_at at, char out[HOIST_STEP_NAME_SIZE])
{
    const bool in_function = at.function != HOIST_NO_REF;
    const hoist_prog_code *code =
        in_function ? &program->functions[at.function].code : &program->threads[at.thread].code;
    const hoist_str name =
        in_function ? program->functions[at.function].name : program->threads[at.thread].name;
    // Steps are numbered within their code: by the distance from its first.
    (void)snprintf(out, HOIST_STEP_NAME_SIZE, "%s/%.*s/steps/%td",
                   in_function ? "functions" : "threads", hoist_name_shown(name),
                   name.data ? name.data : "", at.step - code->steps);
}

// "sg00/act.bin:", and with another file than the program's "b.neff!sg00/act.bin:".
static void name_source(const hoist_program *program, const hoist_source *source, char *out,
                        size_t size)
{
    const bool own = hoist_str_equal(source->file, program->file);
    (void)snprintf(out, size, "%.*s%s%.*s:", own ? 0 : hoist_name_shown(source->file),
                   source->file.data, own ? "" : "!", hoist_name_shown(source->member),
                   source->member.data);
}

void hoist_step_name(const hoist_program *program, hoist_step_at at, char out[HOIST_STEP_NAME_SIZE])
{
    char path[HOIST_STEP_NAME_SIZE];
    hoist_step_path(program, at, path);
    char label[SHOWN + 4] = "";
    if (at.step->label.size > 0) {
        (void)snprintf(label, sizeof label, " '%.*s'", hoist_name_shown(at.step->label),
                       at.step->label.data);
    }
    char place[2 * SHOWN + 52] = "";
    // `loc.source` counts from 1; 0: the program's own file.
    const hoist_loc loc = at.step->loc;
    const bool known = loc.source && loc.source <= program->source_count;
    char source[2 * SHOWN + 4] = "";
    if (known) {
        name_source(program, &program->sources[loc.source - 1], source, sizeof source);
    }
    if (loc.kind == HOIST_LOC_TEXT) {
        (void)snprintf(place, sizeof place, ", %s%" PRIu32 ":%" PRIu32, source, loc.pos.line,
                       loc.pos.column);
    } else if (loc.kind == HOIST_LOC_BYTE) {
        (void)snprintf(place, sizeof place, ", %s+0x%" PRIx64, source, loc.offset);
    }
    // The path is cut, so that place and closing bracket are in every name.
    (void)snprintf(out, HOIST_STEP_NAME_SIZE, "%s%s (%.120s%s)",
                   hoist_step_record(at.step->kind)->keyword, label, path, place);
}

void hoist_step_report(const hoist_program *program, hoist_step_at at, const hoist_rule *rule,
                       hoist_diag *diag, const char *format, ...)
{
    char path[HOIST_STEP_NAME_SIZE] = "";
    if (at.step) {
        hoist_step_path(program, at, path);
    }
    hoist_frame frame;
    // A frame makes the path part of the finding for as long as it is reported.
    hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), hoist_str_from(path));
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, rule, at.step ? at.step->loc : hoist_loc_none(), format, args);
    va_end(args);
    hoist_diag_pop(diag, &frame);
}

bool hoist_step_is_copy(const hoist_prog_step *a, const hoist_prog_step *b)
{
    return a == b || (a && b && a->kind == b->kind && a->loc.kind != HOIST_LOC_NONE &&
                      hoist_loc_order(a->loc, b->loc) == 0);
}
