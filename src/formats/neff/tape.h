// formats/neff/tape.h - looking things up in a JSON member that was read as a tape.
//
// Where a key occurs twice in an object the last one wins, as in Python, which writes and reads
// these files; NEFF-021b reports it.
#ifndef HOIST_SRC_FORMATS_NEFF_TAPE_H
#define HOIST_SRC_FORMATS_NEFF_TAPE_H

#include "codec/json.h"
#include "formats/neff/neff.h"

// The value of `key` in the object `at`; 0, which is never such a value, when the key is absent or
// `at` is no object.
hoist_json_index neff_tape_find(const hoist_json *json, hoist_json_index at, const char *key);
// True when `at` is not 0 and a value of that kind.
bool neff_tape_is(const hoist_json *json, hoist_json_index at, hoist_json_kind kind);
// Content of the string that is the value of `key`; empty when there is no such string.
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status neff_tape_str(const hoist_json *json, hoist_json_index at,
                                           const char *key, hoist_arena *arena,
                                           hoist_str *out_text);
// The value that begins at byte `start` of the text; the root when none does.
hoist_json_index neff_tape_at(const hoist_json *json, uint32_t start);

// Places of findings. `cursor` as for neff_place().
hoist_loc neff_tape_loc(neff_cursor *cursor, const hoist_json *json, hoist_json_index at);
// The value of `key` in the object that begins at byte `start`, or else that object.
hoist_loc neff_key_loc(neff_cursor *cursor, const hoist_json *json, uint32_t start,
                       const char *key);
// True when the object that begins at byte `start` has the key, of whatever kind its value is.
bool neff_key_there(const hoist_json *json, uint32_t start, const char *key);

#endif // HOIST_SRC_FORMATS_NEFF_TAPE_H
