// os/process.h - whether another process of this machine is still there.
#ifndef HOIST_SRC_OS_PROCESS_H
#define HOIST_SRC_OS_PROCESS_H

#include "hoist/base.h"

// A process as others of the same machine may know it.
typedef struct hoist_process_id {
    uint64_t host; // hash of the machine's name, and of how it numbers processes
    int64_t number;
} hoist_process_id;

hoist_process_id hoist_process_self(void);
// False: `other` is known to have ended. Of another machine nothing is known.
bool hoist_process_is_alive(hoist_process_id other);

#endif // HOIST_SRC_OS_PROCESS_H
