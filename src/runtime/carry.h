// runtime/carry.h - an entry of a fifo between the caller's array and the session's memory.
#ifndef HOIST_SRC_RUNTIME_CARRY_H
#define HOIST_SRC_RUNTIME_CARRY_H

#include "runtime/store.h"

// Whether an array of `size` bytes of `dtype` is an entry of `fifo`: HOIST_OK, or HOIST_INVALID.
// `push` says in which direction (an input may have a shape of its own).
HOIST_NODISCARD hoist_status hoist_carry_check(const hoist_program *program, hoist_ref fifo,
                                               bool push, hoist_dtype dtype, size_t size);

// Converts the array at `elements`, which hoist_carry_check() accepted, into slot `slot`: the
// host's type as tensor/host.h says, float32 by rounding to the queue's type. HOIST_OK,
// HOIST_NO_MEMORY, HOIST_UNSUPPORTED.
HOIST_NODISCARD hoist_status hoist_carry_in(const hoist_store *store, hoist_ref fifo, uint32_t slot,
                                            hoist_dtype dtype, hoist_bytes elements);
// The other direction: the host's type as tensor/host.h says, float32 as it is.
HOIST_NODISCARD hoist_status hoist_carry_out(const hoist_store *store, hoist_ref fifo,
                                             uint32_t slot, hoist_dtype dtype,
                                             hoist_mut_bytes elements);

#endif // HOIST_SRC_RUNTIME_CARRY_H
