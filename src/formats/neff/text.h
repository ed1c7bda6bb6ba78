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

// Reports the value `at` of `key`, of which `wanted` was expected; nothing for NEFF_RULE_COUNT.
void neff_report_value(neff_reader *r, neff_rule rule, const hoist_json *json, hoist_json_index at,
                       const char *key, const char *wanted);
// Reports a value that neff_read_value refused, or the first item of a list that it did.
void neff_report_wrong(neff_reader *r, const neff_field *field, const hoist_json *json,
                       hoist_json_index at);

// Reads one value into its slot of `object`. HOIST_INVALID: it is of another kind; HOIST_NO_MEMORY.
// Kinds VAR and SIZES are the engine reader's and left alone.
HOIST_NODISCARD hoist_status neff_read_value(neff_reader *r, const neff_field *field,
                                             const hoist_json *json, hoist_json_index at,
                                             void *object);
// Sets the slot of a field, or of all, to what an absent key means; kinds VAR and SIZES are left
// alone.
void neff_set_fallback(const neff_field *field, void *object);
void neff_fill_fallbacks(const neff_table *table, void *object);
// Reports the required keys whose bit is not in `seen`, at the object `at`.
void neff_report_missing(neff_reader *r, const neff_table *table, const hoist_json *json,
                         hoist_json_index at, uint64_t seen);

// The row of the key token `key`; -1: none; NEFF_NO_KEY_MEMORY.
enum { NEFF_NO_KEY_MEMORY = -2 };
int neff_key_find(neff_reader *r, const neff_table *table, const hoist_json *json,
                  hoist_json_index key);

#endif // HOIST_SRC_FORMATS_NEFF_TEXT_H
