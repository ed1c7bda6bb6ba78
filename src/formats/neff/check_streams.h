// formats/neff/check_streams.h - what the checks of one engine's stream share (rules 66 to 74).
#ifndef HOIST_SRC_FORMATS_NEFF_CHECK_STREAMS_H
#define HOIST_SRC_FORMATS_NEFF_CHECK_STREAMS_H

#include "formats/neff/neff.h"
#include "formats/neff/rules.h"
#include "formats/neff/stream_index.h"

typedef struct neff_stream_check {
    neff_check *c;
    const neff_subgraph *subgraph;
    const neff_engine *engine;
    neff_stream stream;
    int generation;     // the effective one; NEFF_ANY_GENERATION where the file's is unknown
    neff_cursor cursor; // in the engine's text
} neff_stream_check;

// Reports a finding at record `i`: by its byte, with the object "record i".
// check_records.c
void neff_report_record(const neff_stream_check *s, neff_rule rule, uint32_t i, const char *format,
                        ...) HOIST_PRINTF(4, 5);
// The opcode of record `i` on the effective generation; NULL: it has none, or is malformed.
// check_records.c
const neff_opcode *neff_record_opcode(const neff_stream_check *s, uint32_t i);

// Rule 66: reports what keeps an engine's stream from being read completely. check_streams.c
void neff_check_member(const neff_module *module, const neff_engine *engine, hoist_diag *diag);

// Triggers against queue sets and blocks: 68, 69. check_triggers.c
HOIST_NODISCARD hoist_status neff_check_triggers(neff_stream_check *s);
// Functions: 70. check_functions.c
HOIST_NODISCARD hoist_status neff_check_functions(neff_stream_check *s);
// Collectives: 71a to 71c. check_collectives.c
HOIST_NODISCARD hoist_status neff_check_collectives(neff_stream_check *s);

#endif // HOIST_SRC_FORMATS_NEFF_CHECK_STREAMS_H
