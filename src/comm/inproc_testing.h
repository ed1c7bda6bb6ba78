// comm/inproc_testing.h - a comm between threads of one process: for tests, and as the plainest
// definition of what every comm does. Each end is used by one thread at a time; ends by different
// ones.
#ifndef HOIST_SRC_COMM_INPROC_TESTING_H
#define HOIST_SRC_COMM_INPROC_TESTING_H

#include "comm/comm.h"

// Makes `count` ends, out_ends[r] that of rank r; each is closed on its own (hoist_comm_close), in
// any order. `alloc` is thread-safe. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_comm_inproc(hoist_allocator alloc, uint32_t count,
                                               hoist_comm **out_ends);
// The process of that rank is to be taken for ended from now on: as if it were killed, its end says
// no more to the others.
void hoist_comm_inproc_kill(hoist_comm *end);

#endif // HOIST_SRC_COMM_INPROC_TESTING_H
