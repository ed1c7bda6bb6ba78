// comm/module.h - what hoist-mpi.so and the library know of each other. The module is a file of its
// own, because it alone needs the MPI library; the library opens it when a job is to use it
// (comm/module.c).
#ifndef HOIST_SRC_COMM_MODULE_H
#define HOIST_SRC_COMM_MODULE_H

#include "comm/comm.h"

// The one function that the module exports, as hoist_comm_open_mpi(). `version` is the library's:
// another one than the module's is HOIST_UNSUPPORTED.
typedef hoist_status hoist_comm_module(hoist_allocator alloc, const char *version,
                                       const char **out_why, hoist_comm **out_comm);
#define HOIST_COMM_MODULE_SYMBOL "hoist_comm_module_open"

#endif // HOIST_SRC_COMM_MODULE_H
