// cost/rates.h - the rates of devices: one row for each published figure, with its range and its
// source. Nothing here is fitted to a model, and no row is for a model.
#ifndef HOIST_SRC_COST_RATES_H
#define HOIST_SRC_COST_RATES_H

#include "hoist/base.h"

typedef enum hoist_rate_kind {
    HOIST_RATE_REQUEST = 0, // seconds of a round trip between host and device
    HOIST_RATE_LINK,        // bytes per second between host and device
    HOIST_RATE_STREAM,      // the same, of parameters that are sent in every run
    HOIST_RATE_CLOCK,       // cycles per second
    HOIST_RATE_OPERATIONS,  // operations per cycle of a core
    HOIST_RATE_NETWORK,     // bytes per second that a core receives from other cores
    HOIST_RATE_MEMORY,      // bytes per second that steps read and write
    HOIST_RATE_QUEUE,       // bytes per second of each queue of transfers
    HOIST_RATE_KIND_COUNT,
} hoist_rate_kind;

// Times from best to worst.
typedef enum hoist_case {
    HOIST_CASE_LOW = 0,
    HOIST_CASE_TYPICAL,
    HOIST_CASE_HIGH,
    HOIST_CASE_COUNT,
} hoist_case;

typedef struct hoist_rate {
    const char *device;
    const char *by; // the host's link, or the CPU's level; NULL: all
    hoist_rate_kind kind;
    // The value that gives the low, the typical and the high time; 0: it is not public, and times
    // are bounds.
    double value[HOIST_CASE_COUNT];
    const char *source;
} hoist_rate;

// The row of a device; NULL: there is none. `by` may be NULL.
const hoist_rate *hoist_rate_find(hoist_str device, const char *by, hoist_rate_kind kind);
// "link", "clock", ...
const char *hoist_rate_name(hoist_rate_kind kind);
// "s", "B/s", ...
const char *hoist_rate_unit(hoist_rate_kind kind);
// Whether some row is for this link of `device`.
bool hoist_rate_is_by(hoist_str device, const char *by);
// Row number `index` of all; NULL from the last one on.
const hoist_rate *hoist_rate_at(size_t index);

#endif // HOIST_SRC_COST_RATES_H
