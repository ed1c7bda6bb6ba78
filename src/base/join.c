// Disjoint sets (union-find) with path halving; the lowest number is the root, so that results do
// not depend on the order of unions.
#include "base/join.h"

#include "base/assert.h"

void hoist_join_init(size_t *parents, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        parents[i] = i;
    }
}

size_t hoist_join_root(size_t *parents, size_t thing)
{
    HOIST_ASSERT(parents);
    while (parents[thing] != thing) {
        HOIST_ASSERT(parents[thing] < thing);
        parents[thing] = parents[parents[thing]];
        thing = parents[thing];
    }
    return thing;
}

size_t hoist_join(size_t *parents, size_t a, size_t b)
{
    a = hoist_join_root(parents, a);
    b = hoist_join_root(parents, b);
    const size_t root = a < b ? a : b;
    HOIST_ASSERT(parents[a] == a && parents[b] == b);
    parents[a < b ? b : a] = root;
    return root;
}
