// base/join.h - disjoint sets of numbered things (union-find). A set is known by its root: the
// lowest of its numbers, so whatever is numbered by roots follows the order of the things.
#ifndef HOIST_SRC_BASE_JOIN_H
#define HOIST_SRC_BASE_JOIN_H

#include <stddef.h>

// Puts each of the `count` things into a set of its own. `parents` is the caller's array; the
// functions below read and write it at the things they are given and at what these lead to.
void hoist_join_init(size_t *parents, size_t count);

// The root of the set that holds `thing`. Shortens the way to it.
size_t hoist_join_root(size_t *parents, size_t thing);

// Makes one set of those of `a` and `b`, which may be one already; gives its root.
size_t hoist_join(size_t *parents, size_t a, size_t b);

#endif // HOIST_SRC_BASE_JOIN_H
