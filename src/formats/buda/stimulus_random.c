// 53 random bits as a fraction: every value of the double's grid in [0, 1).
// Random numbers of a test's inputs (stimulus.h).
#include "formats/buda/stimulus.h"

double buda_random_share(buda_random *random)
{
    // SplitMix64 (Steele, Lea and Flood, 2014).
    uint64_t x = random->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (double)(x >> 11) * 0x1p-53;
}

// Slightly uneven for huge ranges, which is of no importance for test data. The clamp covers
// rounding up to `high - low + 1`.
int64_t buda_random_int(buda_random *random, int64_t low, int64_t high)
{
    const double range = (double)(high - low) + 1;
    const int64_t offset = (int64_t)(buda_random_share(random) * range);
    return low + (offset > high - low ? high - low : offset);
}
