// formats/neff/text.h - what the readers of JSON members share; the rest of text.c is in neff.h.
#ifndef HOIST_SRC_FORMATS_NEFF_TEXT_H
#define HOIST_SRC_FORMATS_NEFF_TEXT_H

#include "formats/neff/neff.h"

// Enters a member and reads it as JSON, with `stream` (may be NULL) taking the items of one array.
// Findings and statuses as of neff_text_read.
HOIST_NODISCARD hoist_status neff_json_read(neff_reader *r, uint32_t member,
                                            const hoist_json_stream *stream, hoist_json *out_json);

// As neff_text_read, for reading that goes on without the text: HOIST_OK also when it is no JSON
// (the tape is empty then).
HOIST_NODISCARD hoist_status neff_text_try(neff_reader *r, uint32_t member, neff_role role,
                                           neff_text *out_text);

// Line and column of a token.
hoist_loc neff_token_loc(neff_reader *r, const hoist_json *json, hoist_json_index at);

// Reports the value `at` of `key`, which is not `expected`; nothing for HOIST_REC_NONE.
void neff_report_value(neff_reader *r, uint16_t rule, const hoist_json *json, hoist_json_index at,
                       const char *key, const char *expected);
// Reports a value that neff_read_value refused, or the first item of a list that it did.
void neff_report_wrong(neff_reader *r, const hoist_rec_field *field, const hoist_json *json,
                       hoist_json_index at);

// Reads one value into its slot of `object`. HOIST_INVALID: it is of another kind; HOIST_NO_MEMORY.
// Kinds VAR and SIZES are the engine reader's and left alone.
HOIST_NODISCARD hoist_status neff_read_value(neff_reader *r, const hoist_rec_field *field,
                                             const hoist_json *json, hoist_json_index at,
                                             void *object);
// Reports the required keys whose bit is not in `seen`, at the object `at`.
void neff_report_missing(neff_reader *r, const hoist_rec_table *table, const hoist_json *json,
                         hoist_json_index at, uint64_t seen);

#endif // HOIST_SRC_FORMATS_NEFF_TEXT_H
