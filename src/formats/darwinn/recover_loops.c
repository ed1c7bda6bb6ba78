// Nested loops over addresses of a tile: which step comes to an address, and where a step is. In: a
// traversal of an operation, of a copy or of the mesh.
#include "formats/darwinn/recover_operation.h"

// The loop of those that are left with the greatest stride; DWN_LOOPS: there is none.
static size_t widest_loop(const dwn_traversal *to, const bool done[DWN_LOOPS])
{
    size_t found = DWN_LOOPS;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const bool is_left = !done[i] && to->loops[i].count > 1 && to->loops[i].stride > 0;
        found = is_left && (found == DWN_LOOPS || to->loops[i].stride > to->loops[found].stride)
                    ? i
                    : found;
    }
    return found;
}

// Whether a word is one that the last group of channels does not have.
static bool is_beyond(const dwn_traversal *to, dwn_channel_rows r, const uint32_t steps[DWN_LOOPS])
{
    const uint32_t words = dwn_words_of(r.full);
    const bool has_words = r.last < r.full && to->loops[0].stride == 1 &&
                           to->loops[0].count == words && steps[0] >= dwn_words_of(r.last);
    bool is_so = false;
    for (size_t i = 1; i < DWN_LOOPS && has_words; i++) {
        const dwn_loop *loop = &to->loops[i];
        is_so = is_so || (loop->stride == words && steps[i] + 1 == loop->count);
    }
    return is_so;
}

// Greatest stride first, like digits of a number: a loop steps over all that those of smaller
// strides go through; those that stand still, or go back, are at their last step.
bool dwn_find_step(const dwn_traversal *to, dwn_channel_rows r, int64_t address, uint64_t *out_step)
{
    uint32_t steps[DWN_LOOPS];
    bool done[DWN_LOOPS] = {false};
    int64_t rest = address - to->base;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        steps[i] = to->loops[i].count - 1;
    }
    for (size_t i = 0; (i = widest_loop(to, done)) < DWN_LOOPS; done[i] = true) {
        const dwn_loop *loop = &to->loops[i];
        const int64_t most = rest >= loop->stride ? rest / loop->stride : 0;
        steps[i] = most < loop->count ? (uint32_t)most : loop->count - 1;
        rest -= (int64_t)steps[i] * loop->stride;
    }
    uint64_t inside = 1;
    *out_step = 0; // by the order of the loops, not of the strides
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        *out_step = dwn_plus(*out_step, dwn_times(steps[i], inside));
        inside = dwn_times(inside, to->loops[i].count);
    }
    return rest == 0 && !is_beyond(to, r, steps);
}

// Loops of the mesh are fewer; the others make one step.
bool dwn_mesh_has(int32_t base, const dwn_loop loops[DWN_MESH_LOOPS], int64_t address)
{
    dwn_traversal to = {.base = base};
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        to.loops[i] = i < DWN_MESH_LOOPS ? loops[i] : (dwn_loop){.count = 1};
    }
    uint64_t step = 0;
    return dwn_find_step(&to, (dwn_channel_rows){0, 0}, address, &step);
}

// Loop by loop from the inside, like the digits of a mixed radix.
int64_t dwn_address_at(int32_t base, const dwn_loop *loops, size_t count, uint64_t step)
{
    uint64_t address = (uint64_t)(int64_t)base; // hostile strides wrap around
    for (size_t i = 0; i < count; i++) {
        address += step % loops[i].count * (uint64_t)loops[i].stride;
        step /= loops[i].count;
    }
    return (int64_t)address;
}
