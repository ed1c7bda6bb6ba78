// lower/darwinn/tokens.h - what the driver remembers of the parameters on the chip (darwinn
// reference section 6): a token, and which caching executables were run since it was set.
//
// Both are registers of the thread that makes the requests, and last as long as the session. What
// was run is known by its epoch: each time that everything is forgotten another one begins.
//
//     darwinn_lower_tokens_compare(chip, token of the main executable)
//     darwinn_lower_tokens_enter(chip, number)      // after it: only when it was not run yet
//         ... the run of the caching executable ...
//     darwinn_lower_tokens_leave(chip, number)
#ifndef HOIST_SRC_LOWER_DARWINN_TOKENS_H
#define HOIST_SRC_LOWER_DARWINN_TOKENS_H

#include "lower/darwinn/model.h"

typedef struct darwinn_lower_tokens darwinn_lower_tokens; // in the chip's arena

// The caching executable of a model, which requests may need, before any code is built. Its number,
// or HOIST_NO_REF: the status of the context says what failed.
uint32_t darwinn_lower_tokens_add(darwinn_lower_model *model, uint64_t token);

// Whether there are any, so that one thread has to make all requests.
bool darwinn_lower_tokens_are_kept(const darwinn_lower_chip *chip);

// All below adds steps to the thread of the requests; the first makes its registers.
//
// A request with that token: 0, or another than the chip has, forgets everything.
void darwinn_lower_tokens_compare(darwinn_lower_chip *chip, uint64_t token);
// What follows, up to the leave, is done only when the caching executable is not on the chip.
void darwinn_lower_tokens_enter(darwinn_lower_chip *chip, uint32_t number);
// Its token is that of the chip, and it was run.
void darwinn_lower_tokens_leave(darwinn_lower_chip *chip, uint32_t number);

// How often a caching executable was left in this run of the program; a register to work with.
hoist_prog_value darwinn_lower_tokens_runs(const darwinn_lower_chip *chip, uint32_t number);
hoist_ref darwinn_lower_tokens_spare(const darwinn_lower_chip *chip);

#endif // HOIST_SRC_LOWER_DARWINN_TOKENS_H
