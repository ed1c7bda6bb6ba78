// lower/darwinn_tokens.h - what the driver remembers of the parameters on the chip (darwinn
// reference section 6): a token, and which caching executables were run since it was set.
//
// Both are registers of the thread that makes the requests, and last as long as the session.
//
//     hoist_darwinn_tokens_compare(chip, token of the main executable)
//     hoist_darwinn_tokens_enter(chip, number)      // behind it: only when it was not run yet
//         ... the run of the caching executable ...
//     hoist_darwinn_tokens_leave(chip, number)
#ifndef HOIST_SRC_LOWER_DARWINN_TOKENS_H
#define HOIST_SRC_LOWER_DARWINN_TOKENS_H

#include "lower/darwinn_lower.h"

typedef struct hoist_darwinn_tokens hoist_darwinn_tokens; // in the chip's arena

// The caching executable of a model, which requests may need, before any code is built. Its number,
// or HOIST_NO_REF: it was reported that the chip has HOIST_DARWINN_MAX_CACHING of them (RUN-008),
// or chip->status says what failed.
enum { HOIST_DARWINN_MAX_CACHING = 4096 };
uint32_t hoist_darwinn_tokens_add(hoist_darwinn_model *model, uint64_t token);

// Whether there are any, so that one thread has to make all requests.
bool hoist_darwinn_tokens_are_kept(const hoist_darwinn_chip *chip);

// All below adds steps to the thread of the requests; the first makes its registers.
//
// A request with that token: 0, or another than the chip has, forgets everything.
void hoist_darwinn_tokens_compare(hoist_darwinn_chip *chip, uint64_t token);
// What follows, up to the leave, is done only when the caching executable is not on the chip.
void hoist_darwinn_tokens_enter(hoist_darwinn_chip *chip, uint32_t number);
// Its token is that of the chip, and it was run.
void hoist_darwinn_tokens_leave(hoist_darwinn_chip *chip, uint32_t number);

// How often a caching executable was left in this run of the program; a register to work with.
hoist_prog_value hoist_darwinn_tokens_runs(const hoist_darwinn_chip *chip, uint32_t number);
hoist_ref hoist_darwinn_tokens_spare(const hoist_darwinn_chip *chip);

#endif // HOIST_SRC_LOWER_DARWINN_TOKENS_H
