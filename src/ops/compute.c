// Look-ups of compute rows in the tables of their profiles (compute_golden.c, compute_quant.c,
// compute_plain.c, compute_ark.c, compute_device.c, compute_declared.c), by op and by name.
#include <string.h>

#include "base/span.h"
#include "ops/compute_rows.h"

// From the last op on.
static const struct {
    hoist_compute_op first;
    const hoist_compute_def *rows;
} tables[] = {
    {HOIST_DECLARED_FIRST, hoist_declared_rows},
    {HOIST_DEVICE_FIRST, hoist_device_rows},
    {HOIST_FAST_FIRST, hoist_fast_rows},
    {HOIST_ARK_FIRST, hoist_ark_rows},
    {HOIST_PLAIN_FIRST, hoist_plain_rows},
    {HOIST_QUANT_FIRST, hoist_quant_rows},
    {0, hoist_golden_rows},
};

// clang-format off
static const char *const profiles[HOIST_PROFILE_COUNT] = {
    [HOIST_PROFILE_IEEE]    = "ieee",
    [HOIST_PROFILE_GOLDEN]  = "golden",
    [HOIST_PROFILE_TFLITE]  = "tflite",
    [HOIST_PROFILE_EDGETPU] = "edgetpu",
    [HOIST_PROFILE_ARK]     = "ark",
    [HOIST_PROFILE_FAST]    = "fast",
    [HOIST_PROFILE_DEVICE]   = "device",
    [HOIST_PROFILE_DECLARED] = "declared",
};
// clang-format on

const char *hoist_profile_name(hoist_profile profile)
{
    return profiles[profile];
}

const hoist_compute_def *hoist_compute_get(hoist_compute_op op)
{
    size_t table = 0;
    while (op < tables[table].first) {
        table++;
    }
    return &tables[table].rows[op - tables[table].first];
}

hoist_compute_op hoist_compute_find(hoist_str name)
{
    for (hoist_compute_op op = 0; op < HOIST_COMPUTE_COUNT; op++) {
        const hoist_compute_def *def = hoist_compute_get(op);
        const hoist_str profile = hoist_str_from(profiles[def->profile]);
        const hoist_str rest = hoist_str_from(def->name);
        if (name.size == profile.size + 1 + rest.size && name.data[profile.size] == '.' &&
            memcmp(name.data, profile.data, profile.size) == 0 &&
            memcmp(name.data + profile.size + 1, rest.data, rest.size) == 0) {
            return op;
        }
    }
    return HOIST_COMPUTE_COUNT;
}

int hoist_compute_lead(hoist_compute_op op, const hoist_compute_attrs *attrs, int rank)
{
    switch (hoist_compute_get(op)->parts) {
    case HOIST_PARTS_ELEMENTS:
        return rank;
    case HOIST_PARTS_LINES:
        return rank > 0 ? rank - 1 : 0;
    case HOIST_PARTS_AXIS:
        return (int)attrs->value[0].integer;
    default:
        return 0;
    }
}
