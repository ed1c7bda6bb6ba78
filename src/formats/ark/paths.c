// Paths between nodes (formats/ark/paths.h): for one set of nodes after the other, which of them
// lead to each node, computed in the order of the file, in which producers come first.
#include "formats/ark/paths.h"

#include <string.h>

#include "base/alloc.h"

// A set takes 1,024 bits for each node from its first on.
enum { SET_WORDS = 16, SET_NODES = 64 * SET_WORDS };

// Sets for each node which of the nodes from `start` on, a bit each, lead to it. Bits go from
// producers to consumers: what leads to a producer leads to the node. A node with the producers 1
// and 2 gets the bits of both, and bits 1 and 2.
static hoist_status spread(const ark_module *module, const ark_node_edges *edges, uint32_t start,
                           uint64_t (*bits)[SET_WORDS])
{
    memset(bits, 0, (edges->count - start) * sizeof(*bits));
    for (uint32_t i = start; i < edges->count; i++) {
        uint64_t *const mine = bits[i - start];
        HOIST_TRY(hoist_deadline_look(module->base.deadline));
        for (uint32_t k = edges->starts[i]; k < edges->starts[i + 1]; k++) {
            const uint32_t producer = edges->producers[k];
            // Before the set, or an edge that does not come from before.
            if (producer < start || producer >= i) {
                continue;
            }
            const uint32_t bit = producer - start;
            for (uint32_t w = 0; w < SET_WORDS; w++) {
                mine[w] |= bits[bit][w];
            }
            if (bit < SET_NODES) {
                mine[bit / 64] |= UINT64_C(1) << bit % 64;
            }
        }
    }
    return HOIST_OK;
}

// A set in which no question begins is not spread.
static hoist_status answer(const ark_module *module, const ark_node_edges *edges, ark_path *paths,
                           size_t count, uint64_t (*bits)[SET_WORDS], bool *is_asked)
{
    for (size_t i = 0; i < count; i++) {
        is_asked[paths[i].from / SET_NODES] = true;
        paths[i].exists = false;
    }
    for (uint32_t start = 0; start < edges->count; start += SET_NODES) {
        if (!is_asked[start / SET_NODES]) {
            continue;
        }
        HOIST_TRY(spread(module, edges, start, bits));
        for (size_t i = 0; i < count; i++) {
            if (paths[i].from / SET_NODES == start / SET_NODES) {
                const uint32_t bit = paths[i].from - start;
                paths[i].exists = bits[paths[i].to - start][bit / 64] >> bit % 64 & 1;
            }
        }
    }
    return HOIST_OK;
}

// Bits are for the nodes from the set's first on, so one array serves all sets.
hoist_status ark_paths_find(const ark_module *module, const ark_node_edges *edges, ark_path *paths,
                            size_t count)
{
    const size_t nodes = edges->count;
    const size_t sets = nodes / SET_NODES + 1;
    if (count == 0) {
        return HOIST_OK;
    }
    uint64_t(*const bits)[SET_WORDS] = hoist_alloc(module->base.alloc, nodes * sizeof(*bits));
    bool *const is_asked = hoist_alloc_zero(module->base.alloc, sets, sizeof(*is_asked));
    const hoist_status status =
        bits && is_asked ? answer(module, edges, paths, count, bits, is_asked) : HOIST_NO_MEMORY;
    hoist_free(module->base.alloc, bits, nodes * sizeof(*bits));
    hoist_free(module->base.alloc, is_asked, sets * sizeof(*is_asked));
    return status;
}
