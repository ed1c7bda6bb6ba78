// machine/state_testing.h - semaphores and registers of a machine, for tests.
#ifndef HOIST_SRC_MACHINE_STATE_TESTING_H
#define HOIST_SRC_MACHINE_STATE_TESTING_H

#include "base/assert.h"
#include "machine/state.h"

static inline int64_t machine_semaphore(const hoist_machine *machine, hoist_ref semaphore)
{
    return machine->semaphores[semaphore];
}

static inline int64_t machine_register(const hoist_machine *machine, hoist_ref thread,
                                       hoist_ref reg)
{
    HOIST_ASSERT(reg < machine->program->threads[thread].code.register_count);
    return machine->thread_registers[machine->thread_first[thread] + reg];
}

#endif // HOIST_SRC_MACHINE_STATE_TESTING_H
