// Findings at records of a stream, and their opcodes: below check_streams.c, check_triggers.c,
// check_functions.c and check_collectives.c.
#include <inttypes.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/check_streams.h"

void neff_report_record(const neff_stream_check *s, neff_rule rule, uint32_t i, const char *format,
                        ...)
{
    char path[32];
    hoist_frame frame;
    va_list args;
    const int size = snprintf(path, sizeof(path), "record %" PRIu32, i);
    neff_enter(s->c->module, s->c->diag, s->engine->instr);
    hoist_diag_push(s->c->diag, &frame, NULL, HOIST_STR(""), (hoist_str){path, (size_t)size});
    va_start(args, format);
    neff_vreport(s->c->diag, rule, hoist_loc_byte((uint64_t)i * NEFF_RECORD_SIZE), format, args);
    va_end(args);
    hoist_diag_pop(s->c->diag, &frame);
}

// A record of another length is 67a's, and none of its bytes is to be trusted.
const neff_opcode *neff_record_opcode(const neff_stream_check *s, uint32_t i)
{
    const uint8_t *bytes = s->stream.bytes.data + (size_t)i * NEFF_RECORD_SIZE;
    const bool is_whole = bytes[1] == NEFF_RECORD_SIZE / 4;
    return is_whole ? neff_opcode_find(bytes[0], s->generation) : NULL;
}
