// runtime/routes.h - what of a program goes between homes: fifos that one home fills and another
// one empties, and the homes that meet in a group of collectives.
#ifndef HOIST_SRC_RUNTIME_ROUTES_H
#define HOIST_SRC_RUNTIME_ROUTES_H

#include "program/program.h"

// A fifo between two homes.
typedef struct hoist_route {
    hoist_ref fifo;
    uint32_t writer;
    uint32_t reader;
} hoist_route;

// A home that has members in a group.
typedef struct hoist_meeting {
    uint32_t group;
    uint32_t home;
} hoist_meeting;

typedef struct hoist_routes {
    hoist_allocator alloc;
    hoist_route *fifos; // owned, in order of the fifos
    size_t fifo_count;
    size_t fifo_capacity;
    hoist_meeting *meetings; // owned: of groups, by group and home, each once
    size_t meeting_count;
    size_t meeting_capacity;
    hoist_ref refused; // a fifo that several homes use in a way that no route is
} hoist_routes;

// Homes that the program's threads have: 1 more than the greatest.
uint32_t hoist_routes_homes(const hoist_program *program);

// Finds the routes. HOIST_OK; HOIST_UNSUPPORTED with `out_routes->refused`: a fifo that two homes
// fill or empty, whose pointers another home sets, whose memory is shared, or that is no queue of
// one part; HOIST_NO_MEMORY. hoist_routes_deinit() whatever the status.
HOIST_NODISCARD hoist_status hoist_routes_init(hoist_routes *out_routes,
                                               const hoist_program *program, hoist_allocator alloc);
void hoist_routes_deinit(hoist_routes *routes);

// Whether `group` has members of a home other than `home`.
bool hoist_routes_meets(const hoist_routes *routes, uint32_t group, uint32_t home);

#endif // HOIST_SRC_RUNTIME_ROUTES_H
