// Any bytes as a NEFF, through all that hoist does with one. Three of four mutations are of a
// member.
#include "all_mutate.h"
#include "all_steps.h"
#include "testing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    all_steps(&(hoist_bytes){data, size}, 1, "neff");
    return 0;
}

#ifdef HOIST_FUZZ
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static const all_part_kind members = {.format = "neff"};
    const size_t made = seed % 4 ? all_mutate_part(data, size, max_size, seed / 4, &members) : 0;
    return made ? made : LLVMFuzzerMutate(data, size, max_size);
}
#endif
